// Joins Markdown blocks up to the target length and cuts what is longer at the best boundary within reach.
#include "text/chunker.h"

#include <utf8proc.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "text/markdown_blocks.h"

namespace pimemory {
namespace {

constexpr std::size_t kMaxOverlapCodePoints = 150;
constexpr std::size_t kOverlapDivisor = 8;
constexpr std::size_t kSectionDivisor = 4;
constexpr std::size_t kMinPieceDivisor = 2;
constexpr std::string_view kPathSeparator = " › ";

// A position known both as a byte offset and as the number of code points before it.
struct Position {
  std::size_t byte = 0;
  std::size_t code_point = 0;
};

bool is_letter(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return true;
    default:
      return false;
  }
}

bool is_letter_or_digit(char32_t c) {
  return is_letter(c) || utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_ND;
}

bool is_lower(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_LL; }

bool ends_latin_sentence(char32_t c) { return c == U'.' || c == U'!' || c == U'?' || c == U'…'; }
bool ends_cjk_sentence(char32_t c) { return c == U'。' || c == U'！' || c == U'？'; }

// The code points from one piece's start to one beyond its limit, with the boundaries between grapheme clusters.
class Window {
 public:
  Window(std::string_view text, Position from, std::size_t end_byte, std::size_t limit) {
    utf8proc_int32_t state = 0;
    std::size_t byte = from.byte;
    while (byte < end_byte && points_.size() <= limit) {
      bytes_.push_back(byte);
      const char32_t c = decode_code_point(text, byte);
      const bool breaks =
          points_.empty() || utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(points_.back()),
                                                              static_cast<utf8proc_int32_t>(c), &state);
      boundary_.push_back(breaks);
      points_.push_back(c);
    }
  }

  std::size_t size() const { return points_.size(); }
  std::size_t byte(std::size_t i) const { return bytes_[i]; }
  char32_t at(std::size_t i) const { return points_[i]; }
  bool boundary(std::size_t i) const { return boundary_[i]; }
  bool space(std::size_t i) const { return is_whitespace(points_[i]); }

  bool line_end(std::size_t i) const { return points_[i] == U'\n' && points_[i - 1] != U'\n'; }
  bool word_end(std::size_t i) const { return boundary_[i] && space(i) && !space(i - 1); }

  bool sentence_end(std::size_t i) const {
    if (!boundary_[i]) return false;
    if (ends_cjk_sentence(points_[i - 1])) return !ends_cjk_sentence(points_[i]);
    if (!ends_latin_sentence(points_[i - 1]) || !space(i)) return false;
    const bool after_letter = i >= 2 && is_letter(points_[i - 2]) && (i == 2 || !is_letter_or_digit(points_[i - 3]));
    if (after_letter) return false;
    // The next word begins within the window or its case is unknown, which then does not matter.
    std::size_t next = i;
    while (next < points_.size() && space(next)) ++next;
    return next == points_.size() || !is_lower(points_[next]);
  }

  bool word_start(std::size_t i) const {
    return boundary_[i] && is_letter_or_digit(points_[i]) && i > 0 && space(i - 1);
  }

 private:
  std::vector<char32_t> points_;
  std::vector<std::size_t> bytes_;
  std::vector<bool> boundary_;
};

enum class CutKind { line, sentence, space, grapheme };

struct Cut {
  std::size_t index;  // code points of the piece
  CutKind kind;
};

class Chunker {
 public:
  Chunker(std::string_view text, std::size_t target)
      : text_(text), target_(std::clamp(target, kMinChunkCodePoints, kMaxChunkCodePoints)) {}

  std::vector<TextChunk> run() && {
    for (MarkdownBlock& block : split_markdown_blocks(text_)) {
      const Position start = advance(counted_, block.start);
      const Position end = advance(start, block.end);
      counted_ = end;
      join(block.kind, start, end);
      if (block.kind == BlockKind::heading) open_headings_.push_back({end.byte, block.level, std::move(block.title)});
    }
    flush(end_.byte);
    return std::move(chunks_);
  }

 private:
  struct OpenHeading {
    std::size_t end_byte;
    int level;
    std::string title;
  };

