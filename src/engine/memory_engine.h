// MemoryEngine: every operation on one project's memory. Enforces provenance, bounds, redaction and time; decides
// nothing about truth.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/env.h"
#include "base/result.h"
#include "contracts/records.h"
#include "storage/authority.h"

namespace pimemory {

// "<code>: <sentence with cause and remedy>"
using Gaps = std::vector<std::string>;

struct IndexResult {
  std::int64_t documents = 0;
  std::int64_t chunks = 0;
  std::int64_t embedded = 0;
  bool dense = false;
  std::map<std::string, std::int64_t> skipped;                    // reason → count
  std::map<std::string, std::vector<std::string>> skipped_paths;  // the first 16 of the reasons that name paths
  std::int64_t removed = 0;
  Gaps gaps;
};

// Fields as a caller gives them; the engine fills id, scope, recordedAt and standing.
struct FactInput {
  std::optional<std::string> id;
  std::string kind = "learning";
  std::string statement;
  std::optional<std::string> subject;
  std::optional<std::string> predicate;
  std::optional<std::string> object;
  struct NamedEntity {
    std::string name;
    std::string type;
  };
  std::vector<NamedEntity> entities;
  std::vector<EvidenceRef> evidence;  // made by the evidence constructors only
  std::vector<std::string> episode_ids;
  std::vector<std::string> supersedes;
  std::optional<std::string> standing;  // a wish; evidence sets the highest
  std::optional<double> confidence;     // 0.85 with evidence, 0.5 without
  std::optional<TimeMs> valid_at;
  std::optional<TimeMs> invalid_at;
  std::optional<TimeMs> recorded_at;  // internal callers may backdate, never postdate
  StringMap tags;
  bool engine_tags = false;  // reserved tags are the engine's own
  // "declared:<scope>:<semanticKey>:<summaryHash>" or "curated:…": the id is derived from it instead of `id`. A live
  // holder answers "duplicate"; an ended one is restated by the next generation.
  std::optional<std::string> derivation;
};

struct RecordResult {
  std::string status = "recorded";  // "recorded", "duplicate" (id of the live fact), "abstained" (reason)
  std::string id;
  std::string standing;
  std::string reason;
  bool dense = false;
  Gaps gaps;
};

struct ResolveInput {
  std::string fact_id;
  std::string standing;
  std::string rationale;
  std::optional<std::string> replacement_id;
  std::vector<EvidenceRef> evidence;
};

struct ResolveResult {
  std::string fact_id;
  std::string standing;
  std::optional<TimeMs> invalid_at;
  std::optional<TimeMs> expired_at;
  Gaps gaps;
};

struct ListQuery {
  std::vector<std::string> kinds;
  std::vector<std::string> standings;
  std::optional<TimeMs> since;
  std::optional<TimeMs> as_of;
  std::optional<std::string> after;  // an id of the previous page
  int limit = 50;                    // 1-200
};

struct ListItem {
  std::string id;
  std::string kind;
  std::string standing;
  std::string statement;
  std::string provenance;  // best evidence: native_observation, declared, imported, agent_report; "none"
  TimeMs recorded_at = 0;
  std::optional<TimeMs> valid_at;
  std::optional<TimeMs> invalid_at;
  std::optional<TimeMs> expired_at;
  bool collected = false;
  bool review = false;
};

struct ListResult {
  std::vector<ListItem> items;
  std::optional<std::string> next;
  Gaps gaps;
};

struct FeedbackResult {
  bool recorded = false;
  bool review = false;
};

// A document by its identity.
struct DocumentName {
  std::string name_space;
  std::string external_id;
};

struct InspectResult {
  std::string status = "ok";  // "ok" or "partial"
  nlohmann::json items = nlohmann::json::array();
  Gaps gaps;
};

struct EngineStatus {
  std::int64_t facts = 0;
  std::int64_t needs_review = 0;
  std::int64_t documents = 0;
  AuthorityNumbers numbers;
  Gaps gaps;
};

class WordingIndex;

// Thread-safe; any number of engines and processes may serve one project. Takes over the authority.
class MemoryEngine {
 public:
  MemoryEngine(Env& env, std::unique_ptr<Authority> authority);
  ~MemoryEngine();
  MemoryEngine(MemoryEngine&&) noexcept;

  const std::string& owner() const;

  // Replaces the former revision; a document equal in all but observedAt writes nothing.
  Result<IndexResult> index(SourceDocument document);
  // All validated first: one bad document refuses the batch and is named.
  Result<IndexResult> index_all(std::vector<SourceDocument> documents);
  Result<bool> remove(const std::string& name_space, const std::string& external_id, const std::string& reason);
  // All in one commit; returns how many were there.
  Result<std::int64_t> remove_all(const std::vector<DocumentName>& names, const std::string& reason);
  // An empty id is filled in. A known id changes nothing.
  Result<std::string> record_episode(Episode episode);

  // The gate answers "duplicate" or "abstained" without an error.
  Result<RecordResult> record_fact(const FactInput& input);
  Result<ResolveResult> resolve_fact(const ResolveInput& input);
  Result<FeedbackResult> feedback(const std::string& fact_id, const std::string& signal, const std::string& query);

  // Read only.
  Result<ListResult> list(const ListQuery& query);
  Result<InspectResult> inspect(const std::vector<std::string>& ids, std::optional<TimeMs> as_of,
                                std::size_t max_bytes = 4096);
  Result<EngineStatus> status();

  Authority& authority() { return *authority_; }
  Env& env() { return env_; }

 private:
  Env& env_;
  std::unique_ptr<Authority> authority_;
  std::unique_ptr<WordingIndex> wordings_;
};

}  // namespace pimemory
