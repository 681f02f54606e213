// Scans by hand, each in one pass: statements come from outside and may be long.
#include "text/plain_words.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "base/utf8.h"

namespace pimemory {
namespace {

constexpr std::size_t kMinFenceLength = 3;

int category_of(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }

struct ScriptRange {
  char32_t first;
  char32_t last;
  Script script;
};

constexpr ScriptRange kScriptRanges[] = {
    {0x0000, 0x02ff, Script::latin},
    {0x0370, 0x03ff, Script::greek},
    {0x0400, 0x052f, Script::cyrillic},
    {0x0590, 0x05ff, Script::hebrew},
    {0x0600, 0x06ff, Script::arabic},
    {0x0750, 0x077f, Script::arabic},
    {0x0870, 0x08ff, Script::arabic},
    {0x0900, 0x097f, Script::devanagari},
    {0x0e00, 0x0eff, Script::south_east_asian},
    {0x1000, 0x109f, Script::south_east_asian},
    {0x1100, 0x11ff, Script::hangul},
    {0x1780, 0x17ff, Script::south_east_asian},
    {0x1c80, 0x1c8f, Script::cyrillic},
    {0x1d00, 0x1d25, Script::latin},
    {0x1d2c, 0x1dbf, Script::latin},
    {0x1e00, 0x1eff, Script::latin},
    {0x1f00, 0x1fff, Script::greek},
    {0x2071, 0x209c, Script::latin},
    {0x2c60, 0x2c7f, Script::latin},
    {0x2de0, 0x2dff, Script::cyrillic},
    {0x2e80, 0x30ff, Script::east_asian},
    {0x3130, 0x318f, Script::hangul},
    {0x31f0, 0x31ff, Script::east_asian},
    {0x3400, 0x9fff, Script::east_asian},
    {0xa640, 0xa69f, Script::cyrillic},
    {0xa720, 0xa7ff, Script::latin},
    {0xa8e0, 0xa8ff, Script::devanagari},
    {0xa960, 0xa97f, Script::hangul},
    {0xa9e0, 0xa9ff, Script::south_east_asian},
    {0xaa60, 0xaa7f, Script::south_east_asian},
    {0xab30, 0xab6f, Script::latin},
    {0xac00, 0xd7ff, Script::hangul},
    {0xf900, 0xfaff, Script::east_asian},
    {0xfb00, 0xfb06, Script::latin},
    {0xfb1d, 0xfb4f, Script::hebrew},
    {0xfb50, 0xfdff, Script::arabic},
    {0xfe70, 0xfeff, Script::arabic},
    {0xff21, 0xff5a, Script::latin},
    {0xff66, 0xff9f, Script::east_asian},
    {0x20000, 0x3ffff, Script::east_asian},
};

struct Stroked {
  char32_t letter;
  std::string_view base;
};

constexpr Stroked kStrokedLetters[] = {
    {U'ł', "l"},  {U'ø', "o"}, {U'đ', "d"},  {U'ı', "i"}, {U'æ', "ae"},
    {U'œ', "oe"}, {U'ð', "d"}, {U'þ', "th"}, {U'ħ', "h"},
};

void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

std::size_t run_end(std::string_view text, std::size_t pos) {
  const std::size_t end = text.find_first_not_of(text[pos], pos);
  return end == std::string_view::npos ? text.size() : end;
}

void blank_fences(std::string& text) {
  char mark = 0;
  std::size_t length = 0, opened_at = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::size_t first = std::min(text.find_first_not_of(" \t", start), end);
    if (first < end && (text[first] == '`' || text[first] == '~')) {
      const std::size_t marks_end = run_end(text, first);
      const std::string_view rest = std::string_view(text).substr(marks_end, end - marks_end);
      if (mark == 0 && marks_end - first >= kMinFenceLength && rest.find('`') == std::string_view::npos) {
        mark = text[first], length = marks_end - first, opened_at = start;
      } else if (mark == text[first] && marks_end - first >= length && is_blank(rest)) {
        blank(text, opened_at, end);
        mark = 0;
      }
    }
    start = end + 1;
  }
  if (mark != 0) blank(text, opened_at, text.size());
}

// A span opens and closes with equally long runs of backticks; a run without a partner is plain text. The lengths
// that are known to have no later partner are not searched again.
void blank_inline_code(std::string& text) {
  std::unordered_set<std::size_t> unmatched;
  for (std::size_t pos = text.find('`'); pos != std::string::npos; pos = text.find('`', pos)) {
    const std::size_t open_end = run_end(text, pos);
    const std::size_t length = open_end - pos;
    std::size_t close = unmatched.contains(length) ? std::string::npos : text.find('`', open_end);
    while (close != std::string::npos && run_end(text, close) - close != length) {
      close = text.find('`', run_end(text, close));
    }
    if (close == std::string::npos) {
      unmatched.insert(length);
      pos = open_end;
    } else {
      blank(text, pos, close + length);
      pos = close + length;
    }
  }
}

// Quotation marks by pair; a German quotation closes with the mark that opens an English one.
constexpr std::pair<std::string_view, std::array<std::string_view, 2>> kQuotes[] = {
    {"\"", {"\"", "\""}}, {"“", {"”", "”"}}, {"„", {"“", "”"}}, {"«", {"»", "»"}}, {"「", {"」", "」"}},
};

// A quotation ends within its paragraph, else its mark is plain text. What is known to lack a closing mark there is not
// searched for again, which keeps the scan linear.
void blank_quotations(std::string& text) {
  std::array<std::size_t, std::size(kQuotes)> open_until{};
  std::size_t paragraph_end = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    if (pos >= paragraph_end) paragraph_end = std::min(text.find("\n\n", pos), text.size() - 1) + 1;
    const std::string_view here = std::string_view(text).substr(pos, paragraph_end - pos);
    std::size_t kind = 0;
    while (kind < std::size(kQuotes) && !here.starts_with(kQuotes[kind].first)) ++kind;
    if (kind == std::size(kQuotes) || open_until[kind] > pos) {
      ++pos;
      continue;
    }
    std::size_t end = std::string_view::npos;
    for (const std::string_view mark : kQuotes[kind].second) {
      const std::size_t at = here.find(mark, kQuotes[kind].first.size());
      if (at != std::string_view::npos) end = std::min(end, at + mark.size());
    }
    if (end == std::string_view::npos) {
      open_until[kind] = paragraph_end;
    } else {
      blank(text, pos, pos + end);
      pos += end;
    }
  }
}

