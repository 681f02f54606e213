// The real program on real disks that are full or read-only: one line with the remedy, and the store as it was.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "cli/cli_process.h"

namespace pimemory {
namespace {

// A disk of its own in a mount namespace of its own; every test runs in its own process.
class RealDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    disk_ = scene_.checkout() + "-disk";
    std::filesystem::create_directory(disk_);
    const bool mounted = unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         mount("tmpfs", disk_.c_str(), "tmpfs", 0, "size=600k") == 0;
    if (!mounted) GTEST_SKIP() << "a disk of its own needs the right to mount: " << std::strerror(errno);
    ASSERT_EQ(run({"init"}).exit_code, 0);
    ASSERT_EQ(run({"record", "Orders live in PostgreSQL", "--kind", "decision"}).exit_code, 0);
  }
  void TearDown() override { umount2(disk_.c_str(), MNT_DETACH); }

  CliResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--json", "--home", disk_ + "/home"});
    return scene_.run(arguments);
  }
  std::size_t facts() const { return run({"list"}).json()["items"].size(); }

  CliScene scene_;
  std::string disk_;
};

TEST_F(RealDisk, FullDiskRecordsNothingAndSaysSo) {
  std::ofstream fill(disk_ + "/fill", std::ios::binary);
  const std::string block(1024, 'x');
  while (fill.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
  }
  fill.close();
  const CliResult refused = run({"record", "Orders live in MariaDB", "--kind", "decision"});
  EXPECT_EQ(refused.exit_code, 1) << refused.out << refused.err;
  EXPECT_EQ(refused.json()["error"]["code"], "no_space") << refused.out;
  std::filesystem::remove(disk_ + "/fill");
  EXPECT_EQ(facts(), 1u);
  EXPECT_EQ(run({"record", "Orders live in MariaDB", "--kind", "decision"}).exit_code, 0);
  EXPECT_EQ(facts(), 2u);
}

TEST_F(RealDisk, ReadOnlyDiskRecordsNothingAndSaysSo) {
  ASSERT_EQ(mount("tmpfs", disk_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=600k"), 0);
  const CliResult refused = run({"record", "Orders live in MariaDB", "--kind", "decision"});
  EXPECT_EQ(refused.exit_code, 1) << refused.out << refused.err;
  EXPECT_EQ(refused.json()["error"]["code"], "io") << refused.out;
  ASSERT_EQ(mount("tmpfs", disk_.c_str(), "tmpfs", MS_REMOUNT, "size=600k"), 0);
  EXPECT_EQ(facts(), 1u);
}

}  // namespace
}  // namespace pimemory
