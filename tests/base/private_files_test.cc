// What makes a path ours, and replacing a file under every failure, crash and power cut.
#include "base/private_files.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/fault_file_system.h"
#include "base/temporary_directory.h"

namespace pimemory {
namespace {

constexpr std::size_t kLimitBytes = 1'000'000;
constexpr std::uint64_t kMaxCalls = 100;
constexpr int kCrashExitCode = 137;
const std::string kOld = "the old content";
const std::string kNew = "the new content, which is longer";

class PrivateFilesTest : public testing::Test {
 protected:
  Env env_with(FileSystem& files) { return {system_clock(), system_random(), files, system_processes(), {}}; }

  std::string content_of(const std::string& path) {
    const auto file = files_.open(path, OpenMode::read);
    return file ? (*file)->read_all(kLimitBytes).value_or("unreadable") : "missing";
  }

  void write(const std::string& path, const std::string& content) {
    std::filesystem::remove(path);
    const auto file = files_.open(path, OpenMode::create_exclusive);
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->write_all(content));
  }

  std::size_t staging_files() {
    std::size_t count = 0;
    const auto names = files_.list(directory_.path());
    for (const std::string& name : *names) count += name.starts_with("file.tmp-");
    return count;
  }

  FileSystem& files_ = system_files();
  TemporaryDirectory directory_;
  std::string path_ = directory_ / "file";
};

TEST_F(PrivateFilesTest, DirectoriesAreCheckedAndTightened) {
  const std::string path = directory_ / "directory";
  ASSERT_TRUE(files_.create_directory(path));
  EXPECT_EQ(check_private_directory(files_, path, false).value(), false);
  ASSERT_TRUE(files_.set_mode(path, 0750));
  EXPECT_EQ(check_private_directory(files_, path, false).value(), true);
  EXPECT_EQ(files_.info(path)->mode, 0750u);
  EXPECT_EQ(check_private_directory(files_, path, true).value(), true);
  EXPECT_EQ(files_.info(path)->mode, 0700u);
  EXPECT_EQ(check_private_directory(files_, path, true).value(), false);

  std::filesystem::create_directory_symlink(path, directory_ / "link");
  write(path_, kOld);
  for (const std::string name : {"link", "file"}) {
    const auto checked = check_private_directory(files_, directory_ / name, true);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::unsafe_path);
    EXPECT_NE(checked.error().message.find(directory_ / name), std::string::npos);
  }
  EXPECT_EQ(check_private_directory(files_, directory_ / "missing", true).error().code, ErrorCode::io);
}

TEST_F(PrivateFilesTest, FilesAreCheckedAndTightened) {
  write(path_, kOld);
  EXPECT_EQ(check_private_file(files_, path_, false).value(), false);
  ASSERT_TRUE(files_.set_mode(path_, 0644));
  EXPECT_EQ(check_private_file(files_, path_, false).value(), true);
  EXPECT_EQ(check_private_file(files_, path_, true).value(), true);
  EXPECT_EQ(files_.info(path_)->mode, 0600u);
  ASSERT_TRUE(files_.set_mode(path_, 0400));
  EXPECT_EQ(check_private_file(files_, path_, true).value(), false);  // narrower lets nobody in

  std::filesystem::create_symlink(path_, directory_ / "link");
  std::filesystem::create_directory(directory_ / "directory");
  std::filesystem::create_hard_link(path_, directory_ / "second");
  for (const std::string name : {"link", "directory", "second", "file"}) {
    const auto checked = check_private_file(files_, directory_ / name, true);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::unsafe_path) << name;
  }
}

TEST_F(PrivateFilesTest, AnotherUsersPathsAreUnsafe) {
  if (geteuid() != 0) GTEST_SKIP() << "only the superuser can give files away";
  write(path_, kOld);
  ASSERT_EQ(chown(path_.c_str(), 12345, static_cast<gid_t>(-1)), 0);
  EXPECT_EQ(check_private_file(files_, path_, true).error().code, ErrorCode::unsafe_path);
  ASSERT_TRUE(files_.create_directory(directory_ / "directory"));
  ASSERT_EQ(chown((directory_ / "directory").c_str(), 12345, static_cast<gid_t>(-1)), 0);
  EXPECT_EQ(check_private_directory(files_, directory_ / "directory", true).error().code, ErrorCode::unsafe_path);
}

