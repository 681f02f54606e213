// Decides what a value is: random enough to be a secret, or a reference, mask, constant, type or path that stays.
#include <algorithm>
#include <array>

#include "text/redaction_rules.h"

namespace pimemory::redaction {
namespace {

constexpr std::size_t kMaxReferenceBytes = 128;

constexpr std::array<std::string_view, 44> kConstants = {"null",
                                                         "nil",
                                                         "none",
                                                         "undefined",
                                                         "true",
                                                         "false",
                                                         "on",
                                                         "off",
                                                         "yes",
                                                         "no",
                                                         "str",
                                                         "string",
                                                         "text",
                                                         "char",
                                                         "varchar",
                                                         "bytes",
                                                         "byte",
                                                         "int",
                                                         "integer",
                                                         "bool",
                                                         "number",
                                                         "any",
                                                         "object",
                                                         "void",
                                                         "float",
                                                         "double",
                                                         "long",
                                                         "uuid",
                                                         "unknown",
                                                         "never",
                                                         "blob",
                                                         "bytea",
                                                         "boolean",
                                                         "nullable",
                                                         "required",
                                                         "optional",
                                                         "nvarchar",
                                                         "secretstr",
                                                         "redacted",
                                                         "hidden",
                                                         "masked",
                                                         "std::string",
                                                         "std::string_view",
                                                         "string_view"};

constexpr std::array<std::string_view, 34> kCodeRoots = {
    "self",    "this",   "process", "config",  "req",  "request", "env",    "settings", "args",
    "options", "params", "opts",    "props",   "form", "user",    "ctx",    "event",    "import",
    "data",    "values", "secrets", "vault",   "var",  "local",   "module", "cfg",      "conf",
    "context", "input",  "body",    "payload", "os",   "app",     "state"};

constexpr std::array<std::string_view, 33> kTerms = {
    "base64", "base32", "base58",   "base64url", "sha1",     "sha224", "sha256",  "sha384",  "sha512",
    "sha3",   "argon2", "argon2id", "argon2i",   "ed25519",  "x25519", "rsa2048", "rsa4096", "aes128",
    "aes256", "pbkdf2", "md5",      "utf8",      "utf16",    "x509",   "oauth2",  "hs256",   "rs256",
    "es256",  "k8s",    "pkcs8",    "pkcs12",    "ecdsa256", "aws4"};

template <std::size_t N>
bool among(std::string_view value, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool all_word(std::string_view value) { return !value.empty() && std::all_of(value.begin(), value.end(), is_word); }

// `$X`, `$1`, `${X}`, `$(…)`, `%s`, `%X%`.
bool shell_reference(std::string_view value, Form form) {
  if (value.size() < 2) return false;
  if (value[0] == '%') {
    return value == "%s" || value == "%v" || value == "%d" || value == "%@" || (value.size() > 2 && value[1] == '(') ||
           (value.back() == '%' && value.size() > 2 && all_word(value.substr(1, value.size() - 2)));
  }
  if (value[0] != '$') return false;
  if (starts_lower(value, "$env:")) return true;
  const char next = value[1];
  if (next == '{') return form == Form::kBare || value.back() == '}';
  if (next == '(') return form == Form::kBare || value.back() == ')';
  const bool digits = std::all_of(value.begin() + 1, value.end(), is_digit);
  if (is_digit(next)) return digits;
  if (!is_letter(next) && next != '_') return false;
  std::size_t i = 1;
  while (i < value.size() && is_word(value[i])) ++i;
  if (i == value.size()) return true;
  return form == Form::kBare && (value[i] == '-' || value[i] == '[' || value[i] == '(' || value[i] == '.');
}

// `{x}`, `{{x}}`, `<x>`; a bare one may hold blanks, so only its opening is at hand.
bool bracket_reference(std::string_view value, Form form) {
  if (value.empty()) return false;
  if (value.starts_with("<REDACTED")) return true;
  if (value[0] == '{') return form == Form::kBare || value.back() == '}';
  if (value[0] != '<') return false;
  if (form == Form::kQuoted) return value.back() == '>';
  return value.size() > 1 && (is_letter(value[1]) || value[1] == '<' || value[1] == '_');
}

bool mask(std::string_view value) {
  const bool stars = std::all_of(value.begin(), value.end(), [](char c) { return c == '*' || c == '.'; });
  if (stars) return true;
  return value.size() >= 3 && std::all_of(value.begin(), value.end(), [](char c) {
           return c == '*' || c == 'x' || c == 'X' || c == '-' || c == '_' || c == '.';
         });
}

bool constant(std::string_view value) {
  while (!value.empty() && (value[0] == '&' || value[0] == '*')) value.remove_prefix(1);
  while (!value.empty() && (value.back() == '?' || value.back() == '.' || value.back() == '!' || value.back() == '*')) {
    value.remove_suffix(1);
  }
  if (value.size() > 32) return false;
  const std::string lower = lowered(value);
  return among(lower, kConstants) || (lower.ends_with("string") && all_word(lower));
}

// A call, a subscript, or a dotted name that itself holds a firm or loose word.
bool code_reference(std::string_view value) {
  while (!value.empty() && (value[0] == '&' || value[0] == '*' || value[0] == '!')) value.remove_prefix(1);
  if (value.empty() || !(is_letter(value[0]) || value[0] == '_' || value[0] == '@')) return false;
  value = value.substr(0, kMaxReferenceBytes);
  std::size_t i = 0;
  bool plain = true;
  while (i < value.size()) {
    const char c = value[i];
    if (is_digit(c)) plain = false;
    const bool arrow = c == '-' && i + 1 < value.size() && value[i + 1] == '>';
    const bool link = c == '.' || c == ':' || c == '?' || c == '!' || c == '$' || c == '@' || arrow;
    if (arrow) ++i;
    if (!is_word(c) && !link) break;
    ++i;
  }
  if (i > 0 && i < value.size() && (value[i] == '(' || value[i] == '[')) return true;
  if (i > 0 && i + 1 < value.size() && value[i] == '<' && is_letter(value[i + 1])) return true;
  if (i < value.size() || !plain) return false;
  while (!value.empty() && (value.back() == ':' || value.back() == '?' || value.back() == '!' || value.back() == '.')) {
    value.remove_suffix(1);
  }
  if (value.size() > kMaxNameBytes) return false;
  const std::size_t dot = value.find('.');
  if (dot != std::string_view::npos && among(lowered(value.substr(0, dot)), kCodeRoots)) return true;
  if (classify_name(value).kind != NameKind::kNone) return true;
  const std::string lower = lowered(value);
  return lower.ends_with("_key") || (value.ends_with("Key") && value.size() > 3) || lower == "key";
}

// `your-api-key`: documentation that tells the reader what to put here.
bool instruction(std::string_view value) {
  return (starts_lower(value, "your-") || starts_lower(value, "your_")) &&
         std::none_of(value.begin(), value.end(), is_digit);
}

bool environment_reference(std::string_view value) {
  return value.starts_with("process.env") || value.starts_with("os.environ") || value.starts_with("import.meta.env") ||
         value.starts_with("ENV[") || value.starts_with("Deno.env");
}

}  // namespace

bool token_like(std::string_view value) {
  if (value.size() < 8) return false;
  bool letter = false;
  bool digit = false;
  int changes = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (!is_token_char(c)) return false;
    letter = letter || is_letter(c);
    digit = digit || is_digit(c);
    if (i > 0 && is_lower(value[i - 1]) && is_upper(c)) ++changes;
  }
  return (letter && digit) || changes >= 2;
}

bool letter_and_digit(std::string_view value, std::size_t minimum) {
  std::size_t characters = 0;
  bool letter = false;
  bool digit = false;
  for (const char c : value) {
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++characters;
    letter = letter || is_letter(c) || is_high(c);
    digit = digit || is_digit(c);
  }
  return letter && digit && characters >= minimum;
}

bool identifier_like(std::string_view value) {
  int digits = 0;
  for (const char c : value) {
    if (is_digit(c)) ++digits;
    const bool allowed = is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '/';
    if (!allowed || digits > 2) return false;
  }
  return true;
}

bool technical_term(std::string_view value) {
  if (value.size() > 40) return false;
  const std::string lower = lowered(value);
  const std::size_t dash = lower.find('-');
  const std::string_view head = std::string_view(lower).substr(0, dash);
  if (among(head, kTerms)) return true;
  if (dash != std::string::npos) {
    const std::string_view tail = std::string_view(lower).substr(dash + 1);
    if (!head.empty() && std::all_of(head.begin(), head.end(), is_digit) &&
        std::all_of(tail.begin(), tail.end(), is_lower)) {
      return true;  // `32-byte`
    }
    if (head == "sha" || head == "aes" || head == "utf" || head == "rsa" || head == "oauth") return true;
  }
  if (lower.starts_with('v') && lower.size() > 1 && is_digit(lower[1])) {
    return std::all_of(lower.begin() + 1, lower.end(), [](char c) { return is_digit(c) || c == '.'; });
  }
  return false;
}

bool value_stays(std::string_view value, Form form) {
  if (form == Form::kQuoted) {
    while (!value.empty() && is_blank(value.front())) value.remove_prefix(1);
    while (!value.empty() && is_blank(value.back())) value.remove_suffix(1);
  }
  const bool content = std::any_of(value.begin(), value.end(), [](char c) { return is_alnum(c) || is_high(c); });
  if (!content || value == "…" || value == "•••") return true;
  if (mask(value) || shell_reference(value, form) || bracket_reference(value, form) || constant(value)) return true;
  if (environment_reference(value) || instruction(value)) return true;
  return form == Form::kBare && code_reference(value);
}

bool path_like(std::string_view value) {
  return value.starts_with('/') || value.starts_with("~/") || value.starts_with("./") || value.starts_with("../");
}

bool known_path(std::string_view value) {
  static constexpr std::array<std::string_view, 18> kRoots = {
      "~/",    "./",    "../",    "/etc/", "/home/", "/run/", "/var/",       "/usr/",   "/opt/",
      "/tmp/", "/srv/", "/root/", "/mnt/", "/dev/",  "/app/", "/workspace/", "/Users/", "/secrets/"};
  return std::any_of(kRoots.begin(), kRoots.end(), [&](std::string_view root) { return value.starts_with(root); });
}

}  // namespace pimemory::redaction
