// What every verb needs before it starts: the home, the directory, the output form and the door to the engine.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/env.h"
#include "base/result.h"
#include "cli/output.h"
#include "engine/memory_engine.h"
#include "workspace/workspace.h"

namespace pimemory {

// Names the command line as a writer in history and as the session of its evidence.
inline constexpr char kCliSession[] = "cli";

struct GlobalOptions {
  std::optional<std::string> home;
  bool json = false;
};

struct CommandContext {
  Env& env;
  std::string working_directory;
  Workspace workspace;
  Output output;
  // What a verb has changed by the time it prints, for a run whose output fails: "the fact was recorded as mem_…".
  std::string done = {};

  // Opens the memory of the project that the working directory is bound to. Creates nothing.
  Result<MemoryEngine> open_engine(OpenIntent intent);
};

// `invalid` or `unsafe_path` for a home that cannot be one, `location_invalid` when the working directory is gone.
// Changes no file.
Result<CommandContext> make_context(Env& env, const GlobalOptions& options);

// The time of a flag; `invalid` names the flag. An absent one stays absent.
Result<std::optional<TimeMs>> parse_time_flag(std::string_view flag, const std::optional<std::string>& text);

}  // namespace pimemory
