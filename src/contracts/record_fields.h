// The JSON member names of each record: one list per struct, read by the codecs in fields.h.
#pragma once

#include "contracts/fields.h"
#include "contracts/records.h"

namespace pimemory {

template <class V>
void describe_fields(V& visit, SyncOrigin& r) {
  visit("adapter", r.adapter);
  visit("revision", r.revision);
}

template <class V>
void describe_fields(V& visit, SourceDocument& r) {
  visit("namespace", r.name_space);
  visit("externalId", r.external_id);
  visit("scopeKind", r.scope_kind);
  visit("scopeId", r.scope_id);
  visit("source", r.source);
  visit("kind", r.kind);
  visit("title", r.title);
  visit("text", r.text);
  visit("uri", r.uri);
  visit("version", r.version);
  visit("contentHash", r.content_hash);
  visit("observedAt", TimeText{r.observed_at});
  visit("validFrom", OptionalTimeText{r.valid_from});
  visit("validTo", OptionalTimeText{r.valid_to});
  visit("trust", r.trust);
  visit.optional_list("metadata", r.metadata);
  visit("sync", r.sync);
}

template <class V>
void describe_fields(V& visit, EvidenceRef& r) {
  visit("id", r.id);
  visit("origin", r.origin);
  visit("provenance", r.provenance);
  visit("excerpt", r.excerpt);
  visit("contentHash", r.content_hash);
  visit("observedAt", TimeText{r.observed_at});
  visit("uri", r.uri);
  visit("actorId", r.actor_id);
  visit("sessionId", r.session_id);
  visit("toolCallId", r.tool_call_id);
}

template <class V>
void describe_fields(V& visit, Entity& r) {
  visit("id", r.id);
  visit("scopeId", r.scope_id);
  visit("name", r.name);
  visit("type", r.type);
  visit.optional_list("aliases", r.aliases);
  visit("summary", r.summary);
}

template <class V>
void describe_fields(V& visit, TemporalFact& r) {
  visit("id", r.id);
  visit("scopeId", r.scope_id);
  visit("kind", r.kind);
  visit("statement", r.statement);
  visit("subject", r.subject);
  visit("predicate", r.predicate);
  visit("object", r.object);
  visit.optional_list("entities", r.entities);
  visit.optional_list("evidence", r.evidence);
  visit.optional_list("episodeIds", r.episode_ids);
  visit.optional_list("supersedes", r.supersedes);
  visit("standing", r.standing);
  visit("confidence", r.confidence);
  visit("validAt", OptionalTimeText{r.valid_at});
  visit("invalidAt", OptionalTimeText{r.invalid_at});
  visit("recordedAt", TimeText{r.recorded_at});
  visit.optional_list("tags", r.tags);
}

template <class V>
void describe_fields(V& visit, Episode& r) {
  visit("id", r.id);
  visit("scopeId", r.scope_id);
  visit("kind", r.kind);
  visit("summary", r.summary);
  visit("observedAt", TimeText{r.observed_at});
  visit("source", r.source);
  visit("actorId", r.actor_id);
  visit("sessionId", r.session_id);
  visit.optional_list("evidence", r.evidence);
}

template <class V>
void describe_fields(V& visit, FactResolution& r) {
  visit("factId", r.fact_id);
  visit("standing", r.standing);
  visit("rationale", r.rationale);
  visit("replacementId", r.replacement_id);
  visit.optional_list("evidence", r.evidence);
}

}  // namespace pimemory
