// What is shown must be what is stored, so each character that draws nothing is refused or spelled out.
#include "cli/vouch.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/utf8.h"
#include "cli/terminal.h"
#include "contracts/text_bounds.h"
#include "engine/evidence.h"
#include "text/redaction.h"

namespace pimemory {
namespace {

constexpr std::size_t kExcerptBytesMax = 8'192;
// Asks for the coloured form of the emoji before it; it is typed with many of them and draws them.
constexpr char32_t kEmojiSelector = 0xfe0f;

bool is_hidden(char32_t c) {
  if (c == kEmojiSelector) return false;
  const utf8proc_property_t* property = utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
  switch (property->category) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
      return true;
    default:
      return property->ignorable;
  }
}

std::string hex_digits(char32_t c) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "%04x", static_cast<unsigned>(c));
  return digits;
}

std::optional<char32_t> first_hidden(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();)
    if (const char32_t c = decode_code_point(text, pos); is_hidden(c)) return c;
  return std::nullopt;
}

std::string spelled_out(std::string_view text) {
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = decode_code_point(text, pos);
    if (is_hidden(c))
      out += "\\u{" + hex_digits(c) + "}";
    else
      append_code_point(out, c);
  }
  return out;
}

// With --json stdout carries the object alone, so the question goes to stderr.
std::FILE* question_stream(const CommandContext& context) { return context.output.json() ? stderr : stdout; }

}  // namespace

Status VouchCard::give(const std::string& label, const std::string& where, const std::string& value) {
  if (const auto hidden = first_hidden(value))
    return fail(ErrorCode::invalid, where + " holds U+" + hex_digits(*hidden) + ", which a terminal does not show",
                "write it on one line and without such characters");
  rows_.emplace_back(label, redact(value));
  return {};
}

void VouchCard::show(const std::string& label, const std::string& value) {
  rows_.emplace_back(label, spelled_out(redact(value)));
}

std::string VouchCard::text() const {
  std::size_t widest = 0;
  for (const auto& [label, value] : rows_) widest = std::max(widest, label.size());
  std::string text;
  for (const auto& [label, value] : rows_)
    text += (text.empty() ? "  " : "\n  ") + label + std::string(widest - label.size() + 2, ' ') + value;
  return text;
}

bool can_ask(const CommandContext& context) { return can_ask_person(question_stream(context)); }

Status check_evidence_text(const std::string& where, const std::string& text) {
  PIMEMORY_TRY(check_bytes(where, text, kExcerptBytesMax, Blank::refused));
  return check_bytes(where + " with its credentials replaced", redact(text), kExcerptBytesMax, Blank::refused);
}

Result<EvidenceRef> ask_for_evidence(CommandContext& context, const std::string& text, const VouchCard& card,
                                     const Question& question) {
  bool is_confirmed = false;
  if (can_ask(context)) {
    const std::string otherwise = question.needs_person
                                      ? "anything else or Ctrl-C = not at all:"
                                      : "anything else = as an unconfirmed report, Ctrl-C = not at all:";
    is_confirmed = ask_y(question_stream(context), card.text(),
                         "Do you vouch for this yourself? y = " + question.action + " as your word, " + otherwise);
  }
  const TimeMs now = context.env.clock.now();
  return is_confirmed ? user_evidence(context.env, text, kCliSession, now)
                      : agent_evidence(context.env, text, kCliSession, now);
}

}  // namespace pimemory
