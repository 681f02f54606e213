// Reading is strict and infers nothing; writing is a whole-file replacement under a kernel lock.
#include "workspace/registry.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/canonical_json.h"
#include "base/private_files.h"
#include "base/rfc3339.h"
#include "base/sha256.h"
#include "contracts/validate.h"
#include "workspace/location.h"

namespace pimemory {
namespace {

using nlohmann::json;

constexpr std::int64_t kSchemaVersion = 1;
constexpr std::uint32_t kForeignWriteBits = 022;
constexpr int kIndentSpaces = 2;

std::unexpected<Error> corrupt(const std::string& why) {
  return fail(ErrorCode::registry_corrupt, "the projects registry is damaged: " + why);
}

// The string member, or null when it is missing or of another type.
const std::string* string_member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : found->get_ptr<const std::string*>();
}

Result<RegistryRow> parse_row(const json& object, const std::string& where) {
  if (!object.is_object()) return corrupt(where + " is no object");
  for (const char* name : {"location", "projectId", "checkoutId", "source", "createdAt"})
    if (!string_member(object, name)) return corrupt(where + " has no text \"" + name + "\"");
  RegistryRow row;
  row.members = object;
  Binding& binding = row.binding;
  binding.location = *string_member(object, "location");
  binding.project_id = *string_member(object, "projectId");
  binding.checkout_id = *string_member(object, "checkoutId");
  binding.source = *string_member(object, "source");
  if (!is_normalised_location(binding.location)) return corrupt(where + ": location is not absolute and normalised");
  if (!is_project_id(binding.project_id)) return corrupt(where + ": projectId is malformed");
  if (!is_checkout_id(binding.checkout_id)) return corrupt(where + ": checkoutId is malformed");
  const auto& source = binding.source;
  if (source != "memory" && source != "legacy" && source != "moved" && source != "joined")
    return corrupt(where + ": source is unknown");
  if (binding.checkout_id != derived_checkout_id(binding.location))
    return corrupt(where + ": checkoutId does not follow from the location");
  if (source == "memory" && binding.project_id != derived_project_id(binding.location))
    return corrupt(where + ": projectId does not follow from the location");
  const auto created = parse_rfc3339(*string_member(object, "createdAt"));
  if (!created) return corrupt(where + ": createdAt is no RFC 3339 time");
  binding.created_at = *created;
  return row;
}

// Locations are unique, and so is the project of each row that is neither adopted nor joined.
Status check_unique(const std::vector<RegistryRow>& rows) {
  std::set<std::string_view> locations, projects;
  for (const RegistryRow& row : rows) {
    const Binding& binding = row.binding;
    if (!locations.insert(binding.location).second) return corrupt("two bindings name " + binding.location);
    if ((binding.source == "memory" || binding.source == "moved") && !projects.insert(binding.project_id).second)
      return corrupt("two bindings own " + binding.project_id);
  }
  return {};
}

bool is_integer_between(const json& value, std::int64_t low, std::int64_t high) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high)) return false;
  return value.is_number_integer() && value.get<std::int64_t>() >= low && value.get<std::int64_t>() <= high;
}

Result<Registry> parse_document(const json& document) {
  if (!document.is_object()) return corrupt("it is no JSON object");
  for (const char* name : {"schemaVersion", "revision", "contentHash", "payload"})
    if (!document.contains(name)) return corrupt(std::string("it has no \"") + name + "\"");
  if (!is_integer_between(document["schemaVersion"], kSchemaVersion, kSchemaVersion))
    return corrupt("its schemaVersion is unknown");
  if (!is_integer_between(document["revision"], 1, kMaxSafeInteger)) return corrupt("its revision is out of range");
  const json& payload = document["payload"];
  const auto hash = canonical_hash(payload);
  const std::string* stored = string_member(document, "contentHash");
  if (!hash || !stored || *hash != *stored) return corrupt("its checksum does not match");
  if (!payload.is_object() || !payload.contains("bindings") || !payload["bindings"].is_array())
    return corrupt("it has no list of bindings");
  Registry registry;
  registry.revision = document["revision"].get<std::int64_t>();
  registry.payload = payload;
  for (const json& object : payload["bindings"]) {
    PIMEMORY_ASSIGN(RegistryRow row, parse_row(object, "binding " + std::to_string(registry.rows.size() + 1)));
    registry.rows.push_back(std::move(row));
  }
  PIMEMORY_TRY(check_unique(registry.rows));
  return registry;
}

// Known members come from the binding; unknown ones stay. A time that says the same keeps its spelling.
json row_object(const RegistryRow& row) {
  json object = row.members;
  object["location"] = row.binding.location;
  object["projectId"] = row.binding.project_id;
  object["checkoutId"] = row.binding.checkout_id;
  object["source"] = row.binding.source;
  const std::string* created = string_member(object, "createdAt");
  const auto stored = created ? parse_rfc3339(*created) : Result<TimeMs>(fail(ErrorCode::invalid, ""));
  if (!stored || *stored != row.binding.created_at) object["createdAt"] = format_rfc3339(row.binding.created_at);
  return object;
}

