// Walking by the file system port, so that a test can make any entry unreadable.
#include "engine/folder_walk.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "contracts/validate.h"
#include "engine/ignore_rules.h"
#include "text/injected.h"
#include "text/redaction.h"

namespace pimemory {
namespace {

constexpr std::int64_t kWalkFilesMax = 50'000;
constexpr std::uint64_t kWalkBytesMax = 512ULL * 1'024 * 1'024;
constexpr std::size_t kNamedPathsMax = 16;
constexpr std::size_t kIgnoreFileBytesMax = 1'000'000;
constexpr std::size_t kFolderDepthMax = 256;

std::string joined(const std::string& folder, const std::string& name) {
  return folder == "/" ? "/" + name : folder.empty() ? name : folder + "/" + name;
}

bool is_within(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder) && (folder.ends_with('/') || path[folder.size()] == '/'));
}

std::string relative_path(const std::string& path, const std::string& folder) {
  if (path == folder) return "";
  return path.substr(folder.ends_with('/') ? folder.size() : folder.size() + 1);
}

Result<std::string> read_file(Env& env, const std::string& path, std::size_t limit_bytes) {
  PIMEMORY_ASSIGN(const std::unique_ptr<File> file, env.files.open(path, OpenMode::read));
  return file->read_all(limit_bytes);
}