TEST_F(PrivateFilesTest, MissingDirectoriesAreMadeAndEachParentSynced) {
  FaultFileSystem recorded(files_);
  const std::string home = directory_ / "home";
  ASSERT_TRUE(make_private_directories(recorded, home, home + "/project/memory"));
  EXPECT_EQ(recorded.calls(),
            (std::vector<std::string>{"create_directory " + home, "sync_directory " + directory_.path(),
                                      "create_directory " + home + "/project", "sync_directory " + home,
                                      "create_directory " + home + "/project/memory",
                                      "sync_directory " + home + "/project"}));
  EXPECT_EQ(files_.info(home + "/project/memory")->mode, 0700u);
  recorded.fail_at(1, ErrorCode::io, FaultKind::fail_before);
  EXPECT_TRUE(make_private_directories(recorded, home, home + "/project/memory"));
  EXPECT_FALSE(recorded.fired());
}

TEST_F(PrivateFilesTest, OnlyTheRootMayBeALink) {
  std::filesystem::create_directory(directory_ / "real");
  std::filesystem::create_directory_symlink(directory_ / "real", directory_ / "home");
  ASSERT_TRUE(make_private_directories(files_, directory_ / "home", directory_ / "home/a/b"));
  EXPECT_EQ(files_.info(directory_ / "real/a/b")->type, FileType::directory);
  std::filesystem::create_directory_symlink(directory_ / "real/a", directory_ / "real/link");
  const Status linked = make_private_directories(files_, directory_ / "home", directory_ / "home/link/c");
  ASSERT_FALSE(linked);
  EXPECT_EQ(linked.error().code, ErrorCode::unsafe_path);
  EXPECT_EQ(files_.info(directory_ / "real/a/c")->type, FileType::missing);
  write(directory_ / "real/file", kOld);
  EXPECT_EQ(make_private_directories(files_, directory_ / "home", directory_ / "home/file/c").error().code,
            ErrorCode::unsafe_path);
  EXPECT_FALSE(make_private_directories(files_, directory_ / "home", directory_ / "real/d"));
}

TEST_F(PrivateFilesTest, SeveralCreatorsOfTheSameDirectoriesSucceed) {
  for (int round = 0; round < 20; ++round) {
    const std::string home = directory_ / ("home" + std::to_string(round));
    std::atomic<int> succeeded = 0;
    std::vector<std::thread> creators;
    for (int i = 0; i < 4; ++i)
      creators.emplace_back([&] { succeeded += make_private_directories(files_, home, home + "/a/b/c").has_value(); });
    for (std::thread& creator : creators) creator.join();
    EXPECT_EQ(succeeded, 4);
  }
}

TEST_F(PrivateFilesTest, ReplaceWritesSyncsRenamesAndSyncsTheDirectory) {
  FaultFileSystem recorded(files_);
  Env env = env_with(recorded);
  write(path_, kOld);
  ASSERT_EQ(replace_file(env, path_, kNew, "test").value(), true);
  EXPECT_EQ(content_of(path_), kNew);
  EXPECT_EQ(files_.info(path_)->mode, 0600u);
  EXPECT_EQ(staging_files(), 0u);
  std::vector<std::string> names;
  for (const std::string& call : recorded.calls()) names.push_back(call.substr(0, call.find(' ')));
  EXPECT_EQ(names, (std::vector<std::string>{"create", "write_all", "sync", "rename", "sync_directory"}));
}

TEST_F(PrivateFilesTest, AFailureAnywhereLeavesOldOrNewAndNoStaging) {
  for (const FaultKind kind : {FaultKind::fail_before, FaultKind::short_write}) {
    std::uint64_t n = 1;
    for (; n < kMaxCalls; ++n) {
      write(path_, kOld);
      FaultFileSystem faulty(files_);
      Env env = env_with(faulty);
      faulty.fail_at(n, ErrorCode::no_space, kind);
      const auto replaced = replace_file(env, path_, kNew, "test");
      EXPECT_EQ(staging_files(), 0u) << "call " << n;
      if (!faulty.fired()) break;
      if (replaced) {
        EXPECT_FALSE(*replaced) << "only the last sync may fail without failing all";
        EXPECT_EQ(content_of(path_), kNew);
      } else {
        EXPECT_EQ(replaced.error().code, ErrorCode::no_space);
        EXPECT_EQ(content_of(path_), kOld) << "call " << n;
      }
    }
    EXPECT_EQ(n, 6u);
    EXPECT_EQ(content_of(path_), kNew);
  }
}

