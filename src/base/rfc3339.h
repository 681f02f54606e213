// RFC 3339 times in and out: text without a zone is an error, everything inside is UTC milliseconds.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace pimemory {

// 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z, the range of every time in the project.
inline constexpr TimeMs kMinTimeMs = -62167219200000;
inline constexpr TimeMs kMaxTimeMs = 253402300799999;

// Date, `T`, time and an explicit zone (`Z` or ±hh:mm); lower-case `t` and `z` are accepted, nothing around them is.
// Digits beyond milliseconds are dropped. Second 60 is the first instant of the next minute. `invalid` for a missing
// zone, a bare date, an impossible date and an instant whose UTC year is not 0000-9999.
Result<TimeMs> parse_rfc3339(std::string_view text);

// `2026-03-01T00:00:00.000Z`. A time outside the range prints as the nearest time inside it.
std::string format_rfc3339(TimeMs time);

// The UTC calendar day, `20260301`; the range as above.
std::string utc_day(TimeMs time);

}  // namespace pimemory
