// Recording and resolving facts, and feedback on them.
#include <algorithm>
#include <array>
#include <utility>

#include "base/ids.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "contracts/record_fields.h"
#include "contracts/text_bounds.h"
#include "contracts/validate.h"
#include "engine/clean_text.h"
#include "engine/evidence.h"
#include "engine/gate.h"
#include "engine/memory_engine.h"
#include "engine/value.h"

namespace pimemory {
namespace {

using nlohmann::json;

constexpr std::size_t kStatementBytesMax = 8'192;
constexpr std::size_t kSubjectCodePointsMax = 512;
constexpr std::size_t kPredicateCodePointsMax = 256;
constexpr std::size_t kObjectCodePointsMax = 1'024;
constexpr std::size_t kEntityNameCodePointsMax = 256;
constexpr std::size_t kTagValueCodePointsMax = 512;
constexpr std::size_t kRationaleCodePointsMax = 4'096;
constexpr std::size_t kEntityHashDigits = 24;
constexpr std::size_t kDerivedHashDigits = 32;
constexpr double kConfidenceWithEvidence = 0.85;
constexpr double kConfidenceAlone = 0.5;

constexpr std::array<std::string_view, 10> kReservedTags = {
    "sourceDocumentKey", "sourceRevision", "sourceAdapter", "topicId",          "semanticKey",
    "summaryHash",       "originalHash",   "epistemic",     "analyzerProvider", "analyzerModel"};

// An agent's report is a statement about itself, no evidence for it.
bool only_reported(const std::vector<EvidenceRef>& evidence) {
  return std::all_of(evidence.begin(), evidence.end(),
                     [](const EvidenceRef& item) { return item.provenance == "agent_report"; });
}

// How far a standing reaches; a request above what the evidence allows is lowered.
int standing_rank(std::string_view standing) {
  return standing == "supported" ? 2 : standing == "needs_review" ? 1 : 0;
}

std::string standing_gap(const std::string& standing) {
  return "standing_limited: the evidence allows " + standing +
         " at most; cite evidence of this session or quote the user exactly";
}

Status clean_entities(const FactInput& input, TemporalFact& fact) {
  for (const FactInput::NamedEntity& named : input.entities) {
    Entity entity;
    entity.scope_id = fact.scope_id;
    entity.name = named.name;
    entity.type = named.type;
    PIMEMORY_TRY(clean_code_points("entities.name", entity.name, kEntityNameCodePointsMax));
    PIMEMORY_TRY(check_identifier("entities.type", entity.type));
    const std::string identity =
        fact.scope_id + std::string(1, '\0') + entity.type + std::string(1, '\0') + case_fold(entity.name);
    entity.id = "ent_" + sha256_hex(identity).substr(0, kEntityHashDigits);
    fact.entities.push_back(std::move(entity));
  }
  return {};
}

Status clean_tags(const FactInput& input, TemporalFact& fact, Gaps& gaps) {
  fact.tags = input.tags;
  if (!input.engine_tags) {
    std::string left_out;
    for (const std::string_view name : kReservedTags)
      if (fact.tags.erase(std::string(name)) > 0) left_out += (left_out.empty() ? "" : ", ") + std::string(name);
    if (!left_out.empty())
      gaps.push_back("reserved_tag: left out " + left_out + ", which only the engine sets; use names of your own");
  }
  PIMEMORY_TRY(check_string_map("tags", fact.tags, kTagValueCodePointsMax, Unit::code_points));
  return clean_map("tags", fact.tags);
}

Status clean_fact_texts(TemporalFact& fact) {
  PIMEMORY_TRY(clean_bytes("statement", fact.statement, kStatementBytesMax));
  PIMEMORY_TRY(clean_code_points("subject", fact.subject, kSubjectCodePointsMax));
  PIMEMORY_TRY(clean_code_points("predicate", fact.predicate, kPredicateCodePointsMax));
  PIMEMORY_TRY(clean_code_points("object", fact.object, kObjectCodePointsMax));
  PIMEMORY_TRY(clean_evidence(fact.evidence));
  PIMEMORY_TRY(check_identifier("id", fact.id));
  PIMEMORY_TRY(check_word("kind", fact.kind, kFactKinds));
  for (const std::string& id : fact.episode_ids) PIMEMORY_TRY(check_identifier("episodeIds", id));
  for (const std::string& id : fact.supersedes) PIMEMORY_TRY(check_identifier("supersedes", id));
  return {};
}

Status set_standing(const FactInput& input, TemporalFact& fact, Gaps& gaps) {
  const std::string highest = highest_standing(fact.evidence);
  fact.standing = input.standing.value_or(highest);
  PIMEMORY_TRY(check_word("standing", fact.standing, kStandings));
  if (is_terminal_standing(fact.standing))
    return fail(ErrorCode::invalid, "standing is " + fact.standing + "; a new fact is never terminal",
                "record it first, then resolve it");
  if (standing_rank(fact.standing) > standing_rank(highest)) {
    fact.standing = highest;
    gaps.push_back(standing_gap(highest));
  }
  return {};
}

std::string derived_id(const std::string& derivation, std::int64_t generation) {
  const std::string suffix = generation == 1 ? "" : ":g" + std::to_string(generation);
  return "mem_" + sha256_hex(derivation + suffix).substr(0, kDerivedHashDigits);
}

// Everything of a fact that does not depend on what is stored.
Result<TemporalFact> compose_fact(Env& env, const std::string& owner, const FactInput& input, TimeMs now, Gaps& gaps) {
  TemporalFact fact;
  fact.id = input.derivation ? derived_id(*input.derivation, 1) : input.id ? *input.id : "mem_" + uuid_v4(env.random);
  fact.scope_id = owner;
  fact.kind = input.kind;
  fact.statement = input.statement;
  fact.subject = input.subject;
  fact.predicate = input.predicate;
  fact.object = input.object;
  fact.evidence = input.evidence;
  fact.episode_ids = input.episode_ids;
  fact.supersedes = input.supersedes;
  fact.confidence =
      input.confidence.value_or(only_reported(input.evidence) ? kConfidenceAlone : kConfidenceWithEvidence);
  fact.valid_at = input.valid_at;
  fact.invalid_at = input.invalid_at;
  fact.recorded_at = input.recorded_at.value_or(now);
  if (fact.recorded_at > now) return fail(ErrorCode::invalid, "recordedAt is in the future; it may only be backdated");
  PIMEMORY_TRY(clean_fact_texts(fact));
  PIMEMORY_TRY(clean_entities(input, fact));
  PIMEMORY_TRY(clean_tags(input, fact, gaps));
  PIMEMORY_TRY(set_standing(input, fact, gaps));
  if (!fact.supersedes.empty() && !has_witness(fact.evidence))
    return fail(ErrorCode::evidence_required,
                "supersedes ends another fact, which needs a native or declared evidence");
  return fact;
}

Status check_references(const DomainReader& domain, const TemporalFact& fact) {
  for (const std::string& id : fact.supersedes) {
    if (id == fact.id) return fail(ErrorCode::self_reference, "supersedes names the fact itself");
    if (!domain.fact(id)) return unknown_fact(id);
  }
  for (const std::string& id : fact.episode_ids)
    if (!domain.episode(id))
      return fail(ErrorCode::unknown_episode, "no episode of this project has the id that episodeIds names");
  return {};
}

struct Generation {
  std::string id;
  std::optional<std::string> restates;
  std::optional<FactRow> live_holder;
};

// The newest generation of a derived id: its live holder, or the next free id after an ended one.
Generation next_generation(const DomainReader& domain, const std::string& derivation, TimeMs now,
                           const std::vector<std::string>& revised) {
  Generation next{derived_id(derivation, 1), std::nullopt, std::nullopt};
  for (std::int64_t generation = 1;; ++generation) {
    next.id = derived_id(derivation, generation);
    const auto holder = domain.fact(next.id);
    if (!holder) return next;
    if (is_live(*holder, now) && std::ranges::find(revised, holder->id) == revised.end()) {
      next.live_holder = holder;
      return next;
    }
    next.restates = holder->id;
  }
}

RecordResult duplicate_of(const FactRow& fact) {
  RecordResult result;
  result.status = "duplicate";
  result.id = fact.id;
  result.standing = fact.standing;
  result.reason = "duplicate";
  return result;
}

RecordResult abstained(std::string reason) {
  RecordResult result;
  result.status = "abstained";
  result.reason = std::move(reason);
  return result;
}

}  // namespace

Result<RecordResult> MemoryEngine::record_fact(const FactInput& input) {
  const TimeMs now = env_.clock.now();
  Gaps gaps;
  PIMEMORY_ASSIGN(const TemporalFact composed, compose_fact(env_, owner(), input, now, gaps));
  if (auto reason = refused_by_words(composed.statement)) return abstained(*reason);
  PIMEMORY_TRY(validate_fact(composed, owner()));
  const Status english = check_english("statement", composed.statement);
  const std::string hash = wording_hash(composed.statement);

  RecordResult result;
  const auto body = [&](Draft& draft) -> Status {
    const DomainReader& domain = draft.domain();
    TemporalFact fact = composed;
    std::optional<std::string> restates;
    if (input.derivation) {
      Generation next = next_generation(domain, *input.derivation, now, fact.supersedes);
      if (next.live_holder) {
        result = duplicate_of(*next.live_holder);
        return {};
      }
      fact.id = next.id;
      restates = next.restates;
    } else if (domain.fact(fact.id)) {
      return fail(ErrorCode::fact_exists, "a fact with the id " + fact.id + " exists");
    }
    PIMEMORY_TRY(check_references(domain, fact));
    const auto counts = [&](const FactRow& other) { return !std::ranges::count(fact.supersedes, other.id); };
    if (const auto live = wordings_->find_live(domain, hash, now, counts)) {
      result = duplicate_of(*live);
      return {};
    }
    if (!english) return english;
    json payload = {{"type", "fact.recorded"}, {"fact", encode_record(fact)}};
    if (restates) payload["restates"] = *restates;
    PIMEMORY_TRY(draft.append(std::move(payload)));
    PIMEMORY_TRY(draft.count_activity(0, 0, 1));
    result = RecordResult{};
    result.id = fact.id;
    result.standing = fact.standing;
    result.reason = admitted_as(fact.statement, fact.kind);
    return {};
  };
  PIMEMORY_TRY(authority_->transaction(now, Repeatable::yes, body));
  if (result.status != "recorded") return result;
  result.gaps = std::move(gaps);
  add_dense_gap(result.gaps);
  return result;
}

namespace {

// What a resolution may reach, given the fact and the evidence of both.
Result<std::string> reachable_standing(const DomainReader& domain, const FactRow& fact,
                                       const FactResolution& resolution, Gaps& gaps) {
  if (is_terminal_standing(resolution.standing)) {
    if (has_witness(resolution.evidence)) return resolution.standing;
    return fail(ErrorCode::evidence_required, "ending a fact needs a native or declared evidence of its own");
  }
  if (is_terminal_standing(fact.standing))
    return fail(ErrorCode::closed_interval, "the fact is " + fact.standing + "; an ended interval never reopens");
  if (resolution.standing != "supported" || has_witness(resolution.evidence)) return resolution.standing;
  if (has_witness(evidence_of(domain, fact.id))) return resolution.standing;
  if (resolution.evidence.empty())
    return fail(ErrorCode::evidence_required, "\"supported\" needs evidence, and neither the fact nor this has any");
  // An agent report is kept beside the fact and changes nothing about it.
  if (fact.standing == "supported") return fact.standing;
  gaps.push_back(standing_gap("needs_review"));
  return std::string("needs_review");
}

Result<FactResolution> compose_resolution(const ResolveInput& input) {
  FactResolution resolution;
  resolution.fact_id = input.fact_id;
  resolution.standing = input.standing;
  resolution.rationale = input.rationale;
  resolution.replacement_id = input.replacement_id;
  resolution.evidence = input.evidence;
  PIMEMORY_TRY(clean_code_points("rationale", resolution.rationale, kRationaleCodePointsMax));
  PIMEMORY_TRY(clean_evidence(resolution.evidence));
  PIMEMORY_TRY(check_identifier("factId", resolution.fact_id));
  PIMEMORY_TRY(check_identifier("replacementId", resolution.replacement_id.value_or("")));
  PIMEMORY_TRY(validate_resolution(resolution));
  PIMEMORY_TRY(check_english("rationale", resolution.rationale));
  return resolution;
}

}  // namespace

Result<ResolveResult> MemoryEngine::resolve_fact(const ResolveInput& input) {
  const TimeMs now = env_.clock.now();
  PIMEMORY_ASSIGN(const FactResolution composed, compose_resolution(input));
  ResolveResult result;
  const auto body = [&](Draft& draft) -> Status {
    result = ResolveResult{};
    FactResolution resolution = composed;
    const auto fact = draft.domain().fact(resolution.fact_id);
    if (!fact) return unknown_fact(resolution.fact_id);
    if (resolution.replacement_id && !draft.domain().fact(*resolution.replacement_id))
      return unknown_fact(*resolution.replacement_id);
    PIMEMORY_ASSIGN(resolution.standing, reachable_standing(draft.domain(), *fact, resolution, result.gaps));
    if (resolution.replacement_id && !is_terminal_standing(resolution.standing)) {
      resolution.replacement_id.reset();
      result.gaps.push_back("parameter_unused: replacementId is for contradicted and superseded; it was ignored");
    }
    json payload = encode_record(resolution);
    payload["type"] = "fact.resolved";
    PIMEMORY_TRY(draft.append(std::move(payload)));
    const auto after = draft.domain().fact(resolution.fact_id);
    if (!after) return fail(ErrorCode::internal_error, "the resolved fact vanished within its transaction");
    result.fact_id = after->id;
    result.standing = after->standing;
    result.invalid_at = after->invalid_at;
    result.expired_at = after->expired_at;
    return {};
  };
  PIMEMORY_TRY(authority_->transaction(now, Repeatable::yes, body));
  return result;
}

Result<FeedbackResult> MemoryEngine::feedback(const std::string& fact_id, const std::string& signal,
                                              const std::string& query) {
  const TimeMs now = env_.clock.now();
  PIMEMORY_TRY(check_word("signal", signal, kFeedbackSignals));
  if (!is_valid_utf8(query) || has_nul(query) || is_blank(query))
    return fail(ErrorCode::invalid, "query is blank, not UTF-8 or holds the character U+0000");
  const std::string query_hash = sha256_hex(collapse_whitespace(nfc(query)));
  FeedbackResult result;
  const auto body = [&](Draft& draft) -> Status {
    result = FeedbackResult{};
    const auto fact = draft.domain().fact(fact_id);
    if (!fact) return unknown_fact(fact_id);
    const auto rows = draft.domain().feedback_of(fact_id);
    result.review = fact->review_event_id.has_value();
    if (std::ranges::any_of(
            rows, [&](const FeedbackRow& row) { return row.signal == signal && row.query_hash == query_hash; }))
      return {};
    PIMEMORY_TRY(draft.append(
        {{"type", "retrieval.feedback"}, {"factId", fact_id}, {"signal", signal}, {"queryHash", query_hash}}));
    result.recorded = true;
    const auto after = draft.domain().fact(fact_id);
    result.review = after && after->review_event_id.has_value();
    return {};
  };
  PIMEMORY_TRY(authority_->transaction(now, Repeatable::yes, body));
  return result;
}

}  // namespace pimemory
