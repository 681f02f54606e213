// The event's envelope: how it is written, hashed, read back and tied to the writer's previous event.
#include "contracts/events.h"

#include "base/canonical_json.h"
#include "base/ids.h"
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "contracts/fields.h"
#include "contracts/text_bounds.h"

namespace pimemory {
namespace {

using nlohmann::json;

constexpr std::size_t kSessionIdBytesMax = 512;
constexpr std::size_t kWriterIdDigits = 16;
constexpr std::string_view kEventIdPrefix = "evt_";
constexpr std::string_view kWriterIdPrefix = "writer_";

// Every member but the payload and the event's own hash, which are not covered by that hash. The time stays text
// because history accepts only its one printed form.
template <class V>
void describe_envelope(V& visit, std::int64_t& schema_version, std::string& recorded_at, MemoryEvent& event) {
  visit("schemaVersion", schema_version);
  visit("id", event.id);
  visit("scopeId", event.scope_id);
  visit("writerId", event.writer_id);
  visit("sessionId", event.session_id);
  visit("position", event.position);
  visit("sequence", event.sequence);
  visit("groupRemaining", event.group_remaining);
  visit("recordedAt", recorded_at);
  visit("previousHash", event.previous_hash);
  visit("payloadHash", event.payload_hash);
}

json envelope_to_json(const MemoryEvent& event) {
  fields_detail::Writer writer;
  std::int64_t schema_version = kEventSchemaVersion;
  std::string recorded_at = format_rfc3339(event.recorded_at);
  describe_envelope(writer, schema_version, recorded_at, const_cast<MemoryEvent&>(event));  // the writer only reads
  return std::move(writer.json);
}

Status read_recorded_at(const std::string& text, MemoryEvent& event) {
  const auto time = parse_rfc3339(text);
  if (!time || format_rfc3339(*time) != text)
    return fail(ErrorCode::invalid, "event.recordedAt must have the form YYYY-MM-DDTHH:MM:SS.sssZ");
  event.recorded_at = *time;
  return {};
}

Status check_line_bound(const MemoryEvent& event) {
  PIMEMORY_ASSIGN(const std::string line, encode_event(event));
  const std::size_t limit = event.type() == "document.upserted" ? kDocumentEventBytesMax : kOtherEventBytesMax;
  const std::size_t bytes = line.size() + 1;  // its LF
  if (bytes <= limit) return {};
  const std::string name = event.purged() ? "purged" : std::string(event.type());
  return fail(ErrorCode::too_large, "the " + name + " event is " + std::to_string(bytes) + " bytes; the limit is " +
                                        std::to_string(limit) + " bytes");
}

// Before anything else, since the members of a newer schema are unknown here.
Status check_schema_version(const json& event) {
  if (!event.is_object()) return fail(ErrorCode::invalid, "event must be an object");
  const auto version = event.find("schemaVersion");
  if (version == event.end() || !version->is_number_integer())
    return fail(ErrorCode::invalid, "event.schemaVersion must be an integer");
  const bool beyond_signed =
      version->is_number_unsigned() && version->get<std::uint64_t>() > static_cast<std::uint64_t>(kSafeIntegerMax);
  if (beyond_signed || version->get<std::int64_t>() > kEventSchemaVersion)
    return fail(ErrorCode::unsupported_version, "the event was written by a newer version of pi-memory");
  if (version->get<std::int64_t>() != kEventSchemaVersion)
    return fail(ErrorCode::invalid, "event.schemaVersion must be 1");
  return {};
}

Status check_numbering(const MemoryEvent& event) {
  if (event.sequence < 1) return fail(ErrorCode::invalid, "event.sequence must be at least 1");
  if (event.group_remaining && *event.group_remaining < 1)
    return fail(ErrorCode::invalid, "event.groupRemaining must be at least 1, or absent for the last of a group");
  if (event.position < 1) return fail(ErrorCode::invalid, "event.position must be at least 1");
  return {};
}

Status check_identity(const MemoryEvent& event) {
  const std::string_view id = event.id;
  if (!id.starts_with(kEventIdPrefix) || !is_uuid_v4(id.substr(kEventIdPrefix.size())))
    return fail(ErrorCode::invalid, "event.id must be evt_ and a lower-case UUID v4");
  const std::string_view writer = event.writer_id;
  if (!writer.starts_with(kWriterIdPrefix) || !is_lower_hex(writer.substr(kWriterIdPrefix.size()), kWriterIdDigits))
    return fail(ErrorCode::invalid, "event.writerId must be writer_ and 16 lower-case hexadecimal digits");
  return check_bytes("event.sessionId", event.session_id, kSessionIdBytesMax, Blank::refused);
}

Status check_hashes(const MemoryEvent& event) {
  PIMEMORY_TRY(check_hash("event.payloadHash", event.payload_hash));
  if (!event.purged()) {
    PIMEMORY_ASSIGN(const std::string payload_hash, canonical_hash(event.payload));
    if (payload_hash != event.payload_hash)
      return fail(ErrorCode::history_damaged, "event " + event.id + ": payloadHash does not match the payload");
  }
  PIMEMORY_TRY(check_hash("event.eventHash", event.event_hash));
  PIMEMORY_ASSIGN(const std::string event_hash, canonical_hash(envelope_to_json(event)));
  if (event_hash != event.event_hash)
    return fail(ErrorCode::history_damaged, "event " + event.id + ": eventHash does not match the envelope");
  return {};
}

Status check_previous_hash_shape(const MemoryEvent& event) {
  if (event.previous_hash.has_value() != (event.sequence > 1))
    return fail(ErrorCode::history_damaged,
                "event " + event.id + ": previousHash must be absent at sequence 1 and present after it");
  return event.previous_hash ? check_hash("event.previousHash", *event.previous_hash) : Status{};
}

std::unexpected<Error> broken_chain(const MemoryEvent& event, const std::string& what) {
  return fail(ErrorCode::history_damaged, "event " + event.id + ": " + what);
}

// A group of one transaction is consecutive, counts down to absent and shares one time.
Status check_group(const MemoryEvent& event, const MemoryEvent& previous) {
  if (!previous.group_remaining) return {};
  if (event.group_remaining.value_or(0) != *previous.group_remaining - 1 || event.position != previous.position + 1 ||
      event.recorded_at != previous.recorded_at)
    return broken_chain(event, "it does not continue the group of the writer's previous event");
  return {};
}

}  // namespace

bool MemoryEvent::purged() const {
  if (!payload.is_object() || payload.size() != 1) return false;
  const auto mark = payload.find("purged");
  return mark != payload.end() && mark->is_boolean() && mark->get<bool>();
}

std::string_view MemoryEvent::type() const {
  if (!payload.is_object()) return {};
  const auto member = payload.find("type");
  if (member == payload.end() || !member->is_string()) return {};
  return member->get_ref<const std::string&>();
}

json event_to_json(const MemoryEvent& event) {
  json object = envelope_to_json(event);
  object["payload"] = event.payload;
  object["eventHash"] = event.event_hash;
  return object;
}

Result<std::string> encode_event(const MemoryEvent& event) { return canonical_json(event_to_json(event)); }

Status seal_event(MemoryEvent& event) {
  // A tombstone keeps the hash of the payload it replaced.
  if (!event.purged()) {
    PIMEMORY_ASSIGN(event.payload_hash, canonical_hash(event.payload));
  }
  PIMEMORY_ASSIGN(event.event_hash, canonical_hash(envelope_to_json(event)));
  return check_line_bound(event);
}

Result<MemoryEvent> decode_event(const json& json_event, std::string_view owner) {
  PIMEMORY_TRY(check_schema_version(json_event));
  MemoryEvent event;
  std::int64_t schema_version = 0;
  std::string recorded_at;
  fields_detail::Reader reader(json_event, "event");
  describe_envelope(reader, schema_version, recorded_at, event);
  reader("payload", event.payload);
  reader("eventHash", event.event_hash);
  PIMEMORY_TRY(reader.finish());
  PIMEMORY_TRY(check_identity(event));
  PIMEMORY_TRY(check_numbering(event));
  PIMEMORY_TRY(read_recorded_at(recorded_at, event));
  PIMEMORY_TRY(check_scope("event.scopeId", event.scope_id, owner));
  if (!event.purged()) PIMEMORY_TRY(validate_payload(event.payload, owner));
  PIMEMORY_TRY(check_line_bound(event));
  PIMEMORY_TRY(check_hashes(event));
  PIMEMORY_TRY(check_previous_hash_shape(event));
  return event;
}

Status check_chain(const MemoryEvent& event, const MemoryEvent* previous_of_writer) {
  if (!previous_of_writer) {
    if (event.sequence != 1) return broken_chain(event, "a writer's first event must have sequence 1");
    if (event.previous_hash) return broken_chain(event, "a writer's first event must have no previousHash");
    return {};
  }
  const MemoryEvent& previous = *previous_of_writer;
  if (event.writer_id != previous.writer_id) return broken_chain(event, "its predecessor is another writer's event");
  if (event.sequence != previous.sequence + 1)
    return broken_chain(
        event, "sequence " + std::to_string(event.sequence) + " does not follow " + std::to_string(previous.sequence));
  if (event.position <= previous.position)
    return broken_chain(
        event, "position " + std::to_string(event.position) + " does not follow " + std::to_string(previous.position));
  PIMEMORY_TRY(check_group(event, previous));
  if (event.recorded_at < previous.recorded_at)
    return broken_chain(event, "recordedAt is before the writer's previous event");
  if (event.previous_hash != previous.event_hash)
    return broken_chain(event, "previousHash is not the eventHash of the writer's previous event");
  return {};
}

}  // namespace pimemory
