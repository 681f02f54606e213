// Documents out of files, and keeping a folder's documents in step with its files.
#include "engine/file_documents.h"

#include <filesystem>
#include <set>
#include <utility>

#include "base/canonical_json.h"
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "contracts/record_fields.h"
#include "contracts/text_bounds.h"
#include "contracts/validate.h"
#include "engine/documents.h"
#include "engine/folder_walk.h"
#include "text/chunker.h"
#include "text/markdown_blocks.h"

namespace pimemory {
namespace {

using nlohmann::json;

constexpr char kFileNamespace[] = "document";
constexpr char kOperatorSource[] = "operator-indexed";
constexpr char kDocumentKind[] = "document";
constexpr std::size_t kListFileBytesMax = 64 * 1'024 * 1'024;
// One folder batch stays well below the bound of a bulk commit.
constexpr std::size_t kFolderBatchBytesMax = 4 * 1'024 * 1'024;
constexpr std::size_t kFolderBatchFilesMax = 512;
constexpr std::size_t kRemovalBatchMax = 512;

std::optional<std::string> first_heading(const std::string& text) {
  for (const MarkdownBlock& block : split_markdown_blocks(to_lf(text)))
    if (block.kind == BlockKind::heading && !block.title.empty())
      return std::string(clip_bytes(block.title, kTitleBytesMax));
  return std::nullopt;
}

SourceDocument text_document(WalkedFile file, const std::string& owner, TimeMs now) {
  SourceDocument document;
  document.name_space = kFileNamespace;
  document.external_id = std::move(file.external_id);
  document.scope_id = owner;
  document.source = kOperatorSource;
  document.kind = kDocumentKind;
  document.title = first_heading(file.text);
  document.text = std::move(file.text);
  document.observed_at = now;
  return document;
}

// A JSON document may leave out what has a default; ownership and trust are not its to declare.
Result<SourceDocument> json_document(json object, const std::string& where, const std::string& default_id,
                                     const std::string& owner, TimeMs now) {
  if (!object.is_object()) return fail(ErrorCode::invalid, where + " is not a JSON object");
  if (object.contains("sync")) return fail(ErrorCode::invalid, where + ".sync is set by source adapters alone");
  if (object.contains("trust") && object["trust"] != "imported")
    return fail(ErrorCode::invalid, where + ".trust must be \"imported\"; only a source adapter declares another");
  const auto set_default = [&](const char* name, const std::string& value) {
    if (!object.contains(name)) object[name] = value;
  };
  set_default("namespace", kFileNamespace);
  if (!default_id.empty()) set_default("externalId", default_id);
  set_default("scopeKind", "project");
  set_default("scopeId", owner);
  set_default("source", kOperatorSource);
  set_default("kind", kDocumentKind);
  set_default("observedAt", format_rfc3339(now));
  set_default("trust", "imported");
  set_default("contentHash", "");
  set_default("version", "");
  return decode_record<SourceDocument>(object, where);
}

Result<std::string> real_path(Env& env, const std::string& path) {
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
  if (failure) return fail(ErrorCode::io, "cannot resolve " + path + ": " + failure.message());
  return env.files.real_path(absolute.lexically_normal().string());
}

Result<std::string> real_checkout(Env& env, const std::string& checkout) {
  return checkout.empty() ? Result<std::string>(checkout) : real_path(env, checkout);
}

Result<std::string> read_whole(Env& env, const std::string& path, std::size_t limit_bytes) {
  PIMEMORY_ASSIGN(const std::unique_ptr<File> file, env.files.open(path, OpenMode::read));
  return file->read_all(limit_bytes);
}

Result<std::vector<SourceDocument>> lines_of(const std::string& text, const std::string& owner, TimeMs now) {
  std::vector<SourceDocument> documents;
  std::size_t line_number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = std::string_view(text).substr(start, end - start);
    start = end + 1;
    ++line_number;
    if (is_blank(line)) continue;
    const std::string where = "line " + std::to_string(line_number);
    auto object = parse_strict_json(trim(line));
    if (!object) return fail(object.error().code, where + ": " + object.error().message);
    PIMEMORY_ASSIGN(SourceDocument document, json_document(std::move(*object), where, "", owner, now));
    documents.push_back(std::move(document));
  }
  return documents;
}

// The folder's documents that the walk did not offer: their files vanished or are left out now.
struct Leftovers {
  std::vector<DocumentName> vanished;
  std::vector<std::string> unlisted;
};

std::string path_of(const std::string& external_id, const std::string& checkout) {
  return external_id.starts_with('/') ? external_id : checkout + "/" + external_id;
}

bool lies_below(const std::string& external_id, const std::string& folder_id, bool is_checkout) {
  if (is_checkout) return !external_id.starts_with('/');
  return external_id.starts_with(folder_id.ends_with('/') ? folder_id : folder_id + "/");
}

Result<Leftovers> find_leftovers(MemoryEngine& engine, const std::string& folder, const std::string& checkout,
                                 const std::set<std::string>& offered) {
  const std::string folder_id = external_id_of(folder, checkout);
  const bool is_checkout = folder == checkout;
  Leftovers leftovers;
  PIMEMORY_ASSIGN(const std::unique_ptr<Snapshot> snapshot, engine.authority().snapshot());
  const DomainReader& domain = snapshot->domain();
  domain.each_document([&](const DocumentRow& row) {
    if (row.deleted_at || row.name_space != kFileNamespace || row.source != kOperatorSource) return true;
    if (!lies_below(row.external_id, folder_id, is_checkout) || offered.contains(row.external_id)) return true;
    if (owning_adapter(domain, row.document_key)) return true;
    const auto info = engine.env().files.info(path_of(row.external_id, checkout));
    // A path that cannot be looked at has not vanished.
    if (info && info->type == FileType::missing)
      leftovers.vanished.push_back(DocumentName{row.name_space, row.external_id});
    else
      leftovers.unlisted.push_back(row.external_id);
    return true;
  });
  return leftovers;
}

// Collects the walk's files into bulk commits.
class FolderIndexer {
 public:
  FolderIndexer(MemoryEngine& engine, TimeMs now, IndexResult& result) : engine_(engine), now_(now), result_(result) {}

