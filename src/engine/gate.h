// The capture gate: which statements are worth keeping, decided by their words and by what is already live.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "storage/domain_state.h"

namespace pimemory {

// NFC, case-folded, white space collapsed, final `.` and `!` dropped.
std::string normal_form(std::string_view statement);
// SHA-256 of the normal form: what the tag `originalHash` holds and what duplicates are found by.
std::string wording_hash(std::string_view statement);

// Not terminal, not collected, and its validity has not ended at t.
bool is_live(const FactRow& fact, TimeMs t);

// "empty", "secret" or "routine"; nothing when the words alone do not refuse the (redacted) statement.
std::optional<std::string> refused_by_words(std::string_view statement);
// "correction" or "novel": why an admitted statement is kept.
std::string admitted_as(std::string_view statement, std::string_view kind);

// Finds live facts by wording over all facts. A fact's statement never changes, so its hash is computed once.
// Thread-safe.
class WordingIndex {
 public:
  // The first live fact in key order whose wording or `originalHash` is `hash`; `counts` may leave facts out.
  std::optional<FactRow> find_live(const DomainReader& domain, std::string_view hash, TimeMs now,
                                   const std::function<bool(const FactRow&)>& counts);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::string> hash_by_id_;
};

}  // namespace pimemory
