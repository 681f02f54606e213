// The event: the unit of history. Envelope, payload types, hashes, chain and their validation.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contracts/records.h"

namespace pimemory {

inline constexpr std::int64_t kEventSchemaVersion = 1;
inline constexpr std::size_t kDocumentEventBytesMax = 2'097'152;  // a whole line with its LF
inline constexpr std::size_t kOtherEventBytesMax = 65'536;
inline constexpr std::int64_t kSafeIntegerMax = 9'007'199'254'740'991;

struct MemoryEvent {
  std::string id;
  std::string scope_id;
  std::string writer_id;
  std::string session_id;
  std::int64_t position = 0;
  std::int64_t sequence = 0;
  std::optional<std::int64_t> group_remaining;
  TimeMs recorded_at = 0;
  std::optional<std::string> previous_hash;
  nlohmann::json payload;
  std::string payload_hash;
  std::string event_hash;

  bool purged() const;            // the payload was replaced by the tombstone
  std::string_view type() const;  // empty for a tombstone
};

// Checks the payload alone: closed members, types, the records' bounds, the owner's scope everywhere.
Status validate_payload(const nlohmann::json& payload, std::string_view owner);

// Fills payload_hash and event_hash from the other members, and checks the line bound (`too_large`).
Status seal_event(MemoryEvent& event);

// The event's RFC 8785 line without its LF.
Result<std::string> encode_event(const MemoryEvent& event);
nlohmann::json event_to_json(const MemoryEvent& event);

// Validation of one event as read from history, in the order of the specification: schema, id, writer, session,
// sequence, group and position, time, scope, payload, size, payload hash, event hash, and against its predecessor of
// the same writer (absent for the first): sequence, time and chain.
Result<MemoryEvent> decode_event(const nlohmann::json& json, std::string_view owner);
Status check_chain(const MemoryEvent& event, const MemoryEvent* previous_of_writer);

}  // namespace pimemory
