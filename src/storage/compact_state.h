// The whole state of a compact project in memory: typed maps, the history behind them, and their stored form.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "contracts/events.h"
#include "storage/authority.h"
#include "storage/domain_state.h"

namespace pimemory {

// A row together with its RFC 8785 bytes, so that a commit encodes only what it changed.
template <class T>
struct StoredRow {
  T row;
  std::string canonical;
};

// Key → row, in key-byte order. Copies share the immutable rows.
template <class T>
class RowMap {
 public:
  using Entries = std::map<std::string, std::shared_ptr<const StoredRow<T>>, std::less<>>;

  const T* find(std::string_view key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second->row;
  }
  void put(const std::string& key, const T& row);
  void erase(std::string_view key) {
    if (const auto found = entries_.find(key); found != entries_.end()) entries_.erase(found);
  }
  const Entries& entries() const { return entries_; }

 private:
  Entries entries_;
};

// Value semantics; copying is cheap. Not thread-safe for writing.
class CompactState final : public DomainState {
 public:
  std::optional<DocumentRow> document(std::string_view key) const override;
  std::optional<FactRow> fact(std::string_view id) const override;
  std::optional<EvidenceRef> evidence(std::string_view id) const override;
  std::optional<Entity> entity(std::string_view id) const override;
  std::optional<Episode> episode(std::string_view id) const override;
  std::optional<FingerprintRow> fingerprint(std::string_view document_key) const override;
  std::optional<TopicRow> topic(std::string_view id) const override;
  std::optional<BatchRow> batch(std::string_view id) const override;
  std::vector<std::string> right_of(PairKind kind, std::string_view left) const override;
  std::vector<FactLinkRow> links_from(std::string_view fact_id) const override;
  std::vector<FactLinkRow> links_to(std::string_view fact_id) const override;
  std::vector<FeedbackRow> feedback_of(std::string_view fact_id) const override;
  std::vector<LineageRow> lineage_of_fact(std::string_view fact_id) const override;
  void each_fact(const std::function<bool(const FactRow&)>& visit) const override;
  void each_document(const std::function<bool(const DocumentRow&)>& visit) const override;

  void put(const DocumentRow& row) override;
  void put(const FactRow& row) override;
  void put(const EvidenceRef& row) override;
  void put(const Entity& row) override;
  void put(const Episode& row) override;
  void put(const FactLinkRow& row) override;
  void put(const FingerprintRow& row) override;
  void put(const TopicRow& row) override;
  void put(const LineageRow& row) override;
  void put(const WatermarkRow& row) override;
  void put(const BatchRow& row) override;
  bool add(const FeedbackRow& row) override;
  void add_pair(PairKind kind, std::string_view left, std::string_view right) override;
  void erase_document(std::string_view key) override;
  void erase_topic(std::string_view id) override;
  void erase_lineage(std::string_view fact_id, std::string_view document_key) override;

  // Appends a sealed event to the history and moves the head. The caller reduces it.
  void append_history(const MemoryEvent& event);
  const std::vector<std::shared_ptr<const StoredRow<MemoryEvent>>>& history() const { return history_; }

  JournalHead head;
  SyncActivity activity;

  // The document part before compression: RFC 8785 bytes of one object with `version` 1.
  std::string to_json() const;
  // `corrupt` for a broken object, `unsupported_version` for another version; every event and row is validated in
  // shape.
  static Result<CompactState> from_json(std::string_view json, std::string_view owner);
  // RFC 8785 bytes of the domain collections alone.
  std::string domain_json() const;

 private:
  using Members = std::map<std::string, std::string>;  // collection name → its RFC 8785 bytes
  Members domain_members() const;
  template <class Visitor>
  static void each_collection(Visitor&& visit);

  RowMap<DocumentRow> documents_;
  RowMap<FactRow> facts_;
  RowMap<EvidenceRef> evidence_;
  RowMap<Entity> entities_;
  RowMap<Episode> episodes_;
  RowMap<PairRow> fact_entities_;
  RowMap<PairRow> fact_evidence_;
  RowMap<PairRow> fact_episodes_;
  RowMap<PairRow> episode_evidence_;
  RowMap<FactLinkRow> fact_links_;
  RowMap<FeedbackRow> feedback_;
  RowMap<FingerprintRow> fingerprints_;
  RowMap<TopicRow> topics_;
  RowMap<LineageRow> lineage_;
  RowMap<WatermarkRow> watermarks_;
  RowMap<BatchRow> batches_;
  RowMap<SyncStateRow> sync_state_;
  RowMap<CheckpointRow> operational_checkpoints_;
  std::vector<std::shared_ptr<const StoredRow<MemoryEvent>>> history_;
};

}  // namespace pimemory
