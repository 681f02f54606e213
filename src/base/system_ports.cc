// The clock and random ports as the operating system provides them.
#include <sys/random.h>
#include <time.h>

#include <cerrno>
#include <cstdlib>

#include "base/clock.h"
#include "base/random.h"

namespace pimemory {
namespace {

std::int64_t read_clock_ms(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

class SystemClock final : public Clock {
 public:
  TimeMs now() override { return read_clock_ms(CLOCK_REALTIME); }
  std::int64_t monotonic_ms() override { return read_clock_ms(CLOCK_MONOTONIC); }
  void sleep_ms(std::int64_t duration_ms) override {
    timespec rest{duration_ms / 1000, (duration_ms % 1000) * 1'000'000};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
    }
  }
};

class SystemRandom final : public Random {
 public:
  void fill(std::span<unsigned char> out) override {
    std::size_t done = 0;
    while (done < out.size()) {
      const ssize_t got = getrandom(out.data() + done, out.size() - done, 0);
      if (got > 0) done += static_cast<std::size_t>(got);
      // Ids from a broken generator could repeat; there is no safe way to go on.
      else if (errno != EINTR)
        std::abort();
    }
  }
};

}  // namespace

Clock& system_clock() {
  static SystemClock clock;
  return clock;
}

Random& system_random() {
  static SystemRandom random;
  return random;
}

}  // namespace pimemory
