// Everything that the command line prints: text for people, one object for programs, errors in their fixed shape.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/memory_engine.h"
#include "pimemory/error.h"

namespace pimemory {

enum class Style { plain, bold, dim, green, yellow, red };

// Keeps member order, so that a marking member can stand first.
using OrderedJson = nlohmann::ordered_json;

// Stored text without escape sequences, C0 and C1 controls and bidirectional marks and overrides. Line feeds stay,
// tabs become spaces.
std::string clean_text(std::string_view text);
// The same on one line: each run of white space is one space.
std::string clean_line(std::string_view text);

// Terminal columns of clean text; a wide character counts two, a combining one none.
std::size_t display_columns(std::string_view text);
// The text within `columns`, ending in … when it was cut.
std::string clip_columns(std::string_view text, std::size_t columns);

// "2026-03-01T00:00:00.000Z"; null when absent.
nlohmann::json time_json(const std::optional<TimeMs>& time);

// Writes to stdout. Colour and clipping only on a terminal. One thread at a time.
class Output {
 public:
  explicit Output(bool json);

  bool json() const { return json_; }
  bool terminal() const { return terminal_; }
  // Columns of a line; 0: unlimited, since nobody looks.
  std::size_t columns() const { return columns_; }

  std::string paint(Style style, std::string_view text) const;
  void line(std::string_view text) const;
  // Exactly one line.
  void object(const OrderedJson& object) const;
  // The same for a result that repeats stored text: `<` and `>` as \u escapes, so that it forges no tag.
  void untrusted_object(OrderedJson object) const;
  // A title and one aligned `label value` line each.
  void card(std::string_view title, const std::vector<std::pair<std::string, std::string>>& rows) const;
  // One `! code: sentence` line each.
  void gaps(const Gaps& gaps) const;

 private:
  bool json_;
  bool terminal_;
  bool colour_;
  std::size_t columns_ = 0;
};

// The word of a standing in its colour.
Style standing_style(std::string_view standing);

// `{error: {code, message, hint, retry}}` on stdout with `json`, else one line on stderr; credentials that a message
// repeats are replaced. Returns the exit code.
int print_error(const Error& error, bool json);

// The same lines as Output::gaps, for a result that has nothing else to show.
void print_gaps_on_stderr(const Gaps& gaps);

// Puts everything out. When stdout did not take it, that is told on stderr with `done`, what the memory holds already
// ("" for nothing), and the exit code is that of `io`.
int finish_output(int exit_code, const std::string& done = {});

}  // namespace pimemory