// The home may be a link; what it names must be ours, and only we may write there.
Status protect_home(Env& env, const std::string& home) {
  PIMEMORY_ASSIGN(const std::string real, env.files.real_path(home));
  PIMEMORY_ASSIGN(const FileInfo info, env.files.info(real));
  if (info.type != FileType::directory) return fail(ErrorCode::unsafe_path, home + " is not a directory");
  if (info.owner != geteuid()) return fail(ErrorCode::unsafe_path, home + " belongs to another user");
  if ((info.mode & kForeignWriteBits) != 0) PIMEMORY_TRY(env.files.set_mode(real, info.mode & ~kForeignWriteBits));
  return {};
}

}  // namespace

const RegistryRow* Registry::find(std::string_view location) const {
  for (const RegistryRow& row : rows)
    if (row.binding.location == location) return &row;
  return nullptr;
}

std::string registry_directory(const std::string& home) { return join_path(home, "pi-memory"); }

std::string registry_path(const std::string& home) { return registry_directory(home) + "/projects.json"; }

Result<Registry> parse_registry(std::string_view text) {
  if (text.size() > kMaxRegistryBytes)
    return fail(ErrorCode::registry_full, "the projects registry is longer than 1,048,576 bytes");
  const auto document = parse_strict_json(text);
  if (!document) return corrupt(document.error().message);
  return parse_document(*document);
}

Result<std::string> format_registry(const Registry& registry) {
  if (registry.revision < 1 || registry.revision > kMaxSafeInteger)
    return fail(ErrorCode::registry_full, "the projects registry has no revision left");
  std::vector<const RegistryRow*> sorted;
  for (const RegistryRow& row : registry.rows) sorted.push_back(&row);
  std::sort(sorted.begin(), sorted.end(), [](const RegistryRow* left, const RegistryRow* right) {
    return left->binding.location < right->binding.location;
  });
  json bindings = json::array();
  for (const RegistryRow* row : sorted) bindings.push_back(row_object(*row));
  json payload = registry.payload;
  payload["bindings"] = std::move(bindings);
  PIMEMORY_ASSIGN(const std::string hash, canonical_hash(payload));
  nlohmann::ordered_json document;
  document["schemaVersion"] = kSchemaVersion;
  document["revision"] = registry.revision;
  document["contentHash"] = hash;
  document["payload"] = payload;
  std::string text = document.dump(kIndentSpaces) + "\n";
  if (text.size() > kMaxRegistryBytes)
    return fail(ErrorCode::registry_full, "the projects registry would be longer than 1,048,576 bytes");
  return text;
}

Result<Registry> read_registry(Env& env, const std::string& home) {
  const std::string directory = registry_directory(home), path = registry_path(home);
  PIMEMORY_ASSIGN(const FileInfo folder, env.files.info(directory));
  if (folder.type == FileType::missing) return Registry{};
  PIMEMORY_TRY(check_private_directory(env.files, directory, false));
  PIMEMORY_ASSIGN(const FileInfo info, env.files.info(path));
  if (info.type == FileType::missing) return Registry{};
  PIMEMORY_TRY(check_private_file(env.files, path, false));
  PIMEMORY_ASSIGN(const std::unique_ptr<File> file, env.files.open(path, OpenMode::read));
  PIMEMORY_ASSIGN(const FileInfo opened, file->info());
  // A writer may have replaced the file in between, so links are not counted here: ours may be gone by now.
  if (opened.type != FileType::regular || opened.owner != geteuid())
    return fail(ErrorCode::unsafe_path, path + " is not a regular file of your own");
  auto text = file->read_all(kMaxRegistryBytes);
  if (!text && text.error().code == ErrorCode::too_large)
    return fail(ErrorCode::registry_full, "the projects registry is longer than 1,048,576 bytes");
  if (!text) return std::unexpected(text.error());
  return parse_registry(*text);
}

Result<std::unique_ptr<File>> lock_registry(Env& env, const std::string& home, std::int64_t wait_ms) {
  const std::string directory = registry_directory(home), path = directory + "/projects.lock";
  PIMEMORY_TRY(make_private_directories(env.files, home, directory));
  PIMEMORY_TRY(protect_home(env, home));
  PIMEMORY_TRY(check_private_directory(env.files, directory, true));
  PIMEMORY_ASSIGN(std::unique_ptr<File> file, env.files.open(path, OpenMode::open_or_create));
  PIMEMORY_TRY(check_private_file(env.files, path, true));
  PIMEMORY_ASSIGN(const bool held, file->lock(LockKind::exclusive, wait_ms));
  if (!held) return fail(ErrorCode::registry_busy, "another process has held " + path + " for too long");
  return file;
}

Result<bool> write_registry(Env& env, const std::string& home, Registry& registry) {
  const std::string path = registry_path(home);
  Registry next = registry;
  if (next.revision >= kMaxSafeInteger)
    return fail(ErrorCode::registry_full, "the projects registry has no revision left");
  ++next.revision;
  PIMEMORY_ASSIGN(const std::string text, format_registry(next));
  // What readers would refuse must not reach the disk.
  PIMEMORY_TRY(parse_registry(text));
  PIMEMORY_TRY(remove_orphaned_staging(env.files, path));
  PIMEMORY_ASSIGN(const FileInfo old, env.files.info(path));
  if (old.type != FileType::missing) PIMEMORY_TRY(check_private_file(env.files, path, false));
  PIMEMORY_ASSIGN(const bool durable, replace_file(env, path, text, "registry"));
  registry.revision = next.revision;
  return durable;
}

}  // namespace pimemory
