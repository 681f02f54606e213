// The shim forwards every method to the default VFS and consults the plan before the calls that change the disk.
#include "storage/fault_vfs.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <map>

namespace pimemory {
namespace {

constexpr char kName[] = "pimemory-fault";

// What a change replaced: bytes at an offset and the file's size before it.
struct Undo {
  std::int64_t offset;
  std::string former;
  std::int64_t former_size;
};

struct Plan {
  std::int64_t calls = 0;
  std::int64_t nth = 0;
  VfsFault fault = VfsFault::none;
  bool fired = false;
  bool tracking = false;
  std::map<std::string, std::vector<Undo>> unsynced;  // path → changes, oldest first
};

Plan& plan() {
  static Plan instance;
  return instance;
}

struct ShimFile {
  sqlite3_file base;
  const char* path;
  sqlite3_file* real;
};

sqlite3_file* real_of(sqlite3_file* file) { return reinterpret_cast<ShimFile*>(file)->real; }
const char* path_of(sqlite3_file* file) { return reinterpret_cast<ShimFile*>(file)->path; }

VfsFault next_fault() {
  Plan& p = plan();
  ++p.calls;
  if (p.nth == 0 || p.calls != p.nth) return VfsFault::none;
  p.fired = true;
  if (p.fault == VfsFault::power_cut) (void)FaultVfs::drop_unsynced();
  if (p.fault == VfsFault::kill || p.fault == VfsFault::power_cut) raise(SIGKILL);
  return p.fault;
}

int error_code(VfsFault fault, int io_code) { return fault == VfsFault::disk_full ? SQLITE_FULL : io_code; }

void remember(sqlite3_file* file, std::int64_t offset, std::int64_t bytes) {
  Plan& p = plan();
  if (!p.tracking || !path_of(file)) return;
  sqlite3_int64 size = 0;
  real_of(file)->pMethods->xFileSize(real_of(file), &size);
  Undo undo{offset, {}, size};
  const std::int64_t present = std::max<std::int64_t>(0, std::min<std::int64_t>(bytes, size - offset));
  if (present > 0) {
    undo.former.resize(static_cast<std::size_t>(present));
    real_of(file)->pMethods->xRead(real_of(file), undo.former.data(), static_cast<int>(present), offset);
  }
  p.unsynced[path_of(file)].push_back(std::move(undo));
}

int shim_close(sqlite3_file* file) {
  const int code = real_of(file)->pMethods->xClose(real_of(file));
  file->pMethods = nullptr;
  return code;
}
int shim_read(sqlite3_file* f, void* to, int n, sqlite3_int64 at) {
  return real_of(f)->pMethods->xRead(real_of(f), to, n, at);
}
int shim_write(sqlite3_file* f, const void* from, int n, sqlite3_int64 at) {
  const VfsFault fault = next_fault();
  if (fault != VfsFault::none && fault != VfsFault::short_write) return error_code(fault, SQLITE_IOERR_WRITE);
  remember(f, at, n);
  if (fault == VfsFault::short_write) {
    real_of(f)->pMethods->xWrite(real_of(f), from, n / 2, at);
    return SQLITE_FULL;
  }
  return real_of(f)->pMethods->xWrite(real_of(f), from, n, at);
}
int shim_truncate(sqlite3_file* f, sqlite3_int64 size) {
  if (const VfsFault fault = next_fault(); fault != VfsFault::none) return error_code(fault, SQLITE_IOERR_TRUNCATE);
  sqlite3_int64 present = 0;
  real_of(f)->pMethods->xFileSize(real_of(f), &present);
  if (present > size) remember(f, size, present - size);
  return real_of(f)->pMethods->xTruncate(real_of(f), size);
}
int shim_sync(sqlite3_file* f, int flags) {
  if (const VfsFault fault = next_fault(); fault != VfsFault::none) return error_code(fault, SQLITE_IOERR_FSYNC);
  if (path_of(f)) plan().unsynced.erase(path_of(f));
  return real_of(f)->pMethods->xSync(real_of(f), flags);
}
int shim_size(sqlite3_file* f, sqlite3_int64* size) { return real_of(f)->pMethods->xFileSize(real_of(f), size); }
int shim_lock(sqlite3_file* f, int level) { return real_of(f)->pMethods->xLock(real_of(f), level); }
int shim_unlock(sqlite3_file* f, int level) { return real_of(f)->pMethods->xUnlock(real_of(f), level); }
int shim_check_lock(sqlite3_file* f, int* out) { return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out); }
int shim_control(sqlite3_file* f, int op, void* arg) { return real_of(f)->pMethods->xFileControl(real_of(f), op, arg); }
int shim_sector(sqlite3_file* f) { return real_of(f)->pMethods->xSectorSize(real_of(f)); }
int shim_device(sqlite3_file* f) { return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f)); }
int shim_shm_map(sqlite3_file* f, int page, int size, int extend, void volatile** out) {
  return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, out);
}
int shim_shm_lock(sqlite3_file* f, int at, int n, int flags) {
  return real_of(f)->pMethods->xShmLock(real_of(f), at, n, flags);
}
void shim_shm_barrier(sqlite3_file* f) { real_of(f)->pMethods->xShmBarrier(real_of(f)); }
int shim_shm_unmap(sqlite3_file* f, int remove) { return real_of(f)->pMethods->xShmUnmap(real_of(f), remove); }

