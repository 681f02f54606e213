// Recording, resolving and feedback: standing by evidence, intervals, the gate and what is refused.
#include "base/sha256.h"
#include "engine/engine_fixture.h"

namespace pimemory {
namespace {

using FactsTest = EngineTest;

TEST_F(FactsTest, NativeEvidenceSupportsADecision) {
  const auto result = engine_->record_fact(input("Use pnpm for this repository", {native("pnpm-lock.yaml")}));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->standing, "supported");
  EXPECT_TRUE(has_gap(result->gaps, "dense_unavailable"));
  EXPECT_EQ(fact(result->id).confidence, 0.85);
  EXPECT_EQ((*engine_->authority().snapshot())->activity().inserts, 1);
}

TEST_F(FactsTest, AskingForMoreThanTheEvidenceGivesTheHighestAndAGap) {
  FactInput asked = input("Use pnpm for this repository");
  asked.standing = "supported";
  const auto result = engine_->record_fact(asked);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->standing, "needs_review");
  EXPECT_TRUE(has_gap(result->gaps, "standing_limited"));
  asked.statement = "Use npm for that repository";
  asked.standing = "superseded";
  EXPECT_EQ(code_of(engine_->record_fact(asked)), ErrorCode::invalid);
  EXPECT_EQ(events(), 1);
}

TEST_F(FactsTest, TheGateAbstainsWithoutAnEvent) {
  for (const char* statement : {"ok", "Hecho.", "npm failed", "  "}) {
    const auto result = engine_->record_fact(input(statement));
    ASSERT_TRUE(result.has_value()) << statement;
    EXPECT_EQ(result->status, "abstained") << statement;
  }
  EXPECT_EQ(events(), 0);
}

TEST_F(FactsTest, ALiveWordingIsADuplicateAlsoForAnotherEngine) {
  const std::string id = record(input("Use pnpm"));
  const auto other = open_engine();
  const auto result = other->record_fact(input("use  PNPM."));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->status, "duplicate");
  EXPECT_EQ(result->id, id);
  const auto negated = other->record_fact(input("Do not use pnpm"));
  ASSERT_TRUE(negated.has_value());
  EXPECT_EQ(negated->status, "recorded");
  EXPECT_EQ(negated->reason, "correction");
  EXPECT_EQ(events(), 2);
}

TEST_F(FactsTest, ADerivedFactIsOneWhileLiveAndRestatedAfterwards) {
  FactInput stated = input("Publish releases from main", {declared("publish releases from main")});
  stated.derivation = "declared:p:releases:hash";
  const std::string first = record(stated);
  EXPECT_EQ(first, "mem_" + sha256_hex("declared:p:releases:hash").substr(0, 32));
  stated.statement = "Releases are published from main";
  EXPECT_EQ(engine_->record_fact(stated)->id, first);
  clock_.set(kTestNow + kTestDay);
  ASSERT_TRUE(engine_->resolve_fact(resolution(first, "contradicted", {declared("no longer from main")})).has_value());
  const std::string second = record(stated);
  EXPECT_NE(second, first);
  EXPECT_EQ(fact(second).generation, 2);
  EXPECT_EQ(fact(first).invalid_at, kTestNow + kTestDay);
  EXPECT_EQ((*engine_->authority().snapshot())->domain().links_from(second).at(0).relation, "restates");
}

TEST_F(FactsTest, AFutureReplacementLeavesThePresentAnswerInForce) {
  const std::string old = record(input("The port is 8080", {native("port 8080")}));
  FactInput next = input("The port is 9090", {native("port 9090 planned")});
  next.valid_at = kTestNow + 30 * kTestDay;
  next.supersedes = {old};
  record(next);
  const FactRow row = fact(old);
  EXPECT_EQ(row.standing, "superseded");
  EXPECT_EQ(row.invalid_at, kTestNow + 30 * kTestDay);
  EXPECT_EQ(row.expired_at, kTestNow);
  const auto seen = engine_->inspect({old}, std::nullopt);
  ASSERT_EQ(seen->items.size(), 1u);
  EXPECT_EQ(seen->items[0]["effectiveStanding"], "supported");
}

TEST_F(FactsTest, EndingAFactNeedsAWitness) {
  const std::string id = record(input("The port is 8080", {native("port 8080")}));
  FactInput next = input("The port is 9090", {reported("I changed it")});
  next.supersedes = {id};
  EXPECT_EQ(code_of(engine_->record_fact(next)), ErrorCode::evidence_required);
  EXPECT_EQ(code_of(engine_->resolve_fact(resolution(id, "contradicted"))), ErrorCode::evidence_required);
  EXPECT_EQ(code_of(engine_->resolve_fact(resolution(id, "superseded", {reported("x is over")}))),
            ErrorCode::evidence_required);
  EXPECT_EQ(events(), 1);
}

TEST_F(FactsTest, SupportNeedsAWitnessAndAnAgentReportIsOnlyKept) {
  const std::string id = record(input("The port is 8080", {reported("I read it")}));
  EXPECT_EQ(code_of(engine_->resolve_fact(resolution(id, "supported"))), ErrorCode::evidence_required);
  const auto limited = engine_->resolve_fact(resolution(id, "supported", {reported("still so")}));
  ASSERT_TRUE(limited.has_value());
  EXPECT_EQ(limited->standing, "needs_review");
  EXPECT_TRUE(has_gap(limited->gaps, "standing_limited"));
  const auto supported = engine_->resolve_fact(resolution(id, "supported", {declared("the port is 8080")}));
  ASSERT_TRUE(supported.has_value());
  EXPECT_EQ(supported->standing, "supported");
  const auto seen = engine_->inspect({id}, std::nullopt);
  EXPECT_NE(seen->items.dump().find("the port is 8080"), std::string::npos);
}

