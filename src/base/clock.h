// The clock port: the only source of the present time, so that tests decide what "now" is.
#pragma once

#include <atomic>
#include <cstdint>

namespace pimemory {

// UTC milliseconds since the Unix epoch.
using TimeMs = std::int64_t;

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimeMs now() = 0;
  // Monotonic milliseconds, for bounded waits only.
  virtual std::int64_t monotonic_ms() = 0;
  virtual void sleep_ms(std::int64_t duration_ms) = 0;
};

Clock& system_clock();

// A clock that moves only when told to; sleeping moves it.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(TimeMs now) : now_(now) {}
  TimeMs now() override { return now_; }
  std::int64_t monotonic_ms() override { return now_; }
  void sleep_ms(std::int64_t duration_ms) override { now_ += duration_ms; }
  void set(TimeMs now) { now_ = now; }

 private:
  std::atomic<TimeMs> now_;
};

}  // namespace pimemory
