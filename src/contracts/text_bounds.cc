// One wording for every broken bound: the field, the actual value and the limit.
#include "contracts/text_bounds.h"

#include <algorithm>

#include "base/rfc3339.h"
#include "base/sha256.h"
#include "base/utf8.h"

namespace pimemory {
namespace {

constexpr std::size_t kMapEntriesMax = 64;
constexpr std::size_t kMapKeyCodePointsMax = 64;
constexpr std::size_t kMetadataValueBytesMax = 4'096;
constexpr std::size_t kNamedKeyCodePoints = 64;

std::unexpected<Error> above(const std::string& where, std::size_t actual, std::size_t limit, const char* unit) {
  return fail(ErrorCode::too_large, where + " is " + std::to_string(actual) + " " + unit + "; the limit is " +
                                        std::to_string(limit) + " " + unit);
}

Status check_plain(const std::string& where, std::string_view text) {
  if (!is_valid_utf8(text)) return fail(ErrorCode::invalid, where + " is not valid UTF-8");
  if (has_nul(text)) return fail(ErrorCode::invalid, where + " holds the character U+0000");
  return {};
}

Status check_blank(const std::string& where, std::string_view text, Blank blank) {
  if (blank == Blank::refused && is_blank(text)) return fail(ErrorCode::invalid, where + " is blank");
  return {};
}

}  // namespace

Status check_bytes(const std::string& where, std::string_view text, std::size_t limit, Blank blank) {
  if (text.size() > limit) return above(where, text.size(), limit, "bytes");
  PIMEMORY_TRY(check_plain(where, text));
  return check_blank(where, text, blank);
}

Status check_code_points(const std::string& where, std::string_view text, std::size_t limit, Blank blank) {
  PIMEMORY_TRY(check_plain(where, text));
  if (const std::size_t actual = count_code_points(text); actual > limit)
    return above(where, actual, limit, "characters");
  return check_blank(where, text, blank);
}

Status check_optional_bytes(const std::string& where, const std::optional<std::string>& text, std::size_t limit) {
  return text ? check_bytes(where, *text, limit, Blank::allowed) : Status{};
}

Status check_optional_code_points(const std::string& where, const std::optional<std::string>& text, std::size_t limit) {
  return text ? check_code_points(where, *text, limit, Blank::allowed) : Status{};
}

Status check_string_map(const std::string& where, const StringMap& map, std::size_t value_limit, Unit value_unit) {
  PIMEMORY_TRY(check_count(where, map.size(), kMapEntriesMax));
  for (const auto& [key, value] : map) {
    PIMEMORY_TRY(check_code_points(where + " key", key, kMapKeyCodePointsMax, Blank::allowed));
    if (key.empty()) return fail(ErrorCode::invalid, where + " has an empty key");
    const std::string name = where + "." + std::string(clip_code_points(key, kNamedKeyCodePoints));
    PIMEMORY_TRY(value_unit == Unit::bytes ? check_bytes(name, value, value_limit, Blank::allowed)
                                           : check_code_points(name, value, value_limit, Blank::allowed));
  }
  return {};
}

Status check_metadata(const StringMap& metadata) {
  return check_string_map("metadata", metadata, kMetadataValueBytesMax, Unit::bytes);
}

Status check_count(const std::string& where, std::size_t count, std::size_t limit) {
  return count > limit ? Status(above(where, count, limit, "items")) : Status{};
}

Status check_word(const std::string& where, std::string_view word, std::span<const std::string_view> words) {
  if (std::ranges::find(words, word) != words.end()) return {};
  std::string list;
  for (std::string_view known : words) list += (list.empty() ? "" : ", ") + std::string(known);
  return fail(ErrorCode::invalid, where + " must be one of " + list);
}

Status check_hash(const std::string& where, std::string_view hash) {
  if (is_lower_hex(hash, kSha256HexDigits)) return {};
  return fail(ErrorCode::invalid, where + " must be 64 lower-case hexadecimal digits");
}

Status check_scope(const std::string& where, std::string_view scope, std::string_view owner) {
  if (scope == owner) return {};
  return fail(ErrorCode::owner_mismatch, where + " is not the project that owns this memory");
}

Status check_time(const std::string& where, TimeMs time) {
  if (time >= kMinTimeMs && time <= kMaxTimeMs) return {};
  return fail(ErrorCode::invalid, where + " is outside the years 0000 to 9999");
}

Status check_validity(std::optional<TimeMs> valid_from, std::optional<TimeMs> valid_to) {
  if (valid_from) PIMEMORY_TRY(check_time("validFrom", *valid_from));
  if (valid_to) PIMEMORY_TRY(check_time("validTo", *valid_to));
  if (valid_from && valid_to && *valid_from > *valid_to)
    return fail(ErrorCode::invalid, "validFrom is after validTo; both ends may be equal, but not inverted");
  return {};
}

}  // namespace pimemory
