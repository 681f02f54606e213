// The mutation check: a build that leaves one fsync out must fail the power-cut tests, which proves that they bite.
#pragma once

#include <string_view>

namespace pimemory {

// `-DPIMEMORY_REMOVE_FSYNC='"registry_file"'` names the one fsync that this build leaves out.
#ifdef PIMEMORY_REMOVE_FSYNC
inline constexpr std::string_view kRemovedFsync = PIMEMORY_REMOVE_FSYNC;
#else
inline constexpr std::string_view kRemovedFsync = {};
#endif

// True when this build leaves out the fsync named `point` followed by `part` ("registry" and "_file").
constexpr bool fsync_removed(std::string_view point, std::string_view part = {}) {
  return !kRemovedFsync.empty() && kRemovedFsync.size() == point.size() + part.size() &&
         kRemovedFsync.starts_with(point) && kRemovedFsync.ends_with(part);
}

}  // namespace pimemory
