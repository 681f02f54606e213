// Whose a document is: asked by the engine's writes and by the folder walk.
#pragma once

#include <optional>
#include <string>

#include "storage/domain_state.h"

namespace pimemory {

// The source adapter that alone writes and removes the document of this key, deleted ones included; nothing when it is
// nobody's.
std::optional<std::string> owning_adapter(const DomainReader& domain, const std::string& key);

}  // namespace pimemory
