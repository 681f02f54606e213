// list pages over every fact once; inspect keeps whole items within its budget.
#include <set>

#include "engine/engine_fixture.h"
#include "engine/value.h"

namespace pimemory {
namespace {

using ReadingTest = EngineTest;

TEST_F(ReadingTest, PagesReachEachFactExactlyOnceNewestFirst) {
  for (int i = 0; i < 45; ++i) {
    if (i % 3 == 0) clock_.set(clock_.now() + 1'000);
    record(input("Statement number " + std::to_string(i) + " about the build"));
  }
  std::set<std::string> seen;
  ListQuery query;
  query.limit = 20;
  TimeMs last = kTestNow + kTestDay;
  for (int page = 0; page < 3; ++page) {
    const auto result = engine_->list(query);
    ASSERT_TRUE(result.has_value());
    for (const ListItem& item : result->items) {
      EXPECT_LE(item.recorded_at, last);
      last = item.recorded_at;
      EXPECT_TRUE(seen.insert(item.id).second);
    }
    query.after = result->next;
    EXPECT_EQ(result->next.has_value(), page < 2);
  }
  EXPECT_EQ(seen.size(), 45u);
}

TEST_F(ReadingTest, ListNarrowsByKindStandingAndTime) {
  FactInput constraint = input("Builds must finish within ten minutes", {native("ci log")});
  constraint.kind = "constraint";
  const std::string id = record(constraint);
  clock_.set(kTestNow + kTestDay);
  record(input("Use pnpm for this repository"));
  ListQuery query;
  query.kinds = {"constraint"};
  ASSERT_EQ(engine_->list(query)->items.size(), 1u);
  EXPECT_EQ(engine_->list(query)->items[0].id, id);
  EXPECT_EQ(engine_->list(query)->items[0].provenance, "native_observation");
  query = ListQuery{};
  query.since = kTestNow + 1;
  EXPECT_EQ(engine_->list(query)->items.size(), 1u);
  query = ListQuery{};
  query.standings = {"needs_review"};
  EXPECT_EQ(engine_->list(query)->items.size(), 1u);
  query = ListQuery{};
  query.as_of = kTestNow;
  EXPECT_EQ(engine_->list(query)->items.size(), 1u);
  query.kinds = {"idea"};
  EXPECT_EQ(code_of(engine_->list(query)), ErrorCode::invalid);
  query = ListQuery{};
  query.limit = 201;
  EXPECT_EQ(code_of(engine_->list(query)), ErrorCode::invalid);
}

TEST_F(ReadingTest, InspectIsWholeWithinItsBudget) {
  FactInput named = input("Use pnpm for this repository", {native(std::string(600, 'x'))});
  named.entities = {{"pnpm", "tool"}};
  const std::string first = record(named);
  const std::string second = record(input("Builds run on Linux", {native(std::string(9'000, 'y'))}));
  const auto result = engine_->inspect({first, second, "mem_00000000"}, std::nullopt, 4'096);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->status, "partial");
  ASSERT_EQ(result->items.size(), 1u);
  EXPECT_LE(result->items.dump().size(), 4'096u);
  EXPECT_EQ(result->items[0]["entities"][0]["name"], "pnpm");
  EXPECT_TRUE(has_gap(result->gaps, "byte_budget"));
  EXPECT_TRUE(has_gap(result->gaps, "unknown_id"));
  EXPECT_EQ(engine_->inspect({second}, std::nullopt, 32'768)->items.size(), 1u);
  EXPECT_EQ(code_of(engine_->inspect({}, std::nullopt)), ErrorCode::invalid);
  EXPECT_EQ(code_of(engine_->inspect({first}, std::nullopt, 511)), ErrorCode::invalid);
}

TEST_F(ReadingTest, AFactIsVisibleFromItsFirstInstantToBeforeItsEnd) {
  FactInput dated = input("The freeze is on", {native("calendar")});
  dated.valid_at = kTestNow + 10;
  dated.invalid_at = kTestNow + 20;
  const std::string id = record(dated);
  EXPECT_EQ(engine_->inspect({id}, kTestNow + 9)->items.size(), 0u);
  EXPECT_TRUE(has_gap(engine_->inspect({id}, kTestNow + 9)->gaps, "unknown_id"));
  EXPECT_EQ(engine_->inspect({id}, kTestNow + 10)->items.size(), 1u);
  EXPECT_EQ(engine_->inspect({id}, kTestNow + 19)->items.size(), 1u);
  EXPECT_EQ(engine_->inspect({id}, kTestNow + 20)->items.size(), 0u);
}

TEST_F(ReadingTest, ADeclaredDecisionOfAMonthIsProtectedAtEighty) {
  const std::string id = record(input("Use pnpm for this repository", {declared("use pnpm here please")}));
  const ValueAssessment value =
      assess_value(fact(id), {declared("use pnpm here please")}, FeedbackCounters{}, kTestNow + 30 * kTestDay);
  EXPECT_EQ(value.value, 80);
  EXPECT_TRUE(value.is_protected);
}

TEST_F(ReadingTest, StatusCountsOwnMirrorsNot) {
  record(input("Use pnpm for this repository"));
  ASSERT_TRUE(engine_->index(document("a.md", "# A\n\ntext")).has_value());
  const auto status = engine_->status();
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(status->facts, 1);
  EXPECT_EQ(status->needs_review, 1);
  EXPECT_EQ(status->documents, 1);
}

}  // namespace
}  // namespace pimemory
