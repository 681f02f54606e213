// Relatedness: shared wording counts, function words, numbers and single identifiers alone do not.
#include "text/relatedness.h"

#include <gtest/gtest.h>

namespace pimemory {
namespace {

bool related(std::string_view a, std::string_view b) {
  const bool forward = relatedness(a, b).related;
  EXPECT_EQ(forward, relatedness(b, a).related) << a << " / " << b;
  return forward;
}

TEST(Relatedness, TwoSharedStemsRelate) {
  EXPECT_TRUE(related("Publish releases from main", "publica siempre las releases desde main"));
  EXPECT_TRUE(related("use pnpm for every package", "Every packaging step runs through PNPM."));
  EXPECT_TRUE(related("La migración falló anoche", "la MIGRACION fallo"));
}

TEST(Relatedness, FunctionWordsNegationsAndNumbersDoNot) {
  EXPECT_FALSE(related("It was not so in 2024 and 2025", "That is not the case for 2024 or 2025"));
  EXPECT_FALSE(related("never without the others", "without them we never would"));
  EXPECT_FALSE(related("don't deploy now", "I don't like it"));
  EXPECT_FALSE(related("releases every week", "releases nothing"));
  EXPECT_TRUE(related("budget of 2024", "the 2024 budgets"));
}

TEST(Relatedness, AnIdentifierCountsAsOne) {
  EXPECT_FALSE(related("set max_retry_delay", "max_retry_delay is odd"));
  EXPECT_FALSE(related("set max_retry_delay", "the retry delay is maximal"));
  EXPECT_FALSE(related("see src/core/parser.cpp", "src/core/parser.cpp exists"));
  EXPECT_TRUE(related("max_retry_delay is five seconds", "five seconds for max_retry_delay"));
}

TEST(Relatedness, SpacelessScriptsCompareCharacterPairs) {
  EXPECT_TRUE(related("合并分支之前必须运行全部测试。", "合并之前运行测试"));
  EXPECT_FALSE(related("合并分支", "测试数据库每天重建"));
  EXPECT_TRUE(related("ห้ามเพิ่มไลบรารีใหม่", "ไม่เพิ่มไลบรารี"));
}

TEST(Relatedness, DifferentScriptsCannotBeCompared) {
  const Relatedness mixed = relatedness("合并分支之前必须运行全部测试。", "Run all tests before merging.");
  EXPECT_FALSE(mixed.comparable);
  EXPECT_FALSE(mixed.related);
  EXPECT_FALSE(relatedness("Всегда запускай все тесты", "Always run all tests").comparable);
  EXPECT_TRUE(relatedness("Всегда запускай тесты", "запускайте тесты").related);
  EXPECT_TRUE(relatedness("Docker 只用于支付模块的测试", "支付模块的测试使用 Docker").related);
  EXPECT_TRUE(relatedness("2024", "Use pnpm").comparable);
  EXPECT_TRUE(relatedness("테스트를 항상 실행하세요", "항상 테스트 실행").related);
}

TEST(Relatedness, CountsContentWords) {
  EXPECT_EQ(count_content_words(""), 0);
  EXPECT_EQ(count_content_words("ok, do it"), 0);
  EXPECT_EQ(count_content_words("Publish releases from main"), 3);
  EXPECT_EQ(count_content_words("npm failed"), 2);
  EXPECT_EQ(count_content_words("Keep max_retries at 300"), 3);
  EXPECT_EQ(count_content_words("测试数据库"), 4);
  EXPECT_EQ(count_content_words("never without them"), 0);
}

}  // namespace
}  // namespace pimemory
