// Asking through plain reads of the descriptor, so that a statement read from stdin before takes no part of the answer.
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/utf8.h"

namespace pimemory {
namespace {

constexpr std::size_t kAnswerBytesMax = 1'024;

// One line without its newline; what came before the end of the input otherwise.
std::string read_answer() {
  std::string line;
  char byte = 0;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || byte == '\n') return line;
    if (line.size() < kAnswerBytesMax) line += byte;
  }
}

}  // namespace

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) == 1; }

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kDefaultTerminalColumns;
}

bool is_agent_shell() { return std::getenv("PI_MEMORY_AGENT_SHELL") != nullptr; }

bool can_ask_person(std::FILE* shown_on) {
  return !is_agent_shell() && is_terminal(stdin) && is_terminal(stdout) && is_terminal(shown_on);
}

bool ask_y(std::FILE* shown_on, const std::string& text, const std::string& question) {
  std::fprintf(shown_on, "%s\n%s ", text.c_str(), question.c_str());
  if (std::fflush(shown_on) != 0) return false;
  const std::string answer = read_answer();
  const std::string_view word = trim(answer);
  return word == "y" || word == "Y";
}

}  // namespace pimemory
