// The walk of a user's folder: which files are offered as documents, and why each of the others is not.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/env.h"
#include "base/result.h"
#include "engine/memory_engine.h"

namespace pimemory {

inline constexpr std::size_t kIndexedFileBytesMax = 1'000'000;

struct WalkedFile {
  std::string path;         // absolute
  std::string external_id;  // relative to the checkout, outside it the absolute path
  std::string text;         // UTF-8, not blank, at most 1,000,000 bytes
};

// The id of a file or folder. Both are real paths; an empty checkout contains nothing.
std::string external_id_of(const std::string& path, const std::string& checkout);

// Counts a path that is left out; reasons that concern single files also keep their first 16 paths.
void count_skipped(IndexResult& result, const std::string& reason, const std::string& external_id);

struct WalkOutcome {
  bool has_gap = false;  // something could not be read, or the walk stopped early
  bool reached_limit = false;
};

// Visits in byte order of the paths; `folder` is a real path. A visitor's error ends the walk.
Result<WalkOutcome> walk_folder(Env& env, const std::string& folder, const std::string& checkout, IndexResult& result,
                                const std::function<Status(WalkedFile)>& visit);

}  // namespace pimemory
