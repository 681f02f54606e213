// The workspace: which project a directory belongs to, and the doors that create or open its authority.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/env.h"
#include "base/result.h"
#include "storage/authority.h"

namespace pimemory {

// The explicit value, else PI_MEMORY_HOME, else PRJCT_HOME, else ~/.prjct; absolute. Empty values count as unset.
Result<std::string> resolve_home(const std::optional<std::string>& explicit_home);

struct Binding {
  std::string location;
  std::string project_id;
  std::string checkout_id;
  std::string source;  // memory, legacy, moved, joined
  TimeMs created_at = 0;
};

struct InitOptions {
  std::optional<std::string> path;  // the target; without it the binding, the repository root or the directory
  bool no_legacy = false;
  bool join = false;
  bool set_aside = false;
};

struct LegacyState {
  std::string state;  // of an init: adopted, none, unverified, skipped; of a status also available
  std::optional<std::string> reason;
};

struct InitResult {
  std::string status = "ready";
  Binding binding;
  bool created = false;
  bool repaired = false;
  std::int64_t revision = 0;  // of the registry
  bool durable = true;
  std::optional<std::string> set_aside;  // where a foreign store's folder went
  std::optional<std::string> joinable;   // the main worktree's location
  LegacyState legacy;
  std::vector<std::string> gaps;
};

struct WorkspaceStatus {
  bool initialized = false;
  bool ready = false;
  std::string state;  // unbound, incomplete, ready, error
  std::optional<Binding> binding;
  std::string hint;
  std::optional<Error> fault;
  std::optional<std::string> joinable;
  LegacyState legacy;
};

// Thread-safe; several processes may use one home at once.
class Workspace {
 public:
  // `home` as resolve_home gives it.
  Workspace(Env& env, std::string home) : env_(env), home_(std::move(home)) {}
  const std::string& home() const { return home_; }

  // Binds the target and makes its store, or finds both, or repairs a missing store. Nothing else binds. A failure
  // leaves no binding behind. Beside the errors of the store: `location_invalid`, `registry_busy`, `registry_corrupt`,
  // `registry_full`, `identity_collision`, `join_unavailable`, and `invalid` for options that exclude each other and
  // for a set_aside that finds no foreign store.
  Result<InitResult> init(const std::string& working_directory, const InitOptions& options);
  // Creates nothing at all. Faults of the registry and of the store are in the result (state `error`); an Error itself
  // is only `location_invalid`, or `io` on the way to the directory.
  Result<WorkspaceStatus> status(const std::string& working_directory);
  // The nearest bound ancestor up to the repository root; nullopt when unbound.
  Result<std::optional<Binding>> find_binding(const std::string& working_directory);
  // `project_not_initialized`, `project_incomplete`, or the store's own error.
  Result<std::unique_ptr<Authority>> open(const std::string& working_directory, const std::string& session_id,
                                          OpenIntent intent);

 private:
  Env& env_;
  std::string home_;
};

}  // namespace pimemory
