// The main worktree's project is taken; a bare repository has no main worktree, so there the others must agree.
#include "workspace/worktree_join.h"

#include <algorithm>
#include <set>
#include <vector>

#include "workspace/git_layout.h"

namespace pimemory {
namespace {

std::unexpected<Error> unavailable(const std::string& why) { return fail(ErrorCode::join_unavailable, why); }

// The first by location, when all of them share one project.
Result<JoinTarget> only_project(std::vector<JoinTarget> candidates, const std::string& what) {
  std::sort(candidates.begin(), candidates.end(),
            [](const JoinTarget& left, const JoinTarget& right) { return left.location < right.location; });
  std::set<std::string> projects;
  for (const JoinTarget& candidate : candidates) projects.insert(candidate.project_id);
  if (projects.size() > 1) return unavailable(what + " belong to " + std::to_string(projects.size()) + " projects");
  return candidates.front();
}

}  // namespace

Result<JoinTarget> find_join_target(FileSystem& files, const Registry& registry, const std::string& root) {
  PIMEMORY_ASSIGN(const LinkedWorktree worktree, read_linked_worktree(files, root));
  const std::string& common = worktree.common_directory;
  std::vector<JoinTarget> mains, others;
  for (const RegistryRow& row : registry.rows) {
    const Binding& binding = row.binding;
    if (binding.location == root) continue;
    const JoinTarget target{binding.location, binding.project_id};
    if (git_directory_of(files, binding.location) == common) {
      mains.push_back(target);
    } else if (const auto other = read_linked_worktree(files, binding.location);
               other && other->common_directory == common) {
      others.push_back(target);
    }
  }
  if (!mains.empty()) return only_project(std::move(mains), "the main worktrees of " + common);
  if (!is_bare_repository(files, common)) return unavailable("the main worktree of " + common + " is not bound");
  if (others.empty()) return unavailable("no other worktree of the bare repository " + common + " is bound");
  return only_project(std::move(others), "the bound worktrees of " + common);
}

}  // namespace pimemory
