// Finds secrets that are assigned to a telling name: `name = value`, `name: value` and JSON members at any escaping.
#include <algorithm>
#include <array>

#include "text/redaction_rules.h"

namespace pimemory::redaction {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

struct Operator {
  std::size_t begin = kNone;  // npos: assigns nothing
  std::size_t end = 0;
  bool colon = false;
};

Operator operator_at(std::string_view text, std::size_t i) {
  const char before = i > 0 ? text[i - 1] : '\0';
  const char after = i + 1 < text.size() ? text[i + 1] : '\0';
  if (text[i] == ':') {
    const bool url = after == '/' && i + 2 < text.size() && text[i + 2] == '/';
    if (after == ':' || before == ':' || after == '=' || url) return {};
    return {i, i + 1, true};
  }
  if (after == '=' || after == '>' || after == '~') return {};
  if (before == '=' || before == '!' || before == '<' || before == '>') return {};
  if (before == ':') return i >= 2 && text[i - 2] == ':' ? Operator{} : Operator{i - 1, i + 1, false};
  if (before == '?' || before == '+') return {i - 1, i + 1, false};
  return {i, i + 1, false};
}

struct Name {
  std::size_t begin = kNone;  // where the identifier begins
  std::size_t end = 0;
  bool quoted = false;
  std::string_view view(std::string_view text) const {
    return begin == kNone ? std::string_view() : text.substr(begin, end - begin);
  }
};

bool name_char(char c) { return is_word(c) || c == '-' || c == '.' || is_high(c); }

Name quoted_name(std::string_view text, std::size_t quote) {
  std::size_t end = quote;
  while (end > 0 && text[end - 1] == '\\') --end;
  std::size_t begin = end;
  while (begin > 0 && end - begin <= kMaxNameBytes && (name_char(text[begin - 1]) || is_blank(text[begin - 1])))
    --begin;
  if (begin == 0 || end - begin > kMaxNameBytes || text[begin - 1] != text[quote]) return {};
  return {begin, end, true};
}

// Reads the name that ends before `end`, blanks aside.
Name name_before(std::string_view text, std::size_t end) {
  while (end > 0 && is_blank(text[end - 1])) --end;
  if (end == 0) return {};
  if (text[end - 1] == ']' && end >= 2 && is_quote(text[end - 2])) return quoted_name(text, end - 2);
  if (is_quote(text[end - 1])) return quoted_name(text, end - 1);
  std::size_t begin = end;
  while (begin > 0 && end - begin <= kMaxNameBytes && name_char(text[begin - 1])) --begin;
  if (begin == end || end - begin > kMaxNameBytes) return {};
  // The letter of an escaped line break is no part of the name.
  if (begin > 0 && escaped_space_at(text, begin - 1)) ++begin;
  return {begin, end, false};
}

// `api key`, `clave secreta`, `mot de passe`: names of several words end in one of these.
bool word_of_long_name(std::string_view word) {
  return equals_lower(word, "key") || equals_lower(word, "secreta") || equals_lower(word, "passe");
}

// Widens the name by up to two words in front of it.
Name widened(std::string_view text, Name name) {
  for (int words = 0; words < 2; ++words) {
    if (name.begin < 2 || text[name.begin - 1] != ' ' || !name_char(text[name.begin - 2])) break;
    const Name previous = name_before(text, name.begin);
    if (previous.begin == kNone || previous.quoted || name.end - previous.begin > kMaxNameBytes) break;
    name.begin = previous.begin;
    if (classify_name(name.view(text)).kind == NameKind::kFirm) break;
  }
  return name;
}

struct Target {
  Name name;
  NameMatch match;
};

Target target_before(std::string_view text, const Operator& op) {
  Target target;
  target.name = name_before(text, op.begin);
  if (target.name.begin == kNone) return target;
  target.match = classify_name(target.name.view(text));
  if (target.match.kind != NameKind::kNone || target.name.quoted) return target;
  if (word_of_long_name(target.name.view(text))) {
    target.name = widened(text, target.name);
    target.match = classify_name(target.name.view(text));
  } else if (!op.colon) {
    // `password: str = "…"` and `password string = "…"` name their type in between.
    std::size_t i = target.name.begin;
    while (i > 0 && is_blank(text[i - 1])) --i;
    const bool colon = i > 1 && text[i - 1] == ':' && text[i - 2] != ':';
    const bool typed = colon || (i < target.name.begin && value_stays(target.name.view(text), Form::kQuoted));
    if (typed) {
      target.name = name_before(text, colon ? i - 1 : i);
      target.match = classify_name(target.name.view(text));
    }
  }
  return target;
}

// `PASS:` opens a line of a test report.
bool report_mark(std::string_view name, const Operator& op) { return op.colon && name == "PASS"; }

// The bare word around a position with what token_like() needs, computed once per word to stay linear.
class BareWord {
 public:
  explicit BareWord(bool loose) : loose_(loose) {}

