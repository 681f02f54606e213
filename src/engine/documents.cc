// Documents and episodes: whose they are, what is cleaned out of them, and what counts as a change.
#include "engine/documents.h"

#include <utility>

#include "base/ids.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "contracts/record_fields.h"
#include "contracts/text_bounds.h"
#include "contracts/validate.h"
#include "engine/clean_text.h"
#include "engine/memory_engine.h"
#include "text/chunker.h"
#include "text/injected.h"

namespace pimemory {
namespace {

constexpr std::size_t kDocumentTextBytesMax = 1'000'000;
constexpr std::size_t kReasonCodePointsMax = 1'024;
constexpr std::size_t kSummaryBytesMax = 8'192;
// Bulk commits are cut below 8 MiB of events; JSON escapes and the envelope take their share of it.
constexpr std::size_t kBatchTextBytesMax = 4 * 1'024 * 1'024;
constexpr std::size_t kDocumentOverheadBytes = 2'048;

Status check_namespace_is_free(std::string_view name_space) {
  if (name_space != "memory" && !name_space.starts_with("memory.")) return {};
  return fail(ErrorCode::reserved_namespace,
              "namespace \"memory\" and those below it are written by facts and publications alone");
}

Status check_owner(const DomainReader& domain, const std::string& key, const std::optional<SyncOrigin>& writer) {
  const auto adapter = owning_adapter(domain, key);
  if (!adapter || (writer && writer->adapter == *adapter)) return {};
  return fail(ErrorCode::identity_owned, "the document belongs to a source adapter, which alone writes and removes it");
}

Status check_document_identifiers(const SourceDocument& document) {
  PIMEMORY_TRY(check_identifier("namespace", document.name_space));
  PIMEMORY_TRY(check_identifier("externalId", document.external_id));
  PIMEMORY_TRY(check_identifier("source", document.source));
  PIMEMORY_TRY(check_identifier("kind", document.kind));
  PIMEMORY_TRY(check_identifier("version", document.version));
  return document.sync ? check_identifier("sync.adapter", document.sync->adapter) : Status{};
}

// Bounds, redaction, ownership by namespace, and the hashes of what is left.
Status clean_document(SourceDocument& document, const std::string& owner) {
  PIMEMORY_TRY(check_bytes("text", document.text, kDocumentTextBytesMax, Blank::refused));
  const std::string given_hash = sha256_hex(document.text);
  if (!document.content_hash.empty() && document.content_hash != given_hash)
    return fail(ErrorCode::invalid, "contentHash is not the SHA-256 of the text");
  PIMEMORY_TRY(check_metadata(document.metadata));
  if (document.scope_id.empty()) document.scope_id = owner;
  PIMEMORY_TRY(check_namespace_is_free(document.name_space));
  PIMEMORY_TRY(check_document_identifiers(document));
  document.text = remove_injected_text(document.text);
  PIMEMORY_TRY(clean_bytes("text", document.text, kDocumentTextBytesMax));
  PIMEMORY_TRY(clean_bytes("title", document.title, kTitleBytesMax));
  PIMEMORY_TRY(clean_bytes("uri", document.uri, kUriBytesMax));
  PIMEMORY_TRY(clean_map("metadata", document.metadata));
  document.content_hash = sha256_hex(document.text);
  // A version that was only the text's hash follows the stored text.
  if (document.version.empty() || document.version == given_hash) document.version = document.content_hash;
  return validate_document(document, owner);
}

// True when the stored row differs from the document in nothing but observedAt.
bool is_unchanged(const DocumentRow& row, const SourceDocument& document) {
  const bool same_origin = !document.sync || (row.source_adapter == document.sync->adapter &&
                                              row.source_revision == document.sync->revision);
  return !row.deleted_at && same_origin && row.scope_id == document.scope_id && row.source == document.source &&
         row.kind == document.kind && row.title == document.title && row.text == document.text &&
         row.uri == document.uri && row.version == document.version && row.content_hash == document.content_hash &&
         row.valid_from == document.valid_from && row.valid_to == document.valid_to && row.trust == document.trust &&
         row.metadata == document.metadata;
}

// Whether it was written.
Result<bool> upsert(Draft& draft, const SourceDocument& document) {
  const std::string key = document_key(document.name_space, document.external_id);
  PIMEMORY_TRY(check_owner(draft.domain(), key, document.sync));
  const auto former = draft.domain().document(key);
  if (former && is_unchanged(*former, document)) return false;
  PIMEMORY_TRY(draft.append({{"type", "document.upserted"}, {"document", encode_record(document)}}));
  return true;
}

// Chunking stays outside the write lock.
void count_written(const SourceDocument& document, IndexResult& result) {
  ++result.documents;
  result.chunks += static_cast<std::int64_t>(chunk_text(to_lf(document.text)).size());
}

std::unexpected<Error> of_document(std::size_t index, const SourceDocument& document, Error error) {
  const bool is_nameable = error.code != ErrorCode::secret_in_identifier && is_valid_utf8(document.external_id) &&
                           !has_control_characters(document.external_id);
  const std::string name =
      is_nameable ? " (" + document.name_space + ":" + std::string(clip_code_points(document.external_id, 120)) + ")"
                  : "";
  error.message = "documents[" + std::to_string(index) + "]" + name + ": " + error.message;
  return std::unexpected(std::move(error));
}

// The end of the batch that starts at `begin`.
std::size_t batch_end(const std::vector<SourceDocument>& documents, std::size_t begin) {
  std::size_t end = begin;
  for (std::size_t bytes = 0; end < documents.size(); ++end) {
    bytes += documents[end].text.size() + kDocumentOverheadBytes;
    if (bytes > kBatchTextBytesMax && end > begin) break;
  }
  return end;
}

}  // namespace

std::optional<std::string> owning_adapter(const DomainReader& domain, const std::string& key) {
  if (const auto row = domain.document(key); row && row->source_adapter) return row->source_adapter;
  if (const auto row = domain.fingerprint(key)) return row->adapter;
  return std::nullopt;
}

Result<IndexResult> MemoryEngine::index(SourceDocument document) {
  const TimeMs now = env_.clock.now();
  PIMEMORY_TRY(clean_document(document, owner()));
  bool written = false;
  const auto body = [&](Draft& draft) -> Status {
    PIMEMORY_ASSIGN(written, upsert(draft, document));
    return {};
  };
  PIMEMORY_TRY(authority_->transaction(now, Repeatable::yes, body));
  IndexResult result;
  if (written) count_written(document, result);
  if (written) add_dense_gap(result.gaps);
  return result;
}

Result<IndexResult> MemoryEngine::index_all(std::vector<SourceDocument> documents) {
  const TimeMs now = env_.clock.now();
  IndexResult result;
  if (documents.empty()) return result;
  PIMEMORY_ASSIGN(const std::unique_ptr<Snapshot> snapshot, authority_->snapshot());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    SourceDocument& document = documents[i];
    if (auto cleaned = clean_document(document, owner()); !cleaned) return of_document(i, document, cleaned.error());
    const std::string key = document_key(document.name_space, document.external_id);
    if (auto free = check_owner(snapshot->domain(), key, document.sync); !free)
      return of_document(i, document, free.error());
  }
  for (std::size_t begin = 0; begin < documents.size();) {
    const std::size_t end = batch_end(documents, begin);
    std::vector<std::size_t> written;
    const auto body = [&](Draft& draft) -> Status {
      written.clear();
      for (std::size_t i = begin; i < end; ++i) {
        const auto done = upsert(draft, documents[i]);
        if (!done) return of_document(i, documents[i], done.error());
        if (*done) written.push_back(i);
      }
      return {};
    };
    PIMEMORY_TRY(authority_->transaction(now, Repeatable::yes, body));
    for (const std::size_t i : written) count_written(documents[i], result);
    begin = end;
  }
  if (result.documents > 0) add_dense_gap(result.gaps);
  return result;
}

