// How the compact maps are keyed, and how the whole state is written as and read from one JSON object.
#include "storage/compact_state.h"

#include "base/canonical_json.h"
#include "contracts/record_fields.h"

namespace pimemory {
namespace {

constexpr int kNestingLevelsMax = 128;
constexpr char kKeySeparator = '\0';

std::string joined_key(std::initializer_list<std::string_view> parts) {
  std::string key;
  for (const std::string_view part : parts) {
    if (!key.empty()) key += kKeySeparator;
    key += part;
  }
  return key;
}

std::string row_key(const DocumentRow& r) { return r.document_key; }
std::string row_key(const FactRow& r) { return r.id; }
std::string row_key(const EvidenceRef& r) { return r.id; }
std::string row_key(const Entity& r) { return r.id; }
std::string row_key(const Episode& r) { return r.id; }
std::string row_key(const PairRow& r) { return joined_key({r.left, r.right}); }
std::string row_key(const FactLinkRow& r) { return joined_key({r.from, r.to, r.relation}); }
std::string row_key(const FeedbackRow& r) { return joined_key({r.fact_id, r.signal, r.query_hash}); }
std::string row_key(const FingerprintRow& r) { return r.document_key; }
std::string row_key(const TopicRow& r) { return r.id; }
std::string row_key(const LineageRow& r) { return joined_key({r.fact_id, r.document_key}); }
std::string row_key(const WatermarkRow& r) { return joined_key({r.adapter, r.document_key}); }
std::string row_key(const BatchRow& r) { return r.id; }
std::string row_key(const SyncStateRow& r) { return r.adapter; }
std::string row_key(const CheckpointRow& r) { return joined_key({r.project_id, r.session_id}); }

// Rows come from validated records, so their canonical form always exists.
std::string canonical_bytes(const nlohmann::json& json) { return canonical_json(json).value_or("null"); }

template <class T>
std::optional<T> copy_of(const T* row) {
  return row ? std::optional<T>(*row) : std::nullopt;
}

template <class T, class Visit>
void each_with_prefix(const RowMap<T>& rows, std::string_view first, Visit&& visit) {
  const std::string prefix = std::string(first) + kKeySeparator;
  for (auto at = rows.entries().lower_bound(prefix); at != rows.entries().end() && at->first.starts_with(prefix); ++at)
    visit(at->second->row);
}

template <class T>
std::string rows_json(const RowMap<T>& rows) {
  std::string out = "[";
  for (const auto& [key, stored] : rows.entries()) {
    if (out.size() > 1) out += ',';
    out += stored->canonical;
  }
  return out + "]";
}

// Members are in the byte order of their names, as RFC 8785 wants ASCII names.
std::string join_members(const std::map<std::string, std::string>& members) {
  std::string out = "{";
  for (const auto& [name, value] : members) {
    if (out.size() > 1) out += ',';
    out += '"' + name + "\":" + value;
  }
  return out + "}";
}

template <class T>
Status read_rows(const nlohmann::json& array, const std::string& name, RowMap<T>& rows) {
  if (!array.is_array()) return fail(ErrorCode::corrupt, name + " is not an array");
  for (std::size_t i = 0; i < array.size(); ++i) {
    auto row = decode_record<T>(array[i], name + "[" + std::to_string(i) + "]");
    if (!row) return fail(ErrorCode::corrupt, row.error().message);
    const std::string key = row_key(*row);
    if (rows.find(key)) return fail(ErrorCode::corrupt, name + " holds a key twice");
    rows.put(key, *row);
  }
  return {};
}

Status read_history(const nlohmann::json& array, std::string_view owner, CompactState& state) {
  if (!array.is_array()) return fail(ErrorCode::corrupt, "history is not an array");
  const MemoryEvent* previous = nullptr;
  for (const nlohmann::json& item : array) {
    auto event = decode_event(item, owner);
    if (!event && event.error().code == ErrorCode::unsupported_version) return std::unexpected(event.error());
    if (!event) return fail(ErrorCode::corrupt, "history: " + event.error().message);
    const bool same_writer = previous && previous->writer_id == event->writer_id;
    if (auto chained = check_chain(*event, same_writer ? previous : nullptr); !chained)
      return fail(ErrorCode::corrupt, "history: " + chained.error().message);
    if (event->position != static_cast<std::int64_t>(state.history().size()) + 1)
      return fail(ErrorCode::corrupt, "history: position " + std::to_string(event->position) + " is out of order");
    state.append_history(*event);
    previous = &state.history().back()->row;
  }
  return {};
}

}  // namespace

template <class T>
void RowMap<T>::put(const std::string& key, const T& row) {
  auto stored = std::make_shared<StoredRow<T>>();
  stored->row = row;
  stored->canonical = canonical_bytes(encode_record(row));
  entries_[key] = std::move(stored);
}

// The one list of collections, in the byte order of their names: what is stored and what the domain digest covers.
template <class Visitor>
void CompactState::each_collection(Visitor&& visit) {
  visit("batches", &CompactState::batches_);
  visit("documents", &CompactState::documents_);
  visit("entities", &CompactState::entities_);
  visit("episode_evidence", &CompactState::episode_evidence_);
  visit("episodes", &CompactState::episodes_);
  visit("evidence", &CompactState::evidence_);
  visit("fact_entities", &CompactState::fact_entities_);
  visit("fact_episodes", &CompactState::fact_episodes_);
  visit("fact_evidence", &CompactState::fact_evidence_);
  visit("fact_links", &CompactState::fact_links_);
  visit("facts", &CompactState::facts_);
  visit("feedback", &CompactState::feedback_);
  visit("fingerprints", &CompactState::fingerprints_);
  visit("lineage", &CompactState::lineage_);
  visit("topics", &CompactState::topics_);
  visit("watermarks", &CompactState::watermarks_);
}

CompactState::Members CompactState::domain_members() const {
  Members members;
  each_collection([&](const char* name, auto member) { members[name] = rows_json(this->*member); });
  return members;
}

std::string CompactState::domain_json() const { return join_members(domain_members()); }

std::string CompactState::to_json() const {
  Members members = domain_members();
  std::string& history = members["history"];
  history = "[";
  for (std::size_t i = 0; i < history_.size(); ++i) {
    if (i) history += ',';
    history += history_[i]->canonical;
  }
  history += ']';
  members["journal_head"] = canonical_bytes(encode_record(head));
  members["operational_checkpoints"] = rows_json(operational_checkpoints_);
  members["sync_state"] = rows_json(sync_state_);
  members["sync_activity"] = canonical_bytes(encode_record(activity));
  members["vectors"] = "[]";
  members["version"] = "1";
  return join_members(members);
}

Result<CompactState> CompactState::from_json(std::string_view text, std::string_view owner) {
  auto json = parse_strict_json(text, kNestingLevelsMax);
  if (!json) return fail(ErrorCode::corrupt, "the stored state is not JSON: " + json.error().message);
  if (!json->is_object()) return fail(ErrorCode::corrupt, "the stored state is not an object");
  CompactState state;
  if (json->empty()) return state;
  if (!json->contains("version") || (*json)["version"] != 1)
    return fail(ErrorCode::unsupported_version, "the stored state has another version than 1");

  constexpr const char* kOtherMembers[] = {
      "history", "journal_head", "operational_checkpoints", "sync_activity", "sync_state", "vectors", "version"};
  std::size_t known_members = std::size(kOtherMembers);
  Status status;
  each_collection([&](const char* name, auto member) {
    ++known_members;
    if (!status) return;
    if (!json->contains(name))
      status = fail(ErrorCode::corrupt, std::string(name) + " is missing from the stored state");
    else
      status = read_rows((*json)[name], name, state.*member);
  });
  PIMEMORY_TRY(status);
  for (const char* name : kOtherMembers)
    if (!json->contains(name)) return fail(ErrorCode::corrupt, std::string(name) + " is missing from the stored state");
  if (json->size() != known_members) return fail(ErrorCode::corrupt, "the stored state has an unknown member");
  if (!(*json)["vectors"].is_array() || !(*json)["vectors"].empty())
    return fail(ErrorCode::unsupported_version, "the stored state holds vectors that this version does not read");
  PIMEMORY_TRY(read_history((*json)["history"], owner, state));
  PIMEMORY_TRY(
      read_rows((*json)["operational_checkpoints"], "operational_checkpoints", state.operational_checkpoints_));
  PIMEMORY_TRY(read_rows((*json)["sync_state"], "sync_state", state.sync_state_));
  auto head = decode_record<JournalHead>((*json)["journal_head"], "journal_head");
  auto activity = decode_record<SyncActivity>((*json)["sync_activity"], "sync_activity");
  if (!head || !activity) return fail(ErrorCode::corrupt, (!head ? head.error() : activity.error()).message);
  if (!state.history_.empty() && head->event_hash != state.head.event_hash)
    return fail(ErrorCode::corrupt, "journal_head does not name the last event of history");
  state.head = *head;
  state.activity = *activity;
  return state;
}

void CompactState::append_history(const MemoryEvent& event) {
  auto stored = std::make_shared<StoredRow<MemoryEvent>>();
  stored->row = event;
  stored->canonical = encode_event(event).value_or("null");
  history_.push_back(std::move(stored));
  head = JournalHead{event.writer_id,
                     utc_day(event.recorded_at),
                     event.sequence,
                     event.event_hash,
                     event.recorded_at,
                     event.position,
                     0};
}

std::optional<DocumentRow> CompactState::document(std::string_view key) const { return copy_of(documents_.find(key)); }
std::optional<FactRow> CompactState::fact(std::string_view id) const { return copy_of(facts_.find(id)); }
std::optional<EvidenceRef> CompactState::evidence(std::string_view id) const { return copy_of(evidence_.find(id)); }
std::optional<Entity> CompactState::entity(std::string_view id) const { return copy_of(entities_.find(id)); }
std::optional<Episode> CompactState::episode(std::string_view id) const { return copy_of(episodes_.find(id)); }
std::optional<FingerprintRow> CompactState::fingerprint(std::string_view key) const {
  return copy_of(fingerprints_.find(key));
}
std::optional<TopicRow> CompactState::topic(std::string_view id) const { return copy_of(topics_.find(id)); }
std::optional<BatchRow> CompactState::batch(std::string_view id) const { return copy_of(batches_.find(id)); }

std::vector<std::string> CompactState::right_of(PairKind kind, std::string_view left) const {
  const RowMap<PairRow>& pairs = kind == PairKind::fact_entities   ? fact_entities_
                                 : kind == PairKind::fact_evidence ? fact_evidence_
                                 : kind == PairKind::fact_episodes ? fact_episodes_
                                                                   : episode_evidence_;
  std::vector<std::string> ids;
  each_with_prefix(pairs, left, [&](const PairRow& pair) { ids.push_back(pair.right); });
  return ids;
}

std::vector<FactLinkRow> CompactState::links_from(std::string_view fact_id) const {
  std::vector<FactLinkRow> links;
  each_with_prefix(fact_links_, fact_id, [&](const FactLinkRow& link) { links.push_back(link); });
  return links;
}

std::vector<FactLinkRow> CompactState::links_to(std::string_view fact_id) const {
  std::vector<FactLinkRow> links;
  for (const auto& [key, stored] : fact_links_.entries())
    if (stored->row.to == fact_id) links.push_back(stored->row);
  return links;
}

std::vector<FeedbackRow> CompactState::feedback_of(std::string_view fact_id) const {
  std::vector<FeedbackRow> rows;
  each_with_prefix(feedback_, fact_id, [&](const FeedbackRow& row) { rows.push_back(row); });
  return rows;
}

std::vector<LineageRow> CompactState::lineage_of_fact(std::string_view fact_id) const {
  std::vector<LineageRow> rows;
  each_with_prefix(lineage_, fact_id, [&](const LineageRow& row) { rows.push_back(row); });
  return rows;
}

void CompactState::each_fact(const std::function<bool(const FactRow&)>& visit) const {
  for (const auto& [id, stored] : facts_.entries())
    if (!visit(stored->row)) return;
}

void CompactState::each_document(const std::function<bool(const DocumentRow&)>& visit) const {
  for (const auto& [key, stored] : documents_.entries())
    if (!visit(stored->row)) return;
}

void CompactState::put(const DocumentRow& row) { documents_.put(row_key(row), row); }
void CompactState::put(const FactRow& row) { facts_.put(row_key(row), row); }
void CompactState::put(const EvidenceRef& row) { evidence_.put(row_key(row), row); }
void CompactState::put(const Entity& row) { entities_.put(row_key(row), row); }
void CompactState::put(const Episode& row) { episodes_.put(row_key(row), row); }
void CompactState::put(const FactLinkRow& row) { fact_links_.put(row_key(row), row); }
void CompactState::put(const FingerprintRow& row) { fingerprints_.put(row_key(row), row); }
void CompactState::put(const TopicRow& row) { topics_.put(row_key(row), row); }
void CompactState::put(const LineageRow& row) { lineage_.put(row_key(row), row); }
void CompactState::put(const WatermarkRow& row) { watermarks_.put(row_key(row), row); }
void CompactState::put(const BatchRow& row) { batches_.put(row_key(row), row); }

bool CompactState::add(const FeedbackRow& row) {
  if (feedback_.find(row_key(row))) return false;
  feedback_.put(row_key(row), row);
  return true;
}

void CompactState::add_pair(PairKind kind, std::string_view left, std::string_view right) {
  RowMap<PairRow>& pairs = kind == PairKind::fact_entities   ? fact_entities_
                           : kind == PairKind::fact_evidence ? fact_evidence_
                           : kind == PairKind::fact_episodes ? fact_episodes_
                                                             : episode_evidence_;
  const PairRow pair{std::string(left), std::string(right)};
  pairs.put(row_key(pair), pair);
}

void CompactState::erase_document(std::string_view key) { documents_.erase(key); }
void CompactState::erase_topic(std::string_view id) { topics_.erase(id); }
void CompactState::erase_lineage(std::string_view fact_id, std::string_view document_key) {
  lineage_.erase(joined_key({fact_id, document_key}));
}

}  // namespace pimemory
