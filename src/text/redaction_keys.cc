// Finds secrets that are recognisable by themselves: private key blocks, JSON web tokens and vendor tokens.
#include <algorithm>
#include <array>

#include "text/redaction_rules.h"

namespace pimemory::redaction {
namespace {

constexpr std::string_view kBegin = "-----BEGIN";
constexpr std::string_view kEnd = "-----END";
constexpr std::size_t kMaxLabelBytes = 64;
constexpr std::size_t kMinJwtPartBytes = 4;

// Reads ` <LABEL>-----` at `pos`; returns the end of the mark when the label names a private key, else 0.
std::size_t private_key_mark_end(std::string_view text, std::size_t pos) {
  const std::string_view rest = text.substr(pos, kMaxLabelBytes);
  std::size_t i = 0;
  while (i < rest.size() && (is_upper(rest[i]) || is_digit(rest[i]) || rest[i] == ' ')) ++i;
  const std::string_view label = rest.substr(0, i);
  if (!label.ends_with(" PRIVATE KEY") && !label.ends_with(" PRIVATE KEY BLOCK")) return 0;
  return rest.substr(i).starts_with("-----") ? pos + i + 5 : 0;
}

std::size_t private_key_end(std::string_view text, std::size_t pos) {
  while ((pos = text.find(kEnd, pos)) != std::string_view::npos) {
    const std::size_t end = private_key_mark_end(text, pos + kEnd.size());
    if (end != 0) return end;
    pos += kEnd.size();
  }
  return text.size();
}

std::size_t base64url_end(std::string_view text, std::size_t pos) {
  while (pos < text.size() && is_base64url(text[pos])) ++pos;
  return pos;
}

// End of the token that starts at `pos`, or 0.
std::size_t jwt_end(std::string_view text, std::size_t pos) {
  const std::size_t first = base64url_end(text, pos);
  if (first - pos < kMinJwtPartBytes || !text.substr(first).starts_with(".eyJ")) return 0;
  const std::size_t second = base64url_end(text, first + 1);
  if (second - first - 1 < kMinJwtPartBytes || second >= text.size() || text[second] != '.') return 0;
  std::size_t end = base64url_end(text, second + 1);
  if (end == second + 1) return 0;
  while (end + 1 < text.size() && text[end] == '.' && is_base64url(text[end + 1])) end = base64url_end(text, end + 1);
  return end;
}

enum class Body { kDashed, kPlain, kDotted, kHex };

struct Vendor {
  std::string_view prefix;
  std::size_t minimum;
  Body body;
};

constexpr std::array<Vendor, 57> kVendors = {
    {{"xapp-", 8, Body::kDashed},       {"xoxa-", 8, Body::kDashed},     {"xoxb-", 8, Body::kDashed},
     {"xoxp-", 8, Body::kDashed},       {"xoxr-", 8, Body::kDashed},     {"xoxs-", 8, Body::kDashed},
     {"xoxe-", 8, Body::kDashed},       {"xoxc-", 8, Body::kDashed},     {"xoxd-", 8, Body::kDashed},
     {"xoxo-", 8, Body::kDashed},       {"ghp_", 8, Body::kDashed},      {"gho_", 8, Body::kDashed},
     {"ghu_", 8, Body::kDashed},        {"ghs_", 8, Body::kDashed},      {"ghr_", 8, Body::kDashed},
     {"github_pat_", 8, Body::kDashed}, {"glpat-", 8, Body::kDashed},    {"gldt-", 8, Body::kDashed},
     {"glrt-", 8, Body::kDashed},       {"pypi-", 8, Body::kDashed},     {"whsec_", 8, Body::kDashed},
     {"gsk_", 8, Body::kDashed},        {"xai-", 8, Body::kDashed},      {"nvapi-", 8, Body::kDashed},
     {"r8_", 8, Body::kDashed},         {"dckr_pat_", 8, Body::kDashed}, {"dckr_oat_", 8, Body::kDashed},
     {"shpat_", 8, Body::kDashed},      {"shpss_", 8, Body::kDashed},    {"shpca_", 8, Body::kDashed},
     {"shppa_", 8, Body::kDashed},      {"ya29.", 8, Body::kDotted},     {"dop_v1_", 8, Body::kDashed},
     {"doo_v1_", 8, Body::kDashed},     {"dor_v1_", 8, Body::kDashed},   {"hvs.", 16, Body::kDashed},
     {"lin_api_", 16, Body::kDashed},   {"glsa_", 16, Body::kDashed},    {"sntrys_", 16, Body::kDashed},
     {"sbp_", 16, Body::kPlain},        {"figd_", 16, Body::kDashed},    {"rubygems_", 16, Body::kPlain},
     {"PMAK-", 16, Body::kDashed},      {"NRAK-", 16, Body::kDashed},    {"sk_live_", 8, Body::kDashed},
     {"sk_test_", 8, Body::kDashed},    {"sk_prod_", 8, Body::kDashed},  {"pk_live_", 8, Body::kDashed},
     {"pk_test_", 8, Body::kDashed},    {"pk_prod_", 8, Body::kDashed},  {"rk_live_", 8, Body::kDashed},
     {"rk_test_", 8, Body::kDashed},    {"rk_prod_", 8, Body::kDashed},  {"hf_", 16, Body::kPlain},
     {"npm_", 16, Body::kPlain},        {"AIza", 20, Body::kDashed},     {"key-", 32, Body::kHex}}};

bool in_body(char c, Body body) {
  switch (body) {
    case Body::kDashed:
      return is_base64url(c);
    case Body::kPlain:
      return is_alnum(c);
    case Body::kDotted:
      return is_base64url(c) || c == '.';
    case Body::kHex:
      return is_digit(c) || (c >= 'a' && c <= 'f');
  }
  return false;
}

std::size_t body_end(std::string_view text, std::size_t pos, Body body) {
  while (pos < text.size() && in_body(text[pos], body)) ++pos;
  return pos;
}

bool digit_or_both_cases(std::string_view body) {
  return std::any_of(body.begin(), body.end(), is_digit) ||
         (std::any_of(body.begin(), body.end(), is_lower) && std::any_of(body.begin(), body.end(), is_upper));
}

// Returns the end of a body of at least `minimum` bytes with a digit or both cases, else 0.
std::size_t matched_body(std::string_view text, std::size_t pos, std::size_t minimum, Body body) {
  std::size_t end = body_end(text, pos, body);
  while (body == Body::kDotted && end > pos && text[end - 1] == '.') --end;
  if (end < pos + minimum || !digit_or_both_cases(text.substr(pos, end - pos))) return 0;
  while (end < text.size() && (text[end] == '=' || text[end] == '+' || text[end] == '/') && body != Body::kHex) {
    std::size_t next = body_end(text, end + 1, body);
    if (text[end] != '=' && next == end + 1) break;
    end = next;
  }
  return end;
}

std::size_t aws_key_end(std::string_view rest) {
  std::size_t end = 4;
  while (end < rest.size() && (is_upper(rest[end]) || is_digit(rest[end]))) ++end;
  return end >= 20 ? end : 0;
}

std::size_t sendgrid_end(std::string_view rest) {
  const std::size_t dot = body_end(rest, 3, Body::kDashed);
  if (dot - 3 < 8 || dot >= rest.size() || rest[dot] != '.') return 0;
  const std::size_t end = body_end(rest, dot + 1, Body::kDashed);
  return end - dot > 8 && digit_or_both_cases(rest.substr(3, end - 3)) ? end : 0;
}

// `sk_x…`, `pk_x…`, `rk_x…` without a further underscore.
std::size_t plain_key_end(std::string_view rest) {
  const std::size_t end = matched_body(rest, 3, 16, Body::kPlain);
  return end != 0 && (end >= rest.size() || rest[end] != '_') ? end : 0;
}

std::size_t sk_dash_end(std::string_view rest) {
  const std::size_t end = matched_body(rest, 3, 12, Body::kDashed);
  return end != 0 && !identifier_like(rest.substr(3, end - 3)) ? end : 0;
}

// Length of the vendor token that `rest` begins with, or 0.
std::size_t vendor_token(std::string_view rest) {
  if (rest.starts_with("AKIA") || rest.starts_with("ASIA")) return aws_key_end(rest);
  if (rest.starts_with("SG.")) return sendgrid_end(rest);
  if (rest.starts_with("sk-")) return sk_dash_end(rest);
  for (const auto& vendor : kVendors) {
    if (rest[0] != vendor.prefix[0] || !rest.starts_with(vendor.prefix)) continue;
    const std::size_t end = matched_body(rest, vendor.prefix.size(), vendor.minimum, vendor.body);
    if (end != 0) return end;
  }
  if (rest.starts_with("sk_") || rest.starts_with("pk_") || rest.starts_with("rk_")) return plain_key_end(rest);
  return 0;
}

// A dash inside a word starts no token; one after a non-word byte, as in `${X:-ghp_…}`, does. Word-internal dashes are
// left out so that a body is never scanned twice.
bool vendor_starts_at(std::string_view text, std::size_t pos) {
  if (!word_starts_at(text, pos)) return false;
  if (pos == 0 || text[pos - 1] != '-') return true;
  return pos == 1 || !is_base64url(text[pos - 2]);
}

std::array<bool, 256> first_bytes() {
  std::array<bool, 256> set{};
  for (const auto& vendor : kVendors) set[static_cast<unsigned char>(vendor.prefix[0])] = true;
  for (const char c : {'A', 'S', 's', 'p', 'r'}) set[static_cast<unsigned char>(c)] = true;
  return set;
}

}  // namespace

void find_private_keys(std::string_view text, Edits& edits) {
  std::size_t pos = 0;
  while ((pos = text.find(kBegin, pos)) != std::string_view::npos) {
    const std::size_t mark_end = private_key_mark_end(text, pos + kBegin.size());
    if (mark_end == 0) {
      pos += kBegin.size();
      continue;
    }
    const std::size_t end = private_key_end(text, mark_end);
    edits.push_back({pos, end, kKeyPlaceholder});
    pos = end;
  }
}

void find_jwts(std::string_view text, Edits& edits) {
  std::size_t pos = 0;
  while ((pos = text.find("eyJ", pos)) != std::string_view::npos) {
    const bool starts = word_starts_at(text, pos) && (pos == 0 || text[pos - 1] != '-');
    const std::size_t end = starts ? jwt_end(text, pos) : 0;
    if (end != 0) edits.push_back({pos, end, kJwtPlaceholder});
    pos = end != 0 ? end : pos + 3;
  }
}

void find_vendor_tokens(std::string_view text, Edits& edits) {
  static const std::array<bool, 256> kFirst = first_bytes();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!kFirst[static_cast<unsigned char>(text[i])] || !vendor_starts_at(text, i)) continue;
    const std::size_t length = vendor_token(text.substr(i));
    if (length == 0) continue;
    edits.push_back({i, i + length, kPlaceholder});
    i += length - 1;
  }
}

}  // namespace pimemory::redaction
