// Canonical base64url only: two spellings of one id would be two document keys for one document.
#include "base/base64url.h"

#include <cstddef>
#include <cstdint>

namespace pimemory {
namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr unsigned kBitsPerSymbol = 6;
constexpr unsigned kBitsPerByte = 8;

int symbol_value(char symbol) {
  if (symbol >= 'A' && symbol <= 'Z') return symbol - 'A';
  if (symbol >= 'a' && symbol <= 'z') return symbol - 'a' + 26;
  if (symbol >= '0' && symbol <= '9') return symbol - '0' + 52;
  if (symbol == '-') return 62;
  if (symbol == '_') return 63;
  return -1;
}

}  // namespace

std::string base64url_encode(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t pending = 0;
  unsigned pending_bits = 0;
  for (char byte : bytes) {
    pending = (pending << kBitsPerByte) | static_cast<unsigned char>(byte);
    pending_bits += kBitsPerByte;
    while (pending_bits >= kBitsPerSymbol) {
      pending_bits -= kBitsPerSymbol;
      text.push_back(kAlphabet[(pending >> pending_bits) & 0x3f]);
    }
    pending &= (1u << pending_bits) - 1;
  }
  if (pending_bits > 0) text.push_back(kAlphabet[(pending << (kBitsPerSymbol - pending_bits)) & 0x3f]);
  return text;
}

std::optional<std::string> base64url_decode(std::string_view text) {
  // One symbol carries six bits: a lone last one cannot hold a byte.
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t pending = 0;
  unsigned pending_bits = 0;
  for (char symbol : text) {
    const int value = symbol_value(symbol);
    if (value < 0) return std::nullopt;
    pending = (pending << kBitsPerSymbol) | static_cast<std::uint32_t>(value);
    pending_bits += kBitsPerSymbol;
    if (pending_bits >= kBitsPerByte) {
      pending_bits -= kBitsPerByte;
      bytes.push_back(static_cast<char>((pending >> pending_bits) & 0xff));
    }
    pending &= (1u << pending_bits) - 1;
  }
  if (pending != 0) return std::nullopt;
  return bytes;
}

}  // namespace pimemory
