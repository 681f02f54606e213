// Reading without writing: list, inspect and status, each on one snapshot.
#include <algorithm>
#include <set>
#include <utility>

#include "base/rfc3339.h"
#include "contracts/record_fields.h"
#include "contracts/text_bounds.h"
#include "engine/clean_text.h"
#include "engine/gate.h"
#include "engine/memory_engine.h"
#include "engine/value.h"
#include "storage/reducer.h"

namespace pimemory {
namespace {

using nlohmann::json;

constexpr int kListLimitMax = 200;
constexpr std::size_t kInspectIdsMax = 32;
constexpr std::size_t kInspectBytesMin = 512;
constexpr std::size_t kInspectBytesMax = 32'768;

Status check_list_query(const ListQuery& query) {
  for (const std::string& kind : query.kinds) PIMEMORY_TRY(check_word("kinds", kind, kFactKinds));
  for (const std::string& standing : query.standings) PIMEMORY_TRY(check_word("standings", standing, kStandings));
  if (query.since) PIMEMORY_TRY(check_time("since", *query.since));
  if (query.as_of) PIMEMORY_TRY(check_time("asOf", *query.as_of));
  if (query.limit < 1 || query.limit > kListLimitMax)
    return fail(ErrorCode::invalid, "limit is " + std::to_string(query.limit) + "; it must be 1 to 200");
  return {};
}

// With asOf the standing that held then, else the one that is stored.
std::string shown_standing(const FactRow& fact, std::optional<TimeMs> as_of) {
  return as_of ? effective_standing(fact, *as_of) : fact.standing;
}

bool is_listed(const FactRow& fact, const ListQuery& query) {
  const auto holds = [](const auto& words, const std::string& word) {
    return words.empty() || std::ranges::find(words, word) != words.end();
  };
  return holds(query.kinds, fact.kind) && holds(query.standings, shown_standing(fact, query.as_of)) &&
         (!query.since || fact.recorded_at >= *query.since) && (!query.as_of || fact.valid_during(*query.as_of));
}

// Newest first, ties by id; neither member ever changes, so a page's last id stays a cursor.
struct ListPlace {
  TimeMs recorded_at;
  std::string id;
  bool operator<(const ListPlace& other) const {
    return recorded_at != other.recorded_at ? recorded_at > other.recorded_at : id < other.id;
  }
};

ListItem list_item(const DomainReader& domain, const FactRow& fact, const ListQuery& query) {
  ListItem item;
  item.id = fact.id;
  item.kind = fact.kind;
  item.standing = shown_standing(fact, query.as_of);
  item.statement = fact.statement;
  item.provenance = best_provenance(evidence_of(domain, fact.id));
  item.recorded_at = fact.recorded_at;
  item.valid_at = fact.valid_at;
  item.invalid_at = fact.invalid_at;
  item.expired_at = fact.expired_at;
  item.collected = fact.collected;
  item.review = fact.review_event_id.has_value();
  return item;
}

template <class Value>
void set_optional(json& object, const char* name, const std::optional<Value>& value) {
  if (value) object[name] = *value;
}

void set_time(json& object, const char* name, const std::optional<TimeMs>& time) {
  if (time) object[name] = format_rfc3339(*time);
}

json links_of(const DomainReader& domain, const std::string& id) {
  json links = json::array();
  for (const FactLinkRow& link : domain.links_from(id)) links.push_back({{"relation", link.relation}, {"to", link.to}});
  for (const FactLinkRow& link : domain.links_to(id))
    links.push_back({{"relation", link.relation}, {"from", link.from}});
  return links;
}

json entities_of(const DomainReader& domain, const std::string& id) {
  json entities = json::array();
  for (const std::string& entity_id : domain.right_of(PairKind::fact_entities, id))
    if (const auto entity = domain.entity(entity_id))
      entities.push_back({{"id", entity->id}, {"name", entity->name}, {"type", entity->type}});
  return entities;
}

json feedback_json(const FeedbackCounters& counters) {
  json object = {{"used", counters.used},
                 {"helpful", counters.helpful},
                 {"wrong", counters.wrong},
                 {"stale", counters.stale},
                 {"usefulness", counters.usefulness()}};
  set_time(object, "lastAt", counters.last_at);
  return object;
}

json value_json(const ValueAssessment& value) {
  return {{"value", value.value},           {"evidence", value.evidence}, {"kind", value.kind},
          {"usefulness", value.usefulness}, {"age", value.age},           {"standing", value.standing},
          {"protected", value.is_protected}};
}

void set_fact_dates(json& item, const FactRow& fact) {
  item["recordedAt"] = format_rfc3339(fact.recorded_at);
  set_time(item, "validAt", fact.valid_at);
  set_time(item, "invalidAt", fact.invalid_at);
  set_time(item, "expiredAt", fact.expired_at);
}

json fact_item(const DomainReader& domain, const FactRow& fact, TimeMs as_of, TimeMs now) {
  const std::vector<EvidenceRef> evidence = evidence_of(domain, fact.id);
  const FeedbackCounters counters = count_feedback_rows(domain.feedback_of(fact.id));
  json item = {{"kind", "fact"},
               {"id", fact.id},
               {"factKind", fact.kind},
               {"statement", fact.statement},
               {"standing", fact.standing},
               {"effectiveStanding", effective_standing(fact, as_of)},
               {"confidence", fact.confidence},
               {"generation", fact.generation},
               {"provenance", best_provenance(evidence)}};
  set_optional(item, "subject", fact.subject);
  set_optional(item, "predicate", fact.predicate);
  set_optional(item, "object", fact.object);
  set_optional(item, "priorStanding", fact.prior_standing);
  set_optional(item, "replacementId", fact.replacement_id);
  set_fact_dates(item, fact);
  if (fact.collected) item["collected"] = true;
  if (fact.review_event_id) item["review"] = true;
  item["links"] = links_of(domain, fact.id);
  item["evidence"] = json::array();
  for (const EvidenceRef& reference : evidence) item["evidence"].push_back(encode_record(reference));
  item["entities"] = entities_of(domain, fact.id);
  item["episodeIds"] = domain.right_of(PairKind::fact_episodes, fact.id);
  item["tags"] = fact.tags;
  item["feedback"] = feedback_json(counters);
  item["value"] = value_json(assess_value(fact, evidence, counters, now));
  return item;
}

// A topic with its facts that are valid then, and the sources that those come from.
json topic_item(const DomainReader& domain, const TopicRow& topic, TimeMs as_of) {
  json facts = json::array();
  std::set<std::string> sources;
  for (const std::string& id : topic.fact_ids) {
    const auto fact = domain.fact(id);
    if (!fact || fact->collected || !fact->valid_during(as_of)) continue;
    json item = {{"id", fact->id}, {"statement", fact->statement}, {"standing", effective_standing(*fact, as_of)}};
    set_fact_dates(item, *fact);
    facts.push_back(std::move(item));
    for (const LineageRow& line : domain.lineage_of_fact(id)) sources.insert(line.document_key);
  }
  return {{"kind", "topic"},
          {"id", topic.id},
          {"title", topic.title},
          {"summary", topic.summary},
          {"revision", topic.revision},
          {"updatedAt", format_rfc3339(topic.updated_at)},
          {"facts", std::move(facts)},
          {"conflicts", topic.conflicts},
          {"sources", sources}};
}

std::string unknown_gap(const std::string& id) {
  const bool plain = id.size() <= 80 && std::ranges::all_of(id, [](char c) {
                       return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
                     });
  return "unknown_id: " + (plain && !id.empty() ? id : std::string("(no memory id)")) +
         " is no fact or topic of this project; check it with `pi-memory list`";
}

// One item within what the budget leaves: whole or not at all.
void add_within(InspectResult& result, json item, std::size_t max_bytes, std::size_t& used_bytes) {
  const std::size_t own_bytes = item.dump().size();
  const std::size_t next_bytes = used_bytes + own_bytes + (result.items.empty() ? 0 : 1);
  if (next_bytes <= max_bytes) {
    used_bytes = next_bytes;
    result.items.push_back(std::move(item));
    return;
  }
  result.status = "partial";
  const std::string id = item["id"].get<std::string>();
  const std::size_t alone_bytes = own_bytes + std::string_view("[]").size();
  const bool is_inspectable = alone_bytes <= kInspectBytesMax;
  result.gaps.push_back("byte_budget: " + id + " needs " + std::to_string(alone_bytes) + " bytes" +
                        (alone_bytes <= max_bytes ? " and did not fit beside the others; inspect it alone"
                         : is_inspectable         ? "; raise maxBytes"
                                                  : ", more than maxBytes can be; see it with `pi-memory list`"));
}

}  // namespace

Result<ListResult> MemoryEngine::list(const ListQuery& query) {
  PIMEMORY_TRY(check_list_query(query));
  PIMEMORY_ASSIGN(const std::unique_ptr<Snapshot> snapshot, authority_->snapshot());
  const DomainReader& domain = snapshot->domain();
  std::optional<ListPlace> after;
  if (query.after) {
    const auto last = domain.fact(*query.after);
    if (!last) return unknown_fact(*query.after);
    after = ListPlace{last->recorded_at, last->id};
  }
  std::vector<ListPlace> places;
  domain.each_fact([&](const FactRow& fact) {
    if (!is_listed(fact, query)) return true;
    ListPlace place{fact.recorded_at, fact.id};
    if (!after || *after < place) places.push_back(std::move(place));
    return true;
  });
  const std::size_t count = std::min(places.size(), static_cast<std::size_t>(query.limit));
  std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count), places.end());

  ListResult result;
  for (std::size_t i = 0; i < count; ++i)
    if (const auto fact = domain.fact(places[i].id)) result.items.push_back(list_item(domain, *fact, query));
  if (count < places.size()) result.next = places[count - 1].id;
  result.gaps = authority_->gaps();
  return result;
}

