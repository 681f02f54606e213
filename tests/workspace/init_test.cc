// Initialisation against real stores: one binding and one database, whoever comes at the same time or dies on the way.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#include <thread>

#include "support/payloads.h"
#include "workspace/path_guard.h"
#include "workspace/project_discovery.h"
#include "workspace/workspace_fixture.h"

namespace pimemory {
namespace {

constexpr int kConcurrentInits = 8;

class Init : public WorkspaceTest {
 protected:
  WorkspaceStatus status(const std::string& directory) {
    auto read = Workspace(system_env(), home_).status(directory);
    EXPECT_TRUE(read.has_value()) << read.error().message;
    return read ? *read : WorkspaceStatus{};
  }
  std::string open_code(const std::string& directory) {
    return code_of(Workspace(system_env(), home_).open(directory, "test", OpenIntent::write));
  }
  // Puts a file that another program wrote in place of the database.
  void write_foreign_store(const std::string& project_id) {
    write_text(database_of(project_id), "another program's file");
    write_text(home_ + "/" + project_id + "/memory/notes/extra.txt", "kept");
  }
};

TEST_F(Init, CreatesOnceThenReports) {
  const std::string checkout = make_repository("proyectos/año");
  make_directory("proyectos/año/a/b");
  auto first = init(checkout + "/a/b");
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_TRUE(first->created);
  EXPECT_FALSE(first->repaired);
  EXPECT_TRUE(first->durable);
  EXPECT_EQ(first->revision, 1);
  EXPECT_EQ(first->binding.location, checkout) << "the repository's root is bound";
  EXPECT_EQ(first->binding.project_id, derived_project_id(checkout));
  EXPECT_EQ(first->legacy.state, "none");
  EXPECT_EQ(mode_of(home_ + "/" + first->binding.project_id), 0700u);
  EXPECT_EQ(mode_of(database_of(first->binding.project_id)), 0600u);
  auto second = init(checkout);
  ASSERT_TRUE(second.has_value()) << second.error().message;
  EXPECT_FALSE(second->created);
  EXPECT_EQ(second->revision, 1);
  EXPECT_EQ(open_code(checkout + "/a"), "ok");
  EXPECT_EQ(status(checkout + "/a").state, "ready");
}

TEST_F(Init, LookingCreatesNothing) {
  const std::string checkout = make_repository("r");
  const WorkspaceStatus found = status(checkout);
  EXPECT_EQ(found.state, "unbound");
  EXPECT_FALSE(found.initialized);
  EXPECT_EQ(open_code(checkout), "project_not_initialized");
  EXPECT_EQ(Workspace(system_env(), home_).find_binding(checkout)->has_value(), false);
  EXPECT_TRUE(discover_projects(system_env(), home_)->with_database.empty());
  EXPECT_EQ(code_of(init(scratch_ / "missing")), "location_invalid");
  InitOptions join;
  join.join = true;
  EXPECT_EQ(code_of(init(checkout, join)), "join_unavailable");
  EXPECT_FALSE(std::filesystem::exists(home_));
}

TEST_F(Init, LookupStopsAtTheRepository) {
  const std::string outer = make_repository("r");
  for (const char* name : {"r/a/b", "r/sub/x", "n/x"}) make_directory(name);
  write_text(outer + "/sub/.git", "gitdir: ../.git/modules/sub\n");
  const std::string tree = make_worktree("r/tree", outer + "/.git");
  ASSERT_EQ(code_of(init(outer)), "ok");
  ASSERT_EQ(code_of(init(scratch_ / "n")), "ok");
  Workspace workspace(system_env(), home_);
  const auto bound = [&](const std::string& directory) {
    auto binding = workspace.find_binding(directory);
    return binding && *binding ? (*binding)->location : "none";
  };
  EXPECT_EQ(bound(outer + "/a/b"), outer);
  EXPECT_EQ(bound(outer + "/sub"), "none");
  EXPECT_EQ(bound(outer + "/sub/x"), "none");
  EXPECT_EQ(bound(tree), "none");
  EXPECT_EQ(bound(scratch_ / "n"), scratch_ / "n");
  EXPECT_EQ(bound(scratch_ / "n/x"), "none");
  InitOptions inner;
  inner.path = "a";
  ASSERT_EQ(code_of(init(outer, inner)), "ok");
  EXPECT_EQ(bound(outer + "/a/b"), outer + "/a");
}

TEST_F(Init, ConcurrentProcessesCreateOne) {
  const std::string checkout = make_repository("r");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::vector<pid_t> children;
  for (int i = 0; i < kConcurrentInits; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      auto result = init(checkout);
      const char answer = !result ? 'e' : result->created ? 'c' : 'b';
      if (!result) std::cerr << error_code_name(result.error().code) << ": " << result.error().message << "\n";
      _exit(write(ends[1], &answer, 1) == 1 ? 0 : 9);
    }
    children.push_back(child);
  }
  close(ends[1]);
  std::string answers;
  for (char answer = 0; read(ends[0], &answer, 1) == 1;) answers += answer;
  close(ends[0]);
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  EXPECT_EQ(std::count(answers.begin(), answers.end(), 'c'), 1) << answers;
  EXPECT_EQ(std::count(answers.begin(), answers.end(), 'b'), kConcurrentInits - 1) << answers;
  EXPECT_EQ(registry().rows.size(), 1u);
  EXPECT_EQ(registry().revision, 1);
}

TEST_F(Init, ConcurrentThreadsCreateOne) {
  const std::string checkout = make_repository("r");
  std::atomic<int> created = 0, bound = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kConcurrentInits; ++i)
    threads.emplace_back([&] {
      if (auto result = init(checkout)) ++(result->created ? created : bound);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(created, 1);
  EXPECT_EQ(bound, kConcurrentInits - 1);
  EXPECT_EQ(registry().rows.size(), 1u);
}

TEST_F(Init, KilledWhilePreparing) {
  const std::string checkout = make_repository("r");
  constexpr int kKills = 30;
  for (int round = 0; round < kKills; ++round) {
    std::filesystem::remove_all(home_);
    const pid_t child = fork();
    if (child == 0) _exit(init(checkout) ? 0 : 1);
    std::this_thread::sleep_for(std::chrono::microseconds(700 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    ASSERT_LE(registry().rows.size(), 1u);
    if (!registry().rows.empty()) {
      EXPECT_EQ(open_code(checkout), "ok") << "a binding is complete";
    }
    auto next = init(checkout);
    ASSERT_TRUE(next.has_value()) << "round " << round << ": " << next.error().message;
    EXPECT_EQ(open_code(checkout), "ok");
    for (const auto& entry : std::filesystem::directory_iterator(registry_directory(home_)))
      EXPECT_FALSE(next->created && entry.path().string().find(".tmp-") != std::string::npos) << entry.path();
  }
}

TEST_F(Init, FailedPreparationLeavesNoBinding) {
  const std::string checkout = make_repository("r"), id = derived_project_id(checkout);
  OpenOptions another = {home_, "p_another", "test", OpenIntent::create, Layout::automatic};
  ASSERT_EQ(code_of(open_authority(system_env(), another)), "ok");
  std::filesystem::rename(home_ + "/p_another", home_ + "/" + id);
  EXPECT_EQ(code_of(init(checkout)), "owner_mismatch");
  EXPECT_TRUE(registry().rows.empty());
  InitOptions set_aside;
  set_aside.set_aside = true;
  auto refused = init(checkout, set_aside);
  ASSERT_EQ(code_of(refused), "invalid");
  EXPECT_NE(refused.error().message.find("owner_mismatch"), std::string::npos) << refused.error().message;
  EXPECT_TRUE(std::filesystem::exists(database_of(id)));
}

TEST_F(Init, MissingDatabaseIsIncompleteUntilRepaired) {
  const std::string checkout = make_repository("r"), id = derived_project_id(checkout);
  ASSERT_EQ(code_of(init(checkout)), "ok");
  std::filesystem::remove_all(home_ + "/" + id + "/memory");
  const WorkspaceStatus found = status(checkout);
  EXPECT_EQ(found.state, "incomplete");
  EXPECT_TRUE(found.initialized);
  EXPECT_FALSE(found.ready);
  EXPECT_EQ(open_code(checkout), "project_incomplete");
  EXPECT_EQ(discover_projects(system_env(), home_)->incomplete, std::vector<std::string>{id});
  EXPECT_FALSE(std::filesystem::exists(home_ + "/" + id + "/memory")) << "nothing was created";
  auto repaired = init(checkout);
  ASSERT_TRUE(repaired.has_value()) << repaired.error().message;
  EXPECT_TRUE(repaired->repaired);
  EXPECT_FALSE(repaired->created);
  EXPECT_EQ(open_code(checkout), "ok");

  std::filesystem::remove(database_of(id));
  write_text(home_ + "/" + id + "/memory/events/20260301/w.jsonl", "{}\n");
  EXPECT_EQ(code_of(init(checkout)), "project_incomplete") << "a journal needs rebuild";
}

TEST_F(Init, CorruptRegistryIsAStateAndStays) {
  const std::string checkout = make_repository("r");
  write_text(registry_path(home_), "{}");
  EXPECT_EQ(status(checkout).state, "error");
  EXPECT_EQ(status(checkout).fault->code, ErrorCode::registry_corrupt);
  EXPECT_EQ(code_of(init(checkout)), "registry_corrupt");
  EXPECT_EQ(code_of(discover_projects(system_env(), home_)), "registry_corrupt");
  EXPECT_EQ(read_text(registry_path(home_)), "{}");
}

TEST_F(Init, SetAsideMovesAForeignStoreUntouched) {
  const std::string checkout = make_repository("r"), id = derived_project_id(checkout);
  write_foreign_store(id);
  const auto before = all_files(home_ + "/" + id + "/memory");
  EXPECT_EQ(code_of(init(checkout)), "foreign_store");
  EXPECT_TRUE(registry().rows.empty());
  EXPECT_EQ(all_files(home_ + "/" + id + "/memory"), before) << "a refused init writes nothing there";
  InitOptions set_aside;
  set_aside.set_aside = true;
  auto done = init(checkout, set_aside);
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_TRUE(done->created);
  ASSERT_TRUE(done->set_aside.has_value());
  EXPECT_TRUE(done->set_aside->starts_with(home_ + "/" + id + "/memory.foreign-2")) << *done->set_aside;
  EXPECT_EQ(done->set_aside->size(), (home_ + "/" + id + "/memory.foreign-20260301T000000Z").size());
  EXPECT_EQ(all_files(*done->set_aside), before);
  EXPECT_EQ(open_code(checkout), "ok");
}

TEST_F(Init, SetAsideRefusesWhatIsNotForeign) {
  const std::string checkout = make_repository("r"), id = derived_project_id(checkout);
  const std::string memory = home_ + "/" + id + "/memory";
  InitOptions set_aside;
  set_aside.set_aside = true;
  EXPECT_EQ(code_of(init(checkout, set_aside)), "invalid") << "no store";
  ASSERT_EQ(code_of(init(checkout)), "ok");
  EXPECT_EQ(code_of(init(checkout, set_aside)), "invalid") << "a healthy one";
  std::filesystem::resize_file(database_of(id), 4096);
  EXPECT_EQ(code_of(init(checkout, set_aside)), "invalid") << "a damaged one";
  EXPECT_TRUE(std::filesystem::exists(database_of(id)));
  std::filesystem::rename(memory, scratch_ / "moved");
  std::filesystem::create_directory_symlink(scratch_ / "moved", memory);
  EXPECT_EQ(code_of(init(checkout, set_aside)), "unsafe_path") << "a link";
  EXPECT_EQ(open_code(checkout), "unsafe_path");
  EXPECT_TRUE(std::filesystem::is_symlink(memory));
}

TEST_F(Init, KilledAfterSetAsidePlainInitGoesOn) {
  const std::string checkout = make_repository("r"), id = derived_project_id(checkout);
  write_foreign_store(id);
  std::filesystem::rename(home_ + "/" + id + "/memory", home_ + "/" + id + "/memory.foreign-20260301T000000Z");
  auto done = init(checkout);
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_TRUE(done->created);
}

TEST_F(Init, AdoptsAVerifiedLegacyIdentity) {
  const std::string checkout = make_repository("r");
  write_legacy(checkout, "p_earlier");
  write_index(checkout, "p_earlier");
  EXPECT_EQ(status(checkout).legacy.state, "available");
  InitOptions no_legacy;
  no_legacy.no_legacy = true;
  ScratchFolder other_home;
  auto derived = Workspace(system_env(), other_home.path()).init(checkout, {});
  ASSERT_TRUE(derived.has_value()) << derived.error().message;
  EXPECT_EQ(derived->binding.source, "memory") << "the index of another home proves nothing";
  EXPECT_EQ(derived->legacy.state, "unverified");
  auto adopted = init(checkout);
  ASSERT_TRUE(adopted.has_value()) << adopted.error().message;
  EXPECT_EQ(adopted->binding.source, "legacy");
  EXPECT_EQ(adopted->binding.project_id, "p_earlier");
  EXPECT_EQ(adopted->legacy.state, "adopted");
  EXPECT_EQ(discover_projects(system_env(), home_)->with_database, std::vector<std::string>{"p_earlier"});
}

TEST_F(Init, SkippingLegacyDerivesTheId) {
  const std::string checkout = make_repository("r");
  write_legacy(checkout, "p_earlier");
  write_index(checkout, "p_earlier");
  InitOptions no_legacy;
  no_legacy.no_legacy = true;
  auto done = init(checkout, no_legacy);
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_EQ(done->binding.source, "memory");
  EXPECT_EQ(done->legacy.state, "skipped");
}

TEST_F(Init, DerivedIdOfAnotherLocationCollides) {
  const std::string checkout = make_repository("r"), id = derived_project_id(checkout);
  write_index(scratch_ / "elsewhere", id);
  EXPECT_EQ(code_of(init(checkout)), "identity_collision");
  std::filesystem::remove_all(home_);
  Registry registry;
  const std::string holder = scratch_ / "holder";
  registry.rows.push_back({{holder, id, derived_checkout_id(holder), "moved", 0}, nlohmann::json::object()});
  {
    auto lock = lock_registry(system_env(), home_);
    ASSERT_EQ(code_of(write_registry(system_env(), home_, registry)), "ok");
  }
  EXPECT_EQ(code_of(init(checkout)), "identity_collision");
  EXPECT_FALSE(std::filesystem::exists(home_ + "/" + id));
}

TEST_F(Init, JoinedWorktreeSharesTheMemory) {
  const std::string main = make_repository("r"), tree = make_worktree("w", main + "/.git");
  make_directory("w/deep");
  InitOptions join;
  join.join = true;
  ASSERT_EQ(code_of(init(main)), "ok");
  EXPECT_EQ(status(tree).joinable, main);
  const std::string before = read_text(registry_path(home_));
  EXPECT_EQ(code_of(init(main, join)), "join_unavailable");
  EXPECT_EQ(read_text(registry_path(home_)), before);

  auto joined = init(tree + "/deep", join);
  ASSERT_TRUE(joined.has_value()) << joined.error().message;
  EXPECT_TRUE(joined->created);
  EXPECT_EQ(joined->binding.location, tree);
  EXPECT_EQ(joined->binding.source, "joined");
  EXPECT_EQ(joined->binding.project_id, derived_project_id(main));
  EXPECT_EQ(init(tree, join)->created, false);
  EXPECT_EQ(status(tree).joinable, std::nullopt);
  EXPECT_EQ(discover_projects(system_env(), home_)->with_database.size(), 1u) << "one project in a cycle";

  Workspace workspace(system_env(), home_);
  {
    auto authority = workspace.open(main, "test", OpenIntent::write);
    ASSERT_TRUE(authority.has_value()) << authority.error().message;
    auto fact = make_fact("mem_shared0000", "The build uses ninja", 1'780'000'000'000);
    fact.scope_id = derived_project_id(main);
    auto done = (*authority)->transaction(1'780'000'000'000, Repeatable::no, [&](Draft& draft) -> Status {
      fact.recorded_at = draft.recorded_at();
      PIMEMORY_TRY(draft.append(fact_payload(fact)));
      return {};
    });
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  auto seen = workspace.open(tree, "test", OpenIntent::read);
  ASSERT_TRUE(seen.has_value()) << seen.error().message;
  EXPECT_TRUE((*(*seen)->snapshot())->domain().fact("mem_shared0000").has_value());

  // Forgetting the main worktree leaves the joined one, and the main one finds its memory again.
  Registry content = registry();
  std::erase_if(content.rows, [&](const RegistryRow& row) { return row.binding.location == main; });
  ASSERT_EQ(code_of(write_registry(system_env(), home_, content)), "ok");
  EXPECT_EQ(open_code(tree), "ok");
  auto again = init(main);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->binding.project_id, derived_project_id(main));
}

TEST_F(Init, PlainInitBindsAWorktreeOnItsOwn) {
  const std::string main = make_repository("r"), tree = make_worktree("w", main + "/.git");
  ASSERT_EQ(code_of(init(main)), "ok");
  auto own = init(tree);
  ASSERT_TRUE(own.has_value()) << own.error().message;
  EXPECT_EQ(own->binding.project_id, derived_project_id(tree));
  EXPECT_EQ(own->joinable, main);
  InitOptions join;
  join.join = true;
  auto refused = init(tree, join);
  ASSERT_EQ(code_of(refused), "join_unavailable");
  EXPECT_NE(refused.error().hint.find("the memory that it has"), std::string::npos);
  EXPECT_EQ(registry().revision, 2);
}

TEST_F(Init, GuardsKeepPathsInsideTheProject) {
  FileSystem& files = system_files();
  const std::string project = make_directory("home/p_a"), outside = make_directory("outside");
  EXPECT_EQ(code_of(guard_project_path(files, project, project + "/models/new")), "ok");
  EXPECT_EQ(code_of(guard_project_path(files, project, project + "/../p_b")), "unsafe_path");
  EXPECT_EQ(code_of(guard_project_path(files, project, home_ + "/p_ab")), "unsafe_path");
  std::filesystem::create_directory_symlink(outside, project + "/models");
  auto escaping = guard_project_path(files, project, project + "/models/new");
  ASSERT_EQ(code_of(escaping), "unsafe_path");
  EXPECT_NE(escaping.error().message.find("outside the project authority"), std::string::npos);

  const std::string database = database_of("p_a");
  EXPECT_EQ(code_of(guard_exclusive_database(files, home_, "p_a", database)), "ok");
  EXPECT_EQ(code_of(guard_exclusive_database(files, home_, "p_a", database + "2")), "unsafe_path");
  std::filesystem::create_directory_symlink(outside, project + "/memory");
  auto linked = guard_exclusive_database(files, home_, "p_a", database);
  ASSERT_EQ(code_of(linked), "unsafe_path");
  EXPECT_NE(linked.error().message.find("not this project's exclusive database"), std::string::npos);
}

TEST_F(Init, HomeMayBeALinkButNothingInIt) {
  const std::string checkout = make_repository("r");
  std::filesystem::create_directory_symlink(make_directory("real-home"), home_);
  auto done = init(checkout);
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_EQ(open_code(checkout), "ok");
  const std::string project = home_ + "/" + derived_project_id(checkout);
  std::filesystem::rename(project, scratch_ / "moved");
  std::filesystem::create_directory_symlink(scratch_ / "moved", project);
  EXPECT_EQ(open_code(checkout), "unsafe_path");
}

TEST(Home, PrecedenceAndEmptyValues) {
  for (const char* name : {"PI_MEMORY_HOME", "PRJCT_HOME"}) unsetenv(name);
  const std::string user = getenv("HOME") ? getenv("HOME") : "";
  setenv("HOME", "/users/me", 1);
  EXPECT_EQ(*resolve_home(std::nullopt), "/users/me/.prjct");
  setenv("PRJCT_HOME", "/second/", 1);
  EXPECT_EQ(*resolve_home(std::nullopt), "/second");
  setenv("PI_MEMORY_HOME", "", 1);
  EXPECT_EQ(*resolve_home(""), "/second");
  setenv("PI_MEMORY_HOME", "/first/./x", 1);
  EXPECT_EQ(*resolve_home(std::nullopt), "/first/x");
  EXPECT_EQ(*resolve_home("/given"), "/given");
  EXPECT_TRUE(resolve_home("relative")->starts_with('/'));
  for (const char* name : {"PI_MEMORY_HOME", "PRJCT_HOME"}) unsetenv(name);
  setenv("HOME", user.c_str(), 1);
}

}  // namespace
}  // namespace pimemory
