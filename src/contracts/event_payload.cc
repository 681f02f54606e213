// The closed set of event payloads: which members each type has and which bounds they meet, records included.
#include <algorithm>
#include <array>

#include "base/ids.h"
#include "contracts/events.h"
#include "contracts/record_fields.h"
#include "contracts/text_bounds.h"
#include "contracts/validate.h"

namespace pimemory {
namespace {

using nlohmann::json;

constexpr std::size_t kTextBytesMax = 100'000;  // where no contract says less
constexpr std::size_t kReasonCodePointsMax = 1'024;
constexpr std::size_t kGcKeysMax = 64;
constexpr std::size_t kGcKeyBytesMax = 4'096;
constexpr std::size_t kGenerationBytesMax = 128;
constexpr std::size_t kBatchRevisionBytesMax = 512;
constexpr std::size_t kKindBytesMax = 256;
constexpr std::array<std::string_view, 3> kBatchActions = {"analyze", "review", "withdraw"};
constexpr std::array<std::string_view, 3> kWatermarkOutcomes = {"published", "no_change", "withdrawn"};

struct DocumentUpserted {
  std::string type;
  SourceDocument document;
};
template <class V>
void describe_fields(V& visit, DocumentUpserted& r) {
  visit("type", r.type);
  visit("document", r.document);
}

// One member of a publication's `removals`, and with a type the whole `document.deleted`.
struct Removal {
  std::string name_space;
  std::string external_id;
  std::string reason;
};
template <class V>
void describe_fields(V& visit, Removal& r) {
  visit("namespace", r.name_space);
  visit("externalId", r.external_id);
  visit("reason", r.reason);
}

struct DocumentDeleted {
  std::string type;
  Removal removal;
};
template <class V>
void describe_fields(V& visit, DocumentDeleted& r) {
  visit("type", r.type);
  describe_fields(visit, r.removal);
}

struct EpisodeRecorded {
  std::string type;
  Episode episode;
};
template <class V>
void describe_fields(V& visit, EpisodeRecorded& r) {
  visit("type", r.type);
  visit("episode", r.episode);
}

struct FactRecorded {
  std::string type;
  TemporalFact fact;
  std::optional<std::string> restates;
};
template <class V>
void describe_fields(V& visit, FactRecorded& r) {
  visit("type", r.type);
  visit("fact", r.fact);
  visit("restates", r.restates);
}

struct FactResolved {
  std::string type;
  FactResolution resolution;
};
template <class V>
void describe_fields(V& visit, FactResolved& r) {
  visit("type", r.type);
  describe_fields(visit, r.resolution);
}

struct RetrievalFeedback {
  std::string type;
  std::string fact_id;
  std::string signal;
  std::string query_hash;
};
template <class V>
void describe_fields(V& visit, RetrievalFeedback& r) {
  visit("type", r.type);
  visit("factId", r.fact_id);
  visit("signal", r.signal);
  visit("queryHash", r.query_hash);
}

struct GcCompacted {
  std::string type;
  std::vector<std::string> removed;
  std::int64_t retained = 0;
  std::string generation;
};
template <class V>
void describe_fields(V& visit, GcCompacted& r) {
  visit("type", r.type);
  visit("removed", r.removed);
  visit("retained", r.retained);
  visit("generation", r.generation);
}

struct Fingerprint {
  std::string document_key;
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
};
template <class V>
void describe_fields(V& visit, Fingerprint& r) {
  visit("documentKey", r.document_key);
  visit("namespace", r.name_space);
  visit("externalId", r.external_id);
  visit("revision", r.revision);
  visit("contentHash", r.content_hash);
  visit("kind", r.kind);
  visit("title", r.title);
  visit("uri", r.uri);
  visit("observedAt", TimeText{r.observed_at});
  visit("validFrom", OptionalTimeText{r.valid_from});
  visit("validTo", OptionalTimeText{r.valid_to});
  visit("trust", r.trust);
  visit.optional_list("metadata", r.metadata);
}

struct SourceObserved {
  std::string type;
  std::string adapter;
  std::vector<Fingerprint> upserts;
  std::vector<std::string> withdrawn;
};
template <class V>
void describe_fields(V& visit, SourceObserved& r) {
  visit("type", r.type);
  visit("adapter", r.adapter);
  visit("upserts", r.upserts);
  visit("withdrawn", r.withdrawn);
}

struct Topic {
  std::string id;
  std::string scope_id;
  std::string title;
  std::string summary;
  std::int64_t revision = 0;
  std::string summary_hash;
  std::vector<std::string> fact_ids;
  std::vector<std::string> conflicts;
};
template <class V>
void describe_fields(V& visit, Topic& r) {
  visit("id", r.id);
  visit("scopeId", r.scope_id);
  visit("title", r.title);
  visit("summary", r.summary);
  visit("revision", r.revision);
  visit("summaryHash", r.summary_hash);
  visit("factIds", r.fact_ids);
  visit("conflicts", r.conflicts);
}

struct Lineage {
  std::string fact_id;
  std::string document_key;
  std::string adapter;
  std::string revision;
};
template <class V>
void describe_fields(V& visit, Lineage& r) {
  visit("factId", r.fact_id);
  visit("documentKey", r.document_key);
  visit("adapter", r.adapter);
  visit("revision", r.revision);
}

// Names a lineage row by its key alone.
struct RemovedLineage {
  std::string fact_id;
  std::string document_key;
};
template <class V>
void describe_fields(V& visit, RemovedLineage& r) {
  visit("factId", r.fact_id);
  visit("documentKey", r.document_key);
}

struct Watermark {
  std::string adapter;
  std::string document_key;
  std::string revision;
  std::string outcome;
};
template <class V>
void describe_fields(V& visit, Watermark& r) {
  visit("adapter", r.adapter);
  visit("documentKey", r.document_key);
  visit("revision", r.revision);
  visit("outcome", r.outcome);
}

// What a part and a commit of a publication carry; an absent list is an empty one.
struct BatchContent {
  std::vector<TemporalFact> facts;
  std::vector<SourceDocument> documents;
  std::vector<Removal> removals;
  std::vector<FactResolution> resolves;
  std::vector<Topic> topics;
  std::vector<std::string> removed_topics;
  std::vector<Lineage> lineage;
  std::vector<RemovedLineage> removed_lineage;
};
template <class V>
void describe_fields(V& visit, BatchContent& r) {
  visit.optional_list("facts", r.facts);
  visit.optional_list("documents", r.documents);
  visit.optional_list("removals", r.removals);
  visit.optional_list("resolves", r.resolves);
  visit.optional_list("topics", r.topics);
  visit.optional_list("removedTopics", r.removed_topics);
  visit.optional_list("lineage", r.lineage);
  visit.optional_list("removedLineage", r.removed_lineage);
}

struct BatchBegin {
  std::string type;
  std::string batch_id;
  std::string job_id;
  std::string action;
  std::string document_key;
  std::string source_revision;
};
template <class V>
void describe_fields(V& visit, BatchBegin& r) {
  visit("type", r.type);
  visit("batchId", r.batch_id);
  visit("jobId", r.job_id);
  visit("action", r.action);
  visit("documentKey", r.document_key);
  visit("sourceRevision", r.source_revision);
}

struct BatchPart {
  std::string type;
  std::string batch_id;
  std::int64_t ordinal = 0;
  BatchContent content;
};
template <class V>
void describe_fields(V& visit, BatchPart& r) {
  visit("type", r.type);
  visit("batchId", r.batch_id);
  visit("ordinal", r.ordinal);
  describe_fields(visit, r.content);
}

struct BatchCommit {
  std::string type;
  std::string batch_id;
  std::int64_t parts = 0;
  BatchContent content;
  std::optional<Watermark> watermark;
};
template <class V>
void describe_fields(V& visit, BatchCommit& r) {
  visit("type", r.type);
  visit("batchId", r.batch_id);
  visit("parts", r.parts);
  describe_fields(visit, r.content);
  visit("watermark", r.watermark);
}

struct BatchAbort {
  std::string type;
  std::string batch_id;
  std::string reason;
};
template <class V>
void describe_fields(V& visit, BatchAbort& r) {
  visit("type", r.type);
  visit("batchId", r.batch_id);
  visit("reason", r.reason);
}

// Names the list and place of an item in front of its own error.
Status at_item(Status status, const char* list, std::size_t index) {
  if (!status) status.error().message.insert(0, std::string(list) + "[" + std::to_string(index) + "]: ");
  return status;
}

template <class Item, class Check>
Status each_item(const char* list, const std::vector<Item>& items, Check check) {
  for (std::size_t i = 0; i < items.size(); ++i) PIMEMORY_TRY(at_item(check(items[i]), list, i));
  return {};
}

Status check_text(const std::string& where, std::string_view text) {
  return check_bytes(where, text, kTextBytesMax, Blank::refused);
}

Status check_fact_id(const std::string& where, std::string_view id) {
  if (is_id("mem_", id)) return {};
  return fail(ErrorCode::invalid, where + " must be mem_ and 8 to 64 of a-z 0-9 _ -");
}

Status check_topic_id(std::string_view id) {
  if (is_id("topic_", id)) return {};
  return fail(ErrorCode::invalid, "topic id must be topic_ and 8 to 64 of a-z 0-9 _ -");
}

Status check_key(const std::string& where, std::string_view key) {
  PIMEMORY_TRY(check_bytes(where, key, kGcKeyBytesMax, Blank::refused));
  if (const auto parts = parse_document_key(key); !parts)
    return fail(parts.error().code, where + ": " + parts.error().message);
  return {};
}

Status check_not_negative(const std::string& where, std::int64_t number) {
  return number < 0 ? Status(fail(ErrorCode::invalid, where + " must not be negative")) : Status{};
}

Status check_payload(const DocumentUpserted& payload, std::string_view owner) {
  return validate_document(payload.document, owner);
}

Status check_removal(const Removal& removal) {
  PIMEMORY_TRY(validate_namespace(removal.name_space));
  PIMEMORY_TRY(validate_external_id(removal.external_id));
  return check_code_points("reason", removal.reason, kReasonCodePointsMax, Blank::refused);
}

Status check_payload(const DocumentDeleted& payload, std::string_view) { return check_removal(payload.removal); }

Status check_payload(const EpisodeRecorded& payload, std::string_view owner) {
  return validate_episode(payload.episode, owner);
}

Status check_payload(const FactRecorded& payload, std::string_view owner) {
  PIMEMORY_TRY(validate_fact(payload.fact, owner));
  if (!payload.restates) return {};
  PIMEMORY_TRY(check_fact_id("restates", *payload.restates));
  if (*payload.restates == payload.fact.id) return fail(ErrorCode::self_reference, "restates names the fact itself");
  return {};
}

Status check_payload(const FactResolved& payload, std::string_view) { return validate_resolution(payload.resolution); }

Status check_payload(const RetrievalFeedback& payload, std::string_view) {
  PIMEMORY_TRY(check_fact_id("factId", payload.fact_id));
  PIMEMORY_TRY(check_word("signal", payload.signal, kFeedbackSignals));
  return check_hash("queryHash", payload.query_hash);
}

Status check_payload(const GcCompacted& payload, std::string_view) {
  PIMEMORY_TRY(check_count("removed", payload.removed.size(), kGcKeysMax));
  PIMEMORY_TRY(each_item("removed", payload.removed, [](const std::string& key) { return check_key("key", key); }));
  PIMEMORY_TRY(check_not_negative("retained", payload.retained));
  return check_bytes("generation", payload.generation, kGenerationBytesMax, Blank::refused);
}

Status check_fingerprint(const Fingerprint& row) {
  PIMEMORY_TRY(validate_namespace(row.name_space));
  PIMEMORY_TRY(validate_external_id(row.external_id));
  if (row.document_key != document_key(row.name_space, row.external_id))
    return fail(ErrorCode::invalid, "documentKey is not the key of namespace and externalId");
  PIMEMORY_TRY(check_hash("revision", row.revision));
  PIMEMORY_TRY(check_hash("contentHash", row.content_hash));
  PIMEMORY_TRY(check_bytes("kind", row.kind, kKindBytesMax, Blank::refused));
  PIMEMORY_TRY(check_optional_bytes("title", row.title, kTitleBytesMax));
  PIMEMORY_TRY(check_optional_bytes("uri", row.uri, kUriBytesMax));
  PIMEMORY_TRY(check_validity(row.valid_from, row.valid_to));
  PIMEMORY_TRY(check_word("trust", row.trust, kTrusts));
  return check_metadata(row.metadata);
}

Status check_payload(const SourceObserved& payload, std::string_view) {
  PIMEMORY_TRY(check_code_points("adapter", payload.adapter, kAdapterCodePointsMax, Blank::refused));
  PIMEMORY_TRY(each_item("upserts", payload.upserts, check_fingerprint));
  return each_item("withdrawn", payload.withdrawn, [](const std::string& key) { return check_key("key", key); });
}

Status check_topic(const Topic& topic, std::string_view owner) {
  PIMEMORY_TRY(check_topic_id(topic.id));
  PIMEMORY_TRY(check_scope("scopeId", topic.scope_id, owner));
  PIMEMORY_TRY(check_text("title", topic.title));
  PIMEMORY_TRY(check_text("summary", topic.summary));
  PIMEMORY_TRY(check_not_negative("revision", topic.revision));
  PIMEMORY_TRY(check_hash("summaryHash", topic.summary_hash));
  PIMEMORY_TRY(
      each_item("factIds", topic.fact_ids, [](const std::string& id) { return check_fact_id("fact id", id); }));
  return each_item("conflicts", topic.conflicts, [](const std::string& text) { return check_text("conflict", text); });
}

Status check_lineage(const Lineage& row) {
  PIMEMORY_TRY(check_fact_id("factId", row.fact_id));
  PIMEMORY_TRY(check_key("documentKey", row.document_key));
  PIMEMORY_TRY(check_code_points("adapter", row.adapter, kAdapterCodePointsMax, Blank::refused));
  return check_bytes("revision", row.revision, kBatchRevisionBytesMax, Blank::refused);
}

Status check_removed_lineage(const RemovedLineage& row) {
  PIMEMORY_TRY(check_fact_id("factId", row.fact_id));
  return check_key("documentKey", row.document_key);
}

Status check_watermark(const Watermark& mark) {
  PIMEMORY_TRY(check_code_points("watermark.adapter", mark.adapter, kAdapterCodePointsMax, Blank::refused));
  PIMEMORY_TRY(check_key("watermark.documentKey", mark.document_key));
  PIMEMORY_TRY(check_bytes("watermark.revision", mark.revision, kBatchRevisionBytesMax, Blank::refused));
  return check_word("watermark.outcome", mark.outcome, kWatermarkOutcomes);
}

Status check_content(const BatchContent& content, std::string_view owner) {
  PIMEMORY_TRY(each_item("facts", content.facts, [&](const TemporalFact& fact) { return validate_fact(fact, owner); }));
  PIMEMORY_TRY(each_item("documents", content.documents,
                         [&](const SourceDocument& document) { return validate_document(document, owner); }));
  PIMEMORY_TRY(each_item("removals", content.removals, check_removal));
  PIMEMORY_TRY(each_item("resolves", content.resolves, validate_resolution));
  PIMEMORY_TRY(each_item("topics", content.topics, [&](const Topic& topic) { return check_topic(topic, owner); }));
  PIMEMORY_TRY(
      each_item("removedTopics", content.removed_topics, [](const std::string& id) { return check_topic_id(id); }));
  PIMEMORY_TRY(each_item("lineage", content.lineage, check_lineage));
  return each_item("removedLineage", content.removed_lineage, check_removed_lineage);
}

Status check_payload(const BatchBegin& payload, std::string_view) {
  PIMEMORY_TRY(check_text("batchId", payload.batch_id));
  PIMEMORY_TRY(check_text("jobId", payload.job_id));
  PIMEMORY_TRY(check_word("action", payload.action, kBatchActions));
  PIMEMORY_TRY(check_key("documentKey", payload.document_key));
  return check_bytes("sourceRevision", payload.source_revision, kBatchRevisionBytesMax, Blank::refused);
}

Status check_payload(const BatchPart& payload, std::string_view owner) {
  PIMEMORY_TRY(check_text("batchId", payload.batch_id));
  PIMEMORY_TRY(check_not_negative("ordinal", payload.ordinal));
  return check_content(payload.content, owner);
}

Status check_payload(const BatchCommit& payload, std::string_view owner) {
  PIMEMORY_TRY(check_text("batchId", payload.batch_id));
  PIMEMORY_TRY(check_not_negative("parts", payload.parts));
  PIMEMORY_TRY(check_content(payload.content, owner));
  return payload.watermark ? check_watermark(*payload.watermark) : Status{};
}

Status check_payload(const BatchAbort& payload, std::string_view) {
  PIMEMORY_TRY(check_text("batchId", payload.batch_id));
  return check_text("reason", payload.reason);
}

using PayloadCheck = Status (*)(const json& payload, std::string_view owner);

template <class Payload>
Status decode_and_check(const json& payload, std::string_view owner) {
  PIMEMORY_ASSIGN(const Payload decoded, decode_record<Payload>(payload, "payload"));
  return check_payload(decoded, owner);
}

struct PayloadType {
  std::string_view name;
  PayloadCheck check;
};
constexpr std::array<PayloadType, 12> kPayloadTypes = {{
    {"document.upserted", decode_and_check<DocumentUpserted>},
    {"document.deleted", decode_and_check<DocumentDeleted>},
    {"episode.recorded", decode_and_check<EpisodeRecorded>},
    {"fact.recorded", decode_and_check<FactRecorded>},
    {"fact.resolved", decode_and_check<FactResolved>},
    {"retrieval.feedback", decode_and_check<RetrievalFeedback>},
    {"gc.compacted", decode_and_check<GcCompacted>},
    {"source.observed", decode_and_check<SourceObserved>},
    {"curation.batch.begin", decode_and_check<BatchBegin>},
    {"curation.batch.part", decode_and_check<BatchPart>},
    {"curation.batch.commit", decode_and_check<BatchCommit>},
    {"curation.batch.abort", decode_and_check<BatchAbort>},
}};

}  // namespace

Status validate_payload(const json& payload, std::string_view owner) {
  if (!payload.is_object()) return fail(ErrorCode::invalid, "payload must be an object");
  const auto type = payload.find("type");
  if (type == payload.end() || !type->is_string()) return fail(ErrorCode::invalid, "payload.type must be a string");
  const std::string& name = type->get_ref<const std::string&>();
  const auto known = std::ranges::find(kPayloadTypes, std::string_view(name), &PayloadType::name);
  if (known == kPayloadTypes.end()) return fail(ErrorCode::invalid, "payload.type is not a known event type");
  return known->check(payload, owner);
}

}  // namespace pimemory
