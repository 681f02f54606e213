// Which project a linked worktree may share: found from the registry and the repository's own files, never by guess.
#pragma once

#include <string>

#include "base/file_system.h"
#include "base/result.h"
#include "workspace/registry.h"

namespace pimemory {

struct JoinTarget {
  std::string location;  // the main worktree, or another bound worktree of a bare repository
  std::string project_id;
};

// `join_unavailable` names the step that failed. Writes nothing. `root` is canonical; its own binding is ignored.
Result<JoinTarget> find_join_target(FileSystem& files, const Registry& registry, const std::string& root);

}  // namespace pimemory
