// Making evidence: redact first, cut outside placeholders, hash what is kept.
#include "engine/evidence.h"

#include <algorithm>

#include "base/ids.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "contracts/validate.h"
#include "text/injected.h"
#include "text/redaction.h"

namespace pimemory {
namespace {

constexpr std::size_t kExcerptBytesMax = 8'192;
constexpr std::string_view kPlaceholderStart = "<REDACTED";

// A cut inside a placeholder would leave a fragment that no longer reads as one: the cut moves before it.
std::string_view clip_outside_placeholder(std::string_view text, std::size_t limit_bytes) {
  const std::string_view kept = clip_bytes(text, limit_bytes);
  if (kept.size() == text.size()) return kept;
  const std::size_t open = kept.rfind('<');
  if (open == std::string_view::npos || !text.substr(open).starts_with(kPlaceholderStart)) return kept;
  const std::size_t close = text.find('>', open);
  return close != std::string_view::npos && close >= kept.size() ? kept.substr(0, open) : kept;
}

Status check_text(const char* where, std::string_view text) {
  if (is_valid_utf8(text) && !has_nul(text)) return {};
  return fail(ErrorCode::invalid, std::string(where) + " is not valid UTF-8 or holds the character U+0000");
}

Status check_identifier(const char* where, std::string_view id) {
  PIMEMORY_TRY(check_text(where, id));
  if (!contains_credential(id)) return {};
  return fail(ErrorCode::secret_in_identifier, std::string(where) + " has the shape of a credential");
}

Result<EvidenceRef> finish(Env& env, EvidenceRef evidence, std::string excerpt) {
  evidence.id = "ev_" + uuid_v4(env.random);
  evidence.excerpt = std::move(excerpt);
  evidence.content_hash = sha256_hex(evidence.excerpt);
  PIMEMORY_TRY(validate_evidence(evidence, "evidence"));
  return evidence;
}

Result<EvidenceRef> spoken(Env& env, const char* origin, const char* provenance, const char* where,
                           std::string_view text, std::string_view session_id, TimeMs observed_at) {
  PIMEMORY_TRY(check_text(where, text));
  PIMEMORY_TRY(check_identifier("sessionId", session_id));
  EvidenceRef evidence;
  evidence.origin = origin;
  evidence.provenance = provenance;
  evidence.observed_at = observed_at;
  if (!session_id.empty()) evidence.session_id = std::string(session_id);
  return finish(env, std::move(evidence), redact(text));
}

}  // namespace

Result<EvidenceRef> native_evidence(Env& env, std::string_view tool_name, std::string_view tool_call_id,
                                    std::string_view session_id, std::string_view output, TimeMs observed_at) {
  PIMEMORY_TRY(check_text("output", output));
  PIMEMORY_TRY(check_identifier("toolName", tool_name));
  PIMEMORY_TRY(check_identifier("toolCallId", tool_call_id));
  PIMEMORY_TRY(check_identifier("sessionId", session_id));
  EvidenceRef evidence;
  evidence.origin = "host_observation";
  evidence.provenance = "native_observation";
  evidence.observed_at = observed_at;
  if (!tool_name.empty()) evidence.actor_id = std::string(tool_name);
  if (!tool_call_id.empty()) evidence.tool_call_id = std::string(tool_call_id);
  if (!session_id.empty()) evidence.session_id = std::string(session_id);
  const std::string clean = redact(remove_injected_text(output));
  return finish(env, std::move(evidence), std::string(clip_outside_placeholder(clean, kExcerptBytesMax)));
}

Result<EvidenceRef> user_evidence(Env& env, std::string_view quote, std::string_view session_id, TimeMs observed_at) {
  return spoken(env, "user_statement", "declared", "quote", quote, session_id, observed_at);
}

Result<EvidenceRef> agent_evidence(Env& env, std::string_view text, std::string_view session_id, TimeMs observed_at) {
  return spoken(env, "agent_report", "agent_report", "text", text, session_id, observed_at);
}

bool has_witness(const std::vector<EvidenceRef>& evidence) {
  return std::ranges::any_of(evidence, [](const EvidenceRef& item) {
    return item.provenance == "native_observation" || item.provenance == "declared";
  });
}

std::string highest_standing(const std::vector<EvidenceRef>& evidence) {
  return has_witness(evidence) ? "supported" : "needs_review";
}

}  // namespace pimemory
