// Where a checkout is and what follows from it: the canonical spelling of a location and the ids derived from it.
#pragma once

#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/result.h"

namespace pimemory {

// The real path of the directory `path` (relative ones are taken from `base`, an absolute path), as the file system
// spells it. `location_invalid` when there is no such directory or its path is not UTF-8.
Result<std::string> canonical_location(FileSystem& files, const std::string& base, const std::string& path);

// Absolute, valid UTF-8 without NUL, no empty, `.` or `..` segment, no slash at the end.
bool is_normalised_location(std::string_view location);

// `p_` and `co_` with the first 12 hexadecimal digits of SHA-256(location).
std::string derived_project_id(std::string_view location);
std::string derived_checkout_id(std::string_view location);

bool is_checkout_id(std::string_view id);  // ^co_[A-Za-z0-9_-]{1,125}$

// The directory above; "/" for "/" itself. `path` is absolute and normalised.
std::string parent_directory(const std::string& path);

// True when `path` is `root` or lies beneath it; both normalised.
bool lies_beneath(std::string_view root, std::string_view path);

// `name` in `directory`, also for the root directory.
std::string join_path(const std::string& directory, const std::string& name);

}  // namespace pimemory
