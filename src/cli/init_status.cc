// `init` and `status`: the binding of a checkout, and what its memory holds.
#include "cli/commands.h"

namespace pimemory {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

OrderedJson legacy_json(const LegacyState& legacy) {
  OrderedJson object = {{"state", legacy.state}};
  if (legacy.reason) object["reason"] = *legacy.reason;
  return object;
}

std::string legacy_text(const LegacyState& legacy) {
  return legacy.reason ? legacy.state + ", " + *legacy.reason : legacy.state;
}

OrderedJson init_json(const InitResult& result) {
  OrderedJson object = {{"status", result.status},
                        {"projectId", result.binding.project_id},
                        {"checkoutId", result.binding.checkout_id},
                        {"location", result.binding.location},
                        {"source", result.binding.source},
                        {"created", result.created},
                        {"repaired", result.repaired},
                        {"revision", result.revision},
                        {"durable", result.durable}};
  if (result.set_aside) object["setAside"] = *result.set_aside;
  if (result.joinable) object["joinable"] = *result.joinable;
  object["legacy"] = legacy_json(result.legacy);
  object["gaps"] = result.gaps;
  return object;
}

Rows init_rows(const InitResult& result) {
  const char* binding = result.created ? "created" : result.repaired ? "repaired" : "existing";
  Rows rows = {{"binding", binding},
               {"project", result.binding.project_id},
               {"checkout", result.binding.checkout_id},
               {"source", result.binding.source},
               {"location", result.binding.location}};
  if (result.set_aside) rows.emplace_back("set aside", *result.set_aside);
  if (result.joinable)
    rows.emplace_back("joinable", *result.joinable + " (share its memory with `pi-memory init --join`)");
  if (result.legacy.state != "none") rows.emplace_back("legacy", legacy_text(result.legacy));
  return rows;
}

void add_status_binding(OrderedJson& object, const WorkspaceStatus& status) {
  if (status.binding) {
    object["projectId"] = status.binding->project_id;
    object["checkoutId"] = status.binding->checkout_id;
    object["location"] = status.binding->location;
    object["source"] = status.binding->source;
  }
  if (status.joinable) object["joinable"] = *status.joinable;
  object["legacy"] = legacy_json(status.legacy);
  if (!status.hint.empty()) object["hint"] = status.hint;
  if (status.fault)
    object["fault"] = {{"code", error_code_name(status.fault->code)},
                       {"message", status.fault->message},
                       {"hint", status.fault->hint},
                       {"retry", status.fault->retry}};
}

void add_status_numbers(OrderedJson& object, const EngineStatus& engine) {
  object["facts"] = engine.facts;
  object["needsReview"] = engine.needs_review;
  object["documents"] = engine.documents;
  object["layout"] = engine.numbers.layout;
  object["stateBytes"] = engine.numbers.state_bytes;
  object["revision"] = engine.numbers.revision;
  object["gaps"] = engine.gaps;
}

void print_status_json(const CommandContext& context, const WorkspaceStatus& status,
                       const std::optional<EngineStatus>& engine) {
  OrderedJson object = {{"state", status.state},
                        {"initialized", status.initialized},
                        {"ready", status.ready},
                        {"home", context.workspace.home()},
                        {"version", PIMEMORY_VERSION}};
  add_status_binding(object, status);
  if (engine) add_status_numbers(object, *engine);
  context.output.object(object);
}

std::string yes_no(bool value) { return value ? "yes" : "no"; }

void print_status_card(const CommandContext& context, const WorkspaceStatus& status,
                       const std::optional<EngineStatus>& engine) {
  Rows rows;
  if (engine) {
    rows.emplace_back("facts",
                      std::to_string(engine->facts) + " (" + std::to_string(engine->needs_review) + " need review)");
    rows.emplace_back("documents", std::to_string(engine->documents));
    rows.emplace_back("layout",
                      engine->numbers.layout + ", " + std::to_string(engine->numbers.state_bytes) + " bytes of state");
  } else {
    rows.emplace_back("initialized", yes_no(status.initialized));
    rows.emplace_back("ready", yes_no(status.ready));
  }
  if (status.binding) {
    rows.emplace_back("project", status.binding->project_id);
    rows.emplace_back("location", status.binding->location);
  } else {
    rows.emplace_back("legacy", legacy_text(status.legacy));
  }
  if (status.joinable) rows.emplace_back("joinable", *status.joinable);
  if (status.fault)
    rows.emplace_back("fault", std::string(error_code_name(status.fault->code)) + ": " + status.fault->message);
  const std::string hint = status.hint.empty() && status.fault ? status.fault->hint : status.hint;
  if (!hint.empty()) rows.emplace_back("hint", hint);
  rows.emplace_back("home", context.workspace.home());
  rows.emplace_back("version", PIMEMORY_VERSION);
  context.output.card("memory · status · " + status.state, rows);
  if (engine) context.output.gaps(engine->gaps);
}

Result<EngineStatus> engine_status(CommandContext& context) {
  PIMEMORY_ASSIGN(MemoryEngine engine, context.open_engine(OpenIntent::read));
  return engine.status();
}

}  // namespace

Result<int> run_init(CommandContext& context, const InitCommand& command) {
  const InitOptions options{command.path, command.no_legacy, command.join, command.set_aside};
  PIMEMORY_ASSIGN(const InitResult result, context.workspace.init(context.working_directory, options));
  if (result.created || result.repaired) context.done = "the memory of " + result.binding.location + " was set up";
  if (context.output.json()) {
    context.output.object(init_json(result));
  } else {
    context.output.card("memory · init · " + result.status, init_rows(result));
    context.output.gaps(result.gaps);
  }
  return kExitDone;
}

Result<int> run_status(CommandContext& context) {
  PIMEMORY_ASSIGN(WorkspaceStatus status, context.workspace.status(context.working_directory));
  std::optional<EngineStatus> engine;
  if (status.ready) {
    // A store that opens but cannot be read is a state of its own to show, not a reason to show nothing.
    const Result<EngineStatus> numbers = engine_status(context);
    if (numbers) {
      engine = *numbers;
    } else {
      status.ready = false;
      status.state = "error";
      status.fault = numbers.error();
    }
  }
  if (context.output.json())
    print_status_json(context, status, engine);
  else
    print_status_card(context, status, engine);
  if (status.ready) return kExitDone;
  return status.state == "error" && status.fault ? error_exit_code(status.fault->code) : kExitNotFound;
}

}  // namespace pimemory
