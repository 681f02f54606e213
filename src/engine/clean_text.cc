// One wording and one order for bounds, redaction and identifier checks.
#include "engine/clean_text.h"

#include <algorithm>
#include <limits>

#include "base/ids.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "contracts/text_bounds.h"
#include "text/language.h"
#include "text/redaction.h"

namespace pimemory {
namespace {

constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();
constexpr std::string_view kDenseGap =
    "dense_unavailable: no encoder in this version; the text is stored and searchable by its words";

}  // namespace

Status clean_bytes(const std::string& where, std::string& text, std::size_t limit_bytes) {
  PIMEMORY_TRY(check_bytes(where, text, limit_bytes, Blank::allowed));
  text = redact(text);
  return {};
}

Status clean_code_points(const std::string& where, std::string& text, std::size_t limit) {
  PIMEMORY_TRY(check_code_points(where, text, limit, Blank::allowed));
  text = redact(text);
  return {};
}

Status clean_bytes(const std::string& where, std::optional<std::string>& text, std::size_t limit_bytes) {
  return text ? clean_bytes(where, *text, limit_bytes) : Status{};
}

Status clean_code_points(const std::string& where, std::optional<std::string>& text, std::size_t limit) {
  return text ? clean_code_points(where, *text, limit) : Status{};
}

Status check_identifier(const std::string& where, std::string_view id) {
  PIMEMORY_TRY(check_bytes(where, id, kUnbounded, Blank::allowed));
  if (!contains_credential(id)) return {};
  return fail(ErrorCode::secret_in_identifier,
              where + " has the shape of a credential; an identifier cannot be rewritten, so it is not stored");
}

Status clean_evidence(std::vector<EvidenceRef>& evidence) {
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    EvidenceRef& item = evidence[i];
    const std::string where = "evidence[" + std::to_string(i) + "]";
    const std::string former = item.excerpt;
    PIMEMORY_TRY(clean_bytes(where + ".excerpt", item.excerpt, kUnbounded));
    PIMEMORY_TRY(clean_bytes(where + ".uri", item.uri, kUriBytesMax));
    if (item.excerpt != former) item.content_hash = sha256_hex(item.excerpt);
    PIMEMORY_TRY(check_identifier(where + ".id", item.id));
    PIMEMORY_TRY(check_identifier(where + ".actorId", item.actor_id.value_or("")));
    PIMEMORY_TRY(check_identifier(where + ".sessionId", item.session_id.value_or("")));
    PIMEMORY_TRY(check_identifier(where + ".toolCallId", item.tool_call_id.value_or("")));
  }
  return {};
}

Status clean_map(const std::string& where, StringMap& map) {
  for (auto& [key, value] : map) {
    PIMEMORY_TRY(check_identifier(where + " key", key));
    // The key tells a secret as `password = …` does in prose, so the value is also looked at beside it.
    PIMEMORY_TRY(clean_bytes(where + " value", value, kUnbounded));
    if (value != "<REDACTED>" && contains_credential(key + "=" + value) && !contains_credential(value))
      value = "<REDACTED>";
  }
  return {};
}

Status check_english(const std::string& where, std::string_view text) {
  const auto detected = detect_english(text);
  if (detected.english) return {};
  return fail(ErrorCode::not_english, where + " is not English (" + detected.reason + "); memory is kept in English");
}

std::string shown_fact_id(std::string_view id) { return is_id("mem_", id) ? std::string(id) : "(no fact id)"; }

std::unexpected<Error> unknown_fact(std::string_view id) {
  return fail(ErrorCode::unknown_fact, "no fact of this project has the id " + shown_fact_id(id));
}

void add_dense_gap(Gaps& gaps) {
  if (std::ranges::find(gaps, kDenseGap) == gaps.end()) gaps.emplace_back(kDenseGap);
}

}  // namespace pimemory
