// Files that belong to one user: what makes a path safe to use, and replacing a file whole or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/env.h"
#include "base/mutation.h"
#include "base/result.h"

namespace pimemory {

inline constexpr std::uint32_t kPrivateDirectoryMode = 0700;
inline constexpr std::uint32_t kPrivateFileMode = 0600;
inline constexpr std::string_view kStagingInfix = ".tmp-";  // <path>.tmp-<32 hex>
inline constexpr std::size_t kStagingSuffixBytes = 16;

// `path` is a real directory of the current user, itself no symbolic link; else `unsafe_path` naming the path and why,
// and `io` when nothing is there. true: its mode let other users in; with `tighten` it is 0700 now.
Result<bool> check_private_directory(FileSystem& files, const std::string& path, bool tighten);

// The same for a regular file with link count 1 and mode 0600.
Result<bool> check_private_file(FileSystem& files, const std::string& path, bool tighten);

// Creates every missing directory from `root` or above down to `path` (at or beneath `root`, both absolute and
// normalised) with mode 0700, and syncs the parent of each. Existing ones keep owner and mode; links are allowed for
// `root` and above it only, `unsafe_path` otherwise. Several creators at once all succeed.
Status make_private_directories(FileSystem& files, const std::string& root, const std::string& path);

// Puts `content` in place of the file `path`, whole or not at all: staged beside it, synced, read back, renamed over
// it. The caller holds the lock that orders writers. A failure before the rename leaves the old file and no staging
// file; a crash may leave a staging file. true: durable; false: replaced, but the directory could not be synced.
// `point` names the two fsyncs for the mutation check: "<point>_file" and "<point>_directory".
Result<bool> replace_file(Env& env, const std::string& path, std::string_view content, std::string_view point);

// Removes what crashed replacements of `path` left. Call under the writers' lock.
Status remove_orphaned_staging(FileSystem& files, const std::string& path);

}  // namespace pimemory
