// SHA-256 and strict hexadecimal: every id, event hash and revision of the project is built from them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pimemory {

inline constexpr std::size_t kSha256Bytes = 32;
inline constexpr std::size_t kSha256HexDigits = 2 * kSha256Bytes;

// Thread-safe. Cannot fail short of a process without memory or without a SHA-256 implementation, which aborts.
std::array<unsigned char, kSha256Bytes> sha256(std::string_view bytes);

// The same as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

// Two lower-case digits a byte.
std::string to_hex(std::span<const unsigned char> bytes);

// The bytes of an even number of lower-case digits; nothing for any other text, upper-case digits included.
std::optional<std::string> from_hex(std::string_view digits);

// True when `text` is exactly `digits` lower-case hexadecimal digits.
bool is_lower_hex(std::string_view text, std::size_t digits);

}  // namespace pimemory
