// The identity that an earlier program gave a checkout: adopted only when two of its files agree. Read only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "workspace/workspace.h"

namespace pimemory {

inline constexpr std::size_t kMaxLegacyFileBytes = 1'048'576;

struct LegacyRow {
  std::string location;
  std::string project_id;
};

// The rows of <home>/identity/index.json; empty for every defect of the file as a whole, without broken rows.
std::vector<LegacyRow> read_legacy_index(FileSystem& files, const std::string& home);

// The well-formed id in <location>/.prjct/prjct.config.json, else nullopt and why.
struct LegacyLocator {
  std::optional<std::string> project_id;
  std::string reason;
};
LegacyLocator read_legacy_locator(FileSystem& files, const std::string& location);

// Compares both. The id is set only with state "adopted"; otherwise "none" or "unverified" and a reason.
struct LegacyIdentity {
  std::optional<std::string> project_id;
  LegacyState state;
};
LegacyIdentity find_legacy_identity(FileSystem& files, const std::string& location,
                                    const std::vector<LegacyRow>& index);

// The bytes of the member `payload` of a JSON object, without white space outside strings; nullopt when there is none.
// `text` has been parsed as strict JSON before.
std::optional<std::string> compact_payload_bytes(std::string_view text);

}  // namespace pimemory
