// Splits a text into the blocks that the chunker joins and cuts: headings, fenced code, tables, lists, paragraphs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pimemory {

enum class BlockKind { heading, code, table, list, paragraph };

// [start, end) are byte offsets of whole lines, without the last line's end and white space behind it.
struct MarkdownBlock {
  BlockKind kind;
  std::size_t start;
  std::size_t end;
  int level = 0;      // headings: 1 to 6
  std::string title;  // headings: their text without marks, white space collapsed
};

// A Setext heading longer than this is prose above a rule.
inline constexpr std::size_t kMaxSetextHeadingCodePoints = 160;

// `lf_text` has LF line ends. Every non-blank character lies in exactly one block; blocks are in order. Linear time.
std::vector<MarkdownBlock> split_markdown_blocks(std::string_view lf_text);

}  // namespace pimemory
