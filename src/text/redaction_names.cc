// Decides whether the name in front of a value promises a secret (firm), may hold one (loose), or neither.
#include <algorithm>
#include <array>

#include "text/redaction_rules.h"

namespace pimemory::redaction {
namespace {

constexpr std::array<std::string_view, 76> kHarmless = {
    "count",   "length",    "min",         "max",      "rate",     "days",     "policy",    "url",
    "uri",     "endpoint",  "name",        "path",     "file",     "dir",      "type",      "ttl",
    "expiry",  "method",    "provider",    "enabled",  "required", "field",    "header",    "limit",
    "ref",     "sock",      "socket",      "stdin",    "scanning", "rotation", "algorithm", "hint",
    "prompt",  "label",     "error",       "message",  "form",     "page",     "reset",     "regex",
    "pattern", "validator", "validation",  "strength", "manager",  "store",    "status",    "version",
    "size",    "format",    "scope",       "issuer",   "expires",  "mode",     "column",    "placeholder",
    "title",   "help",      "visible",     "scheme",   "source",   "port",     "host",      "prefix",
    "suffix",  "bucket",    "timeout",     "lifetime", "names",    "fields",   "headers",   "encryption",
    "hashers", "keys",      "fingerprint", "checksum"};

constexpr std::array<std::string_view, 30> kFileEndings = {
    "ts",  "js",   "py",  "cc", "cpp", "h",   "hpp", "go",  "rs", "java",  "md", "json", "yaml", "yml", "toml",
    "txt", "html", "css", "sh", "rb",  "php", "tsx", "jsx", "kt", "swift", "c",  "cs",   "sql",  "vue", "log"};

constexpr std::array<std::string_view, 10> kFirmParts = {"password",   "passwd",     "pwd",   "passphrase", "secret",
                                                         "contraseña", "contrasena", "senha", "passwort",   "kennwort"};

constexpr std::array<std::string_view, 11> kLooseParts = {"pass",        "token",      "auth",        "authorization",
                                                          "cert",        "credential", "credentials", "authtoken",
                                                          "accesstoken", "apitoken",   "bearer"};

constexpr std::array<std::string_view, 5> kKeyKinds = {"api", "access", "private", "account", "signing"};
constexpr std::array<std::string_view, 6> kLooseKeyKinds = {"encryption", "master",       "shared",
                                                            "storage",    "subscription", "session"};

template <std::size_t N>
bool among(std::string_view value, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

struct Parts {
  std::array<char, kMaxNameBytes> lower{};
  std::array<std::string_view, kMaxNameBytes> items;
  std::size_t count = 0;
  bool last_after_dot = false;
};

bool separator(char c) { return c == '_' || c == '-' || c == '.' || c == ' ' || c == '\t'; }

bool case_change(std::string_view name, std::size_t i) {
  if (!is_upper(name[i]) || i == 0) return false;
  const char before = name[i - 1];
  if (is_lower(before) || is_digit(before)) return true;
  return is_upper(before) && i + 1 < name.size() && is_lower(name[i + 1]);
}

void split(std::string_view name, Parts& parts) {
  std::size_t begin = 0;
  const auto close = [&](std::size_t end) {
    std::size_t stop = end;
    while (stop > begin && is_digit(name[stop - 1])) --stop;  // `password2` is a password
    if (stop == begin) stop = end;
    if (stop > begin) {
      parts.items[parts.count++] = std::string_view(parts.lower.data() + begin, stop - begin);
      parts.last_after_dot = begin > 0 && name[begin - 1] == '.';
    }
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool upper_enye = i > 0 && name[i - 1] == '\xC3' && name[i] == '\x91';
    parts.lower[i] = upper_enye ? '\xB1' : to_lower(name[i]);
    if (separator(name[i])) {
      close(i);
      begin = i + 1;
    } else if (case_change(name, i)) {
      close(i);
      begin = i;
    }
  }
  close(name.size());
}

bool firm_part(std::string_view part) {
  if (among(part, kFirmParts)) return true;
  if (part.ends_with("password") || part.ends_with("passwd") || part.ends_with("secret")) return true;
  if (!part.ends_with("key")) return false;
  part.remove_suffix(3);
  return among(part, kKeyKinds) || part.ends_with("api");
}

bool firm_group(const Parts& parts, std::size_t i) {
  const auto at = [&](std::size_t k) { return i + k < parts.count ? parts.items[i + k] : std::string_view(); };
  if (at(1) == "key" && among(at(0), kKeyKinds)) return true;
  if (at(0) == "clave" && at(1) == "secreta") return true;
  return at(0) == "mot" && at(1) == "de" && at(2) == "passe";
}

bool loose_group(const Parts& parts, std::size_t i) {
  if (among(parts.items[i], kLooseParts)) return true;
  return i + 1 < parts.count && parts.items[i + 1] == "key" && among(parts.items[i], kLooseKeyKinds);
}

}  // namespace

NameMatch classify_name(std::string_view name) {
  if (name.size() < 3 || name.size() > kMaxNameBytes) return {};
  Parts parts;
  split(name, parts);
  if (parts.count == 0) return {};
  const std::string_view last = parts.items[parts.count - 1];
  if (among(last, kHarmless) || (parts.last_after_dot && among(last, kFileEndings))) return {};
  NameMatch match;
  for (std::size_t i = 0; i < parts.count; ++i) {
    if (parts.items[i] == "pwd") {
      match = {NameKind::kFirm, true};
    } else if (firm_part(parts.items[i]) || firm_group(parts, i)) {
      return {NameKind::kFirm, false};
    } else if (match.kind == NameKind::kNone && loose_group(parts, i)) {
      match = {NameKind::kLoose, true};
    }
  }
  if (match.kind == NameKind::kLoose && last == "id") return {};
  return match;
}

}  // namespace pimemory::redaction
