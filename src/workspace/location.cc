// Identity follows from the location alone, so two programs that never met derive the same ids.
#include "workspace/location.h"

#include <algorithm>

#include "base/sha256.h"
#include "base/utf8.h"

namespace pimemory {
namespace {

constexpr std::size_t kDerivedDigits = 12;
constexpr std::size_t kMaxCheckoutIdBodyBytes = 125;

bool is_id_byte(char byte) {
  return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '_' ||
         byte == '-';
}

}  // namespace

Result<std::string> canonical_location(FileSystem& files, const std::string& base, const std::string& path) {
  if (path.empty()) return fail(ErrorCode::location_invalid, "the path of the checkout is empty");
  if (has_nul(path)) return fail(ErrorCode::location_invalid, "the path of the checkout holds a NUL byte");
  const std::string absolute = path.starts_with('/') ? path : join_path(base, path);
  auto real = files.real_path(absolute);
  if (!real) return fail(ErrorCode::location_invalid, real.error().message);
  if (!is_normalised_location(*real)) return fail(ErrorCode::location_invalid, "the path of the checkout is not UTF-8");
  PIMEMORY_ASSIGN(const FileInfo info, files.info(*real));
  if (info.type != FileType::directory) return fail(ErrorCode::location_invalid, *real + " is not a directory");
  return *real;
}

bool is_normalised_location(std::string_view location) {
  if (!location.starts_with('/') || has_nul(location) || !is_valid_utf8(location)) return false;
  if (location == "/") return true;
  for (std::size_t start = 1; start <= location.size();) {
    const std::size_t end = std::min(location.find('/', start), location.size());
    const std::string_view segment = location.substr(start, end - start);
    if (segment.empty() || segment == "." || segment == "..") return false;
    start = end + 1;
  }
  return !location.ends_with('/');
}

std::string derived_project_id(std::string_view location) {
  return "p_" + sha256_hex(location).substr(0, kDerivedDigits);
}

std::string derived_checkout_id(std::string_view location) {
  return "co_" + sha256_hex(location).substr(0, kDerivedDigits);
}

bool is_checkout_id(std::string_view id) {
  if (!id.starts_with("co_")) return false;
  id.remove_prefix(3);
  return !id.empty() && id.size() <= kMaxCheckoutIdBodyBytes && std::all_of(id.begin(), id.end(), is_id_byte);
}

std::string parent_directory(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

bool lies_beneath(std::string_view root, std::string_view path) {
  if (root == "/") return path.starts_with('/');
  return path == root || (path.size() > root.size() && path.starts_with(root) && path[root.size()] == '/');
}

std::string join_path(const std::string& directory, const std::string& name) {
  return directory.ends_with('/') ? directory + name : directory + "/" + name;
}

}  // namespace pimemory
