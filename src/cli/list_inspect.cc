// `list` and `inspect`: reading what is remembered, without writing anything.
#include <algorithm>

#include "base/rfc3339.h"
#include "cli/commands.h"
#include "cli/flags.h"

namespace pimemory {
namespace {

using nlohmann::json;

constexpr int kListLimit = 50;
constexpr int kListLimitMax = 200;
constexpr int kInspectBytes = 4'096;
constexpr int kInspectBytesMin = 512;
constexpr int kInspectBytesMax = 32'768;
constexpr std::size_t kStandingColumns = 12;
constexpr std::size_t kKindColumns = 10;
constexpr std::size_t kDateDigits = 10;
// A narrower rest of the line shows no statement worth reading: it moves to a line of its own.
constexpr std::size_t kStatementColumnsMin = 30;

OrderedJson item_json(const ListItem& item) {
  OrderedJson object = {{"id", item.id},
                        {"kind", item.kind},
                        {"standing", item.standing},
                        {"statement", item.statement},
                        {"provenance", item.provenance},
                        {"recordedAt", format_rfc3339(item.recorded_at)}};
  if (item.valid_at) object["validAt"] = format_rfc3339(*item.valid_at);
  if (item.invalid_at) object["invalidAt"] = format_rfc3339(*item.invalid_at);
  if (item.expired_at) object["expiredAt"] = format_rfc3339(*item.expired_at);
  if (item.collected) object["collected"] = true;
  if (item.review) object["review"] = true;
  return object;
}

std::string padded(std::string text, std::size_t columns) {
  const std::size_t used = display_columns(text);
  if (used < columns) text.append(columns - used, ' ');
  return text;
}

std::string marked_statement(const ListItem& item) {
  std::string text;
  if (item.review) text += "[review] ";
  if (item.collected) text += "[collected] ";
  return text + clean_line(item.statement);
}

void print_row(const Output& output, const ListItem& item, std::size_t id_columns) {
  const std::string standing = padded(item.standing, kStandingColumns);
  const std::string date = format_rfc3339(item.recorded_at).substr(0, kDateDigits);
  const std::string head = padded(item.id, id_columns) + "  " + output.paint(standing_style(item.standing), standing) +
                           "  " + padded(item.kind, kKindColumns) + "  " + output.paint(Style::dim, date);
  const std::size_t head_columns = id_columns + kStandingColumns + kKindColumns + kDateDigits + 6;
  const std::string statement = marked_statement(item);
  if (output.columns() == 0) return output.line(head + "  " + statement);
  const std::size_t taken = head_columns + 2;
  if (output.columns() >= taken + kStatementColumnsMin)
    return output.line(head + "  " + clip_columns(statement, output.columns() - taken));
  output.line(head);
  output.line("  " + clip_columns(statement, std::max<std::size_t>(output.columns(), 3) - 2));
}

void print_table(const Output& output, const ListResult& result) {
  std::size_t id_columns = 2;
  for (const ListItem& item : result.items) id_columns = std::max(id_columns, display_columns(item.id));
  if (result.items.empty())
    output.line("no facts");
  else
    output.line(output.paint(Style::bold, padded("id", id_columns) + "  " + padded("standing", kStandingColumns) +
                                              "  " + padded("kind", kKindColumns) + "  " + padded("date", kDateDigits) +
                                              "  statement"));
  for (const ListItem& item : result.items) print_row(output, item, id_columns);
  if (result.next) output.line("+ more: --after " + *result.next);
  output.gaps(result.gaps);
}

// Lines that go between the tags: no stored text may spell an end tag.
class InspectPrinter {
 public:
  explicit InspectPrinter(const Output& output) : output_(output) {}

  void row(const std::string& label, const std::string& value) const {
    if (value.empty()) return;
    text("  " + output_.paint(Style::dim, padded(label, kLabelColumns)) + escaped(clean_line(value)));
  }
  void heading(const std::string& value) const { text(output_.paint(Style::bold, escaped(clean_line(value)))); }
  void body(const std::string& value) const { text("  " + indented(escaped(clean_text(value)))); }

 private:
  static constexpr std::size_t kLabelColumns = 15;

  void text(const std::string& line) const { output_.line(line); }

  std::string escaped(const std::string& value) const {
    if (output_.terminal()) return value;
    std::string out;
    for (const char c : value) {
      if (c == '<')
        out += "\\u003c";
      else if (c == '>')
        out += "\\u003e";
      else
        out += c;
    }
    return out;
  }
  static std::string indented(const std::string& value) {
    std::string out;
    for (const char c : value) {
      out += c;
      if (c == '\n') out += "  ";
    }
    return out;
  }

