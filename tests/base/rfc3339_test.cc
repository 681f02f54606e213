// Times: what is accepted, what is refused, and that printing is the inverse of reading.
#include "base/rfc3339.h"

#include <gtest/gtest.h>

#include <random>

namespace pimemory {
namespace {

TimeMs parsed(std::string_view text) {
  const auto result = parse_rfc3339(text);
  EXPECT_TRUE(result) << text << ": " << (result ? "" : result.error().message);
  return result.value_or(-1);
}

TEST(Rfc3339, ReadsTheExamplesOfTheRfc) {
  EXPECT_EQ(parsed("1985-04-12T23:20:50.52Z"), 482196050520);
  EXPECT_EQ(parsed("1996-12-19T16:39:57-08:00"), parsed("1996-12-20T00:39:57Z"));
  EXPECT_EQ(parsed("1990-12-31T23:59:60Z"), parsed("1991-01-01T00:00:00Z"));
  EXPECT_EQ(parsed("1990-12-31T15:59:60-08:00"), parsed("1991-01-01T00:00:00Z"));
  EXPECT_EQ(parsed("1937-01-01T12:00:27.87+00:20"), parsed("1937-01-01T11:40:27.870Z"));
}

TEST(Rfc3339, AcceptsItsVariants) {
  EXPECT_EQ(parsed("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parsed("2026-03-01t00:00:00z"), parsed("2026-03-01T00:00:00.000Z"));
  EXPECT_EQ(parsed("2026-03-01T00:00:00-00:00"), parsed("2026-03-01T00:00:00Z"));
  EXPECT_EQ(parsed("2024-02-29T00:00:00Z"), parsed("2024-02-28T23:59:59Z") + 1000);
  EXPECT_EQ(parsed("2000-02-29T00:00:00Z") % 86400000, 0);
  EXPECT_EQ(parsed("2026-03-01T23:59:59+23:59"), parsed("2026-03-01T00:00:59Z"));
}

TEST(Rfc3339, DropsDigitsBeyondMilliseconds) {
  EXPECT_EQ(parsed("1970-01-01T00:00:00.1Z"), 100);
  EXPECT_EQ(parsed("1970-01-01T00:00:00.0019999999999999999999Z"), 1);
  EXPECT_EQ(parsed("1969-12-31T23:59:59.9999Z"), -1);
  EXPECT_EQ(parsed("1990-12-31T23:59:60.9Z"), parsed("1991-01-01T00:00:00Z"));
}

TEST(Rfc3339, RefusesEverythingElse) {
  for (const char* text : {"",
                           "2026-03-01",
                           "2026-03-01T00:00:00",
                           "2025-01-01T00:00:00.5",
                           "2026-03-01T00:00Z",
                           "2026-03-01 00:00:00Z",
                           "2026-02-29T00:00:00Z",
                           "1900-02-29T00:00:00Z",
                           "2026-04-31T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-01-00T00:00:00Z",
                           "2026-01-32T00:00:00Z",
                           "2026-03-01T24:00:00Z",
                           "2026-03-01T00:60:00Z",
                           "2026-03-01T00:00:61Z",
                           "2026-03-01T00:00:00.Z",
                           "2026-03-01T00:00:00,5Z",
                           "2026-03-01T00:00:00+1:00",
                           "2026-03-01T00:00:00+0100",
                           "2026-03-01T00:00:00+24:00",
                           "2026-03-01T00:00:00+00:60",
                           "2026-03-01T00:00:00ZZ",
                           "2026-03-01T00:00:00Z ",
                           " 2026-03-01T00:00:00Z",
                           "02026-03-01T00:00:00Z",
                           "+2026-03-01T00:00:00Z",
                           "-001-03-01T00:00:00Z",
                           "20260301T000000Z",
                           "now",
                           "1700000000"}) {
    const auto result = parse_rfc3339(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::invalid) << text;
    EXPECT_FALSE(result.error().hint.empty());
  }
  EXPECT_FALSE(parse_rfc3339(std::string_view("2026-03-01T00:00:00Z\0", 21)));
}

TEST(Rfc3339, BoundsTheYearInUtc) {
  EXPECT_EQ(parsed("0000-01-01T00:00:00Z"), kMinTimeMs);
  EXPECT_EQ(parsed("9999-12-31T23:59:59.999Z"), kMaxTimeMs);
  EXPECT_EQ(parsed("0000-01-01T01:00:00+01:00"), kMinTimeMs);
  EXPECT_FALSE(parse_rfc3339("0000-01-01T00:00:00+00:01"));
  EXPECT_FALSE(parse_rfc3339("9999-12-31T23:59:00-00:01"));
  EXPECT_FALSE(parse_rfc3339("9999-12-31T23:59:60Z"));
}

TEST(Rfc3339, PrintsMilliseconds) {
  EXPECT_EQ(format_rfc3339(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(format_rfc3339(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(format_rfc3339(parsed("2026-03-01T00:00:00Z")), "2026-03-01T00:00:00.000Z");
  EXPECT_EQ(format_rfc3339(kMinTimeMs), "0000-01-01T00:00:00.000Z");
  EXPECT_EQ(format_rfc3339(kMaxTimeMs), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(format_rfc3339(kMinTimeMs - 1), format_rfc3339(kMinTimeMs));
  EXPECT_EQ(format_rfc3339(INT64_MAX), format_rfc3339(kMaxTimeMs));
}

TEST(Rfc3339, PrintsTheUtcDay) {
  EXPECT_EQ(utc_day(0), "19700101");
  EXPECT_EQ(utc_day(-1), "19691231");
  EXPECT_EQ(utc_day(parsed("2026-03-01T00:30:00+01:00")), "20260228");
  EXPECT_EQ(utc_day(kMinTimeMs), "00000101");
}

TEST(Rfc3339, ReadsBackWhatItPrints) {
  std::mt19937_64 engine(3);
  std::uniform_int_distribution<TimeMs> times(kMinTimeMs, kMaxTimeMs);
  for (int i = 0; i < 5000; ++i) {
    const TimeMs time = times(engine);
    EXPECT_EQ(parsed(format_rfc3339(time)), time);
  }
}

}  // namespace
}  // namespace pimemory
