// The bounds of records, each at its limit and one past it.
#include "contracts/validate.h"

#include <gtest/gtest.h>

#include <limits>

#include "contracts/sample_records.h"

namespace pimemory {
namespace {

using namespace samples;  // NOLINT: the samples are this file's vocabulary

std::string code_of(const Status& status) { return status ? "ok" : std::string(error_code_name(status.error().code)); }
std::string message_of(const Status& status) { return status ? "" : status.error().message; }

template <class Change>
std::string document_with(Change change) {
  SourceDocument d = document();
  change(d);
  return code_of(validate_document(d, kOwner));
}
template <class Change>
std::string fact_with(Change change) {
  TemporalFact f = fact();
  change(f);
  return code_of(validate_fact(f, kOwner));
}
template <class Change>
std::string evidence_with(Change change) {
  EvidenceRef e = evidence();
  change(e);
  return code_of(validate_evidence(e, "evidence"));
}

TEST(ValidateDocument, AcceptsTheSample) { EXPECT_EQ(message_of(validate_document(document(), kOwner)), ""); }

TEST(ValidateDocument, Namespace) {
  EXPECT_EQ(document_with([](auto& d) { d.name_space = "Memory"; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.name_space = ""; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.name_space = "1a"; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.name_space = "a/b"; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.name_space = "a0._-"; }), "ok");
  EXPECT_EQ(document_with([](auto& d) { d.name_space = std::string(64, 'a'); }), "ok");
  EXPECT_EQ(document_with([](auto& d) { d.name_space = std::string(65, 'a'); }), "too_large");
}

TEST(ValidateDocument, ExternalId) {
  EXPECT_EQ(document_with([](auto& d) { d.external_id = "  "; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.external_id = "a\tb"; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.external_id = repeat("日", 512); }), "ok");
  EXPECT_EQ(document_with([](auto& d) { d.external_id = repeat("日", 513); }), "too_large");
}

TEST(ValidateDocument, Scope) {
  EXPECT_EQ(document_with([](auto& d) { d.scope_kind = "team"; }), "project_owned_only");
  EXPECT_EQ(document_with([](auto& d) { d.scope_kind = "shared"; }), "project_owned_only");
  EXPECT_EQ(document_with([](auto& d) { d.scope_kind = "galaxy"; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.scope_id = "p_beta"; }), "owner_mismatch");
}

TEST(ValidateDocument, TextAndItsHash) {
  EXPECT_EQ(document_with([](auto& d) { set_text(d, " \n"); }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { set_text(d, "a\xff"); }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { set_text(d, std::string("a\0b", 3)); }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { set_text(d, std::string(1'000'000, 'a')); }), "ok");
  EXPECT_EQ(document_with([](auto& d) { set_text(d, std::string(1'000'001, 'a')); }), "too_large");
  EXPECT_EQ(document_with([](auto& d) { d.text += "!"; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.content_hash = ""; }), "invalid");
}

TEST(ValidateDocument, OtherTexts) {
  EXPECT_EQ(document_with([](auto& d) { d.source = std::string(257, 'a'); }), "too_large");
  EXPECT_EQ(document_with([](auto& d) { d.kind = ""; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.version = std::string(513, 'a'); }), "too_large");
  EXPECT_EQ(document_with([](auto& d) { d.title = std::string(1'024, 'a'); }), "ok");
  EXPECT_EQ(document_with([](auto& d) { d.title = std::string(1'025, 'a'); }), "too_large");
  EXPECT_EQ(document_with([](auto& d) { d.uri = std::string(4'097, 'a'); }), "too_large");
  EXPECT_EQ(document_with([](auto& d) { d.trust = "god"; }), "invalid");
}

TEST(ValidateDocument, ValidityMayBeEmptyButNotInverted) {
  const TimeMs early = at("2026-03-01T00:00:00Z"), late = at("2026-03-01T00:00:00.001Z");
  EXPECT_EQ(document_with([&](auto& d) { d.valid_from = early, d.valid_to = early; }), "ok");
  EXPECT_EQ(document_with([&](auto& d) { d.valid_from = late, d.valid_to = early; }), "invalid");
  EXPECT_EQ(document_with([&](auto& d) { d.valid_to = early; }), "ok");
  EXPECT_EQ(document_with([&](auto& d) { d.observed_at = kMaxTimeMs + 1; }), "invalid");
}

TEST(ValidateDocument, Metadata) {
  EXPECT_EQ(document_with([](auto& d) { d.metadata["k"] = std::string(4'096, 'v'); }), "ok");
  EXPECT_EQ(document_with([](auto& d) { d.metadata["k"] = std::string(4'097, 'v'); }), "too_large");
  EXPECT_EQ(document_with([](auto& d) { d.metadata[""] = "v"; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.metadata[repeat("ñ", 64)] = "v"; }), "ok");
  EXPECT_EQ(document_with([](auto& d) { d.metadata[repeat("ñ", 65)] = "v"; }), "too_large");
  EXPECT_EQ(document_with([](auto& d) {
              for (int i = 0; i < 65; ++i) d.metadata["k" + std::to_string(i)] = "v";
            }),
            "too_large");
}

TEST(ValidateDocument, SyncOrigin) {
  EXPECT_EQ(document_with([](auto& d) { d.sync = SyncOrigin{"pi-session", kHash}; }), "ok");
  EXPECT_EQ(document_with([](auto& d) { d.sync = SyncOrigin{"", kHash}; }), "invalid");
  EXPECT_EQ(document_with([](auto& d) { d.sync = SyncOrigin{"pi-session", std::string(64, 'A')}; }), "invalid");
}

TEST(ValidateEvidence, AcceptsExactlyFourPairs) {
  const std::vector<std::string> origins = {"host_observation", "user_statement", "agent_report", "imported_source"};
  const std::vector<std::string> provenances = {"native_observation", "declared", "agent_report", "imported"};
  int accepted = 0;
  for (std::size_t i = 0; i < origins.size(); ++i)
    for (std::size_t j = 0; j < provenances.size(); ++j) {
      const bool ok = evidence_with([&](auto& e) { e.origin = origins[i], e.provenance = provenances[j]; }) == "ok";
      EXPECT_EQ(ok, i == j) << origins[i] << "/" << provenances[j];
      accepted += ok;
    }
  EXPECT_EQ(accepted, 4);
}

TEST(ValidateEvidence, Bounds) {
  EXPECT_EQ(evidence_with([](auto& e) { set_excerpt(e, repeat("ñ", 4'096)); }), "ok");
  EXPECT_EQ(evidence_with([](auto& e) { set_excerpt(e, repeat("ñ", 4'096) + "a"); }), "too_large");
  EXPECT_EQ(evidence_with([](auto& e) { e.excerpt += "x"; }), "invalid");
  EXPECT_EQ(evidence_with([](auto& e) { set_excerpt(e, " "); }), "invalid");
  EXPECT_EQ(evidence_with([](auto& e) { e.id = "ev_short"; }), "invalid");
  EXPECT_EQ(evidence_with([](auto& e) { e.id = "mem_00000001"; }), "invalid");
  EXPECT_EQ(evidence_with([](auto& e) { e.session_id = repeat("é", 256); }), "ok");
  EXPECT_EQ(evidence_with([](auto& e) { e.tool_call_id = std::string(257, 'a'); }), "too_large");
}

TEST(ValidateFact, AcceptsTheSample) { EXPECT_EQ(message_of(validate_fact(fact(), kOwner)), ""); }

TEST(ValidateFact, NamesFieldLimitAndActualValue) {
  TemporalFact f = fact();
  f.statement = std::string(8'193, 'a');
  EXPECT_EQ(message_of(validate_fact(f, kOwner)), "statement is 8193 bytes; the limit is 8192 bytes");
  EXPECT_EQ(code_of(validate_fact(f, kOwner)), "too_large");
  f.statement.pop_back();
  EXPECT_EQ(code_of(validate_fact(f, kOwner)), "ok");
}

TEST(ValidateFact, Words) {
  EXPECT_EQ(fact_with([](auto& f) { f.kind = "idea"; }), "invalid");
  for (std::string_view standing : kStandings)
    EXPECT_EQ(fact_with([&](auto& f) { f.standing = standing; }), is_terminal_standing(standing) ? "invalid" : "ok");
  EXPECT_EQ(fact_with([](auto& f) { f.standing = ""; }), "invalid");
}

TEST(ValidateFact, Confidence) {
  for (double good : {0.0, 1.0, 0.5}) EXPECT_EQ(fact_with([&](auto& f) { f.confidence = good; }), "ok");
  for (double bad : {1.01, -0.01, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(fact_with([&](auto& f) { f.confidence = bad; }), "invalid");
}

TEST(ValidateFact, Lists) {
  const auto entities = [](int count) {
    return [count](auto& f) {
      f.entities.clear();
      for (int i = 0; i < count; ++i) f.entities.push_back(entity("ent_" + std::to_string(10'000'000 + i)));
    };
  };
  EXPECT_EQ(fact_with(entities(24)), "ok");
  EXPECT_EQ(fact_with(entities(25)), "too_large");
  EXPECT_EQ(fact_with([](auto& f) { f.entities = {entity(), entity()}; }), "invalid");
  EXPECT_EQ(fact_with([](auto& f) { f.evidence = {evidence(), evidence()}; }), "invalid");
  const auto superseded = [](int count) {
    return [count](auto& f) {
      for (int i = 0; i < count; ++i) f.supersedes.push_back("mem_" + std::to_string(20'000'000 + i));
    };
  };
  EXPECT_EQ(fact_with(superseded(32)), "ok");
  EXPECT_EQ(fact_with(superseded(33)), "too_large");
  EXPECT_EQ(fact_with([](auto& f) { f.episode_ids = {"ep_00000001", "ep_00000001"}; }), "invalid");
  EXPECT_EQ(fact_with([](auto& f) { f.episode_ids = {"mem_00000001"}; }), "invalid");
  EXPECT_EQ(fact_with([](auto& f) { f.supersedes = {f.id}; }), "self_reference");
  EXPECT_EQ(fact_with([](auto& f) { f.entities[0].scope_id = "p_beta"; }), "owner_mismatch");
}

TEST(ValidateFact, TextsAndTags) {
  EXPECT_EQ(fact_with([](auto& f) { f.subject = repeat("é", 512); }), "ok");
  EXPECT_EQ(fact_with([](auto& f) { f.subject = repeat("é", 513); }), "too_large");
  EXPECT_EQ(fact_with([](auto& f) { f.predicate = std::string(257, 'a'); }), "too_large");
  EXPECT_EQ(fact_with([](auto& f) { f.object = std::string(1'025, 'a'); }), "too_large");
  EXPECT_EQ(fact_with([](auto& f) { f.tags["k"] = repeat("é", 512); }), "ok");
  EXPECT_EQ(fact_with([](auto& f) { f.tags["k"] = std::string(513, 'a'); }), "too_large");
  EXPECT_EQ(fact_with([](auto& f) { f.id = "mem_UPPERCASE"; }), "invalid");
  EXPECT_EQ(fact_with([](auto& f) { f.scope_id = "p_beta"; }), "owner_mismatch");
}

TEST(ValidateFact, StartIsStrictlyBeforeEnd) {
  const TimeMs recorded = fact().recorded_at;
  EXPECT_EQ(fact_with([&](auto& f) { f.invalid_at = recorded; }), "invalid");
  EXPECT_EQ(fact_with([&](auto& f) { f.invalid_at = recorded + 1; }), "ok");
  EXPECT_EQ(fact_with([&](auto& f) { f.valid_at = f.invalid_at = recorded + 5; }), "invalid");
  EXPECT_EQ(fact_with([&](auto& f) { f.valid_at = recorded - 9, f.invalid_at = recorded - 8; }), "ok");
}

TEST(ValidateEntity, Bounds) {
  const auto with = [](auto change) {
    Entity e = entity();
    change(e);
    return code_of(validate_entity(e, kOwner, "entity"));
  };
  EXPECT_EQ(with([](auto&) {}), "ok");
  EXPECT_EQ(with([](auto& e) { e.name = ""; }), "invalid");
  EXPECT_EQ(with([](auto& e) { e.name = std::string(257, 'a'); }), "too_large");
  EXPECT_EQ(with([](auto& e) { e.type = std::string(65, 'a'); }), "too_large");
  EXPECT_EQ(with([](auto& e) { e.aliases.assign(17, "a"); }), "too_large");
  EXPECT_EQ(with([](auto& e) { e.summary = std::string(1'025, 'a'); }), "too_large");
}

TEST(ValidateEpisode, Bounds) {
  const auto with = [](auto change) {
    Episode e = episode();
    change(e);
    return code_of(validate_episode(e, kOwner));
  };
  EXPECT_EQ(with([](auto&) {}), "ok");
  EXPECT_EQ(with([](auto& e) { e.kind = "idea"; }), "invalid");
  EXPECT_EQ(with([](auto& e) { e.summary = std::string(8'193, 'a'); }), "too_large");
  EXPECT_EQ(with([](auto& e) { e.source = std::string(257, 'a'); }), "too_large");
  EXPECT_EQ(with([](auto& e) { e.scope_id = "p_beta"; }), "owner_mismatch");
  EXPECT_EQ(with([](auto& e) { e.id = "mem_00000001"; }), "invalid");
}

TEST(ValidateResolution, Bounds) {
  const auto with = [](auto change) {
    FactResolution r = resolution();
    change(r);
    return code_of(validate_resolution(r));
  };
  EXPECT_EQ(with([](auto&) {}), "ok");
  EXPECT_EQ(with([](auto& r) { r.standing = "candidate"; }), "invalid");
  EXPECT_EQ(with([](auto& r) { r.rationale = ""; }), "invalid");
  EXPECT_EQ(with([](auto& r) { r.rationale = repeat("é", 4'096); }), "ok");
  EXPECT_EQ(with([](auto& r) { r.rationale = repeat("é", 4'097); }), "too_large");
  EXPECT_EQ(with([](auto& r) { r.replacement_id = r.fact_id; }), "self_reference");
  EXPECT_EQ(with([](auto& r) { r.evidence = {evidence(), evidence()}; }), "invalid");
}

TEST(DocumentKey, RoundTripsAnyExternalId) {
  for (const std::string id : {"año/1", "añadir/日本:1", "a", "docs/guide.md"}) {
    const auto parts = parse_document_key(document_key("document", id));
    ASSERT_TRUE(parts) << id;
    EXPECT_EQ(parts->name_space, "document");
    EXPECT_EQ(parts->external_id, id);
  }
  EXPECT_EQ(document_key("memory", "a"), "memory:YQ");
}

TEST(DocumentKey, RefusesWhatDoesNotReencode) {
  for (const char* key :
       {"memory:YQ==", "memoryYQ", "memory:YR", "memory:", ":YQ", "Memory:YQ", "memory:Y Q", "memory:YQ:YQ", ""})
    EXPECT_FALSE(parse_document_key(key)) << key;
}

TEST(ProjectId, Shape) {
  EXPECT_TRUE(is_project_id("p_a"));
  EXPECT_TRUE(is_project_id("p_" + std::string(126, 'Z')));
  for (const std::string& bad : {std::string("p_"), "p_" + std::string(127, 'a'), std::string("x_a"),
                                 std::string("p_a/b"), std::string("p_a."), std::string()})
    EXPECT_FALSE(is_project_id(bad)) << bad;
}

}  // namespace
}  // namespace pimemory
