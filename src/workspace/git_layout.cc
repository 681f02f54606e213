// A checkout's files may come from anyone, so every step must hold up: a `.git` file alone grants nothing, the
// repository must name the worktree in return.
#include "workspace/git_layout.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "workspace/location.h"

namespace pimemory {
namespace {

constexpr std::size_t kMaxPointerFileBytes = 16 * 1024;
constexpr std::size_t kMaxConfigBytes = 1024 * 1024;
constexpr std::string_view kGitDirPrefix = "gitdir:";

std::unexpected<Error> unavailable(const std::string& why) { return fail(ErrorCode::join_unavailable, why); }

// The content of a regular file of the user's own.
Result<std::string> read_own_file(FileSystem& files, const std::string& path, std::size_t limit_bytes) {
  PIMEMORY_ASSIGN(const FileInfo info, files.info(path));
  if (info.type == FileType::missing) return unavailable(path + " does not exist");
  if (info.type != FileType::regular) return unavailable(path + " is not a regular file");
  PIMEMORY_ASSIGN(const std::unique_ptr<File> file, files.open(path, OpenMode::read));
  PIMEMORY_ASSIGN(const FileInfo opened, file->info());
  if (opened.type != FileType::regular) return unavailable(path + " is not a regular file");
  if (opened.owner != geteuid()) return unavailable(path + " belongs to another user");
  auto content = file->read_all(limit_bytes);
  if (!content && content.error().code == ErrorCode::too_large) return unavailable(content.error().message);
  return content;
}

std::string_view trim_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The path that a pointer file holds, without its line end, taken from `base` when relative.
Result<std::string> named_path(std::string content, std::string_view prefix, const std::string& base,
                               const std::string& where) {
  while (content.ends_with('\n') || content.ends_with('\r')) content.pop_back();
  if (!content.starts_with(prefix)) return unavailable(where + " names no git directory");
  content.erase(0, prefix.size());
  if (!prefix.empty()) content.erase(0, content.find_first_not_of(' '));
  if (content.empty() || content.find('\0') != std::string::npos || content.find('\n') != std::string::npos)
    return unavailable(where + " names no path");
  return content.starts_with('/') ? content : join_path(base, content);
}

Result<std::string> real_directory(FileSystem& files, const std::string& path, const std::string& where) {
  const auto real = files.real_path(path);
  if (!real) return unavailable(where + " names " + path + ", which does not exist");
  PIMEMORY_ASSIGN(const FileInfo info, files.info(*real));
  if (info.type != FileType::directory) return unavailable(where + " names " + path + ", which is not a directory");
  return *real;
}

// The git directory that the file `<root>/.git` names.
Result<std::string> named_git_directory(FileSystem& files, const std::string& root) {
  const std::string link = join_path(root, ".git");
  PIMEMORY_ASSIGN(std::string content, read_own_file(files, link, kMaxPointerFileBytes));
  PIMEMORY_ASSIGN(const std::string path, named_path(std::move(content), kGitDirPrefix, root, link));
  return real_directory(files, path, link);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& byte : lower) byte = static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
  return lower;
}

// The last `bare` of the sections `[core]`; nullopt without one.
std::optional<bool> bare_setting(std::string_view config) {
  std::optional<bool> bare;
  bool in_core = false;
  while (!config.empty()) {
    const std::size_t end = std::min(config.find('\n'), config.size());
    std::string_view line = trim_blanks(config.substr(0, end));
    config.remove_prefix(std::min(end + 1, config.size()));
    if (line.starts_with('[')) {
      const std::size_t close = line.find(']');
      if (close == std::string_view::npos) continue;
      in_core = lower_case(trim_blanks(line.substr(1, close - 1))) == "core";
      line = trim_blanks(line.substr(close + 1));
    }
    line = trim_blanks(line.substr(0, line.find_first_of("#;")));
    if (!in_core || line.empty()) continue;
    const std::size_t equals = line.find('=');
    if (lower_case(trim_blanks(line.substr(0, equals))) != "bare") continue;
    const std::string value =
        equals == std::string_view::npos ? "true" : lower_case(trim_blanks(line.substr(equals + 1)));
    bare = value == "true" || value == "yes" || value == "on" || value == "1";
  }
  return bare;
}

}  // namespace

Result<std::optional<std::string>> repository_root(FileSystem& files, const std::string& location) {
  for (std::string directory = location;; directory = parent_directory(directory)) {
    PIMEMORY_ASSIGN(const FileInfo info, files.info(join_path(directory, ".git")));
    if (info.type != FileType::missing) return directory;
    if (directory == "/") return std::nullopt;
  }
}

Result<LinkedWorktree> read_linked_worktree(FileSystem& files, const std::string& root) {
  const std::string link = join_path(root, ".git");
  PIMEMORY_ASSIGN(const FileInfo entry, files.info(link));
  if (entry.type == FileType::directory) return unavailable(root + " is a main checkout, not a linked worktree");
  PIMEMORY_ASSIGN(const std::string git_directory, named_git_directory(files, root));

  const std::string common_file = join_path(git_directory, "commondir");
  PIMEMORY_ASSIGN(const FileInfo common_info, files.info(common_file));
  if (common_info.type == FileType::missing)
    return unavailable(git_directory + " has no commondir: " + root + " is a submodule or a main checkout");
  PIMEMORY_ASSIGN(std::string common_text, read_own_file(files, common_file, kMaxPointerFileBytes));
  PIMEMORY_ASSIGN(const std::string common_path, named_path(std::move(common_text), "", git_directory, common_file));
  PIMEMORY_ASSIGN(const std::string common, real_directory(files, common_path, common_file));

  // A worktree could bring its own git directory that claims any repository; a real one lies inside the repository.
  if (parent_directory(git_directory) != join_path(common, "worktrees"))
    return unavailable(git_directory + " is no worktree entry of " + common);

  const std::string back_file = join_path(git_directory, "gitdir");
  PIMEMORY_ASSIGN(std::string back_text, read_own_file(files, back_file, kMaxPointerFileBytes));
  PIMEMORY_ASSIGN(const std::string back, named_path(std::move(back_text), "", git_directory, back_file));
  const auto real_back = files.real_path(back);
  if (!real_back || *real_back != link) return unavailable(back_file + " does not lead back to " + root);
  return LinkedWorktree{root, common};
}

std::optional<std::string> git_directory_of(FileSystem& files, const std::string& root) {
  const std::string entry = join_path(root, ".git");
  const auto info = files.info(entry);
  if (!info) return std::nullopt;
  if (info->type == FileType::directory) {
    const auto real = files.real_path(entry);
    return real ? std::optional(*real) : std::nullopt;
  }
  const auto named = named_git_directory(files, root);
  return named ? std::optional(*named) : std::nullopt;
}

bool is_bare_repository(FileSystem& files, const std::string& common_directory) {
  std::optional<bool> bare;
  // With extensions.worktreeConfig git moves the setting to the second file.
  for (const char* name : {"config", "config.worktree"}) {
    const auto content = read_own_file(files, join_path(common_directory, name), kMaxConfigBytes);
    if (!content) continue;
    if (const auto setting = bare_setting(*content)) bare = setting;
  }
  return bare.value_or(false);
}

}  // namespace pimemory
