// Counts function words and foreign letters in what is left of a statement without its code and quotations.
#include "text/language.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "text/function_words.h"
#include "text/plain_words.h"

namespace pimemory {
namespace {

constexpr int kMinLettersForScript = 4;
constexpr int kMaxOtherScriptPercent = 30;
constexpr std::size_t kMinWords = 4;
constexpr int kMinForeignWords = 2;
constexpr std::size_t kMinWordsForAccents = 5;
constexpr int kMinAccentedWords = 2;
constexpr std::size_t kMaxCodeLength = 3;

struct Word {
  std::string folded;
  bool ascii = true;
  bool capitalised = false;
  bool all_capital = true;
  bool opens_sentence = false;
  bool listed = false;      // a comma follows at once
  bool elided = false;      // an apostrophe and a letter follow
  bool contracted = false;  // behind an apostrophe, as the `t` of `don't`
};

bool is_apostrophe(char32_t c) { return c == U'\'' || c == U'’'; }

bool ends_sentence(char32_t c) {
  return c == U'.' || c == U'!' || c == U'?' || c == U'…' || c == U':' || c == U';' || c == U'\n' || c == U'•';
}

class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  std::vector<Word> read() && {
    std::vector<Word> words;
    bool sentence_start = true;
    bool after_apostrophe = false;
    for (std::size_t pos = 0; pos < text_.size();) {
      const std::size_t start = pos;
      const char32_t c = decode_code_point(text_, pos);
      if (!is_letter(c)) {
        const bool apostrophe = is_apostrophe(c) && start > 0 && last_was_letter_;
        if (ends_sentence(c)) sentence_start = true;
        if (c == U',' && last_was_letter_) words.back().listed = true;
        after_apostrophe = apostrophe;
        last_was_letter_ = false;
        continue;
      }
      words.push_back(take(start, pos));
      words.back().opens_sentence = sentence_start;
      words.back().contracted = after_apostrophe;
      if (after_apostrophe && words.size() >= 2) words[words.size() - 2].elided = true;
      sentence_start = after_apostrophe = false;
      last_was_letter_ = true;
    }
    return words;
  }

 private:
  Word take(std::size_t start, std::size_t& pos) {
    Word word;
    std::size_t letter = start;
    for (std::size_t next = start; letter < text_.size(); letter = next) {
      const char32_t c = decode_code_point(text_, next);
      if (!is_letter(c) && !is_mark(c)) break;
      if (c >= 0x80) word.ascii = false;
      if (is_letter(c)) word.all_capital = word.all_capital && is_upper(c);
      if (letter == start) word.capitalised = is_upper(c);
    }
    pos = letter;
    word.folded = fold_word(text_.substr(start, pos - start));
    return word;
  }

  std::string_view text_;
  bool last_was_letter_ = false;
};

struct LetterCount {
  int all = 0;
  int other_scripts = 0;
};

LetterCount count_letters(std::string_view text) {
  LetterCount count;
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = decode_code_point(text, pos);
    if (!is_letter(c)) continue;
    ++count.all;
    if (script_of(c) != Script::latin) ++count.other_scripts;
  }
  return count;
}

// French, Italian and Catalan join these to the next word: `l'ancien`, `qu'il`, `dell'ordine`.
bool is_elided_article(std::string_view folded) {
  constexpr std::string_view kElided[] = {"l", "d", "j", "c", "n", "m", "s", "qu", "un", "jusqu", "lorsqu", "puisqu"};
  return std::ranges::find(kElided, folded) != std::end(kElided);
}

// The end of `don't`, `we've`; `s` and `d` are left out, since other languages have them too.
bool is_english_contraction(std::string_view folded) {
  constexpr std::string_view kEndings[] = {"t", "re", "ve", "ll"};
  return std::ranges::find(kEndings, folded) != std::end(kEndings);
}

struct Counts {
  int english = 0;
  int foreign = 0;
  bool long_foreign = false;  // one of two letters or more: single letters alone may name variables
  bool instruction = false;
  int accented = 0;
  bool accented_lower = false;
};

bool counts_as_english(const Word& word) {
  if (word.contracted) return is_english_contraction(word.folded);
  // `für` is not `for`: with marks it is no English function word.
  if (!word.ascii) return false;
  return is_english_function_word(word.folded) || (word.capitalised && is_english_language_name(word.folded));
}

bool counts_as_foreign(const Word& word, bool all_capital_text) {
  // `de, en, es`: locale codes in a list.
  if (word.listed && word.folded.size() <= kMaxCodeLength) return false;
  if (word.all_capital && !all_capital_text && !(word.folded.size() == 1 && word.opens_sentence)) return false;
  if (word.capitalised && !word.opens_sentence && !all_capital_text) return false;
  if (word.elided && is_elided_article(word.folded)) return true;
  return !word.elided && !word.contracted &&
         (is_foreign_function_word(word.folded) || is_foreign_instruction_word(word.folded));
}

Counts count_words(const std::vector<Word>& words) {
  const bool all_capital_text = std::ranges::all_of(words, &Word::all_capital);
  Counts counts;
  for (const Word& word : words) {
    if (counts_as_english(word)) {
      ++counts.english;
    } else if (counts_as_foreign(word, all_capital_text)) {
      ++counts.foreign;
      counts.long_foreign = counts.long_foreign || word.folded.size() > 1 || word.elided;
    }
    counts.instruction = counts.instruction || (word.ascii && is_english_instruction_word(word.folded));
    if (!word.ascii && !is_english_loanword(word.folded)) {
      ++counts.accented;
      counts.accented_lower = counts.accented_lower || !word.capitalised;
    }
  }
  return counts;
}

std::string reason_with(const std::string& why, const Counts& counts) {
  return why + " (function words: " + std::to_string(counts.english) + " English, " + std::to_string(counts.foreign) +
         " foreign)";
}

LanguageVerdict verdict(bool english, const std::string& why, const Counts& counts) {
  return {english, reason_with(why, counts), counts.english, counts.foreign};
}

}  // namespace

LanguageVerdict detect_english(std::string_view text) {
  const std::string plain = blank_out_code(text);
  const std::vector<Word> words = WordReader(plain).read();
  const Counts counts = count_words(words);
  if (plain.find("¿") != std::string::npos || plain.find("¡") != std::string::npos) {
    return verdict(false, "an inverted question or exclamation mark", counts);
  }
  const LetterCount letters = count_letters(plain);
  if (letters.all >= kMinLettersForScript && letters.other_scripts * 100 > letters.all * kMaxOtherScriptPercent) {
    return verdict(
        false, std::to_string(letters.other_scripts) + " of " + std::to_string(letters.all) + " letters are not Latin",
        counts);
  }
  if (words.size() < kMinWords) return verdict(true, "fewer than four words", counts);
  if (counts.foreign >= kMinForeignWords && counts.long_foreign && counts.foreign > counts.english) {
    return verdict(false, "more foreign function words than English ones", counts);
  }
  const bool accents = counts.accented >= kMinAccentedWords || counts.accented_lower;
  if (words.size() >= kMinWordsForAccents && counts.english == 0 && !counts.instruction && accents) {
    return verdict(false, "no English function word, and letters outside English", counts);
  }
  return verdict(true, "no sign of another language", counts);
}

}  // namespace pimemory
