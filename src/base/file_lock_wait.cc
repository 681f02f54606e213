// Polling with LOCK_NB would starve the earliest waiter, and a blocking flock has no timeout: so a thread blocks, and
// the waiter interrupts it when time is up.
#include "base/file_lock_wait.h"

#include <pthread.h>
#include <signal.h>
#include <sys/file.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace pimemory {
namespace {

constexpr int kWakeSignal = SIGURG;  // ignored by default, so a stray one harms nobody
constexpr std::chrono::milliseconds kWakeAgainMs{2};

extern "C" void wake_only(int) {}

void install_wake_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_handler = wake_only;  // no SA_RESTART: the call must end with EINTR
    sigemptyset(&action.sa_mask);
    sigaction(kWakeSignal, &action, nullptr);
  });
}

// One blocking flock on its own thread.
class BlockedLock {
 public:
  BlockedLock(int fd, int operation) : fd_(fd), operation_(operation) {}

  // False when the system gives no thread.
  bool start() {
    install_wake_handler();
    // The thread takes no signal of the program but the one that wakes it.
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, kWakeSignal);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread_.joinable();
  }

  // 0 when obtained, else the errno; EINTR for time is up.
  int finish(std::chrono::milliseconds timeout) {
    std::unique_lock guard(mutex_);
    if (!ended_.wait_for(guard, timeout, [this] { return done_; })) {
      cancelled_ = true;
      // A signal that comes before the thread has entered flock is lost, so it is sent until the thread has ended.
      while (!done_) {
        pthread_kill(thread_.native_handle(), kWakeSignal);
        ended_.wait_for(guard, kWakeAgainMs, [this] { return done_; });
      }
    }
    guard.unlock();
    thread_.join();
    return error_;
  }

 private:
  void run() {
    int error = 0;
    for (;;) {
      if (cancelled_) {
        error = EINTR;
        break;
      }
      if (flock(fd_, operation_) == 0) break;
      error = errno;
      if (error != EINTR) break;
      error = 0;
    }
    const std::lock_guard guard(mutex_);
    error_ = error;
    done_ = true;
    ended_.notify_all();
  }

  int fd_;
  int operation_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::atomic<bool> cancelled_ = false;
  bool done_ = false;
  int error_ = 0;
};

}  // namespace

std::unexpected<Error> system_failure(const char* verb, const std::string& path, int error_number) {
  const std::string message =
      "cannot " + std::string(verb) + " " + path + ": " + std::generic_category().message(error_number);
  if (error_number == ENOSPC || error_number == EDQUOT) return fail(ErrorCode::no_space, message);
  if (error_number == ELOOP)
    return fail(ErrorCode::unsafe_path, message, "replace the symbolic link with a real file or directory");
  return fail(ErrorCode::io, message);
}

Result<bool> wait_for_flock(int fd, int operation, std::int64_t timeout_ms, const std::string& path) {
  int error = 0;
  do {
    error = flock(fd, operation | LOCK_NB) == 0 ? 0 : errno;
  } while (error == EINTR);
  if (error == 0) return true;
  if (error != EWOULDBLOCK) return system_failure("lock", path, error);
  if (timeout_ms <= 0) return false;

  BlockedLock blocked(fd, operation);
  if (!blocked.start()) return fail(ErrorCode::io, "cannot lock " + path + ": no thread to wait with");
  error = blocked.finish(std::chrono::milliseconds(timeout_ms));
  if (error == 0) return true;
  if (error == EINTR) return false;
  return system_failure("lock", path, error);
}

}  // namespace pimemory
