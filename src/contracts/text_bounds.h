// The checks that records and event payloads share: bounded text, closed words, hashes, times and scopes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contracts/records.h"

namespace pimemory {

inline constexpr std::size_t kTitleBytesMax = 1'024;
inline constexpr std::size_t kUriBytesMax = 4'096;
inline constexpr std::size_t kAdapterCodePointsMax = 256;

enum class Blank { allowed, refused };
enum class Unit { bytes, code_points };

// `where` names the field in the error. Each is `invalid` for text that is not UTF-8, holds U+0000 or is blank where
// that is refused, and `too_large` above `limit`. All are thread-safe.
Status check_bytes(const std::string& where, std::string_view text, std::size_t limit, Blank blank);
Status check_code_points(const std::string& where, std::string_view text, std::size_t limit, Blank blank);
// An absent value passes; a present one may be blank.
Status check_optional_bytes(const std::string& where, const std::optional<std::string>& text, std::size_t limit);
Status check_optional_code_points(const std::string& where, const std::optional<std::string>& text, std::size_t limit);

// At most 64 entries with keys of 1 to 64 code points and values up to the limit.
Status check_string_map(const std::string& where, const StringMap& map, std::size_t value_limit, Unit value_unit);
// A document's metadata: the map above with values up to 4,096 bytes.
Status check_metadata(const StringMap& metadata);

Status check_count(const std::string& where, std::size_t count, std::size_t limit);
Status check_word(const std::string& where, std::string_view word, std::span<const std::string_view> words);
Status check_hash(const std::string& where, std::string_view hash);  // 64 lower-case hex digits
Status check_scope(const std::string& where, std::string_view scope, std::string_view owner);
Status check_time(const std::string& where, TimeMs time);  // years 0000 to 9999
// validFrom must not be after validTo; equal is the empty interval of a cancelled plan.
Status check_validity(std::optional<TimeMs> valid_from, std::optional<TimeMs> valid_to);

}  // namespace pimemory
