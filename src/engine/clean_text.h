// Bounds and redaction of single fields, the first two steps of every write.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "contracts/records.h"
#include "engine/memory_engine.h"

namespace pimemory {

// Refuses what is not UTF-8, holds U+0000 or exceeds the limit (`too_large`), then redacts in place.
Status clean_bytes(const std::string& where, std::string& text, std::size_t limit_bytes);
Status clean_code_points(const std::string& where, std::string& text, std::size_t limit);
Status clean_bytes(const std::string& where, std::optional<std::string>& text, std::size_t limit_bytes);
Status clean_code_points(const std::string& where, std::optional<std::string>& text, std::size_t limit);

// `secret_in_identifier` for a credential shape: identity cannot be rewritten. `invalid` for malformed text.
Status check_identifier(const std::string& where, std::string_view id);

// Redacts excerpts and uris and hashes again what changed; checks every id.
Status clean_evidence(std::vector<EvidenceRef>& evidence);

// Values are redacted, keys checked as identifiers.
Status clean_map(const std::string& where, StringMap& map);

// `not_english` with the detector's reason: this version has no translator.
Status check_english(const std::string& where, std::string_view text);

// An id for an error message: other text than a well-formed id is not repeated.
std::string shown_fact_id(std::string_view id);
std::unexpected<Error> unknown_fact(std::string_view id);

// "dense_unavailable: …", once a result.
void add_dense_gap(Gaps& gaps);

}  // namespace pimemory
