// The index's checksum is over its own bytes, so that it holds whatever order and escapes its writer chose.
#include "workspace/legacy_identity.h"

#include <algorithm>

#include "base/canonical_json.h"
#include "base/sha256.h"
#include "contracts/validate.h"
#include "workspace/location.h"

namespace pimemory {
namespace {

using nlohmann::json;

constexpr std::int64_t kSchemaVersion = 1;

// nullopt unless `path` is a regular file within the limit.
std::optional<std::string> read_regular(FileSystem& files, const std::string& path) {
  const auto info = files.info(path);
  if (!info || info->type != FileType::regular) return std::nullopt;
  const auto file = files.open(path, OpenMode::read);
  if (!file) return std::nullopt;
  const auto opened = (*file)->info();
  if (!opened || opened->type != FileType::regular) return std::nullopt;
  const auto text = (*file)->read_all(kMaxLegacyFileBytes);
  return text ? std::optional(*text) : std::nullopt;
}

bool is_blank_byte(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

// The position after the string literal that starts at `pos`.
std::size_t end_of_string(std::string_view text, std::size_t pos) {
  for (++pos; pos < text.size() && text[pos] != '"'; ++pos)
    if (text[pos] == '\\') ++pos;
  return pos + 1;
}

// The position after the value that starts at `pos`: before the comma or bracket that ends it. Appends it to `out`.
std::size_t take_value(std::string_view text, std::size_t pos, std::string& out) {
  int depth = 0;
  while (pos < text.size()) {
    const char byte = text[pos];
    if (byte == '"') {
      const std::size_t end = std::min(end_of_string(text, pos), text.size());
      out.append(text.substr(pos, end - pos));
      pos = end;
      continue;
    }
    if (depth == 0 && (byte == ',' || byte == '}')) return pos;
    if (byte == '{' || byte == '[') ++depth;
    if (byte == '}' || byte == ']') --depth;
    if (!is_blank_byte(byte)) out += byte;
    ++pos;
  }
  return pos;
}

std::optional<LegacyRow> parse_row(const json& object) {
  if (!object.is_object()) return std::nullopt;
  const auto location = object.find("location"), project = object.find("projectId");
  if (location == object.end() || project == object.end() || !location->is_string() || !project->is_string())
    return std::nullopt;
  LegacyRow row{location->get<std::string>(), project->get<std::string>()};
  if (!is_normalised_location(row.location) || !is_project_id(row.project_id)) return std::nullopt;
  return row;
}

bool is_envelope(const json& document, const std::string& text) {
  if (!document.is_object()) return false;
  for (const char* name : {"schemaVersion", "revision", "contentHash", "payload"})
    if (!document.contains(name)) return false;
  if (document["schemaVersion"] != kSchemaVersion || !document["revision"].is_number_integer()) return false;
  if (document["revision"] < 1 || document["revision"] > kMaxSafeInteger) return false;
  const json& payload = document["payload"];
  if (!payload.is_object() || !payload.contains("bindings") || !payload["bindings"].is_array()) return false;
  const auto bytes = compact_payload_bytes(text);
  return bytes && document["contentHash"] == sha256_hex(*bytes);
}

}  // namespace

std::optional<std::string> compact_payload_bytes(std::string_view text) {
  std::size_t pos = text.find('{');
  if (pos == std::string_view::npos) return std::nullopt;
  for (++pos; pos < text.size();) {
    while (pos < text.size() && (is_blank_byte(text[pos]) || text[pos] == ',')) ++pos;
    if (pos >= text.size() || text[pos] != '"') return std::nullopt;
    const std::size_t key_end = std::min(end_of_string(text, pos), text.size());
    const auto key = parse_strict_json(text.substr(pos, key_end - pos));
    pos = text.find(':', key_end);
    if (!key || pos == std::string_view::npos) return std::nullopt;
    std::string value;
    pos = take_value(text, pos + 1, value);
    if (*key == "payload") return value;
  }
  return std::nullopt;
}

std::vector<LegacyRow> read_legacy_index(FileSystem& files, const std::string& home) {
  const auto text = read_regular(files, join_path(home, "identity/index.json"));
  if (!text) return {};
  const auto document = parse_strict_json(*text);
  if (!document || !is_envelope(*document, *text)) return {};
  std::vector<LegacyRow> rows;
  for (const json& object : (*document)["payload"]["bindings"])
    if (auto row = parse_row(object)) rows.push_back(std::move(*row));
  return rows;
}

LegacyLocator read_legacy_locator(FileSystem& files, const std::string& location) {
  const std::string path = join_path(location, ".prjct/prjct.config.json");
  const auto info = files.info(path);
  if (!info || info->type == FileType::missing) return {std::nullopt, "the checkout has no .prjct/prjct.config.json"};
  const auto text = read_regular(files, path);
  if (!text) return {std::nullopt, ".prjct/prjct.config.json is not a regular file of at most 1 MiB"};
  const auto document = parse_strict_json(*text);
  if (!document || !document->is_object()) return {std::nullopt, ".prjct/prjct.config.json is not a JSON object"};
  const auto id = document->find("projectId");
  if (id == document->end() || !id->is_string() || !is_project_id(id->get_ref<const std::string&>()))
    return {std::nullopt, ".prjct/prjct.config.json names no project id"};
  return {id->get<std::string>(), {}};
}

LegacyIdentity find_legacy_identity(FileSystem& files, const std::string& location,
                                    const std::vector<LegacyRow>& index) {
  LegacyLocator locator = read_legacy_locator(files, location);
  if (!locator.project_id) return {std::nullopt, {"none", locator.reason}};
  for (const LegacyRow& row : index)
    if (row.location == location && row.project_id == *locator.project_id)
      return {locator.project_id, {"adopted", std::nullopt}};
  return {
      std::nullopt,
      {"unverified", "the identity index of this home does not confirm " + *locator.project_id + " for this location"}};
}

}  // namespace pimemory
