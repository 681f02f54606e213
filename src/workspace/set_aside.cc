// Only what the store's own open calls foreign is moved; a store of ours, however damaged, stays.
#include "workspace/set_aside.h"

#include "base/private_files.h"
#include "base/rfc3339.h"
#include "storage/authority.h"
#include "workspace/location.h"
#include "workspace/store_door.h"

namespace pimemory {
namespace {

constexpr TimeMs kMsPerSecond = 1000;
constexpr int kStampAttempts = 60;
constexpr char kSession[] = "pi-memory-init";

std::unexpected<Error> refused(const std::string& root, const std::string& found) {
  return fail(ErrorCode::invalid, "nothing was set aside: " + root + " holds " + found,
              "run `pi-memory init` without --set-aside");
}

// Success only for what the open of a store calls foreign.
Status expect_foreign(Env& env, const std::string& home, const std::string& project_id, const std::string& root) {
  const auto opened = open_store(env, {home, project_id, kSession, OpenIntent::read, Layout::automatic});
  if (opened) return refused(root, "a healthy store of " + project_id);
  const Error& error = opened.error();
  switch (error.code) {
    case ErrorCode::foreign_store:
      break;
    case ErrorCode::project_incomplete:
      return refused(root, "no database: " + error.message);
    case ErrorCode::owner_mismatch:
    case ErrorCode::corrupt:
    case ErrorCode::unsupported_version:
    case ErrorCode::layout_conflict:
    case ErrorCode::history_torn:
    case ErrorCode::history_damaged:
      return refused(root,
                     "a store of pi-memory (" + std::string(error_code_name(error.code)) + ": " + error.message + ")");
    default:
      return std::unexpected(error);
  }
  return {};
}

// 20260301T000000Z
std::string utc_stamp(TimeMs time) {
  std::string stamp;
  for (const char byte : format_rfc3339(time).substr(0, 19))
    if (byte != '-' && byte != ':') stamp += byte;
  return stamp + "Z";
}

// A name that is free; two of one second must not meet.
Result<std::string> free_name(Env& env, const std::string& root) {
  const TimeMs now = env.clock.now();
  for (int attempt = 0; attempt < kStampAttempts; ++attempt) {
    const std::string path = root + ".foreign-" + utc_stamp(now + attempt * kMsPerSecond);
    PIMEMORY_ASSIGN(const FileInfo info, env.files.info(path));
    if (info.type == FileType::missing) return path;
  }
  return fail(ErrorCode::io, "no free name beside " + root);
}

}  // namespace

Result<SetAside> set_aside_foreign_store(Env& env, const std::string& home, const std::string& project_id) {
  PIMEMORY_ASSIGN(const std::string real, real_home(env.files, home));
  const std::string root = authority_root(real, project_id), project = parent_directory(root);
  for (const std::string& directory : {project, root}) {
    PIMEMORY_ASSIGN(const FileInfo info, env.files.info(directory));
    if (info.type == FileType::missing)
      return fail(ErrorCode::invalid, "nothing was set aside: there is no store at " + root,
                  "run `pi-memory init` without --set-aside");
    PIMEMORY_TRY(check_private_directory(env.files, directory, false));
  }
  PIMEMORY_TRY(expect_foreign(env, real, project_id, root));
  PIMEMORY_ASSIGN(const std::string target, free_name(env, root));
  PIMEMORY_TRY(env.files.rename(root, target));
  return SetAside{target, env.files.sync_directory(project).has_value()};
}

}  // namespace pimemory
