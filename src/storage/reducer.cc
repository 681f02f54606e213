// How each event type changes domain state.
#include "storage/reducer.h"

#include <algorithm>

#include "base/canonical_json.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "contracts/record_fields.h"
#include "contracts/validate.h"

namespace pimemory {
namespace {

using nlohmann::json;

constexpr std::size_t kMirrorTitleCodePoints = 100;

std::optional<TimeMs> optional_time(const json& object, const char* name) {
  if (!object.contains(name)) return std::nullopt;
  const auto time = parse_rfc3339(object[name].get<std::string>());
  return time ? std::optional<TimeMs>(*time) : std::nullopt;
}

std::optional<std::string> optional_text(const json& object, const char* name) {
  if (!object.contains(name)) return std::nullopt;
  return object[name].get<std::string>();
}

std::string mirror_trust(const DomainReader& state, const FactRow& fact) {
  bool native = false, declared = false, imported = false;
  for (const std::string& id : state.right_of(PairKind::fact_evidence, fact.id)) {
    const auto item = state.evidence(id);
    if (!item) continue;
    native |= item->provenance == "native_observation";
    declared |= item->provenance == "declared";
    imported |= item->provenance == "imported";
  }
  return native ? "host" : declared ? "user" : imported ? "imported" : "agent";
}

// The document that makes a fact retrievable beside imported text.
void put_mirror(DomainState& state, const FactRow& fact) {
  DocumentRow row;
  row.document_key = document_key("memory", fact.id);
  row.name_space = "memory";
  row.external_id = fact.id;
  row.scope_id = fact.scope_id;
  row.source = "pi-memory";
  row.kind = fact.kind;
  row.title = fact.subject.value_or(std::string(clip_code_points(fact.statement, kMirrorTitleCodePoints)));
  row.text = fact.statement;
  row.content_hash = sha256_hex(fact.statement);
  row.version = canonical_hash(encode_record(fact)).value_or(row.content_hash);
  row.observed_at = fact.recorded_at;
  row.valid_from = fact.valid_at;
  row.valid_to = fact.invalid_at;
  row.trust = mirror_trust(state, fact);
  row.metadata = fact.tags;
  state.put(row);
}

void update_fact(DomainState& state, const FactRow& fact) {
  state.put(fact);
  if (!fact.collected) put_mirror(state, fact);
}

void upsert_document(DomainState& state, const SourceDocument& document) {
  DocumentRow row;
  row.document_key = document_key(document.name_space, document.external_id);
  const auto former = state.document(row.document_key);
  row.name_space = document.name_space;
  row.external_id = document.external_id;
  row.scope_id = document.scope_id;
  row.source = document.source;
  row.kind = document.kind;
  row.title = document.title;
  row.text = document.text;
  row.uri = document.uri;
  row.version = document.version;
  row.content_hash = document.content_hash;
  row.observed_at = document.observed_at;
  row.valid_from = document.valid_from;
  row.valid_to = document.valid_to;
  row.trust = document.trust;
  row.metadata = document.metadata;
  if (document.sync) {
    row.source_adapter = document.sync->adapter;
    row.source_revision = document.sync->revision;
  } else if (former) {
    row.source_adapter = former->source_adapter;
    row.source_revision = former->source_revision;
  }
  state.put(row);
}

// The tombstone keeps identity and ownership, no text.
void delete_document(DomainState& state, const std::string& name_space, const std::string& external_id, TimeMs at) {
  auto row = state.document(document_key(name_space, external_id));
  if (!row || row->deleted_at) return;
  row->deleted_at = at;
  row->title.reset();
  row->uri.reset();
  row->text.clear();
  row->metadata.clear();
  state.put(*row);
}

void link_evidence(DomainState& state, PairKind kind, const std::string& id, const std::vector<EvidenceRef>& evidence) {
  for (const EvidenceRef& item : evidence) {
    if (!state.evidence(item.id)) state.put(item);
    state.add_pair(kind, id, item.id);
  }
}

void resolve(DomainState& state, const FactResolution& resolution, TimeMs event_time, const char* relation) {
  auto fact = state.fact(resolution.fact_id);
  if (!fact) return;
  const bool was_terminal = is_terminal_standing(fact->standing);
  const bool becomes_terminal = is_terminal_standing(resolution.standing);
  if (was_terminal && !becomes_terminal) return;  // an ended interval never reopens

  link_evidence(state, PairKind::fact_evidence, fact->id, resolution.evidence);
  fact->review_event_id.reset();
  if (becomes_terminal) {
    if (!was_terminal) fact->prior_standing = fact->standing;
    TimeMs effective = event_time;
    const auto replacement = resolution.replacement_id ? state.fact(*resolution.replacement_id) : std::nullopt;
    if (replacement) {
      effective = replacement->valid_start();
      fact->replacement_id = resolution.replacement_id;
      state.put(FactLinkRow{*resolution.replacement_id, fact->id, relation});
    }
    fact->invalid_at = closed_end(*fact, effective);
    if (!fact->expired_at) fact->expired_at = event_time;
  } else {
    fact->collected = false;
  }
  fact->standing = resolution.standing;
  update_fact(state, *fact);
}

FactRow fact_row(const TemporalFact& fact) {
  FactRow row;
  row.id = fact.id;
  row.scope_id = fact.scope_id;
  row.kind = fact.kind;
  row.statement = fact.statement;
  row.subject = fact.subject;
  row.predicate = fact.predicate;
  row.object = fact.object;
  row.standing = fact.standing;
  row.confidence = fact.confidence;
  row.valid_at = fact.valid_at;
  row.invalid_at = fact.invalid_at;
  row.recorded_at = fact.recorded_at;
  row.tags = fact.tags;
  return row;
}

void record_fact(DomainState& state, const TemporalFact& fact, const std::optional<std::string>& restates,
                 TimeMs event_time) {
  if (state.fact(fact.id)) return;
  FactRow row = fact_row(fact);
  if (restates) {
    if (const auto previous = state.fact(*restates)) {
      row.generation = previous->generation + 1;
      state.put(FactLinkRow{fact.id, *restates, "restates"});
    }
  }
  link_evidence(state, PairKind::fact_evidence, fact.id, fact.evidence);
  for (Entity entity : fact.entities) {
    if (!entity.summary)
      if (const auto former = state.entity(entity.id)) entity.summary = former->summary;
    state.put(entity);
    state.add_pair(PairKind::fact_entities, fact.id, entity.id);
  }
  for (const std::string& episode : fact.episode_ids)
    if (state.episode(episode)) state.add_pair(PairKind::fact_episodes, fact.id, episode);
  update_fact(state, row);
  for (const std::string& old : fact.supersedes)
    resolve(state, FactResolution{old, "superseded", "", fact.id, {}}, event_time, "supersedes");
}

void record_episode(DomainState& state, Episode episode) {
  if (state.episode(episode.id)) return;
  link_evidence(state, PairKind::episode_evidence, episode.id, episode.evidence);
  episode.evidence.clear();
  state.put(episode);
}

void count_feedback(DomainState& state, const MemoryEvent& event) {
  const FeedbackRow row{event.payload["factId"], event.payload["signal"], event.payload["queryHash"],
                        event.recorded_at};
  auto fact = state.fact(row.fact_id);
  if (!fact || !state.add(row)) return;
  const bool live = !is_terminal_standing(fact->standing) && !fact->collected &&
                    (!fact->invalid_at || event.recorded_at < *fact->invalid_at);
  if ((row.signal == "wrong" || row.signal == "stale") && live && fact->standing != "needs_review") {
    fact->review_event_id = event.id;
    update_fact(state, *fact);
  }
}

void collect(DomainState& state, const json& removed) {
  for (const json& item : removed) {
    const std::string key = item.get<std::string>();
    state.erase_document(key);
    const auto parts = parse_document_key(key);
    if (!parts || parts->name_space != "memory") continue;
    if (auto fact = state.fact(parts->external_id)) {
      fact->collected = true;
      state.put(*fact);
    }
  }
}

void observe_source(DomainState& state, const MemoryEvent& event) {
  const std::string adapter = event.payload["adapter"];
  for (const json& upsert : event.payload["upserts"]) {
    FingerprintRow row;
    row.document_key = upsert["documentKey"];
    row.adapter = adapter;
    row.name_space = upsert["namespace"];
    row.external_id = upsert["externalId"];
    row.revision = upsert["revision"];
    row.content_hash = upsert["contentHash"];
    row.kind = upsert["kind"];
    row.title = optional_text(upsert, "title");
    row.uri = optional_text(upsert, "uri");
    row.observed_at = optional_time(upsert, "observedAt").value_or(0);
    row.valid_from = optional_time(upsert, "validFrom");
    row.valid_to = optional_time(upsert, "validTo");
    row.trust = upsert["trust"];
    if (upsert.contains("metadata"))
      for (const auto& [key, value] : upsert["metadata"].items()) row.metadata[key] = value.get<std::string>();
    row.updated_at = event.recorded_at;
    state.put(row);
  }
  for (const json& key : event.payload["withdrawn"])
    if (auto row = state.fingerprint(key.get<std::string>())) {
      row->withdrawn_at = event.recorded_at;
      row->updated_at = event.recorded_at;
      state.put(*row);
    }
}

const json& list_of(const json& content, const char* name) {
  static const json empty = json::array();
  const auto found = content.find(name);
  return found == content.end() ? empty : *found;
}

// A publication's content, in the order that the specification fixes.
void apply_content(DomainState& state, const json& content, TimeMs at) {
  for (const json& item : list_of(content, "facts"))
    if (auto fact = decode_record<TemporalFact>(item, "fact")) record_fact(state, *fact, std::nullopt, at);
  for (const json& item : list_of(content, "documents"))
    if (auto document = decode_record<SourceDocument>(item, "document")) upsert_document(state, *document);
  for (const json& item : list_of(content, "removals"))
    delete_document(state, item["namespace"], item["externalId"], at);
  for (const json& item : list_of(content, "resolves"))
    if (auto resolution = decode_record<FactResolution>(item, "resolve")) resolve(state, *resolution, at, "resolves");
  for (const json& item : list_of(content, "topics")) {
    TopicRow row{item["id"],      item["scopeId"],   item["title"],
                 item["summary"], item["revision"],  item["summaryHash"],
                 item["factIds"], item["conflicts"], at};
    state.put(row);
  }
  for (const json& id : list_of(content, "removedTopics")) state.erase_topic(id.get<std::string>());
  for (const json& item : list_of(content, "lineage"))
    state.put(LineageRow{item["factId"], item["documentKey"], item["adapter"], item["revision"]});
  for (const json& item : list_of(content, "removedLineage"))
    state.erase_lineage(item["factId"].get<std::string>(), item["documentKey"].get<std::string>());
}

void reduce_batch(DomainState& state, const MemoryEvent& event) {
  const json& payload = event.payload;
  const std::string_view type = event.type();
  auto batch = state.batch(payload["batchId"].get<std::string>());
  if (type == "curation.batch.begin") {
    if (batch && batch->state == "applied") return;
    state.put(BatchRow{payload["batchId"], payload["jobId"], payload["action"], payload["documentKey"],
                       payload["sourceRevision"], "open", std::vector<json>{}, event.recorded_at});
    return;
  }
  if (!batch || batch->state != "open") return;
  if (type == "curation.batch.part") {
    batch->parts->push_back(payload);
  } else if (type == "curation.batch.abort") {
    batch->state = "aborted";
    batch->parts.reset();
  } else if (payload["parts"] != batch->parts->size()) {
    return;  // a part is missing: nothing of the batch may show
  } else {
    std::stable_sort(batch->parts->begin(), batch->parts->end(),
                     [](const json& a, const json& b) { return a["ordinal"] < b["ordinal"]; });
    for (const json& part : *batch->parts) apply_content(state, part, event.recorded_at);
    apply_content(state, payload, event.recorded_at);
    if (payload.contains("watermark")) {
      const json& mark = payload["watermark"];
      state.put(
          WatermarkRow{mark["adapter"], mark["documentKey"], mark["revision"], mark["outcome"], event.recorded_at});
    }
    batch->state = "applied";
    batch->parts.reset();
  }
  state.put(*batch);
}

}  // namespace

TimeMs closed_end(const FactRow& fact, TimeMs effective) {
  const TimeMs end = fact.invalid_at ? std::min(effective, *fact.invalid_at) : effective;
  return std::max(fact.valid_start(), end);
}

std::string effective_standing(const FactRow& fact, TimeMs t) {
  if (is_terminal_standing(fact.standing) && fact.prior_standing && fact.valid_during(t)) return *fact.prior_standing;
  return fact.standing;
}

void reduce_event(DomainState& state, const MemoryEvent& event) {
  if (event.purged()) return;
  const json& payload = event.payload;
  const std::string_view type = event.type();
  if (type == "document.upserted") {
    if (auto document = decode_record<SourceDocument>(payload["document"], "document"))
      upsert_document(state, *document);
  } else if (type == "document.deleted") {
    delete_document(state, payload["namespace"], payload["externalId"], event.recorded_at);
  } else if (type == "episode.recorded") {
    if (auto episode = decode_record<Episode>(payload["episode"], "episode"))
      record_episode(state, std::move(*episode));
  } else if (type == "fact.recorded") {
    if (auto fact = decode_record<TemporalFact>(payload["fact"], "fact"))
      record_fact(state, *fact, optional_text(payload, "restates"), event.recorded_at);
  } else if (type == "fact.resolved") {
    json body = payload;
    body.erase("type");
    if (auto resolution = decode_record<FactResolution>(body, "resolution"))
      resolve(state, *resolution, event.recorded_at, "resolves");
  } else if (type == "retrieval.feedback") {
    count_feedback(state, event);
  } else if (type == "gc.compacted") {
    collect(state, payload["removed"]);
  } else if (type == "source.observed") {
    observe_source(state, event);
  } else {
    reduce_batch(state, event);
  }
}

}  // namespace pimemory
