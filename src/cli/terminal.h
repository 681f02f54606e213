// The terminal as a witness: whether a person sits there, how wide it is, and the one question that is asked.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace pimemory {

inline constexpr std::size_t kDefaultTerminalColumns = 80;

bool is_terminal(std::FILE* stream);

// Columns of the terminal behind stdout; kDefaultTerminalColumns when it does not tell.
std::size_t terminal_columns();

// True when this process carries PI_MEMORY_AGENT_SHELL, whatever its value: nobody is asked then.
bool is_agent_shell();

// True when a person can be asked: stdin, stdout and `shown_on` are terminals and this is no agent's shell.
bool can_ask_person(std::FILE* shown_on);

// Prints `text`, already free of control characters, then `question`, and reads one line from stdin. True only for
// `y` or `Y`; the end of the input is no answer.
bool ask_y(std::FILE* shown_on, const std::string& text, const std::string& question);

}  // namespace pimemory