  Position advance(Position from, std::size_t to_byte) const {
    return {to_byte, from.code_point + count_code_points(text_.substr(from.byte, to_byte - from.byte))};
  }

  bool fits(const Position& end) const { return end.code_point - start_.code_point <= target_; }

  void join(BlockKind kind, const Position& start, const Position& end) {
    const bool heading = kind == BlockKind::heading;
    if (!open_) {
      open_at(start);
      section_code_point_ = start.code_point;
    } else if (heading && !heading_run_ && start.code_point - section_code_point_ >= target_ / kSectionDivisor) {
      // Measured from where the section's first chunk began, not from the current one: a short rest behind a cut
      // would else tie the next section's chunks to edits in this one.
      flush(end_.byte);
      open_at(start);
      section_code_point_ = start.code_point;
    } else if (!fits(end) && (!heading_run_ || heading_run_->byte > start_.byte)) {
      // Headings at the end go along with the text that they head.
      const Position next = heading_run_.value_or(start);
      flush(heading_run_ ? before_headings_.byte : end_.byte);
      open_at(next);
    }
    if (!fits(end)) cut(kind, start, end);
    if (heading && !heading_run_) {
      heading_run_ = start;
      before_headings_ = end_;
    } else if (!heading) {
      heading_run_.reset();
    }
    // Headings that had to be cut themselves are text like any other.
    if (heading_run_ && heading_run_->byte < start_.byte) heading_run_.reset();
    end_ = end;
  }

  void open_at(const Position& start) {
    open_ = true;
    start_ = start;
    if (heading_run_ && heading_run_->byte < start.byte) heading_run_.reset();
  }

  void flush(std::size_t end_byte) {
    if (!open_ || end_byte <= start_.byte) return;
    chunks_.push_back({static_cast<int>(chunks_.size()), start_.byte, end_byte, heading_path(start_.byte)});
  }

  // Emits pieces of [start_, end) until the rest fits, and leaves the rest as the current chunk. The headings before
  // `body` stay with at least one character of it.
  void cut(BlockKind kind, const Position& body, const Position& end) {
    std::size_t new_from = skip_space(body, end).code_point;  // where text begins that no chunk holds yet
    skip_leading_space(end, new_from);
    for (bool first = true; !fits(end); first = false) {
      const Window window(text_, start_, end.byte, target_);
      auto found = best_cut(window, kind, new_from - start_.code_point);
      // Where headings leave no room for text they are cut like text; repeated text is never alone in a piece.
      if (!found && first) found = best_cut(window, kind, 0);
      const Cut at = found.value_or(Cut{target_, CutKind::grapheme});
      flush(window.byte(at.index));
      const Position cut_at{window.byte(at.index), start_.code_point + at.index};
      const Position text_start = skip_space(cut_at, end);
      new_from = text_start.code_point;
      start_ = next_start(window, at, cut_at, text_start);
      skip_leading_space(end, new_from);
    }
  }

  // White space alone must not fill a piece; indentation of ordinary size is kept.
  void skip_leading_space(const Position& end, std::size_t& new_from) {
    Position pos = start_;
    while (pos.byte < end.byte) {
      std::size_t next = pos.byte;
      if (!is_whitespace(decode_code_point(text_, next))) break;
      pos = {next, pos.code_point + 1};
    }
    if (pos.code_point - start_.code_point > target_ / kOverlapDivisor) start_ = pos;
    new_from = std::max(new_from, pos.code_point);
  }

  // The latest cut beyond `floor`, of the best kind; none where one grapheme cluster fills the room.
  std::optional<Cut> best_cut(const Window& window, BlockKind kind, std::size_t floor) const {
    const std::size_t last = target_;
    const std::size_t first = std::max(target_ / kMinPieceDivisor, floor + 1);
    const bool by_line = kind == BlockKind::code || kind == BlockKind::table || kind == BlockKind::list;
    std::optional<std::size_t> sentence, word;
    for (std::size_t i = last; i >= first; --i) {
      if (by_line && window.line_end(i)) return Cut{i, CutKind::line};
      if (!sentence && window.sentence_end(i)) sentence = i;
      if (!word && window.word_end(i)) word = i;
      if (sentence && !by_line) break;
    }
    if (sentence) return Cut{*sentence, CutKind::sentence};
    if (word) return Cut{*word, CutKind::space};
    for (std::size_t i = last; i > floor; --i) {
      if (window.boundary(i)) return Cut{i, CutKind::grapheme};
    }
    return std::nullopt;
  }

