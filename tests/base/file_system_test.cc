// The POSIX file system: links refused, modes whatever the umask, locks that exclude and waits that end.
#include "base/file_system.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/temporary_directory.h"

namespace pimemory {
namespace {

constexpr std::int64_t kShortWaitMs = 50;
constexpr std::int64_t kLongWaitMs = 60'000;

class FileSystemTest : public testing::Test {
 protected:
  std::unique_ptr<File> open(const std::string& path, OpenMode mode) {
    auto file = files_.open(path, mode);
    EXPECT_TRUE(file) << (file ? "" : file.error().message);
    return file ? std::move(*file) : nullptr;
  }
  ErrorCode open_error(const std::string& path, OpenMode mode) {
    const auto file = files_.open(path, mode);
    EXPECT_FALSE(file);
    return file ? ErrorCode::internal_error : file.error().code;
  }

  FileSystem& files_ = system_files();
  TemporaryDirectory directory_;
};

class UmaskGuard {
 public:
  explicit UmaskGuard(mode_t mask) : before_(umask(mask)) {}
  ~UmaskGuard() { umask(before_); }

 private:
  mode_t before_;
};

TEST_F(FileSystemTest, LinksAreRefusedInEveryMode) {
  open(directory_ / "target", OpenMode::create_exclusive);
  std::filesystem::create_symlink(directory_ / "target", directory_ / "link");
  std::filesystem::create_symlink(directory_ / "nothing", directory_ / "dangling");
  for (const std::string name : {"link", "dangling"}) {
    EXPECT_EQ(open_error(directory_ / name, OpenMode::read), ErrorCode::unsafe_path);
    EXPECT_EQ(open_error(directory_ / name, OpenMode::open_or_create), ErrorCode::unsafe_path);
    EXPECT_EQ(open_error(directory_ / name, OpenMode::append), ErrorCode::unsafe_path);
    EXPECT_EQ(open_error(directory_ / name, OpenMode::create_exclusive), ErrorCode::io);
    EXPECT_EQ(files_.info(directory_ / name)->type, FileType::symlink);
    const Status changed = files_.set_mode(directory_ / name, 0600);
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.error().code, ErrorCode::unsafe_path);
  }
  EXPECT_EQ(files_.info(directory_ / "nothing")->type, FileType::missing);
}

TEST_F(FileSystemTest, ModesDoNotDependOnTheUmask) {
  for (const mode_t mask : {0000, 0022, 0377}) {
    const UmaskGuard guard(mask);
    const std::string suffix = std::to_string(mask);
    open(directory_ / ("exclusive" + suffix), OpenMode::create_exclusive);
    open(directory_ / ("created" + suffix), OpenMode::open_or_create);
    open(directory_ / ("appended" + suffix), OpenMode::append);
    ASSERT_TRUE(files_.create_directory(directory_ / ("directory" + suffix)));
    for (const std::string name : {"exclusive", "created", "appended"})
      EXPECT_EQ(files_.info(directory_ / (name + suffix))->mode, 0600u) << name << " under " << mask;
    EXPECT_EQ(files_.info(directory_ / ("directory" + suffix))->mode, 0700u) << mask;
  }
}

TEST_F(FileSystemTest, OpeningAnExistingFileKeepsItsMode) {
  open(directory_ / "file", OpenMode::create_exclusive);
  ASSERT_TRUE(files_.set_mode(directory_ / "file", 0644));
  open(directory_ / "file", OpenMode::open_or_create);
  open(directory_ / "file", OpenMode::append);
  EXPECT_EQ(files_.info(directory_ / "file")->mode, 0644u);
}

TEST_F(FileSystemTest, DescriptorsAreCloseOnExec) {
  const auto file = open(directory_ / "file", OpenMode::create_exclusive);
  const FileInfo wanted = *file->info();
  int found = 0;
  for (int fd = 0; fd < 256; ++fd) {
    struct stat status{};
    if (fstat(fd, &status) != 0 || status.st_ino != wanted.inode || status.st_dev != wanted.device) continue;
    ++found;
    EXPECT_NE(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_EQ(found, 1);
}

TEST_F(FileSystemTest, WritesAppendsTruncatesAndReadsUpToALimit) {
  const auto file = open(directory_ / "file", OpenMode::open_or_create);
  const std::string content(200'000, 'x');
  ASSERT_TRUE(file->write_all(content));
  ASSERT_TRUE(file->sync());
  EXPECT_EQ(*file->read_all(content.size()), content);
  const auto above = file->read_all(content.size() - 1);
  ASSERT_FALSE(above);
  EXPECT_EQ(above.error().code, ErrorCode::too_large);
  ASSERT_TRUE(file->truncate(2));
  ASSERT_TRUE(open(directory_ / "file", OpenMode::append)->write_all("end"));
  EXPECT_EQ(*open(directory_ / "file", OpenMode::read)->read_all(5), "xxend");
  EXPECT_EQ(file->info()->size, 5u);
  EXPECT_FALSE(open(directory_ / "file", OpenMode::read)->write_all("refused"));
}

TEST_F(FileSystemTest, DirectoryCallsAndTheirErrors) {
  EXPECT_EQ(open_error(directory_ / "missing", OpenMode::read), ErrorCode::io);
  ASSERT_TRUE(files_.create_directory(directory_ / "b"));
  EXPECT_EQ(files_.create_directory(directory_ / "b").error().code, ErrorCode::io);
  open(directory_ / "a", OpenMode::create_exclusive);
  EXPECT_EQ(open_error(directory_ / "a", OpenMode::create_exclusive), ErrorCode::io);
  ASSERT_TRUE(files_.rename(directory_ / "a", directory_ / "c"));
  EXPECT_EQ(*files_.list(directory_.path()), (std::vector<std::string>{"b", "c"}));
  ASSERT_TRUE(files_.unlink(directory_ / "c"));
  EXPECT_FALSE(files_.unlink(directory_ / "c"));
  EXPECT_TRUE(files_.sync_directory(directory_.path()));
  EXPECT_FALSE(files_.sync_directory(directory_ / "c"));
  EXPECT_FALSE(files_.list(directory_ / "c"));
  EXPECT_EQ(*files_.real_path(directory_ / "b/../b"), directory_ / "b");
  EXPECT_FALSE(files_.type_name(directory_.path())->empty());
}

TEST_F(FileSystemTest, AFifoIsNotWaitedFor) {
  ASSERT_EQ(mkfifo((directory_ / "fifo").c_str(), 0600), 0);
  EXPECT_TRUE(files_.open(directory_ / "fifo", OpenMode::read));  // returned at all
  EXPECT_EQ(files_.info(directory_ / "fifo")->type, FileType::other);
}

TEST_F(FileSystemTest, LocksExcludeBetweenDescriptors) {
  const std::string path = directory_ / "lock";
  auto first = open(path, OpenMode::open_or_create);
  const auto second = open(path, OpenMode::open_or_create);
  EXPECT_TRUE(*first->try_lock(LockKind::shared));
  EXPECT_TRUE(*second->try_lock(LockKind::shared));
  EXPECT_FALSE(*second->try_lock(LockKind::exclusive));
  ASSERT_TRUE(second->unlock());
  ASSERT_TRUE(first->unlock());
  EXPECT_TRUE(*first->try_lock(LockKind::exclusive));
  EXPECT_FALSE(*second->try_lock(LockKind::shared));
  first.reset();  // closing releases
  EXPECT_TRUE(*second->try_lock(LockKind::exclusive));
}

TEST_F(FileSystemTest, AWaitEndsWithoutTheLockWhenTimeIsUp) {
  const std::string path = directory_ / "lock";
  const auto holder = open(path, OpenMode::open_or_create);
  ASSERT_TRUE(*holder->lock(LockKind::exclusive, kShortWaitMs));
  const auto waiter = open(path, OpenMode::open_or_create);
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(*waiter->lock(LockKind::exclusive, i % 3));
  EXPECT_FALSE(*waiter->lock(LockKind::shared, kShortWaitMs));
  // No thread of the waits before is left that could still take the lock.
  ASSERT_TRUE(holder->unlock());
  const auto third = open(path, OpenMode::open_or_create);
  EXPECT_TRUE(*third->try_lock(LockKind::exclusive));
}

TEST_F(FileSystemTest, AWaiterGetsTheLockOnceItIsFree) {
  const std::string path = directory_ / "lock";
  auto holder = open(path, OpenMode::open_or_create);
  ASSERT_TRUE(*holder->lock(LockKind::exclusive, 0));
  std::atomic<bool> released = false;
  bool was_released = false;
  bool held = false;
  std::thread waiting([&] {
    const auto waiter = open(path, OpenMode::open_or_create);
    held = waiter->lock(LockKind::exclusive, kLongWaitMs).value_or(false);
    was_released = released;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(kShortWaitMs));
  released = true;
  holder.reset();
  waiting.join();
  EXPECT_TRUE(held);
  EXPECT_TRUE(was_released);
}

TEST_F(FileSystemTest, ManyThreadsTakeTurns) {
  constexpr int kThreads = 6, kTurns = 40;
  const std::string path = directory_ / "lock";
  open(path, OpenMode::open_or_create);
  int counter = 0;  // guarded by the file lock only
  std::atomic<int> inside = 0, overlaps = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn < kTurns; ++turn) {
        const auto file = files_.open(path, OpenMode::open_or_create);
        if (!file || !(*file)->lock(LockKind::exclusive, kLongWaitMs).value_or(false)) continue;
        if (++inside != 1) ++overlaps;
        ++counter;
        --inside;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter, kThreads * kTurns);
  EXPECT_EQ(overlaps, 0);
}

TEST_F(FileSystemTest, LocksExcludeAnotherProcessAndItsDeathFreesThem) {
  const std::string path = directory_ / "lock";
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto file = files_.open(path, OpenMode::open_or_create);
    const char answer = file && (*file)->try_lock(LockKind::exclusive).value_or(false) ? 'y' : 'n';
    if (write(ready[1], &answer, 1) == 1)
      for (;;) pause();
    _exit(1);
  }
  ASSERT_GT(child, 0);
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  const auto file = open(path, OpenMode::open_or_create);
  EXPECT_FALSE(*file->try_lock(LockKind::shared));
  EXPECT_FALSE(*file->lock(LockKind::exclusive, kShortWaitMs));
  kill(child, SIGKILL);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(*file->lock(LockKind::exclusive, kLongWaitMs));
  close(ready[0]);
  close(ready[1]);
}

}  // namespace
}  // namespace pimemory
