// Random histories of records, supersessions and resolutions against a brute-force model of bitemporal facts: what
// holds at any millisecond, and that a fold of the history gives the same state, byte for byte.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "storage/compact_state.h"
#include "storage/reducer.h"
#include "support/payloads.h"

namespace pimemory {
namespace {

constexpr TimeMs kStart = 1'780'000'000'000;

// The model keeps for each fact every bound that ever closed it, and answers by looking at all of them.
struct ModelFact {
  std::string id;
  TimeMs start = 0;
  std::vector<TimeMs> ends;  // the declared end and the effective time of each terminal resolution
  std::string standing;
  std::string last_open_standing;
  std::optional<TimeMs> expired_at;

  bool valid(TimeMs t) const {
    return start <= t && std::all_of(ends.begin(), ends.end(), [t](TimeMs end) { return t < end; });
  }
  bool terminal() const { return is_terminal_standing(standing); }
  std::string standing_at(TimeMs t) const { return terminal() && valid(t) ? last_open_standing : standing; }
};

struct Step {
  int kind;  // 0-1 record, 2 record superseding, 3 resolve terminal, 4 resolve with replacement, 5 reopen
  int target;
  int valid_offset;
  int length;  // 0: open end
  int pause;
};

class Scenario {
 public:
  void run(const Step& step) {
    now_ += step.pause;
    const bool has_target = !model_.empty();
    if (step.kind <= 1 || !has_target) return record(step, {});
    const std::size_t target = static_cast<std::size_t>(step.target) % model_.size();
    if (step.kind == 2) return record(step, model_[target].id);
    resolve(step, target);
  }

  void check() const {
    for (const ModelFact& fact : model_) {
      const auto row = state_.fact(fact.id);
      RC_ASSERT(row.has_value());
      std::vector<TimeMs> instants = {fact.start, now_, kStart};
      instants.insert(instants.end(), fact.ends.begin(), fact.ends.end());
      for (const TimeMs instant : instants)
        for (const TimeMs t : {instant - 1, instant, instant + 1}) {
          RC_ASSERT(row->valid_during(t) == fact.valid(t));
          RC_ASSERT(effective_standing(*row, t) == fact.standing_at(t));
        }
      RC_ASSERT(row->expired_at == fact.expired_at);
      const auto mirror = state_.document(document_key("memory", fact.id));
      RC_ASSERT(mirror.has_value());
      RC_ASSERT(mirror->valid_to == row->invalid_at);
    }
    CompactState folded;
    for (const auto& stored : state_.history()) reduce_event(folded, stored->row);
    RC_ASSERT(folded.domain_json() == state_.domain_json());
    const auto decoded = CompactState::from_json(state_.to_json(), kTestProject);
    RC_ASSERT(decoded.has_value());
    RC_ASSERT(decoded->to_json() == state_.to_json());
  }

 private:
  void append(nlohmann::json payload) {
    RC_ASSERT(validate_payload(payload, kTestProject).has_value());
    MemoryEvent event;
    event.id = "evt_00000000-0000-4000-8000-" + std::to_string(100'000'000'000 + state_.head.position);
    event.scope_id = kTestProject;
    event.writer_id = "writer_0123456789abcdef";
    event.session_id = "property";
    event.position = state_.head.position + 1;
    event.sequence = state_.head.sequence + 1;
    event.recorded_at = now_;
    if (event.sequence > 1) event.previous_hash = state_.head.event_hash;
    event.payload = std::move(payload);
    RC_ASSERT(seal_event(event).has_value());
    reduce_event(state_, event);
    state_.append_history(event);
  }

  void close(ModelFact& fact, const std::string& standing, TimeMs effective) {
    if (!fact.terminal()) fact.last_open_standing = fact.standing;
    fact.standing = standing;
    fact.ends.push_back(effective);
    if (!fact.expired_at) fact.expired_at = now_;
  }

  void record(const Step& step, const std::string& superseded) {
    TemporalFact fact = make_fact("mem_fact" + std::to_string(10'000 + model_.size()), "A statement", now_);
    if (step.valid_offset != 0) fact.valid_at = now_ + step.valid_offset;
    if (step.length > 0) fact.invalid_at = fact.valid_at.value_or(now_) + step.length;
    if (!superseded.empty()) fact.supersedes = {superseded};
    append(fact_payload(fact));
    const TimeMs start = fact.valid_at.value_or(now_);
    for (ModelFact& old : model_)
      if (old.id == superseded) close(old, "superseded", start);
    ModelFact model{fact.id, start, {}, fact.standing, fact.standing, std::nullopt};
    if (fact.invalid_at) model.ends.push_back(*fact.invalid_at);
    model_.push_back(model);
  }

  void resolve(const Step& step, std::size_t target) {
    ModelFact& fact = model_[target];
    if (step.kind == 5) {
      append(resolve_payload(fact.id, "supported"));
      if (!fact.terminal()) fact.standing = "supported";
      return;
    }
    const std::size_t other = (target + 1) % model_.size();
    const bool replaced = step.kind == 4 && other != target;
    append(resolve_payload(fact.id, "contradicted",
                           replaced ? std::optional<std::string>(model_[other].id) : std::nullopt));
    close(fact, "contradicted", replaced ? model_[other].start : now_);
  }

  TimeMs now_ = kStart;
  CompactState state_;
  std::vector<ModelFact> model_;
};

TEST(TemporalProperty, RandomHistoriesEqualTheBruteForceModel) {
  const bool held = rc::check("histories", [] {
    const auto steps = *rc::gen::container<std::vector<Step>>(rc::gen::build<Step>(
        rc::gen::set(&Step::kind, rc::gen::inRange(0, 6)), rc::gen::set(&Step::target, rc::gen::inRange(0, 20)),
        rc::gen::set(&Step::valid_offset, rc::gen::inRange(-50, 50)),
        rc::gen::set(&Step::length, rc::gen::inRange(0, 60)), rc::gen::set(&Step::pause, rc::gen::inRange(0, 20))));
    Scenario scenario;
    for (const Step& step : steps) scenario.run(step);
    scenario.check();
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace pimemory
