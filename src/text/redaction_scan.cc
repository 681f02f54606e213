// Implements the small scanners that every redaction row uses: words, lines and quotes at any level of escaping.
#include <algorithm>

#include "text/redaction_rules.h"

namespace pimemory::redaction {

bool equals_lower(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && starts_lower(text, lower);
}

bool starts_lower(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (to_lower(text[i]) != lower[i]) return false;
  }
  return true;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), to_lower);
  return out;
}

bool escaped_space_at(std::string_view text, std::size_t pos) {
  return pos + 1 < text.size() && text[pos] == '\\' &&
         (text[pos + 1] == 'n' || text[pos + 1] == 'r' || text[pos + 1] == 't');
}

bool word_starts_at(std::string_view text, std::size_t pos) {
  if (pos == 0 || (!is_word(text[pos - 1]) && !is_high(text[pos - 1]))) return true;
  return pos >= 2 && escaped_space_at(text, pos - 2);
}

std::size_t line_end(std::string_view text, std::size_t pos) {
  while (pos < text.size() && !is_newline(text[pos])) {
    if (text[pos] == '\\' && pos + 1 < text.size() && (text[pos + 1] == 'n' || text[pos + 1] == 'r')) break;
    ++pos;
  }
  return pos;
}

Quote open_quote(std::string_view text, std::size_t pos) {
  std::size_t slashes = 0;
  while (pos + slashes < text.size() && text[pos + slashes] == '\\' && slashes < 8) ++slashes;
  const bool level_exists = slashes == 0 || slashes == 1 || slashes == 3 || slashes == 7;
  Quote quote;
  if (!level_exists || pos + slashes >= text.size() || !is_quote(text[pos + slashes])) return quote;
  quote.mark = text[pos + slashes];
  quote.level = slashes;
  quote.content = pos + slashes + 1;
  return quote;
}

std::size_t close_quote(std::string_view text, std::size_t pos, char mark, std::size_t level) {
  // A quote escaped k times closes level 2^L - 1 exactly when k leaves that remainder modulo 2^(L+1).
  const std::size_t cycle = 2 * (level + 1);
  std::size_t slashes = 0;
  for (; pos < text.size() && !is_newline(text[pos]); ++pos) {
    if (text[pos] == '\\') {
      ++slashes;
      continue;
    }
    if (text[pos] == mark) {
      if (slashes % cycle == level) return pos - level;
      if (slashes < level) return std::string_view::npos;  // the enclosing string ended first
    }
    slashes = 0;
  }
  return std::string_view::npos;
}

namespace {

bool ends_word(std::string_view text, std::size_t pos) {
  return pos >= text.size() || is_space(text[pos]) || text[pos] == ';' || text[pos] == ',' || is_closer(text[pos]) ||
         text[pos] == '\\' || is_quote(text[pos]) || text[pos] == ':' || text[pos] == '.' || text[pos] == '>';
}

}  // namespace

std::size_t bare_end(std::string_view text, std::size_t pos) {
  for (; pos < text.size(); ++pos) {
    const char c = text[pos];
    if (is_space(c) || c == ';' || is_closer(c)) break;
    if (c == ',' && (pos + 1 >= text.size() || is_space(text[pos + 1]))) break;
    if (is_quote(c) && ends_word(text, pos + 1)) break;
    if (c == '<' && pos + 1 < text.size() && text[pos + 1] == '/') break;
    if (c == '\\' && (escaped_space_at(text, pos) || pos + 1 >= text.size())) break;
    if (c == '\\') {
      const Quote quote = open_quote(text, pos);
      if (quote.mark != 0 && ends_word(text, quote.content)) break;
    }
  }
  return pos;
}

}  // namespace pimemory::redaction
