// The grammar of the command line, its help, and the way from a parsed verb to its function.
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "text/redaction.h"

namespace pimemory {
namespace {

using Action = std::function<Result<int>(CommandContext&)>;

constexpr int kExitUsage = 2;
constexpr int kExitInterrupted = 130;

// Every write is one transaction, so ending at any instruction leaves the store as it was or as it became.
void on_interrupt(int) {
  constexpr char kMessage[] = "\npi-memory: cancelled: interrupted by the user. run the command again\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  ::_exit(kExitInterrupted);
}

void install_interrupt_handler() {
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
}

// A file that is opened later must not get the number of a closed stream, where output would go into it. What stands
// in fails as the closed stream does.
void hold_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// An error of the engine, in the words of the verb's flags.
Result<int> by_flags(const char* verb, Result<int> result) {
  if (!result) return std::unexpected(in_flag_names(std::move(result.error()), verb));
  return result;
}

CLI::App* add_verb(CLI::App& app, const char* name, const char* description, const char* example) {
  CLI::App* verb = app.add_subcommand(name, description);
  verb->footer(std::string("Example:\n  ") + example);
  return verb;
}

// One value per occurrence: a following word stays an argument of the verb.
void add_repeatable(CLI::App* verb, const char* name, std::vector<std::string>& values, const char* description,
                    const char* placeholder) {
  verb->add_option(name, values, description)->allow_extra_args(false)->type_name(placeholder);
}

template <class T>
CLI::Option* add_value(CLI::App* verb, const char* name, T& value, const char* description, const char* placeholder) {
  return verb->add_option(name, value, description)->type_name(placeholder);
}

void add_init(CLI::App& app, InitCommand& command, Action& action) {
  CLI::App* verb = add_verb(app, "init", "Create the memory of this checkout, or report or repair its binding",
                            "cd ~/src/shop && pi-memory init");
  add_value(verb, "PATH", command.path, "The checkout; without it the repository root of this directory", "");
  verb->add_flag("--no-legacy", command.no_legacy, "Take over no identity that an older tool left behind");
  CLI::Option* join = verb->add_flag("--join", command.join, "In a linked worktree: share the main worktree's memory");
  verb->add_flag("--set-aside", command.set_aside, "Rename a foreign store's folder and start a new one")
      ->excludes(join);
  verb->callback([&] { action = [&](CommandContext& context) { return run_init(context, command); }; });
}

void add_status(CLI::App& app, Action& action) {
  CLI::App* verb = add_verb(app, "status", "Show whether this directory has a memory and what it holds; writes nothing",
                            "pi-memory status --json");
  verb->callback([&] { action = [](CommandContext& context) { return run_status(context); }; });
}

void add_list(CLI::App& app, ListCommand& command, Action& action) {
  CLI::App* verb = add_verb(app, "list", "List every fact with its standing, newest first; writes nothing",
                            "pi-memory list --kind decision --since 2026-01-01T00:00:00Z");
  add_repeatable(verb, "--kind", command.kinds, "Only this kind, such as decision or constraint; repeatable", "KIND");
  add_repeatable(verb, "--standing", command.standings, "Only this standing, such as needs_review; repeatable",
                 "STANDING");
  add_value(verb, "--since", command.since, "Only facts recorded at this time or later", "TIME");
  add_value(verb, "--as-of", command.as_of, "Only facts that were valid at this time", "TIME");
  add_value(verb, "--limit", command.limit, "Facts on a page, 1 to 200 (50)", "N");
  add_value(verb, "--after", command.after, "Go on after this id, the last one of the page before", "ID");
  verb->callback(
      [&] { action = [&](CommandContext& context) { return by_flags("list", run_list(context, command)); }; });
}

void add_inspect(CLI::App& app, InspectCommand& command, Action& action) {
  CLI::App* verb = add_verb(app, "inspect", "Show facts and topics whole: evidence, dates, links and value",
                            "pi-memory inspect mem_0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9");
  add_value(verb, "ID", command.ids, "Up to 32 ids of facts or topics", "")->required();
  add_value(verb, "--as-of", command.as_of, "As it was valid at this time (now)", "TIME");
  add_value(verb, "--max-bytes", command.max_bytes, "Bytes of all items, 512 to 32768 (4096)", "N");
  verb->callback(
      [&] { action = [&](CommandContext& context) { return by_flags("inspect", run_inspect(context, command)); }; });
}

void add_record(CLI::App& app, RecordCommand& command, Action& action) {
  CLI::App* verb = add_verb(app, "record", "Remember a statement; at a terminal you are asked to vouch for it",
                            "pi-memory record \"We deploy from the release branch only\" --kind decision");
  add_value(verb, "STATEMENT", command.statement, "One English sentence; - reads it from stdin", "")->required();
  add_value(verb, "--kind", command.kind,
            "decision, fact, constraint, failure, correction, procedure, preference or learning", "KIND")
      ->required();
  add_value(verb, "--subject", command.subject, "What the statement is about", "TEXT");
  add_value(verb, "--predicate", command.predicate, "What it says about the subject", "TEXT");
  add_value(verb, "--object", command.object, "What the predicate relates the subject to", "TEXT");
  add_repeatable(verb, "--entity", command.entities, "A thing that it names; repeatable", "NAME:TYPE");
  add_repeatable(verb, "--supersedes", command.supersedes, "A fact that it replaces; repeatable", "ID");
  add_value(verb, "--confidence", command.confidence, "0 to 1", "X");
  add_value(verb, "--valid-at", command.valid_at, "When it begins to apply (now)", "TIME");
  add_value(verb, "--invalid-at", command.invalid_at, "When it ceases to apply", "TIME");
  add_repeatable(verb, "--tag", command.tags, "A label of your own; repeatable", "KEY=VALUE");
  verb->callback(
      [&] { action = [&](CommandContext& context) { return by_flags("record", run_record(context, command)); }; });
}

void add_resolve(CLI::App& app, ResolveCommand& command, Action& action) {
  CLI::App* verb = add_verb(app, "resolve", "Give a fact another standing; at a terminal you are asked to vouch for it",
                            "pi-memory resolve mem_0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9 superseded "
                            "--rationale \"We moved to Bazel\"");
  add_value(verb, "ID", command.fact_id, "The fact", "")->required();
  add_value(verb, "STANDING", command.standing, "supported, needs_review, contradicted or superseded", "")->required();
  add_value(verb, "--rationale", command.rationale, "Why", "TEXT")->required();
  add_value(verb, "--replacement", command.replacement_id, "The fact that holds instead", "ID");
  verb->callback(
      [&] { action = [&](CommandContext& context) { return by_flags("resolve", run_resolve(context, command)); }; });
}

void add_feedback(CLI::App& app, FeedbackCommand& command, Action& action) {
  CLI::App* verb = add_verb(app, "feedback", "Say how a fact served; wrong and stale ask for a review",
                            "pi-memory feedback stale mem_0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9 --query \"build tool\"");
  add_value(verb, "SIGNAL", command.signal, "used, helpful, wrong or stale", "")->required();
  add_value(verb, "ID", command.ids, "The facts", "")->required();
  add_repeatable(verb, "--query", command.queries, "What was asked when it came up; repeatable", "TEXT");
  verb->callback(
      [&] { action = [&](CommandContext& context) { return by_flags("feedback", run_feedback(context, command)); }; });
}

void add_index(CLI::App& app, IndexCommand& command, Action& action) {
  CLI::App* verb =
      add_verb(app, "index", "Index files, or folders by their ignore files", "pi-memory index docs --prune");
  constexpr char kPaths[] = "Files (.json a document, .jsonl one a line, other text one each) or folders";
  add_value(verb, "PATH", command.paths, kPaths, "")->required();
  verb->add_flag("--prune", command.prune, "Also remove documents whose file is gone from the folder");
  verb->callback([&] { action = [&](CommandContext& context) { return run_index(context, command); }; });
}

struct Commands {
  GlobalOptions global;
  InitCommand init;
  ListCommand list;
  InspectCommand inspect;
  RecordCommand record;
  ResolveCommand resolve;
  FeedbackCommand feedback;
  IndexCommand index;
  Action action;
};

void build_grammar(CLI::App& app, Commands& commands) {
  app.name("pi-memory");
  app.fallthrough();
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("--version", "pi-memory " PIMEMORY_VERSION, "Print the version and exit");
  app.add_option("--home", commands.global.home, "Where memory is kept (PI_MEMORY_HOME, else ~/.prjct)")
      ->type_name("DIR");
  app.add_flag("--json", commands.global.json, "Print one JSON object instead of text");
  app.footer(
      "Times are RFC 3339, such as 2026-03-01T00:00:00Z. Help of one verb: pi-memory VERB --help\n"
      "Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 busy, 5 refused, 6 done in part, 130 interrupted");
  add_init(app, commands.init, commands.action);
  add_status(app, commands.action);
  add_list(app, commands.list, commands.action);
  add_record(app, commands.record, commands.action);
  add_resolve(app, commands.resolve, commands.action);
  add_inspect(app, commands.inspect, commands.action);
  add_feedback(app, commands.feedback, commands.action);
  add_index(app, commands.index, commands.action);
}

// Before parsing has succeeded, this tells how to print its failure.
bool asks_for_json(int argc, char** argv) {
  for (int i = 1; i < argc && std::strcmp(argv[i], "--") != 0; ++i)
    if (std::strcmp(argv[i], "--json") == 0) return true;
  return false;
}

Status check_arguments(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (!is_valid_utf8(argv[i]))
      return fail(ErrorCode::invalid, "argument " + std::to_string(i) + " is not valid UTF-8",
                  "give it in UTF-8; a file with such a name has to be renamed");
  return {};
}

std::string unexpected_argument(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return "an argument was not expected";
  const std::string& word = words.front();
  // Behind its dashes a credential is one only by itself.
  const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  if (word.size() > 1 && dashes > 0)
    return "there is no option \"" + word.substr(0, dashes) + redact(word.substr(dashes)) +
           "\"; write -- before a text that begins with -";
  return "\"" + word + "\" is one argument too many; put quotes around a text of several words";
}

// Of the parser's message only the name of the option stays; it begins with it, or tells a flag's value after it.
std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
  const std::string text = error.what();
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  const std::size_t start = kind == CLI::ExitCodes::ConversionError ? std::min(text.find("--"), text.size()) : 0;
  const std::string name = text.substr(start, text.find_first_of(": ", start) - start);
  const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
  if (kind == CLI::ExitCodes::RequiredError && app.get_subcommands().empty()) {
    const std::vector<std::string> words = app.remaining();
    return words.empty() ? "no verb was given" : "there is no verb \"" + words.front() + "\"";
  }
  if (kind == CLI::ExitCodes::RequiredError) return name + " is missing";
  if (kind == CLI::ExitCodes::ExtrasError) return unexpected_argument(app);
  if (kind == CLI::ExitCodes::ExcludesError)
    return name + " and " + text.substr(text.rfind(' ') + 1) + " exclude each other";
  if (kind == CLI::ExitCodes::ConversionError || says("flag override")) return name + " takes no value";
  if (kind == CLI::ExitCodes::ArgumentMismatch)
    return says("At Most") ? name + " was given more than once" : name + " needs a value";
  return text;
}

int print_usage_error(const CLI::App& app, const CLI::ParseError& error, bool json) {
  std::string verb;
  for (const CLI::App* parsed : app.get_subcommands()) verb = parsed->get_name();
  print_error(make_error(ErrorCode::invalid, clean_line(usage_sentence(app, error)), help_hint(verb)), json);
  return kExitUsage;
}

// Nothing left to run when `exit_code` is set: help, the version or a usage error was printed.
std::optional<int> parse(CLI::App& app, int argc, char** argv, bool json) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForVersion&) {
    if (json)
      Output(true).object({{"version", PIMEMORY_VERSION}});
    else
      std::puts("pi-memory " PIMEMORY_VERSION);
    return kExitDone;
  } catch (const CLI::Success& help) {
    if (json)
      Output(true).object({{"help", app.help()}});
    else
      app.exit(help);
    return kExitDone;
  } catch (const CLI::ParseError& error) {
    return print_usage_error(app, error, json);
  }
}

int run_parsed(int argc, char** argv, bool json, std::string& done) {
  CLI::App app("Durable, evidenced project memory", "pi-memory");
  Commands commands;
  build_grammar(app, commands);
  if (const std::optional<int> ended = parse(app, argc, argv, json)) return *ended;
  Result<CommandContext> context = make_context(system_env(), commands.global);
  if (!context) return print_error(context.error(), json);
  const Result<int> exit_code = commands.action(*context);
  done = context->done;
  return exit_code ? *exit_code : print_error(exit_code.error(), json);
}

}  // namespace

int run_cli(int argc, char** argv) {
  hold_closed_streams();
  install_interrupt_handler();
  const bool json = asks_for_json(argc, argv);
  if (const Status valid = check_arguments(argc, argv); !valid) return finish_output(print_error(valid.error(), json));
  try {
    std::string done;
    const int exit_code = run_parsed(argc, argv, json, done);
    return finish_output(exit_code, done);
  } catch (const std::exception& unexpected) {
    const std::string message = std::string("an exception escaped: ") + unexpected.what();
    return finish_output(print_error(make_error(ErrorCode::internal_error, message), json));
  }
}

}  // namespace pimemory
