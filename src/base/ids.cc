// Checks ids by hand rather than by regular expression: they run for every row and every event read.
#include "base/ids.h"

#include <algorithm>
#include <array>

#include "base/sha256.h"

namespace pimemory {
namespace {

constexpr std::size_t kUuidBytes = 16;
constexpr std::size_t kUuidTextBytes = 36;
constexpr std::array<std::size_t, 4> kHyphenPositions = {8, 13, 18, 23};
constexpr std::size_t kVersionPosition = 14;
constexpr std::size_t kVariantPosition = 19;

bool is_id_character(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

}  // namespace

std::string uuid_v4(Random& random) {
  std::array<unsigned char, kUuidBytes> bytes{};
  random.fill(bytes);
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  std::string text = to_hex(bytes);
  // Ascending, each position already counts the hyphens before it.
  for (std::size_t position : kHyphenPositions) text.insert(position, 1, '-');
  return text;
}

bool is_uuid_v4(std::string_view text) {
  if (text.size() != kUuidTextBytes) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool hyphen_expected = std::ranges::find(kHyphenPositions, i) != kHyphenPositions.end();
    if (hyphen_expected ? text[i] != '-' : !is_lower_hex(text.substr(i, 1), 1)) return false;
  }
  constexpr std::string_view kVariantDigits = "89ab";
  return text[kVersionPosition] == '4' && kVariantDigits.find(text[kVariantPosition]) != std::string_view::npos;
}

bool is_id(std::string_view prefix, std::string_view id) {
  if (!id.starts_with(prefix)) return false;
  const std::string_view body = id.substr(prefix.size());
  return body.size() >= kMinIdBodyBytes && body.size() <= kMaxIdBodyBytes && std::ranges::all_of(body, is_id_character);
}

}  // namespace pimemory