  std::size_t end(std::string_view text, std::size_t pos) {
    if (pos < begin_ || pos >= end_) read(text, pos);
    return end_;
  }

  // token_like() of [pos, end); valid after end(text, pos).
  bool token_from(std::size_t pos) const {
    if (end_ < pos + 8 || (has_bad_ && last_bad_ >= pos)) return false;
    const bool both = letter_ > pos && digit_ > pos;
    return both || second_change_ > pos;
  }

 private:
  void read(std::string_view text, std::size_t pos) {
    begin_ = pos;
    end_ = bare_end(text, pos);
    if (loose_) {
      for (std::size_t i = pos; i < end_; ++i) {
        if (text[i] == '&' || text[i] == ',') end_ = i;
      }
    }
    has_bad_ = false;
    letter_ = digit_ = second_change_ = 0;
    std::size_t last_change = 0;
    for (std::size_t i = pos; i < end_; ++i) {
      if (!is_token_char(text[i])) {
        has_bad_ = true;
        last_bad_ = i;
      }
      if (is_letter(text[i])) letter_ = i + 1;
      if (is_digit(text[i])) digit_ = i + 1;
      if (i > pos && is_lower(text[i - 1]) && is_upper(text[i])) {
        second_change_ = last_change;
        last_change = i;
      }
    }
  }

  bool loose_;
  std::size_t begin_ = 1;
  std::size_t end_ = 0;
  bool has_bad_ = false;
  std::size_t last_bad_ = 0;
  std::size_t letter_ = 0;  // one past the last letter
  std::size_t digit_ = 0;
  std::size_t second_change_ = 0;
};

// Counts the quotes of the current line in front of a position, to tell an opening quote from a closing one.
class QuoteParity {
 public:
  bool odd_before(std::string_view text, std::size_t pos, const Quote& quote) {
    for (; at_ < pos; ++at_) {
      const char c = text[at_];
      if (is_newline(c)) counts_ = {};
      if (c == '\\') {
        ++slashes_;
        continue;
      }
      const bool apostrophe =
          c == '\'' && at_ > 0 && is_alnum(text[at_ - 1]) && at_ + 1 < text.size() && is_letter(text[at_ + 1]);
      if (is_quote(c) && !apostrophe) ++counts_[slot(c, slashes_)];
      slashes_ = 0;
    }
    return counts_[slot(quote.mark, quote.level)] % 2 != 0;
  }

 private:
  static std::size_t slot(char mark, std::size_t level) {
    const std::size_t kind = mark == '"' ? 0 : mark == '\'' ? 1 : 2;
    return kind * 4 + std::min<std::size_t>(level, 3);
  }

  std::size_t at_ = 0;
  std::size_t slashes_ = 0;
  std::array<unsigned, 12> counts_{};
};

// `token: useServerSession`: letters in humps, as code writes names.
bool camel_identifier(std::string_view value) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!is_letter(value[i])) return false;
    if (is_upper(value[i]) && (i + 2 >= value.size() || !is_lower(value[i + 1]) || !is_lower(value[i + 2])))
      return false;
  }
  return true;
}

