// The projects registry: which checkout belongs to which project, in one small file that is replaced whole.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/env.h"
#include "base/result.h"
#include "workspace/workspace.h"

namespace pimemory {

inline constexpr std::size_t kMaxRegistryBytes = 1'048'576;
inline constexpr std::int64_t kRegistryLockWaitMs = 30'000;

// One binding and the whole object it was read from, so that members of later versions survive a rewrite.
struct RegistryRow {
  Binding binding;
  nlohmann::json members = nlohmann::json::object();
};

struct Registry {
  std::int64_t revision = 0;  // 0: there is no file yet
  std::vector<RegistryRow> rows;
  nlohmann::json payload = nlohmann::json::object();  // as read; what is not `bindings` is kept

  // The row of exactly this location, or null.
  const RegistryRow* find(std::string_view location) const;
};

std::string registry_directory(const std::string& home);  // <home>/pi-memory
std::string registry_path(const std::string& home);       // <home>/pi-memory/projects.json

// Parses one registry text. `registry_corrupt` for every defect, `registry_full` beyond kMaxRegistryBytes.
Result<Registry> parse_registry(std::string_view text);

// The indented text with sorted bindings for this revision. `registry_full` beyond the bounds.
Result<std::string> format_registry(const Registry& registry);

// Reads without a lock and creates nothing. A missing file gives no rows. `unsafe_path` for a link, another user's file
// or another type; `registry_corrupt`, `registry_full`.
Result<Registry> read_registry(Env& env, const std::string& home);

// Makes the directory and takes the exclusive lock; the returned file holds it until it is closed. `registry_busy`
// after `wait_ms`. Restores private modes on the way.
Result<std::unique_ptr<File>> lock_registry(Env& env, const std::string& home,
                                            std::int64_t wait_ms = kRegistryLockWaitMs);

// Replaces the file under the lock; the revision becomes one more and is stored in `registry`. true: durable. false:
// replaced, but the directory could not be synced. A failure keeps the old file.
Result<bool> write_registry(Env& env, const std::string& home, Registry& registry);

}  // namespace pimemory
