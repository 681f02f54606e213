// The process port: starting a child that speaks over its standard streams, for probes and modules.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pimemory {

// A running child with pipes on stdin and stdout; stderr is the parent's. The destructor kills and reaps it.
class ChildProcess {
 public:
  virtual ~ChildProcess() = default;
  virtual Status write_line(std::string_view line) = 0;
  // One line without its newline; io when the child ended or nothing came within timeout_ms.
  virtual Result<std::string> read_line(int timeout_ms) = 0;
};

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  // `program` is an absolute path; no shell is involved.
  virtual Result<std::unique_ptr<ChildProcess>> start(const std::string& program,
                                                      const std::vector<std::string>& arguments) = 0;
  // The absolute path of this very executable.
  virtual Result<std::string> own_executable() = 0;
};

ProcessRunner& system_processes();

}  // namespace pimemory
