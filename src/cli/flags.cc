// Numbers are parsed here and not by the argument parser, which takes more spellings and names its own types.
#include "cli/flags.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "cli/output.h"

namespace pimemory {
namespace {

struct FlagName {
  std::string_view field;
  std::string_view flag;
};

// Words that occur in no ordinary sentence: translated wherever they stand alone.
constexpr std::array<FlagName, 10> kFlagNames = {{{"maxBytes", "--max-bytes"},
                                                  {"asOf", "--as-of"},
                                                  {"validAt", "--valid-at"},
                                                  {"validFrom", "--valid-at"},
                                                  {"invalidAt", "--invalid-at"},
                                                  {"validTo", "--invalid-at"},
                                                  {"replacementId", "--replacement"},
                                                  {"factId", "ID"},
                                                  {"queryHash", "--query"},
                                                  {"sessionId", "the session"}}};

// Ordinary words: a field only at the start of a message.
constexpr std::array<FlagName, 13> kLeadingNames = {{{"supersedes", "--supersedes"},
                                                     {"confidence", "--confidence"},
                                                     {"subject", "--subject"},
                                                     {"predicate", "--predicate"},
                                                     {"object", "--object"},
                                                     {"entities", "--entity"},
                                                     {"tags", "--tag"},
                                                     {"kinds", "--kind"},
                                                     {"kind", "--kind"},
                                                     {"standings", "--standing"},
                                                     {"rationale", "--rationale"},
                                                     {"limit", "--limit"},
                                                     {"query", "--query"}}};

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

template <std::size_t Count>
const FlagName* find_name(const std::array<FlagName, Count>& names, std::string_view field) {
  const auto found = std::ranges::find(names, field, &FlagName::field);
  return found == names.end() ? nullptr : &*found;
}

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::unexpected<Error> wrong_value(std::string_view flag, std::string_view text, const std::string& wanted) {
  return fail(ErrorCode::invalid, std::string(flag) + " is \"" + clean_line(text) + "\"; it must be " + wanted);
}

}  // namespace

Result<std::optional<int>> parse_integer_flag(std::string_view flag, const std::optional<std::string>& text, int least,
                                              int most) {
  if (!text) return std::nullopt;
  const std::optional<int> number = parse_whole<int>(*text);
  if (number && *number >= least && *number <= most) return number;
  return wrong_value(flag, *text, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

Result<std::optional<double>> parse_fraction_flag(std::string_view flag, const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const bool is_unsigned = !text->starts_with('-');
  const std::optional<double> number = is_unsigned ? parse_whole<double>(*text) : std::nullopt;
  if (number && *number >= 0 && *number <= 1) return number;
  return wrong_value(flag, *text, "a number from 0 to 1, such as 0.7");
}

Status check_flag_word(std::string_view flag, std::string_view word, std::span<const std::string_view> words) {
  if (std::ranges::find(words, word) != words.end()) return {};
  std::string list;
  for (const std::string_view known : words) list += (list.empty() ? "" : ", ") + std::string(known);
  return wrong_value(flag, word, "one of " + list);
}

std::string in_flag_names(std::string_view text) {
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) {
    std::size_t end = pos;
    while (end < text.size() && is_word_character(text[end])) ++end;
    const std::string_view word = text.substr(pos, end - pos);
    const FlagName* name = find_name(kFlagNames, word);
    if (name == nullptr && pos == 0) name = find_name(kLeadingNames, word);
    out += name != nullptr ? name->flag : word;
    if (end < text.size()) out += text[end++];
    pos = end;
  }
  return out;
}

Error in_flag_names(Error error, std::string_view verb) {
  error.message = in_flag_names(error.message);
  if (error.code == ErrorCode::invalid && error.hint == make_error(ErrorCode::invalid, "").hint)
    error.hint = help_hint(verb);
  else
    error.hint = in_flag_names(error.hint);
  return error;
}

std::string help_hint(std::string_view verb) {
  return "see `pi-memory " + std::string(verb) + (verb.empty() ? "" : " ") + "--help`";
}

}  // namespace pimemory