bool belongs_to_identifier(char32_t c) {
  return c == U'.' || c == U'_' || c == U'-' || is_letter(c) || is_mark(c) || is_digit(c);
}

// Blanks one token without white space: whole if it is a URL or holds a slash, else its identifiers.
void blank_token(std::string& text, std::size_t start, std::size_t end) {
  const std::string_view token = std::string_view(text).substr(start, end - start);
  if (token.find('/') != std::string_view::npos || token.find('\\') != std::string_view::npos ||
      token.starts_with("www.")) {
    blank(text, start, end);
    return;
  }
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t pos = 0; pos < token.size();) {
    const std::size_t run = pos;
    std::size_t next = pos;
    while (pos < token.size() && belongs_to_identifier(decode_code_point(token, next))) pos = next;
    if (is_identifier(token.substr(run, pos - run))) found.emplace_back(start + run, start + pos);
    if (pos == run) pos = next;
  }
  for (const auto& [from, to] : found) blank(text, from, to);
}

void blank_tokens(std::string& text) {
  std::size_t start = 0;
  for (std::size_t pos = 0; pos <= text.size();) {
    std::size_t next = pos;
    if (pos == text.size() || is_whitespace(decode_code_point(text, next))) {
      if (pos > start) blank_token(text, start, pos);
      start = pos == text.size() ? pos : next;
    }
    if (pos == text.size()) break;
    pos = next;
  }
}

}  // namespace

bool is_letter(char32_t c) {
  const int category = category_of(c);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool is_mark(char32_t c) {
  const int category = category_of(c);
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

bool is_digit(char32_t c) { return category_of(c) == UTF8PROC_CATEGORY_ND; }

bool is_upper(char32_t c) {
  const int category = category_of(c);
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

Script script_of(char32_t letter) {
  for (const ScriptRange& range : kScriptRanges) {
    if (letter >= range.first && letter <= range.last) return range.script;
  }
  return Script::other;
}

bool writes_without_spaces(Script script) { return script == Script::east_asian || script == Script::south_east_asian; }

std::string fold_word(std::string_view word) {
  const std::string plain = nfd_without_marks(case_fold(word));
  std::string folded;
  for (std::size_t pos = 0; pos < plain.size();) {
    const char32_t c = decode_code_point(plain, pos);
    const auto stroked = std::ranges::find(kStrokedLetters, c, &Stroked::letter);
    if (stroked != std::end(kStrokedLetters)) {
      folded += stroked->base;
    } else {
      append_code_point(folded, c);
    }
  }
  return folded;
}

bool is_identifier(std::string_view token) {
  bool word_before = false, joined = false, inner_joint = false, inner_capital = false, lower = false;
  for (std::size_t pos = 0; pos < token.size();) {
    const char32_t c = decode_code_point(token, pos);
    const bool word = is_letter(c) || is_mark(c) || is_digit(c);
    if (!word) {
      joined = word_before || joined;
      continue;
    }
    inner_joint = inner_joint || joined;
    inner_capital = inner_capital || (word_before && is_upper(c));
    lower = lower || (is_letter(c) && !is_upper(c));
    word_before = true;
  }
  return inner_joint || (inner_capital && lower);
}

std::string blank_out_code(std::string_view text) {
  std::string plain(text);
  blank_fences(plain);
  blank_inline_code(plain);
  blank_quotations(plain);
  blank_tokens(plain);
  return plain;
}

}  // namespace pimemory
