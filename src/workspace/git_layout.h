// What the files of a git checkout say about it: where its root is, and which repository a linked worktree is part of.
// git itself is never run.
#pragma once

#include <optional>
#include <string>

#include "base/file_system.h"
#include "base/result.h"

namespace pimemory {

// The nearest directory from `location` (canonical) upwards with an entry `.git` of any type; nullopt outside one.
Result<std::optional<std::string>> repository_root(FileSystem& files, const std::string& location);

struct LinkedWorktree {
  std::string root;              // canonical
  std::string common_directory;  // canonical git directory that all worktrees of the repository share
};

// Reads `<root>/.git`, `commondir` and `gitdir` as regular files of the user's own. `join_unavailable` names the step
// that shows that `root` is no linked worktree: a main checkout, a submodule, a file that does not lead back.
Result<LinkedWorktree> read_linked_worktree(FileSystem& files, const std::string& root);

// The canonical git directory of the main checkout at `root`: `<root>/.git` itself, or what a file of that name names.
// nullopt when there is none or it cannot be read as such.
std::optional<std::string> git_directory_of(FileSystem& files, const std::string& root);

// True when the repository's own configuration says that it has no main worktree.
bool is_bare_repository(FileSystem& files, const std::string& common_directory);

}  // namespace pimemory
