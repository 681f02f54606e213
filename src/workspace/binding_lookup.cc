// Outside a repository there is no root to stop at, so only the directory itself counts there.
#include "workspace/binding_lookup.h"

#include "workspace/git_layout.h"
#include "workspace/location.h"

namespace pimemory {

Result<const RegistryRow*> nearest_binding(FileSystem& files, const Registry& registry, const std::string& location) {
  PIMEMORY_ASSIGN(const std::optional<std::string> root, repository_root(files, location));
  const std::string& last = root ? *root : location;
  for (std::string directory = location;; directory = parent_directory(directory)) {
    if (const RegistryRow* row = registry.find(directory)) return row;
    if (directory == last) return nullptr;
  }
}

}  // namespace pimemory
