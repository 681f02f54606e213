// base64url: the vectors of RFC 4648, and that one byte string has one text only.
#include "base/base64url.h"

#include <gtest/gtest.h>

#include <random>

namespace pimemory {
namespace {

TEST(Base64Url, GivesTheRfc4648VectorsWithoutPadding) {
  const std::pair<const char*, const char*> vectors[] = {
      {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},         {"foo", "Zm9v"},
      {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64url_encode(bytes), text);
    EXPECT_EQ(base64url_decode(text), bytes);
  }
}

TEST(Base64Url, UsesTheUrlAlphabet) {
  EXPECT_EQ(base64url_encode("\xfb\xff\xfe"), "-__-");
  EXPECT_EQ(base64url_decode("-__-"), "\xfb\xff\xfe");
  EXPECT_EQ(base64url_encode("año/1"), "YcOxby8x");
}

TEST(Base64Url, RefusesWhatDoesNotEncodeBackToItself) {
  // Padding, the other alphabet, white space, an impossible length, unused bits that are not zero.
  for (const char* text : {"Zg==", "Zm8=", "+//+", "Zm 9", "Zm9v\n", "Z", "Zm9vY", "Zh", "Zm9"}) {
    EXPECT_FALSE(base64url_decode(text)) << text;
  }
}

TEST(Base64Url, RoundTripsRandomBytes) {
  std::mt19937 engine(7);
  for (std::size_t size = 0; size < 200; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(engine() & 0xff));
    const std::string text = base64url_encode(bytes);
    EXPECT_EQ(text.size(), (size * 4 + 2) / 3);
    EXPECT_EQ(base64url_decode(text), bytes);
  }
}

}  // namespace
}  // namespace pimemory
