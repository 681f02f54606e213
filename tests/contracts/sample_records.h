// Valid records for the contract tests: each test breaks one field of one of them.
#pragma once

#include <string>

#include "base/rfc3339.h"
#include "base/sha256.h"
#include "contracts/records.h"

namespace pimemory::samples {

inline const std::string kOwner = "p_alpha";
inline const std::string kHash(64, 'a');

inline TimeMs at(const char* text) { return parse_rfc3339(text).value(); }

inline std::string repeat(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

inline void set_text(SourceDocument& document, std::string text) {
  document.text = std::move(text);
  document.content_hash = sha256_hex(document.text);
}

inline void set_excerpt(EvidenceRef& evidence, std::string excerpt) {
  evidence.excerpt = std::move(excerpt);
  evidence.content_hash = sha256_hex(evidence.excerpt);
}

inline SourceDocument document() {
  SourceDocument d;
  d.name_space = "document";
  d.external_id = "docs/guide.md";
  d.scope_id = kOwner;
  d.source = "operator-indexed";
  d.kind = "document";
  d.version = "1";
  d.observed_at = at("2026-03-01T00:00:00Z");
  set_text(d, "Releases are published from main.");
  return d;
}

inline EvidenceRef evidence(const std::string& id = "ev_00000001") {
  EvidenceRef e;
  e.id = id;
  e.origin = "user_statement";
  e.provenance = "declared";
  e.observed_at = at("2026-03-01T00:00:00Z");
  set_excerpt(e, "always publish from main");
  return e;
}

inline Entity entity(const std::string& id = "ent_00000001") {
  return Entity{id, kOwner, "main", "branch", {"trunk"}, std::nullopt};
}

inline TemporalFact fact(const std::string& id = "mem_00000001") {
  TemporalFact f;
  f.id = id;
  f.scope_id = kOwner;
  f.kind = "decision";
  f.statement = "Publish releases from main.";
  f.entities = {entity()};
  f.evidence = {evidence()};
  f.standing = "supported";
  f.confidence = 0.9;
  f.recorded_at = at("2026-03-01T00:00:00Z");
  return f;
}

inline Episode episode() {
  Episode e;
  e.id = "ep_00000001";
  e.scope_id = kOwner;
  e.kind = "failure";
  e.summary = "The build failed.";
  e.observed_at = at("2026-03-01T00:00:00Z");
  e.source = "host";
  return e;
}

inline FactResolution resolution() {
  return FactResolution{"mem_00000001", "superseded", "A newer decision", "mem_00000002", {}};
}

}  // namespace pimemory::samples
