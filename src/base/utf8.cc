// Decoding and clipping by hand, since they run over every text; the Unicode tables come from utf8proc.
#include "base/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace pimemory {
namespace {

constexpr char32_t kMaxCodePoint = 0x10FFFF;

unsigned char byte_at(std::string_view text, std::size_t pos) { return static_cast<unsigned char>(text[pos]); }

bool is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

struct Decoded {
  char32_t code_point;
  std::size_t size_bytes;  // 0: malformed
};

constexpr Decoded kMalformed{kReplacementCharacter, 0};

// `smallest` per length excludes overlong forms: the shortest spelling is the only one.
Decoded decode_at(std::string_view text, std::size_t pos) {
  const unsigned char lead = byte_at(text, pos);
  if (lead < 0x80) return {lead, 1};
  std::size_t size_bytes;
  char32_t smallest;
  char32_t value;
  if (lead >= 0xc2 && lead <= 0xdf) {
    size_bytes = 2, smallest = 0x80, value = lead & 0x1f;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    size_bytes = 3, smallest = 0x800, value = lead & 0x0f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    size_bytes = 4, smallest = 0x10000, value = lead & 0x07;
  } else {
    return kMalformed;
  }
  if (text.size() - pos < size_bytes) return kMalformed;
  for (std::size_t i = 1; i < size_bytes; ++i) {
    const unsigned char byte = byte_at(text, pos + i);
    if (!is_continuation(byte)) return kMalformed;
    value = (value << 6) | (byte & 0x3f);
  }
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < smallest || surrogate || value > kMaxCodePoint) return kMalformed;
  return {value, size_bytes};
}

struct FreeDeleter {
  void operator()(utf8proc_uint8_t* memory) const { std::free(memory); }
};

std::string map_with_utf8proc(std::string_view text, unsigned options) {
  utf8proc_uint8_t* raw = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &raw, static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, FreeDeleter> mapped(raw);
  if (size < 0) return std::string(text);
  return std::string(reinterpret_cast<const char*>(mapped.get()), static_cast<std::size_t>(size));
}

std::string decompose_without_marks(std::string_view text, unsigned options) {
  if (is_ascii(text)) return std::string(text);
  const std::string decomposed = map_with_utf8proc(text, options);
  if (!is_valid_utf8(decomposed)) return decomposed;
  std::string kept;
  kept.reserve(decomposed.size());
  for (std::size_t pos = 0; pos < decomposed.size();) {
    const std::size_t start = pos;
    const char32_t code_point = decode_code_point(decomposed, pos);
    const bool mark = code_point >= 0x300 && code_point <= 0x36f;
    if (!mark) kept.append(decomposed, start, pos - start);
  }
  return kept;
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    const Decoded decoded = decode_at(text, pos);
    if (decoded.size_bytes == 0) return false;
    pos += decoded.size_bytes;
  }
  return true;
}

bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

char32_t decode_code_point(std::string_view text, std::size_t& pos) {
  const Decoded decoded = decode_at(text, pos);
  pos += std::max<std::size_t>(decoded.size_bytes, 1);
  return decoded.code_point;
}

void append_code_point(std::string& out, char32_t code_point) {
  if (code_point > kMaxCodePoint || (code_point >= 0xd800 && code_point <= 0xdfff)) code_point = kReplacementCharacter;
  const auto continuation = [&](unsigned shift) { return static_cast<char>(0x80 | ((code_point >> shift) & 0x3f)); };
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xc0 | (code_point >> 6)));
    out.push_back(continuation(0));
  } else if (code_point < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | (code_point >> 12)));
    out.push_back(continuation(6));
    out.push_back(continuation(0));
  } else {
    out.push_back(static_cast<char>(0xf0 | (code_point >> 18)));
    out.push_back(continuation(12));
    out.push_back(continuation(6));
    out.push_back(continuation(0));
  }
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < text.size(); ++count) decode_code_point(text, pos);
  return count;
}

std::string_view clip_code_points(std::string_view text, std::size_t limit) {
  // A code point takes at least one byte, so a short text needs no walk.
  if (text.size() <= limit) return text;
  std::size_t pos = 0;
  for (std::size_t count = 0; count < limit && pos < text.size(); ++count) decode_code_point(text, pos);
  return text.substr(0, pos);
}

std::string_view clip_bytes(std::string_view text, std::size_t limit_bytes) {
  if (text.size() <= limit_bytes) return text;
  constexpr std::size_t kMaxContinuationBytes = 3;
  std::size_t end = limit_bytes;
  while (end > 0 && limit_bytes - end < kMaxContinuationBytes && is_continuation(byte_at(text, end))) --end;
  return text.substr(0, end);
}

bool is_whitespace(char32_t code_point) {
  return (code_point >= 0x09 && code_point <= 0x0d) || code_point == 0x20 || code_point == 0x85 || code_point == 0xa0 ||
         code_point == 0x1680 || (code_point >= 0x2000 && code_point <= 0x200a) || code_point == 0x2028 ||
         code_point == 0x2029 || code_point == 0x202f || code_point == 0x205f || code_point == 0x3000;
}

bool is_blank(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    if (!is_whitespace(decode_code_point(text, pos))) return false;
  }
  return true;
}

std::string_view trim(std::string_view text) {
  std::size_t begin = text.size();
  std::size_t end = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    if (is_whitespace(decode_code_point(text, pos))) continue;
    begin = std::min(begin, start);
    end = pos;
  }
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

std::string collapse_whitespace(std::string_view text) {
  std::string collapsed;
  collapsed.reserve(text.size());
  bool space_pending = false;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    if (is_whitespace(decode_code_point(text, pos))) {
      space_pending = !collapsed.empty();
      continue;
    }
    if (space_pending) collapsed.push_back(' ');
    space_pending = false;
    collapsed.append(text.substr(start, pos - start));
  }
  return collapsed;
}

bool has_control_characters(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t code_point = decode_code_point(text, pos);
    if (code_point < 0x20 || (code_point >= 0x7f && code_point <= 0x9f)) return true;
  }
  return false;
}

std::string nfc(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  return map_with_utf8proc(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string nfd_without_marks(std::string_view text) {
  return decompose_without_marks(text, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
}

std::string nfkd_without_marks(std::string_view text) {
  return decompose_without_marks(text, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
}

std::string case_fold(std::string_view text) {
  if (!is_ascii(text)) return map_with_utf8proc(text, UTF8PROC_CASEFOLD);
  std::string folded(text);
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

}  // namespace pimemory
