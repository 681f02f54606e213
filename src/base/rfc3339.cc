// A hand-written RFC 3339 reader, because the C library's readers accept impossible dates and missing zones.
#include "base/rfc3339.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

namespace pimemory {
namespace {

constexpr TimeMs kMsPerSecond = 1000;
constexpr TimeMs kMsPerMinute = 60 * kMsPerSecond;
constexpr TimeMs kMsPerHour = 60 * kMsPerMinute;
constexpr int kLeapSecond = 60;

// Takes the text apart from left to right; each step says whether the next part was there.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  std::optional<int> number(std::size_t digits) {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    for (char c : rest_.substr(0, digits)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }

  bool accept(std::string_view one_of) {
    if (rest_.empty() || one_of.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // The milliseconds of one or more fraction digits; the digits after the third are read and dropped.
  std::optional<int> fraction_ms() {
    int value_ms = 0;
    int weight_ms = 100;
    std::size_t digits = 0;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1), ++digits) {
      value_ms += (rest_.front() - '0') * weight_ms;
      weight_ms /= 10;
    }
    if (digits == 0) return std::nullopt;
    return value_ms;
  }

 private:
  std::string_view rest_;
};

std::optional<TimeMs> scan_date(Scanner& scanner) {
  const auto year = scanner.number(4);
  if (!year || !scanner.accept("-")) return std::nullopt;
  const auto month = scanner.number(2);
  if (!month || !scanner.accept("-")) return std::nullopt;
  const auto day = scanner.number(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::milliseconds(std::chrono::sys_days(date).time_since_epoch()).count();
}

std::optional<TimeMs> scan_time_of_day(Scanner& scanner) {
  const auto hour = scanner.number(2);
  if (!hour || *hour > 23 || !scanner.accept(":")) return std::nullopt;
  const auto minute = scanner.number(2);
  if (!minute || *minute > 59 || !scanner.accept(":")) return std::nullopt;
  const auto second = scanner.number(2);
  if (!second || *second > kLeapSecond) return std::nullopt;
  TimeMs fraction_ms = 0;
  if (scanner.accept(".")) {
    const auto scanned = scanner.fraction_ms();
    if (!scanned) return std::nullopt;
    // The whole of second 60 is one instant, so its fraction counts for nothing.
    if (*second != kLeapSecond) fraction_ms = *scanned;
  }
  return *hour * kMsPerHour + *minute * kMsPerMinute + *second * kMsPerSecond + fraction_ms;
}

// What the zone adds to UTC.
std::optional<TimeMs> scan_zone(Scanner& scanner) {
  if (scanner.accept("Zz")) return 0;
  const bool east = scanner.accept("+");
  if (!east && !scanner.accept("-")) return std::nullopt;
  const auto hour = scanner.number(2);
  if (!hour || *hour > 23 || !scanner.accept(":")) return std::nullopt;
  const auto minute = scanner.number(2);
  if (!minute || *minute > 59) return std::nullopt;
  const TimeMs offset_ms = *hour * kMsPerHour + *minute * kMsPerMinute;
  return east ? offset_ms : -offset_ms;
}

std::unexpected<Error> refuse(const char* reason) {
  return fail(ErrorCode::invalid, std::string("not an RFC 3339 time: ") + reason,
              "write date, time and zone, for example 2026-03-01T00:00:00Z");
}

// `digits` decimal digits with leading zeros; by hand, since printing runs for every row that leaves the engine.
void append_padded(std::string& out, std::int64_t value, int digits) {
  const std::size_t start = out.size();
  out.resize(start + static_cast<std::size_t>(digits));
  for (std::size_t i = out.size(); i > start; --i, value /= 10) out[i - 1] = static_cast<char>('0' + value % 10);
}

struct CivilTime {
  int year;
  unsigned month;
  unsigned day;
  TimeMs ms_of_day;
};

CivilTime civil_time(TimeMs time) {
  const std::chrono::sys_time<std::chrono::milliseconds> instant{
      std::chrono::milliseconds(std::clamp(time, kMinTimeMs, kMaxTimeMs))};
  const auto midnight = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date(midnight);
  return {static_cast<int>(date.year()), static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
          std::chrono::milliseconds(instant - midnight).count()};
}

}  // namespace

Result<TimeMs> parse_rfc3339(std::string_view text) {
  if (text.empty()) return refuse("it is empty");
  Scanner scanner(text);
  const auto date = scan_date(scanner);
  if (!date) return refuse("the date is malformed or not in the calendar");
  if (!scanner.accept("Tt")) return refuse("no T and time after the date");
  const auto time_of_day = scan_time_of_day(scanner);
  if (!time_of_day) return refuse("the time of day is malformed");
  const auto zone = scan_zone(scanner);
  if (!zone) return refuse("the zone (Z or +hh:mm) is missing or malformed");
  if (!scanner.at_end()) return refuse("there is text after the zone");
  const TimeMs time = *date + *time_of_day - *zone;
  if (time < kMinTimeMs || time > kMaxTimeMs) return refuse("its UTC year is not within 0000-9999");
  return time;
}

std::string format_rfc3339(TimeMs time) {
  const CivilTime civil = civil_time(time);
  std::string text;
  text.reserve(sizeof("2026-03-01T00:00:00.000Z"));
  append_padded(text, civil.year, 4);
  text.push_back('-');
  append_padded(text, civil.month, 2);
  text.push_back('-');
  append_padded(text, civil.day, 2);
  text.push_back('T');
  append_padded(text, civil.ms_of_day / kMsPerHour, 2);
  text.push_back(':');
  append_padded(text, civil.ms_of_day / kMsPerMinute % 60, 2);
  text.push_back(':');
  append_padded(text, civil.ms_of_day / kMsPerSecond % 60, 2);
  text.push_back('.');
  append_padded(text, civil.ms_of_day % kMsPerSecond, 3);
  text.push_back('Z');
  return text;
}

std::string utc_day(TimeMs time) {
  const CivilTime civil = civil_time(time);
  std::string text;
  append_padded(text, civil.year, 4);
  append_padded(text, civil.month, 2);
  append_padded(text, civil.day, 2);
  return text;
}

}  // namespace pimemory
