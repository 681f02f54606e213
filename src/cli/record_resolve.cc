// `record` and `resolve`: a person at a terminal vouches by typing `y`; every other run is an agent report.
#include <unistd.h>

#include <cerrno>
#include <span>
#include <system_error>

#include "base/rfc3339.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/vouch.h"
#include "contracts/text_bounds.h"
#include "engine/evidence.h"
#include "engine/preflight.h"

namespace pimemory {
namespace {

// Far above the bound of a statement, which the engine checks and names.
constexpr std::size_t kStdinBytesMax = 1'048'576;
constexpr std::size_t kRationaleCodePointsMax = 4'096;

Result<std::string> read_stdin() {
  std::string text;
  char buffer[4'096];
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return fail(ErrorCode::io, "stdin cannot be read: " + std::generic_category().message(errno),
                  "pipe the statement in, or give it as an argument");
    if (count == 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
    if (text.size() > kStdinBytesMax)
      return fail(ErrorCode::too_large, "stdin holds more than 1,048,576 bytes; a statement has at most 8,192");
  }
  if (!is_valid_utf8(text)) return fail(ErrorCode::invalid, "stdin is not valid UTF-8", "convert it to UTF-8 first");
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return text;
}

Result<FactInput::NamedEntity> parse_entity(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
    return fail(ErrorCode::invalid, "--entity is \"" + clean_line(text) + "\", not NAME:TYPE",
                "write for example --entity Postgres:database");
  return FactInput::NamedEntity{text.substr(0, colon), text.substr(colon + 1)};
}

Status add_tag(StringMap& tags, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return fail(ErrorCode::invalid, "--tag is \"" + clean_line(text) + "\", not KEY=VALUE",
                "write for example --tag area=storage");
  if (!tags.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
    return fail(ErrorCode::invalid, "--tag gives the key \"" + clean_line(text.substr(0, equals)) + "\" twice");
  return {};
}

Result<FactInput> fact_input(const RecordCommand& command) {
  FactInput input;
  PIMEMORY_TRY(check_flag_word("--kind", command.kind, kFactKinds));
  input.kind = command.kind;
  input.subject = command.subject;
  input.predicate = command.predicate;
  input.object = command.object;
  input.supersedes = command.supersedes;
  PIMEMORY_ASSIGN(input.confidence, parse_fraction_flag("--confidence", command.confidence));
  PIMEMORY_ASSIGN(input.valid_at, parse_time_flag("--valid-at", command.valid_at));
  PIMEMORY_ASSIGN(input.invalid_at, parse_time_flag("--invalid-at", command.invalid_at));
  for (const std::string& text : command.entities) {
    PIMEMORY_ASSIGN(FactInput::NamedEntity entity, parse_entity(text));
    input.entities.push_back(std::move(entity));
  }
  for (const std::string& text : command.tags) PIMEMORY_TRY(add_tag(input.tags, text));
  input.statement = command.statement;
  if (command.statement == "-") {
    PIMEMORY_ASSIGN(input.statement, read_stdin());
  }
  if (is_blank(input.statement)) return fail(ErrorCode::invalid, "the statement is blank", "say what to remember");
  // Before evidence is made of it, which has a bound of its own.
  PIMEMORY_TRY(check_evidence_text("statement", input.statement));
  return input;
}

// A fact that is named beside the fact or instead of it, by its id and its statement.
std::string stored_fact(const DomainReader& domain, const std::string& id) {
  const auto fact = domain.fact(id);
  return fact ? id + ": " + fact->statement : id;
}

Status give_present(VouchCard& card, const char* label, const char* flag, const std::optional<std::string>& value) {
  return value ? card.give(label, flag, *value) : Status{};
}

Status give_lists(VouchCard& card, const RecordCommand& command) {
  for (const std::string& entity : command.entities) PIMEMORY_TRY(card.give("entity", "--entity", entity));
  for (const std::string& tag : command.tags) PIMEMORY_TRY(card.give("tag", "--tag", tag));
  return {};
}

// The whole fact as it would be recorded, with what it ends.
Result<VouchCard> record_card(MemoryEngine& engine, const RecordCommand& command, const FactInput& input) {
  VouchCard card;
  PIMEMORY_TRY(card.give("kind", "--kind", input.kind));
  PIMEMORY_TRY(card.give("statement", "the statement", input.statement));
  PIMEMORY_TRY(give_present(card, "subject", "--subject", input.subject));
  PIMEMORY_TRY(give_present(card, "predicate", "--predicate", input.predicate));
  PIMEMORY_TRY(give_present(card, "object", "--object", input.object));
  PIMEMORY_TRY(give_lists(card, command));
  if (input.valid_at) card.show("valid from", format_rfc3339(*input.valid_at));
  if (input.invalid_at) card.show("valid until", format_rfc3339(*input.invalid_at));
  PIMEMORY_TRY(give_present(card, "confidence", "--confidence", command.confidence));
  PIMEMORY_ASSIGN(const std::unique_ptr<Snapshot> snapshot, engine.authority().snapshot());
  for (const std::string& id : input.supersedes) card.show("supersedes", stored_fact(snapshot->domain(), id));
  return card;
}

// What recording would answer if the person vouched for it.
Result<RecordResult> rehearse(MemoryEngine& engine, FactInput input) {
  Env& env = engine.env();
  PIMEMORY_ASSIGN(EvidenceRef evidence, user_evidence(env, input.statement, kCliSession, env.clock.now()));
  input.evidence.push_back(std::move(evidence));
  return MemoryEngine(env, preflight(engine.authority())).record_fact(input);
}

Result<ResolveResult> rehearse(MemoryEngine& engine, ResolveInput input) {
  Env& env = engine.env();
  PIMEMORY_ASSIGN(EvidenceRef evidence, user_evidence(env, input.rationale, kCliSession, env.clock.now()));
  input.evidence.push_back(std::move(evidence));
  return MemoryEngine(env, preflight(engine.authority())).resolve_fact(input);
}

OrderedJson record_json(const RecordResult& result) {
  const bool is_recorded = result.status == "recorded";
  OrderedJson object = {{"status", is_recorded ? "ok" : "abstained"}};
  if (is_recorded) {
    object["id"] = result.id;
    object["standing"] = result.standing;
  } else if (!result.id.empty()) {
    object["existingId"] = result.id;
    object["standing"] = result.standing;
  }
  if (!result.reason.empty()) object["reason"] = result.reason;
  object["dense"] = result.dense;
  object["gaps"] = result.gaps;
  return object;
}

void print_record(const Output& output, const RecordResult& result) {
  if (result.status == "recorded") {
    output.line("recorded " + output.paint(Style::bold, result.id) + " · " +
                output.paint(standing_style(result.standing), result.standing));
    if (result.standing == "needs_review")
      output.line(output.paint(Style::dim, "  not confirmed by a person yet; it waits for a review"));
  } else if (!result.id.empty()) {
    output.line("not recorded: " + output.paint(Style::bold, result.id) + " says the same (" + result.standing + ")");
  } else {
    output.line("not recorded: " + clean_line(result.reason));
  }
  output.gaps(result.gaps);
}

Result<VouchCard> resolution_card(MemoryEngine& engine, const ResolveCommand& command) {
  PIMEMORY_ASSIGN(const std::unique_ptr<Snapshot> snapshot, engine.authority().snapshot());
  const DomainReader& domain = snapshot->domain();
  const auto fact = domain.fact(command.fact_id);
  if (!fact) return fail(ErrorCode::unknown_fact, "no fact of this project has the id " + clean_line(command.fact_id));
  VouchCard card;
  card.show("fact", fact->id);
  card.show(fact->kind, fact->statement);
  card.show("standing", fact->standing + " → " + command.standing);
  PIMEMORY_TRY(card.give("because", "--rationale", command.rationale));
  if (command.replacement_id) card.show("replaced by", stored_fact(domain, *command.replacement_id));
  return card;
}

std::string shown_time(const std::optional<TimeMs>& time) {
  return time ? time_json(time).get<std::string>() : std::string("open");
}

void print_resolve(const Output& output, const ResolveResult& result) {
  output.line("resolved " + output.paint(Style::bold, result.fact_id) + " · " +
              output.paint(standing_style(result.standing), result.standing));
  if (result.invalid_at || result.expired_at)
    output.line("  valid until " + shown_time(result.invalid_at) + ", known until " + shown_time(result.expired_at));
  output.gaps(result.gaps);
}

Status check_resolution(const ResolveCommand& command) {
  if (is_blank(command.rationale))
    return fail(ErrorCode::invalid, "--rationale is blank", "say why the fact has this standing now");
  PIMEMORY_TRY(check_flag_word("STANDING", command.standing, std::span(kStandings).subspan(1)));  // not candidate
  PIMEMORY_TRY(check_code_points("--rationale", command.rationale, kRationaleCodePointsMax, Blank::refused));
  return check_evidence_text("--rationale", command.rationale);
}

int show_recorded(CommandContext& context, const RecordResult& result) {
  if (result.status == "recorded") context.done = "the fact was recorded as " + result.id;
  if (context.output.json())
    context.output.object(record_json(result));
  else
    print_record(context.output, result);
  return kExitDone;
}

}  // namespace

Result<int> run_record(CommandContext& context, const RecordCommand& command) {
  // The project first: nobody should type an answer for a memory that is not there.
  PIMEMORY_ASSIGN(MemoryEngine engine, context.open_engine(OpenIntent::write));
  PIMEMORY_ASSIGN(FactInput input, fact_input(command));
  VouchCard card;
  if (can_ask(context)) {
    PIMEMORY_ASSIGN(const RecordResult rehearsed, rehearse(engine, input));
    if (rehearsed.status != "recorded") return show_recorded(context, rehearsed);
    PIMEMORY_ASSIGN(card, record_card(engine, command, input));
  }
  const Question question{"record it", !input.supersedes.empty()};
  PIMEMORY_ASSIGN(EvidenceRef evidence, ask_for_evidence(context, input.statement, card, question));
  input.evidence.push_back(std::move(evidence));
  PIMEMORY_ASSIGN(const RecordResult result, engine.record_fact(input));
  return show_recorded(context, result);
}

Result<int> run_resolve(CommandContext& context, const ResolveCommand& command) {
  PIMEMORY_TRY(check_resolution(command));
  PIMEMORY_ASSIGN(MemoryEngine engine, context.open_engine(OpenIntent::write));
  ResolveInput input{command.fact_id, command.standing, command.rationale, command.replacement_id, {}};
  VouchCard card;
  if (can_ask(context)) {
    PIMEMORY_TRY(rehearse(engine, input));
    PIMEMORY_ASSIGN(card, resolution_card(engine, command));
  }
  const Question question{"resolve it", is_terminal_standing(command.standing)};
  PIMEMORY_ASSIGN(EvidenceRef evidence, ask_for_evidence(context, command.rationale, card, question));
  input.evidence.push_back(std::move(evidence));
  PIMEMORY_ASSIGN(const ResolveResult result, engine.resolve_fact(input));
  context.done = "the fact " + result.fact_id + " was resolved as " + result.standing;
  if (context.output.json())
    context.output.object({{"factId", result.fact_id},
                           {"standing", result.standing},
                           {"invalidAt", time_json(result.invalid_at)},
                           {"expiredAt", time_json(result.expired_at)},
                           {"gaps", result.gaps}});
  else
    print_resolve(context.output, result);
  return kExitDone;
}

}  // namespace pimemory
