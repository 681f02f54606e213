// Ids: UUIDs have the version and variant bits, and patterns are checked exactly.
#include "base/ids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace pimemory {
namespace {

class ConstantRandom final : public Random {
 public:
  explicit ConstantRandom(unsigned char byte) : byte_(byte) {}
  void fill(std::span<unsigned char> out) override { std::ranges::fill(out, byte_); }

 private:
  unsigned char byte_;
};

TEST(Uuid, SetsVersionAndVariant) {
  ConstantRandom zeros(0x00);
  ConstantRandom ones(0xff);
  EXPECT_EQ(uuid_v4(zeros), "00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(uuid_v4(ones), "ffffffff-ffff-4fff-bfff-ffffffffffff");
}

TEST(Uuid, IsAcceptedByTheCheckAndDiffers) {
  SeededRandom random(1);
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = uuid_v4(random);
    EXPECT_TRUE(is_uuid_v4(uuid)) << uuid;
    seen.insert(uuid);
  }
  EXPECT_EQ(seen.size(), 1000u);
}

TEST(Uuid, RefusesOtherText) {
  for (const char* text : {"", "00000000-0000-4000-8000-00000000000", "00000000-0000-4000-8000-0000000000000",
                           "00000000-0000-1000-8000-000000000000", "00000000-0000-4000-c000-000000000000",
                           "0000000A-0000-4000-8000-000000000000", "000000000000-4000-8000-0000-00000000"}) {
    EXPECT_FALSE(is_uuid_v4(text)) << text;
  }
}

TEST(Id, HoldsPrefixAndBoundedBody) {
  EXPECT_TRUE(is_id("mem_", "mem_abcdef_-"));
  EXPECT_TRUE(is_id("mem_", "mem_" + std::string(64, '9')));
  EXPECT_TRUE(is_id("mem_", "mem_00000000-0000-4000-8000-000000000000"));
  EXPECT_FALSE(is_id("mem_", "mem_abcdefg"));
  EXPECT_FALSE(is_id("mem_", "mem_" + std::string(65, '9')));
  EXPECT_FALSE(is_id("mem_", "ev_abcdefgh"));
  EXPECT_FALSE(is_id("mem_", "mem_ABCDEFGH"));
  EXPECT_FALSE(is_id("mem_", "mem_abcd.fgh"));
  EXPECT_FALSE(is_id("mem_", "mem_abcdefgh\n"));
  EXPECT_FALSE(is_id("mem_", ""));
}

}  // namespace
}  // namespace pimemory
