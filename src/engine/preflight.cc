// A rehearsal is a transaction whose body fails after its last step, which leaves no trace by the authority's promise.
#include "engine/preflight.h"

#include <utility>

namespace pimemory {
namespace {

class Preflight final : public Authority {
 public:
  explicit Preflight(Authority& real) : real_(real) {}

  const std::string& owner() const override { return real_.owner(); }
  const std::vector<std::string>& gaps() const override { return real_.gaps(); }
  Result<std::unique_ptr<Snapshot>> snapshot() override { return real_.snapshot(); }
  Result<VerifyReport> verify() override { return real_.verify(); }
  Result<CheckpointReport> checkpoint_wal() override { return real_.checkpoint_wal(); }

  Result<Commit> transaction(TimeMs now, Repeatable repeatable, const std::function<Status(Draft&)>& body) override {
    bool has_passed = false;
    Result<Commit> ended = real_.transaction(now, repeatable, [&](Draft& draft) -> Status {
      has_passed = false;
      PIMEMORY_TRY(body(draft));
      has_passed = true;
      return fail(ErrorCode::cancelled, "a rehearsal ends without a commit");
    });
    if (has_passed && !ended && ended.error().code == ErrorCode::cancelled) return Commit{};
    return ended;
  }

 private:
  Authority& real_;
};

}  // namespace

std::unique_ptr<Authority> preflight(Authority& authority) { return std::make_unique<Preflight>(authority); }

}  // namespace pimemory
