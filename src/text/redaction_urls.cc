// Finds secrets inside URLs: user information, query parameters and webhook paths.
#include <algorithm>
#include <array>

#include "text/redaction_rules.h"

namespace pimemory::redaction {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// The run without white space or quotes around a position, and its last `@`; computed once per run to stay linear.
struct Run {
  std::size_t end = 0;
  std::size_t last_at = kNone;
};

bool ends_run(char c) { return is_space(c) || is_quote(c); }

void advance_run(std::string_view text, std::size_t pos, Run& run) {
  if (pos < run.end) return;
  run.last_at = kNone;
  std::size_t i = pos;
  for (; i < text.size() && !ends_run(text[i]); ++i) {
    if (text[i] == '@') run.last_at = i;
  }
  run.end = i;
}

bool port_or_reference(std::string_view after_colon) {
  std::size_t i = 0;
  while (i < after_colon.size() && is_digit(after_colon[i])) ++i;
  if (i == after_colon.size() || (i > 0 && !is_alnum(after_colon[i]))) return true;
  const char c = after_colon[0];
  return c == '$' || c == '{' || c == '<' || c == '%' || c == '/' || c == '*' || c == ']' || c == '[' || c == '.';
}

bool reference_password(std::string_view password) { return password.empty() || value_stays(password, Form::kQuoted); }

// Returns the `@` that ends the user information of the authority at `begin`, or kNone.
std::size_t userinfo_end(std::string_view text, std::size_t begin, const Run& run) {
  std::size_t end = begin;
  std::size_t at = kNone;
  std::size_t colon = kNone;
  for (; end < text.size() && !ends_run(text[end]); ++end) {
    const char c = text[end];
    if (c == '/' || c == '?' || c == '#') break;
    if (c == '@') at = end;
    if (c == ':' && colon == kNone) colon = end;
  }
  if (colon == kNone) return kNone;
  if (at != kNone) {
    if (colon > at) return kNone;
    return reference_password(text.substr(colon + 1, at - colon - 1)) ? kNone : at;
  }
  if (text[begin] == '[' || port_or_reference(text.substr(colon + 1, run.end - colon - 1))) return kNone;
  if (run.last_at == kNone || run.last_at < end) return kNone;
  return run.last_at;
}

constexpr std::array<std::string_view, 18> kParameters = {
    "access_token",  "refresh_token", "id_token", "token",       "api_key",      "apikey",
    "client_secret", "secret",        "password", "sig",         "signature",    "auth_token",
    "passwd",        "pwd",           "api-key",  "accesstoken", "refreshtoken", "clientsecret"};

bool secret_parameter(std::string_view name) {
  if (starts_lower(name, "x-amz-")) return true;
  if (starts_lower(name, "x-goog-signature")) return true;
  return std::any_of(kParameters.begin(), kParameters.end(), [&](std::string_view p) { return equals_lower(name, p); });
}

bool starts_parameter(std::string_view text, std::size_t i) {
  const char c = text[i];
  if (c == '?' || c == '&' || c == '#') return true;
  if (c == ';') return i >= 4 && text.substr(i - 4, 4) == "&amp";
  return c == '6' && i >= 5 && text.substr(i - 5, 5) == "\\u002";
}

bool ends_parameter(std::string_view text, std::size_t i) {
  const char c = text[i];
  return c == '&' || c == '#' || is_space(c) || is_quote(c) || c == '\\';
}

struct Webhook {
  std::string_view mark;
  std::string_view host;
};
constexpr std::array<Webhook, 4> kWebhooks = {{{"/services/", "hooks.slack.com"},
                                               {"/workflows/", "hooks.slack.com"},
                                               {"/triggers/", "hooks.slack.com"},
                                               {"/webhooks/", "discord"}}};

bool webhook_host_before(std::string_view text, std::size_t pos, std::string_view host) {
  constexpr std::size_t kMaxHostBytes = 48;
  const std::size_t begin = pos > kMaxHostBytes ? pos - kMaxHostBytes : 0;
  return text.substr(begin, pos - begin).find(host) != kNone;
}

}  // namespace

void find_url_userinfo(std::string_view text, Edits& edits) {
  Run run;
  std::size_t pos = 0;
  while ((pos = text.find("://", pos)) != kNone) {
    const std::size_t begin = pos + 3;
    const bool scheme = pos > 0 && is_alnum(text[pos - 1]);
    pos = begin;
    if (!scheme || begin >= text.size()) continue;
    advance_run(text, begin, run);
    const std::size_t at = userinfo_end(text, begin, run);
    if (at == kNone) continue;
    edits.push_back({begin, at, kPlaceholder});
    pos = at;
  }
}

void find_url_parameters(std::string_view text, Edits& edits) {
  std::size_t equals = 0;
  while ((equals = text.find('=', equals)) != kNone) {
    std::size_t begin = equals;
    const std::size_t floor = equals > kMaxNameBytes ? equals - kMaxNameBytes : 0;
    while (begin > floor && is_base64url(text[begin - 1])) --begin;
    const std::size_t value = ++equals;
    // An escaped ampersand `\u0026` ends in characters that a name may hold.
    if (begin >= 1 && text[begin - 1] == '\\' && text.substr(begin).starts_with("u0026")) begin += 5;
    if (begin == 0 || !starts_parameter(text, begin - 1)) continue;
    if (!secret_parameter(text.substr(begin, value - 1 - begin))) continue;
    std::size_t end = value;
    while (end < text.size() && !ends_parameter(text, end)) ++end;
    equals = end;
    if (value_stays(text.substr(value, end - value), Form::kQuoted)) continue;
    if (text[value] == '$' || text[value] == '{' || text[value] == '<') {
      if (value_stays(text.substr(value, end - value), Form::kBare)) continue;
    }
    while (end > value && (is_closer(text[end - 1]) || text[end - 1] == ',' || text[end - 1] == ';')) --end;
    if (end > value) edits.push_back({value, end, kPlaceholder});
  }
}

void find_webhooks(std::string_view text, Edits& edits) {
  if (text.find("hooks.slack.com") == kNone && text.find("discord") == kNone) return;
  for (std::size_t i = text.find('/'); i != kNone; i = text.find('/', i + 1)) {
    for (const auto& hook : kWebhooks) {
      if (!text.substr(i).starts_with(hook.mark) || !webhook_host_before(text, i, hook.host)) continue;
      const std::size_t begin = i + hook.mark.size();
      std::size_t end = begin;
      while (end < text.size() && (is_base64url(text[end]) || text[end] == '/')) ++end;
      const std::string_view path = text.substr(begin, end - begin);
      const std::size_t slash = path.rfind('/');
      if (slash == kNone || value_stays(path.substr(slash + 1), Form::kQuoted)) continue;
      edits.push_back({begin, end, kPlaceholder});
      i = end - 1;
      break;
    }
  }
}

}  // namespace pimemory::redaction
