// Letters, words and identifiers of a statement, for the rules that look at its wording and not at its code.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pimemory {

bool is_letter(char32_t code_point);
bool is_mark(char32_t code_point);
bool is_digit(char32_t code_point);
bool is_upper(char32_t code_point);

enum class Script { latin, cyrillic, greek, arabic, hebrew, devanagari, hangul, east_asian, south_east_asian, other };

// Han, Hiragana and Katakana are one script here. Thai, Lao, Khmer and Myanmar are another.
Script script_of(char32_t letter);
// East and South-East Asian scripts put no space between words.
bool writes_without_spaces(Script script);

// Lower case, without marks; letters with a stroke become their base letter (`ł` gives `l`), as they are typed without
// a keyboard for them.
std::string fold_word(std::string_view word);

// Letters, digits and marks with `.`, `_` or `-` inside, or a capital behind a lower-case letter or before one.
bool is_identifier(std::string_view token);

// The text with fenced blocks, inline code, double-quoted spans, URLs, words with a slash and identifiers replaced by
// spaces of the same byte length; line ends stay.
std::string blank_out_code(std::string_view text);

}  // namespace pimemory
