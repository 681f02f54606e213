// The gate's word lists and its lookup of live duplicates.
#include "engine/gate.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/sha256.h"
#include "base/utf8.h"
#include "text/relatedness.h"

namespace pimemory {
namespace {

constexpr std::string_view kPlaceholderStart = "<REDACTED";
constexpr int kStatusContentWordsMax = 5;

constexpr std::array<std::string_view, 13> kRoutineWords = {"ok",     "okay", "done", "lgtm",  "wip",   "todo",   "n/a",
                                                            "thanks", "thx",  "vale", "hecho", "listo", "gracias"};
constexpr std::array<std::string_view, 4> kStatusTools = {"bash", "npm", "git", "pi"};
constexpr std::array<std::string_view, 2> kStatusOutcomes = {"succeeded", "failed"};
// Negations and words of correction in English and Spanish, case-folded.
constexpr std::array<std::string_view, 46> kCorrectionWords = {
    "not",        "no",         "never",      "none",     "nothing", "neither", "nor",        "cannot",
    "can't",      "don't",      "doesn't",    "didn't",   "isn't",   "aren't",  "wasn't",     "weren't",
    "won't",      "shouldn't",  "mustn't",    "wouldn't", "without", "instead", "wrong",      "incorrect",
    "actually",   "correction", "corrected",  "mistake",  "rather",  "avoid",   "nunca",      "jamás",
    "tampoco",    "ningún",     "ninguna",    "ninguno",  "nada",    "sino",    "incorrecto", "incorrecta",
    "equivocado", "equivocada", "corrección", "corrige",  "evita",   "evitar"};

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

std::vector<std::string> spaced_words(std::string_view text) {
  std::vector<std::string> words;
  const std::string collapsed = collapse_whitespace(text);
  for (std::size_t start = 0; start < collapsed.size();) {
    const std::size_t end = std::min(collapsed.find(' ', start), collapsed.size());
    words.push_back(collapsed.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

bool only_placeholders(std::string_view text) {
  bool seen = false;
  for (std::string_view rest = trim(text); !rest.empty(); rest = trim(rest)) {
    const std::size_t close = rest.find('>');
    if (!rest.starts_with(kPlaceholderStart) || close == std::string_view::npos) return false;
    rest.remove_prefix(close + 1);
    seen = true;
  }
  return seen;
}

bool is_routine(std::string_view statement) {
  std::string folded = case_fold(nfc(trim(statement)));
  const std::vector<std::string> words = spaced_words(folded);
  if (words.size() >= 2 && is_one_of(kStatusTools, words[0])) {
    std::string outcome = words[1];
    while (!outcome.empty() && std::string_view(".,:;!").contains(outcome.back())) outcome.pop_back();
    if (is_one_of(kStatusOutcomes, outcome) && count_content_words(statement) <= kStatusContentWordsMax) return true;
  }
  if (folded.ends_with('.')) folded.pop_back();
  return is_one_of(kRoutineWords, folded);
}

// Punctuation at a word's ends does not hide it; the apostrophe of "don’t" may be typographic.
std::string bare_word(std::string word) {
  for (std::size_t at = word.find("\u2019"); at != std::string::npos; at = word.find("\u2019"))
    word.replace(at, std::string_view("\u2019").size(), "'");
  const auto is_mark = [](char c) { return std::string_view(".,:;!?()[]\"'*_").contains(c); };
  while (!word.empty() && is_mark(word.back())) word.pop_back();
  while (!word.empty() && is_mark(word.front())) word.erase(0, 1);
  return word;
}

}  // namespace

std::string normal_form(std::string_view statement) {
  std::string form = collapse_whitespace(nfc(case_fold(nfc(statement))));
  while (form.ends_with('.') || form.ends_with('!') || form.ends_with(' ')) form.pop_back();
  return form;
}

std::string wording_hash(std::string_view statement) { return sha256_hex(normal_form(statement)); }

bool is_live(const FactRow& fact, TimeMs t) {
  return !is_terminal_standing(fact.standing) && !fact.collected && (!fact.invalid_at || t < *fact.invalid_at);
}

std::optional<std::string> refused_by_words(std::string_view statement) {
  if (is_blank(statement)) return "empty";
  if (only_placeholders(statement)) return "secret";
  if (is_routine(statement)) return "routine";
  return std::nullopt;
}

std::string admitted_as(std::string_view statement, std::string_view kind) {
  if (kind == "correction" || kind == "constraint") return "correction";
  for (const std::string& word : spaced_words(case_fold(nfc(statement))))
    if (is_one_of(kCorrectionWords, bare_word(word))) return "correction";
  return "novel";
}

std::optional<FactRow> WordingIndex::find_live(const DomainReader& domain, std::string_view hash, TimeMs now,
                                               const std::function<bool(const FactRow&)>& counts) {
  const std::lock_guard lock(mutex_);
  std::optional<FactRow> found;
  domain.each_fact([&](const FactRow& fact) {
    if (!is_live(fact, now) || !counts(fact)) return true;
    auto [entry, is_new] = hash_by_id_.try_emplace(fact.id);
    if (is_new) entry->second = wording_hash(fact.statement);
    const auto original = fact.tags.find("originalHash");
    if (entry->second != hash && (original == fact.tags.end() || original->second != hash)) return true;
    found = fact;
    return false;
  });
  return found;
}

}  // namespace pimemory
