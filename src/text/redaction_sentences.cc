// Finds secrets that prose gives away, as in "the staging password is …", in six languages.
#include <algorithm>
#include <array>

#include "text/redaction_rules.h"

namespace pimemory::redaction {
namespace {

constexpr std::size_t kMaxWordsBetween = 4;

constexpr std::array<std::string_view, 10> kVerbs = {"is", "was", "es", "era", "fue", "est", "ist", "war", "é", "è"};

bool verb(std::string_view word) {
  if (word.size() > 3) return false;
  return std::any_of(kVerbs.begin(), kVerbs.end(), [&](std::string_view item) { return equals_lower(word, item); });
}

bool ends_clause(char c) { return c == '.' || c == ';' || c == '!' || c == '?'; }

// The word that ends before `end`; empty at the start of its line or clause.
std::string_view word_before(std::string_view text, std::size_t end) {
  constexpr std::size_t kMaxBlanks = 4;
  std::size_t stop = end;
  while (stop > 0 && end - stop < kMaxBlanks && is_blank(text[stop - 1])) --stop;
  if (stop == 0 || ends_clause(text[stop - 1])) return {};
  std::size_t begin = stop;
  while (begin > 0 && stop - begin <= kMaxNameBytes && !is_space(text[begin - 1])) --begin;
  if (stop - begin > kMaxNameBytes) return {};
  return text.substr(begin, stop - begin);
}

std::string_view bare_name(std::string_view word) {
  const auto edge = [](char c) { return !is_word(c) && !is_high(c); };
  while (!word.empty() && edge(word.front())) word.remove_prefix(1);
  while (!word.empty() && edge(word.back())) word.remove_suffix(1);
  return word;
}

// True when a firm word stands at most kMaxWordsBetween words in front of `pos`.
bool firm_word_before(std::string_view text, std::size_t pos) {
  for (std::size_t words = 0; words <= kMaxWordsBetween; ++words) {
    const std::string_view word = word_before(text, pos);
    if (word.empty()) return false;
    const std::size_t begin = static_cast<std::size_t>(word.data() - text.data());
    if (classify_name(bare_name(word)).kind == NameKind::kFirm) return true;
    // `api key`, `clave secreta`, `mot de passe`
    std::size_t phrase = begin;
    for (int i = 0; i < 2; ++i) {
      const std::string_view previous = word_before(text, phrase);
      if (previous.empty()) break;
      phrase = static_cast<std::size_t>(previous.data() - text.data());
      const std::string_view name = bare_name(text.substr(phrase, begin + word.size() - phrase));
      const bool closing = equals_lower(bare_name(word), "key") || equals_lower(bare_name(word), "secreta") ||
                           equals_lower(bare_name(word), "passe");
      if (closing && classify_name(name).kind == NameKind::kFirm) return true;
    }
    pos = begin;
  }
  return false;
}

// The value after the verb that ends at `pos`: quoted, or a bare word without its closing punctuation.
std::string_view value_after(std::string_view text, std::size_t pos, Form& form) {
  while (pos < text.size() && (text[pos] == ':' || is_blank(text[pos]))) ++pos;
  for (const std::string_view adverb : {"now ", "still ", "ahora "}) {
    if (text.substr(pos).starts_with(adverb)) pos += adverb.size();
  }
  form = Form::kBare;
  const Quote quote = open_quote(text, pos);
  if (quote.mark != 0) {
    const std::size_t close = close_quote(text, quote.content, quote.mark, quote.level);
    form = Form::kQuoted;
    if (close != std::string_view::npos) return text.substr(quote.content, close - quote.content);
    pos = quote.content;
  }
  std::size_t end = bare_end(text, pos);
  while (end > pos && (ends_clause(text[end - 1]) || text[end - 1] == ',')) --end;
  return text.substr(pos, end - pos);
}

bool secret_value(std::string_view value, Form form) {
  if (!letter_and_digit(value, 6) || std::any_of(value.begin(), value.end(), is_space)) return false;
  if (value.find("://") != std::string_view::npos || known_path(value)) return false;
  return !value_stays(value, form) && !technical_term(value);
}

}  // namespace

void find_sentences(std::string_view text, Edits& edits) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (is_space(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !is_space(text[end])) ++end;
    std::string_view word = text.substr(i, end - i);
    if (word.ends_with(':')) word.remove_suffix(1);
    std::size_t next = end;
    if (verb(word) && end < text.size() && is_blank(text[end])) {
      Form form = Form::kBare;
      const std::string_view value = value_after(text, end, form);
      if (secret_value(value, form) && firm_word_before(text, i)) {
        const std::size_t begin = static_cast<std::size_t>(value.data() - text.data());
        edits.push_back({begin, begin + value.size(), kPlaceholder});
        next = begin + value.size();
      }
    }
    i = next;
  }
}

}  // namespace pimemory::redaction
