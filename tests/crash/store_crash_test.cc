// Every write, sync, truncate and delete that SQLite makes for a record is failed, killed at or cut off in turn: the
// store opens afterwards, verifies, and holds exactly what was acknowledged.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <cstdio>

#include "storage/fault_vfs.h"
#include "support/payloads.h"
#include "support/scratch.h"

namespace pimemory {
namespace {

constexpr TimeMs kNow = 1'780'000'000'000;
constexpr int kPointsMax = 400;

Env fault_env() {
  Env& real = system_env();
  return Env{real.clock, real.random, real.files, real.processes, FaultVfs::name()};
}

Status record(Authority& authority, const std::string& id) {
  auto done = authority.transaction(kNow, Repeatable::yes, [&](Draft& draft) -> Status {
    PIMEMORY_TRY(draft.append(fact_payload(make_fact(id, "A recorded statement of " + id, draft.recorded_at()))));
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return {};
}

// Opens with the plain VFS and compares with what was acknowledged.
void expect_store(const std::string& home, bool first, std::optional<bool> second, const std::string& where) {
  auto opened = open_authority(system_env(), store_options(home, OpenIntent::write));
  ASSERT_TRUE(opened.has_value()) << where << ": " << opened.error().message;
  auto report = (*opened)->verify();
  ASSERT_TRUE(report.has_value()) << where;
  EXPECT_TRUE(report->findings.empty()) << where << ": " << report->findings.front();
  auto snapshot = *(*opened)->snapshot();
  EXPECT_EQ(snapshot->domain().fact("mem_first000").has_value(), first) << where;
  if (second) {
    EXPECT_EQ(snapshot->domain().fact("mem_second00").has_value(), *second) << where;
  }
  EXPECT_TRUE(record(**opened, "mem_after000").has_value()) << where << ": the next write works";
}

void make_store(const std::string& home) {
  auto opened = open_authority(system_env(), store_options(home, OpenIntent::create));
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  ASSERT_TRUE(record(**opened, "mem_first000").has_value());
}

// Runs `work` in a child under the plan. Returns whether the fault fired; `acknowledged` tells whether work said so.
bool in_child(std::int64_t nth, VfsFault fault, bool& acknowledged, const std::function<bool(Env&)>& work) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    Env env = fault_env();
    FaultVfs::start_tracking();
    FaultVfs::fail_at(nth, fault);
    const char said = work(env) ? 'y' : 'n';
    if (write(ends[1], &said, 1) != 1) _exit(9);
    // A power cut may also come right after the acknowledgement.
    if (fault == VfsFault::power_cut) (void)FaultVfs::drop_unsynced();
    _exit(FaultVfs::fired() ? 1 : 0);
  }
  close(ends[1]);
  char said = 'n';
  acknowledged = read(ends[0], &said, 1) == 1 && said == 'y';
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) || WEXITSTATUS(status) != 0;
}

class StoreCrash : public ::testing::TestWithParam<VfsFault> {};

// `closes`: whether the process closes the store before it ends; else it goes like a killed one, right after its
// answer.
void record_at_every_point(VfsFault fault, bool closes) {
  int points = 0;
  for (int n = 1; n <= kPointsMax; ++n) {
    ScratchFolder home;
    make_store(home.path());
    bool acknowledged = false;
    const bool fired = in_child(n, fault, acknowledged, [&](Env& env) {
      auto opened = open_authority(env, store_options(home.path(), OpenIntent::write));
      const bool recorded = opened && record(**opened, "mem_second00").has_value();
      if (opened && !closes) (void)opened->release();
      return recorded;
    });
    const bool dies = fault == VfsFault::kill || fault == VfsFault::power_cut;
    // A process that died before it could answer may have committed: whole or absent, both are right.
    std::optional<bool> second = acknowledged;
    if (dies && !acknowledged) second.reset();
    expect_store(home.path(), true, second, "point " + std::to_string(n));
    if (::testing::Test::HasFailure()) return;
    if (!fired) break;
    ++points;
  }
  std::printf("points of one record: %d\n", points);
  EXPECT_GE(points, 5);
  EXPECT_LT(points, kPointsMax);
}

TEST_P(StoreCrash, RecordAtEveryPointLeavesOldOrNew) { record_at_every_point(GetParam(), true); }

TEST_P(StoreCrash, RecordThenDeathAtEveryPointLeavesOldOrNew) { record_at_every_point(GetParam(), false); }

TEST_P(StoreCrash, CreateAtEveryPointLeavesNoneOrComplete) {
  int points = 0;
  for (int n = 1; n <= kPointsMax; ++n) {
    ScratchFolder home;
    bool acknowledged = false;
    const bool fired = in_child(n, GetParam(), acknowledged, [&](Env& env) {
      auto opened = open_authority(env, store_options(home.path(), OpenIntent::create));
      return opened.has_value();
    });
    auto read = open_authority(system_env(), store_options(home.path(), OpenIntent::read));
    if (!read) {
      EXPECT_EQ(read.error().code, ErrorCode::project_incomplete) << "point " << n << ": " << read.error().message;
    }
    EXPECT_TRUE(!acknowledged || read.has_value()) << "point " << n;
    if (read) read->reset();
    auto again = open_authority(system_env(), store_options(home.path(), OpenIntent::create));
    ASSERT_TRUE(again.has_value()) << "point " << n << ": " << again.error().message;
    EXPECT_TRUE(record(**again, "mem_first000").has_value()) << "point " << n;
    if (::testing::Test::HasFailure()) return;
    if (!fired) break;
    ++points;
  }
  std::printf("points of one create: %d\n", points);
  EXPECT_GE(points, 5);
  EXPECT_LT(points, kPointsMax);
}

std::string fault_name(const ::testing::TestParamInfo<VfsFault>& info) {
  static const char* const kNames[] = {"None", "IoError", "DiskFull", "ShortWrite", "Kill", "PowerCut"};
  return kNames[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Faults, StoreCrash,
                         ::testing::Values(VfsFault::io_error, VfsFault::disk_full, VfsFault::short_write,
                                           VfsFault::kill, VfsFault::power_cut),
                         fault_name);

}  // namespace
}  // namespace pimemory
