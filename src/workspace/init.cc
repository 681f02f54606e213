// Initialisation: the database is prepared first and the binding published last, so that a kill leaves none or both.
#include <utility>

#include "workspace/binding_lookup.h"
#include "workspace/git_layout.h"
#include "workspace/legacy_identity.h"
#include "workspace/location.h"
#include "workspace/registry.h"
#include "workspace/set_aside.h"
#include "workspace/store_door.h"
#include "workspace/workspace.h"
#include "workspace/worktree_join.h"

namespace pimemory {
namespace {

constexpr char kSession[] = "pi-memory-init";

// One run of init; the members are what its steps hand on.
class Initializer {
 public:
  Initializer(Env& env, const std::string& home, const std::string& working_directory, const InitOptions& options)
      : env_(env), home_(home), working_directory_(working_directory), options_(options) {}

  Result<InitResult> run();

 private:
  // The directory to bind. Under the lock its binding may have appeared since.
  Result<std::string> choose_target() const;
  Result<InitResult> use_binding(const Binding& binding, std::unique_ptr<File> lock);
  Result<InitResult> bind(const std::string& target);
  Result<Binding> choose_identity(const std::string& target);
  Status check_collision(const std::string& target, const std::string& id, const std::vector<LegacyRow>& index) const;
  Status set_aside(const std::string& project_id);
  Status prepare(const std::string& project_id, OpenIntent intent);
  void add_joinable(const std::string& target);
  void not_durable(const std::string& what);

