// The bounds of every record: what may enter history, checked before an append and again at every read of history.
#pragma once

#include "base/result.h"
#include "contracts/records.h"

namespace pimemory {

// Each names the offending field, its limit and the actual value: `invalid` for a broken rule, `too_large` for a bound.
// `project_owned_only` for a team or shared scope, `owner_mismatch` for another project's.
Status validate_document(const SourceDocument& document, std::string_view owner);
Status validate_evidence(const EvidenceRef& evidence, const std::string& where);
Status validate_entity(const Entity& entity, std::string_view owner, const std::string& where);
// A fact as the `fact.recorded` event carries it: its standing is never terminal.
Status validate_fact(const TemporalFact& fact, std::string_view owner);
Status validate_episode(const Episode& episode, std::string_view owner);
Status validate_resolution(const FactResolution& resolution);

Status validate_namespace(std::string_view name_space);
Status validate_external_id(std::string_view external_id);
bool is_project_id(std::string_view id);  // ^p_[A-Za-z0-9_-]{1,126}$

// namespace + ":" + unpadded base64url of the external id, and back; `invalid` for a key that does not re-encode to
// itself.
std::string document_key(std::string_view name_space, std::string_view external_id);
struct DocumentKeyParts {
  std::string name_space;
  std::string external_id;
};
Result<DocumentKeyParts> parse_document_key(std::string_view key);

}  // namespace pimemory
