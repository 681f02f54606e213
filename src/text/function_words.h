// Closed-class words of English and of the languages that statements are written in, for telling English from others.
#pragma once

#include <string_view>

namespace pimemory {

// All words are looked up folded: lower case, without marks (`más` is `mas`). A word that English shares with another
// language (`die`, `con`, `has`) tells nothing and is in neither list. Thread-safe.
bool is_english_function_word(std::string_view folded);
bool is_foreign_function_word(std::string_view folded);

// A shared word that is a function word in English (`has`, `was`), so that it carries no content either.
bool is_shared_function_word(std::string_view folded);

// Words of English instructions (`keep`, `avoid`) that no listed language uses: a sentence holding one is not foreign
// for its accents alone.
bool is_english_instruction_word(std::string_view folded);

// Verbs of instructions in the other languages (`borra`, `schreibe`): signs of their language, but content.
bool is_foreign_instruction_word(std::string_view folded);

// Names that only English gives to languages (`Spanish`).
bool is_english_language_name(std::string_view folded);

// English words usually written with marks (`naïve`, `café`).
bool is_english_loanword(std::string_view folded);

// Not, never, without and their like, in every listed language.
bool is_negation(std::string_view folded);

}  // namespace pimemory
