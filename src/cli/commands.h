// What each verb takes and the function that runs it: the border between parsing and doing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_context.h"

namespace pimemory {

inline constexpr int kExitDone = 0;
inline constexpr int kExitNotFound = 3;
inline constexpr int kExitPartial = 6;

struct InitCommand {
  std::optional<std::string> path;
  bool no_legacy = false;
  bool join = false;
  bool set_aside = false;
};

// Times and numbers are still text here: a malformed one is reported by the name of its flag.
struct ListCommand {
  std::vector<std::string> kinds;
  std::vector<std::string> standings;
  std::optional<std::string> since;
  std::optional<std::string> as_of;
  std::optional<std::string> after;
  std::optional<std::string> limit;
};

struct InspectCommand {
  std::vector<std::string> ids;
  std::optional<std::string> as_of;
  std::optional<std::string> max_bytes;
};

struct RecordCommand {
  std::string statement;  // "-": read from stdin
  std::string kind;
  std::optional<std::string> subject;
  std::optional<std::string> predicate;
  std::optional<std::string> object;
  std::vector<std::string> entities;  // NAME:TYPE
  std::vector<std::string> supersedes;
  std::optional<std::string> confidence;
  std::optional<std::string> valid_at;
  std::optional<std::string> invalid_at;
  std::vector<std::string> tags;  // K=V
};

struct ResolveCommand {
  std::string fact_id;
  std::string standing;
  std::string rationale;
  std::optional<std::string> replacement_id;
};

struct FeedbackCommand {
  std::string signal;
  std::vector<std::string> ids;
  std::vector<std::string> queries;
};

struct IndexCommand {
  std::vector<std::string> paths;
  bool prune = false;
};

// Each prints its result and returns the exit code; an error is returned unprinted.
Result<int> run_init(CommandContext& context, const InitCommand& command);
Result<int> run_status(CommandContext& context);
Result<int> run_list(CommandContext& context, const ListCommand& command);
Result<int> run_inspect(CommandContext& context, const InspectCommand& command);
Result<int> run_record(CommandContext& context, const RecordCommand& command);
Result<int> run_resolve(CommandContext& context, const ResolveCommand& command);
Result<int> run_feedback(CommandContext& context, const FeedbackCommand& command);
Result<int> run_index(CommandContext& context, const IndexCommand& command);

}  // namespace pimemory
