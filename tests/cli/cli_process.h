// Runs the real program in a home of its own: over pipes as a script does, or at a pseudo terminal as a person does.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/scratch.h"

namespace pimemory {

struct CliResult {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;

  nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
};

// A home and a checkout below one scratch folder; the home does not exist at first.
class CliScene {
 public:
  CliScene() : home_(scratch_ / "home"), checkout_(scratch_ / "checkout") {
    std::filesystem::create_directory(checkout_);
  }
  const std::string& home() const { return home_; }
  const std::string& checkout() const { return checkout_; }
  bool home_exists() const { return std::filesystem::exists(home_); }
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(checkout_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  // Stdin is a pipe with `input`, stdout and stderr are pipes.
  CliResult run(std::vector<std::string> arguments, const std::string& input = "",
                const std::vector<std::string>& environment = {}) const {
    return run_program(PI_MEMORY_BINARY, std::move(arguments), input, environment);
  }

  // A line of the shell in which $PI_MEMORY is the program: for streams that are closed or lead elsewhere.
  CliResult shell(const std::string& line) const {
    return run_program("/bin/sh", {"-c", line}, "", {"PI_MEMORY=" PI_MEMORY_BINARY});
  }

  // At a pseudo terminal of `columns`. When `question` appears in the output, `answer` is typed; `out` holds everything
  // that the terminal showed.
  CliResult run_at_terminal(std::vector<std::string> arguments, const std::string& question = "",
                            const std::string& answer = "", const std::vector<std::string>& environment = {},
                            unsigned short columns = 200) const {
    winsize size{};
    size.ws_row = 40, size.ws_col = columns;
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) execute(PI_MEMORY_BINARY, arguments, environment);
    CliResult result;
    bool is_answered = question.empty();
    char buffer[4'096];
    for (;;) {
      pollfd ready{terminal, POLLIN, 0};
      if (poll(&ready, 1, kWaitMs) <= 0) {
        kill(child, SIGKILL);
        break;
      }
      const ssize_t count = read(terminal, buffer, sizeof buffer);
      if (count <= 0) break;
      result.out.append(buffer, static_cast<std::size_t>(count));
      if (!is_answered && result.out.find(question) != std::string::npos) {
        is_answered = true;
        if (::write(terminal, answer.data(), answer.size()) < 0) break;
      }
    }
    close(terminal);
    result.exit_code = wait_for(child);
    return result;
  }

  // Creates the project; the test's other commands need it.
  void init() const { run({"init"}); }

 private:
  static constexpr int kWaitMs = 20'000;

  CliResult run_program(const char* program, std::vector<std::string> arguments, const std::string& input,
                        const std::vector<std::string>& environment) const {
    int in[2], out[2], err[2];
    if (pipe(in) != 0 || pipe(out) != 0 || pipe(err) != 0) return {};
    const pid_t child = fork();
    if (child == 0) {
      dup2(in[0], 0), dup2(out[1], 1), dup2(err[1], 2);
      for (const int fd : {in[0], in[1], out[0], out[1], err[0], err[1]}) close(fd);
      execute(program, arguments, environment);
    }
    close(in[0]), close(out[1]), close(err[1]);
    signal(SIGPIPE, SIG_IGN);
    if (!input.empty() && ::write(in[1], input.data(), input.size()) < 0)
      close(in[1]);
    else
      close(in[1]);
    CliResult result;
    drain(out[0], result.out, err[0], result.err);
    result.exit_code = wait_for(child);
    return result;
  }

  [[noreturn]] void execute(const char* program, std::vector<std::string>& arguments,
                            const std::vector<std::string>& environment) const {
    if (chdir(checkout_.c_str()) != 0) _exit(126);
    setenv("PI_MEMORY_HOME", home_.c_str(), 1);
    setenv("TERM", "dumb", 1);
    unsetenv("PRJCT_HOME");
    unsetenv("PI_MEMORY_AGENT_SHELL");
    for (const std::string& setting : environment) putenv(const_cast<char*>(setting.c_str()));
    std::vector<char*> argv = {const_cast<char*>("pi-memory")};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(program, argv.data());
    _exit(127);
  }

  static void drain(int out, std::string& out_text, int err, std::string& err_text) {
    pollfd streams[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
    std::string* texts[2] = {&out_text, &err_text};
    char buffer[4'096];
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
      if (poll(streams, 2, kWaitMs) <= 0) break;
      for (int i = 0; i < 2; ++i) {
        if (streams[i].fd < 0 || streams[i].revents == 0) continue;
        const ssize_t count = read(streams[i].fd, buffer, sizeof buffer);
        if (count > 0) {
          texts[i]->append(buffer, static_cast<std::size_t>(count));
        } else {
          close(streams[i].fd);
          streams[i].fd = -1;
        }
      }
    }
  }

  static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  ScratchFolder scratch_;
  std::string home_;
  std::string checkout_;
};

inline constexpr char kQuestion[] = "Do you vouch";

}  // namespace pimemory
