// The one table of error codes: name, exit code, whether to repeat, and the default remedy.
#include "pimemory/error.h"

#include <iterator>
#include <utility>

namespace pimemory {
namespace {

struct CodeRow {
  ErrorCode code;
  std::string_view name;
  int exit_code;
  bool retry;
  std::string_view hint;
};

constexpr CodeRow kCodes[] = {
    {ErrorCode::invalid, "invalid", 2, false, "correct the named field"},
    {ErrorCode::too_large, "too_large", 2, false, "shorten the text, or cite fewer or shorter excerpts"},
    {ErrorCode::config_invalid, "config_invalid", 2, false, "correct the named key"},
    {ErrorCode::location_invalid, "location_invalid", 2, false, "name an existing directory with a UTF-8 path"},
    {ErrorCode::project_not_initialized, "project_not_initialized", 3, false, "run `pi-memory init` in the checkout"},
    {ErrorCode::project_incomplete, "project_incomplete", 3, false, "run `pi-memory init`"},
    {ErrorCode::unknown_fact, "unknown_fact", 3, false, "check the id with `pi-memory list`"},
    {ErrorCode::unknown_episode, "unknown_episode", 3, false, "check the id with `pi-memory inspect`"},
    {ErrorCode::busy, "busy", 4, true, "another process is writing; nothing was recorded, repeat the command"},
    {ErrorCode::stale, "stale", 4, true, "the store moved; nothing was recorded, read again and repeat"},
    {ErrorCode::maintenance_running, "maintenance_running", 4, true, "wait for the running maintenance to end"},
    {ErrorCode::storage_in_use, "storage_in_use", 4, true, "close the other sessions of this project"},
    {ErrorCode::registry_busy, "registry_busy", 4, true, "another process holds the registry; repeat the command"},
    {ErrorCode::foreign_store, "foreign_store", 5, false,
     "nothing was written; run `pi-memory init --set-aside`, or use another home with --home or PI_MEMORY_HOME"},
    {ErrorCode::owner_mismatch, "owner_mismatch", 5, false, "use the checkout of the project that owns it"},
    {ErrorCode::project_owned_only, "project_owned_only", 5, false, "use a project scope"},
    {ErrorCode::identity_collision, "identity_collision", 5, false,
     "run `pi-memory status` in the named place to see its memory, or bind another directory"},
    {ErrorCode::identity_owned, "identity_owned", 5, false, "use a namespace of your own, or the owning adapter"},
    {ErrorCode::reserved_namespace, "reserved_namespace", 5, false,
     "use a namespace of your own; for facts use `pi-memory record`"},
    {ErrorCode::join_unavailable, "join_unavailable", 5, false,
     "run `pi-memory init` in the main worktree first, or plain `init` here"},
    {ErrorCode::agent_shell, "agent_shell", 5, false, "let the person do it in a terminal of their own"},
    {ErrorCode::person_required, "person_required", 5, false, "repeat it at a terminal"},
    {ErrorCode::unsafe_path, "unsafe_path", 5, false, "make it a real file or directory of your own user"},
    {ErrorCode::unsupported_filesystem, "unsupported_filesystem", 5, false,
     "choose a home on a local disk with --home or PI_MEMORY_HOME"},
    {ErrorCode::secret_in_identifier, "secret_in_identifier", 5, false, "rename it at its source"},
    {ErrorCode::evidence_required, "evidence_required", 5, false,
     "cite evidence of this session, quote the user exactly, or confirm it at a terminal"},
    {ErrorCode::closed_interval, "closed_interval", 5, false, "record a new fact"},
    {ErrorCode::fact_exists, "fact_exists", 5, false, "record it without an id, or inspect the fact"},
    {ErrorCode::self_reference, "self_reference", 5, false, "name another fact"},
    {ErrorCode::not_english, "not_english", 1, false, "restate it in English; keep the original as a quote"},
    {ErrorCode::layout_conflict, "layout_conflict", 1, false, "leave the choice of the layout to the program"},
    {ErrorCode::capacity, "capacity", 1, false,
     "remove documents you no longer need with `pi-memory index DIR --prune`, or keep fewer; larger projects need the "
     "indexed layout of a later release"},
    {ErrorCode::unsupported_version, "unsupported_version", 1, false, "update pi-memory"},
    {ErrorCode::corrupt, "corrupt", 1, false, "restore `memory.sqlite` from your own backup; the file was not changed"},
    {ErrorCode::history_torn, "history_torn", 1, false, "restore the named file from your own backup"},
    {ErrorCode::history_damaged, "history_damaged", 1, false, "restore the named file from your own backup"},
    {ErrorCode::no_space, "no_space", 1, true, "free disk space; nothing was recorded"},
    {ErrorCode::io, "io", 1, true, "check the disk; nothing was recorded"},
    {ErrorCode::registry_corrupt, "registry_corrupt", 1, false,
     "restore `projects.json` from your own backup; the file was not changed"},
    {ErrorCode::registry_full, "registry_full", 1, false,
     "use another home with --home or PI_MEMORY_HOME for further checkouts; nothing was changed"},
    {ErrorCode::inside_transaction, "inside_transaction", 1, false, "report this defect"},
    {ErrorCode::internal_error, "internal_error", 1, false, "report this defect"},
    {ErrorCode::cancelled, "cancelled", 130, false, "repeat it when wanted"},
};

const CodeRow& row_of(ErrorCode code) {
  for (const CodeRow& row : kCodes)
    if (row.code == code) return row;
  return kCodes[std::size(kCodes) - 2];
}

}  // namespace

std::string_view error_code_name(ErrorCode code) { return row_of(code).name; }

int error_exit_code(ErrorCode code) { return row_of(code).exit_code; }

Error make_error(ErrorCode code, std::string message, std::string hint) {
  const CodeRow& row = row_of(code);
  return Error{code, std::move(message), hint.empty() ? std::string(row.hint) : std::move(hint), row.retry};
}

}  // namespace pimemory
