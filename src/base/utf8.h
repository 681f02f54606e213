// Unicode text in UTF-8: strict checks, cuts that never split a code point, normalisation and folding.
// All functions are thread-safe and keep no state. Views returned point into the argument.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pimemory {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// True for well-formed UTF-8 of the Unicode standard: no overlong form, surrogate or value above U+10FFFF. U+0000 is
// well-formed; texts that must not hold it also ask has_nul.
bool is_valid_utf8(std::string_view text);
bool has_nul(std::string_view text);

// Reads the code point at `pos` (below text.size()) and moves `pos` past it. A malformed byte gives U+FFFD and moves
// by one, so a loop always ends.
char32_t decode_code_point(std::string_view text, std::size_t& pos);

// Appends a Unicode scalar value; anything else appends U+FFFD.
void append_code_point(std::string& out, char32_t code_point);

// Malformed bytes count one each.
std::size_t count_code_points(std::string_view text);

// The longest beginning of at most `limit` code points, or of at most `limit_bytes` bytes without splitting one.
std::string_view clip_code_points(std::string_view text, std::size_t limit);
std::string_view clip_bytes(std::string_view text, std::size_t limit_bytes);

// The Unicode property White_Space.
bool is_whitespace(char32_t code_point);
// Empty or white space only.
bool is_blank(std::string_view text);
// Without white space at both ends.
std::string_view trim(std::string_view text);
// Trimmed, and each inner run of white space is one U+0020.
std::string collapse_whitespace(std::string_view text);

// True when a code point of category Cc occurs: U+0000-U+001F (tab and line feed included), U+007F-U+009F.
bool has_control_characters(std::string_view text);

// Normal forms. A text that is not valid UTF-8 comes back unchanged.
std::string nfc(std::string_view text);
// Decomposed (canonically, or with compatibility forms) without the combining marks U+0300-U+036F; not recomposed.
std::string nfd_without_marks(std::string_view text);
std::string nfkd_without_marks(std::string_view text);
// Default full case folding (`ß` gives `ss`); not normalised.
std::string case_fold(std::string_view text);

}  // namespace pimemory
