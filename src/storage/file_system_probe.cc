// Two processes on one temporary file: a kernel lock, a byte range lock and a shared mapping, each tried both ways.
#include "storage/file_system_probe.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "base/sha256.h"

namespace pimemory {
namespace {

constexpr int kProbeTimeoutMs = 2'000;
constexpr std::size_t kMappingBytes = 4096;
constexpr unsigned char kFromParent = 0x5a;
constexpr unsigned char kFromChild = 0xa5;

constexpr std::array<std::string_view, 8> kNetworkTypes = {"nfs", "nfs4", "smb", "smb2", "cifs", "afp", "afs", "9p"};

bool range_lock(int fd, short type) {
  struct flock lock{};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = 0;
  lock.l_len = 1;
  return fcntl(fd, F_SETLK, &lock) == 0;
}

// The child answers one byte a question: what it could not do, or 0. It may only use async-signal-safe calls, since the
// parent may have threads.
[[noreturn]] void answer_as_second_process(const char* path, int questions, int answers) {
  const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  void* memory = fd < 0 ? MAP_FAILED : mmap(nullptr, kMappingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  for (char question = 0; read(questions, &question, 1) == 1;) {
    char answer = 0;
    if (fd < 0 || memory == MAP_FAILED) {
      answer = 'o';
    } else if (question == 'h') {  // held by the parent: both locks must be refused here
      if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        answer = 'k';
      else if (range_lock(fd, F_WRLCK))
        answer = 'r';
    } else if (question == 'f') {  // free: both must be obtained
      if (flock(fd, LOCK_EX | LOCK_NB) != 0)
        answer = 'k';
      else if (!range_lock(fd, F_WRLCK))
        answer = 'r';
    } else {  // the mapping
      auto* bytes = static_cast<volatile unsigned char*>(memory);
      if (bytes[0] != kFromParent) answer = 'm';
      bytes[1] = kFromChild;
    }
    if (write(answers, &answer, 1) != 1) break;
  }
  _exit(0);
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe(ends) == 0)
      for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
};

std::string_view part_name(char answer) {
  switch (answer) {
    case 'k':
      return "kernel locks (flock)";
    case 'r':
      return "byte range locks";
    case 'm':
      return "shared mappings";
    case 'o':
      return "opening from a second process";
    default:
      return "an answer within 2 s";
  }
}

std::int64_t monotonic_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

// Asks one question; 0 is "works", '?' is no answer by the deadline of the whole probe.
char ask(int questions, int answers, char question, std::int64_t deadline_ms) {
  if (write(questions, &question, 1) != 1) return '?';
  for (;;) {
    pollfd waiting{answers, POLLIN, 0};
    const std::int64_t left = deadline_ms - monotonic_ms();
    const int ready = left <= 0 ? 0 : poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    char answer = '?';
    if (ready != 1 || read(answers, &answer, 1) != 1) return '?';
    return answer;
  }
}

char run_questions(int fd, int questions, int answers) {
  const std::int64_t deadline_ms = monotonic_ms() + kProbeTimeoutMs;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) return 'k';
  if (!range_lock(fd, F_WRLCK)) return 'r';
  if (const char answer = ask(questions, answers, 'h', deadline_ms)) return answer;
  flock(fd, LOCK_UN);
  range_lock(fd, F_UNLCK);
  if (const char answer = ask(questions, answers, 'f', deadline_ms)) return answer;
  void* memory = mmap(nullptr, kMappingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return 'm';
  auto* bytes = static_cast<volatile unsigned char*>(memory);
  bytes[0] = kFromParent;
  char answer = ask(questions, answers, 'm', deadline_ms);
  if (!answer && bytes[1] != kFromChild) answer = 'm';
  munmap(memory, kMappingBytes);
  return answer;
}

char probe_file(const std::string& path, int fd) {
  if (ftruncate(fd, kMappingBytes) != 0) return 'm';
  Pipe questions, answers;
  if (questions.ends[1] < 0 || answers.ends[1] < 0) return '?';
  const pid_t child = fork();
  if (child < 0) return '?';
  if (child == 0) {
    // The child shares every open descriptor. Its own copies of the pipes' other ends would keep it alive after the
    // parent is killed, and copies of locked files would keep their locks.
    constexpr int kDescriptorsMax = 1024;
    for (int other = 3; other < kDescriptorsMax; ++other)
      if (other != questions.ends[0] && other != answers.ends[1]) close(other);
    answer_as_second_process(path.c_str(), questions.ends[0], answers.ends[1]);
  }
  const char failed = run_questions(fd, questions.ends[1], answers.ends[0]);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return failed;
}

}  // namespace

Status probe_file_system(Env& env, const std::string& directory) {
  PIMEMORY_ASSIGN(const std::string type, env.files.type_name(directory));
  const std::string remedy = "choose a home on a local disk with --home or PI_MEMORY_HOME";
  for (const std::string_view network : kNetworkTypes)
    if (type == network)
      return fail(ErrorCode::unsupported_filesystem,
                  directory + " is on a network file system (" + type + "), whose locks do not hold between machines",
                  remedy);

  std::array<unsigned char, 8> suffix{};
  env.random.fill(suffix);
  const std::string path = directory + "/.pi-memory-probe-" + to_hex(suffix);
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return fail(ErrorCode::io, "cannot write in " + directory, "make it writable, or choose another home");
  const char failed = probe_file(path, fd);
  unlink(path.c_str());
  close(fd);
  if (!failed) return {};
  return fail(
      ErrorCode::unsupported_filesystem,
      directory + " is on " + type + ", where this failed between two processes: " + std::string(part_name(failed)),
      remedy);
}

}  // namespace pimemory