Result<InspectResult> MemoryEngine::inspect(const std::vector<std::string>& ids, std::optional<TimeMs> as_of,
                                            std::size_t max_bytes) {
  const TimeMs now = env_.clock.now();
  const TimeMs at = as_of.value_or(now);
  PIMEMORY_TRY(check_time("asOf", at));
  if (ids.empty() || ids.size() > kInspectIdsMax)
    return fail(ErrorCode::invalid, "ids has " + std::to_string(ids.size()) + " items; it must have 1 to 32");
  if (max_bytes < kInspectBytesMin || max_bytes > kInspectBytesMax)
    return fail(ErrorCode::invalid, "maxBytes is " + std::to_string(max_bytes) + "; it must be 512 to 32768");
  PIMEMORY_ASSIGN(const std::unique_ptr<Snapshot> snapshot, authority_->snapshot());
  const DomainReader& domain = snapshot->domain();

  InspectResult result;
  std::size_t used_bytes = std::string_view("[]").size();
  std::set<std::string> seen;
  for (const std::string& id : ids) {
    if (!seen.insert(id).second) continue;
    if (const auto fact = domain.fact(id)) {
      if (fact->valid_during(at))
        add_within(result, fact_item(domain, *fact, at, now), max_bytes, used_bytes);
      else
        result.gaps.push_back("unknown_id: " + id + " is not valid at " + format_rfc3339(at) +
                              "; ask with an asOf inside its validity, or see it with `pi-memory list`");
    } else if (const auto topic = domain.topic(id)) {
      add_within(result, topic_item(domain, *topic, at), max_bytes, used_bytes);
    } else {
      result.gaps.push_back(unknown_gap(id));
    }
  }
  for (const std::string& gap : authority_->gaps()) result.gaps.push_back(gap);
  return result;
}

Result<EngineStatus> MemoryEngine::status() {
  const TimeMs now = env_.clock.now();
  PIMEMORY_ASSIGN(const std::unique_ptr<Snapshot> snapshot, authority_->snapshot());
  EngineStatus status;
  status.numbers = snapshot->numbers();
  status.gaps = authority_->gaps();
  snapshot->domain().each_fact([&](const FactRow& fact) {
    ++status.facts;
    if (is_live(fact, now) && fact.standing == "needs_review") ++status.needs_review;
    return true;
  });
  snapshot->domain().each_document([&](const DocumentRow& document) {
    const bool is_own = document.name_space == "memory" || document.name_space.starts_with("memory.");
    if (!document.deleted_at && !is_own) ++status.documents;
    return true;
  });
  return status;
}

}  // namespace pimemory
