// The random port: ids and staging names come from here, so that a seed reproduces a run.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace pimemory {

// Thread-safe in the system implementation; SeededRandom belongs to one thread.
class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(std::span<unsigned char> out) = 0;
};

// Reads the kernel's generator.
Random& system_random();

class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}
  void fill(std::span<unsigned char> out) override {
    for (unsigned char& byte : out) byte = static_cast<unsigned char>(engine_() & 0xff);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace pimemory
