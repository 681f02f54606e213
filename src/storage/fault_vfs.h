// A SQLite VFS shim for tests: it counts, fails, shortens, kills at, or forgets any write, sync, truncate or delete
// that SQLite makes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace pimemory {

enum class VfsCall { write, sync, truncate, remove };
// power_cut forgets everything unsynced, then kills the process; it needs start_tracking().
enum class VfsFault { none, io_error, disk_full, short_write, kill, power_cut };

// Process-wide plan: one test at a time drives it. Not thread-safe.
class FaultVfs {
 public:
  // Registers the shim once under this name, over SQLite's default VFS; pass it as Env::sqlite_vfs.
  static const char* name();

  // The nth call from now (1-based) meets the fault; 0 clears the plan. Restarts the count.
  static void fail_at(std::int64_t nth, VfsFault fault);
  static std::int64_t calls();
  static bool fired();

  // From now on, remember what each write and truncate replaced until a sync covers it.
  static void start_tracking();
  // A power cut: puts back everything that no sync has covered. All connections must be closed or abandoned.
  static Status drop_unsynced();
  static void stop_tracking();
};

}  // namespace pimemory
