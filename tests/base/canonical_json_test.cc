// RFC 8785: the RFC's own vectors, what has no canonical form, and what the strict reader refuses.
#include "base/canonical_json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "base/sha256.h"

namespace pimemory {
namespace {

using nlohmann::json;

std::string canonical(const json& value) {
  const auto result = canonical_json(value);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result.value_or("");
}

json parsed(std::string_view text) {
  const auto result = parse_strict_json(text);
  EXPECT_TRUE(result) << text << ": " << (result ? "" : result.error().message);
  return result.value_or(json());
}

void expect_refused(std::string_view text, std::string_view part_of_message) {
  const auto result = parse_strict_json(text);
  ASSERT_FALSE(result) << text;
  EXPECT_EQ(result.error().code, ErrorCode::invalid);
  EXPECT_NE(result.error().message.find(part_of_message), std::string::npos) << text << ": " << result.error().message;
}

TEST(CanonicalNumber, GivesTheVectorsOfAppendixB) {
  const std::pair<std::uint64_t, const char*> vectors[] = {{0x0000000000000000, "0"},
                                                           {0x8000000000000000, "0"},
                                                           {0x0000000000000001, "5e-324"},
                                                           {0x8000000000000001, "-5e-324"},
                                                           {0x7fefffffffffffff, "1.7976931348623157e+308"},
                                                           {0xffefffffffffffff, "-1.7976931348623157e+308"},
                                                           {0x4340000000000000, "9007199254740992"},
                                                           {0xc340000000000000, "-9007199254740992"},
                                                           {0x4430000000000000, "295147905179352830000"},
                                                           {0x44b52d02c7e14af5, "9.999999999999997e+22"},
                                                           {0x44b52d02c7e14af6, "1e+23"},
                                                           {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
                                                           {0x444b1ae4d6e2ef4e, "999999999999999700000"},
                                                           {0x444b1ae4d6e2ef4f, "999999999999999900000"},
                                                           {0x444b1ae4d6e2ef50, "1e+21"},
                                                           {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
                                                           {0x3eb0c6f7a0b5ed8d, "0.000001"},
                                                           {0x41b3de4355555553, "333333333.3333332"},
                                                           {0x41b3de4355555554, "333333333.33333325"},
                                                           {0x41b3de4355555555, "333333333.3333333"},
                                                           {0x41b3de4355555556, "333333333.3333334"},
                                                           {0x41b3de4355555557, "333333333.33333343"},
                                                           {0xbecbf647612f3696, "-0.0000033333333333333333"},
                                                           {0x43143ff3c1cb0959, "1424953923781206.2"}};
  for (const auto& [bits, text] : vectors) {
    const auto number = canonical_number(std::bit_cast<double>(bits));
    ASSERT_TRUE(number);
    EXPECT_EQ(*number, text);
  }
  EXPECT_FALSE(canonical_number(std::bit_cast<double>(0x7fffffffffffffffu)));
  EXPECT_FALSE(canonical_number(std::bit_cast<double>(0x7ff0000000000000u)));
  EXPECT_FALSE(canonical_number(std::bit_cast<double>(0xfff0000000000000u)));
}

TEST(CanonicalNumber, ReadsBackAsTheSameDouble) {
  std::mt19937_64 engine(5);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(engine());
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(std::strtod(canonical_number(value)->c_str(), nullptr), value);
  }
}

TEST(CanonicalJson, GivesTheExampleOfSection322) {
  const json value = parsed(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  })");
  const std::string expected_hex =
      "7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e33333333"
      "3333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c"
      "5c5c5c5c222f227d";
  EXPECT_EQ(canonical(value), from_hex(expected_hex));
}

TEST(CanonicalJson, SortsByUtf16AsInSection323) {
  const json value = parsed(R"({
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis"
  })");
  EXPECT_EQ(canonical(value),
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
            "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\","
            "\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
}

TEST(CanonicalJson, SortsNestedStructures) {
  const json value = parsed(R"({
    "1": {"f": {"f": "hi", "F": 5}, "\n": 56.0},
    "10": {}, "": "empty", "a": {}, "111": [{"e": "yes", "E": "no"}], "A": {}
  })");
  EXPECT_EQ(canonical(value),
            R"({"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}})");
  EXPECT_EQ(canonical(parsed("[56,{\"d\":true,\"10\":null,\"1\":[]}]")), "[56,{\"1\":[],\"10\":null,\"d\":true}]");
}

TEST(CanonicalJson, EscapesOnlyWhatItMust) {
  EXPECT_EQ(canonical(json(std::string("\0\b\t\n\v\f\r\x1f\"\\/\x7f", 12))),
            "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\\"\\\\/\x7f\"");
  EXPECT_EQ(canonical(json("ñ 日本語 😀 e\u0301 \u2028")), "\"ñ 日本語 😀 e\u0301 \u2028\"");
}

TEST(CanonicalJson, KeepsNormalFormsApart) { EXPECT_NE(canonical(json("é")), canonical(json("e\u0301"))); }

