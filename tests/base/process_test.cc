// Children over pipes: lines both ways, bounded waits, a death that is an error and not a signal to us.
#include "base/process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace pimemory {
namespace {

constexpr int kLongWaitMs = 60'000;
constexpr int kShortWaitMs = 30;

std::unique_ptr<ChildProcess> shell(const std::string& script) {
  auto child = system_processes().start("/bin/sh", {"-c", script});
  EXPECT_TRUE(child) << (child ? "" : child.error().message);
  return child ? std::move(*child) : nullptr;
}

TEST(ProcessTest, LinesGoBothWays) {
  const auto child = shell("while read -r line; do echo \"got $line\"; echo second; done");
  for (const std::string line : {"one", "", "three four"}) {
    ASSERT_TRUE(child->write_line(line));
    EXPECT_EQ(*child->read_line(kLongWaitMs), "got " + line);
    EXPECT_EQ(*child->read_line(kLongWaitMs), "second");
  }
}

TEST(ProcessTest, LongLinesArriveWhole) {
  const auto child = shell("read -r line; echo \"$line\"");
  const std::string line(30'000, 'z');
  ASSERT_TRUE(child->write_line(line));
  EXPECT_EQ(*child->read_line(kLongWaitMs), line);
}

TEST(ProcessTest, ASilentChildIsAnErrorAndCanAnswerLater) {
  const auto child = shell("read -r line; echo late");
  EXPECT_EQ(child->read_line(kShortWaitMs).error().code, ErrorCode::io);
  EXPECT_EQ(child->read_line(0).error().code, ErrorCode::io);
  ASSERT_TRUE(child->write_line("go"));
  EXPECT_EQ(*child->read_line(kLongWaitMs), "late");
}

TEST(ProcessTest, AnEndedChildIsAnErrorEvenAfterHalfALine) {
  const auto child = shell("echo whole; printf half");
  EXPECT_EQ(*child->read_line(kLongWaitMs), "whole");
  const auto half = child->read_line(kLongWaitMs);
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().code, ErrorCode::io);
}

TEST(ProcessTest, WritingToADeadChildIsAnError) {
  const auto child = shell("exec <&-; echo closed; exec sleep 60");
  EXPECT_EQ(*child->read_line(kLongWaitMs), "closed");
  const Status written = child->write_line("nobody reads this");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::io);
}

TEST(ProcessTest, TheDestructorKillsAndReaps) {
  auto child = shell("echo $$; exec sleep 600");
  const pid_t pid = std::stoi(*child->read_line(kLongWaitMs));
  EXPECT_EQ(kill(pid, 0), 0);
  child.reset();
  EXPECT_EQ(waitpid(pid, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(ProcessTest, OnlyAbsoluteExistingProgramsStart) {
  EXPECT_EQ(system_processes().start("sh", {}).error().code, ErrorCode::invalid);
  EXPECT_EQ(system_processes().start("/nonexistent/program", {}).error().code, ErrorCode::io);
}

TEST(ProcessTest, ArgumentsReachTheProgramUntouched) {
  auto child = system_processes().start("/bin/sh", {"-c", "echo \"$1\"", "name", "a b $HOME *"});
  ASSERT_TRUE(child);
  EXPECT_EQ(*(*child)->read_line(kLongWaitMs), "a b $HOME *");
}

TEST(ProcessTest, KnowsItsOwnExecutable) {
  const auto path = system_processes().own_executable();
  ASSERT_TRUE(path);
  EXPECT_TRUE(path->starts_with('/'));
  EXPECT_TRUE(std::filesystem::is_regular_file(*path));
}

}  // namespace
}  // namespace pimemory
