// Finds secrets in HTTP headers (authorization and cookies) and after authentication schemes in running text.
#include <algorithm>
#include <array>

#include "text/redaction_rules.h"

namespace pimemory::redaction {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

constexpr std::array<std::string_view, 12> kSchemes = {"bearer",    "basic", "token",  "digest",
                                                       "negotiate", "ntlm",  "apikey", "api-key",
                                                       "bot",       "jwt",   "hawk",   "aws4-hmac-sha256"};
constexpr std::array<std::string_view, 3> kListSchemes = {"digest", "hawk", "aws4-hmac-sha256"};
constexpr std::array<std::string_view, 7> kCookieAttributes = {"path",     "domain",  "expires", "max-age",
                                                               "samesite", "version", "priority"};
// Words that documentation puts where the secret goes.
constexpr std::array<std::string_view, 11> kProseWords = {
    "token", "tokens", "jwt", "auth", "header", "scheme", "here", "realm", "support", "authentication", "credentials"};

template <std::size_t N>
bool among_lower(std::string_view value, const std::array<std::string_view, N>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view item) { return equals_lower(value, item); });
}

struct HeaderValue {
  std::size_t begin = kNone;
  std::size_t end = 0;
  bool quoted = false;
};

// The quote directly in front of a header name, as in `-H "Cookie: …"`.
Quote quote_before(std::string_view text, std::size_t name) {
  Quote quote;
  if (name == 0 || !is_quote(text[name - 1])) return quote;
  quote.mark = text[name - 1];
  for (std::size_t i = name - 1; i > 0 && text[i - 1] == '\\' && quote.level < 8; --i) ++quote.level;
  return quote;
}

// Reads `: value` after the header name that spans [name, name_end).
HeaderValue header_value(std::string_view text, std::size_t name, std::size_t name_end) {
  HeaderValue value;
  const Quote outer = quote_before(text, name);
  std::size_t i = name_end;
  bool name_quoted = false;
  if (outer.mark != 0) {
    const Quote closing = open_quote(text, i);
    if (closing.mark == outer.mark && closing.level == outer.level) {
      name_quoted = true;
      i = closing.content;
    }
  }
  while (i < text.size() && (is_blank(text[i]) || (name_quoted && text[i] == ']'))) ++i;
  if (i >= text.size() || (text[i] != ':' && text[i] != '=' && !(name_quoted && text[i] == ','))) return value;
  if (text.substr(i, 2) == "==" || text.substr(i, 2) == "::") return value;
  ++i;
  if (i < text.size() && text[i] == '>') ++i;
  while (i < text.size() && is_blank(text[i])) ++i;
  if (i < text.size() && is_letter(text[i]) && i + 1 < text.size() && is_quote(text[i + 1])) ++i;  // f"…"
  const Quote own = open_quote(text, i);
  if (own.mark != 0) {
    value.quoted = true;
    value.begin = own.content;
    value.end = close_quote(text, own.content, own.mark, own.level);
  } else {
    value.begin = i;
    value.quoted = outer.mark != 0 && !name_quoted;
    value.end = value.quoted ? close_quote(text, i, outer.mark, outer.level) : kNone;
  }
  const std::size_t line = line_end(text, value.begin);
  if (value.end == kNone || value.end > line) {
    value.quoted = false;
    value.end = line;
  }
  return value;
}

std::size_t trimmed_end(std::string_view text, std::size_t begin, std::size_t end) {
  while (end > begin && (is_blank(text[end - 1]) || text[end - 1] == '\\')) --end;
  return end;
}

bool prose_after_scheme(std::string_view rest) {
  std::size_t word = 0;
  while (word < rest.size() && !is_space(rest[word])) ++word;
  const std::string_view first = rest.substr(0, word);
  const bool letters =
      std::all_of(first.begin(), first.end(), [](char c) { return is_lower(c) || c == ',' || c == '.'; });
  if (!letters) return false;
  return word < rest.size() || among_lower(first, kProseWords);
}

void redact_authorization(std::string_view text, const HeaderValue& value, Edits& edits) {
  std::size_t scheme_end = value.begin;
  while (scheme_end < value.end && (is_word(text[scheme_end]) || text[scheme_end] == '-')) ++scheme_end;
  const std::string_view scheme = text.substr(value.begin, scheme_end - value.begin);
  const bool followed = scheme_end < value.end && is_blank(text[scheme_end]);
  std::size_t begin = value.begin;
  std::size_t end = value.end;
  const bool known = followed && among_lower(scheme, kSchemes);
  if (followed) begin = scheme_end;
  while (begin < end && is_blank(text[begin])) ++begin;
  if (!value.quoted && !among_lower(scheme, kListSchemes)) {
    for (std::size_t i = begin; i < end; ++i) {
      if (is_quote(text[i])) end = i;
    }
    if (begin < end && (text[begin] == '$' || text[begin] == '<' || text[begin] == '{')) {
      if (value_stays(text.substr(begin, end - begin), Form::kBare)) return;
    }
  }
  end = trimmed_end(text, begin, end);
  const std::string_view rest = text.substr(begin, end - begin);
  if (rest.empty() || value_stays(rest, Form::kQuoted)) return;
  if (known && rest.starts_with(kPlaceholder) && rest.size() == kPlaceholder.size()) return;
  if (known ? prose_after_scheme(rest) : !token_like(rest)) return;
  edits.push_back({begin, end, kPlaceholder});
}

