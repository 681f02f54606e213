// The compact authority: opening by the table of the specification, the swap's outcomes, capacity, and time.
#include "storage/compact_authority.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "storage/reducer.h"
#include "support/payloads.h"
#include "support/scratch.h"

namespace pimemory {
namespace {

namespace fs = std::filesystem;
constexpr TimeMs kNow = 1'780'000'000'000;

std::set<std::string> listing(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) names.insert(entry.path().string());
  return names;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string database(const std::string& home) { return authority_root(home, kTestProject) + "/memory.sqlite"; }

void run_sql(const std::string& path, const char* sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

Status record(Authority& authority, const std::string& id, const std::string& statement, TimeMs now = kNow) {
  auto committed = authority.transaction(now, Repeatable::yes, [&](Draft& draft) -> Status {
    PIMEMORY_TRY(draft.append(fact_payload(make_fact(id, statement, draft.recorded_at()))));
    return {};
  });
  if (!committed) return std::unexpected(committed.error());
  return {};
}

class CompactAuthorityTest : public ::testing::Test {
 protected:
  std::unique_ptr<Authority> open(OpenIntent intent) {
    auto opened = open_authority(system_env(), store_options(home_.path(), intent));
    EXPECT_TRUE(opened.has_value()) << (opened ? "" : opened.error().message);
    return opened ? std::move(*opened) : nullptr;
  }
  ErrorCode refusal(OpenIntent intent, Layout layout = Layout::automatic) {
    OpenOptions options = store_options(home_.path(), intent);
    options.layout = layout;
    auto opened = open_authority(system_env(), options);
    EXPECT_FALSE(opened.has_value());
    return opened ? ErrorCode::cancelled : opened.error().code;
  }
  ScratchFolder home_;
};

TEST_F(CompactAuthorityTest, CreatesRevisionZeroWithPrivateModesAndNothingElse) {
  const mode_t before = umask(0);
  auto authority = open(OpenIntent::create);
  umask(before);
  ASSERT_TRUE(authority);
  EXPECT_EQ((*authority->snapshot())->numbers().revision, 0);
  authority.reset();
  std::set<std::string> files;
  for (const auto& entry : fs::directory_iterator(authority_root(home_.path(), kTestProject))) {
    files.insert(entry.path().filename());
    EXPECT_EQ(fs::status(entry).permissions(), fs::perms(0600)) << entry.path();
  }
  EXPECT_EQ(files, (std::set<std::string>{"memory.sqlite", "storage.lock", "write.lock"}));
  EXPECT_EQ(fs::status(authority_root(home_.path(), kTestProject)).permissions(), fs::perms(0700));

  auto connection = SqliteConnection::open(database(home_.path()), SqliteOpen::existing, "");
  ASSERT_TRUE(connection.has_value());
  EXPECT_EQ((*connection)->integer("PRAGMA application_id"), kApplicationId);
  EXPECT_EQ((*connection)->integer("PRAGMA user_version"), 1);
  EXPECT_EQ((*connection)->integer("PRAGMA page_size"), 4096);
  EXPECT_EQ((*connection)->integer("PRAGMA auto_vacuum"), 1);
  EXPECT_EQ((*connection)->integer("SELECT count(*) FROM sqlite_schema"), 1);
}

TEST_F(CompactAuthorityTest, ReadAndWriteCreateNothing) {
  EXPECT_EQ(refusal(OpenIntent::read), ErrorCode::project_incomplete);
  EXPECT_EQ(refusal(OpenIntent::write), ErrorCode::project_incomplete);
  EXPECT_TRUE(listing(home_.path()).empty());
}

TEST_F(CompactAuthorityTest, JournalWithoutDatabaseNeedsRebuild) {
  fs::create_directories(authority_root(home_.path(), kTestProject) + "/events/20260101");
  for (const std::string& folder :
       {kTestProject + std::string("/memory/events"), kTestProject + std::string("/memory"), std::string(kTestProject)})
    fs::permissions(home_ / folder, fs::perms(0700));
  std::ofstream(authority_root(home_.path(), kTestProject) + "/events/20260101/writer_0123456789abcdef.jsonl")
      << "{}\n";
  const auto before = listing(home_.path());
  auto opened = open_authority(system_env(), store_options(home_.path(), OpenIntent::create));
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, ErrorCode::project_incomplete);
  EXPECT_NE(opened.error().hint.find("rebuild"), std::string::npos);
  EXPECT_EQ(listing(home_.path()), before);
}

TEST_F(CompactAuthorityTest, ForeignWalStoreStaysByteForByte) {
  fs::create_directories(authority_root(home_.path(), kTestProject));
  fs::permissions(home_ / kTestProject, fs::perms(0700));
  fs::permissions(authority_root(home_.path(), kTestProject), fs::perms(0700));
  run_sql(database(home_.path()), "PRAGMA journal_mode=WAL; CREATE TABLE other(x); INSERT INTO other VALUES(1)");
  fs::permissions(database(home_.path()), fs::perms(0644));
  const std::string before = bytes_of(database(home_.path()));
  const auto names = listing(home_.path());
  for (const OpenIntent intent : {OpenIntent::read, OpenIntent::write, OpenIntent::create})
    EXPECT_EQ(refusal(intent), ErrorCode::foreign_store);
  EXPECT_EQ(bytes_of(database(home_.path())), before);
  EXPECT_EQ(listing(home_.path()), names);
  EXPECT_EQ(fs::status(database(home_.path())).permissions(), fs::perms(0644));
}

TEST_F(CompactAuthorityTest, TextFileInPlaceIsForeign) {
  open(OpenIntent::create).reset();
  std::ofstream(database(home_.path()), std::ios::trunc) << std::string(5000, 'x');
  EXPECT_EQ(refusal(OpenIntent::write), ErrorCode::foreign_store);
}

TEST_F(CompactAuthorityTest, LinksAreUnsafe) {
  open(OpenIntent::create).reset();
  const std::string other = home_ / "copy";
  fs::create_hard_link(database(home_.path()), other);
  EXPECT_EQ(refusal(OpenIntent::read), ErrorCode::unsafe_path);
  fs::remove(other);
  fs::rename(database(home_.path()), other);
  fs::create_symlink(other, database(home_.path()));
  EXPECT_EQ(refusal(OpenIntent::read), ErrorCode::unsafe_path);
  fs::remove(database(home_.path()));
  fs::rename(authority_root(home_.path(), kTestProject), home_ / "moved");
  fs::create_directory_symlink(home_ / "moved", authority_root(home_.path(), kTestProject));
  EXPECT_EQ(refusal(OpenIntent::read), ErrorCode::unsafe_path);
}

TEST_F(CompactAuthorityTest, EveryAlteredColumnIsRefused) {
  auto authority = open(OpenIntent::create);
  ASSERT_TRUE(record(*authority, "mem_aaaaaaaa", "Use one row"));
  authority.reset();
  const std::string good = bytes_of(database(home_.path()));
  const std::pair<const char*, ErrorCode> alterations[] = {
      {"UPDATE authority SET owner='p_other'", ErrorCode::owner_mismatch},
      {"UPDATE authority SET format=2", ErrorCode::unsupported_version},
      {"UPDATE authority SET mode=7", ErrorCode::unsupported_version},
      {"UPDATE authority SET mode=1", ErrorCode::corrupt},
      {"UPDATE authority SET revision=9", ErrorCode::corrupt},
      {"UPDATE authority SET revision=-1", ErrorCode::corrupt},
      {"UPDATE authority SET index_revision=0", ErrorCode::corrupt},
      {"UPDATE authority SET state=substr(state,1,30)||x'00'||substr(state,32)", ErrorCode::corrupt},
      {"UPDATE authority SET state=x''", ErrorCode::corrupt},
      {"DELETE FROM authority", ErrorCode::corrupt},
      {"DROP TABLE authority", ErrorCode::corrupt},
      {"PRAGMA user_version=2", ErrorCode::unsupported_version},
      {"PRAGMA application_id=5", ErrorCode::foreign_store},
  };
  for (const auto& [sql, code] : alterations) {
    run_sql(database(home_.path()), sql);
    EXPECT_EQ(refusal(OpenIntent::write), code) << sql;
    for (const char* side : {"-wal", "-shm"}) fs::remove(database(home_.path()) + side);
    std::ofstream(database(home_.path()), std::ios::binary | std::ios::trunc) << good;
  }
  EXPECT_TRUE(open(OpenIntent::write));
}

TEST_F(CompactAuthorityTest, SwapCommitsOnceAndThenIsStale) {
  open(OpenIntent::create).reset();
  auto first = open(OpenIntent::write), second = open(OpenIntent::write);
  const std::string state = *encode_compact_state(CompactState{});
  auto* one = static_cast<CompactAuthority*>(first.get());
  auto* two = static_cast<CompactAuthority*>(second.get());
  EXPECT_EQ(one->swap(0, 1, state), SwapOutcome::committed);
  EXPECT_EQ(two->swap(0, 1, state), SwapOutcome::stale);
  EXPECT_EQ((*second->snapshot())->numbers().revision, 1);
}

TEST_F(CompactAuthorityTest, ForeignWriteLockMakesTheSwapBusy) {
  auto authority = open(OpenIntent::create);
  auto other = SqliteConnection::open(database(home_.path()), SqliteOpen::existing, "");
  ASSERT_TRUE((*other)->execute("BEGIN IMMEDIATE").has_value());
  auto* compact = static_cast<CompactAuthority*>(authority.get());
  EXPECT_EQ(compact->swap(0, 0, *encode_compact_state(CompactState{})), SwapOutcome::busy);
  EXPECT_TRUE(open(OpenIntent::read)) << "an open succeeds under another's write transaction";
  auto written = record(*authority, "mem_aaaaaaaa", "Never recorded");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, ErrorCode::busy);
  ASSERT_TRUE((*other)->execute("ROLLBACK").has_value());
  EXPECT_TRUE(record(*authority, "mem_aaaaaaaa", "Recorded now").has_value());
}

TEST_F(CompactAuthorityTest, PinnedReaderAllowsOneMoreCommit) {
  auto authority = open(OpenIntent::create);
  ASSERT_TRUE(record(*authority, "mem_aaaaaaaa", "First").has_value());
  auto reader = SqliteConnection::open(database(home_.path()), SqliteOpen::existing, "");
  ASSERT_TRUE((*reader)->execute("BEGIN").has_value());
  EXPECT_EQ((*reader)->integer("SELECT revision FROM authority"), 1);
  EXPECT_TRUE(record(*authority, "mem_bbbbbbbb", "Second").has_value()) << "one more commit";
  auto refused = record(*authority, "mem_cccccccc", "Third");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::busy);
  EXPECT_EQ((*reader)->integer("SELECT revision FROM authority"), 1) << "its view is unchanged";
  ASSERT_TRUE((*reader)->execute("ROLLBACK").has_value());
  EXPECT_TRUE(record(*authority, "mem_cccccccc", "Third").has_value());
}

