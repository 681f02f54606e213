// A created store is there after a power cut that takes every name no directory sync has covered; and a fault at every
// file call of a creation leaves no store or a complete one.
#include <gtest/gtest.h>

#include <cstdio>

#include "base/fault_file_system.h"
#include "support/payloads.h"
#include "support/scratch.h"

namespace pimemory {
namespace {

constexpr std::uint64_t kPointsMax = 200;

Env env_on(FileSystem& files) {
  Env& real = system_env();
  return Env{real.clock, real.random, files, real.processes, ""};
}

TEST(StorePowerCut, CreatedStoreSurvivesLostNames) {
  ScratchFolder home;
  FaultFileSystem files(system_files());
  files.enable_unsynced_drop(home.path());
  Env env = env_on(files);
  auto created = open_authority(env, store_options(home.path(), OpenIntent::create));
  ASSERT_TRUE(created.has_value()) << created.error().message;
  created->reset();
  ASSERT_TRUE(files.drop_unsynced(Unsynced::names).has_value());
  auto opened = open_authority(system_env(), store_options(home.path(), OpenIntent::read));
  EXPECT_TRUE(opened.has_value()) << opened.error().message;
}

TEST(StoreFault, EveryFileCallOfACreation) {
  std::uint64_t points = 0;
  for (std::uint64_t n = 1; n <= kPointsMax; ++n) {
    ScratchFolder home;
    FaultFileSystem files(system_files());
    Env env = env_on(files);
    files.fail_at(n, n % 2 ? ErrorCode::io : ErrorCode::no_space, n % 3 ? FaultKind::fail_before : FaultKind::stop);
    auto created = open_authority(env, store_options(home.path(), OpenIntent::create));
    const bool acknowledged = created.has_value();
    if (created) created->reset();
    if (!files.fired()) break;
    ++points;
    auto read = open_authority(system_env(), store_options(home.path(), OpenIntent::read));
    EXPECT_TRUE(read.has_value() || read.error().code == ErrorCode::project_incomplete) << "point " << n;
    EXPECT_TRUE(!acknowledged || read.has_value()) << "point " << n;
    auto again = open_authority(system_env(), store_options(home.path(), OpenIntent::create));
    EXPECT_TRUE(again.has_value()) << "point " << n << ": " << again.error().message;
  }
  std::printf("points of one creation: %d\n", static_cast<int>(points));
  EXPECT_GE(points, 8u);
}

}  // namespace
}  // namespace pimemory