// An ignore file that is absent, a link or unreadable holds no rule.
std::string read_rules(Env& env, const std::string& path) {
  const auto info = env.files.info(path);
  if (!info || info->type != FileType::regular) return "";
  return read_file(env, path, kIgnoreFileBytesMax).value_or("");
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

// The nearest folder at or above with a `.git`; without one the checkout, else the folder itself.
std::string rules_root(Env& env, const std::string& folder, const std::string& checkout) {
  for (std::string at = folder;; at = parent_of(at)) {
    const auto info = env.files.info(joined(at, ".git"));
    if (info && (info->type == FileType::directory || info->type == FileType::regular)) return at;
    if (at == "/") break;
  }
  return !checkout.empty() && is_within(folder, checkout) ? checkout : folder;
}

std::string first_line_path(const std::string& text, const std::string& base) {
  const std::string line(trim(std::string_view(text).substr(0, text.find('\n'))));
  return line.empty() || line.starts_with('/') ? line : joined(base, line);
}

// `.git` is a folder, or in a linked worktree a file that names one, whose `commondir` holds the exclude file.
std::string exclude_rules(Env& env, const std::string& root) {
  std::string git = joined(root, ".git");
  const auto info = env.files.info(git);
  if (info && info->type == FileType::regular) {
    const std::string pointer = read_rules(env, git);
    if (!pointer.starts_with("gitdir:")) return "";
    git = first_line_path(pointer.substr(std::string_view("gitdir:").size()), root);
    const std::string common = read_rules(env, joined(git, "commondir"));
    if (!common.empty()) git = first_line_path(common, git);
  }
  return read_rules(env, git + "/info/exclude");
}

class FolderWalk {
 public:
  FolderWalk(Env& env, std::string folder, std::string checkout, IndexResult& result,
             const std::function<Status(WalkedFile)>& visit)
      : env_(env), checkout_(std::move(checkout)), result_(result), visit_(visit) {
    root_ = rules_root(env, folder, checkout_);
    rules_.set_exclude_file(exclude_rules(env, root_));
    // The rules of the folders above hold below; whether they exclude the named folder itself does not matter.
    const std::string below = relative_path(folder, root_);
    for (std::size_t at = 0; at < below.size();) {
      push_rules(below.substr(0, at == 0 ? 0 : at - 1));
      const std::size_t slash = below.find('/', at);
      at = slash == std::string::npos ? below.size() : slash + 1;
    }
  }

  Status enter(const std::string& folder, std::size_t depth) {
    const auto names = env_.files.list(folder);
    if (!names || depth > kFolderDepthMax) {
      add_gap("directory_unavailable: " + shown(folder) +
              " cannot be read: " + (names ? "its folders are nested too deeply" : names.error().message));
      return {};
    }
    push_rules(relative_path(folder, root_));
    const Status done = visit_entries(folder, *names, depth);
    rules_.pop_folder();
    return done;
  }

  WalkOutcome outcome() const { return outcome_; }

 private:
  struct Entry {
    std::string name;
    FileInfo info;
    std::string order;  // a folder sorts as its name with the `/` that its files' paths have there
  };

  void push_rules(const std::string& relative) {
    const std::string folder = relative.empty() ? root_ : joined(root_, relative);
    rules_.push_folder(relative, read_rules(env_, joined(folder, ".gitignore")),
                       read_rules(env_, joined(folder, ".ignore")));
  }

  void add_gap(std::string gap) {
    outcome_.has_gap = true;
    result_.gaps.push_back(std::move(gap));
  }

  static std::string shown(const std::string& path) {
    return is_valid_utf8(path) && !has_control_characters(path) ? redact(path) : "(a name that is not plain UTF-8)";
  }

  // The entry's information, or nothing when it is left out and counted.
  std::optional<Entry> admit(const std::string& folder, const std::string& name) {
    const std::string path = joined(folder, name);
    if (name.starts_with('.')) {
      count_skipped(result_, "hidden", path);
      return std::nullopt;
    }
    auto info = env_.files.info(path);
    if (!info) {
      add_gap("file_unavailable: " + shown(path) + " cannot be read: " + info.error().message);
      return std::nullopt;
    }
    const bool is_folder = info->type == FileType::directory;
    if (info->type == FileType::missing || info->type == FileType::other) return std::nullopt;
    if (rules_.is_ignored(relative_path(path, root_), is_folder)) {
      count_skipped(result_, "ignored", path);
      return std::nullopt;
    }
    if (info->type == FileType::symlink) {
      count_skipped(result_, "link", path);
      return std::nullopt;
    }
    return Entry{name, *info, is_folder ? name + "/" : name};
  }

  Status visit_entries(const std::string& folder, const std::vector<std::string>& names, std::size_t depth) {
    std::vector<Entry> entries;
    for (const std::string& name : names)
      if (auto entry = admit(folder, name)) entries.push_back(std::move(*entry));
    std::ranges::sort(entries, {}, &Entry::order);
    for (const Entry& entry : entries) {
      if (outcome_.reached_limit) return {};
      const std::string path = joined(folder, entry.name);
      PIMEMORY_TRY(entry.info.type == FileType::directory ? enter(path, depth + 1) : offer(path, entry.info));
    }
    return {};
  }

  // Names that cannot be an id are told with what to correct.
  bool is_usable_id(const std::string& path, const std::string& id) {
    if (!validate_external_id(id)) {
      add_gap("no_identity: " + shown(path) + " has a name that cannot be an id; rename it");
      return false;
    }
    if (!contains_credential(id)) return true;
    add_gap("secret_in_identifier: " + shown(path) + " has the shape of a credential in its name; rename it");
    return false;
  }

  Status offer(const std::string& path, const FileInfo& info) {
    if (files_ >= kWalkFilesMax || bytes_ + info.size > kWalkBytesMax) {
      outcome_.reached_limit = true;
      add_gap("limit_reached: the walk stopped at " + shown(path) +
              " after 50,000 files or 512 MiB; index its folders one by one");
      return {};
    }
    ++files_;
    const std::string id = external_id_of(path, checkout_);
    if (!is_usable_id(path, id)) return {};
    if (info.size > kIndexedFileBytesMax) {
      count_skipped(result_, "too_large", id);
      return {};
    }
    auto text = read_file(env_, path, kIndexedFileBytesMax);
    if (!text && text.error().code == ErrorCode::too_large) {
      count_skipped(result_, "too_large", id);
      return {};
    }
    if (!text) {
      add_gap("file_unavailable: " + shown(path) + " cannot be read: " + text.error().message);
      return {};
    }
    bytes_ += text->size();
    if (!is_valid_utf8(*text) || has_nul(*text)) {
      count_skipped(result_, "not_text", id);
      return {};
    }
    if (is_blank(remove_injected_text(*text))) {
      count_skipped(result_, "blank", id);
      return {};
    }
    return visit_(WalkedFile{path, id, std::move(*text)});
  }

  Env& env_;
  std::string checkout_;
  IndexResult& result_;
  const std::function<Status(WalkedFile)>& visit_;
  std::string root_;
  IgnoreRules rules_;
  WalkOutcome outcome_;
  std::int64_t files_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::string external_id_of(const std::string& path, const std::string& checkout) {
  return !checkout.empty() && path != checkout && is_within(path, checkout) ? relative_path(path, checkout) : path;
}

void count_skipped(IndexResult& result, const std::string& reason, const std::string& external_id) {
  ++result.skipped[reason];
  if (reason == "ignored" || reason == "hidden" || reason == "link") return;
  std::vector<std::string>& paths = result.skipped_paths[reason];
  if (paths.size() < kNamedPathsMax) paths.push_back(external_id);
}

Result<WalkOutcome> walk_folder(Env& env, const std::string& folder, const std::string& checkout, IndexResult& result,
                                const std::function<Status(WalkedFile)>& visit) {
  FolderWalk walk(env, folder, checkout, result, visit);
  PIMEMORY_TRY(walk.enter(folder, 0));
  return walk.outcome();
}

}  // namespace pimemory