  Position next_start(const Window& window, const Cut& at, const Position& cut_at, const Position& text_start) const {
    if (at.kind == CutKind::line) return line_start(cut_at, text_start);
    const std::size_t overlap = std::min(kMaxOverlapCodePoints, target_ / kOverlapDivisor);
    const bool far = text_start.code_point - cut_at.code_point > overlap;
    if (at.kind == CutKind::sentence || far) return text_start;
    // Never back to where this piece began.
    for (std::size_t i = at.index > overlap ? at.index - overlap : 1; i < at.index; ++i) {
      if (window.word_start(i)) return {window.byte(i), start_.code_point + i};
    }
    return text_start;
  }

  // White space that a combining mark follows is the mark's base and stays.
  Position skip_space(Position pos, const Position& end) const {
    while (pos.byte < end.byte) {
      std::size_t next = pos.byte;
      const char32_t c = decode_code_point(text_, next);
      if (!is_whitespace(c)) break;
      std::size_t after = next;
      if (next < end.byte && !utf8proc_grapheme_break(static_cast<utf8proc_int32_t>(c),
                                                      static_cast<utf8proc_int32_t>(decode_code_point(text_, after)))) {
        break;
      }
      pos = {next, pos.code_point + 1};
    }
    return pos;
  }

  // The beginning of the line that holds `text_start`: its indentation is kept.
  Position line_start(const Position& cut_at, const Position& text_start) const {
    const std::size_t line_feed = text_.substr(cut_at.byte, text_start.byte - cut_at.byte).rfind('\n');
    return line_feed == std::string_view::npos ? text_start : advance(cut_at, cut_at.byte + line_feed + 1);
  }

  // Consumes the headings that end at or before `byte`: chunks come in order.
  std::string heading_path(std::size_t byte) {
    for (; next_heading_ < open_headings_.size() && open_headings_[next_heading_].end_byte <= byte; ++next_heading_) {
      const OpenHeading& heading = open_headings_[next_heading_];
      while (!path_.empty() && path_.back()->level >= heading.level) path_.pop_back();
      path_.push_back(&heading);
    }
    // The nearest headings say most: outer ones go first where the path is too long.
    std::string joined;
    for (auto heading = path_.rbegin(); heading != path_.rend(); ++heading) {
      if ((*heading)->title.empty()) continue;
      std::string longer = (*heading)->title;
      if (!joined.empty()) longer.append(kPathSeparator).append(joined);
      if (count_code_points(longer) > kMaxHeadingPathCodePoints) {
        if (joined.empty()) joined = clip_code_points(longer, kMaxHeadingPathCodePoints);
        break;
      }
      joined = std::move(longer);
    }
    return joined;
  }

  std::string_view text_;
  std::size_t target_;
  Position counted_;  // the end of the last block
  bool open_ = false;
  Position start_;  // the current chunk
  Position end_;
  std::size_t section_code_point_ = 0;
  std::optional<Position> heading_run_;  // the headings that end the current chunk begin here
  Position before_headings_;             // and the text before them ends here
  std::deque<OpenHeading> open_headings_;
  std::size_t next_heading_ = 0;
  std::vector<const OpenHeading*> path_;
  std::vector<TextChunk> chunks_;
};

}  // namespace

std::string to_lf(std::string_view text) {
  std::string lf;
  lf.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      lf.push_back(text[i]);
    } else {
      lf.push_back('\n');
      if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
    }
  }
  return lf;
}

std::vector<TextChunk> chunk_text(std::string_view lf_text, std::size_t target_code_points) {
  return Chunker(lf_text, target_code_points).run();
}

std::string encoder_input(const TextChunk& chunk, std::string_view lf_text) {
  const std::string_view text = lf_text.substr(chunk.start, chunk.end - chunk.start);
  return chunk.heading.empty() ? std::string(text) : chunk.heading + "\n" + std::string(text);
}

}  // namespace pimemory
