// The typed error that every operation of pi-memory returns instead of throwing.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace pimemory {

// One name for one thing, as documented for users; `error_code_name` prints the snake_case form.
enum class ErrorCode {
  invalid,
  too_large,
  config_invalid,
  location_invalid,
  project_not_initialized,
  project_incomplete,
  unknown_fact,
  unknown_episode,
  busy,
  stale,
  maintenance_running,
  storage_in_use,
  registry_busy,
  foreign_store,
  owner_mismatch,
  project_owned_only,
  identity_collision,
  identity_owned,
  reserved_namespace,
  join_unavailable,
  agent_shell,
  person_required,
  unsafe_path,
  unsupported_filesystem,
  secret_in_identifier,
  evidence_required,
  closed_interval,
  fact_exists,
  self_reference,
  not_english,
  layout_conflict,
  capacity,
  unsupported_version,
  corrupt,
  history_torn,
  history_damaged,
  no_space,
  io,
  registry_corrupt,
  registry_full,
  inside_transaction,
  internal_error,
  cancelled,
};

struct Error {
  ErrorCode code;
  std::string message;  // what happened and why, one line
  std::string hint;     // what the user can do, one line
  bool retry = false;   // the caller may simply repeat the operation; nothing was recorded
};

template <class T>
using Result = std::expected<T, Error>;

// The snake_case name, for example "project_not_initialized".
std::string_view error_code_name(ErrorCode code);

// The process exit code of a command that ends with this error: 1, 2, 3, 4, 5 or 130.
int error_exit_code(ErrorCode code);

// Fills `retry`, and `hint` where it is empty, from the table of codes.
Error make_error(ErrorCode code, std::string message, std::string hint = {});

}  // namespace pimemory
