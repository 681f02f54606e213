// Reduces both texts to units of meaning (a word, a number, an identifier, a character pair) and counts shared ones.
#include "text/relatedness.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/utf8.h"
#include "text/function_words.h"
#include "text/plain_words.h"

namespace pimemory {
namespace {

constexpr std::size_t kMinContentLetters = 3;
constexpr std::size_t kStemLetters = 4;
constexpr int kMinSharedUnits = 2;
constexpr int kMaxOtherScriptPercent = 30;
constexpr std::string_view kNumberUnit = "#";

// What one text says, as units that are each shared at most once.
struct Units {
  std::map<std::string, std::vector<std::string>> stems_by_unit;
  int content_words = 0;
  std::array<int, static_cast<std::size_t>(Script::other) + 1> letters{};
};

bool is_word_character(char32_t c) { return is_letter(c) || is_mark(c) || is_digit(c); }
bool joins_identifier(char32_t c) { return c == U'.' || c == U'_' || c == U'-' || c == U'/' || c == U'\\'; }
bool is_apostrophe(char32_t c) { return c == U'\'' || c == U'’'; }

bool is_number(std::string_view word) {
  for (std::size_t pos = 0; pos < word.size();) {
    if (!is_digit(decode_code_point(word, pos))) return false;
  }
  return !word.empty();
}

bool is_content_word(std::string_view folded) {
  return count_code_points(folded) >= kMinContentLetters && !is_english_function_word(folded) &&
         !is_foreign_function_word(folded) && !is_shared_function_word(folded) && !is_negation(folded);
}

std::string stem_of(std::string_view folded) { return std::string(clip_code_points(folded, kStemLetters)); }

class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  Units read() && {
    for (std::size_t pos = 0; pos < text_.size();) {
      std::size_t next = pos;
      if (is_word_character(decode_code_point(text_, next))) {
        take_token(pos);
      } else {
        pos = next;
      }
    }
    return std::move(units_);
  }

 private:
  // A token reaches over joints that a word character follows, so that a path or name stays whole.
  void take_token(std::size_t& pos) {
    const std::size_t start = pos;
    bool slash = false;
    std::size_t end = pos;
    for (std::size_t next = pos; end < text_.size(); end = next) {
      const char32_t c = decode_code_point(text_, next);
      if (is_word_character(c)) continue;
      std::size_t after = next;
      if (!joins_identifier(c) || next == text_.size() || !is_word_character(decode_code_point(text_, after))) break;
      slash = slash || c == U'/' || c == U'\\';
    }
    const std::string_view token = text_.substr(start, end - start);
    pos = end;
    // A spaceless script runs on around a Latin name: its characters are no part of an identifier.
    if (has_spaceless(token)) {
      take_mixed(token);
    } else if (slash || is_identifier(token)) {
      take_identifier(token);
    } else {
      take_word(token, pos);
    }
  }

  static bool has_spaceless(std::string_view token) {
    for (std::size_t pos = 0; pos < token.size();) {
      const char32_t c = decode_code_point(token, pos);
      if (is_letter(c) && writes_without_spaces(script_of(c))) return true;
    }
    return false;
  }

  void take_mixed(std::string_view token) {
    std::size_t run = 0;
    bool run_spaceless = false;
    for (std::size_t pos = 0; pos < token.size();) {
      const std::size_t start = pos;
      const char32_t c = decode_code_point(token, pos);
      // A mark belongs to the letter before it, whatever its script.
      const bool spaceless = is_mark(c) ? run_spaceless : is_letter(c) && writes_without_spaces(script_of(c));
      if (start > run && spaceless != run_spaceless) {
        take_run(token.substr(run, start - run), run_spaceless);
        run = start;
      }
      run_spaceless = spaceless;
    }
    take_run(token.substr(run), run_spaceless);
  }

  void take_run(std::string_view run, bool spaceless) {
    if (spaceless) {
      take_pairs(run);
      return;
    }
    while (!run.empty() && joins_identifier(static_cast<unsigned char>(run.front()))) run.remove_prefix(1);
    while (!run.empty() && joins_identifier(static_cast<unsigned char>(run.back()))) run.remove_suffix(1);
    if (run.empty()) return;
    if (is_identifier(run) || run.find('/') != std::string_view::npos) {
      take_identifier(run);
    } else {
      add_word(run);
    }
  }

