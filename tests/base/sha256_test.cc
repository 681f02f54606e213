// SHA-256 against the FIPS 180-4 examples, and the strictness of hexadecimal text.
#include "base/sha256.h"

#include <gtest/gtest.h>

#include <thread>

namespace pimemory {
namespace {

TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, HashesNulBytesAsContent) { EXPECT_NE(sha256_hex(std::string_view("a\0b", 3)), sha256_hex("a")); }

TEST(Sha256, IsIndependentPerThread) {
  const std::string expected = sha256_hex("abc");
  int equal = 0;
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) equal += sha256_hex("abc") == expected ? 1 : 0;
  });
  other.join();
  EXPECT_EQ(equal, 100);
}

TEST(Hex, RoundTripsEveryByte) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
  const std::string digits = to_hex({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
  EXPECT_EQ(digits.substr(0, 4), "0001");
  EXPECT_EQ(digits.substr(508), "feff");
  EXPECT_EQ(from_hex(digits), bytes);
  EXPECT_EQ(from_hex(""), "");
}

TEST(Hex, RefusesOtherText) {
  for (const char* text : {"0", "AB", "0g", "0x10", " 00", "ab "}) EXPECT_FALSE(from_hex(text)) << text;
  EXPECT_TRUE(is_lower_hex("00ff", 4));
  EXPECT_FALSE(is_lower_hex("00ff", 6));
  EXPECT_FALSE(is_lower_hex("00fF", 4));
}

}  // namespace
}  // namespace pimemory