  const Output& output_;
};

std::string word(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump(-1, ' ', false, json::error_handler_t::replace);
}

void print_evidence(const InspectPrinter& printer, const json& evidence) {
  for (const json& item : evidence)
    printer.row("evidence", word(item, "provenance") + ", " + word(item, "observedAt") + ": " + word(item, "excerpt"));
}

void print_links(const InspectPrinter& printer, const json& links) {
  for (const json& link : links)
    printer.row("link", link.is_object() && link.contains("relation")
                            ? word(link, "from") + " " + word(link, "relation") + " " + word(link, "to")
                            : link.dump(-1, ' ', false, json::error_handler_t::replace));
}

void print_fact(const InspectPrinter& printer, const json& item) {
  printer.heading(word(item, "id") + " · " + word(item, "factKind") + " · " + word(item, "standing"));
  printer.body(word(item, "statement"));
  for (const char* name : {"subject", "predicate", "object", "provenance", "confidence", "recordedAt", "validAt",
                           "invalidAt", "expiredAt", "replacementId"})
    printer.row(name, word(item, name));
  if (item.value("review", false)) printer.row("review", "requested");
  if (item.value("collected", false)) printer.row("collected", "yes");
  for (const json& entity : item.value("entities", json::array()))
    printer.row("entity", word(entity, "name") + " (" + word(entity, "type") + ")");
  const json tags = item.value("tags", json::object());
  for (const auto& [key, value] : tags.items())
    printer.row("tag", key + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
  print_links(printer, item.value("links", json::array()));
  print_evidence(printer, item.value("evidence", json::array()));
  if (const auto value = item.find("value"); value != item.end() && value->is_object())
    printer.row("value", word(*value, "value"));
}

void print_topic(const InspectPrinter& printer, const json& item) {
  printer.heading(word(item, "id") + " · topic · " + word(item, "title"));
  printer.body(word(item, "summary"));
  for (const json& fact : item.value("facts", json::array()))
    printer.row("fact", word(fact, "id") + " " + word(fact, "standing") + ": " + word(fact, "statement"));
  for (const json& source : item.value("sources", json::array())) printer.row("source", source.get<std::string>());
}

void print_inspected(const Output& output, const InspectResult& result) {
  const InspectPrinter printer(output);
  if (!output.terminal()) output.line("<retained_memory trust=\"untrusted\">");
  for (const json& item : result.items) {
    if (item.value("kind", "") == "topic")
      print_topic(printer, item);
    else
      print_fact(printer, item);
  }
  if (!output.terminal()) output.line("</retained_memory>");
  output.gaps(result.gaps);
}

}  // namespace

Result<int> run_list(CommandContext& context, const ListCommand& command) {
  ListQuery query;
  query.kinds = command.kinds;
  query.standings = command.standings;
  query.after = command.after;
  for (const std::string& kind : command.kinds) PIMEMORY_TRY(check_flag_word("--kind", kind, kFactKinds));
  for (const std::string& word : command.standings) PIMEMORY_TRY(check_flag_word("--standing", word, kStandings));
  PIMEMORY_ASSIGN(const auto limit, parse_integer_flag("--limit", command.limit, 1, kListLimitMax));
  query.limit = limit.value_or(kListLimit);
  PIMEMORY_ASSIGN(query.since, parse_time_flag("--since", command.since));
  PIMEMORY_ASSIGN(query.as_of, parse_time_flag("--as-of", command.as_of));
  PIMEMORY_ASSIGN(MemoryEngine engine, context.open_engine(OpenIntent::read));
  PIMEMORY_ASSIGN(const ListResult result, engine.list(query));
  if (!context.output.json()) {
    print_table(context.output, result);
    return kExitDone;
  }
  OrderedJson object = {{"items", OrderedJson::array()}};
  for (const ListItem& item : result.items) object["items"].push_back(item_json(item));
  if (result.next) object["next"] = *result.next;
  object["gaps"] = result.gaps;
  context.output.object(object);
  return kExitDone;
}

Result<int> run_inspect(CommandContext& context, const InspectCommand& command) {
  PIMEMORY_ASSIGN(const std::optional<TimeMs> as_of, parse_time_flag("--as-of", command.as_of));
  PIMEMORY_ASSIGN(const auto max_bytes,
                  parse_integer_flag("--max-bytes", command.max_bytes, kInspectBytesMin, kInspectBytesMax));
  PIMEMORY_ASSIGN(MemoryEngine engine, context.open_engine(OpenIntent::read));
  PIMEMORY_ASSIGN(InspectResult result,
                  engine.inspect(command.ids, as_of, static_cast<std::size_t>(max_bytes.value_or(kInspectBytes))));
  for (std::string& gap : result.gaps) gap = in_flag_names(gap);
  // Exit code 3 says that nothing was found; what was not goes where errors go.
  if (result.items.empty()) print_gaps_on_stderr(result.gaps);
  if (context.output.json())
    context.output.untrusted_object(
        {{"status", result.status}, {"items", OrderedJson(result.items)}, {"gaps", result.gaps}});
  else if (!result.items.empty())
    print_inspected(context.output, result);
  if (result.status == "partial") return kExitPartial;
  return result.items.empty() ? kExitNotFound : kExitDone;
}

}  // namespace pimemory
