// The fault layer itself: it counts, fails and forgets exactly what its header says, else crash tests prove nothing.
#include "base/fault_file_system.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/temporary_directory.h"

namespace pimemory {
namespace {

constexpr std::size_t kLimitBytes = 1'000'000;

class FaultFileSystemTest : public testing::Test {
 protected:
  FaultFileSystemTest() { faulty_.enable_unsynced_drop(directory_.path()); }

  std::string content_of(const std::string& name) {
    const auto file = system_files().open(directory_ / name, OpenMode::read);
    return file ? (*file)->read_all(kLimitBytes).value_or("unreadable") : "missing";
  }
  std::unique_ptr<File> open(const std::string& name, OpenMode mode = OpenMode::open_or_create) {
    auto file = faulty_.open(directory_ / name, mode);
    EXPECT_TRUE(file);
    return file ? std::move(*file) : nullptr;
  }
  void put(const std::string& name, const std::string& content, bool sync) {
    const auto file = open(name);
    EXPECT_TRUE(file->truncate(0));
    EXPECT_TRUE(file->write_all(content));
    EXPECT_TRUE(!sync || file->sync());
  }
  bool move(const std::string& from, const std::string& to) {
    return faulty_.rename(directory_ / from, directory_ / to).has_value();
  }
  bool sync_directory(const std::string& name = "") {
    return faulty_.sync_directory(name.empty() ? directory_.path() : directory_ / name).has_value();
  }
  void make_durable() { EXPECT_TRUE(sync_directory()); }

