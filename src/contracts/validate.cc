// The rules of every record in one place, so that what is appended and what is read back meet the same bounds.
#include "contracts/validate.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "base/base64url.h"
#include "base/ids.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "contracts/text_bounds.h"

namespace pimemory {
namespace {

constexpr std::size_t kNamespaceBytesMax = 64;
constexpr std::size_t kExternalIdCodePointsMax = 512;
constexpr std::size_t kSourceBytesMax = 256;
constexpr std::size_t kKindBytesMax = 256;
constexpr std::size_t kVersionBytesMax = 512;
constexpr std::size_t kDocumentTextBytesMax = 1'000'000;
constexpr std::size_t kExcerptBytesMax = 8'192;
constexpr std::size_t kActorCodePointsMax = 256;
constexpr std::size_t kStatementBytesMax = 8'192;
constexpr std::size_t kSubjectCodePointsMax = 512;
constexpr std::size_t kPredicateCodePointsMax = 256;
constexpr std::size_t kObjectCodePointsMax = 1'024;
constexpr std::size_t kFactEntitiesMax = 24;
constexpr std::size_t kFactListMax = 32;
constexpr std::size_t kTagValueCodePointsMax = 512;
constexpr std::size_t kEntityNameCodePointsMax = 256;
constexpr std::size_t kEntityTypeCodePointsMax = 64;
constexpr std::size_t kEntityAliasesMax = 16;
constexpr std::size_t kEntitySummaryBytesMax = 1'024;
constexpr std::size_t kEpisodeSummaryBytesMax = 8'192;
constexpr std::size_t kRationaleCodePointsMax = 4'096;
constexpr std::size_t kProjectIdBodyMax = 126;

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kEvidencePairs = {{
    {"host_observation", "native_observation"},
    {"user_statement", "declared"},
    {"agent_report", "agent_report"},
    {"imported_source", "imported"},
}};

Status check_id(const std::string& where, std::string_view prefix, std::string_view id) {
  if (is_id(prefix, id)) return {};
  return fail(ErrorCode::invalid, where + " must be " + std::string(prefix) + " and 8 to 64 of a-z 0-9 _ -");
}

// The repeat is named by its field only: an id may be as long as an argument allows.
template <class Items, class Key>
Status check_distinct(const std::string& where, const Items& items, Key key) {
  std::set<std::string_view> seen;
  for (const auto& item : items)
    if (!seen.insert(key(item)).second) return fail(ErrorCode::invalid, where + " names the same item twice");
  return {};
}

Status check_id_list(const std::string& where, std::string_view prefix, const std::vector<std::string>& ids) {
  PIMEMORY_TRY(check_count(where, ids.size(), kFactListMax));
  for (std::size_t i = 0; i < ids.size(); ++i)
    PIMEMORY_TRY(check_id(where + "[" + std::to_string(i) + "]", prefix, ids[i]));
  return check_distinct(where, ids, [](const std::string& id) -> std::string_view { return id; });
}

Status check_evidence_list(const std::string& where, const std::vector<EvidenceRef>& evidence) {
  PIMEMORY_TRY(check_count(where, evidence.size(), kFactListMax));
  for (std::size_t i = 0; i < evidence.size(); ++i)
    PIMEMORY_TRY(validate_evidence(evidence[i], where + "[" + std::to_string(i) + "]"));
  return check_distinct(where, evidence, [](const EvidenceRef& item) -> std::string_view { return item.id; });
}

Status check_origin(const SyncOrigin& sync) {
  PIMEMORY_TRY(check_code_points("sync.adapter", sync.adapter, kAdapterCodePointsMax, Blank::refused));
  return check_hash("sync.revision", sync.revision);
}

Status check_scope_kind(std::string_view kind) {
  if (kind == "project") return {};
  if (kind == "team" || kind == "shared")
    return fail(ErrorCode::project_owned_only,
                "scopeKind is \"" + std::string(kind) + "\"; memory belongs to one project");
  return fail(ErrorCode::invalid, "scopeKind must be \"project\"");
}

}  // namespace

bool is_project_id(std::string_view id) {
  if (!id.starts_with("p_")) return false;
  const std::string_view body = id.substr(2);
  return !body.empty() && body.size() <= kProjectIdBodyMax && std::ranges::all_of(body, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

Status validate_namespace(std::string_view name_space) {
  const bool first_is_letter = !name_space.empty() && name_space[0] >= 'a' && name_space[0] <= 'z';
  const bool plain = std::ranges::all_of(name_space, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
  if (!first_is_letter || !plain)
    return fail(ErrorCode::invalid, "namespace must begin with a-z and hold only a-z 0-9 . _ -");
  return check_bytes("namespace", name_space, kNamespaceBytesMax, Blank::refused);
}

Status validate_external_id(std::string_view external_id) {
  PIMEMORY_TRY(check_code_points("externalId", external_id, kExternalIdCodePointsMax, Blank::refused));
  if (has_control_characters(external_id)) return fail(ErrorCode::invalid, "externalId holds a control character");
  return {};
}

std::string document_key(std::string_view name_space, std::string_view external_id) {
  return std::string(name_space) + ":" + base64url_encode(external_id);
}

Result<DocumentKeyParts> parse_document_key(std::string_view key) {
  const std::size_t separator = key.find(':');
  if (separator == std::string_view::npos)
    return fail(ErrorCode::invalid, "document key must be a namespace, \":\" and base64url text");
  const auto external_id = base64url_decode(key.substr(separator + 1));
  if (!external_id)
    return fail(ErrorCode::invalid, "document key does not hold canonical unpadded base64url after its \":\"");
  DocumentKeyParts parts{std::string(key.substr(0, separator)), *external_id};
  PIMEMORY_TRY(validate_namespace(parts.name_space));
  PIMEMORY_TRY(validate_external_id(parts.external_id));
  return parts;
}

Status validate_document(const SourceDocument& document, std::string_view owner) {
  PIMEMORY_TRY(validate_namespace(document.name_space));
  PIMEMORY_TRY(validate_external_id(document.external_id));
  PIMEMORY_TRY(check_scope_kind(document.scope_kind));
  PIMEMORY_TRY(check_scope("scopeId", document.scope_id, owner));
  PIMEMORY_TRY(check_bytes("source", document.source, kSourceBytesMax, Blank::refused));
  PIMEMORY_TRY(check_bytes("kind", document.kind, kKindBytesMax, Blank::refused));
  PIMEMORY_TRY(check_optional_bytes("title", document.title, kTitleBytesMax));
  PIMEMORY_TRY(check_bytes("text", document.text, kDocumentTextBytesMax, Blank::refused));
  PIMEMORY_TRY(check_optional_bytes("uri", document.uri, kUriBytesMax));
  PIMEMORY_TRY(check_bytes("version", document.version, kVersionBytesMax, Blank::refused));
  if (document.content_hash != sha256_hex(document.text))
    return fail(ErrorCode::invalid, "contentHash is not the SHA-256 of the text");
  PIMEMORY_TRY(check_time("observedAt", document.observed_at));
  PIMEMORY_TRY(check_validity(document.valid_from, document.valid_to));
  PIMEMORY_TRY(check_word("trust", document.trust, kTrusts));
  PIMEMORY_TRY(check_metadata(document.metadata));
  return document.sync ? check_origin(*document.sync) : Status{};
}

Status validate_evidence(const EvidenceRef& evidence, const std::string& where) {
  PIMEMORY_TRY(check_id(where + ".id", "ev_", evidence.id));
  const bool known_pair = std::ranges::any_of(kEvidencePairs, [&](const auto& pair) {
    return pair.first == evidence.origin && pair.second == evidence.provenance;
  });
  if (!known_pair)
    return fail(ErrorCode::invalid, where +
                                        ": origin and provenance must be one of the four pairs "
                                        "host_observation/native_observation, user_statement/declared, "
                                        "agent_report/agent_report, imported_source/imported");
  PIMEMORY_TRY(check_bytes(where + ".excerpt", evidence.excerpt, kExcerptBytesMax, Blank::refused));
  if (evidence.content_hash != sha256_hex(evidence.excerpt))
    return fail(ErrorCode::invalid, where + ".contentHash is not the SHA-256 of the excerpt");
  PIMEMORY_TRY(check_time(where + ".observedAt", evidence.observed_at));
  PIMEMORY_TRY(check_optional_bytes(where + ".uri", evidence.uri, kUriBytesMax));
  PIMEMORY_TRY(check_optional_code_points(where + ".actorId", evidence.actor_id, kActorCodePointsMax));
  PIMEMORY_TRY(check_optional_code_points(where + ".sessionId", evidence.session_id, kActorCodePointsMax));
  return check_optional_code_points(where + ".toolCallId", evidence.tool_call_id, kActorCodePointsMax);
}

Status validate_entity(const Entity& entity, std::string_view owner, const std::string& where) {
  PIMEMORY_TRY(check_id(where + ".id", "ent_", entity.id));
  PIMEMORY_TRY(check_scope(where + ".scopeId", entity.scope_id, owner));
  PIMEMORY_TRY(check_code_points(where + ".name", entity.name, kEntityNameCodePointsMax, Blank::refused));
  PIMEMORY_TRY(check_code_points(where + ".type", entity.type, kEntityTypeCodePointsMax, Blank::refused));
  PIMEMORY_TRY(check_count(where + ".aliases", entity.aliases.size(), kEntityAliasesMax));
  for (const std::string& alias : entity.aliases)
    PIMEMORY_TRY(check_code_points(where + ".aliases", alias, kEntityNameCodePointsMax, Blank::refused));
  return check_optional_bytes(where + ".summary", entity.summary, kEntitySummaryBytesMax);
}

namespace {

Status check_fact_texts(const TemporalFact& fact) {
  PIMEMORY_TRY(check_word("kind", fact.kind, kFactKinds));
  PIMEMORY_TRY(check_bytes("statement", fact.statement, kStatementBytesMax, Blank::refused));
  PIMEMORY_TRY(check_optional_code_points("subject", fact.subject, kSubjectCodePointsMax));
  PIMEMORY_TRY(check_optional_code_points("predicate", fact.predicate, kPredicateCodePointsMax));
  PIMEMORY_TRY(check_optional_code_points("object", fact.object, kObjectCodePointsMax));
  return check_string_map("tags", fact.tags, kTagValueCodePointsMax, Unit::code_points);
}

Status check_fact_lists(const TemporalFact& fact, std::string_view owner) {
  PIMEMORY_TRY(check_count("entities", fact.entities.size(), kFactEntitiesMax));
  for (std::size_t i = 0; i < fact.entities.size(); ++i)
    PIMEMORY_TRY(validate_entity(fact.entities[i], owner, "entities[" + std::to_string(i) + "]"));
  PIMEMORY_TRY(
      check_distinct("entities", fact.entities, [](const Entity& item) -> std::string_view { return item.id; }));
  PIMEMORY_TRY(check_evidence_list("evidence", fact.evidence));
  PIMEMORY_TRY(check_id_list("episodeIds", "ep_", fact.episode_ids));
  PIMEMORY_TRY(check_id_list("supersedes", "mem_", fact.supersedes));
  if (std::ranges::find(fact.supersedes, fact.id) != fact.supersedes.end())
    return fail(ErrorCode::self_reference, "supersedes names the fact itself");
  return {};
}

Status check_fact_interval(const TemporalFact& fact) {
  PIMEMORY_TRY(check_time("recordedAt", fact.recorded_at));
  if (fact.valid_at) PIMEMORY_TRY(check_time("validAt", *fact.valid_at));
  if (!fact.invalid_at) return {};
  PIMEMORY_TRY(check_time("invalidAt", *fact.invalid_at));
  if (fact.valid_at.value_or(fact.recorded_at) < *fact.invalid_at) return {};
  return fail(ErrorCode::invalid, std::string(fact.valid_at ? "validAt" : "recordedAt, the start without a validAt,") +
                                      " must be before invalidAt");
}

}  // namespace

Status validate_fact(const TemporalFact& fact, std::string_view owner) {
  PIMEMORY_TRY(check_id("id", "mem_", fact.id));
  PIMEMORY_TRY(check_scope("scopeId", fact.scope_id, owner));
  PIMEMORY_TRY(check_fact_texts(fact));
  PIMEMORY_TRY(check_fact_lists(fact, owner));
  // The terminal words stand at the end of kStandings; a new fact never has one.
  PIMEMORY_TRY(check_word("standing", fact.standing, std::span(kStandings).first(3)));
  if (!std::isfinite(fact.confidence) || fact.confidence < 0 || fact.confidence > 1)
    return fail(ErrorCode::invalid, "confidence must be a number from 0 to 1");
  return check_fact_interval(fact);
}

Status validate_episode(const Episode& episode, std::string_view owner) {
  PIMEMORY_TRY(check_id("id", "ep_", episode.id));
  PIMEMORY_TRY(check_scope("scopeId", episode.scope_id, owner));
  PIMEMORY_TRY(check_word("kind", episode.kind, kFactKinds));
  PIMEMORY_TRY(check_bytes("summary", episode.summary, kEpisodeSummaryBytesMax, Blank::refused));
  PIMEMORY_TRY(check_time("observedAt", episode.observed_at));
  PIMEMORY_TRY(check_bytes("source", episode.source, kSourceBytesMax, Blank::refused));
  PIMEMORY_TRY(check_optional_code_points("actorId", episode.actor_id, kActorCodePointsMax));
  PIMEMORY_TRY(check_optional_code_points("sessionId", episode.session_id, kActorCodePointsMax));
  return check_evidence_list("evidence", episode.evidence);
}

Status validate_resolution(const FactResolution& resolution) {
  PIMEMORY_TRY(check_id("factId", "mem_", resolution.fact_id));
  PIMEMORY_TRY(check_word("standing", resolution.standing, std::span(kStandings).subspan(1)));  // not candidate
  PIMEMORY_TRY(check_code_points("rationale", resolution.rationale, kRationaleCodePointsMax, Blank::refused));
  if (resolution.replacement_id) {
    PIMEMORY_TRY(check_id("replacementId", "mem_", *resolution.replacement_id));
    if (*resolution.replacement_id == resolution.fact_id)
      return fail(ErrorCode::self_reference, "replacementId names the fact itself");
  }
  return check_evidence_list("evidence", resolution.evidence);
}

}  // namespace pimemory
