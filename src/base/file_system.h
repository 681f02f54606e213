// The file system port: every file operation outside SQLite goes through it, so that tests can fail, shorten or
// forget any one of them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pimemory {

enum class FileType { missing, regular, directory, symlink, other };

struct FileInfo {
  FileType type = FileType::missing;
  std::uint32_t mode = 0;  // permission bits only (07777)
  std::uint32_t owner = 0;
  std::uint64_t links = 0;
  std::uint64_t size = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

enum class LockKind { shared, exclusive };

// An open descriptor, close-on-exec, opened without following links. Closing releases its locks. Move-only through
// unique_ptr; one thread at a time.
class File {
 public:
  virtual ~File() = default;
  virtual Status write_all(std::string_view bytes) = 0;  // at the descriptor's position, which then moves on
  virtual Status sync() = 0;                             // fsync; F_FULLFSYNC on macOS
  virtual Status truncate(std::uint64_t size) = 0;
  virtual Result<std::string> read_all(std::size_t limit_bytes) = 0;  // from offset 0; longer is too_large
  virtual Result<FileInfo> info() = 0;
  // Kernel lock (flock). true: held now; false: another descriptor holds it. Never waits.
  virtual Result<bool> try_lock(LockKind kind) = 0;
  // Waits in the kernel's own queue (first come first served) for at most timeout_ms. false: not obtained.
  virtual Result<bool> lock(LockKind kind, std::int64_t timeout_ms) = 0;
  virtual Status unlock() = 0;
};

enum class OpenMode {
  read,              // existing file
  create_exclusive,  // must not exist; mode 0600, whatever the umask
  open_or_create,    // read and write; mode 0600 when created
  append,            // existing or new, writes at the end
};

// All paths are absolute. Errors carry the path and the system's reason: ENOSPC and EDQUOT give no_space, ELOOP gives
// unsafe_path, everything else io. Thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) = 0;
  virtual Result<FileInfo> info(const std::string& path) = 0;    // lstat; a missing file is FileType::missing
  virtual Status create_directory(const std::string& path) = 0;  // mode 0700; existing is an io error
  virtual Status set_mode(const std::string& path, std::uint32_t mode) = 0;
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  virtual Status unlink(const std::string& path) = 0;
  virtual Status sync_directory(const std::string& path) = 0;
  virtual Result<std::vector<std::string>> list(const std::string& path) = 0;  // names, sorted by bytes
  virtual Result<std::string> real_path(const std::string& path) = 0;
  virtual Result<std::string> type_name(const std::string& path) = 0;  // "ext4", "nfs", "9p", … or hex magic
};

FileSystem& system_files();

}  // namespace pimemory
