// The rows of the logical data model, one struct per collection, shared by both layouts. Times are UTC milliseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contracts/fields.h"
#include "contracts/records.h"

namespace pimemory {

struct DocumentRow {
  std::string document_key;
  std::string name_space;
  std::string external_id;
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
  std::string trust;
  StringMap metadata;
  std::optional<TimeMs> deleted_at;
  std::optional<std::string> source_adapter;
  std::optional<std::string> source_revision;
};

struct FactRow {
  std::string id;
  std::string scope_id;
  std::string kind;
  std::string statement;
  std::optional<std::string> subject;
  std::optional<std::string> predicate;
  std::optional<std::string> object;
  std::string standing;
  std::optional<std::string> prior_standing;
  double confidence = 0;
  std::optional<TimeMs> valid_at;
  std::optional<TimeMs> invalid_at;
  TimeMs recorded_at = 0;
  std::optional<TimeMs> expired_at;
  StringMap tags;
  std::optional<std::string> replacement_id;
  std::int64_t generation = 1;
  bool collected = false;
  std::optional<std::string> review_event_id;

  TimeMs valid_start() const { return valid_at.value_or(recorded_at); }
  // Half-open: start <= t < end.
  bool valid_during(TimeMs t) const { return valid_start() <= t && (!invalid_at || t < *invalid_at); }
};

// A pair of ids: fact_entities, fact_evidence, fact_episodes, episode_evidence.
struct PairRow {
  std::string left;
  std::string right;
};

struct FactLinkRow {
  std::string from;
  std::string to;
  std::string relation;  // supersedes, resolves, restates
};

struct FeedbackRow {
  std::string fact_id;
  std::string signal;
  std::string query_hash;
  TimeMs at = 0;
};

struct FingerprintRow {
  std::string document_key;
  std::string adapter;
  std::string name_space;
  std::string external_id;
  std::string revision;
  std::string content_hash;
  std::string kind;
  std::optional<std::string> title;
  std::optional<std::string> uri;
  TimeMs observed_at = 0;
  std::optional<TimeMs> valid_from;
  std::optional<TimeMs> valid_to;
  std::string trust;
  StringMap metadata;
  std::optional<TimeMs> withdrawn_at;
  TimeMs updated_at = 0;
};

struct TopicRow {
  std::string id;
  std::string scope_id;
  std::string title;
  std::string summary;
  std::int64_t revision = 0;
  std::string summary_hash;
  std::vector<std::string> fact_ids;
  std::vector<std::string> conflicts;
  TimeMs updated_at = 0;
};

struct LineageRow {
  std::string fact_id;
  std::string document_key;
  std::string adapter;
  std::string revision;
};

struct WatermarkRow {
  std::string adapter;
  std::string document_key;
  std::string revision;
  std::string outcome;
  TimeMs at = 0;
};

struct BatchRow {
  std::string id;
  std::string job_id;
  std::string action;
  std::string document_key;
  std::string source_revision;
  std::string state;  // open, applied, aborted
  std::optional<std::vector<nlohmann::json>> parts;
  TimeMs at = 0;
};

// Operational: what a source sync last did.
struct SyncStateRow {
  std::string adapter;
  TimeMs last_at = 0;
  std::int64_t at_turns = 0;
  std::int64_t at_tokens = 0;
  std::int64_t at_inserts = 0;
  std::int64_t discovered = 0;
  std::int64_t indexed = 0;
  bool ok = false;
  std::optional<std::string> detail;
  std::optional<TimeMs> verified_at;
};

// Operational: one session's planning state, as its validated JSON text.
struct CheckpointRow {
  std::string project_id;
  std::string session_id;
  std::string body;
  TimeMs updated_at = 0;
};

struct JournalHead {
  std::string writer_id;
  std::string day;  // YYYYMMDD of recorded_at, empty before the first event
  std::int64_t sequence = 0;
  std::string event_hash;  // empty before the first event
  TimeMs recorded_at = 0;
  std::int64_t position = 0;
  std::int64_t file_length = 0;  // 0 in a compact store
};

struct SyncActivity {
  std::int64_t turns = 0;
  std::int64_t tokens = 0;
  std::int64_t inserts = 0;
  TimeMs updated_at = 0;
};

template <class V>
void describe_fields(V& visit, DocumentRow& r) {
  visit("document_key", r.document_key);
  visit("namespace", r.name_space);
  visit("external_id", r.external_id);
  visit("scope_id", r.scope_id);
  visit("source", r.source);
  visit("kind", r.kind);
  visit("title", r.title);
  visit("text", r.text);
  visit("uri", r.uri);
  visit("version", r.version);
  visit("content_hash", r.content_hash);
  visit("observed_at", r.observed_at);
  visit("valid_from", r.valid_from);
  visit("valid_to", r.valid_to);
  visit("trust", r.trust);
  visit("metadata", r.metadata);
  visit("deleted_at", r.deleted_at);
  visit("source_adapter", r.source_adapter);
  visit("source_revision", r.source_revision);
}

template <class V>
void describe_fields(V& visit, FactRow& r) {
  visit("id", r.id);
  visit("scope_id", r.scope_id);
  visit("kind", r.kind);
  visit("statement", r.statement);
  visit("subject", r.subject);
  visit("predicate", r.predicate);
  visit("object", r.object);
  visit("standing", r.standing);
  visit("prior_standing", r.prior_standing);
  visit("confidence", r.confidence);
  visit("valid_at", r.valid_at);
  visit("invalid_at", r.invalid_at);
  visit("recorded_at", r.recorded_at);
  visit("expired_at", r.expired_at);
  visit("tags", r.tags);
  visit("replacement_id", r.replacement_id);
  visit("generation", r.generation);
  visit("collected", r.collected);
  visit("review_event_id", r.review_event_id);
}

template <class V>
void describe_fields(V& visit, PairRow& r) {
  visit("left", r.left);
  visit("right", r.right);
}

template <class V>
void describe_fields(V& visit, FactLinkRow& r) {
  visit("from", r.from);
  visit("to", r.to);
  visit("relation", r.relation);
}

template <class V>
void describe_fields(V& visit, FeedbackRow& r) {
  visit("fact_id", r.fact_id);
  visit("signal", r.signal);
  visit("query_hash", r.query_hash);
  visit("at", r.at);
}

template <class V>
void describe_fields(V& visit, FingerprintRow& r) {
  visit("document_key", r.document_key);
  visit("adapter", r.adapter);
  visit("namespace", r.name_space);
  visit("external_id", r.external_id);
  visit("revision", r.revision);
  visit("content_hash", r.content_hash);
  visit("kind", r.kind);
  visit("title", r.title);
  visit("uri", r.uri);
  visit("observed_at", r.observed_at);
  visit("valid_from", r.valid_from);
  visit("valid_to", r.valid_to);
  visit("trust", r.trust);
  visit("metadata", r.metadata);
  visit("withdrawn_at", r.withdrawn_at);
  visit("updated_at", r.updated_at);
}

template <class V>
void describe_fields(V& visit, TopicRow& r) {
  visit("id", r.id);
  visit("scope_id", r.scope_id);
  visit("title", r.title);
  visit("summary", r.summary);
  visit("revision", r.revision);
  visit("summary_hash", r.summary_hash);
  visit("fact_ids", r.fact_ids);
  visit("conflicts", r.conflicts);
  visit("updated_at", r.updated_at);
}

template <class V>
void describe_fields(V& visit, LineageRow& r) {
  visit("fact_id", r.fact_id);
  visit("document_key", r.document_key);
  visit("adapter", r.adapter);
  visit("revision", r.revision);
}

template <class V>
void describe_fields(V& visit, WatermarkRow& r) {
  visit("adapter", r.adapter);
  visit("document_key", r.document_key);
  visit("revision", r.revision);
  visit("outcome", r.outcome);
  visit("at", r.at);
}

template <class V>
void describe_fields(V& visit, BatchRow& r) {
  visit("id", r.id);
  visit("job_id", r.job_id);
  visit("action", r.action);
  visit("document_key", r.document_key);
  visit("source_revision", r.source_revision);
  visit("state", r.state);
  visit("parts", r.parts);
  visit("at", r.at);
}

template <class V>
void describe_fields(V& visit, SyncStateRow& r) {
  visit("adapter", r.adapter);
  visit("last_at", r.last_at);
  visit("at_turns", r.at_turns);
  visit("at_tokens", r.at_tokens);
  visit("at_inserts", r.at_inserts);
  visit("discovered", r.discovered);
  visit("indexed", r.indexed);
  visit("ok", r.ok);
  visit("detail", r.detail);
  visit("verified_at", r.verified_at);
}

template <class V>
void describe_fields(V& visit, CheckpointRow& r) {
  visit("project_id", r.project_id);
  visit("session_id", r.session_id);
  visit("body", r.body);
  visit("updated_at", r.updated_at);
}

template <class V>
void describe_fields(V& visit, JournalHead& r) {
  visit("writer_id", r.writer_id);
  visit("day", r.day);
  visit("sequence", r.sequence);
  visit("event_hash", r.event_hash);
  visit("recorded_at", r.recorded_at);
  visit("position", r.position);
  visit("file_length", r.file_length);
}

template <class V>
void describe_fields(V& visit, SyncActivity& r) {
  visit("turns", r.turns);
  visit("tokens", r.tokens);
  visit("inserts", r.inserts);
  visit("updated_at", r.updated_at);
}

}  // namespace pimemory
