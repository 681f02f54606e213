// Trying an operation without doing it, so that a person is asked only about what can be done.
#pragma once

#include <memory>

#include "storage/authority.h"

namespace pimemory {

// Runs each transaction to its end, with all checks, and drops it: an engine over it answers what the real one would,
// and nothing is recorded. What only a commit finds out, such as a full disk, it does not see. Must not outlive
// `authority`, which must be open for writing.
std::unique_ptr<Authority> preflight(Authority& authority);

}  // namespace pimemory
