// `feedback` and `index`: rating what was found, and filling the memory from files.
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "engine/file_documents.h"

namespace pimemory {
namespace {

struct RatedIds {
  std::vector<std::string> recorded;
  std::vector<std::string> reviews;
  Gaps gaps;
  std::optional<Error> unknown;  // the last unknown id
  std::size_t known = 0;
};

// One id under all queries.
Status rate(MemoryEngine& engine, const FeedbackCommand& command, const std::string& id, RatedIds& rated) {
  const std::vector<std::string> queries =
      command.queries.empty() ? std::vector<std::string>{kCliSession} : command.queries;
  bool is_recorded = false;
  bool is_review = false;
  for (const std::string& query : queries) {
    const Result<FeedbackResult> result = engine.feedback(id, command.signal, query);
    if (!result && result.error().code == ErrorCode::unknown_fact) {
      rated.unknown = result.error();
      rated.gaps.push_back("unknown_id: " + result.error().message + "; " + result.error().hint);
      return {};
    }
    if (!result) return std::unexpected(result.error());
    is_recorded = is_recorded || result->recorded;
    is_review = is_review || result->review;
  }
  ++rated.known;
  if (is_recorded) rated.recorded.push_back(id);
  if (is_review) rated.reviews.push_back(id);
  return {};
}

void print_rated(const Output& output, const FeedbackCommand& command, const RatedIds& rated) {
  for (const std::string& id : rated.recorded) output.line("recorded " + command.signal + " for " + clean_line(id));
  if (rated.known > rated.recorded.size())
    output.line(std::to_string(rated.known - rated.recorded.size()) + " counted before, nothing changed");
  for (const std::string& id : rated.reviews) output.line("review requested for " + clean_line(id));
  output.gaps(rated.gaps);
}

struct IndexFile {
  std::string path;
  std::string given;
};

struct IndexTargets {
  std::vector<IndexFile> files;
  std::vector<std::string> folders;
};

std::string joined(const std::string& parent, const std::string& name) {
  return parent == "/" ? parent + name : parent + "/" + name;
}

// The parent's real path and the name as given: a link at the end is refused where the file is opened.
Result<std::string> resolved_path(CommandContext& context, const std::string& given) {
  const std::filesystem::path path = (std::filesystem::path(context.working_directory) / given).lexically_normal();
  const std::string name = path.filename().string();
  if (name.empty()) return context.env.files.real_path(path.string());
  PIMEMORY_ASSIGN(const std::string parent, context.env.files.real_path(path.parent_path().string()));
  return joined(parent, name);
}

bool is_inside_git(const std::string& path) {
  return std::ranges::any_of(std::filesystem::path(path), [](const auto& part) { return part == ".git"; });
}

// The real path and what is there.
Result<std::pair<std::string, FileInfo>> look_at(CommandContext& context, const std::string& given) {
  if (is_blank(given))
    return fail(ErrorCode::invalid, "PATH is blank", "name a file or folder; . is the folder that you are in");
  const Result<std::string> path = resolved_path(context, given);
  const Result<FileInfo> info = path ? context.env.files.info(*path) : std::unexpected(path.error());
  if (!info)
    return fail(ErrorCode::invalid, clean_line(given) + " cannot be reached: " + clean_line(info.error().message),
                "correct the path, or give yourself access to it");
  if (info->type == FileType::missing)
    return fail(ErrorCode::invalid, clean_line(given) + " does not exist", "correct the path");
  if (is_inside_git(*path))
    return fail(ErrorCode::invalid, clean_line(given) + " is inside a .git directory, which holds no documents",
                "name a folder of the working tree");
  return std::pair(*path, *info);
}

// What was given twice, or lies in another given folder, is read once.
void drop_covered(IndexTargets& targets) {
  std::ranges::sort(targets.folders);
  std::vector<std::string> kept;
  for (const std::string& folder : targets.folders) {
    const auto covers = [&](const std::string& other) {
      return folder == other || folder.starts_with(joined(other, ""));
    };
    if (std::ranges::none_of(kept, covers)) kept.push_back(folder);
  }
  targets.folders = std::move(kept);
  std::vector<IndexFile> files;
  for (IndexFile& file : targets.files)
    if (std::ranges::find(files, file.path, &IndexFile::path) == files.end()) files.push_back(std::move(file));
  targets.files = std::move(files);
}

Result<IndexTargets> index_targets(CommandContext& context, const IndexCommand& command) {
  IndexTargets targets;
  for (const std::string& given : command.paths) {
    PIMEMORY_ASSIGN(const auto found, look_at(context, given));
    const auto& [path, info] = found;
    if (info.type == FileType::directory)
      targets.folders.push_back(path);
    else if (info.type == FileType::regular)
      targets.files.push_back({path, given});
    else
      return fail(ErrorCode::unsafe_path, clean_line(given) + " is neither a regular file nor a directory",
                  "name the file or directory itself");
  }
  if (command.prune && targets.folders.empty())
    return fail(ErrorCode::invalid, "--prune works on a folder and none was given", "name the folder to prune");
  drop_covered(targets);
  return targets;
}

void add_result(IndexResult& total, const IndexResult& part) {
  total.documents += part.documents;
  total.chunks += part.chunks;
  total.embedded += part.embedded;
  total.removed += part.removed;
  total.dense = total.dense || part.dense;
  for (const auto& [reason, count] : part.skipped) total.skipped[reason] += count;
  for (const auto& [reason, paths] : part.skipped_paths) {
    std::vector<std::string>& kept = total.skipped_paths[reason];
    kept.insert(kept.end(), paths.begin(), paths.end());
  }
  for (const std::string& gap : part.gaps)
    if (std::ranges::find(total.gaps, gap) == total.gaps.end()) total.gaps.push_back(gap);
}

std::unexpected<Error> of_file(const std::string& given, Error error) {
  error.message = clean_line(given) + ": " + error.message;
  return std::unexpected(std::move(error));
}

// An error of a batch names its document by "documents[N]"; `origins` tells the file of each.
std::unexpected<Error> of_batch(const std::vector<std::string>& origins, Error error) {
  constexpr std::string_view kHead = "documents[";
  if (!error.message.starts_with(kHead)) return std::unexpected(std::move(error));
  const char* const first = error.message.data() + kHead.size();
  std::size_t number = 0;
  const auto parsed = std::from_chars(first, error.message.data() + error.message.size(), number);
  if (parsed.ec != std::errc{} || number >= origins.size()) return std::unexpected(std::move(error));
  return of_file(origins[number], std::move(error));
}

// All files are one batch, each folder is one of its own.
Result<IndexResult> index_all_targets(MemoryEngine& engine, CommandContext& context, const std::string& checkout,
                                      const IndexTargets& targets, bool prune) {
  IndexResult total;
  std::vector<SourceDocument> documents;
  std::vector<std::string> origins;
  for (const IndexFile& file : targets.files) {
    auto read = read_documents(context.env, file.path, checkout, engine.owner());
    if (!read) return of_file(file.given, std::move(read.error()));
    origins.insert(origins.end(), read->size(), file.given);
    std::ranges::move(*read, std::back_inserter(documents));
  }
  if (!documents.empty()) {
    const auto part = engine.index_all(std::move(documents));
    if (!part) return of_batch(origins, part.error());
    add_result(total, *part);
  }
  for (const std::string& folder : targets.folders) {
    PIMEMORY_ASSIGN(const IndexResult part, index_folder(engine, folder, checkout, prune));
    add_result(total, part);
  }
  return total;
}

OrderedJson index_json(const IndexResult& result) {
  OrderedJson object = {{"documents", result.documents},
                        {"chunks", result.chunks},
                        {"embedded", result.embedded},
                        {"dense", result.dense},
                        {"skipped", result.skipped}};
  object["skippedPaths"] = result.skipped_paths;
  object["removed"] = result.removed;
  object["gaps"] = result.gaps;
  return object;
}

void print_indexed(const Output& output, const IndexResult& result) {
  output.line("indexed " + std::to_string(result.documents) + " documents, " + std::to_string(result.chunks) +
              " chunks, " + std::to_string(result.embedded) + " embedded, " + std::to_string(result.removed) +
              " removed");
  for (const auto& [reason, count] : result.skipped) {
    output.line("  skipped " + std::to_string(count) + " " + reason);
    const auto paths = result.skipped_paths.find(reason);
    if (paths == result.skipped_paths.end()) continue;
    for (const std::string& path : paths->second) output.line(output.paint(Style::dim, "    " + clean_line(path)));
  }
  output.gaps(result.gaps);
}

// Missing vectors and a late directory sync leave nothing undone; every other gap is a place that was not read.
bool is_partial(const Gaps& gaps) {
  return std::ranges::any_of(
      gaps, [](const std::string& gap) { return !gap.starts_with("dense_") && !gap.starts_with("not_durable"); });
}

}  // namespace

Result<int> run_feedback(CommandContext& context, const FeedbackCommand& command) {
  PIMEMORY_TRY(check_flag_word("SIGNAL", command.signal, kFeedbackSignals));
  PIMEMORY_ASSIGN(MemoryEngine engine, context.open_engine(OpenIntent::write));
  RatedIds rated;
  for (const std::string& id : command.ids) PIMEMORY_TRY(rate(engine, command, id, rated));
  if (rated.known == 0 && rated.unknown) return std::unexpected(*rated.unknown);
  const bool is_complete = !rated.unknown;
  if (!rated.recorded.empty()) context.done = "the feedback was recorded";
  if (context.output.json())
    context.output.object({{"status", is_complete ? "ok" : "partial"},
                           {"signal", command.signal},
                           {"recorded", rated.recorded},
                           {"reviews", rated.reviews},
                           {"gaps", rated.gaps}});
  else
    print_rated(context.output, command, rated);
  return is_complete ? kExitDone : kExitPartial;
}

Result<int> run_index(CommandContext& context, const IndexCommand& command) {
  PIMEMORY_ASSIGN(const IndexTargets targets, index_targets(context, command));
  PIMEMORY_ASSIGN(MemoryEngine engine, context.open_engine(OpenIntent::write));
  PIMEMORY_ASSIGN(const std::optional<Binding> binding, context.workspace.find_binding(context.working_directory));
  if (!binding) return fail(ErrorCode::project_not_initialized, "this directory is bound to no project");
  PIMEMORY_ASSIGN(const IndexResult result,
                  index_all_targets(engine, context, binding->location, targets, command.prune));
  if (result.documents > 0 || result.removed > 0) context.done = "the documents were indexed";
  if (context.output.json())
    context.output.object(index_json(result));
  else
    print_indexed(context.output, result);
  return is_partial(result.gaps) ? kExitPartial : kExitDone;
}

}  // namespace pimemory
