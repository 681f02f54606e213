// A line scanner for the few Markdown shapes that decide where a text may be cut; it never drops a line.
#include "text/markdown_blocks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/utf8.h"

namespace pimemory {
namespace {

constexpr std::size_t kMaxIndentColumns = 3;  // four columns are indented code in CommonMark
constexpr std::size_t kMaxHeadingLevel = 6;
constexpr std::size_t kMinFenceLength = 3;
constexpr std::size_t kMaxOrdinalDigits = 9;

struct Line {
  std::size_t start;
  std::size_t end;  // the position of the LF, or the end of the text
};

struct Fence {
  char mark;
  std::size_t length;
  std::size_t indent;
};

bool is_blank_byte(char c) { return c == ' ' || c == '\t'; }

std::size_t indent_of(std::string_view line) {
  std::size_t indent = 0;
  while (indent < line.size() && is_blank_byte(line[indent])) ++indent;
  return indent;
}

std::size_t run_length(std::string_view text, char mark) {
  const std::size_t stop = text.find_first_not_of(mark);
  return stop == std::string_view::npos ? text.size() : stop;
}

// White space at the end of the block carries nothing; a block is never blank, so this stops.
std::size_t without_trailing_space(std::string_view text, std::size_t start, std::size_t end) {
  while (end > start) {
    std::size_t last = end - 1;
    while (last > start && (static_cast<unsigned char>(text[last]) & 0xc0) == 0x80) --last;
    std::size_t pos = last;
    if (!is_whitespace(decode_code_point(text, pos)) || pos != end) return end;
    end = last;
  }
  return end;
}

struct Heading {
  int level;
  std::string title;
};

std::optional<Heading> atx_heading(std::string_view line) {
  const std::size_t indent = indent_of(line);
  if (indent > kMaxIndentColumns) return std::nullopt;
  line.remove_prefix(indent);
  const std::size_t level = run_length(line, '#');
  if (level == 0 || level > kMaxHeadingLevel) return std::nullopt;
  if (level < line.size() && !is_blank_byte(line[level])) return std::nullopt;
  std::string_view title = trim(line.substr(level));
  std::size_t closing = title.size();
  while (closing > 0 && title[closing - 1] == '#') --closing;
  if (closing == 0 || is_blank_byte(title[closing - 1])) title = title.substr(0, closing);
  return Heading{static_cast<int>(level), collapse_whitespace(title)};
}

// The level that an underline gives, or 0.
int setext_level(std::string_view line) {
  if (indent_of(line) > kMaxIndentColumns) return 0;
  const std::string_view marks = trim(line);
  if (marks.empty() || (marks[0] != '=' && marks[0] != '-')) return 0;
  if (run_length(marks, marks[0]) != marks.size()) return 0;
  return marks[0] == '=' ? 1 : 2;
}

// Inside a list a fence may be indented as deeply as its item.
std::optional<Fence> opening_fence(std::string_view line, bool in_list) {
  const std::size_t indent = indent_of(line);
  if (indent > kMaxIndentColumns && !in_list) return std::nullopt;
  line.remove_prefix(indent);
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return std::nullopt;
  const std::size_t length = run_length(line, line[0]);
  if (length < kMinFenceLength) return std::nullopt;
  if (line[0] == '`' && line.find('`', length) != std::string_view::npos) return std::nullopt;
  return Fence{line[0], length, indent};
}

bool closes(std::string_view line, const Fence& fence) {
  const std::size_t indent = indent_of(line);
  if (indent > fence.indent + kMaxIndentColumns) return false;
  line.remove_prefix(indent);
  const std::size_t length = run_length(line, fence.mark);
  return length >= fence.length && is_blank(line.substr(length));
}

bool is_list_item(std::string_view line) {
  line.remove_prefix(indent_of(line));
  if (line.empty()) return false;
  std::size_t mark = 0;
  if (line[0] == '-' || line[0] == '*' || line[0] == '+') {
    mark = 1;
  } else {
    while (mark < line.size() && line[mark] >= '0' && line[mark] <= '9') ++mark;
    if (mark == 0 || mark > kMaxOrdinalDigits || mark == line.size()) return false;
    if (line[mark] != '.' && line[mark] != ')') return false;
    ++mark;
  }
  return mark < line.size() && is_blank_byte(line[mark]);
}

bool is_delimiter_row(std::string_view line) {
  const std::string_view row = trim(line);
  return row.find_first_not_of("|:- \t") == std::string_view::npos && row.find('-') != std::string_view::npos &&
         row.find('|') != std::string_view::npos;
}

class BlockSplitter {
 public:
  explicit BlockSplitter(std::string_view text) : text_(text) {
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      lines_.push_back({start, end});
      start = end + 1;
    }
  }