  Status take(WalkedFile file) {
    offered_.insert(file.external_id);
    PIMEMORY_ASSIGN(const bool owned, is_owned(file.external_id));
    if (owned) {
      count_skipped(result_, "owned", file.external_id);
      return {};
    }
    bytes_ += file.text.size();
    batch_.push_back(text_document(std::move(file), engine_.owner(), now_));
    return bytes_ >= kFolderBatchBytesMax || batch_.size() >= kFolderBatchFilesMax ? flush() : Status{};
  }

  Status flush() {
    PIMEMORY_ASSIGN(const IndexResult written, engine_.index_all(std::exchange(batch_, {})));
    bytes_ = 0;
    snapshot_.reset();
    result_.documents += written.documents;
    result_.chunks += written.chunks;
    for (const std::string& gap : written.gaps)
      if (std::find(result_.gaps.begin(), result_.gaps.end(), gap) == result_.gaps.end()) result_.gaps.push_back(gap);
    return {};
  }

  const std::set<std::string>& offered() const { return offered_; }

 private:
  Result<bool> is_owned(const std::string& external_id) {
    if (!snapshot_) {
      PIMEMORY_ASSIGN(snapshot_, engine_.authority().snapshot());
    }
    return owning_adapter(snapshot_->domain(), document_key(kFileNamespace, external_id)).has_value();
  }

  MemoryEngine& engine_;
  TimeMs now_;
  IndexResult& result_;
  std::vector<SourceDocument> batch_;
  std::size_t bytes_ = 0;
  std::set<std::string> offered_;
  std::unique_ptr<Snapshot> snapshot_;
};

Status remove_vanished(MemoryEngine& engine, const std::vector<DocumentName>& vanished, IndexResult& result) {
  for (std::size_t begin = 0; begin < vanished.size(); begin += kRemovalBatchMax) {
    const std::size_t end = std::min(begin + kRemovalBatchMax, vanished.size());
    const std::vector<DocumentName> batch(vanished.begin() + static_cast<std::ptrdiff_t>(begin),
                                          vanished.begin() + static_cast<std::ptrdiff_t>(end));
    PIMEMORY_ASSIGN(const std::int64_t removed, engine.remove_all(batch, "vanished"));
    result.removed += removed;
  }
  return {};
}

}  // namespace

Result<std::vector<SourceDocument>> read_documents(Env& env, const std::string& path, const std::string& checkout,
                                                   const std::string& owner) {
  const TimeMs now = env.clock.now();
  PIMEMORY_ASSIGN(const std::string file, real_path(env, path));
  PIMEMORY_ASSIGN(const std::string root, real_checkout(env, checkout));
  const std::string id = external_id_of(file, root);
  const bool is_json = file.ends_with(".json"), is_list = file.ends_with(".jsonl");
  PIMEMORY_ASSIGN(std::string text,
                  read_whole(env, file, is_json || is_list ? kListFileBytesMax : kIndexedFileBytesMax));
  if (!is_valid_utf8(text) || has_nul(text))
    return fail(ErrorCode::invalid, "the file is not UTF-8 text or holds the character U+0000");
  if (is_list) return lines_of(text, owner, now);
  std::vector<SourceDocument> documents;
  if (is_json) {
    PIMEMORY_ASSIGN(json object, parse_strict_json(trim(text)));
    PIMEMORY_ASSIGN(SourceDocument document, json_document(std::move(object), "document", id, owner, now));
    documents.push_back(std::move(document));
  } else {
    documents.push_back(text_document(WalkedFile{file, id, std::move(text)}, owner, now));
  }
  return documents;
}

Result<IndexResult> index_folder(MemoryEngine& engine, const std::string& folder, const std::string& checkout,
                                 bool prune) {
  Env& env = engine.env();
  const TimeMs now = env.clock.now();
  PIMEMORY_ASSIGN(const std::string top, real_path(env, folder));
  PIMEMORY_ASSIGN(const std::string root, real_checkout(env, checkout));
  PIMEMORY_ASSIGN(const FileInfo info, env.files.info(top));
  if (info.type != FileType::directory) return fail(ErrorCode::invalid, "the path is not a folder");

  IndexResult result;
  FolderIndexer indexer(engine, now, result);
  PIMEMORY_ASSIGN(const WalkOutcome outcome,
                  walk_folder(env, top, root, result, [&](WalkedFile file) { return indexer.take(std::move(file)); }));
  PIMEMORY_TRY(indexer.flush());

  PIMEMORY_ASSIGN(const Leftovers leftovers, find_leftovers(engine, top, root, indexer.offered()));
  // After a stopped walk a document may be unlisted only because its file was not reached.
  if (!outcome.reached_limit)
    for (const std::string& id : leftovers.unlisted) count_skipped(result, "unlisted", id);
  if (prune && !outcome.has_gap) {
    PIMEMORY_TRY(remove_vanished(engine, leftovers.vanished, result));
    return result;
  }
  for (const DocumentName& name : leftovers.vanished) count_skipped(result, "vanished", name.external_id);
  return result;
}

}  // namespace pimemory
