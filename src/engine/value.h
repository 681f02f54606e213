// How much a fact is worth keeping: a number from its evidence, kind, use, age and standing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contracts/records.h"
#include "storage/domain_state.h"

namespace pimemory {

struct FeedbackCounters {
  std::int64_t used = 0;
  std::int64_t helpful = 0;
  std::int64_t wrong = 0;
  std::int64_t stale = 0;
  std::optional<TimeMs> last_at;

  std::int64_t usefulness() const { return used + 2 * helpful - 3 * wrong - 2 * stale; }
};

FeedbackCounters count_feedback_rows(const std::vector<FeedbackRow>& rows);

// value = round(clamp(35 + evidence + kind + usefulness - age - standing, 0, 100)).
struct ValueAssessment {
  std::int64_t value = 0;
  double evidence = 0;
  double kind = 0;
  double usefulness = 0;
  double age = 0;
  double standing = 0;
  bool is_protected = false;
};

ValueAssessment assess_value(const FactRow& fact, const std::vector<EvidenceRef>& evidence,
                             const FeedbackCounters& feedback, TimeMs now);

// native_observation, declared, imported, agent_report in this order; "none" without evidence.
std::string best_provenance(const std::vector<EvidenceRef>& evidence);

// The evidence linked to a fact, in id order.
std::vector<EvidenceRef> evidence_of(const DomainReader& domain, std::string_view fact_id);

}  // namespace pimemory
