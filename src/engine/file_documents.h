// Turning a file or a folder into documents: what `index FILE|DIR` reads and what it leaves out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/env.h"
#include "base/result.h"
#include "engine/memory_engine.h"

namespace pimemory {

// One file: .json one document, .jsonl one a line, any other UTF-8 file one text document whose id is its path relative
// to the checkout (outside it: the absolute path).
Result<std::vector<SourceDocument>> read_documents(Env& env, const std::string& path, const std::string& checkout,
                                                   const std::string& owner);

// A folder walk by its ignore files; indexes changed files and, with prune, removes documents whose file vanished.
Result<IndexResult> index_folder(MemoryEngine& engine, const std::string& folder, const std::string& checkout,
                                 bool prune);

}  // namespace pimemory
