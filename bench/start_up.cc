// Times `pi-memory --version` as a whole process against an empty static program, alternating in the same run.
// Usage: start_up PATH_OF_PI_MEMORY PATH_OF_EMPTY_PROGRAM
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

extern char** environ;

namespace {

constexpr int kSamples = 200;

double milliseconds_of(char* program, char* argument) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  char* arguments[] = {program, argument, nullptr};
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status = 1;
  if (posix_spawn(&child, program, &actions, nullptr, arguments, environ) == 0) waitpid(child, &status, 0);
  const auto took = std::chrono::steady_clock::now() - start;
  posix_spawn_file_actions_destroy(&actions);
  return status == 0 ? std::chrono::duration<double, std::milli>(took).count() : -1;
}

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: start_up PATH_OF_PI_MEMORY PATH_OF_EMPTY_PROGRAM\n"), 2;
  char version[] = "--version";
  std::vector<double> ours, empty;
  for (int i = 0; i < kSamples; ++i) {
    ours.push_back(milliseconds_of(argv[1], version));
    empty.push_back(milliseconds_of(argv[2], nullptr));
    if (ours.back() < 0 || empty.back() < 0) return std::fprintf(stderr, "a program could not be run\n"), 1;
  }
  std::printf("--version p50 %.3f ms, an empty static program %.3f ms, over it %.3f ms (budget 3 ms)\n", median(ours),
              median(empty), median(ours) - median(empty));
  return 0;
}
