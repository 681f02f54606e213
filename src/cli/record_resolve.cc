// `record` and `resolve`: a person at a terminal vouches by typing `y`; every other run is an agent report.
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/evidence.h"

namespace pimemory {
namespace {

// Far above the bound of a statement, which the engine checks and names.
constexpr std::size_t kStdinBytesMax = 1'048'576;

Result<std::string> read_stdin() {
  std::string text;
  char buffer[4'096];
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(ErrorCode::io, "stdin cannot be read", "give the statement as an argument");
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
  input.kind = command.kind;
  input.subject = command.subject;
  input.predicate = command.predicate;
  input.object = command.object;
  input.supersedes = command.supersedes;
  input.confidence = command.confidence;
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
  return input;
}

// With --json stdout carries the object alone, so the question goes to stderr.
std::FILE* question_stream(const CommandContext& context) { return context.output.json() ? stderr : stdout; }

// The evidence for `text`, which `shown` presents to the person when there is one to ask.
Result<EvidenceRef> evidence_for(CommandContext& context, const std::string& text, const std::string& shown,
                                 const char* action) {
  std::FILE* stream = question_stream(context);
  bool is_confirmed = false;
  if (can_ask_person(stream)) {
    // What a terminal cannot show as it is, a person cannot vouch for.
    if (clean_text(text) != text)
      return fail(ErrorCode::invalid, "the text holds controls or direction marks, which a terminal does not show",
                  "write it without them");
    const std::string question = std::string("Do you vouch for this yourself? y = ") + action +
                                 " as your word, anything else = as an unconfirmed report, Ctrl-C = not at all:";
    is_confirmed = ask_y(stream, shown, question);
  }
  const TimeMs now = context.env.clock.now();
  return is_confirmed ? user_evidence(context.env, text, kCliSession, now)
                      : agent_evidence(context.env, text, kCliSession, now);
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

std::string shown_record(const FactInput& input) {
  std::string shown = input.kind + ": " + clean_text(input.statement);
  for (const std::string& id : input.supersedes) shown += "\nsupersedes " + clean_line(id);
  return shown;
}

Result<std::string> shown_resolution(MemoryEngine& engine, const ResolveCommand& command) {
  PIMEMORY_ASSIGN(const std::unique_ptr<Snapshot> snapshot, engine.authority().snapshot());
  const auto fact = snapshot->domain().fact(command.fact_id);
  if (!fact) return fail(ErrorCode::unknown_fact, "no fact of this project has the id " + clean_line(command.fact_id));
  std::string shown = fact->kind + ": " + clean_text(fact->statement) + "\n" + fact->standing + " → " +
                      clean_line(command.standing) + "\nbecause: " + clean_text(command.rationale);
  if (command.replacement_id) shown += "\nreplaced by " + clean_line(*command.replacement_id);
  return shown;
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

}  // namespace

Result<int> run_record(CommandContext& context, const RecordCommand& command) {
  // The project first: nobody should type an answer for a memory that is not there.
  PIMEMORY_ASSIGN(MemoryEngine engine, context.open_engine(OpenIntent::write));
  PIMEMORY_ASSIGN(FactInput input, fact_input(command));
  PIMEMORY_ASSIGN(EvidenceRef evidence, evidence_for(context, input.statement, shown_record(input), "record it"));
  input.evidence.push_back(std::move(evidence));
  PIMEMORY_ASSIGN(const RecordResult result, engine.record_fact(input));
  if (context.output.json())
    context.output.object(record_json(result));
  else
    print_record(context.output, result);
  return kExitDone;
}

Result<int> run_resolve(CommandContext& context, const ResolveCommand& command) {
  if (is_blank(command.rationale))
    return fail(ErrorCode::invalid, "--rationale is blank", "say why the fact has this standing now");
  PIMEMORY_ASSIGN(MemoryEngine engine, context.open_engine(OpenIntent::write));
  PIMEMORY_ASSIGN(const std::string shown, shown_resolution(engine, command));
  PIMEMORY_ASSIGN(EvidenceRef evidence, evidence_for(context, command.rationale, shown, "resolve it"));
  ResolveInput input{command.fact_id, command.standing, command.rationale, command.replacement_id, {}};
  input.evidence.push_back(std::move(evidence));
  PIMEMORY_ASSIGN(const ResolveResult result, engine.resolve_fact(input));
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
