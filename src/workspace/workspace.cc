// Finding and opening what init has bound. Nothing here creates anything.
#include "workspace/workspace.h"

#include "workspace/binding_lookup.h"
#include "workspace/git_layout.h"
#include "workspace/legacy_identity.h"
#include "workspace/location.h"
#include "workspace/registry.h"
#include "workspace/store_door.h"
#include "workspace/worktree_join.h"

namespace pimemory {
namespace {

constexpr char kStatusSession[] = "pi-memory-status";

void set_fault(WorkspaceStatus& status, const Error& error) {
  status.state = error.code == ErrorCode::project_incomplete ? "incomplete" : "error";
  status.hint = error.hint;
  status.fault = error;
}

// The target that a plain init would choose; what it could adopt or join is reported for it.
void describe_unbound(Env& env, const std::string& home, const Registry& registry, const std::string& target,
                      WorkspaceStatus& status) {
  const LegacyIdentity legacy = find_legacy_identity(env.files, target, read_legacy_index(env.files, home));
  status.legacy = legacy.state;
  if (legacy.project_id) status.legacy = {"available", std::nullopt};
  status.state = "unbound";
  status.hint = make_error(ErrorCode::project_not_initialized, "").hint;
  if (const auto join = find_join_target(env.files, registry, target)) status.joinable = join->location;
  if (status.joinable)
    status.hint = "run `pi-memory init --join` to share the memory of " + *status.joinable + ", or plain `init`";
}

void describe_bound(Env& env, const std::string& home, const Registry& registry, const Binding& binding,
                    WorkspaceStatus& status) {
  status.initialized = true;
  status.binding = binding;
  if (binding.source == "legacy")
    status.legacy = {"adopted", std::nullopt};
  else
    status.legacy = {"skipped", "the checkout is bound already"};
  if (binding.source != "joined") {
    if (const auto join = find_join_target(env.files, registry, binding.location)) status.joinable = join->location;
  }
  const auto opened = open_store(env, {home, binding.project_id, kStatusSession, OpenIntent::read, Layout::automatic});
  if (!opened) return set_fault(status, opened.error());
  status.ready = true;
  status.state = "ready";
}

}  // namespace

Result<std::optional<Binding>> Workspace::find_binding(const std::string& working_directory) {
  PIMEMORY_ASSIGN(const std::string location, canonical_location(env_.files, "/", working_directory));
  PIMEMORY_ASSIGN(const Registry registry, read_registry(env_, home_));
  PIMEMORY_ASSIGN(const RegistryRow* row, nearest_binding(env_.files, registry, location));
  if (!row) return std::nullopt;
  return row->binding;
}

Result<WorkspaceStatus> Workspace::status(const std::string& working_directory) {
  PIMEMORY_ASSIGN(const std::string location, canonical_location(env_.files, "/", working_directory));
  WorkspaceStatus status;
  status.legacy.state = "none";
  const auto registry = read_registry(env_, home_);
  if (!registry) {
    set_fault(status, registry.error());
    return status;
  }
  PIMEMORY_ASSIGN(const RegistryRow* row, nearest_binding(env_.files, *registry, location));
  if (row) {
    describe_bound(env_, home_, *registry, row->binding, status);
  } else {
    PIMEMORY_ASSIGN(const std::optional<std::string> root, repository_root(env_.files, location));
    describe_unbound(env_, home_, *registry, root.value_or(location), status);
  }
  return status;
}

Result<std::unique_ptr<Authority>> Workspace::open(const std::string& working_directory, const std::string& session_id,
                                                   OpenIntent intent) {
  PIMEMORY_ASSIGN(const std::optional<Binding> binding, find_binding(working_directory));
  if (!binding)
    return fail(ErrorCode::project_not_initialized, working_directory + " belongs to no initialized project");
  if (intent == OpenIntent::create) return fail(ErrorCode::internal_error, "only init creates a store");
  return open_store(env_, {home_, binding->project_id, session_id, intent, Layout::automatic});
}

}  // namespace pimemory
