// A wait for a kernel file lock that keeps its place in the kernel's queue and still ends in time.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace pimemory {

// flock(fd, operation) where `operation` is LOCK_SH or LOCK_EX: blocks in the kernel for at most timeout_ms (0 or less:
// tries once). false: not obtained. `path` is for messages. Interrupts its own wait with SIGURG, for which the first
// wait of the process installs a handler that does nothing. One thread at a time per descriptor.
Result<bool> wait_for_flock(int fd, int operation, std::int64_t timeout_ms, const std::string& path);

// The errno of a failed call as an Error: "cannot <verb> <path>: <reason>".
std::unexpected<Error> system_failure(const char* verb, const std::string& path, int error_number);

}  // namespace pimemory
