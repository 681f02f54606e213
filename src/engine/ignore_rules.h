// Which paths a checkout's ignore files exclude, by the pattern rules of gitignore(5).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pimemory {

// One line of an ignore file. Matching is bytewise, `*` and `?` never match `/`.
struct IgnorePattern {
  std::vector<std::string> segments;  // the pattern split at `/`; "**" spans any number of folders
  bool negated = false;               // `!`: takes an exclusion back
  bool folders_only = false;          // ended in `/`
  bool anchored = false;              // held a `/` that was not its last byte
};

std::vector<IgnorePattern> parse_ignore_file(std::string_view text);

// `path` is relative to the folder of the pattern's file, without a leading `/`.
bool matches(const IgnorePattern& pattern, std::string_view path, bool is_folder);

// The rules that hold in one folder: its own files' and those of the folders above it. The last matching line decides;
// `.ignore` files come before `.gitignore` files, deeper files before higher ones, `.git/info/exclude` last.
class IgnoreRules {
 public:
  // `folder` is relative to the root, "" for the root itself. Folders are added from the root downwards.
  void set_exclude_file(std::string_view text) { exclude_ = parse_ignore_file(text); }
  void push_folder(std::string folder, std::string_view gitignore, std::string_view ignore);
  void pop_folder() { levels_.pop_back(); }

  // `path` is relative to the root. A folder that is ignored is not entered, so nothing below it is ever asked for.
  bool is_ignored(std::string_view path, bool is_folder) const;

 private:
  struct Level {
    std::string folder;
    std::vector<IgnorePattern> gitignore;
    std::vector<IgnorePattern> ignore;
  };
  std::vector<IgnorePattern> exclude_;
  std::vector<Level> levels_;
};

}  // namespace pimemory
