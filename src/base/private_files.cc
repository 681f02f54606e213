// Owner, type and mode come from one lstat, so a link is judged as a link and never by what it points at.
#include "base/private_files.h"

#include <unistd.h>

#include <array>
#include <memory>
#include <vector>

#include "base/sha256.h"

namespace pimemory {
namespace {

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

std::unexpected<Error> unsafe(const std::string& path, const std::string& why, const std::string& hint) {
  return fail(ErrorCode::unsafe_path, path + " " + why, hint);
}

// The checks that files and directories share; the caller has looked at the type's own ones.
Result<bool> check_owned(FileSystem& files, const std::string& path, const FileInfo& info, std::uint32_t mode,
                         bool tighten) {
  if (info.owner != geteuid())
    return unsafe(path, "belongs to user " + std::to_string(info.owner) + ", not to you",
                  "give it to your user with chown, or move it away");
  // A narrower mode is not ours to judge: only what goes beyond ours counts.
  if ((info.mode & ~mode & 07777) == 0) return false;
  if (tighten) PIMEMORY_TRY(files.set_mode(path, mode));
  return true;
}

bool is_beneath(const std::string& root, const std::string& path) {
  if (path == root || root == "/") return true;
  return path.size() > root.size() && path.starts_with(root) && path[root.size()] == '/';
}

// A directory that another creator makes at the same moment is as good as ours.
Status create_one_directory(FileSystem& files, const std::string& path) {
  if (const Status created = files.create_directory(path); !created) {
    PIMEMORY_ASSIGN(const FileInfo now, files.info(path));
    if (now.type != FileType::directory) return created;
  }
  return files.sync_directory(parent_of(path));
}

Status write_staging(FileSystem& files, File& staged, const std::string& staging, std::string_view content,
                     std::string_view point) {
  PIMEMORY_TRY(staged.write_all(content));
  if (!fsync_removed(point, "_file")) PIMEMORY_TRY(staged.sync());
  // Read through a second descriptor, as the next reader will.
  PIMEMORY_ASSIGN(const std::unique_ptr<File> reader, files.open(staging, OpenMode::read));
  PIMEMORY_ASSIGN(const std::string found, reader->read_all(content.size()));
  if (found != content) return fail(ErrorCode::io, staging + " does not read back as written");
  return {};
}

}  // namespace

Result<bool> check_private_directory(FileSystem& files, const std::string& path, bool tighten) {
  PIMEMORY_ASSIGN(const FileInfo info, files.info(path));
  if (info.type == FileType::missing) return fail(ErrorCode::io, "the directory " + path + " does not exist");
  if (info.type == FileType::symlink)
    return unsafe(path, "is a symbolic link", "replace it with a real directory, or move it away");
  if (info.type != FileType::directory) return unsafe(path, "is not a directory", "move it away");
  return check_owned(files, path, info, kPrivateDirectoryMode, tighten);
}

Result<bool> check_private_file(FileSystem& files, const std::string& path, bool tighten) {
  PIMEMORY_ASSIGN(const FileInfo info, files.info(path));
  if (info.type == FileType::missing) return fail(ErrorCode::io, "the file " + path + " does not exist");
  if (info.type == FileType::symlink)
    return unsafe(path, "is a symbolic link", "replace it with a real file, or move it away");
  if (info.type != FileType::regular) return unsafe(path, "is not a regular file", "move it away");
  if (info.links != 1)
    return unsafe(path, "has " + std::to_string(info.links) + " hard links", "remove the other names of the file");
  return check_owned(files, path, info, kPrivateFileMode, tighten);
}

Status make_private_directories(FileSystem& files, const std::string& root, const std::string& path) {
  if (!root.starts_with('/') || !is_beneath(root, path))
    return fail(ErrorCode::internal_error, path + " is not beneath " + root);
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string directory = path.substr(0, end);
    PIMEMORY_ASSIGN(const FileInfo info, files.info(directory));
    const bool above_or_root = is_beneath(directory, root);
    if (info.type == FileType::missing) {
      PIMEMORY_TRY(create_one_directory(files, directory));
    } else if (info.type == FileType::symlink && !above_or_root) {
      return unsafe(directory, "is a symbolic link", "replace it with a real directory, or move it away");
    } else if (info.type != FileType::directory && info.type != FileType::symlink) {
      return unsafe(directory, "is not a directory", "move it away");
    }
    if (end == std::string::npos) return {};
  }
}

Result<bool> replace_file(Env& env, const std::string& path, std::string_view content, std::string_view point) {
  std::array<unsigned char, kStagingSuffixBytes> suffix{};
  env.random.fill(suffix);
  const std::string staging = path + std::string(kStagingInfix) + to_hex(suffix);
  PIMEMORY_ASSIGN(std::unique_ptr<File> staged, env.files.open(staging, OpenMode::create_exclusive));
  Status done = write_staging(env.files, *staged, staging, content, point);
  staged.reset();
  if (done) done = env.files.rename(staging, path);
  if (!done) {
    (void)env.files.unlink(staging);  // the first failure is the one to report
    return std::unexpected(done.error());
  }
  if (fsync_removed(point, "_directory")) return true;
  return env.files.sync_directory(parent_of(path)).has_value();
}

Status remove_orphaned_staging(FileSystem& files, const std::string& path) {
  const std::string directory = parent_of(path);
  const std::string prefix = path.substr(path.rfind('/') + 1) + std::string(kStagingInfix);
  PIMEMORY_ASSIGN(const std::vector<std::string> names, files.list(directory));
  for (const std::string& name : names) {
    if (!name.starts_with(prefix) || !is_lower_hex(name.substr(prefix.size()), 2 * kStagingSuffixBytes)) continue;
    PIMEMORY_TRY(files.unlink((directory == "/" ? "" : directory) + "/" + name));
  }
  return {};
}

}  // namespace pimemory
