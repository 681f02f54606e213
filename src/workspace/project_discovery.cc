// A directory named like a project proves nothing, so directories are not listed.
#include "workspace/project_discovery.h"

#include <set>

#include "storage/authority.h"
#include "workspace/legacy_identity.h"
#include "workspace/registry.h"

namespace pimemory {

Result<DiscoveredProjects> discover_projects(Env& env, const std::string& home) {
  PIMEMORY_ASSIGN(const Registry registry, read_registry(env, home));
  std::set<std::string> ids;
  for (const RegistryRow& row : registry.rows) ids.insert(row.binding.project_id);
  for (const LegacyRow& row : read_legacy_index(env.files, home)) ids.insert(row.project_id);
  DiscoveredProjects found;
  for (const std::string& id : ids) {
    const auto info = env.files.info(authority_root(home, id) + "/memory.sqlite");
    const bool present = info && info->type == FileType::regular;
    (present ? found.with_database : found.incomplete).push_back(id);
  }
  return found;
}

}  // namespace pimemory
