// Takes out the text that memory itself put into a conversation, so that memory never feeds on its own output.
#pragma once

#include <string>
#include <string_view>

namespace pimemory {

// Returns `text` without recall blocks, their policy sentence, evidence markers and results of the memory tools, also
// where JSON has escaped them. The text around them stays as it is; when only white space is left beside a removed
// span, the result is empty. Idempotent, linear in the size of the input. Thread-safe; keeps no state.
std::string remove_injected_text(std::string_view text);

}  // namespace pimemory
