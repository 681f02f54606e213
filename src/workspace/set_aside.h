// Making room for a new store where another program's store lies: its folder is renamed, nothing in it is touched.
#pragma once

#include <string>

#include "base/env.h"
#include "base/result.h"

namespace pimemory {

struct SetAside {
  std::string path;     // where the folder is now
  bool durable = true;  // false: renamed, but the directory could not be synced
};

// Renames <home>/<project>/memory to memory.foreign-<UTC stamp> when its database is foreign. `invalid`, naming what
// was found, for a store of ours in any state and for a missing one; `unsafe_path` for links. Call under the registry
// lock.
Result<SetAside> set_aside_foreign_store(Env& env, const std::string& home, const std::string& project_id);

}  // namespace pimemory