bool cookie_token(std::string_view value) {
  std::string plain;
  plain.reserve(value.size());
  for (const char c : value) {
    if (c == '%') {
      plain += 'a';
    } else if (c == ':' || c == '|' || c == '!' || c == '*') {
      plain += '-';
    } else {
      plain += c;
    }
  }
  return token_like(plain);
}

void redact_cookies(std::string_view text, const HeaderValue& value, Edits& edits) {
  std::size_t i = value.begin;
  while (i < value.end) {
    while (i < value.end && (is_blank(text[i]) || text[i] == ';' || text[i] == ',')) ++i;
    const std::size_t name = i;
    while (i < value.end && text[i] != '=' && text[i] != ';' && !is_space(text[i])) ++i;
    if (i >= value.end || text[i] != '=') continue;
    const std::string_view key = text.substr(name, i - name);
    const std::size_t begin = ++i;
    while (i < value.end && text[i] != ';' && !is_space(text[i]) && !is_quote(text[i])) ++i;
    std::size_t end = trimmed_end(text, begin, i);
    const std::string_view item = text.substr(begin, end - begin);
    if (!among_lower(key, kCookieAttributes) && cookie_token(item) && !value_stays(item, Form::kQuoted)) {
      edits.push_back({begin, end, kPlaceholder});
    }
    if (i < value.end && is_quote(text[i])) ++i;
  }
}

bool printable_with_colon(std::string_view base64) {
  unsigned bits = 0;
  int count = 0;
  bool colon = false;
  for (const char c : base64) {
    int digit = -1;
    if (is_upper(c)) digit = c - 'A';
    if (is_lower(c)) digit = c - 'a' + 26;
    if (is_digit(c)) digit = c - '0' + 52;
    if (c == '+' || c == '-') digit = 62;
    if (c == '/' || c == '_') digit = 63;
    if (digit < 0) return colon && c == '=';
    bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xFFFFFF;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    const unsigned byte = bits >> count & 0xFF;
    if (byte < 0x20 || byte == 0x7F) return false;
    colon = colon || byte == ':';
  }
  return colon;
}

// The value after a scheme word that ends at `pos`, or an empty view.
std::string_view scheme_value(std::string_view text, std::size_t pos) {
  std::size_t begin = pos;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  if (begin == pos) return {};
  std::size_t end = begin;
  while (end < text.size() && is_token_char(text[end])) ++end;
  while (end > begin && text[end - 1] == '.') --end;
  return text.substr(begin, end - begin);
}

bool secret_after_scheme(std::string_view scheme, std::string_view value) {
  if (value.size() < 4) return false;
  if (equals_lower(scheme, "basic")) return printable_with_colon(value);
  return token_like(value) && !identifier_like(value) && !technical_term(value) && !value_stays(value, Form::kBare);
}

}  // namespace

void find_headers(std::string_view text, Edits& edits) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = to_lower(text[i]);
    if (c != 'a' && c != 'c') continue;
    const bool authorization = c == 'a' && starts_lower(text.substr(i), "authorization");
    const bool cookie = c == 'c' && starts_lower(text.substr(i), "cookie");
    if (!authorization && !cookie) continue;
    const std::size_t end = i + (authorization ? 13 : 6);
    std::size_t begin = i;
    const std::string_view before = text.substr(0, i);
    if (before.size() >= 6 && starts_lower(before.substr(before.size() - 6), "proxy-")) begin -= 6;
    if (before.size() >= 4 && starts_lower(before.substr(before.size() - 4), "set-")) begin -= 4;
    if (!word_starts_at(text, begin)) continue;
    const HeaderValue value = header_value(text, begin, end);
    if (value.begin == kNone) continue;
    if (authorization) {
      redact_authorization(text, value, edits);
    } else {
      redact_cookies(text, value, edits);
    }
    i = std::max(i, value.end > 0 ? value.end - 1 : 0);
  }
}

void find_schemes(std::string_view text, Edits& edits) {
  constexpr std::array<std::string_view, 3> kWords = {"bearer", "token", "basic"};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = to_lower(text[i]);
    if ((c != 'b' && c != 't') || !word_starts_at(text, i)) continue;
    for (const std::string_view word : kWords) {
      if (!starts_lower(text.substr(i), word)) continue;
      const std::string_view value = scheme_value(text, i + word.size());
      if (value.empty()) break;
      const std::size_t begin = static_cast<std::size_t>(value.data() - text.data());
      if (secret_after_scheme(word, value)) edits.push_back({begin, begin + value.size(), kPlaceholder});
      i = begin + value.size() - 1;
      // A scheme word may itself follow one, as in `token Bearer …`.
      if (edits.empty() || edits.back().begin != begin) i = begin - 1;
      break;
    }
  }
}

}  // namespace pimemory::redaction