Result<bool> MemoryEngine::remove(const std::string& name_space, const std::string& external_id,
                                  const std::string& reason) {
  PIMEMORY_ASSIGN(const std::int64_t removed, remove_all({DocumentName{name_space, external_id}}, reason));
  return removed > 0;
}

Result<std::int64_t> MemoryEngine::remove_all(const std::vector<DocumentName>& names, const std::string& reason) {
  const TimeMs now = env_.clock.now();
  std::string kept_reason = reason;
  PIMEMORY_TRY(check_code_points("reason", reason, kReasonCodePointsMax, Blank::refused));
  PIMEMORY_TRY(clean_code_points("reason", kept_reason, kReasonCodePointsMax));
  for (const DocumentName& name : names) {
    PIMEMORY_TRY(validate_namespace(name.name_space));
    PIMEMORY_TRY(validate_external_id(name.external_id));
    PIMEMORY_TRY(check_namespace_is_free(name.name_space));
  }
  std::int64_t removed = 0;
  if (names.empty()) return removed;
  const auto body = [&](Draft& draft) -> Status {
    removed = 0;
    for (const DocumentName& name : names) {
      const std::string key = document_key(name.name_space, name.external_id);
      PIMEMORY_TRY(check_owner(draft.domain(), key, std::nullopt));
      const auto row = draft.domain().document(key);
      if (!row || row->deleted_at) continue;
      PIMEMORY_TRY(draft.append({{"type", "document.deleted"},
                                 {"namespace", name.name_space},
                                 {"externalId", name.external_id},
                                 {"reason", kept_reason}}));
      ++removed;
    }
    return {};
  };
  PIMEMORY_TRY(authority_->transaction(now, Repeatable::yes, body));
  return removed;
}

Result<std::string> MemoryEngine::record_episode(Episode episode) {
  const TimeMs now = env_.clock.now();
  if (episode.id.empty()) episode.id = "ep_" + uuid_v4(env_.random);
  if (episode.scope_id.empty()) episode.scope_id = owner();
  PIMEMORY_TRY(clean_bytes("summary", episode.summary, kSummaryBytesMax));
  PIMEMORY_TRY(clean_evidence(episode.evidence));
  PIMEMORY_TRY(check_identifier("id", episode.id));
  PIMEMORY_TRY(check_identifier("source", episode.source));
  PIMEMORY_TRY(check_identifier("actorId", episode.actor_id.value_or("")));
  PIMEMORY_TRY(check_identifier("sessionId", episode.session_id.value_or("")));
  PIMEMORY_TRY(validate_episode(episode, owner()));
  const auto body = [&](Draft& draft) -> Status {
    if (draft.domain().episode(episode.id)) return {};
    PIMEMORY_TRY(draft.append({{"type", "episode.recorded"}, {"episode", encode_record(episode)}}));
    return {};
  };
  PIMEMORY_TRY(authority_->transaction(now, Repeatable::yes, body));
  return episode.id;
}

}  // namespace pimemory
