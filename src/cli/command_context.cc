// Finding out where a command runs, without leaving a trace there.
#include "cli/command_context.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/rfc3339.h"

namespace pimemory {

namespace {

// A home that is not there yet is created by init.
Status check_home(FileSystem& files, const std::string& home) {
  constexpr char kRemedy[] = "name a directory with --home or PI_MEMORY_HOME";
  Result<FileInfo> info = files.info(home);
  if (info && info->type == FileType::symlink) {
    const Result<std::string> real = files.real_path(home);
    info = real ? files.info(*real) : std::unexpected(real.error());
  }
  if (!info)
    return fail(ErrorCode::unsafe_path, "the home " + home + " cannot be used: " + info.error().message, kRemedy);
  if (info->type == FileType::directory || info->type == FileType::missing) return {};
  return fail(ErrorCode::unsafe_path, "the home " + home + " is not a directory", kRemedy);
}

}  // namespace

Result<MemoryEngine> CommandContext::open_engine(OpenIntent intent) {
  PIMEMORY_ASSIGN(std::unique_ptr<Authority> authority, workspace.open(working_directory, kCliSession, intent));
  return MemoryEngine(env, std::move(authority));
}

Result<CommandContext> make_context(Env& env, const GlobalOptions& options) {
  PIMEMORY_ASSIGN(const std::string home, resolve_home(options.home));
  PIMEMORY_TRY(check_home(env.files, home));
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::current_path(error);
  if (error)
    return fail(ErrorCode::location_invalid, "the working directory cannot be read: " + error.message(),
                "change into an existing directory");
  return CommandContext{env, directory.string(), Workspace(env, home), Output(options.json)};
}

Result<std::optional<TimeMs>> parse_time_flag(std::string_view flag, const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const Result<TimeMs> time = parse_rfc3339(*text);
  if (!time)
    return fail(ErrorCode::invalid, std::string(flag) + " is no RFC 3339 time: " + time.error().message,
                "write it as 2026-03-01T00:00:00Z");
  return *time;
}

}  // namespace pimemory
