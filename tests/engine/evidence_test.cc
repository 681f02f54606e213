// Each provenance has one door, and what it keeps is redacted, bounded and hashed.
#include "engine/evidence.h"

#include "base/sha256.h"
#include "base/utf8.h"
#include "engine/engine_fixture.h"

namespace pimemory {
namespace {

using EvidenceTest = EngineTest;

TEST_F(EvidenceTest, NativeOutputIsCutAtACodePointAndHashed) {
  std::string output;
  for (int i = 0; i < 4'500; ++i) output += "é";
  const EvidenceRef item = native(output);
  EXPECT_EQ(item.excerpt.size(), 8'192u);
  EXPECT_TRUE(is_valid_utf8(item.excerpt));
  EXPECT_EQ(item.content_hash, sha256_hex(item.excerpt));
  EXPECT_EQ(item.provenance, "native_observation");
}

TEST_F(EvidenceTest, ACutNeverLeavesHalfAPlaceholder) {
  const EvidenceRef item = native(std::string(8'176, 'x') + "\npassword=hunter2 and more");
  EXPECT_EQ(item.excerpt.find("<REDACTED"), std::string::npos);
  EXPECT_EQ(item.excerpt.find("hunter2"), std::string::npos);
  EXPECT_TRUE(item.excerpt.ends_with("password="));
}

TEST_F(EvidenceTest, AQuoteThatRedactionLengthensPastTheBoundIsRefused) {
  const std::string quote = std::string(8'173, 'x') + " password=hunter2";
  EXPECT_EQ(code_of(user_evidence(env_, quote, "s", kTestNow)), ErrorCode::too_large);
}

TEST_F(EvidenceTest, OnlyNativeAndDeclaredItemsAreWitnesses) {
  EXPECT_EQ(highest_standing({native("ok")}), "supported");
  EXPECT_EQ(highest_standing({reported("I saw it"), declared("use pnpm here")}), "supported");
  EXPECT_EQ(highest_standing({reported("I saw it")}), "needs_review");
  EXPECT_EQ(highest_standing({}), "needs_review");
}

}  // namespace
}  // namespace pimemory
