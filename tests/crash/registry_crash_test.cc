// Every call of the registry's replacement is failed, stopped or cut off in turn: readers find the old registry or the
// new one, and the next writer cleans up.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "base/fault_file_system.h"
#include "support/scratch.h"
#include "workspace/location.h"
#include "workspace/registry.h"

namespace pimemory {
namespace {

constexpr int kCallsMax = 50;

Env with_files(FileSystem& files) {
  Env& real = system_env();
  return Env{real.clock, real.random, files, real.processes, real.sqlite_vfs};
}

// Binds one more location under the lock. true: durable.
Result<bool> add_binding(Env& env, const std::string& home, const std::string& location) {
  PIMEMORY_ASSIGN(const std::unique_ptr<File> lock, lock_registry(env, home));
  PIMEMORY_ASSIGN(Registry registry, read_registry(env, home));
  registry.rows.push_back(
      {{location, derived_project_id(location), derived_checkout_id(location), "memory", 0}, nlohmann::json::object()});
  return write_registry(env, home, registry);
}

// Old (1 row) or new (2 rows), as `expected` says when it is known; then the next write works and leaves no staging.
void expect_whole(const std::string& home, std::size_t expected, const std::string& where) {
  auto found = read_registry(system_env(), home);
  ASSERT_TRUE(found.has_value()) << where << ": " << found.error().message;
  const std::size_t rows = found->rows.size();
  if (expected != 0) {
    EXPECT_EQ(rows, expected) << where;
  }
  EXPECT_TRUE(rows == 1 || rows == 2) << where;
  EXPECT_EQ(static_cast<std::size_t>(found->revision), rows) << where;
  auto next = add_binding(system_env(), home, "/third");
  ASSERT_TRUE(next.has_value()) << where << ": " << next.error().message;
  const auto names = system_files().list(registry_directory(home));
  ASSERT_TRUE(names.has_value()) << where;
  for (const std::string& name : *names) EXPECT_EQ(name.find(".tmp-"), std::string::npos) << where << " left " << name;
}

void run_faults(FaultKind kind, ErrorCode code) {
  int points = 0;
  for (int n = 1; n <= kCallsMax; ++n) {
    ScratchFolder home;
    ASSERT_TRUE(add_binding(system_env(), home.path(), "/first").has_value());
    FaultFileSystem files(system_files());
    Env env = with_files(files);
    files.fail_at(n, code, kind);
    const auto done = add_binding(env, home.path(), "/second");
    if (!files.fired()) break;
    ++points;
    const auto calls = files.calls();
    const std::string where = "call " + std::to_string(n) + (calls.empty() ? "" : " (" + calls.back() + ")");
    // Only the directory's sync may fail and still be a success, then without durability.
    if (done) {
      EXPECT_FALSE(*done) << where;
    } else {
      EXPECT_EQ(done.error().code, code) << where;
    }
    expect_whole(home.path(), done ? 2 : 1, where);
  }
  EXPECT_GE(points, 5) << "create, write, sync, rename and the directory's sync";
  EXPECT_LT(points, kCallsMax);
}

TEST(RegistryFault, FullDiskAtEveryCall) { run_faults(FaultKind::fail_before, ErrorCode::no_space); }
TEST(RegistryFault, ShortWriteAtEveryCall) { run_faults(FaultKind::short_write, ErrorCode::io); }
TEST(RegistryFault, StopAtEveryCall) { run_faults(FaultKind::stop, ErrorCode::io); }
TEST(RegistryFault, TornStopAtEveryCall) { run_faults(FaultKind::torn_stop, ErrorCode::io); }

TEST(RegistryFault, CrashAtEveryCall) {
  int points = 0;
  for (int n = 1; n <= kCallsMax; ++n) {
    ScratchFolder home;
    ASSERT_TRUE(add_binding(system_env(), home.path(), "/first").has_value());
    const pid_t child = fork();
    if (child == 0) {
      FaultFileSystem files(system_files());
      Env env = with_files(files);
      files.fail_at(n, ErrorCode::io, FaultKind::crash);
      _exit(add_binding(env, home.path(), "/second") ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 0) break;
    ++points;
    EXPECT_EQ(WEXITSTATUS(status), 137) << "call " << n;
    expect_whole(home.path(), 0, "call " + std::to_string(n));
  }
  EXPECT_GE(points, 5);
}

// The power goes at every call, and after the acknowledgement, whatever the file system has persisted by then.
void run_power_cut(Unsynced lost) {
  int points = 0;
  for (int n = 1; n <= kCallsMax; ++n) {
    ScratchFolder home;
    ASSERT_TRUE(add_binding(system_env(), home.path(), "/first").has_value());
    FaultFileSystem files(system_files());
    Env env = with_files(files);
    files.enable_unsynced_drop(home.path());
    files.fail_at(n, ErrorCode::io, FaultKind::stop);
    const auto done = add_binding(env, home.path(), "/second");
    const bool fired = files.fired();
    files.clear_fault();
    ASSERT_TRUE(files.drop_unsynced(lost).has_value());
    const bool durable = done && *done;
    expect_whole(home.path(), durable ? 2 : 0, "call " + std::to_string(n));
    if (!fired) {
      EXPECT_TRUE(durable) << "an undisturbed write is durable";
      break;
    }
    ++points;
  }
  EXPECT_GE(points, 4) << "create, write, rename and at least one sync";
}

TEST(RegistryPowerCut, NothingUnsyncedSurvives) { run_power_cut(Unsynced::all); }
TEST(RegistryPowerCut, NamesSurviveContentsDoNot) { run_power_cut(Unsynced::contents); }
TEST(RegistryPowerCut, ContentsSurviveNamesDoNot) { run_power_cut(Unsynced::names); }

TEST(RegistryPowerCut, TheFirstRegistryOfAHomeSurvivesItsAcknowledgement) {
  for (const Unsynced lost : {Unsynced::all, Unsynced::contents, Unsynced::names}) {
    ScratchFolder folder;
    FaultFileSystem files(system_files());
    Env env = with_files(files);
    files.enable_unsynced_drop(folder.path());
    const std::string home = folder / "new/home";
    const auto done = add_binding(env, home, "/first");
    ASSERT_TRUE(done.has_value() && *done);
    ASSERT_TRUE(files.drop_unsynced(lost).has_value());
    auto found = read_registry(system_env(), home);
    ASSERT_TRUE(found.has_value()) << found.error().message;
    EXPECT_EQ(found->rows.size(), 1u);
  }
}

}  // namespace
}  // namespace pimemory