const sqlite3_io_methods kMethods = {
    2,           shim_close,   shim_read,     shim_write,       shim_truncate,  shim_sync,
    shim_size,   shim_lock,    shim_unlock,   shim_check_lock,  shim_control,   shim_sector,
    shim_device, shim_shm_map, shim_shm_lock, shim_shm_barrier, shim_shm_unmap, nullptr,
    nullptr};

sqlite3_vfs* real_vfs(sqlite3_vfs* vfs) { return static_cast<sqlite3_vfs*>(vfs->pAppData); }

int vfs_open(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  auto* shim = reinterpret_cast<ShimFile*>(file);
  shim->base.pMethods = nullptr;
  shim->path = path;  // SQLite keeps the name alive until the file is closed
  shim->real = reinterpret_cast<sqlite3_file*>(shim + 1);
  shim->real->pMethods = nullptr;
  const int code = real_vfs(vfs)->xOpen(real_vfs(vfs), path, shim->real, flags, out_flags);
  if (shim->real->pMethods) shim->base.pMethods = &kMethods;
  return code;
}
int vfs_delete(sqlite3_vfs* vfs, const char* path, int sync_directory) {
  if (const VfsFault fault = next_fault(); fault != VfsFault::none) return error_code(fault, SQLITE_IOERR_DELETE);
  plan().unsynced.erase(path);
  return real_vfs(vfs)->xDelete(real_vfs(vfs), path, sync_directory);
}
int vfs_access(sqlite3_vfs* vfs, const char* path, int flags, int* out) {
  return real_vfs(vfs)->xAccess(real_vfs(vfs), path, flags, out);
}
int vfs_full_path(sqlite3_vfs* vfs, const char* path, int n, char* out) {
  return real_vfs(vfs)->xFullPathname(real_vfs(vfs), path, n, out);
}
int vfs_randomness(sqlite3_vfs* vfs, int n, char* out) { return real_vfs(vfs)->xRandomness(real_vfs(vfs), n, out); }
int vfs_sleep(sqlite3_vfs* vfs, int us) { return real_vfs(vfs)->xSleep(real_vfs(vfs), us); }
int vfs_time(sqlite3_vfs* vfs, double* out) { return real_vfs(vfs)->xCurrentTime(real_vfs(vfs), out); }
int vfs_last_error(sqlite3_vfs* vfs, int n, char* out) { return real_vfs(vfs)->xGetLastError(real_vfs(vfs), n, out); }
int vfs_time64(sqlite3_vfs* vfs, sqlite3_int64* out) { return real_vfs(vfs)->xCurrentTimeInt64(real_vfs(vfs), out); }

Status undo_file(const std::string& path, const std::vector<Undo>& changes) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return {};  // removed meanwhile: nothing of it is left to forget
  bool ok = true;
  for (auto undo = changes.rbegin(); undo != changes.rend(); ++undo) {
    if (!undo->former.empty())
      ok &= pwrite(fd, undo->former.data(), undo->former.size(), undo->offset) ==
            static_cast<ssize_t>(undo->former.size());
    ok &= ftruncate(fd, undo->former_size) == 0;
  }
  close(fd);
  if (!ok) return fail(ErrorCode::io, "cannot put back the unsynced bytes of " + path);
  return {};
}

}  // namespace

const char* FaultVfs::name() {
  static sqlite3_vfs shim{};
  if (shim.zName) return kName;
  sqlite3_initialize();
  sqlite3_vfs* real = sqlite3_vfs_find(nullptr);
  shim.iVersion = 2;
  shim.szOsFile = static_cast<int>(sizeof(ShimFile)) + real->szOsFile;
  shim.mxPathname = real->mxPathname;
  shim.zName = kName;
  shim.pAppData = real;
  shim.xOpen = vfs_open;
  shim.xDelete = vfs_delete;
  shim.xAccess = vfs_access;
  shim.xFullPathname = vfs_full_path;
  shim.xRandomness = vfs_randomness;
  shim.xSleep = vfs_sleep;
  shim.xCurrentTime = vfs_time;
  shim.xGetLastError = vfs_last_error;
  shim.xCurrentTimeInt64 = vfs_time64;
  sqlite3_vfs_register(&shim, 0);
  return kName;
}

void FaultVfs::fail_at(std::int64_t nth, VfsFault fault) {
  plan().calls = 0;
  plan().nth = nth;
  plan().fault = fault;
  plan().fired = false;
}

std::int64_t FaultVfs::calls() { return plan().calls; }
bool FaultVfs::fired() { return plan().fired; }

void FaultVfs::start_tracking() {
  plan().unsynced.clear();
  plan().tracking = true;
}

void FaultVfs::stop_tracking() {
  plan().tracking = false;
  plan().unsynced.clear();
}

Status FaultVfs::drop_unsynced() {
  for (const auto& [path, changes] : plan().unsynced) PIMEMORY_TRY(undo_file(path, changes));
  stop_tracking();
  return {};
}

}  // namespace pimemory
