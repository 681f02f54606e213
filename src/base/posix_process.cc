// The process port on posix_spawn: a fork that is safe with threads, and no descriptor inherited but the two pipes.
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "base/process.h"

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

extern char** environ;

namespace pimemory {
namespace {

constexpr std::size_t kMaxLineBytes = 64UL * 1024 * 1024;
constexpr std::size_t kReadChunkBytes = 16 * 1024;
constexpr int kFirstFreeDescriptor = 3;

std::string reason(int error_number) { return std::generic_category().message(error_number); }

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    reset();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  int get() const { return fd_; }

 private:
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  int fd_;
};

struct Pipe {
  Descriptor read_end, write_end;
};

// Both ends are close-on-exec and above the standard descriptors, so that placing one in the child never overwrites
// the other.
Result<Pipe> make_pipe() {
  int ends[2];
#ifdef __APPLE__
  const int made = pipe(ends);
#else
  const int made = pipe2(ends, O_CLOEXEC);
#endif
  if (made != 0) return fail(ErrorCode::io, "cannot make a pipe: " + reason(errno));
  Descriptor raw[2] = {Descriptor(ends[0]), Descriptor(ends[1])};
  for (Descriptor& end : raw) {
    end = Descriptor(fcntl(end.get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
    if (end.get() < 0) return fail(ErrorCode::io, "cannot make a pipe: " + reason(errno));
  }
  return Pipe{std::move(raw[0]), std::move(raw[1])};
}

// Keeps SIGPIPE of this thread's writes from ending the program; a child may die at any time.
class PipeSignalGuard {
 public:
  PipeSignalGuard() {
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&only_);
    sigaddset(&only_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &only_, &before_);
  }
  ~PipeSignalGuard() {
    sigset_t pending;
    sigpending(&pending);
    int taken = 0;
    if (!was_pending_ && sigismember(&pending, SIGPIPE) == 1) sigwait(&only_, &taken);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalGuard(const PipeSignalGuard&) = delete;
  PipeSignalGuard& operator=(const PipeSignalGuard&) = delete;

 private:
  sigset_t only_, before_;
  bool was_pending_ = false;
};

class PosixChild final : public ChildProcess {
 public:
  PosixChild(pid_t pid, Descriptor input, Descriptor output, std::string program)
      : pid_(pid), input_(std::move(input)), output_(std::move(output)), program_(std::move(program)) {}

  ~PosixChild() override {
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  PosixChild(const PosixChild&) = delete;
  PosixChild& operator=(const PosixChild&) = delete;

  Status write_line(std::string_view line) override {
    const PipeSignalGuard guard;
    std::string bytes(line);
    bytes += '\n';
    for (std::string_view rest = bytes; !rest.empty();) {
      const ssize_t written = write(input_.get(), rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return fail(ErrorCode::io, "cannot write to " + program_ + ": " + reason(errno));
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }

  Result<std::string> read_line(int timeout_ms) override {
    using Steady = std::chrono::steady_clock;
    const auto deadline = Steady::now() + std::chrono::milliseconds(timeout_ms);
    for (;;) {
      const std::size_t end = buffer_.find('\n', searched_);
      if (end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        searched_ = 0;
        return line;
      }
      searched_ = buffer_.size();
      if (searched_ > kMaxLineBytes) return fail(ErrorCode::too_large, "a line of " + program_ + " is above 64 MiB");
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Steady::now()).count();
      PIMEMORY_TRY(read_more(static_cast<int>(std::max<std::int64_t>(left, 0))));
    }
  }

 private:
  // Appends what comes within left_ms. An interrupted wait returns without anything; the caller counts the time.
  Status read_more(int left_ms) {
    pollfd waiting{output_.get(), POLLIN, 0};
    const int ready = poll(&waiting, 1, left_ms);
    if (ready < 0 && errno == EINTR) return {};
    if (ready < 0) return fail(ErrorCode::io, "cannot wait for " + program_ + ": " + reason(errno));
    if (ready == 0) return fail(ErrorCode::io, program_ + " did not answer in time");
    std::array<char, kReadChunkBytes> chunk;
    const ssize_t got = read(output_.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) return {};
    if (got < 0) return fail(ErrorCode::io, "cannot read from " + program_ + ": " + reason(errno));
    if (got == 0) return fail(ErrorCode::io, program_ + " ended before it answered");
    buffer_.append(chunk.data(), static_cast<std::size_t>(got));
    return {};
  }

  pid_t pid_;
  Descriptor input_, output_;
  std::string program_;
  std::string buffer_;
  std::size_t searched_ = 0;
};

// 0 and the pid, else an errno. The child gets default signal handling: an ignored SIGPIPE would be inherited.
int spawn(const std::string& program, const std::vector<std::string>& arguments, int input, int output, pid_t& pid) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (const int error = posix_spawn_file_actions_init(&actions)) return error;
  if (const int error = posix_spawnattr_init(&attributes)) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (error == 0) error = posix_spawn(&pid, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

class PosixProcesses final : public ProcessRunner {
 public:
  Result<std::unique_ptr<ChildProcess>> start(const std::string& program,
                                              const std::vector<std::string>& arguments) override {
    if (!program.starts_with('/'))
      return fail(ErrorCode::invalid, "the program \"" + program + "\" is no absolute path");
    PIMEMORY_ASSIGN(Pipe input, make_pipe());
    PIMEMORY_ASSIGN(Pipe output, make_pipe());
    pid_t pid = -1;
    if (const int error = spawn(program, arguments, input.read_end.get(), output.write_end.get(), pid))
      return fail(ErrorCode::io, "cannot start " + program + ": " + reason(error));
    return std::make_unique<PosixChild>(pid, std::move(input.write_end), std::move(output.read_end), program);
  }

  Result<std::string> own_executable() override {
#ifdef __APPLE__
    std::uint32_t size = PATH_MAX;
    std::string path(size, '\0');
    if (_NSGetExecutablePath(path.data(), &size) != 0) return fail(ErrorCode::io, "the program's own path is too long");
    path.resize(path.find('\0'));
#else
    std::string path(PATH_MAX, '\0');
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
    if (length < 0) return fail(ErrorCode::io, "cannot read /proc/self/exe: " + reason(errno));
    path.resize(static_cast<std::size_t>(length));
#endif
    return path;
  }
};

}  // namespace

ProcessRunner& system_processes() {
  static PosixProcesses processes;
  return processes;
}

}  // namespace pimemory
