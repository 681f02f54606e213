// The engine object itself; its operations live in documents.cc, facts.cc and reading.cc.
#include "engine/memory_engine.h"

#include <utility>

#include "engine/gate.h"

namespace pimemory {

MemoryEngine::MemoryEngine(Env& env, std::unique_ptr<Authority> authority)
    : env_(env), authority_(std::move(authority)), wordings_(std::make_unique<WordingIndex>()) {}

MemoryEngine::~MemoryEngine() = default;
MemoryEngine::MemoryEngine(MemoryEngine&&) noexcept = default;

const std::string& MemoryEngine::owner() const { return authority_->owner(); }

}  // namespace pimemory
