// How events join a draft and how the finished group is sealed into the chain.
#include "storage/compact_draft.h"

#include <algorithm>
#include <array>

#include "base/ids.h"
#include "base/sha256.h"
#include "storage/reducer.h"

namespace pimemory {

std::string new_writer_id(Random& random) {
  std::array<unsigned char, 8> bytes{};
  random.fill(bytes);
  return "writer_" + to_hex(bytes);
}

CompactDraft::CompactDraft(Env& env, const OpenOptions& options, const CompactState& base, TimeMs now)
    : env_(env), options_(options), state_(base), writer_id_(base.head.writer_id), recorded_at_(now) {
  const bool clock_stepped_back = base.head.sequence > 0 && now + kClockStepMs < base.head.recorded_at;
  if (writer_id_.empty() || clock_stepped_back) {
    writer_id_ = new_writer_id(env.random);
    new_writer_ = true;
  } else if (base.head.sequence > 0) {
    recorded_at_ = std::max(now, base.head.recorded_at);
  }
}

Result<std::string> CompactDraft::append(nlohmann::json payload) {
  PIMEMORY_TRY(validate_payload(payload, options_.project_id));
  MemoryEvent event;
  event.id = "evt_" + uuid_v4(env_.random);
  event.scope_id = options_.project_id;
  event.writer_id = writer_id_;
  event.session_id = options_.session_id;
  event.position = state_.head.position + static_cast<std::int64_t>(pending_.size()) + 1;
  const std::int64_t last_sequence = new_writer_ ? 0 : state_.head.sequence;
  event.sequence = last_sequence + static_cast<std::int64_t>(pending_.size()) + 1;
  event.recorded_at = recorded_at_;
  event.payload = std::move(payload);
  // seal() makes the hashes again when the group is complete; here they show that the line fits.
  if (event.sequence > 1) event.previous_hash = std::string(64, '0');
  PIMEMORY_TRY(seal_event(event));
  reduce_event(state_, event);
  std::string id = event.id;
  pending_.push_back(std::move(event));
  return id;
}

Status CompactDraft::count_activity(std::int64_t turns, std::int64_t tokens, std::int64_t inserts) {
  if (turns < 0 || tokens < 0 || inserts < 0) return fail(ErrorCode::invalid, "an activity count is negative");
  if (turns == 0 && tokens == 0 && inserts == 0) return {};
  for (const auto& [total, delta] : {std::pair{state_.activity.turns, turns}, std::pair{state_.activity.tokens, tokens},
                                     std::pair{state_.activity.inserts, inserts}})
    if (delta > kSafeIntegerMax - total) return fail(ErrorCode::invalid, "an activity count is out of range");
  state_.activity.turns += turns;
  state_.activity.tokens += tokens;
  state_.activity.inserts += inserts;
  state_.activity.updated_at = recorded_at_;
  counted_ = true;
  return {};
}

Status CompactDraft::nested(const std::function<Status(Draft&)>& body) {
  const CompactState state = state_;
  const std::size_t events = pending_.size();
  const bool counted = counted_;
  Status done = body(*this);
  if (!done) {
    state_ = state;
    pending_.resize(events);
    counted_ = counted;
  }
  return done;
}

Status CompactDraft::seal() {
  std::string previous = new_writer_ ? "" : state_.head.event_hash;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    MemoryEvent& event = pending_[i];
    const std::int64_t remaining = static_cast<std::int64_t>(pending_.size() - i) - 1;
    event.group_remaining = remaining ? std::optional<std::int64_t>(remaining) : std::nullopt;
    event.previous_hash = previous.empty() ? std::nullopt : std::optional<std::string>(previous);
    PIMEMORY_TRY(seal_event(event));
    previous = event.event_hash;
  }
  for (const MemoryEvent& event : pending_) state_.append_history(event);
  return {};
}

}  // namespace pimemory