TEST_F(FactsTest, AnEndedIntervalNeverReopensAndOnlyShortens) {
  FactInput planned = input("The office moves", {native("calendar")});
  planned.valid_at = kTestNow + 100 * kTestDay;
  const std::string id = record(planned);
  const auto first = engine_->resolve_fact(resolution(id, "contradicted", {declared("it was cancelled")}));
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->invalid_at, planned.valid_at);
  EXPECT_EQ(code_of(engine_->resolve_fact(resolution(id, "supported", {declared("it is on again")}))),
            ErrorCode::closed_interval);
  clock_.set(kTestNow + kTestDay);
  const auto second = engine_->resolve_fact(resolution(id, "superseded", {declared("it was replaced")}));
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->expired_at, first->expired_at);
  EXPECT_LE(*second->invalid_at, *first->invalid_at);
}

TEST_F(FactsTest, UnknownAndOwnIdsAreRefusedBeforeAnythingIsWritten) {
  const std::string id = record(input("The port is 8080", {native("port 8080")}));
  ResolveInput own = resolution(id, "superseded", {native("port 9090")});
  own.replacement_id = id;
  EXPECT_EQ(code_of(engine_->resolve_fact(own)), ErrorCode::self_reference);
  own.replacement_id = "mem_00000000";
  EXPECT_EQ(code_of(engine_->resolve_fact(own)), ErrorCode::unknown_fact);
  FactInput next = input("The port is 9090", {native("port 9090")});
  next.supersedes = {"mem_00000000"};
  EXPECT_EQ(code_of(engine_->record_fact(next)), ErrorCode::unknown_fact);
  next.supersedes.clear();
  next.episode_ids = {"ep_00000000"};
  EXPECT_EQ(code_of(engine_->record_fact(next)), ErrorCode::unknown_episode);
  next.episode_ids.clear();
  next.id = id;
  EXPECT_EQ(code_of(engine_->record_fact(next)), ErrorCode::fact_exists);
  EXPECT_EQ(events(), 1);
}

TEST_F(FactsTest, ForgedTagsAreLeftOutAndOthersKept) {
  FactInput tagged = input("Use pnpm for this repository");
  tagged.tags = {{"topicId", "topic_forged"}, {"area", "build"}};
  const auto result = engine_->record_fact(tagged);
  ASSERT_TRUE(result.has_value());
  EXPECT_TRUE(has_gap(result->gaps, "reserved_tag"));
  EXPECT_EQ(fact(result->id).tags, (StringMap{{"area", "build"}}));
}

TEST_F(FactsTest, SecretsAreRedactedInTextAndRefusedInIds) {
  FactInput fact_input = input("The database uses password=hunter2 in staging");
  const std::string id = record(fact_input);
  EXPECT_EQ(fact(id).statement.find("hunter2"), std::string::npos);
  fact_input = input("Another statement about the database");
  fact_input.id = "ghp_a1b2c3d4e5f6a1b2c3d4";
  EXPECT_EQ(code_of(engine_->record_fact(fact_input)), ErrorCode::secret_in_identifier);
}

TEST_F(FactsTest, AnotherLanguageIsRefusedInStatementAndRationale) {
  const std::string spanish = "Usamos pnpm para el repositorio y no para los otros proyectos de la empresa";
  EXPECT_EQ(code_of(engine_->record_fact(input(spanish))), ErrorCode::not_english);
  const std::string id = record(input("Use pnpm for this repository"));
  ResolveInput resolve = resolution(id, "needs_review");
  resolve.rationale = spanish;
  EXPECT_EQ(code_of(engine_->resolve_fact(resolve)), ErrorCode::not_english);
}

TEST_F(FactsTest, TenMaximalExcerptsAreTooLarge) {
  FactInput large = input("Use pnpm for this repository");
  for (char c = 'a'; c < 'k'; ++c) large.evidence.push_back(native(std::string(8'192, c)));
  EXPECT_EQ(code_of(engine_->record_fact(large)), ErrorCode::too_large);
  EXPECT_EQ(events(), 0);
}

TEST_F(FactsTest, FeedbackCountsOnceAndRequestsAReview) {
  const std::string id = record(input("The port is 8080", {native("port 8080")}));
  const auto first = engine_->feedback(id, "wrong", "which  port");
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(first->recorded);
  EXPECT_TRUE(first->review);
  const auto again = engine_->feedback(id, "wrong", " which port ");
  ASSERT_TRUE(again.has_value());
  EXPECT_FALSE(again->recorded);
  EXPECT_EQ(engine_->inspect({id}, std::nullopt)->items[0]["feedback"]["wrong"], 1);
  EXPECT_EQ(code_of(engine_->feedback("mem_00000000", "used", "q")), ErrorCode::unknown_fact);
  EXPECT_EQ(code_of(engine_->feedback(id, "great", "q")), ErrorCode::invalid);
  ASSERT_TRUE(engine_->resolve_fact(resolution(id, "needs_review")).has_value());
  EXPECT_FALSE(fact(id).review_event_id.has_value());
}

TEST_F(FactsTest, BackdatingIsAllowedAndPostdatingIsNot) {
  FactInput dated = input("The port was chosen in winter");
  dated.recorded_at = kTestNow + 1;
  EXPECT_EQ(code_of(engine_->record_fact(dated)), ErrorCode::invalid);
  dated.recorded_at = kTestNow - kTestDay;
  EXPECT_EQ(fact(record(dated)).recorded_at, kTestNow - kTestDay);
}

}  // namespace
}  // namespace pimemory
