// The file system port on POSIX calls: no link followed, nothing inherited by children, modes whatever the umask.
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/file_lock_wait.h"
#include "base/file_system.h"

#ifdef __APPLE__
#include <sys/mount.h>
#include <sys/param.h>
#else
#include <sys/vfs.h>
#endif

namespace pimemory {
namespace {

constexpr mode_t kFileMode = 0600;
constexpr mode_t kDirectoryMode = 0700;
constexpr mode_t kPermissionBits = 07777;
constexpr std::size_t kReadChunkBytes = 64 * 1024;

// Repeats `call` while a signal interrupts it; -1 with errno otherwise.
template <class Call>
auto retry(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

FileInfo to_info(const struct stat& status) {
  FileInfo info;
  info.type = S_ISREG(status.st_mode)   ? FileType::regular
              : S_ISDIR(status.st_mode) ? FileType::directory
              : S_ISLNK(status.st_mode) ? FileType::symlink
                                        : FileType::other;
  info.mode = status.st_mode & kPermissionBits;
  info.owner = status.st_uid;
  info.links = static_cast<std::uint64_t>(status.st_nlink);
  info.size = static_cast<std::uint64_t>(status.st_size);
  info.device = static_cast<std::uint64_t>(status.st_dev);
  info.inode = static_cast<std::uint64_t>(status.st_ino);
  return info;
}

int sync_descriptor(int fd) {
#ifdef __APPLE__
  // fsync leaves the data in the drive's cache there.
  return retry([&] { return fcntl(fd, F_FULLFSYNC); });
#else
  return retry([&] { return fsync(fd); });
#endif
}

int flock_operation(LockKind kind) { return kind == LockKind::shared ? LOCK_SH : LOCK_EX; }

class PosixFile final : public File {
 public:
  PosixFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  ~PosixFile() override { close(fd_); }
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  Status write_all(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = retry([&] { return write(fd_, bytes.data(), bytes.size()); });
      if (written < 0) return system_failure("write", path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }

  Status sync() override {
    if (sync_descriptor(fd_) < 0) return system_failure("sync", path_, errno);
    return {};
  }

  Status truncate(std::uint64_t size) override {
    if (retry([&] { return ftruncate(fd_, static_cast<off_t>(size)); }) < 0)
      return system_failure("truncate", path_, errno);
    return {};
  }

  Result<std::string> read_all(std::size_t limit_bytes) override {
    std::string content;
    for (;;) {
      // One byte over the limit tells a file at the limit from a longer one.
      const std::size_t done = content.size();
      const std::size_t wanted = std::min(kReadChunkBytes, limit_bytes - done) + (limit_bytes - done < kReadChunkBytes);
      content.resize(done + wanted);
      const ssize_t got = retry([&] { return pread(fd_, content.data() + done, wanted, static_cast<off_t>(done)); });
      if (got < 0) return system_failure("read", path_, errno);
      content.resize(done + static_cast<std::size_t>(got));
      if (got == 0) return content;
      if (content.size() > limit_bytes)
        return fail(ErrorCode::too_large, path_ + " is longer than " + std::to_string(limit_bytes) + " bytes");
    }
  }

  Result<FileInfo> info() override {
    struct stat status{};
    if (fstat(fd_, &status) != 0) return system_failure("inspect", path_, errno);
    return to_info(status);
  }

  Result<bool> try_lock(LockKind kind) override { return wait_for_flock(fd_, flock_operation(kind), 0, path_); }

  Result<bool> lock(LockKind kind, std::int64_t timeout_ms) override {
    return wait_for_flock(fd_, flock_operation(kind), timeout_ms, path_);
  }

  Status unlock() override {
    if (retry([&] { return flock(fd_, LOCK_UN); }) < 0) return system_failure("unlock", path_, errno);
    return {};
  }

 private:
  int fd_;
  std::string path_;
};

// Creates with mode 0600 under any umask; -1 with errno.
int create_file(const std::string& path, int flags) {
  const int fd = retry([&] { return open(path.c_str(), flags | O_CREAT | O_EXCL, kFileMode); });
  if (fd < 0) return fd;
  if (fchmod(fd, kFileMode) == 0) return fd;
  const int error = errno;
  close(fd);
  ::unlink(path.c_str());
  errno = error;
  return -1;
}

// Only a creation sets the mode, so opening and creating are two steps; another process may get in between them.
int open_or_create_file(const std::string& path, int flags) {
  constexpr int kAttempts = 16;
  int fd = -1;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    fd = retry([&] { return open(path.c_str(), flags); });
    if (fd >= 0 || errno != ENOENT) return fd;
    fd = create_file(path, flags);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return fd;
}

#ifndef __APPLE__
struct NamedMagic {
  std::uint32_t magic;
  const char* name;
};

constexpr std::array kFileSystemNames = {
    NamedMagic{0x0000EF53, "ext4"},   NamedMagic{0x58465342, "xfs"},      NamedMagic{0x9123683E, "btrfs"},
    NamedMagic{0x01021994, "tmpfs"},  NamedMagic{0x858458F6, "ramfs"},    NamedMagic{0x794C7630, "overlayfs"},
    NamedMagic{0x00006969, "nfs"},    NamedMagic{0x0000517B, "smb"},      NamedMagic{0xFE534D42, "smb2"},
    NamedMagic{0xFF534D42, "cifs"},   NamedMagic{0x01021997, "9p"},       NamedMagic{0x5346414F, "afs"},
    NamedMagic{0x6B414653, "afs"},    NamedMagic{0x65735546, "fuse"},     NamedMagic{0x2FC12FC1, "zfs"},
    NamedMagic{0xF2F52010, "f2fs"},   NamedMagic{0xCA451A4E, "bcachefs"}, NamedMagic{0x73717368, "squashfs"},
    NamedMagic{0x00004D44, "vfat"},   NamedMagic{0x2011BAB0, "exfat"},    NamedMagic{0x5346544E, "ntfs"},
    NamedMagic{0x7366746E, "ntfs3"},  NamedMagic{0x00C36400, "ceph"},     NamedMagic{0x0000F15F, "ecryptfs"},
    NamedMagic{0x01161970, "gfs2"},   NamedMagic{0x7461636F, "ocfs2"},    NamedMagic{0x786F4256, "vboxsf"},
    NamedMagic{0x0BD00BD0, "lustre"}, NamedMagic{0x73757245, "coda"},
};

std::string hex_magic(std::uint32_t magic) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[(magic >> shift) & 0xf];
  return text;
}
#endif

class PosixFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    // O_NONBLOCK: a FIFO put in our place must not hang us; it changes nothing for regular files.
    constexpr int kFlags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    int fd = -1;
    switch (mode) {
      case OpenMode::read:
        fd = retry([&] { return ::open(path.c_str(), O_RDONLY | kFlags); });
        break;
      case OpenMode::create_exclusive:
        fd = create_file(path, O_RDWR | kFlags);
        break;
      case OpenMode::open_or_create:
        fd = open_or_create_file(path, O_RDWR | kFlags);
        break;
      case OpenMode::append:
        fd = open_or_create_file(path, O_RDWR | O_APPEND | kFlags);
        break;
    }
    if (fd < 0) return system_failure(mode == OpenMode::create_exclusive ? "create" : "open", path, errno);
    return std::make_unique<PosixFile>(fd, path);
  }