TEST_F(PrivateFilesTest, AKilledReplacementLeavesOldOrNew) {
  std::uint64_t n = 1;
  for (; n < kMaxCalls; ++n) {
    write(path_, kOld);
    const pid_t child = fork();
    if (child == 0) {
      FaultFileSystem faulty(files_);
      Env env = env_with(faulty);
      faulty.fail_at(n, ErrorCode::io, FaultKind::crash);
      _exit(replace_file(env, path_, kNew, "test").value_or(false) ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(content_of(path_), n <= 4 ? kOld : kNew) << "call " << n;
    ASSERT_TRUE(remove_orphaned_staging(files_, path_));
    EXPECT_EQ(staging_files(), 0u);
    if (WEXITSTATUS(status) == 0) break;
    EXPECT_EQ(WEXITSTATUS(status), kCrashExitCode);
  }
  EXPECT_EQ(n, 6u);
}

TEST_F(PrivateFilesTest, APowerCutAnywhereLeavesOldOrNew) {
  int cuts = 0;
  for (const bool existing : {true, false})
    for (const FaultKind kind : {FaultKind::stop, FaultKind::torn_stop})
      for (const Unsynced what : {Unsynced::all, Unsynced::contents, Unsynced::names})
        for (std::uint64_t n = 1; n < kMaxCalls; ++n) {
          std::filesystem::remove(path_);
          if (existing) write(path_, kOld);
          FaultFileSystem faulty(files_);
          faulty.enable_unsynced_drop(directory_.path());
          Env env = env_with(faulty);
          faulty.fail_at(n, ErrorCode::io, kind);
          const bool durable = replace_file(env, path_, kNew, "test").value_or(false);
          ASSERT_TRUE(faulty.drop_unsynced(what));
          const std::string old = existing ? kOld : "missing";
          const std::string found = content_of(path_);
          EXPECT_TRUE(!durable || found == kNew);
          EXPECT_TRUE(found == old || found == kNew) << "call " << n << ": \"" << found << "\"";
          ASSERT_TRUE(remove_orphaned_staging(files_, path_));
          EXPECT_EQ(staging_files(), 0u);
          if (!faulty.fired()) {
            EXPECT_TRUE(durable);
            break;
          }
          ++cuts;
        }
  EXPECT_EQ(cuts, 2 * 2 * 3 * 5);
}

TEST_F(PrivateFilesTest, AStagingFileThatReadsBackOtherwiseIsNotPublished) {
  // Another descriptor's view is what counts: this file system shows it one byte short.
  class ForgetfulFiles final : public FileSystem {
   public:
    explicit ForgetfulFiles(FileSystem& base) : base_(base) {}
    Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
      auto file = base_.open(path, mode == OpenMode::read ? OpenMode::open_or_create : mode);
      if (file && mode == OpenMode::read) PIMEMORY_TRY((*file)->truncate(1));
      return file;
    }
    Result<FileInfo> info(const std::string& path) override { return base_.info(path); }
    Status create_directory(const std::string& path) override { return base_.create_directory(path); }
    Status set_mode(const std::string& path, std::uint32_t mode) override { return base_.set_mode(path, mode); }
    Status rename(const std::string& from, const std::string& to) override { return base_.rename(from, to); }
    Status unlink(const std::string& path) override { return base_.unlink(path); }
    Status sync_directory(const std::string& path) override { return base_.sync_directory(path); }
    Result<std::vector<std::string>> list(const std::string& path) override { return base_.list(path); }
    Result<std::string> real_path(const std::string& path) override { return base_.real_path(path); }
    Result<std::string> type_name(const std::string& path) override { return base_.type_name(path); }

   private:
    FileSystem& base_;
  } forgetful(files_);
  Env env = env_with(forgetful);
  write(path_, kOld);
  EXPECT_EQ(replace_file(env, path_, kNew, "test").error().code, ErrorCode::io);
  EXPECT_EQ(content_of(path_), kOld);
  EXPECT_EQ(staging_files(), 0u);
}

TEST_F(PrivateFilesTest, OnlyStagingFilesOfThePathAreOrphans) {
  const std::string digits(32, 'a');
  const std::vector<std::string> names = {"file", "file.tmp-" + digits, "file.tmp-short", "other.tmp-" + digits};
  for (const std::string& name : names) write(directory_ / name, kOld);
  ASSERT_TRUE(remove_orphaned_staging(files_, path_));
  EXPECT_EQ(*files_.list(directory_.path()),
            (std::vector<std::string>{"file", "file.tmp-short", "other.tmp-" + digits}));
}

}  // namespace
}  // namespace pimemory
