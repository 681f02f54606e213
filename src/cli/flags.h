// Flags and arguments: their values out of the text that was typed, and their names in the engine's messages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pimemory {

// `invalid` names the flag, what was given and what it takes. An absent flag stays absent.
Result<std::optional<int>> parse_integer_flag(std::string_view flag, const std::optional<std::string>& text, int least,
                                              int most);
// A decimal number from 0 to 1, such as 0.7 or 1e-3: no sign, blank or hexadecimal form.
Result<std::optional<double>> parse_fraction_flag(std::string_view flag, const std::optional<std::string>& text);
Status check_flag_word(std::string_view flag, std::string_view word, std::span<const std::string_view> words);

// The engine's field names as flags: maxBytes is --max-bytes here. For texts of the engine, never for stored ones.
std::string in_flag_names(std::string_view text);
// An error of `verb` in flag names; an `invalid` one without a remedy of its own points to the verb's help.
Error in_flag_names(Error error, std::string_view verb);
std::string help_hint(std::string_view verb);

}  // namespace pimemory
