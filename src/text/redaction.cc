// Runs the redaction rows in their fixed order until the text no longer changes.
#include "text/redaction.h"

#include <array>
#include <utility>

#include "text/redaction_rules.h"

namespace pimemory {
namespace {

using redaction::Edits;
using Row = void (*)(std::string_view, Edits&);

constexpr std::array<Row, 12> kRows = {
    redaction::find_private_keys,      redaction::find_url_userinfo,  redaction::find_url_parameters,
    redaction::find_webhooks,          redaction::find_headers,       redaction::find_jwts,
    redaction::find_schemes,           redaction::find_vendor_tokens, redaction::find_assignments,
    redaction::find_command_arguments, redaction::find_login_files,   redaction::find_sentences};

// One row can uncover work for an earlier one, so rounds repeat; the bound keeps the cost linear.
constexpr int kMaxRounds = 8;

// Returns false when the edits change nothing.
bool apply_edits(std::string& text, const Edits& edits) {
  std::string out;
  out.reserve(text.size());
  std::size_t done = 0;
  bool changed = false;
  for (const auto& edit : edits) {
    if (edit.begin < done || edit.end <= edit.begin) continue;
    const std::string_view old(text.data() + edit.begin, edit.end - edit.begin);
    if (old == edit.replacement) continue;
    out.append(text, done, edit.begin - done);
    out.append(edit.replacement);
    done = edit.end;
    changed = true;
  }
  if (!changed) return false;
  out.append(text, done, std::string::npos);
  text = std::move(out);
  return true;
}

bool run_rows(std::string& text) {
  bool changed = false;
  Edits edits;
  for (const Row row : kRows) {
    edits.clear();
    row(text, edits);
    if (!edits.empty() && apply_edits(text, edits)) changed = true;
  }
  return changed;
}

}  // namespace

std::string redact(std::string_view text) {
  std::string result(text);
  for (int round = 0; round < kMaxRounds; ++round) {
    if (!run_rows(result)) break;
  }
  return result;
}

bool contains_credential(std::string_view text) { return redact(text) != text; }

}  // namespace pimemory
