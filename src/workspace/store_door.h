// The one door from a binding to its store: guarded paths and the real home.
#pragma once

#include <memory>
#include <string>

#include "base/env.h"
#include "base/result.h"
#include "storage/authority.h"

namespace pimemory {

// The real path of `home`, which alone may be a link (SQLite follows none); `home` itself while it is missing.
Result<std::string> real_home(FileSystem& files, const std::string& home);

// open_authority between two looks of the exclusive database guard.
Result<std::unique_ptr<Authority>> open_store(Env& env, OpenOptions options);

}  // namespace pimemory
