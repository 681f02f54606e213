// Reading and matching ignore patterns: one pass a segment, no recursion into exponential cases.
#include "engine/ignore_rules.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace pimemory {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kAnyFolders = "**";

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> segments;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    if (end > start) segments.emplace_back(path.substr(start, end - start));
    start = end + 1;
  }
  return segments;
}

bool in_named_class(std::string_view name, unsigned char c) {
  if (name == "alnum") return std::isalnum(c) != 0;
  if (name == "alpha") return std::isalpha(c) != 0;
  if (name == "blank") return c == ' ' || c == '\t';
  if (name == "cntrl") return std::iscntrl(c) != 0;
  if (name == "digit") return std::isdigit(c) != 0;
  if (name == "graph") return std::isgraph(c) != 0;
  if (name == "lower") return std::islower(c) != 0;
  if (name == "print") return std::isprint(c) != 0;
  if (name == "punct") return std::ispunct(c) != 0;
  if (name == "space") return std::isspace(c) != 0;
  if (name == "upper") return std::isupper(c) != 0;
  if (name == "xdigit") return std::isxdigit(c) != 0;
  return false;
}

// `[…]` at pattern[pos]: whether c is in it; pos moves behind its `]`. Nothing for a class without an end.
std::optional<bool> match_class(std::string_view pattern, std::size_t& pos, unsigned char c) {
  std::size_t at = pos + 1;
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) ++at;
  bool found = false;
  for (bool first = true; at < pattern.size(); first = false) {
    if (pattern[at] == ']' && !first) {
      pos = at + 1;
      return found != negated;
    }
    if (pattern.substr(at).starts_with("[:")) {
      const std::size_t end = pattern.find(":]", at + 2);
      if (end == std::string_view::npos) return std::nullopt;
      found |= in_named_class(pattern.substr(at + 2, end - at - 2), c);
      at = end + 2;
      continue;
    }
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    const auto low = static_cast<unsigned char>(pattern[at++]);
    auto high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      ++at;
      if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
      high = static_cast<unsigned char>(pattern[at++]);
    }
    found |= low <= c && c <= high;
  }
  return std::nullopt;
}

// One element of the pattern that is no `*` against one byte.
bool match_one(std::string_view pattern, std::size_t& pos, unsigned char c) {
  if (pattern[pos] == '?') {
    ++pos;
    return true;
  }
  if (pattern[pos] == '[') {
    const auto in_class = match_class(pattern, pos, c);
    return in_class.value_or(false);
  }
  if (pattern[pos] == '\\' && pos + 1 < pattern.size()) ++pos;
  return static_cast<unsigned char>(pattern[pos++]) == c;
}

// Only the last `*` is ever taken again, so the work is at most pattern times name.
bool match_segment(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, star_name = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_name = n;
      continue;
    }
    std::size_t next = p;
    if (p < pattern.size() && match_one(pattern, next, static_cast<unsigned char>(name[n]))) {
      p = next;
      ++n;
      continue;
    }
    if (star == std::string_view::npos) return false;
    p = star;
    n = ++star_name;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// reachable[i]: the first i names are matched by the segments so far.
bool match_segments(const std::vector<std::string>& segments, const std::vector<std::string>& names) {
  std::vector<char> reachable(names.size() + 1, 0);
  reachable[0] = 1;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    std::vector<char> next(names.size() + 1, 0);
    if (segments[s] == kAnyFolders) {
      // A final `**` stands for what is inside, not for the folder itself.
      const bool is_last = s + 1 == segments.size();
      bool open = false;
      for (std::size_t i = 0; i <= names.size(); ++i) {
        if (is_last) next[i] = open;
        open |= reachable[i] != 0;
        if (!is_last) next[i] = open;
      }
    } else {
      for (std::size_t i = 0; i < names.size(); ++i)
        if (reachable[i] && match_segment(segments[s], names[i])) next[i + 1] = 1;
    }
    reachable = std::move(next);
  }
  return reachable[names.size()] != 0;
}

std::string_view without_trailing_spaces(std::string_view line) {
  while (line.ends_with(' ')) {
    // A backslash keeps the space behind it, unless it is itself escaped.
    std::size_t slashes = 0;
    while (slashes + 1 < line.size() && line[line.size() - 2 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 1) break;
    line.remove_suffix(1);
  }
  return line;
}

std::optional<IgnorePattern> parse_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  line = without_trailing_spaces(line);
  if (line.empty() || line.starts_with('#')) return std::nullopt;
  IgnorePattern pattern;
  if (line.starts_with('!')) {
    pattern.negated = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    pattern.folders_only = true;
    line.remove_suffix(1);
  }
  pattern.anchored = line.find('/') != std::string_view::npos;
  pattern.segments = split_path(line);
  if (pattern.segments.empty()) return std::nullopt;
  return pattern;
}

// The last matching line's word: true excludes, false takes back.
std::optional<bool> decide(const std::vector<IgnorePattern>& patterns, std::string_view path, bool is_folder) {
  for (std::size_t i = patterns.size(); i-- > 0;)
    if (matches(patterns[i], path, is_folder)) return !patterns[i].negated;
  return std::nullopt;
}

std::string_view relative_to(std::string_view path, const std::string& folder) {
  return folder.empty() ? path : path.substr(std::min(path.size(), folder.size() + 1));
}

}  // namespace

std::vector<IgnorePattern> parse_ignore_file(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<IgnorePattern> patterns;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (auto pattern = parse_line(text.substr(start, end - start))) patterns.push_back(std::move(*pattern));
    start = end + 1;
  }
  return patterns;
}

bool matches(const IgnorePattern& pattern, std::string_view path, bool is_folder) {
  if (pattern.folders_only && !is_folder) return false;
  if (pattern.anchored) return match_segments(pattern.segments, split_path(path));
  return match_segment(pattern.segments[0], path.substr(path.rfind('/') + 1));
}

void IgnoreRules::push_folder(std::string folder, std::string_view gitignore, std::string_view ignore) {
  levels_.push_back(Level{std::move(folder), parse_ignore_file(gitignore), parse_ignore_file(ignore)});
}

bool IgnoreRules::is_ignored(std::string_view path, bool is_folder) const {
  for (std::size_t i = levels_.size(); i-- > 0;)
    if (const auto word = decide(levels_[i].ignore, relative_to(path, levels_[i].folder), is_folder)) return *word;
  for (std::size_t i = levels_.size(); i-- > 0;)
    if (const auto word = decide(levels_[i].gitignore, relative_to(path, levels_[i].folder), is_folder)) return *word;
  return decide(exclude_, path, is_folder).value_or(false);
}

}  // namespace pimemory
