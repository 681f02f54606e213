// A path is judged twice: as it is written and as the file system resolves it.
#include "workspace/path_guard.h"

#include <filesystem>

#include "workspace/location.h"

namespace pimemory {
namespace {

std::string normalised(const std::string& path) {
  std::string text = std::filesystem::path(path).lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

// The real path of the nearest existing ancestor with the missing rest behind it.
Result<std::string> resolved(FileSystem& files, const std::string& path) {
  std::string existing = path, rest;
  for (;;) {
    PIMEMORY_ASSIGN(const FileInfo info, files.info(existing));
    if (info.type != FileType::missing || existing == "/") break;
    rest = existing.substr(existing.rfind('/')) + rest;
    existing = parent_directory(existing);
  }
  const auto real = files.real_path(existing);
  // A link into nothing could be given a target later.
  if (!real) return fail(ErrorCode::unsafe_path, existing + " does not resolve");
  return (*real == "/" && !rest.empty() ? "" : *real) + rest;
}

}  // namespace

Status guard_project_path(FileSystem& files, const std::string& root, const std::string& candidate) {
  const auto outside = [&] {
    return fail(ErrorCode::unsafe_path, candidate + " is outside the project authority " + root);
  };
  const std::string clean_root = normalised(root), clean = normalised(candidate);
  if (!clean_root.starts_with('/') || !lies_beneath(clean_root, clean)) return outside();
  PIMEMORY_ASSIGN(const std::string real_root, resolved(files, clean_root));
  PIMEMORY_ASSIGN(const std::string real, resolved(files, clean));
  if (!lies_beneath(real_root, real)) return outside();
  return {};
}

Status guard_exclusive_database(FileSystem& files, const std::string& home, const std::string& project_id,
                                const std::string& candidate) {
  const std::string project = join_path(home, project_id);
  const std::string inner = "/" + project_id + "/memory/memory.sqlite";
  const auto refused = [&] {
    return fail(ErrorCode::unsafe_path, candidate + " is not this project's exclusive database");
  };
  if (candidate != project + "/memory/memory.sqlite") return refused();
  PIMEMORY_ASSIGN(const std::string real_home, resolved(files, normalised(home)));
  PIMEMORY_ASSIGN(const std::string real, resolved(files, candidate));
  if (real != (real_home == "/" ? inner : real_home + inner)) return refused();
  return {};
}

}  // namespace pimemory
