// The only makers of evidence: each provenance has one door, and no argument decoder opens another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/env.h"
#include "base/result.h"
#include "contracts/records.h"

namespace pimemory {

// Redacts, cuts to 8,192 bytes outside any placeholder, hashes. For the host's tool_result hook alone.
Result<EvidenceRef> native_evidence(Env& env, std::string_view tool_name, std::string_view tool_call_id,
                                    std::string_view session_id, std::string_view output, TimeMs observed_at);
// Words that a person typed or confirmed.
Result<EvidenceRef> user_evidence(Env& env, std::string_view quote, std::string_view session_id, TimeMs observed_at);
// What an agent or a script says. Never supports anything.
Result<EvidenceRef> agent_evidence(Env& env, std::string_view text, std::string_view session_id, TimeMs observed_at);

// The highest standing that this evidence allows (03 section 4.6): "supported" or "needs_review".
std::string highest_standing(const std::vector<EvidenceRef>& evidence);
bool has_witness(const std::vector<EvidenceRef>& evidence);  // a native or declared item

}  // namespace pimemory