  Env& env_;
  const std::string& home_;
  const std::string& working_directory_;
  const InitOptions& options_;
  Registry registry_;
  InitResult result_;
};

Result<std::string> Initializer::choose_target() const {
  PIMEMORY_ASSIGN(const std::string start,
                  canonical_location(env_.files, working_directory_, options_.path.value_or(working_directory_)));
  if (options_.path && !options_.join) return start;
  PIMEMORY_ASSIGN(const std::optional<std::string> root, repository_root(env_.files, start));
  if (options_.join) {
    if (!root) return fail(ErrorCode::join_unavailable, start + " is in no git repository");
    return *root;
  }
  PIMEMORY_ASSIGN(const RegistryRow* bound, nearest_binding(env_.files, registry_, start));
  if (bound) return bound->binding.location;
  return root.value_or(start);
}

void Initializer::not_durable(const std::string& what) {
  result_.durable = false;
  result_.gaps.push_back("not_durable: " + what + " is written, but its directory could not be synced");
}

Status Initializer::set_aside(const std::string& project_id) {
  PIMEMORY_ASSIGN(const SetAside moved, set_aside_foreign_store(env_, home_, project_id));
  result_.set_aside = moved.path;
  if (!moved.durable) not_durable(moved.path);
  return {};
}

// Opens or creates the database of the project; opening verifies its owner.
Status Initializer::prepare(const std::string& project_id, OpenIntent intent) {
  PIMEMORY_ASSIGN(const std::unique_ptr<Authority> authority,
                  open_store(env_, {home_, project_id, kSession, intent, Layout::automatic}));
  for (const std::string& gap : authority->gaps()) result_.gaps.push_back(gap);
  return {};
}

// Reported, never done unasked.
void Initializer::add_joinable(const std::string& target) {
  if (const auto found = find_join_target(env_.files, registry_, target)) result_.joinable = found->location;
}

Result<InitResult> Initializer::use_binding(const Binding& binding, std::unique_ptr<File> lock) {
  if (options_.join && binding.source != "joined")
    return fail(ErrorCode::join_unavailable, binding.location + " is bound on its own",
                "go on with the memory that it has; this version does not unbind a checkout");
  result_.binding = binding;
  result_.revision = registry_.revision;
  if (options_.set_aside)
    PIMEMORY_TRY(set_aside(binding.project_id));
  else
    lock.reset();  // another project's init need not wait for this open
  Status ready = prepare(binding.project_id, OpenIntent::write);
  if (!ready && ready.error().code == ErrorCode::project_incomplete) {
    ready = prepare(binding.project_id, OpenIntent::create);
    result_.repaired = ready.has_value();
  }
  if (!ready) return std::unexpected(ready.error());
  if (binding.source == "legacy")
    result_.legacy = {"adopted", std::nullopt};
  else
    result_.legacy = {"skipped", "the checkout is bound already"};
  if (binding.source != "joined") add_joinable(binding.location);
  return std::move(result_);
}

// A worktree that shares a project does not take its derived id away from the checkout that it follows from.
Status Initializer::check_collision(const std::string& target, const std::string& id,
                                    const std::vector<LegacyRow>& index) const {
  for (const RegistryRow& row : registry_.rows)
    if (row.binding.project_id == id && row.binding.source != "joined")
      return fail(ErrorCode::identity_collision,
                  "the id " + id + " of " + target + " belongs to " + row.binding.location);
  for (const LegacyRow& row : index)
    if (row.project_id == id && row.location != target)
      return fail(ErrorCode::identity_collision,
                  "the identity index gives the id " + id + " of " + target + " to " + row.location);
  return {};
}

Result<Binding> Initializer::choose_identity(const std::string& target) {
  Binding binding{target, derived_project_id(target), derived_checkout_id(target), "memory", env_.clock.now()};
  if (options_.join) {
    PIMEMORY_ASSIGN(const JoinTarget join, find_join_target(env_.files, registry_, target));
    binding.project_id = join.project_id;
    binding.source = "joined";
    result_.legacy = {"skipped", "the worktree shares the project of " + join.location};
    return binding;
  }
  const std::vector<LegacyRow> index = read_legacy_index(env_.files, home_);
  if (options_.no_legacy) {
    result_.legacy = {"skipped", "--no-legacy was given"};
  } else {
    const LegacyIdentity legacy = find_legacy_identity(env_.files, target, index);
    result_.legacy = legacy.state;
    if (legacy.project_id) {
      binding.project_id = *legacy.project_id;
      binding.source = "legacy";
      return binding;
    }
  }
  PIMEMORY_TRY(check_collision(target, binding.project_id, index));
  return binding;
}

Result<InitResult> Initializer::bind(const std::string& target) {
  PIMEMORY_ASSIGN(result_.binding, choose_identity(target));
  const std::string& project_id = result_.binding.project_id;
  if (options_.set_aside) PIMEMORY_TRY(set_aside(project_id));
  PIMEMORY_TRY(prepare(project_id, options_.join ? OpenIntent::write : OpenIntent::create));
  registry_.rows.push_back({result_.binding, nlohmann::json::object()});
  PIMEMORY_ASSIGN(const bool durable, write_registry(env_, home_, registry_));
  if (!durable) not_durable("the registry");
  result_.created = true;
  result_.revision = registry_.revision;
  if (!options_.join) add_joinable(target);
  return std::move(result_);
}

Result<InitResult> Initializer::run() {
  if (options_.join && options_.set_aside)
    return fail(ErrorCode::invalid, "--join and --set-aside exclude each other", "give one of them");
  // A first look without the lock: what cannot be bound must not create the home.
  PIMEMORY_ASSIGN(registry_, read_registry(env_, home_));
  PIMEMORY_ASSIGN(const std::string seen, choose_target());
  if (options_.join && !registry_.find(seen)) PIMEMORY_TRY(find_join_target(env_.files, registry_, seen));

  PIMEMORY_ASSIGN(std::unique_ptr<File> lock, lock_registry(env_, home_));
  PIMEMORY_ASSIGN(registry_, read_registry(env_, home_));
  PIMEMORY_ASSIGN(const std::string target, choose_target());
  const RegistryRow* row = registry_.find(target);
  if (row) return use_binding(row->binding, std::move(lock));
  return bind(target);
}

}  // namespace

Result<InitResult> Workspace::init(const std::string& working_directory, const InitOptions& options) {
  return Initializer(env_, home_, working_directory, options).run();
}

}  // namespace pimemory
