// The codecs: what is written is read back equal, and nothing else is accepted.
#include "contracts/fields.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/canonical_json.h"
#include "contracts/record_fields.h"
#include "contracts/sample_records.h"

namespace pimemory {
namespace {

using namespace samples;  // NOLINT: the samples are this file's vocabulary
using nlohmann::json;

template <class T>
void expect_round_trip(const T& record) {
  const json written = encode_record(record);
  const auto read = decode_record<T>(written, "record");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == record);
  // Through text as well: numbers and strings keep their canonical bytes.
  const auto again = parse_strict_json(canonical_json(written).value());
  EXPECT_EQ(encode_record(decode_record<T>(*again, "record").value()), written);
}

template <class T>
std::string error_of(const json& value) {
  const auto read = decode_record<T>(value, "fact");
  return read ? "ok" : std::string(error_code_name(read.error().code)) + ": " + read.error().message;
}

TEST(Fields, FullRecordsRoundTrip) {
  SourceDocument d = document();
  d.title = "Guía";
  d.uri = "file:///guide";
  d.valid_from = d.valid_to = d.observed_at;
  d.metadata = {{"tool", "bash"}};
  d.sync = SyncOrigin{"pi-session", kHash};
  expect_round_trip(d);

  TemporalFact f = fact();
  f.subject = "releases";
  f.predicate = "come from";
  f.object = "main";
  f.episode_ids = {"ep_00000001"};
  f.supersedes = {"mem_00000002"};
  f.valid_at = at("2026-02-01T00:00:00.123Z");
  f.invalid_at = at("2026-04-01T00:00:00Z");
  f.tags = {{"a", "ñ\n\"日本語\u2028😀e\u0301"}};
  f.entities[0].summary = "the trunk";
  expect_round_trip(f);

  Episode e = episode();
  e.actor_id = "x";
  e.evidence = {evidence()};
  expect_round_trip(e);
  expect_round_trip(resolution());
}

TEST(Fields, MinimalRecordsWriteNoAbsentMember) {
  FactResolution r = resolution();
  r.replacement_id.reset();
  EXPECT_EQ(encode_record(r).size(), 3u);
  expect_round_trip(r);
  EXPECT_FALSE(encode_record(document()).contains("metadata"));
  expect_round_trip(document());
}

TEST(Fields, RefusesUnknownMissingNullAndWrongTypes) {
  json value = encode_record(fact());
  value["extra"] = 1;
  EXPECT_EQ(error_of<TemporalFact>(value), "invalid: fact.extra is not a known member");
  value = encode_record(fact());
  value.erase("kind");
  EXPECT_EQ(error_of<TemporalFact>(value), "invalid: fact.kind is missing");
  for (const char* name : {"subject", "validAt", "tags", "statement", "evidence"}) {
    value = encode_record(fact());
    value[name] = nullptr;
    EXPECT_NE(error_of<TemporalFact>(value).find(std::string("fact.") + name + " must be"), std::string::npos) << name;
  }
  value = encode_record(fact());
  value["statement"] = 7;
  EXPECT_EQ(error_of<TemporalFact>(value), "invalid: fact.statement must be a string");
  value = encode_record(fact());
  value["evidence"][0]["extra"] = 1;
  EXPECT_EQ(error_of<TemporalFact>(value), "invalid: fact.evidence[0].extra is not a known member");
  value = encode_record(fact());
  value["tags"] = {{"a", 1}};
  EXPECT_EQ(error_of<TemporalFact>(value), "invalid: fact.tags.a must be a string");
  EXPECT_EQ(error_of<TemporalFact>(json::array()), "invalid: fact must be an object");
  EXPECT_EQ(error_of<TemporalFact>(json()), "invalid: fact must be an object");
}

TEST(Fields, TimesNeedADateATimeAndAZone) {
  json value = encode_record(document());
  for (const char* bad : {"", "2026", "March 7", "2026-03-01", "2026-03-01T00:00:00", "2026-02-30T00:00:00Z"}) {
    value["validFrom"] = bad;
    EXPECT_EQ(error_of<SourceDocument>(value).find("invalid: fact.validFrom"), 0u) << bad;
  }
  value["validFrom"] = 1'772'323'200'000;
  EXPECT_EQ(error_of<SourceDocument>(value), "invalid: fact.validFrom must be an RFC 3339 time with a zone");
  value["validFrom"] = "2026-03-01T01:00:00+01:00";
  const auto read = decode_record<SourceDocument>(value, "document");
  ASSERT_TRUE(read);
  EXPECT_EQ(encode_record(*read)["validFrom"], "2026-03-01T00:00:00.000Z");
}

TEST(Fields, NumbersAreFiniteAndSafe) {
  json value = encode_record(fact());
  value["confidence"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of<TemporalFact>(value), "invalid: fact.confidence must be a finite number");
  value["confidence"] = 1;
  EXPECT_EQ(error_of<TemporalFact>(value), "ok");

  std::int64_t out = 0;
  EXPECT_TRUE(fields_detail::decode_value(json(kMaxSafeInteger), "n", out));
  EXPECT_TRUE(fields_detail::decode_value(json(-kMaxSafeInteger), "n", out));
  EXPECT_FALSE(fields_detail::decode_value(json(kMaxSafeInteger + 1), "n", out));
  EXPECT_FALSE(fields_detail::decode_value(json(-kMaxSafeInteger - 1), "n", out));
  EXPECT_FALSE(fields_detail::decode_value(json(std::numeric_limits<std::uint64_t>::max()), "n", out));
  EXPECT_FALSE(fields_detail::decode_value(json(1.0), "n", out));
  EXPECT_FALSE(fields_detail::decode_value(json(true), "n", out));
  std::uint64_t positive = 0;
  EXPECT_FALSE(fields_detail::decode_value(json(-1), "n", positive));
}

}  // namespace
}  // namespace pimemory
