// SHA-256 through OpenSSL, set up so that a one-shot command does not pay for reading OpenSSL's configuration.
#include "base/sha256.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace pimemory {
namespace {

struct ContextDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using ContextPtr = std::unique_ptr<EVP_MD_CTX, ContextDeleter>;

// A hash that cannot be computed must never become a wrong id, and no caller could go on without one.
[[noreturn]] void abort_without_sha256() {
  std::fputs("pi-memory: SHA-256 is not available in this process (OpenSSL failed)\n", stderr);
  std::abort();
}

// Fetched once: an implicit fetch per digest costs more than hashing a short text. Never freed, so that it outlives
// every static object that may still hash.
const EVP_MD* sha256_algorithm() {
  static const EVP_MD* const algorithm = [] {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
    return EVP_MD_fetch(nullptr, "SHA256", nullptr);
  }();
  if (algorithm == nullptr) abort_without_sha256();
  return algorithm;
}

constexpr char kHexDigits[] = "0123456789abcdef";

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

std::array<unsigned char, kSha256Bytes> sha256(std::string_view bytes) {
  const EVP_MD* algorithm = sha256_algorithm();
  // One context per thread saves an allocation per digest.
  thread_local const ContextPtr context(EVP_MD_CTX_new());
  std::array<unsigned char, kSha256Bytes> digest;
  if (context == nullptr || EVP_DigestInit_ex2(context.get(), algorithm, nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) != 1) {
    abort_without_sha256();
  }
  return digest;
}

std::string sha256_hex(std::string_view bytes) { return to_hex(sha256(bytes)); }

std::string to_hex(std::span<const unsigned char> bytes) {
  std::string digits;
  digits.reserve(bytes.size() * 2);
  for (unsigned char byte : bytes) {
    digits.push_back(kHexDigits[byte >> 4]);
    digits.push_back(kHexDigits[byte & 0x0f]);
  }
  return digits;
}

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = hex_value(digits[i]);
    const int low = hex_value(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return bytes;
}

bool is_lower_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && std::ranges::all_of(text, [](char digit) { return hex_value(digit) >= 0; });
}

}  // namespace pimemory
