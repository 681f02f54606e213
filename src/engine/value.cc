// The retention formula.
#include "engine/value.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pimemory {
namespace {

constexpr double kBaseValue = 35;
constexpr double kMillisecondsPerDay = 86'400'000;
constexpr std::array<std::string_view, 4> kLastingKinds = {"decision", "correction", "constraint", "preference"};
constexpr std::array<std::string_view, 4> kProvenanceRanks = {"native_observation", "declared", "imported",
                                                              "agent_report"};

double evidence_part(const std::string& provenance) {
  if (provenance == "native_observation") return 30;
  if (provenance == "declared") return 25;
  return provenance == "none" ? 0 : 10;
}

double age_part(const FactRow& fact, TimeMs now) {
  const TimeMs since = std::max(fact.recorded_at, fact.valid_at.value_or(fact.recorded_at));
  const double days = std::max(0.0, static_cast<double>(now - since) / kMillisecondsPerDay);
  const bool is_open = fact.standing == "candidate" || fact.standing == "needs_review";
  return is_open ? std::min(25.0, days / 3) : std::min(10.0, days / 90);
}

}  // namespace

FeedbackCounters count_feedback_rows(const std::vector<FeedbackRow>& rows) {
  FeedbackCounters counters;
  for (const FeedbackRow& row : rows) {
    if (row.signal == "used") ++counters.used;
    if (row.signal == "helpful") ++counters.helpful;
    if (row.signal == "wrong") ++counters.wrong;
    if (row.signal == "stale") ++counters.stale;
    counters.last_at = std::max(counters.last_at.value_or(row.at), row.at);
  }
  return counters;
}

ValueAssessment assess_value(const FactRow& fact, const std::vector<EvidenceRef>& evidence,
                             const FeedbackCounters& feedback, TimeMs now) {
  const std::string provenance = best_provenance(evidence);
  const bool is_lasting = std::ranges::find(kLastingKinds, fact.kind) != kLastingKinds.end();
  ValueAssessment result;
  result.evidence = evidence_part(provenance);
  result.kind = is_lasting ? 20 : 8;
  result.usefulness = std::clamp(5.0 * static_cast<double>(feedback.usefulness()), -25.0, 25.0);
  result.age = age_part(fact, now);
  result.standing = fact.standing == "contradicted" ? 45 : fact.standing == "superseded" ? 35 : 0;
  const double sum = kBaseValue + result.evidence + result.kind + result.usefulness - result.age - result.standing;
  result.value = static_cast<std::int64_t>(std::round(std::clamp(sum, 0.0, 100.0)));
  result.is_protected =
      fact.standing == "supported" && is_lasting && (provenance == "native_observation" || provenance == "declared");
  return result;
}

std::string best_provenance(const std::vector<EvidenceRef>& evidence) {
  for (const std::string_view rank : kProvenanceRanks)
    if (std::ranges::any_of(evidence, [&](const EvidenceRef& item) { return item.provenance == rank; }))
      return std::string(rank);
  return "none";
}

std::vector<EvidenceRef> evidence_of(const DomainReader& domain, std::string_view fact_id) {
  std::vector<EvidenceRef> items;
  for (const std::string& id : domain.right_of(PairKind::fact_evidence, fact_id))
    if (auto item = domain.evidence(id)) items.push_back(std::move(*item));
  return items;
}

}  // namespace pimemory