bool file_name(std::string_view value) {
  constexpr std::array<std::string_view, 10> kEndings = {".pem", ".crt",  ".cer", ".key", ".json",
                                                         ".yml", ".yaml", ".txt", ".p12", ".toml"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view e) { return value.ends_with(e); });
}

bool line_begins_with(std::string_view text, std::size_t name) {
  std::size_t i = name;
  while (i > 0 && (is_blank(text[i - 1]) || text[i - 1] == '-')) --i;
  return i == 0 || is_newline(text[i - 1]) || (i >= 2 && escaped_space_at(text, i - 2));
}

bool line_ends_at(std::string_view text, std::size_t pos) {
  while (pos < text.size() && is_blank(text[pos])) ++pos;
  return pos >= text.size() || is_newline(text[pos]) || escaped_space_at(text, pos);
}

bool clause_ends_at(std::string_view text, std::size_t pos) {
  if (line_ends_at(text, pos)) return true;
  const char c = text[pos];
  return c == ';' || c == ',' || is_closer(c) || is_quote(c) || c == '\\' || c == '<';
}

bool one_word(std::string_view value) {
  return std::none_of(value.begin(), value.end(), [](char c) {
    return c == '(' || c == '[' || c == '{' || c == '<' || c == '|' || c == '"' || c == ',' || c == ':';
  });
}

class Scanner {
 public:
  Scanner(std::string_view text, Edits& edits) : text_(text), edits_(edits) {}

