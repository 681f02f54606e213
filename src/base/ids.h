// The shapes of identifiers: random ones are UUIDs, all of them are a prefix and a bounded plain body.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/random.h"

namespace pimemory {

inline constexpr std::size_t kMinIdBodyBytes = 8;
inline constexpr std::size_t kMaxIdBodyBytes = 64;

// A version 4 UUID in lower case, 36 bytes. As thread-safe as `random`.
std::string uuid_v4(Random& random);

// True for the 36 lower-case bytes of a version 4 UUID of the RFC 9562 variant.
bool is_uuid_v4(std::string_view text);

// True when `id` is `prefix` followed by [a-z0-9_-]{8,64}; the prefix includes its underscore: is_id("mem_", id).
bool is_id(std::string_view prefix, std::string_view id);

}  // namespace pimemory