TEST_F(CompactAuthorityTest, CapacityIsRefusedBeforeTheRowIsTouched) {
  auto authority = open(OpenIntent::create);
  SeededRandom random(7);
  ErrorCode code = ErrorCode::cancelled;
  std::int64_t committed = 0;
  for (int i = 0; i < 64; ++i) {
    std::string bytes(4000, '\0');
    random.fill({reinterpret_cast<unsigned char*>(bytes.data()), bytes.size()});
    const std::string text = to_hex({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
    auto done = authority->transaction(kNow, Repeatable::yes, [&](Draft& draft) -> Status {
      PIMEMORY_TRY(draft.append(document_payload("file" + std::to_string(i), text, kNow)));
      return {};
    });
    if (!done) {
      code = done.error().code;
      break;
    }
    committed = done->revision;
    EXPECT_LT(fs::file_size(database(home_.path())), 393'216u);
  }
  EXPECT_EQ(code, ErrorCode::capacity);
  EXPECT_GT(committed, 0);
  authority.reset();
  auto again = open(OpenIntent::read);
  EXPECT_EQ((*again->snapshot())->numbers().revision, committed);
  EXPECT_LE(fs::file_size(database(home_.path())), 163'840u);
}

TEST_F(CompactAuthorityTest, NoOpAndNestedFailureLeaveNoTrace) {
  auto authority = open(OpenIntent::create);
  auto idle = authority->transaction(kNow, Repeatable::yes, [](Draft&) -> Status { return {}; });
  ASSERT_TRUE(idle.has_value());
  EXPECT_FALSE(idle->changed);
  auto mixed = authority->transaction(kNow, Repeatable::yes, [](Draft& draft) -> Status {
    PIMEMORY_TRY(draft.append(fact_payload(make_fact("mem_outer000", "Outer", kNow))));
    auto nested = draft.nested([](Draft& inner) -> Status {
      PIMEMORY_TRY(inner.append(fact_payload(make_fact("mem_inner000", "Inner", kNow))));
      EXPECT_TRUE(inner.domain().fact("mem_inner000"));
      return fail(ErrorCode::invalid, "caught by the outer body");
    });
    EXPECT_FALSE(nested.has_value());
    return {};
  });
  ASSERT_TRUE(mixed.has_value());
  EXPECT_EQ(mixed->events, 1);
  auto snapshot = *authority->snapshot();
  EXPECT_TRUE(snapshot->domain().fact("mem_outer000"));
  EXPECT_FALSE(snapshot->domain().fact("mem_inner000"));
  EXPECT_EQ(snapshot->numbers().revision, 1);
}

TEST_F(CompactAuthorityTest, CountersMoveRevisionAlone) {
  auto authority = open(OpenIntent::create);
  ASSERT_TRUE(record(*authority, "mem_aaaaaaaa", "A fact").has_value());
  auto counted =
      authority->transaction(kNow, Repeatable::yes, [](Draft& draft) { return draft.count_activity(1, 100, 0); });
  ASSERT_TRUE(counted.has_value());
  auto numbers = (*authority->snapshot())->numbers();
  EXPECT_EQ(numbers.revision, 2);
  EXPECT_EQ(numbers.index_revision, 1);
}

TEST_F(CompactAuthorityTest, CallsBackIntoTheStoreAreRefusedInsideATransaction) {
  auto authority = open(OpenIntent::create);
  auto done = authority->transaction(kNow, Repeatable::yes, [&](Draft&) -> Status {
    EXPECT_EQ(authority->checkpoint_wal().error().code, ErrorCode::inside_transaction);
    EXPECT_EQ(authority->snapshot().error().code, ErrorCode::inside_transaction);
    return {};
  });
  EXPECT_TRUE(done.has_value());
}

TEST_F(CompactAuthorityTest, SupersessionTakesEffectAtTheReplacementsInstant) {
  auto authority = open(OpenIntent::create);
  const TimeMs later = kNow + 86'400'000;
  ASSERT_TRUE(record(*authority, "mem_old00000", "Deploy on Fridays").has_value());
  auto done = authority->transaction(kNow + 1, Repeatable::yes, [&](Draft& draft) -> Status {
    TemporalFact fact = make_fact("mem_new00000", "Never deploy on Fridays", draft.recorded_at());
    fact.valid_at = later;
    fact.supersedes = {"mem_old00000"};
    PIMEMORY_TRY(draft.append(fact_payload(fact)));
    return {};
  });
  ASSERT_TRUE(done.has_value()) << done.error().message;
  auto snapshot = *authority->snapshot();
  const FactRow old = *snapshot->domain().fact("mem_old00000");
  EXPECT_EQ(old.invalid_at, later);
  EXPECT_EQ(old.expired_at, kNow + 1);
  EXPECT_TRUE(old.valid_during(later - 1));
  EXPECT_FALSE(old.valid_during(later));
  EXPECT_EQ(effective_standing(old, later - 1), "needs_review");
  EXPECT_EQ(effective_standing(old, later), "superseded");
  EXPECT_EQ(snapshot->domain().document(document_key("memory", "mem_old00000"))->valid_to, later);
}

TEST_F(CompactAuthorityTest, ClockSetBackTakesANewWriterAndVerifies) {
  auto authority = open(OpenIntent::create);
  ASSERT_TRUE(record(*authority, "mem_aaaaaaaa", "First", kNow).has_value());
  ASSERT_TRUE(record(*authority, "mem_bbbbbbbb", "Ten seconds back", kNow - 10'000).has_value());
  ASSERT_TRUE(record(*authority, "mem_cccccccc", "A year back", kNow - 31'536'000'000).has_value());
  std::vector<MemoryEvent> events;
  (void)(*authority->snapshot())->each_event([&](const MemoryEvent& event) {
    events.push_back(event);
    return true;
  });
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].recorded_at, kNow);
  EXPECT_EQ(events[1].writer_id, events[0].writer_id);
  EXPECT_NE(events[2].writer_id, events[0].writer_id);
  EXPECT_EQ(events[2].sequence, 1);
  EXPECT_EQ(events[2].position, 3);
  authority.reset();
  auto report = open(OpenIntent::read)->verify();
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->findings.empty()) << report->findings.front();
  EXPECT_EQ(report->events, 3);
}

TEST_F(CompactAuthorityTest, AForeignTriggerOrTableIsRefused) {
  open(OpenIntent::create).reset();
  const std::string good = bytes_of(database(home_.path()));
  for (const char* sql :
       {"CREATE TRIGGER t AFTER UPDATE ON authority BEGIN DELETE FROM authority; END", "CREATE TABLE other(x)",
        "ALTER TABLE authority ADD COLUMN more", "PRAGMA journal_mode=DELETE"}) {
    run_sql(database(home_.path()), sql);
    EXPECT_EQ(refusal(OpenIntent::write), ErrorCode::corrupt) << sql;
    for (const char* side : {"-wal", "-shm"}) fs::remove(database(home_.path()) + side);
    std::ofstream(database(home_.path()), std::ios::binary | std::ios::trunc) << good;
  }
  EXPECT_TRUE(open(OpenIntent::write));
}

TEST_F(CompactAuthorityTest, ATruncatedStoreOfOursIsCorruptNotForeign) {
  open(OpenIntent::create).reset();
  fs::resize_file(database(home_.path()), 4096);
  EXPECT_EQ(refusal(OpenIntent::write), ErrorCode::corrupt);
  fs::resize_file(database(home_.path()), 50);
  EXPECT_EQ(refusal(OpenIntent::write), ErrorCode::foreign_store);
}

TEST_F(CompactAuthorityTest, LinkedSideAndLockFilesAreUnsafe) {
  open(OpenIntent::create).reset();
  const std::string root = authority_root(home_.path(), kTestProject);
  std::ofstream(home_ / "elsewhere") << "";
  fs::permissions(home_ / "elsewhere", fs::perms(0600));
  for (const char* name : {"memory.sqlite-wal", "memory.sqlite-shm", "storage.lock", "write.lock"}) {
    fs::remove(root + "/" + name);
    fs::create_symlink(home_ / "elsewhere", root + "/" + name);
    EXPECT_EQ(refusal(OpenIntent::write), ErrorCode::unsafe_path) << name;
    fs::remove(root + "/" + name);
    fs::create_hard_link(home_ / "elsewhere", root + "/" + name);
    EXPECT_EQ(refusal(OpenIntent::write), ErrorCode::unsafe_path) << name;
    fs::remove(root + "/" + name);
    fs::create_directory(root + "/" + name);
    EXPECT_EQ(refusal(OpenIntent::write), ErrorCode::unsafe_path) << name;
    fs::remove(root + "/" + name);
  }
  EXPECT_TRUE(open(OpenIntent::write));
}

TEST_F(CompactAuthorityTest, ADeletedDatabaseLeavesNothingToReplay) {
  auto authority = open(OpenIntent::create);
  ASSERT_TRUE(record(*authority, "mem_aaaaaaaa", "Gone with its database").has_value());
  fs::remove(database(home_.path()));
  EXPECT_EQ(refusal(OpenIntent::create), ErrorCode::storage_in_use) << "a handle is still open on the deleted file";
  authority.reset();
  std::ofstream(database(home_.path()) + "-wal") << std::string(10'000, 'w');
  fs::permissions(database(home_.path()) + "-wal", fs::perms(0600));
  auto again = open(OpenIntent::create);
  ASSERT_TRUE(again);
  EXPECT_FALSE((*again->snapshot())->domain().fact("mem_aaaaaaaa"));
  EXPECT_TRUE(record(*again, "mem_bbbbbbbb", "A new start").has_value());
}

TEST_F(CompactAuthorityTest, AnUnlistableJournalIsNoEmptyJournal) {
  const std::string root = authority_root(home_.path(), kTestProject);
  fs::create_directories(root);
  for (const std::string& folder : {home_ / kTestProject, root}) fs::permissions(folder, fs::perms(0700));
  fs::create_directory_symlink(home_.path(), root + "/events");
  EXPECT_EQ(refusal(OpenIntent::create), ErrorCode::unsafe_path);
}

TEST_F(CompactAuthorityTest, SessionIdsThatHistoryRefusesAreRefusedFirst) {
  for (const std::string& id : {std::string(), std::string("  "), std::string(513, 's'), std::string("a\0b", 3),
                                std::string("\xff"), std::string("ghp_0123456789abcdefABCDEF0123456789abcd")}) {
    OpenOptions options = store_options(home_.path(), OpenIntent::create);
    options.session_id = id;
    EXPECT_FALSE(open_authority(system_env(), options).has_value()) << id.size();
  }
  EXPECT_TRUE(listing(home_.path()).empty());
}

TEST_F(CompactAuthorityTest, ACounterOutOfRangeIsRefused) {
  auto authority = open(OpenIntent::create);
  const auto count = [&](std::int64_t tokens) {
    return authority
        ->transaction(kNow, Repeatable::yes, [&](Draft& draft) { return draft.count_activity(0, tokens, 0); })
        .has_value();
  };
  EXPECT_TRUE(count(kSafeIntegerMax));
  EXPECT_FALSE(count(1));
  EXPECT_FALSE(count(-1));
  authority.reset();
  EXPECT_TRUE(open(OpenIntent::write));
}

TEST_F(CompactAuthorityTest, OpensSucceedWhileOthersCommitAndClose) {
  open(OpenIntent::create).reset();
  std::vector<pid_t> writers;
  for (int writer = 0; writer < 2; ++writer) {
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 60; ++i) {
        auto opened = open_authority(system_env(), store_options(home_.path(), OpenIntent::write));
        if (!opened) _exit(1);
        const std::string id = "mem_w" + std::to_string(writer) + "n" + std::to_string(10'000 + i);
        if (!record(**opened, id, "A statement that makes the file grow a little " + id, system_clock().now()))
          _exit(2);
      }
      _exit(0);
    }
    writers.push_back(child);
  }
  int refused = 0, opened = 0;
  for (int round = 0; round < 500; ++round) {
    auto one = open_authority(system_env(), store_options(home_.path(), OpenIntent::read));
    ++(one ? opened : refused);
    if (!one) ADD_FAILURE() << error_code_name(one.error().code) << ": " << one.error().message;
  }
  for (const pid_t writer : writers) {
    int status = 0;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(opened, 500);
  EXPECT_EQ(refused, 0);
}

TEST_F(CompactAuthorityTest, OlderLinkedSqliteIsRefused) {
  EXPECT_TRUE(check_linked_sqlite().has_value());
  EXPECT_FALSE(check_sqlite_version(3'051'002).has_value());
  EXPECT_FALSE(check_sqlite_version(3'040'001).has_value());
}

TEST_F(CompactAuthorityTest, FourCreatorsMakeOneStore) {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      auto opened = open_authority(system_env(), store_options(home_.path(), OpenIntent::create));
      _exit(opened && (*(*opened)->snapshot())->numbers().revision == 0 ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (const auto& entry : fs::directory_iterator(authority_root(home_.path(), kTestProject)))
    EXPECT_EQ(entry.path().filename().string().find("new-"), std::string::npos);
}

// A write waits two seconds for its turn; sanitized code is so slow that sixteen writers would pass that bound, so
// those builds run a fraction, and the release build all of it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kQueuedProcesses = 4;
#else
constexpr int kQueuedProcesses = 16;
#endif

TEST_F(CompactAuthorityTest, SixteenProcessesRecordTenFactsEach) {
  open(OpenIntent::create).reset();
  std::vector<pid_t> children;
  for (int process = 0; process < kQueuedProcesses; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      auto opened = open_authority(system_env(), store_options(home_.path(), OpenIntent::write));
      int refused = opened ? 0 : 1;
      for (int i = 0; opened && i < 10; ++i)
        if (!record(**opened, "mem_p" + std::to_string(100 + process) + "f" + std::to_string(1000 + i), "A fact",
                    system_clock().now()))
          ++refused;
      _exit(refused);
    }
    children.push_back(child);
  }
  int refused = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    refused += WIFEXITED(status) ? WEXITSTATUS(status) : 100;
  }
  EXPECT_EQ(refused, 0);
  auto snapshot = *open(OpenIntent::read)->snapshot();
  int facts = 0;
  snapshot->domain().each_fact([&](const FactRow&) { return ++facts > 0; });
  EXPECT_EQ(facts, kQueuedProcesses * 10);
  std::printf("%d of 16 processes\n", kQueuedProcesses);
}

}  // namespace
}  // namespace pimemory
