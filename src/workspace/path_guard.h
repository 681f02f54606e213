// The two guards that keep a project's files inside it, whatever links lie on the way.
#pragma once

#include <string>

#include "base/file_system.h"
#include "base/result.h"

namespace pimemory {

// `candidate` is at or beneath `root` as written, and so is the real path of its nearest existing ancestor beneath the
// real root; else `unsafe_path`. Both are absolute; neither needs to exist.
Status guard_project_path(FileSystem& files, const std::string& root, const std::string& candidate);

// `candidate` is exactly <home>/<project>/memory/memory.sqlite and really lies inside that project and home; else
// `unsafe_path`. Ask before an open, and again after it.
Status guard_exclusive_database(FileSystem& files, const std::string& home, const std::string& project_id,
                                const std::string& candidate);

}  // namespace pimemory
