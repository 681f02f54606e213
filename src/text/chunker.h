// Cuts a document into the chunks that are indexed and encoded, so that a small edit renames few of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pimemory {

inline constexpr std::size_t kDefaultChunkCodePoints = 1200;
inline constexpr std::size_t kMinChunkCodePoints = 256;
inline constexpr std::size_t kMaxChunkCodePoints = 4096;
inline constexpr std::size_t kMaxHeadingPathCodePoints = 160;

struct TextChunk {
  int ordinal;        // from 0, in text order
  std::size_t start;  // byte offsets into the LF text, end excluded
  std::size_t end;
  std::string heading;  // the headings above the chunk, outermost first, joined by " › "; empty when there is none
};

// CRLF and a lone CR become LF.
std::string to_lf(std::string_view text);

// Chunks of at most `target_code_points` (clamped to 256-4,096) in text order. Every non-blank character lies in one;
// chunks may repeat up to 150 characters of their predecessor, and each adds text of its own. A blank text has none.
// No grapheme cluster is split unless it alone is longer than a chunk. Linear time, thread-safe.
std::vector<TextChunk> chunk_text(std::string_view lf_text, std::size_t target_code_points = kDefaultChunkCodePoints);

// What is encoded and hashed: the heading path (if any), LF, the chunk's text.
std::string encoder_input(const TextChunk& chunk, std::string_view lf_text);

}  // namespace pimemory
