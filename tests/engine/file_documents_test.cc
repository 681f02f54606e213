// Files and folders as documents: the ignore rules, what is left out and told, and pruning.
#include "engine/file_documents.h"

#include <filesystem>
#include <fstream>

#include "engine/engine_fixture.h"
#include "engine/ignore_rules.h"

namespace pimemory {
namespace {

namespace fs = std::filesystem;

// The real file system, except that one folder cannot be listed.
class UnreadableFolder final : public FileSystem {
 public:
  std::string folder;
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    return system_files().open(path, mode);
  }
  Result<FileInfo> info(const std::string& path) override { return system_files().info(path); }
  Status create_directory(const std::string& path) override { return system_files().create_directory(path); }
  Status set_mode(const std::string& path, std::uint32_t mode) override { return system_files().set_mode(path, mode); }
  Status rename(const std::string& from, const std::string& to) override { return system_files().rename(from, to); }
  Status unlink(const std::string& path) override { return system_files().unlink(path); }
  Status sync_directory(const std::string& path) override { return system_files().sync_directory(path); }
  Result<std::vector<std::string>> list(const std::string& path) override {
    if (path == folder) return fail(ErrorCode::io, "permission denied");
    return system_files().list(path);
  }
  Result<std::string> real_path(const std::string& path) override { return system_files().real_path(path); }
  Result<std::string> type_name(const std::string& path) override { return system_files().type_name(path); }
};

class FileDocumentsTest : public EngineTest {
 protected:
  void write(const std::string& name, const std::string& text) {
    const fs::path path = checkout_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  IndexResult walk(bool prune = false, const std::string& folder = ".") {
    auto result = index_folder(*engine_, (fs::path(checkout_.path()) / folder).string(), checkout_.path(), prune);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return result.value_or(IndexResult{});
  }
  ScratchFolder checkout_;
};

TEST_F(FileDocumentsTest, LeavesOutAndCountsPerReason) {
  write("a.md", "# A\n\ntext");
  write("sub/b.txt", "text");
  write("data.json", "{\"no\": \"document\"}");
  write(".gitignore", "*.log\nbuild/\n!keep.log\n");
  write("x.log", "text");
  write("keep.log", "text");
  write("build/c.md", "text");
  write("sub/.gitignore", "private.md\n");
  write("sub/private.md", "text");
  write("private.md", "text");
  write(".git/info/exclude", "excluded.md\n");
  write("excluded.md", "text");
  write(".ignore", "other.md\n");
  write("other.md", "text");
  write("blank.md", " \n");
  write("large.md", std::string(1'000'001, 'x'));
  write("binary.bin", std::string("a\0b", 3));
  write("latin.txt", "caf\xE9");
  fs::create_symlink("a.md", checkout_ / "link.md");
  const IndexResult result = walk();
  EXPECT_EQ(result.documents, 5);  // a.md, data.json, keep.log, private.md, sub/b.txt
  EXPECT_EQ(result.skipped,
            (std::map<std::string, std::int64_t>{
                {"hidden", 4}, {"ignored", 5}, {"link", 1}, {"blank", 1}, {"too_large", 1}, {"not_text", 2}}));
  EXPECT_EQ(result.skipped_paths.at("not_text"), (std::vector<std::string>{"binary.bin", "latin.txt"}));
  EXPECT_FALSE(result.skipped_paths.contains("ignored"));
}

TEST_F(FileDocumentsTest, KeepsInStepWithTheFolder) {
  for (const char* name : {"a.md", "b.md", "sub/c.md"}) write(name, std::string("text of ") + name);
  EXPECT_EQ(walk().documents, 3);
  EXPECT_EQ(walk().documents, 0);
  EXPECT_EQ(events(), 3);
  write("b.md", "changed");
  EXPECT_EQ(walk().documents, 1);
  EXPECT_EQ(events(), 4);
  fs::remove(checkout_ / "a.md");
  write(".gitignore", "b.md\n");
  IndexResult result = walk();
  EXPECT_EQ(result.skipped["vanished"], 1);
  EXPECT_EQ(result.skipped["unlisted"], 1);
  EXPECT_EQ(result.removed, 0);
  result = walk(true);
  EXPECT_EQ(result.removed, 1);
  EXPECT_EQ(result.skipped["vanished"], 0);
  EXPECT_EQ(result.skipped["unlisted"], 1);
  EXPECT_EQ(walk(true).removed, 0);
}

TEST_F(FileDocumentsTest, PruningAFolderLeavesItsNeighboursAlone) {
  write("sub/a.md", "text");
  write("subway/b.md", "text");
  walk();
  fs::remove_all(checkout_ / "subway");
  fs::remove(checkout_ / "sub/a.md");
  EXPECT_EQ(walk(true, "sub").removed, 1);
  EXPECT_EQ(walk(true).removed, 1);
}

TEST_F(FileDocumentsTest, AnUnreadableFolderIsAGapAndStopsPruning) {
  for (const char* name : {"a.md", "b.md", "sub/c.md"}) write(name, std::string("text of ") + name);
  walk();
  fs::remove(checkout_ / "a.md");
  UnreadableFolder files;
  files.folder = checkout_ / "sub";
  Env blocked{clock_, system_random(), files, system_processes(), ""};
  MemoryEngine engine(blocked, std::move(*open_authority(blocked, store_options(home_.path(), OpenIntent::create))));
  const auto result = index_folder(engine, checkout_.path(), checkout_.path(), true);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_TRUE(has_gap(result->gaps, "directory_unavailable"));
  EXPECT_EQ(result->removed, 0);
  EXPECT_EQ(result->skipped.at("vanished"), 1);
}

TEST_F(FileDocumentsTest, AnAdaptersFileIsOwned) {
  write("a.md", "text");
  SourceDocument owned = document("a.md", "from the adapter");
  owned.sync = SyncOrigin{"notes", std::string(64, 'a')};
  ASSERT_TRUE(engine_->index(owned).has_value());
  const IndexResult result = walk(true);
  EXPECT_EQ(result.documents, 0);
  EXPECT_EQ(result.skipped.at("owned"), 1);
  EXPECT_EQ(result.removed, 0);
}

TEST_F(FileDocumentsTest, ReadsSingleFiles) {
  write("docs/a.md", "intro\n\n# The title\n\ntext");
  auto documents = read_documents(env_, checkout_ / "docs/a.md", checkout_.path(), engine_->owner());
  ASSERT_TRUE(documents.has_value()) << documents.error().message;
  EXPECT_EQ(documents->at(0).external_id, "docs/a.md");
  EXPECT_EQ(documents->at(0).title, "The title");
  documents = read_documents(env_, checkout_ / "docs/a.md", home_.path(), engine_->owner());
  EXPECT_EQ(documents->at(0).external_id, checkout_ / "docs/a.md");
  write("two.jsonl", "{\"externalId\":\"1\",\"text\":\"one\"}\n\n{\"externalId\":\"2\",\"text\":\"two\"}\n");
  documents = read_documents(env_, checkout_ / "two.jsonl", checkout_.path(), engine_->owner());
  ASSERT_TRUE(documents.has_value()) << documents.error().message;
  EXPECT_EQ(engine_->index_all(*documents)->documents, 2);
  write("one.json", "{\"externalId\":\"1\",\"text\":\"one\",\"trust\":\"user\"}");
  EXPECT_EQ(code_of(read_documents(env_, checkout_ / "one.json", checkout_.path(), engine_->owner())),
            ErrorCode::invalid);
}

bool ignored(const std::string& rules, const std::string& path, bool is_folder = false) {
  IgnoreRules tree;
  tree.push_folder("", rules, "");
  return tree.is_ignored(path, is_folder);
}

TEST(IgnoreRulesTest, FollowsGitignorePatterns) {
  EXPECT_TRUE(ignored("*.o", "a/b/c.o"));
  EXPECT_FALSE(ignored("/*.o", "a/c.o"));
  EXPECT_TRUE(ignored("/*.o", "c.o"));
  EXPECT_TRUE(ignored("a/*.o", "a/c.o"));
  EXPECT_FALSE(ignored("a/*.o", "a/b/c.o"));
  EXPECT_TRUE(ignored("**/foo", "a/b/foo"));
  EXPECT_TRUE(ignored("**/foo", "foo"));
  EXPECT_TRUE(ignored("a/**", "a/b"));
  EXPECT_FALSE(ignored("a/**", "a", true));
  EXPECT_TRUE(ignored("a/**/b", "a/b"));
  EXPECT_TRUE(ignored("a/**/b", "a/x/y/b"));
  EXPECT_FALSE(ignored("dir/", "dir"));
  EXPECT_TRUE(ignored("dir/", "x/dir", true));
  EXPECT_FALSE(ignored("*\n!keep", "keep"));
  EXPECT_FALSE(ignored("# note", "# note"));
  EXPECT_TRUE(ignored("\\#note\r\n", "#note"));
  EXPECT_TRUE(ignored("name   ", "name"));
  EXPECT_TRUE(ignored("name\\ ", "name "));
  EXPECT_TRUE(ignored("[a-c]?[!x].t", "b_y.t"));
  EXPECT_FALSE(ignored("[a-c]?[!x].t", "b_x.t"));
  EXPECT_TRUE(ignored("v[[:digit:]]", "v7"));
}

}  // namespace
}  // namespace pimemory
