// RFC 8785 canonical JSON, the bytes that every structured hash is taken over, and the strict reader beside it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pimemory {

// The integers that a JSON number carries exactly everywhere: ±(2^53 - 1).
inline constexpr std::int64_t kMaxSafeInteger = 9007199254740991;
inline constexpr int kDefaultMaxJsonDepth = 64;

// The RFC 8785 bytes of `value`. `invalid` for what has none: a number that is not finite, a string or key that is not
// UTF-8, a binary value, nesting above 1,000; and for an integer outside ±kMaxSafeInteger, also one held as a double,
// since the printed digits would be read back as another kind of number. Thread-safe.
Result<std::string> canonical_json(const nlohmann::json& value);

// Lower-case hexadecimal SHA-256 of canonical_json(value), with its errors.
Result<std::string> canonical_hash(const nlohmann::json& value);

// The ECMAScript text of one double, as RFC 8785 prints numbers: `1e+21`, `0.000001`, `0` for -0. `invalid` unless
// finite; no bound on integers.
Result<std::string> canonical_number(double value);

// Reads one JSON text and nothing else. `invalid` for a syntax error, a byte order mark, invalid UTF-8 or a lone
// surrogate escape, a duplicate key, a number beyond double, bytes after the value and nesting above `max_depth`
// (a scalar has depth 0, [] has depth 1). The message names the byte offset, from 0. Thread-safe.
Result<nlohmann::json> parse_strict_json(std::string_view text, int max_depth = kDefaultMaxJsonDepth);

}  // namespace pimemory
