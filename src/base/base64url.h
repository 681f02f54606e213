// Unpadded base64url: the part of a document key that carries any external id as plain ASCII.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pimemory {

// Alphabet A-Z a-z 0-9 - _, no padding (RFC 4648 section 5).
std::string base64url_encode(std::string_view bytes);

// The bytes whose encoding is exactly `text`. Nothing for padding, foreign characters, an impossible length or unused
// bits that are not zero, so decoding and encoding again always gives the same text.
std::optional<std::string> base64url_decode(std::string_view text);

}  // namespace pimemory
