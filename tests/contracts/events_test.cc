// The event: its closed payloads, its line bounds, its hashes and the writer's chain.
#include "contracts/events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/canonical_json.h"
#include "contracts/record_fields.h"
#include "contracts/sample_records.h"
#include "contracts/validate.h"

namespace pimemory {
namespace {

using namespace samples;  // NOLINT: the samples are this file's vocabulary
using nlohmann::json;

const std::string kKey = document_key("document", "docs/guide.md");

json typed(const char* type, json members) {
  members["type"] = type;
  return members;
}

json fingerprint() {
  return {{"documentKey", kKey},     {"namespace", "document"}, {"externalId", "docs/guide.md"},
          {"revision", kHash},       {"contentHash", kHash},    {"kind", "document"},
          {"trust", "imported"},     {"title", "Guide"},        {"observedAt", "2026-03-01T00:00:00.000Z"},
          {"metadata", {{"a", "b"}}}};
}

json content() {
  json resolve = encode_record(resolution());
  return {{"facts", {encode_record(fact())}},
          {"documents", {encode_record(document())}},
          {"removals", {{{"namespace", "document"}, {"externalId", "x"}, {"reason", "gone"}}}},
          {"resolves", {resolve}},
          {"topics",
           {{{"id", "topic_00000001"},
             {"scopeId", kOwner},
             {"title", "Releases"},
             {"summary", "From main"},
             {"revision", 1},
             {"summaryHash", kHash},
             {"factIds", {"mem_00000001"}},
             {"conflicts", {"Unclear when"}}}}},
          {"removedTopics", {"topic_00000002"}},
          {"lineage", {{{"factId", "mem_00000001"}, {"documentKey", kKey}, {"adapter", "a"}, {"revision", kHash}}}},
          {"removedLineage", {{{"factId", "mem_00000003"}, {"documentKey", kKey}}}}};
}

// One valid payload of each of the twelve types.
std::vector<json> all_payloads() {
  json part = content();
  part["batchId"] = "batch_1";
  part["ordinal"] = 1;
  json commit = content();
  commit["batchId"] = "batch_1";
  commit["parts"] = 1;
  commit["watermark"] = {{"adapter", "a"}, {"documentKey", kKey}, {"revision", kHash}, {"outcome", "published"}};
  return {
      typed("document.upserted", {{"document", encode_record(document())}}),
      typed("document.deleted", {{"namespace", "document"}, {"externalId", "a"}, {"reason", "gone"}}),
      typed("episode.recorded", {{"episode", encode_record(episode())}}),
      typed("fact.recorded", {{"fact", encode_record(fact())}, {"restates", "mem_00000009"}}),
      typed("fact.resolved", encode_record(resolution())),
      typed("retrieval.feedback", {{"factId", "mem_00000001"}, {"signal", "wrong"}, {"queryHash", kHash}}),
      typed("gc.compacted", {{"removed", {kKey}}, {"retained", 3}, {"generation", "g"}}),
      typed("source.observed", {{"adapter", "a"}, {"upserts", {fingerprint()}}, {"withdrawn", {kKey}}}),
      typed("curation.batch.begin", {{"batchId", "batch_1"},
                                     {"jobId", "job_1"},
                                     {"action", "analyze"},
                                     {"documentKey", kKey},
                                     {"sourceRevision", "feedback:mem_00000001:evt"}}),
      typed("curation.batch.part", part),
      typed("curation.batch.commit", commit),
      typed("curation.batch.abort", {{"batchId", "batch_1"}, {"reason", "found open"}}),
  };
}

json payload_of(std::string_view type) {
  for (const json& payload : all_payloads())
    if (payload["type"] == type) return payload;
  return nullptr;
}

std::string code_of(const Status& status) { return status ? "ok" : std::string(error_code_name(status.error().code)); }

// The outcome after one change at a JSON pointer of the type's sample.
std::string with(std::string_view type, const char* pointer, json value) {
  json payload = payload_of(type);
  payload[json::json_pointer(pointer)] = std::move(value);
  return code_of(validate_payload(payload, kOwner));
}

MemoryEvent event(json payload = typed("fact.recorded", {{"fact", encode_record(fact())}})) {
  MemoryEvent e;
  e.id = "evt_01234567-89ab-4cde-8f01-23456789abcd";
  e.scope_id = kOwner;
  e.writer_id = "writer_0123456789abcdef";
  e.session_id = "session";
  e.position = 1;
  e.sequence = 1;
  e.recorded_at = at("2026-03-01T00:00:00.000Z");
  e.payload = std::move(payload);
  EXPECT_TRUE(seal_event(e));
  return e;
}

MemoryEvent after(const MemoryEvent& previous) {
  MemoryEvent e = event();
  e.position = previous.position + 1;
  e.sequence = previous.sequence + 1;
  e.previous_hash = previous.event_hash;
  EXPECT_TRUE(seal_event(e));
  return e;
}

std::string decoded(const json& value) {
  const auto read = decode_event(value, kOwner);
  return read ? "ok" : std::string(error_code_name(read.error().code));
}

// Decodes after a change of the envelope that is signed again, so that only the member's own rule can refuse it.
template <class Change>
std::string resigned(Change change) {
  MemoryEvent e = event();
  change(e);
  if (const Status sealed = seal_event(e); !sealed) return code_of(sealed);
  return decoded(event_to_json(e));
}

TEST(Payload, EveryTypeIsAccepted) {
  EXPECT_EQ(all_payloads().size(), 12u);
  for (const json& payload : all_payloads()) {
    const Status status = validate_payload(payload, kOwner);
    EXPECT_TRUE(status) << payload["type"] << ": " << (status ? "" : status.error().message);
    EXPECT_EQ(decoded(event_to_json(event(payload))), "ok") << payload["type"];
  }
}

TEST(Payload, EveryTypeIsClosed) {
  for (json payload : all_payloads()) {
    payload["extra"] = 1;
    EXPECT_EQ(code_of(validate_payload(payload, kOwner)), "invalid") << payload["type"];
  }
  EXPECT_EQ(with("source.observed", "/upserts/0/extra", 1), "invalid");
  EXPECT_EQ(with("curation.batch.part", "/topics/0/extra", 1), "invalid");
  EXPECT_EQ(with("curation.batch.part", "/watermark", json::object()), "invalid");
}

TEST(Payload, EveryRequiredMemberIsNeededAndNoneMayBeNull) {
  const std::vector<std::string> optional = {"restates", "replacementId", "evidence",       "watermark",
                                             "facts",    "documents",     "removals",       "resolves",
                                             "topics",   "removedTopics", "removedLineage", "lineage"};
  int required = 0;
  for (const json& payload : all_payloads())
    for (const auto& [name, value] : payload.items()) {
      json changed = payload;
      changed[name] = nullptr;
      EXPECT_EQ(code_of(validate_payload(changed, kOwner)), "invalid") << payload["type"] << " " << name;
      changed.erase(name);
      const bool may_be_absent = std::ranges::find(optional, name) != optional.end();
      EXPECT_EQ(code_of(validate_payload(changed, kOwner)), may_be_absent ? "ok" : "invalid")
          << payload["type"] << " " << name;
      required += !may_be_absent;
    }
  EXPECT_GT(required, 30);
}

TEST(Payload, UnknownTypesAndShapes) {
  EXPECT_EQ(code_of(validate_payload(json::array(), kOwner)), "invalid");
  EXPECT_EQ(code_of(validate_payload({{"type", "fact.forgotten"}}, kOwner)), "invalid");
  EXPECT_EQ(code_of(validate_payload({{"type", 1}}, kOwner)), "invalid");
  // Only history may hold a tombstone; nothing appends one.
  EXPECT_EQ(code_of(validate_payload({{"purged", true}}, kOwner)), "invalid");
}

TEST(Payload, ForeignInnerScopeIsRefused) {
  EXPECT_EQ(with("document.upserted", "/document/scopeId", "p_beta"), "owner_mismatch");
  EXPECT_EQ(with("document.upserted", "/document/scopeKind", "team"), "project_owned_only");
  EXPECT_EQ(with("fact.recorded", "/fact/scopeId", "p_beta"), "owner_mismatch");
  EXPECT_EQ(with("fact.recorded", "/fact/entities/0/scopeId", "p_beta"), "owner_mismatch");
  EXPECT_EQ(with("episode.recorded", "/episode/scopeId", "p_beta"), "owner_mismatch");
  EXPECT_EQ(with("curation.batch.part", "/facts/0/scopeId", "p_beta"), "owner_mismatch");
  EXPECT_EQ(with("curation.batch.commit", "/documents/0/scopeId", "p_beta"), "owner_mismatch");
  EXPECT_EQ(with("curation.batch.commit", "/topics/0/scopeId", "p_beta"), "owner_mismatch");
}

TEST(Payload, OwnBounds) {
  EXPECT_EQ(with("retrieval.feedback", "/signal", "liked"), "invalid");
  EXPECT_EQ(with("retrieval.feedback", "/queryHash", std::string(64, 'A')), "invalid");
  EXPECT_EQ(with("gc.compacted", "/retained", -1), "invalid");
  EXPECT_EQ(with("gc.compacted", "/retained", 1.5), "invalid");
  EXPECT_EQ(with("gc.compacted", "/generation", std::string(129, 'g')), "too_large");
  EXPECT_EQ(with("gc.compacted", "/removed/0", std::string(4'097, 'k')), "too_large");
  EXPECT_EQ(with("gc.compacted", "/removed/0", "memory:YQ=="), "invalid");
  EXPECT_EQ(with("gc.compacted", "/removed", json(std::vector<std::string>(65, kKey))), "too_large");
  EXPECT_EQ(with("fact.recorded", "/restates", "mem_00000001"), "self_reference");
  EXPECT_EQ(with("document.deleted", "/reason", std::string(1'025, 'r')), "too_large");
  EXPECT_EQ(with("document.deleted", "/reason", ""), "invalid");
  EXPECT_EQ(with("source.observed", "/upserts/0/revision", "7"), "invalid");
  EXPECT_EQ(with("source.observed", "/upserts/0/documentKey", "document:YQ"), "invalid");
  EXPECT_EQ(with("source.observed", "/upserts/0/validFrom", "2026"), "invalid");
  EXPECT_EQ(with("source.observed", "/withdrawn/0", "nokey"), "invalid");
  EXPECT_EQ(with("curation.batch.begin", "/action", "guess"), "invalid");
  EXPECT_EQ(with("curation.batch.begin", "/sourceRevision", std::string(513, 'r')), "too_large");
  EXPECT_EQ(with("curation.batch.begin", "/jobId", std::string(100'001, 'j')), "too_large");
  EXPECT_EQ(with("curation.batch.part", "/ordinal", -1), "invalid");
  EXPECT_EQ(with("curation.batch.part", "/facts/0/standing", "superseded"), "invalid");
  EXPECT_EQ(with("curation.batch.part", "/resolves/0/standing", "candidate"), "invalid");
  EXPECT_EQ(with("curation.batch.commit", "/watermark/outcome", "maybe"), "invalid");
  EXPECT_EQ(with("curation.batch.commit", "/lineage/0/factId", "x"), "invalid");
}

TEST(Payload, NamesThePlaceOfABadItem) {
  json payload = payload_of("curation.batch.part");
  payload["facts"][0]["kind"] = "idea";
  const Status status = validate_payload(payload, kOwner);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message.find("facts[0]: kind must be one of decision"), 0u) << status.error().message;
}

TEST(Event, RoundTripsThroughItsLine) {
  MemoryEvent first = event();
  first.group_remaining = 2;
  ASSERT_TRUE(seal_event(first));
  const std::string line = encode_event(first).value();
  const auto read = decode_event(parse_strict_json(line).value(), kOwner);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(encode_event(*read).value(), line);
  EXPECT_EQ(read->event_hash, first.event_hash);
  EXPECT_EQ(read->group_remaining, 2);
  EXPECT_EQ(read->type(), "fact.recorded");
  EXPECT_FALSE(read->purged());
}

TEST(Event, HashesCoverPayloadAndEnvelope) {
  const MemoryEvent e = event();
  EXPECT_EQ(e.payload_hash, canonical_hash(e.payload).value());
  json envelope = event_to_json(e);
  envelope.erase("payload");
  envelope.erase("eventHash");
  EXPECT_EQ(e.event_hash, canonical_hash(envelope).value());
}

TEST(Event, HostileTextKeepsItsBytes) {
  TemporalFact f = fact();
  f.statement = "ñ 日本語 😀 e\u0301 \u2028 \"quoted\" \\ \x01";
  const MemoryEvent e = event(typed("fact.recorded", {{"fact", encode_record(f)}}));
  const auto read = decode_event(parse_strict_json(encode_event(e).value()).value(), kOwner);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->payload["fact"]["statement"], f.statement);
  EXPECT_EQ(read->payload_hash, e.payload_hash);
}

TEST(Event, EnvelopeRules) {
  EXPECT_EQ(resigned([](auto&) {}), "ok");
  EXPECT_EQ(resigned([](auto& e) { e.id = "evt_01234567-89AB-4cde-8f01-23456789abcd"; }), "invalid");
  EXPECT_EQ(resigned([](auto& e) { e.id = "mem_00000001"; }), "invalid");
  EXPECT_EQ(resigned([](auto& e) { e.writer_id = "writer_0123"; }), "invalid");
  EXPECT_EQ(resigned([](auto& e) { e.session_id = " "; }), "invalid");
  EXPECT_EQ(resigned([](auto& e) { e.session_id = std::string(512, 's'); }), "ok");
  EXPECT_EQ(resigned([](auto& e) { e.session_id = std::string(513, 's'); }), "too_large");
  EXPECT_EQ(resigned([](auto& e) { e.sequence = 0; }), "invalid");
  EXPECT_EQ(resigned([](auto& e) { e.position = 0; }), "invalid");
  EXPECT_EQ(resigned([](auto& e) { e.group_remaining = 0; }), "invalid");
  EXPECT_EQ(resigned([](auto& e) { e.scope_id = "p_beta"; }), "owner_mismatch");
  EXPECT_EQ(resigned([](auto& e) { e.previous_hash = kHash; }), "history_damaged");
  EXPECT_EQ(resigned([](auto& e) { e.sequence = 2; }), "history_damaged");
  EXPECT_EQ(resigned([](auto& e) { e.payload["fact"]["kind"] = "idea"; }), "invalid");
  EXPECT_EQ(resigned([](auto& e) { e.payload["fact"]["scopeId"] = "p_beta"; }), "owner_mismatch");
}

TEST(Event, ClosedMembersAndSchemaVersion) {
  const json good = event_to_json(event());
  for (const auto& [name, value] : good.items()) {
    json changed = good;
    changed.erase(name);
    EXPECT_NE(decoded(changed), "ok") << name;
    changed[name] = nullptr;
    EXPECT_EQ(decoded(changed), "invalid") << name;
  }
  json changed = good;
  changed["extra"] = 1;
  EXPECT_EQ(decoded(changed), "invalid");
  changed["schemaVersion"] = 2;  // a newer schema may have members that are unknown here
  EXPECT_EQ(decoded(changed), "unsupported_version");
  changed["schemaVersion"] = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(decoded(changed), "unsupported_version");
  changed["schemaVersion"] = 0;
  EXPECT_EQ(decoded(changed), "invalid");
  for (const char* time :
       {"2026-03-01T00:00:00Z", "2026-03-01T01:00:00.000+01:00", "2026", "2026-03-01T00:00:00.000z"}) {
    changed = good;
    changed["recordedAt"] = time;
    EXPECT_EQ(decoded(changed), "invalid") << time;
  }
  EXPECT_EQ(decoded(json::array()), "invalid");
}

TEST(Event, AlteredPayloadOrEnvelopeIsDamage) {
  json changed = event_to_json(event());
  changed["payload"]["fact"]["statement"] = "Publish releases from develop.";
  EXPECT_EQ(decoded(changed), "history_damaged");
  changed["payloadHash"] = canonical_hash(changed["payload"]).value();  // its own hash recomputed
  EXPECT_EQ(decoded(changed), "history_damaged");
  changed = event_to_json(event());
  changed["sessionId"] = "other";
  EXPECT_EQ(decoded(changed), "history_damaged");
}

TEST(Event, TombstoneKeepsHashesAndChain) {
  const MemoryEvent first = event();
  const MemoryEvent second = after(first);
  json line = event_to_json(first);
  line["payload"] = {{"purged", true}};
  const auto purged = decode_event(line, kOwner);
  ASSERT_TRUE(purged) << purged.error().message;
  EXPECT_TRUE(purged->purged());
  EXPECT_EQ(purged->type(), "");
  EXPECT_EQ(purged->event_hash, first.event_hash);
  EXPECT_TRUE(check_chain(second, &*purged));
  MemoryEvent sealed_again = *purged;
  ASSERT_TRUE(seal_event(sealed_again));
  EXPECT_EQ(sealed_again.payload_hash, first.payload_hash);
  for (const json& almost : {json{{"purged", false}}, json{{"purged", true}, {"x", 1}}, json{{"purged", 1}}}) {
    line["payload"] = almost;
    EXPECT_EQ(decoded(line), "invalid") << almost;
  }
}

// Pads an event to exactly `bytes` with its LF.
MemoryEvent padded(MemoryEvent e, const char* pointer, std::size_t bytes) {
  std::string& text = e.payload[json::json_pointer(pointer)].get_ref<std::string&>();
  text.append(bytes - encode_event(e)->size() - 1, 'p');
  return e;
}

TEST(Event, LineBoundOfOtherTypes) {
  const json payload = typed("curation.batch.abort", {{"batchId", "batch_1"}, {"reason", "r"}});
  MemoryEvent exact = padded(event(payload), "/reason", kOtherEventBytesMax);
  EXPECT_EQ(code_of(seal_event(exact)), "ok");
  EXPECT_EQ(encode_event(exact)->size() + 1, 65'536u);
  EXPECT_EQ(decoded(event_to_json(exact)), "ok");
  MemoryEvent above = padded(event(payload), "/reason", kOtherEventBytesMax + 1);
  EXPECT_EQ(code_of(seal_event(above)), "too_large");
  EXPECT_EQ(decoded(event_to_json(above)), "too_large");
}

TEST(Event, LineBoundOfDocuments) {
  // Escapes double the text's bytes on the line, so that a text within its own bound reaches the line's.
  SourceDocument d = document();
  set_text(d, std::string(1'000'000, '"'));
  for (int i = 0; i < 64; ++i) d.metadata["key" + std::to_string(i)] = std::string(1'000, 'v');
  for (const std::size_t bytes : {kDocumentEventBytesMax, kDocumentEventBytesMax + 1}) {
    MemoryEvent e = event(typed("document.upserted", {{"document", encode_record(d)}}));
    const std::size_t missing = bytes - encode_event(e)->size() - 1;
    ASSERT_LT(missing, 64u * 3'000u);
    json& metadata = e.payload["document"]["metadata"];
    for (std::size_t i = 0; i < 64; ++i)
      metadata["key" + std::to_string(i)].get_ref<std::string&>().append(missing / 64 + (i < missing % 64), 'v');
    EXPECT_EQ(encode_event(e)->size() + 1, bytes);
    const std::string expected = bytes == kDocumentEventBytesMax ? "ok" : "too_large";
    EXPECT_EQ(code_of(seal_event(e)), expected);
    EXPECT_EQ(decoded(event_to_json(e)), expected);
  }
}

TEST(Event, UnencodableTextIsRefused) {
  MemoryEvent e = event();
  e.payload["fact"]["statement"] = "a\xff";
  EXPECT_EQ(code_of(seal_event(e)), "invalid");
  EXPECT_EQ(code_of(validate_payload(e.payload, kOwner)), "invalid");
}

TEST(Chain, FollowsTheWriter) {
  const MemoryEvent first = event();
  const MemoryEvent second = after(first);
  EXPECT_TRUE(check_chain(first, nullptr));
  EXPECT_TRUE(check_chain(second, &first));
  EXPECT_EQ(decoded(event_to_json(second)), "ok");
  EXPECT_EQ(code_of(check_chain(second, nullptr)), "history_damaged");
  EXPECT_EQ(code_of(check_chain(first, &first)), "history_damaged");

  const auto broken = [&](auto change) {
    MemoryEvent e = second;
    change(e);
    return code_of(check_chain(e, &first));
  };
  EXPECT_EQ(broken([](auto& e) { e.sequence = 3; }), "history_damaged");
  EXPECT_EQ(broken([](auto& e) { e.position = 1; }), "history_damaged");
  EXPECT_EQ(broken([](auto& e) { e.position = 9; }), "ok");  // other writers' events may lie between
  EXPECT_EQ(broken([](auto& e) { e.recorded_at -= 1; }), "history_damaged");
  EXPECT_EQ(broken([](auto& e) { e.previous_hash = kHash; }), "history_damaged");
  EXPECT_EQ(broken([](auto& e) { e.previous_hash.reset(); }), "history_damaged");
  EXPECT_EQ(broken([](auto& e) { e.writer_id = "writer_ffffffffffffffff"; }), "history_damaged");
}

TEST(Chain, AlteredPayloadWithItsHashRecomputedBreaksTheChain) {
  MemoryEvent first = event();
  const MemoryEvent second = after(first);
  first.payload["fact"]["statement"] = "Publish releases from develop.";
  ASSERT_TRUE(seal_event(first));
  EXPECT_EQ(decoded(event_to_json(first)), "ok");
  EXPECT_EQ(code_of(check_chain(second, &first)), "history_damaged");
}

TEST(Chain, AGroupCountsDownWithinOneTime) {
  MemoryEvent first = event();
  first.group_remaining = 2;
  ASSERT_TRUE(seal_event(first));
  MemoryEvent second = after(first);
  EXPECT_EQ(code_of(check_chain(second, &first)), "history_damaged");
  second.group_remaining = 1;
  ASSERT_TRUE(seal_event(second));
  EXPECT_EQ(code_of(check_chain(second, &first)), "ok");
  const MemoryEvent third = after(second);
  EXPECT_EQ(code_of(check_chain(third, &second)), "ok");
  second.recorded_at += 1;
  EXPECT_EQ(code_of(check_chain(second, &first)), "history_damaged");
}

}  // namespace
}  // namespace pimemory
