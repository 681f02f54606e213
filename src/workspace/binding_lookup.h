// Which binding serves a directory: the nearest bound one, never beyond the repository's root.
#pragma once

#include <string>

#include "base/file_system.h"
#include "base/result.h"
#include "workspace/registry.h"

namespace pimemory {

// `location` is canonical. The row lives as long as `registry`; null when unbound. Linked worktrees and submodules are
// roots of their own and inherit nothing.
Result<const RegistryRow*> nearest_binding(FileSystem& files, const Registry& registry, const std::string& location);

}  // namespace pimemory
