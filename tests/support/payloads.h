// Event payloads that pass validation, for tests that need history without an engine.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/rfc3339.h"
#include "base/sha256.h"
#include "contracts/record_fields.h"
#include "contracts/validate.h"
#include "support/scratch.h"

namespace pimemory {

inline TemporalFact make_fact(const std::string& id, const std::string& statement, TimeMs recorded_at) {
  TemporalFact fact;
  fact.id = id;
  fact.scope_id = kTestProject;
  fact.kind = "decision";
  fact.statement = statement;
  fact.standing = "needs_review";
  fact.confidence = 0.5;
  fact.recorded_at = recorded_at;
  return fact;
}

inline nlohmann::json fact_payload(const TemporalFact& fact) {
  return {{"type", "fact.recorded"}, {"fact", encode_record(fact)}};
}

inline nlohmann::json document_payload(const std::string& external_id, const std::string& text, TimeMs observed_at) {
  SourceDocument document;
  document.name_space = "document";
  document.external_id = external_id;
  document.scope_id = kTestProject;
  document.source = "operator-indexed";
  document.kind = "document";
  document.text = text;
  document.content_hash = sha256_hex(text);
  document.version = document.content_hash;
  document.observed_at = observed_at;
  return {{"type", "document.upserted"}, {"document", encode_record(document)}};
}

inline nlohmann::json resolve_payload(const std::string& id, const std::string& standing,
                                      const std::optional<std::string>& replacement = std::nullopt) {
  nlohmann::json payload = {{"type", "fact.resolved"}, {"factId", id}, {"standing", standing}, {"rationale", "a test"}};
  if (replacement) payload["replacementId"] = *replacement;
  return payload;
}

}  // namespace pimemory