TEST(CanonicalJson, IsTheSameForEveryTypeOfOneNumber) {
  EXPECT_EQ(canonical(json(5.0)), "5");
  EXPECT_EQ(canonical(json(5)), "5");
  EXPECT_EQ(canonical(json(5u)), "5");
  EXPECT_EQ(canonical(json(-0.0)), "0");
  EXPECT_EQ(canonical(parsed("-0")), "0");
}

TEST(CanonicalJson, BoundsIntegers) {
  EXPECT_EQ(canonical(json(kMaxSafeInteger)), "9007199254740991");
  EXPECT_EQ(canonical(json(-kMaxSafeInteger)), "-9007199254740991");
  EXPECT_EQ(canonical(json(9007199254740991.0)), "9007199254740991");
  EXPECT_EQ(canonical(json(1e21)), "1e+21");
  for (const json& value : {json(kMaxSafeInteger + 1), json(-kMaxSafeInteger - 1), json(UINT64_MAX), json(INT64_MIN),
                            json(9007199254740992.0), json(-1e20)}) {
    const auto result = canonical_json(value);
    ASSERT_FALSE(result) << value;
    EXPECT_EQ(result.error().code, ErrorCode::invalid);
  }
}

TEST(CanonicalJson, RefusesWhatHasNoCanonicalForm) {
  EXPECT_FALSE(canonical_json(json(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_FALSE(canonical_json(json(std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(canonical_json(json("\xff")));
  EXPECT_FALSE(canonical_json(json("\xed\xa0\x80")));
  EXPECT_FALSE(canonical_json(json{{"\xc3", 1}}));
  EXPECT_FALSE(canonical_json(json::binary({1, 2})));
  json deep;
  for (int i = 0; i < 100000; ++i) {
    json outer = json::array();
    outer.push_back(std::move(deep));
    deep = std::move(outer);
  }
  EXPECT_FALSE(canonical_json(deep));
}

TEST(CanonicalJson, HashesItsBytes) {
  EXPECT_EQ(canonical_hash(json{{"b", 1}, {"a", 2}}).value_or(""), sha256_hex(R"({"a":2,"b":1})"));
  EXPECT_FALSE(canonical_hash(json("\xff")));
}

TEST(StrictJson, ReadsEveryKindOfValue) {
  EXPECT_EQ(parsed(" null\r\n"), json(nullptr));
  EXPECT_EQ(parsed("[]"), json::array());
  EXPECT_EQ(parsed("{}"), json::object());
  EXPECT_EQ(parsed(R"({"a":[1,-2,0.5,"x",true,null,{"b":[[],{}]}],"c":{}})"),
            json::parse(R"({"a":[1,-2,0.5,"x",true,null,{"b":[[],{}]}],"c":{}})"));
  EXPECT_EQ(parsed(R"("\ud83d\ude00\u0000")"), json(std::string("😀\0", 5)));
}

TEST(StrictJson, RefusesDuplicateKeys) {
  expect_refused(R"({"a":1,"a":1})", "duplicate key \"a\" at byte 9");
  expect_refused(R"([{"x":{"k":1,"\u006b":2}}])", "duplicate key \"k\"");
  EXPECT_TRUE(parse_strict_json(R"([{"a":1},{"a":2,"b":{"a":3}}])"));
}

TEST(StrictJson, RefusesMalformedText) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "01", "1.", ".5", "+1", "NaN",
                           "Infinity", "-Infinity", "nul", "// c\n1", "\"a\nb\"", "\"\\x41\"", "\"unclosed"}) {
    expect_refused(text, "at byte ");
  }
  expect_refused("1e400", "no double can hold");
  expect_refused("[1] 2", "at byte 4");
  expect_refused("{} {}", "at byte 3");
}

TEST(StrictJson, RefusesBytesThatThePlainParserHides) {
  expect_refused(std::string_view("{}\0{", 4), "a NUL byte at byte 2");
  expect_refused("\xEF\xBB\xBF{}", "byte order mark");
}

TEST(StrictJson, RefusesInvalidUnicode) {
  for (const char* text : {"\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "{\"\xc3\":1}",
                           R"("\ud800")", R"("\udc00")", R"("\ud800\u0041")", R"("\udc00\ud800")", R"("\ud800x")"}) {
    expect_refused(text, "at byte ");
  }
}

TEST(StrictJson, BoundsDepth) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse_strict_json(nested(64)));
  expect_refused(nested(65), "nesting above 64 at byte 64");
  EXPECT_TRUE(parse_strict_json("1", 0));
  EXPECT_FALSE(parse_strict_json("[]", 0));
  EXPECT_TRUE(parse_strict_json(R"({"a":[]})", 2));
  EXPECT_FALSE(parse_strict_json(R"({"a":[{}]})", 2));
  EXPECT_FALSE(parse_strict_json(std::string(1'000'000, '[')));
}

TEST(StrictJson, CanonicalBytesReadBackToTheSameBytes) {
  std::mt19937_64 engine(9);
  for (int i = 0; i < 5000; ++i) {
    const double number = std::bit_cast<double>(engine());
    const auto bytes = canonical_json(json{{"n", number}, {"t", "ñ😀\u0001"}});
    if (!bytes) continue;
    EXPECT_EQ(canonical(parsed(*bytes)), *bytes);
  }
}

}  // namespace
}  // namespace pimemory