  void take_pairs(std::string_view run) {
    std::size_t before = std::string_view::npos;
    std::size_t character = 0;
    for (std::size_t pos = 0; pos < run.size();) {
      const std::size_t start = pos;
      const char32_t c = decode_code_point(run, pos);
      if (is_letter(c)) ++units_.letters[static_cast<std::size_t>(script_of(c))];
      if (start > 0 && is_mark(c)) continue;
      if (before != std::string_view::npos) add_pair(run.substr(before, start - before));
      before = start > 0 ? character : std::string_view::npos;
      character = start;
    }
    if (before != std::string_view::npos) add_pair(run.substr(before));
  }

  void add_pair(std::string_view pair) {
    ++units_.content_words;
    units_.stems_by_unit[std::string(pair)] = {std::string(pair)};
  }

  // An identifier matches itself, or one of its words, but never counts twice.
  void take_identifier(std::string_view token) {
    const std::string folded = fold_word(token);
    if (count_code_points(folded) < kMinContentLetters) return;
    const std::string whole = "=" + folded;
    std::vector<std::string>& stems = units_.stems_by_unit[whole];
    ++units_.content_words;
    if (!stems.empty()) return;
    stems.push_back(whole);
    for (const std::string& part : parts_of(token)) {
      if (is_content_word(part) && !is_number(part)) stems.push_back(stem_of(part));
    }
  }

  static std::vector<std::string> parts_of(std::string_view token) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    bool lower_before = false;
    const auto close = [&](std::size_t end) {
      if (end > start) parts.push_back(fold_word(token.substr(start, end - start)));
    };
    for (std::size_t pos = 0; pos < token.size();) {
      const std::size_t here = pos;
      const char32_t c = decode_code_point(token, pos);
      const bool word = is_word_character(c);
      if (!word || (lower_before && is_upper(c))) {
        close(here);
        start = word ? here : pos;
      }
      lower_before = is_letter(c) && !is_upper(c);
    }
    close(token.size());
    return parts;
  }

  // `don't` is a negation and its stump no word; `l'ancien` is one word with an article.
  void take_word(std::string_view token, std::size_t& pos) {
    std::size_t next = pos;
    if (pos < text_.size() && is_apostrophe(decode_code_point(text_, next)) && next < text_.size() &&
        text_[next] == 't' && token.ends_with('n')) {
      std::size_t after = next + 1;
      if (after == text_.size() || !is_word_character(decode_code_point(text_, after))) {
        pos = next + 1;
        return;
      }
    }
    add_word(token);
  }

  void add_word(std::string_view token) {
    for (std::size_t pos = 0; pos < token.size();) {
      const char32_t c = decode_code_point(token, pos);
      if (is_letter(c)) ++units_.letters[static_cast<std::size_t>(script_of(c))];
    }
    const std::string folded = fold_word(token);
    if (!is_content_word(folded)) return;
    ++units_.content_words;
    const std::string stem = stem_of(folded);
    if (is_number(folded)) {
      units_.stems_by_unit[std::string(kNumberUnit)].push_back(stem);
    } else {
      units_.stems_by_unit[stem] = {stem};
    }
  }

  std::string_view text_;
  Units units_;
};

// Latin unless more than 30 % of the letters outside identifiers are not: then the most frequent other script.
Script main_script(const Units& units) {
  int all = 0;
  for (const int count : units.letters) all += count;
  const int latin = units.letters[static_cast<std::size_t>(Script::latin)];
  if ((all - latin) * 100 <= all * kMaxOtherScriptPercent) return Script::latin;
  const auto most = std::max_element(units.letters.begin() + 1, units.letters.end());
  return static_cast<Script>(most - units.letters.begin());
}

bool has_letters(const Units& units) {
  return std::ranges::any_of(units.letters, [](int count) { return count > 0; });
}

// Units of `a` that hold a stem of `b`.
int count_shared(const Units& a, const Units& b) {
  std::unordered_set<std::string_view> stems;
  for (const auto& [unit, unit_stems] : b.stems_by_unit) stems.insert(unit_stems.begin(), unit_stems.end());
  return static_cast<int>(std::ranges::count_if(a.stems_by_unit, [&](const auto& unit) {
    return std::ranges::any_of(unit.second, [&](const std::string& stem) { return stems.contains(stem); });
  }));
}

}  // namespace

Relatedness relatedness(std::string_view a, std::string_view b) {
  const Units left = UnitReader(a).read();
  const Units right = UnitReader(b).read();
  if (has_letters(left) && has_letters(right) && main_script(left) != main_script(right)) return {false, false};
  // An identifier may meet two words of the other text, yet it is one: the smaller count is the number of pairs.
  return {std::min(count_shared(left, right), count_shared(right, left)) >= kMinSharedUnits, true};
}

int count_content_words(std::string_view text) { return UnitReader(text).read().content_words; }

}  // namespace pimemory
