// Which projects a background pass may work on: those that the registry or the legacy index names, never a listing.
#pragma once

#include <string>
#include <vector>

#include "base/env.h"
#include "base/result.h"

namespace pimemory {

struct DiscoveredProjects {
  std::vector<std::string> with_database;  // sorted, each once
  std::vector<std::string> incomplete;     // named, but without a memory.sqlite
};

// Creates nothing. `registry_corrupt` and the other errors of reading the registry: then nothing may run.
Result<DiscoveredProjects> discover_projects(Env& env, const std::string& home);

}  // namespace pimemory
