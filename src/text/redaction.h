// Removes credentials from text before it is stored, hashed, shown to a model or written to a log.
#pragma once

#include <string>
#include <string_view>

namespace pimemory {

// Returns `text` with every credential-shaped value replaced by a placeholder such as `<REDACTED>`. Idempotent, linear
// in the size of the input, and valid UTF-8 stays valid UTF-8. Thread-safe; keeps no state.
std::string redact(std::string_view text);

// True exactly when redact() would change `text`. Thread-safe.
bool contains_credential(std::string_view text);

}  // namespace pimemory
