// Tells English statements from others, conservatively: doubt means English, and code and quotations do not count.
#pragma once

#include <string>
#include <string_view>

namespace pimemory {

struct LanguageVerdict {
  bool english;
  std::string reason;  // one clause that shows why, with both counts
  int english_words;   // function words, repeats included
  int foreign_words;
};

// Deterministic, linear in the text, thread-safe.
LanguageVerdict detect_english(std::string_view text);

}  // namespace pimemory
