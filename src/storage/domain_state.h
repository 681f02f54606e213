// The domain collections as the reducer and the engine see them: reads and writes by key, whatever the layout.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/rows.h"

namespace pimemory {

enum class PairKind { fact_entities, fact_evidence, fact_episodes, episode_evidence };

// Reading. Every list is in key-byte order unless stated. One snapshot for the life of the object that hands it out.
class DomainReader {
 public:
  virtual ~DomainReader() = default;
  virtual std::optional<DocumentRow> document(std::string_view key) const = 0;
  virtual std::optional<FactRow> fact(std::string_view id) const = 0;
  virtual std::optional<EvidenceRef> evidence(std::string_view id) const = 0;
  virtual std::optional<Entity> entity(std::string_view id) const = 0;
  virtual std::optional<Episode> episode(std::string_view id) const = 0;
  virtual std::optional<FingerprintRow> fingerprint(std::string_view document_key) const = 0;
  virtual std::optional<TopicRow> topic(std::string_view id) const = 0;
  virtual std::optional<BatchRow> batch(std::string_view id) const = 0;
  virtual std::vector<std::string> right_of(PairKind kind, std::string_view left) const = 0;
  virtual std::vector<FactLinkRow> links_from(std::string_view fact_id) const = 0;
  virtual std::vector<FactLinkRow> links_to(std::string_view fact_id) const = 0;
  virtual std::vector<FeedbackRow> feedback_of(std::string_view fact_id) const = 0;
  virtual std::vector<LineageRow> lineage_of_fact(std::string_view fact_id) const = 0;
  // Stops when the visitor returns false.
  virtual void each_fact(const std::function<bool(const FactRow&)>& visit) const = 0;
  virtual void each_document(const std::function<bool(const DocumentRow&)>& visit) const = 0;
};

// Writing, for the reducer alone. A put replaces the row of its key.
class DomainState : public DomainReader {
 public:
  virtual void put(const DocumentRow& row) = 0;
  virtual void put(const FactRow& row) = 0;
  virtual void put(const EvidenceRef& row) = 0;
  virtual void put(const Entity& row) = 0;
  virtual void put(const Episode& row) = 0;  // without its evidence, which is linked
  virtual void put(const FactLinkRow& row) = 0;
  virtual void put(const FingerprintRow& row) = 0;
  virtual void put(const TopicRow& row) = 0;
  virtual void put(const LineageRow& row) = 0;
  virtual void put(const WatermarkRow& row) = 0;
  virtual void put(const BatchRow& row) = 0;
  virtual bool add(const FeedbackRow& row) = 0;  // false: the triple was counted before
  virtual void add_pair(PairKind kind, std::string_view left, std::string_view right) = 0;
  virtual void erase_document(std::string_view key) = 0;
  virtual void erase_topic(std::string_view id) = 0;
  virtual void erase_lineage(std::string_view fact_id, std::string_view document_key) = 0;
};

}  // namespace pimemory
