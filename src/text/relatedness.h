// A mechanical test whether a quotation can be about a statement; it judges wording, never truth.
#pragma once

#include <string_view>

namespace pimemory {

struct Relatedness {
  bool related;
  bool comparable;  // false: the texts are in different scripts, and `related` is false
};

// Related when two distinct stems are shared; all numbers together count as one, and an identifier counts as one.
// Linear in both texts, deterministic, thread-safe.
Relatedness relatedness(std::string_view a, std::string_view b);

// Words of three or more letters or digits that are neither function words nor negations, repeats included; in scripts
// without word spaces every pair of neighbouring characters is one.
int count_content_words(std::string_view text);

}  // namespace pimemory
