// Printing. Stored text is other people's text: it never reaches a terminal with its controls.
#include "cli/output.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "base/rfc3339.h"
#include "base/utf8.h"
#include "cli/terminal.h"
#include "text/redaction.h"

namespace pimemory {
namespace {

constexpr char32_t kEscape = 0x1b;
constexpr char32_t kBell = 0x07;
constexpr char32_t kStringTerminator = 0x9c;
constexpr std::string_view kEllipsis = "…";

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c <= 0x9f); }

bool is_bidi_mark(char32_t c) {
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

bool opens_control_sequence(char32_t c) { return c == '[' || c == 0x9b; }

// OSC, DCS, SOS, PM and APC, in their seven-bit and eight-bit spelling.
bool opens_control_string(char32_t c) {
  return c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_' || c == 0x9d || c == 0x90 || c == 0x98 || c == 0x9e ||
         c == 0x9f;
}

// Parameters up to the final byte; stops before anything that cannot belong to it.
void skip_control_sequence(std::string_view text, std::size_t& pos) {
  while (pos < text.size()) {
    std::size_t next = pos;
    const char32_t c = decode_code_point(text, next);
    if (c < 0x20 || c > 0x7e) return;
    pos = next;
    if (c >= 0x40) return;
  }
}

// Up to BEL or ST. An unterminated one ends with its line, so that it cannot swallow a whole text.
void skip_control_string(std::string_view text, std::size_t& pos) {
  while (pos < text.size()) {
    std::size_t next = pos;
    const char32_t c = decode_code_point(text, next);
    if (c == '\n') return;
    pos = next;
    if (c == kBell || c == kStringTerminator) return;
    if (c == kEscape) {
      if (pos < text.size() && text[pos] == '\\') ++pos;
      return;
    }
  }
}

void skip_escape(std::string_view text, char32_t first, std::size_t& pos) {
  char32_t kind = first;
  if (first == kEscape) {
    if (pos >= text.size() || static_cast<unsigned char>(text[pos]) >= 0x80 || text[pos] == '\n') return;
    kind = static_cast<char32_t>(text[pos++]);
  }
  if (opens_control_sequence(kind)) return skip_control_sequence(text, pos);
  if (opens_control_string(kind)) return skip_control_string(text, pos);
  // Intermediate bytes such as those of a character set choice, then one final byte.
  if (first == kEscape && kind >= 0x20 && kind <= 0x2f && pos < text.size() && text[pos] >= 0x20) ++pos;
}

std::string joined_lines(std::string_view text) {
  std::string line = clean_line(text);
  while (line.ends_with('.')) line.pop_back();
  return redact(line);
}

std::string dump(const OrderedJson& object) {
  return object.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = decode_code_point(text, pos);
    if (c == '\n') {
      clean += '\n';
    } else if (c == '\t') {
      clean += ' ';
    } else if (is_control(c)) {
      if (c == kEscape || c >= 0x80) skip_escape(text, c, pos);
    } else if (!is_bidi_mark(c)) {
      append_code_point(clean, c);
    }
  }
  return clean;
}

std::string clean_line(std::string_view text) { return collapse_whitespace(clean_text(text)); }

std::size_t display_columns(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t pos = 0; pos < text.size();)
    columns += static_cast<std::size_t>(
        std::max(0, utf8proc_charwidth(static_cast<utf8proc_int32_t>(decode_code_point(text, pos)))));
  return columns;
}

std::string clip_columns(std::string_view text, std::size_t columns) {
  if (display_columns(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t used = 0;
  std::size_t end = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    decode_code_point(text, pos);
    used += display_columns(text.substr(start, pos - start));
    if (used + 1 > columns) break;
    end = pos;
  }
  return std::string(text.substr(0, end)) + std::string(kEllipsis);
}

nlohmann::json time_json(const std::optional<TimeMs>& time) {
  return time ? nlohmann::json(format_rfc3339(*time)) : nlohmann::json(nullptr);
}

Output::Output(bool json) : json_(json), terminal_(is_terminal(stdout)) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* type = std::getenv("TERM");
  const bool is_dumb = type == nullptr || std::string_view(type) == "dumb" || *type == '\0';
  colour_ = terminal_ && !json && !is_dumb && (no_colour == nullptr || *no_colour == '\0');
  if (terminal_) columns_ = terminal_columns();
}

std::string Output::paint(Style style, std::string_view text) const {
  if (!colour_ || style == Style::plain) return std::string(text);
  const char* code = "0";
  switch (style) {
    case Style::plain:
      break;
    case Style::bold:
      code = "1";
      break;
    case Style::dim:
      code = "2";
      break;
    case Style::green:
      code = "32";
      break;
    case Style::yellow:
      code = "33";
      break;
    case Style::red:
      code = "31";
      break;
  }
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

void Output::line(std::string_view text) const {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
}

void Output::object(const OrderedJson& object) const { line(dump(object)); }

void Output::untrusted_object(OrderedJson object) const {
  OrderedJson marked = {{"retained_memory", "untrusted"}};
  for (auto& [name, value] : object.items()) marked[name] = std::move(value);
  // In JSON both characters occur inside strings only.
  std::string escaped;
  for (const char c : dump(marked)) {
    if (c == '<')
      escaped += "\\u003c";
    else if (c == '>')
      escaped += "\\u003e";
    else
      escaped += c;
  }
  line(escaped);
}

void Output::card(std::string_view title, const std::vector<std::pair<std::string, std::string>>& rows) const {
  line(paint(Style::bold, title));
  std::size_t widest = 0;
  for (const auto& [label, value] : rows) widest = std::max(widest, display_columns(label));
  for (const auto& [label, value] : rows) {
    const std::string padding(widest - display_columns(label) + 2, ' ');
    line("  " + paint(Style::dim, label) + padding + clean_line(value));
  }
}

void Output::gaps(const Gaps& gaps) const {
  for (const std::string& gap : gaps) line(paint(Style::yellow, "! " + redact(clean_line(gap))));
}

Style standing_style(std::string_view standing) {
  if (standing == "supported") return Style::green;
  if (standing == "needs_review" || standing == "candidate") return Style::yellow;
  return Style::dim;
}

int print_error(const Error& error, bool json) {
  const std::string code(error_code_name(error.code));
  if (json) {
    const OrderedJson body = {
        {"code", code}, {"message", redact(error.message)}, {"hint", redact(error.hint)}, {"retry", error.retry}};
    std::puts(dump(OrderedJson{{"error", body}}).c_str());
  } else {
    std::string text = "pi-memory: " + code + ": " + joined_lines(error.message);
    if (!error.hint.empty()) text += ". " + joined_lines(error.hint);
    std::fprintf(stderr, "%s\n", text.c_str());
  }
  return error_exit_code(error.code);
}

void print_gaps_on_stderr(const Gaps& gaps) {
  for (const std::string& gap : gaps) std::fprintf(stderr, "! %s\n", redact(clean_line(gap)).c_str());
}

int finish_output(int exit_code, const std::string& done) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  const std::string message = (done.empty() ? "" : done + ", but ") + std::string("the output could not be written");
  const std::string hint = std::string(done.empty() ? "" : "do not repeat it; ") + "check where stdout leads to";
  return print_error(make_error(ErrorCode::io, message, hint), false);
}

}  // namespace pimemory
