// The draft of a compact transaction: a copy of the state that events are reduced into before anything is written.
#pragma once

#include "base/env.h"
#include "storage/authority.h"
#include "storage/compact_state.h"

namespace pimemory {

// A clock this far behind the last event means that the clock was set back: a new writer id is taken.
inline constexpr TimeMs kClockStepMs = 60'000;

std::string new_writer_id(Random& random);

class CompactDraft final : public Draft {
 public:
  CompactDraft(Env& env, const OpenOptions& options, const CompactState& base, TimeMs now);

  const DomainReader& domain() const override { return state_; }
  SyncActivity activity() const override { return state_.activity; }
  Result<std::string> append(nlohmann::json payload) override;
  TimeMs recorded_at() const override { return recorded_at_; }
  Status count_activity(std::int64_t turns, std::int64_t tokens, std::int64_t inserts) override;
  Status nested(const std::function<Status(Draft&)>& body) override;

  // Gives the group its countdown, hashes and chain, and adds it to the history. Call once, after the body.
  Status seal();
  bool has_events() const { return !pending_.empty(); }
  bool changed() const { return has_events() || counted_; }
  std::int64_t event_count() const { return static_cast<std::int64_t>(pending_.size()); }
  const CompactState& state() const { return state_; }

 private:
  Env& env_;
  const OpenOptions& options_;
  CompactState state_;
  std::vector<MemoryEvent> pending_;
  std::string writer_id_;
  bool new_writer_ = false;
  TimeMs recorded_at_;
  bool counted_ = false;
};

}  // namespace pimemory