  TemporaryDirectory directory_;
  FaultFileSystem faulty_{system_files()};
};

TEST_F(FaultFileSystemTest, CountsMutatingCallsOnly) {
  ASSERT_TRUE(faulty_.create_directory(directory_ / "d"));
  put("d/file", "content", true);
  open("d/file", OpenMode::read);
  open("d/file", OpenMode::append);  // exists, so nothing is made
  ASSERT_TRUE(faulty_.set_mode(directory_ / "d/file", 0600));
  ASSERT_TRUE(faulty_.list(directory_ / "d"));
  ASSERT_TRUE(move("d/file", "moved"));
  ASSERT_TRUE(faulty_.unlink(directory_ / "moved"));
  ASSERT_TRUE(sync_directory("d"));
  const std::string d = directory_ / "d";
  EXPECT_EQ(faulty_.calls(),
            (std::vector<std::string>{"create_directory " + d, "create " + d + "/file", "truncate " + d + "/file",
                                      "write_all " + d + "/file", "sync " + d + "/file", "set_mode " + d + "/file",
                                      "rename " + d + "/file " + (directory_ / "moved"),
                                      "unlink " + (directory_ / "moved"), "sync_directory " + d}));
}

TEST_F(FaultFileSystemTest, FailsOneCallAndGoesOn) {
  const auto file = open("file");
  faulty_.fail_at(2, ErrorCode::no_space, FaultKind::fail_before);
  EXPECT_TRUE(file->write_all("a"));
  EXPECT_FALSE(faulty_.fired());
  const Status failed = file->write_all("b");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::no_space);
  EXPECT_TRUE(faulty_.fired());
  EXPECT_TRUE(file->write_all("c"));
  EXPECT_EQ(content_of("file"), "ac");
}

TEST_F(FaultFileSystemTest, AShortWriteLeavesTheFirstHalf) {
  const auto file = open("file");
  faulty_.fail_at(1, ErrorCode::io, FaultKind::short_write);
  EXPECT_FALSE(file->write_all("abcdef"));
  EXPECT_EQ(content_of("file"), "abc");
  faulty_.fail_at(1, ErrorCode::io, FaultKind::short_write);
  EXPECT_FALSE(file->truncate(0));
  EXPECT_EQ(content_of("file"), "abc");
}

TEST_F(FaultFileSystemTest, AStopEndsEveryCallAfterIt) {
  const auto file = open("file");
  faulty_.fail_at(1, ErrorCode::io, FaultKind::torn_stop);
  EXPECT_FALSE(file->write_all("abcd"));
  EXPECT_FALSE(file->write_all("ef"));
  EXPECT_FALSE(move("file", "moved"));
  EXPECT_FALSE(sync_directory());
  EXPECT_EQ(content_of("file"), "ab");
  faulty_.clear_fault();
  EXPECT_TRUE(file->write_all("gh"));
  EXPECT_EQ(content_of("file"), "abgh");
}

TEST_F(FaultFileSystemTest, ACrashExits) {
  EXPECT_EXIT(
      {
        faulty_.fail_at(2, ErrorCode::io, FaultKind::crash);
        const auto file = open("file");
        (void)file->write_all("never written");
      },
      testing::ExitedWithCode(137), "");
  EXPECT_EQ(content_of("file"), "");
}

TEST_F(FaultFileSystemTest, UnsyncedContentFallsBackToTheLastSync) {
  put("file", "first", true);
  make_durable();
  const auto file = open("file", OpenMode::append);
  ASSERT_TRUE(file->write_all(" second"));
  ASSERT_TRUE(file->sync());
  ASSERT_TRUE(file->write_all(" third"));
  ASSERT_TRUE(file->truncate(3));
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(content_of("file"), "first second");
}

TEST_F(FaultFileSystemTest, AFailedSyncMakesNothingDurable) {
  const auto file = open("file");
  make_durable();
  ASSERT_TRUE(file->write_all("lost"));
  faulty_.fail_at(1, ErrorCode::io, FaultKind::fail_before);
  EXPECT_FALSE(file->sync());
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(content_of("file"), "");
}

TEST_F(FaultFileSystemTest, AMissingFileSyncLeavesAnEmptyRenamedFile) {
  put("file", "old", true);
  make_durable();
  put("staging", "new", false);
  ASSERT_TRUE(move("staging", "file"));
  ASSERT_TRUE(sync_directory());
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(content_of("file"), "");
  EXPECT_EQ(content_of("staging"), "missing");
}

TEST_F(FaultFileSystemTest, AMissingDirectorySyncTakesTheRenameBack) {
  put("file", "old", true);
  make_durable();
  put("staging", "new", true);
  ASSERT_TRUE(move("staging", "file"));
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(content_of("file"), "old");
  EXPECT_EQ(content_of("staging"), "missing");
  EXPECT_EQ(system_files().info(directory_ / "file")->mode, 0600u);
}

TEST_F(FaultFileSystemTest, NamesAndContentsCanBeLostAlone) {
  for (const Unsynced what : {Unsynced::contents, Unsynced::names}) {
    put("file", "old", true);
    make_durable();
    put("staging", "new", false);
    ASSERT_TRUE(move("staging", "file"));
    ASSERT_TRUE(faulty_.drop_unsynced(what));
    EXPECT_EQ(content_of("file"), what == Unsynced::contents ? "" : "old");
    EXPECT_EQ(content_of("staging"), "missing");
  }
}

TEST_F(FaultFileSystemTest, AnUnsyncedUnlinkGivesTheDurableContentBack) {
  put("file", "synced", true);
  make_durable();
  put("file", "unsynced", false);
  ASSERT_TRUE(faulty_.unlink(directory_ / "file"));
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(content_of("file"), "synced");
  ASSERT_TRUE(faulty_.unlink(directory_ / "file"));
  ASSERT_TRUE(sync_directory());
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(content_of("file"), "missing");
}

TEST_F(FaultFileSystemTest, AnUnsyncedDirectoryGoesWithAllInside) {
  ASSERT_TRUE(faulty_.create_directory(directory_ / "d"));
  put("d/file", "content", true);
  ASSERT_TRUE(sync_directory("d"));
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(system_files().info(directory_ / "d")->type, FileType::missing);
}

TEST_F(FaultFileSystemTest, ARenameBetweenDirectoriesNeedsBothSyncs) {
  for (const std::string a : {"a", "b"}) ASSERT_TRUE(faulty_.create_directory(directory_ / a));
  put("a/file", "content", true);
  make_durable();
  ASSERT_TRUE(sync_directory("a"));
  ASSERT_TRUE(move("a/file", "b/file"));
  ASSERT_TRUE(sync_directory("b"));
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(content_of("a/file"), "content");
  ASSERT_TRUE(move("a/file", "b/file"));
  ASSERT_TRUE(sync_directory("b"));
  ASSERT_TRUE(sync_directory("a"));
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(content_of("b/file"), "content");
}

TEST_F(FaultFileSystemTest, ARenamedDirectoryTakesItsUnsyncedPartsWithIt) {
  ASSERT_TRUE(faulty_.create_directory(directory_ / "d"));
  make_durable();
  put("d/kept", "kept", true);
  ASSERT_TRUE(sync_directory("d"));
  const auto file = open("d/kept", OpenMode::append);
  ASSERT_TRUE(move("d", "e"));
  ASSERT_TRUE(sync_directory());
  ASSERT_TRUE(file->write_all(" unsynced"));
  put("e/new", "new", true);
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(content_of("e/kept"), "kept");
  EXPECT_EQ(content_of("e/new"), "missing");

  put("e/new", "new", true);
  ASSERT_TRUE(move("e", "f"));  // neither the file's name nor the directory's is synced
  ASSERT_TRUE(faulty_.drop_unsynced());
  EXPECT_EQ(*system_files().list(directory_.path()), std::vector<std::string>{"e"});
  EXPECT_EQ(*system_files().list(directory_ / "e"), std::vector<std::string>{"kept"});
}

}  // namespace
}  // namespace pimemory