  void run() {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] != ':' && text_[i] != '=') continue;
      const Operator op = operator_at(text_, i);
      if (op.begin == kNone) continue;
      const Target target = target_before(text_, op);
      if (target.match.kind == NameKind::kNone || report_mark(target.name.view(text_), op)) continue;
      const std::size_t done = read_value(target, op);
      if (done > i) i = done - 1;
    }
  }

 private:
  // Returns where the scan goes on when a value was replaced, else 0.
  std::size_t read_value(const Target& target, const Operator& op) {
    std::size_t pos = op.end;
    while (pos < text_.size() && is_blank(text_[pos])) ++pos;
    pos = skip_keywords(pos);
    if (pos >= text_.size() || is_newline(text_[pos])) return 0;
    const Quote quote = open_quote(text_, after_prefix(pos));
    if (quote.mark != 0) return read_quoted(target, quote);
    return read_bare(target, op, pos);
  }

  // `await`, `new` and the like stand in front of the value proper.
  std::size_t skip_keywords(std::size_t pos) const {
    constexpr std::array<std::string_view, 7> kWords = {"await ",  "new ",   "yield ", "not ",
                                                        "typeof ", "async ", "lambda "};
    for (const std::string_view word : kWords) {
      if (!text_.substr(pos).starts_with(word)) continue;
      const std::size_t next = pos + word.size();
      if (next < text_.size() && is_word(text_[next])) return next;
    }
    return pos;
  }

  std::size_t after_prefix(std::size_t pos) const {
    std::size_t i = pos;
    while (i < text_.size() && i < pos + 2 && (is_letter(text_[i]) || text_[i] == '@' || text_[i] == '$')) ++i;
    return i < text_.size() && is_quote(text_[i]) ? i : pos;
  }

  std::size_t read_quoted(const Target& target, const Quote& quote) {
    const std::size_t close = close_quote(text_, quote.content, quote.mark, quote.level);
    if (close == kNone) return read_unclosed(target, quote.content);
    const std::string_view value = text_.substr(quote.content, close - quote.content);
    if (value.empty() || value_stays(value, Form::kQuoted)) return 0;
    if (parity_.odd_before(text_, quote.content - 1 - quote.level, quote) && !plain_word(value)) return 0;
    if (target.match.path_stays && path_like(value)) return 0;
    if (target.match.kind == NameKind::kLoose) {
      if (!token_like(value) || loose_name_value(value)) return 0;
    } else if (known_path(value) || value.starts_with("<REDACTED")) {
      return 0;
    }
    edits_.push_back({quote.content, close, kPlaceholder});
    return close;
  }

  // A quote that its line does not close opens nothing; what follows counts only when it looks like a secret.
  std::size_t read_unclosed(const Target& target, std::size_t pos) {
    if (pos >= text_.size() || is_space(text_[pos])) return 0;
    BareWord& word = bare(target);
    const std::size_t end = word.end(text_, pos);
    if (end <= pos || value_stays(text_.substr(pos, end - pos), Form::kBare)) return 0;
    const bool firm = target.match.kind == NameKind::kFirm && letter_and_digit(text_.substr(pos, end - pos), 6);
    if (!firm && !word.token_from(pos)) return 0;
    if (loose_stays(target, text_.substr(pos, end - pos))) return 0;
    return replace(pos, end);
  }

  static bool plain_word(std::string_view value) {
    if (!is_alnum(value.front()) || !is_alnum(value.back())) return false;
    return std::none_of(value.begin(), value.end(), is_space);
  }

  static bool loose_name_value(std::string_view value) {
    return identifier_like(value) || file_name(value) || technical_term(value);
  }

  static bool loose_stays(const Target& target, std::string_view value) {
    if (target.match.path_stays && path_like(value)) return true;
    return target.match.kind == NameKind::kLoose && loose_name_value(value);
  }

  BareWord& bare(const Target& target) { return target.match.kind == NameKind::kLoose ? loose_ : firm_; }

  std::size_t read_bare(const Target& target, const Operator& op, std::size_t pos) {
    const char first = text_[pos];
    if (first == '{' || first == '[' || first == '(') return 0;
    BareWord& word = bare(target);
    std::size_t end = word.end(text_, pos);
    if (end <= pos || stays_bounded(pos, end)) return 0;
    const bool loose = target.match.kind == NameKind::kLoose;
    if (loose) {
      const std::string_view value = text_.substr(pos, end - pos);
      if (!word.token_from(pos) || loose_stays(target, value) || (op.colon && camel_identifier(value))) return 0;
      return replace(pos, end);
    }
    const std::string_view value = text_.substr(pos, end - pos);
    if (known_path(value) || (target.match.path_stays && path_like(value))) return 0;
    if (op.colon && !firm_after_colon(target, word, pos, end)) return 0;
    return replace(pos, end);
  }

  // A value of thousands of bytes is no reference; its head decides.
  bool stays_bounded(std::size_t pos, std::size_t end) const {
    constexpr std::size_t kHeadBytes = 256;
    return value_stays(text_.substr(pos, std::min(end - pos, kHeadBytes)), Form::kBare);
  }

  bool firm_after_colon(const Target& target, const BareWord& word, std::size_t pos, std::size_t end) const {
    std::string_view value = text_.substr(pos, end - pos);
    const bool sentence = value.ends_with('.') && line_ends_at(text_, end);
    if (sentence) value.remove_suffix(1);
    const bool closes = clause_ends_at(text_, end);
    if (technical_term(value)) return false;
    if (word.token_from(pos)) return closes || !identifier_like(value);
    if (closes && letter_and_digit(value, 6)) return true;
    return !sentence && line_ends_at(text_, end) && line_begins_with(text_, target.name.begin) && one_word(value) &&
           !target.name.quoted;
  }

  std::size_t replace(std::size_t begin, std::size_t end) {
    edits_.push_back({begin, end, kPlaceholder});
    return end;
  }

  std::string_view text_;
  Edits& edits_;
  BareWord firm_{false};
  BareWord loose_{true};
  QuoteParity parity_;
};

}  // namespace

void find_assignments(std::string_view text, Edits& edits) { Scanner(text, edits).run(); }

}  // namespace pimemory::redaction
