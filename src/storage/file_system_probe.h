// The probe of a file system before a store is created on it: do locks and shared memory reach a second process?
#pragma once

#include <string>

#include "base/env.h"
#include "base/result.h"

namespace pimemory {

// `directory` exists. Leaves nothing behind. `unsupported_filesystem` names the type and the failed part.
Status probe_file_system(Env& env, const std::string& directory);

}  // namespace pimemory
