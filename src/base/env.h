// The bundle of ports that an operation runs on: what a test replaces to inject faults or to hold time still.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/process.h"
#include "base/random.h"

namespace pimemory {

// References must outlive every object made with the Env.
struct Env {
  Clock& clock;
  Random& random;
  FileSystem& files;
  ProcessRunner& processes;
  std::string sqlite_vfs;  // the registered SQLite VFS that stores are opened through; empty: SQLite's own
};

Env& system_env();

}  // namespace pimemory