  std::vector<MarkdownBlock> split() && {
    while (next_ < lines_.size()) {
      if (blank(next_)) {
        ++next_;
      } else {
        take_block();
      }
    }
    return std::move(blocks_);
  }

 private:
  std::string_view line(std::size_t index) const {
    return text_.substr(lines_[index].start, lines_[index].end - lines_[index].start);
  }
  bool blank(std::size_t index) const { return is_blank(line(index)); }
  bool after_list() const { return !blocks_.empty() && blocks_.back().kind == BlockKind::list; }

  bool opens_table(std::size_t index) const {
    const std::string_view row = line(index);
    if (row.find('|') == std::string_view::npos) return false;
    if (row[indent_of(row)] == '|') return true;
    return index + 1 < lines_.size() && is_delimiter_row(line(index + 1));
  }

  // Takes lines [first, next_) as one block.
  void add(BlockKind kind, std::size_t first, int level = 0, std::string title = {}) {
    const std::size_t start = lines_[first].start;
    const std::size_t end = without_trailing_space(text_, start, lines_[next_ - 1].end);
    blocks_.push_back({kind, start, end, level, std::move(title)});
  }

  void take_block() {
    const std::size_t first = next_;
    if (const auto fence = opening_fence(line(first), after_list())) {
      take_code(*fence);
    } else if (auto heading = atx_heading(line(first))) {
      ++next_;
      add(BlockKind::heading, first, heading->level, std::move(heading->title));
    } else if (opens_table(first)) {
      while (next_ < lines_.size() && line(next_).find('|') != std::string_view::npos) ++next_;
      add(BlockKind::table, first);
    } else if (is_list_item(line(first))) {
      take_list();
    } else {
      take_paragraph();
    }
  }

  void take_code(const Fence& fence) {
    const std::size_t first = next_++;
    while (next_ < lines_.size() && !closes(line(next_), fence)) ++next_;
    if (next_ < lines_.size()) ++next_;
    add(BlockKind::code, first);
  }

  void take_list() {
    const std::size_t first = next_++;
    while (next_ < lines_.size() && !blank(next_) && !opening_fence(line(next_), true)) {
      if (!is_list_item(line(next_)) && indent_of(line(next_)) == 0) break;
      ++next_;
    }
    add(BlockKind::list, first);
  }

  void take_paragraph() {
    const std::size_t first = next_++;
    for (; next_ < lines_.size() && !blank(next_); ++next_) {
      if (const int level = setext_level(line(next_)); level != 0) {
        const std::size_t start = lines_[first].start;
        std::string title = collapse_whitespace(text_.substr(start, lines_[next_ - 1].end - start));
        const bool is_heading = count_code_points(title) <= kMaxSetextHeadingCodePoints;
        ++next_;
        add(is_heading ? BlockKind::heading : BlockKind::paragraph, first, is_heading ? level : 0,
            is_heading ? std::move(title) : std::string());
        return;
      }
      if (atx_heading(line(next_)) || opening_fence(line(next_), false) || opens_table(next_) ||
          is_list_item(line(next_))) {
        break;
      }
    }
    add(BlockKind::paragraph, first);
  }

  std::string_view text_;
  std::vector<Line> lines_;
  std::size_t next_ = 0;
  std::vector<MarkdownBlock> blocks_;
};

}  // namespace

std::vector<MarkdownBlock> split_markdown_blocks(std::string_view lf_text) { return BlockSplitter(lf_text).split(); }

}  // namespace pimemory
