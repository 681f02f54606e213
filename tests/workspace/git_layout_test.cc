// Worktrees are recognised from files alone, and a file that claims a repository is not believed.
#include "workspace/git_layout.h"

#include "workspace/workspace_fixture.h"
#include "workspace/worktree_join.h"

namespace pimemory {
namespace {

class GitLayout : public WorkspaceTest {
 protected:
  FileSystem& files_ = system_files();
  static RegistryRow row(const std::string& location, const std::string& id) {
    return {{location, id, derived_checkout_id(location), "legacy", 0}, nlohmann::json::object()};
  }
};

TEST_F(GitLayout, RootIsTheNearestEntryOfAnyType) {
  const std::string outer = make_repository("r");
  make_directory("r/a/b");
  make_directory("r/sub/c");
  write_text(outer + "/sub/.git", "gitdir: ../.git/modules/sub\n");
  EXPECT_EQ(*repository_root(files_, outer + "/a/b"), outer);
  EXPECT_EQ(*repository_root(files_, outer + "/sub/c"), outer + "/sub");
  std::filesystem::create_symlink("/nowhere", outer + "/a/.git");
  EXPECT_EQ(*repository_root(files_, outer + "/a/b"), outer + "/a");
}

TEST_F(GitLayout, ReadsAbsoluteAndRelativePointers) {
  const std::string main = make_repository("r");
  const std::string tree = make_worktree("w", main + "/.git");
  auto read = read_linked_worktree(files_, tree);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->common_directory, main + "/.git");
  write_text(tree + "/.git", "gitdir: ../r/.git/worktrees/w\n");
  write_text(main + "/.git/worktrees/w/gitdir", "../../../../w/.git\n");
  ASSERT_EQ(code_of(read_linked_worktree(files_, tree)), "ok");
}

TEST_F(GitLayout, RefusesWhatDoesNotLeadBack) {
  const std::string main = make_repository("r");
  const std::string tree = make_worktree("w", main + "/.git");
  EXPECT_EQ(code_of(read_linked_worktree(files_, main)), "join_unavailable") << "a main checkout";
  EXPECT_EQ(code_of(read_linked_worktree(files_, make_directory("plain"))), "join_unavailable");

  const std::string thief = make_directory("thief");
  write_text(thief + "/.git", "gitdir: " + main + "/.git/worktrees/w\n");
  EXPECT_EQ(code_of(read_linked_worktree(files_, thief)), "join_unavailable") << "leads back to another root";

  // A checkout that brings its own git directory which names the repository.
  write_text(thief + "/.git", "gitdir: fake\n");
  write_text(thief + "/fake/commondir", main + "/.git\n");
  write_text(thief + "/fake/gitdir", thief + "/.git\n");
  EXPECT_EQ(code_of(read_linked_worktree(files_, thief)), "join_unavailable");

  const std::string sub = make_directory("r/sub");
  make_directory("r/.git/modules/sub");
  write_text(sub + "/.git", "gitdir: ../.git/modules/sub\n");
  EXPECT_EQ(code_of(read_linked_worktree(files_, sub)), "join_unavailable") << "a submodule";

  const std::string pointer = main + "/.git/worktrees/w/gitdir", copy = scratch_ / "gitdir-copy";
  std::filesystem::rename(pointer, copy);
  std::filesystem::create_symlink(copy, pointer);
  EXPECT_EQ(code_of(read_linked_worktree(files_, tree)), "join_unavailable") << "a link in the git directory";
}

TEST_F(GitLayout, JoinTakesTheMainWorktree) {
  const std::string main = make_repository("r");
  const std::string tree = make_worktree("w", main + "/.git"), other = make_worktree("v", main + "/.git");
  Registry registry;
  registry.rows = {row(other, "p_other")};
  EXPECT_EQ(code_of(find_join_target(files_, registry, tree)), "join_unavailable") << "the main worktree is not bound";
  registry.rows.push_back(row(main, "p_main"));
  auto found = find_join_target(files_, registry, tree);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->project_id, "p_main");
  EXPECT_EQ(found->location, main);
}

TEST_F(GitLayout, JoinFollowsASeparateGitDirectory) {
  make_directory("store/worktrees");
  const std::string main = make_directory("r");
  write_text(main + "/.git", "gitdir: ../store\n");
  const std::string tree = make_worktree("w", scratch_ / "store");
  Registry registry;
  registry.rows = {row(main, "p_main")};
  auto found = find_join_target(files_, registry, tree);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->project_id, "p_main");
}

TEST_F(GitLayout, JoinInABareRepositoryNeedsOneProject) {
  const std::string bare = make_directory("bare.git");
  write_text(bare + "/config", "[core]\n\trepositoryformatversion = 0\n\tbare = true ; no main worktree\n");
  const std::string tree = make_worktree("w", bare), one = make_worktree("v", bare), two = make_worktree("u", bare);
  Registry registry;
  EXPECT_EQ(code_of(find_join_target(files_, registry, tree)), "join_unavailable");
  registry.rows = {row(one, "p_one"), row(two, "p_one")};
  auto found = find_join_target(files_, registry, tree);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->project_id, "p_one");
  registry.rows[1].binding.project_id = "p_two";
  EXPECT_EQ(code_of(find_join_target(files_, registry, tree)), "join_unavailable") << "several projects";
}

}  // namespace
}  // namespace pimemory