  Result<FileInfo> info(const std::string& path) override {
    struct stat status{};
    if (lstat(path.c_str(), &status) == 0) return to_info(status);
    if (errno == ENOENT) return FileInfo{};
    return system_failure("inspect", path, errno);
  }

  Status create_directory(const std::string& path) override {
    if (mkdir(path.c_str(), kDirectoryMode) != 0) return system_failure("create the directory", path, errno);
    return set_mode(path, kDirectoryMode);  // the umask may have taken bits
  }

  Status set_mode(const std::string& path, std::uint32_t mode) override {
    if (fchmodat(AT_FDCWD, path.c_str(), static_cast<mode_t>(mode), AT_SYMLINK_NOFOLLOW) == 0) return {};
    const int error = errno;
    struct stat status{};
    const bool link = lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
    return system_failure("set the mode of", path, link ? ELOOP : error);
  }

  Status rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) return system_failure("rename", from + " to " + to, errno);
    return {};
  }

  Status unlink(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return system_failure("remove", path, errno);
    return {};
  }

  Status sync_directory(const std::string& path) override {
    // Following a link is harmless here, and the home itself may be one.
    const int fd = retry([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (fd < 0) return system_failure("open the directory", path, errno);
    const int error = sync_descriptor(fd) < 0 ? errno : 0;
    close(fd);
    if (error != 0) return system_failure("sync the directory", path, error);
    return {};
  }

  Result<std::vector<std::string>> list(const std::string& path) override {
    DIR* directory = opendir(path.c_str());
    if (directory == nullptr) return system_failure("list", path, errno);
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = readdir(directory)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
      errno = 0;
    }
    const int error = errno;
    closedir(directory);
    if (error != 0) return system_failure("list", path, error);
    std::ranges::sort(names);
    return names;
  }

  Result<std::string> real_path(const std::string& path) override {
    const std::unique_ptr<char, decltype(&std::free)> resolved(realpath(path.c_str(), nullptr), &std::free);
    if (!resolved) return system_failure("resolve", path, errno);
    return std::string(resolved.get());
  }

  Result<std::string> type_name(const std::string& path) override {
    struct statfs status{};
    if (retry([&] { return statfs(path.c_str(), &status); }) < 0)
      return system_failure("find the file system type of", path, errno);
#ifdef __APPLE__
    const std::string name = status.f_fstypename;
    if (name == "smbfs") return std::string("smb");
    if (name == "afpfs") return std::string("afp");
    return name;
#else
    const auto magic = static_cast<std::uint32_t>(status.f_type);
    for (const NamedMagic& known : kFileSystemNames)
      if (known.magic == magic) return std::string(known.name);
    return hex_magic(magic);
#endif
  }
};

}  // namespace

FileSystem& system_files() {
  static PosixFileSystem files;
  return files;
}

}  // namespace pimemory
