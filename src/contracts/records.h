// The records of memory: what callers hand in and what history keeps. Plain values, no behaviour.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace pimemory {

// Closed enumerations are kept as the words that history stores; `validate_*` refuses every other word.
inline constexpr std::array<std::string_view, 8> kFactKinds = {"decision",   "fact",      "constraint", "failure",
                                                               "correction", "procedure", "preference", "learning"};
inline constexpr std::array<std::string_view, 5> kStandings = {"candidate", "supported", "needs_review", "contradicted",
                                                               "superseded"};
inline constexpr std::array<std::string_view, 4> kTrusts = {"host", "user", "agent", "imported"};
inline constexpr std::array<std::string_view, 4> kFeedbackSignals = {"used", "helpful", "wrong", "stale"};

inline bool is_terminal_standing(std::string_view standing) {
  return standing == "contradicted" || standing == "superseded";
}

using StringMap = std::map<std::string, std::string>;

// Where a document came from when a source adapter owns it.
struct SyncOrigin {
  std::string adapter;
  std::string revision;  // 64 lower-case hex digits
  bool operator==(const SyncOrigin&) const = default;
};

struct SourceDocument {
  std::string name_space;  // "namespace" in JSON
  std::string external_id;
  std::string scope_kind = "project";
  std::string scope_id;
  std::string source;
  std::string kind;
  std::optional<std::string> title;
  std::string text;
  std::optional<std::string> uri;
  std::string version;
  std::string content_hash;
  TimeMs observed_at = 0;
  std::optional<TimeMs> valid_from;
  std::optional<TimeMs> valid_to;
  std::string trust = "imported";
  StringMap metadata;
  std::optional<SyncOrigin> sync;
  bool operator==(const SourceDocument&) const = default;
};

struct EvidenceRef {
  std::string id;
  std::string origin;      // host_observation, user_statement, agent_report, imported_source
  std::string provenance;  // native_observation, declared, agent_report, imported
  std::string excerpt;
  std::string content_hash;
  TimeMs observed_at = 0;
  std::optional<std::string> uri;
  std::optional<std::string> actor_id;
  std::optional<std::string> session_id;
  std::optional<std::string> tool_call_id;
  bool operator==(const EvidenceRef&) const = default;
};

struct Entity {
  std::string id;
  std::string scope_id;
  std::string name;
  std::string type;
  std::vector<std::string> aliases;
  std::optional<std::string> summary;
  bool operator==(const Entity&) const = default;
};

struct TemporalFact {
  std::string id;
  std::string scope_id;
  std::string kind;
  std::string statement;
  std::optional<std::string> subject;
  std::optional<std::string> predicate;
  std::optional<std::string> object;
  std::vector<Entity> entities;
  std::vector<EvidenceRef> evidence;
  std::vector<std::string> episode_ids;
  std::vector<std::string> supersedes;
  std::string standing;
  double confidence = 0;
  std::optional<TimeMs> valid_at;
  std::optional<TimeMs> invalid_at;
  TimeMs recorded_at = 0;
  StringMap tags;
  bool operator==(const TemporalFact&) const = default;
};

struct Episode {
  std::string id;
  std::string scope_id;
  std::string kind;
  std::string summary;
  TimeMs observed_at = 0;
  std::string source;
  std::optional<std::string> actor_id;
  std::optional<std::string> session_id;
  std::vector<EvidenceRef> evidence;
  bool operator==(const Episode&) const = default;
};

struct FactResolution {
  std::string fact_id;
  std::string standing;
  std::string rationale;
  std::optional<std::string> replacement_id;
  std::vector<EvidenceRef> evidence;
  bool operator==(const FactResolution&) const = default;
};

}  // namespace pimemory
