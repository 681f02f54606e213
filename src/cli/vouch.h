// The question to the person at a terminal: everything that the answer vouches for, and nothing hidden in it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/command_context.h"
#include "contracts/records.h"

namespace pimemory {

// One row per field. Credentials are shown as they are stored: as placeholders.
class VouchCard {
 public:
  // What the person gave. `invalid`, by the name `where`, for a control, format or invisible character: a person
  // cannot vouch for what a terminal does not show.
  Status give(const std::string& label, const std::string& where, const std::string& value);
  // What memory holds already; such characters are spelled out as \u{202e}.
  void show(const std::string& label, const std::string& value);

  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

struct Question {
  std::string action;         // "record it"
  bool needs_person = false;  // without the person's word it is refused
};

// True when a person sits at the terminals that the question needs.
bool can_ask(const CommandContext& context);

// Whether `text` is short enough to be evidence, as it is and with its credentials replaced; errors name `where`.
Status check_evidence_text(const std::string& where, const std::string& text);

// `text` becomes the evidence: the person's word after a `y` to `card`, else an agent report. Asks nobody unless
// can_ask().
Result<EvidenceRef> ask_for_evidence(CommandContext& context, const std::string& text, const VouchCard& card,
                                     const Question& question);

}  // namespace pimemory
