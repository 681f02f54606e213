// Unicode: strict validity, cuts between code points, white space and normal forms.
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <random>

namespace pimemory {
namespace {

TEST(Utf8, AcceptsTheBoundariesOfEachLength) {
  for (const char* text : {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "ñ日本語😀"}) {
    EXPECT_TRUE(is_valid_utf8(text)) << text;
  }
  EXPECT_TRUE(is_valid_utf8(std::string_view("\0", 1)));
  EXPECT_TRUE(has_nul(std::string_view("a\0", 2)));
  EXPECT_FALSE(has_nul("a"));
}

TEST(Utf8, RefusesMalformedText) {
  for (const char* text : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41", "\xe0\x80\x80", "\xe0\x9f\xbf",
                           "\xe2\x82", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf",
                           "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "ok\xfe"}) {
    EXPECT_FALSE(is_valid_utf8(text)) << text;
  }
}

TEST(Utf8, DecodesAndAppendsEveryScalarValue) {
  int wrong = 0;
  for (char32_t code_point = 0; code_point <= 0x10ffff; ++code_point) {
    if (code_point >= 0xd800 && code_point <= 0xdfff) continue;
    std::string text;
    append_code_point(text, code_point);
    std::size_t pos = 0;
    if (decode_code_point(text, pos) != code_point || pos != text.size()) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
  std::string text;
  append_code_point(text, 0xd800);
  EXPECT_EQ(text, "\xef\xbf\xbd");
}

TEST(Utf8, DecodingMalformedBytesMovesByOne) {
  const std::string text =
      "\xe2\x82"
      "a";
  std::size_t pos = 0;
  EXPECT_EQ(decode_code_point(text, pos), kReplacementCharacter);
  EXPECT_EQ(pos, 1u);
  EXPECT_EQ(decode_code_point(text, pos), kReplacementCharacter);
  EXPECT_EQ(decode_code_point(text, pos), U'a');
  EXPECT_EQ(count_code_points(text), 3u);
}

TEST(Utf8, ClipsBetweenCodePoints) {
  const std::string_view text = "añ日😀z";  // 1 + 2 + 3 + 4 + 1 bytes
  EXPECT_EQ(count_code_points(text), 5u);
  const std::string_view by_bytes[] = {"",     "a",    "a",    "añ",     "añ", "añ", "añ日",
                                       "añ日", "añ日", "añ日", "añ日😀", text, text};
  for (std::size_t limit = 0; limit < std::size(by_bytes); ++limit) EXPECT_EQ(clip_bytes(text, limit), by_bytes[limit]);
  EXPECT_EQ(clip_code_points(text, 0), "");
  EXPECT_EQ(clip_code_points(text, 3), "añ日");
  EXPECT_EQ(clip_code_points(text, 4), "añ日😀");
  EXPECT_EQ(clip_code_points(text, 99), text);
}

TEST(Utf8, KnowsUnicodeWhiteSpace) {
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank(" \t\r\n\v\f\u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000"));
  EXPECT_FALSE(is_blank(" x "));
  EXPECT_FALSE(is_blank("\u200b"));  // zero width space is not White_Space
  EXPECT_FALSE(is_blank("\xff"));
  EXPECT_EQ(trim("\u00a0 a b\u3000\n"), "a b");
  EXPECT_EQ(trim("\u2003\n"), "");
  EXPECT_EQ(trim("日"), "日");
  EXPECT_EQ(collapse_whitespace("\n a\u00a0\t b\r\n\r\nc\u3000"), "a b c");
  EXPECT_EQ(collapse_whitespace(" \n"), "");
}

TEST(Utf8, FindsControlCharacters) {
  EXPECT_FALSE(has_control_characters("plain ñ 日\u00a0"));
  for (const char* text : {"a\nb", "\t", "\x1b[0m", "\x7f", "\u0080", "\u009f"}) {
    EXPECT_TRUE(has_control_characters(text));
  }
  EXPECT_TRUE(has_control_characters(std::string_view("a\0", 2)));
}

TEST(Utf8, Composes) {
  EXPECT_EQ(nfc("n\u0303"), "ñ");
  EXPECT_EQ(nfc("e\u0301 plain"), "é plain");
  EXPECT_EQ(nfc("\u212b"), "\u00c5");
  EXPECT_EQ(nfc("\u1100\u1161"), "\uac00");
  EXPECT_EQ(nfc("\u0958"), "\u0915\u093c");  // a composition exclusion stays decomposed
  EXPECT_EQ(nfc("ﬁ"), "ﬁ");
  EXPECT_EQ(nfc("plain"), "plain");
  EXPECT_EQ(nfc("\xff"), "\xff");
  EXPECT_EQ(nfc(std::string_view("a\0n\u0303", 5)), std::string_view("a\0ñ", 4));
}

TEST(Utf8, StripsMarks) {
  EXPECT_EQ(nfd_without_marks("canción ñandú Ü"), "cancion nandu U");
  EXPECT_EQ(nfd_without_marks("ﬁ"), "ﬁ");
  EXPECT_EQ(nfkd_without_marks("ﬁn ２"), "fin 2");
  EXPECT_EQ(nfd_without_marks("\xff"
                              "é"),
            "\xff"
            "é");
  EXPECT_EQ(nfc(nfd_without_marks("\uac00")), "\uac00");
  EXPECT_EQ(nfd_without_marks("\u0928\u093c"), "\u0928\u093c");  // a mark outside U+0300-U+036F stays
}

TEST(Utf8, FoldsCase) {
  EXPECT_EQ(case_fold("HELLO World"), "hello world");
  EXPECT_EQ(case_fold("STRASSE"), case_fold("straße"));
  EXPECT_EQ(case_fold("ÑANDÚ"), "ñandú");
  EXPECT_EQ(case_fold("ΣΑΣ"), case_fold("σας"));
  EXPECT_EQ(case_fold("\xff"
                      "A"),
            "\xff"
            "A");
}

TEST(Utf8, RandomBytesNeverBreakTheContract) {
  std::mt19937 engine(11);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (int i = 0; i < 24; ++i) bytes.push_back(static_cast<char>(engine() & 0xff));
    const std::string_view clipped = clip_code_points(bytes, 5);
    EXPECT_LE(count_code_points(clipped), 5u);
    EXPECT_LE(clip_bytes(bytes, 7).size(), 7u);
    const std::string composed = nfc(bytes);
    EXPECT_EQ(is_valid_utf8(composed), is_valid_utf8(bytes));
  }
}

}  // namespace
}  // namespace pimemory
