// The RFC 8785 encoder and the strict reader, over nlohmann's values and SAX events.
#include "base/canonical_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "base/utf8.h"

namespace pimemory {
namespace {

using nlohmann::json;

// The encoder recurses; the bound keeps a hostile value from exhausting the stack.
constexpr int kMaxEncodedDepth = 1000;

std::unexpected<Error> refuse(std::string reason) {
  return fail(ErrorCode::invalid, "value has no canonical JSON form: " + std::move(reason));
}

// UTF-16 code units order U+E000-U+FFFF after the surrogate pairs, UTF-8 bytes before the four-byte forms. At the first
// difference of two valid texts both bytes lead or both continue a code point, so moving the two lead bytes is enough.
unsigned utf16_rank(char byte) {
  const unsigned value = static_cast<unsigned char>(byte);
  return value == 0xee || value == 0xef ? value + 0x10 : value;
}

bool utf16_less(std::string_view a, std::string_view b) {
  return std::ranges::lexicographical_compare(a, b, {}, utf16_rank, utf16_rank);
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr char kHexDigits[] = "0123456789abcdef";
  out.push_back('"');
  for (char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out.push_back(kHexDigits[c >> 4]);
          out.push_back(kHexDigits[c & 0x0f]);
        } else {
          out.push_back(c);
        }
    }
  }
  out.push_back('"');
}

// The shortest digits that read back as `value`, and the power of ten such that value = 0.digits * 10^point.
struct ShortestDecimal {
  std::string digits;
  int point;
};

ShortestDecimal shortest_decimal(double value) {
  std::array<char, 32> buffer;
  const char* const end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t exponent_mark = text.find('e');
  ShortestDecimal decimal{std::string(text.substr(0, exponent_mark)), 0};
  std::erase(decimal.digits, '.');
  std::string_view exponent = text.substr(exponent_mark + 1);
  // from_chars takes no plus sign.
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.point);
  ++decimal.point;
  return decimal;
}

// The layout rules of ECMAScript's Number::toString for a positive number.
void append_ecmascript_layout(std::string& out, const ShortestDecimal& decimal) {
  const int digits = static_cast<int>(decimal.digits.size());
  const int point = decimal.point;
  if (digits <= point && point <= 21) {
    out += decimal.digits;
    out.append(static_cast<std::size_t>(point - digits), '0');
  } else if (0 < point && point <= 21) {
    out.append(decimal.digits, 0, static_cast<std::size_t>(point));
    out.push_back('.');
    out.append(decimal.digits, static_cast<std::size_t>(point));
  } else if (-6 < point && point <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-point), '0');
    out += decimal.digits;
  } else {
    out.push_back(decimal.digits.front());
    if (digits > 1) {
      out.push_back('.');
      out.append(decimal.digits, 1);
    }
    out += point > 0 ? "e+" : "e-";
    out += std::to_string(std::abs(point - 1));
  }
}

class Encoder {
 public:
  Status append(const json& value, int depth) {
    if (depth > kMaxEncodedDepth) return refuse("nesting is above " + std::to_string(kMaxEncodedDepth));
    switch (value.type()) {
      case json::value_t::null:
        out_ += "null";
        return {};
      case json::value_t::boolean:
        out_ += value.get<bool>() ? "true" : "false";
        return {};
      case json::value_t::string:
        return append_string(value.get_ref<const std::string&>());
      case json::value_t::number_integer:
        return append_integer(value.get<std::int64_t>());
      case json::value_t::number_unsigned:
        return append_unsigned(value.get<std::uint64_t>());
      case json::value_t::number_float:
        return append_double(value.get<double>());
      case json::value_t::array:
        return append_array(value, depth);
      case json::value_t::object:
        return append_object(value.get_ref<const json::object_t&>(), depth);
      default:
        return refuse("it holds a binary or discarded value");
    }
  }

  std::string take() { return std::move(out_); }

 private:
  Status append_string(const std::string& text) {
    if (!is_valid_utf8(text)) return refuse("a string is not valid UTF-8");
    append_quoted(out_, text);
    return {};
  }

  Status append_integer(std::int64_t value) {
    if (value < -kMaxSafeInteger || value > kMaxSafeInteger) return refuse_integer(std::to_string(value));
    out_ += std::to_string(value);
    return {};
  }

  Status append_unsigned(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(kMaxSafeInteger)) return refuse_integer(std::to_string(value));
    out_ += std::to_string(value);
    return {};
  }

  Status append_double(double value) {
    PIMEMORY_ASSIGN(const std::string text, canonical_number(value));
    // Printed without point or exponent it comes back as an integer, which must then be one that is allowed.
    const bool reads_as_integer = text.find_first_of(".e") == std::string::npos;
    if (reads_as_integer && std::fabs(value) > static_cast<double>(kMaxSafeInteger)) return refuse_integer(text);
    out_ += text;
    return {};
  }

  Status append_array(const json& array, int depth) {
    out_.push_back('[');
    bool first = true;
    for (const json& element : array) {
      if (!std::exchange(first, false)) out_.push_back(',');
      PIMEMORY_TRY(append(element, depth + 1));
    }
    out_.push_back(']');
    return {};
  }

  Status append_object(const json::object_t& object, int depth) {
    std::vector<const json::object_t::value_type*> members;
    members.reserve(object.size());
    for (const auto& member : object) members.push_back(&member);
    std::ranges::sort(members, utf16_less, [](const auto* member) { return std::string_view(member->first); });
    out_.push_back('{');
    bool first = true;
    for (const auto* member : members) {
      if (!std::exchange(first, false)) out_.push_back(',');
      PIMEMORY_TRY(append_string(member->first));
      out_.push_back(':');
      PIMEMORY_TRY(append(member->second, depth + 1));
    }
    out_.push_back('}');
    return {};
  }

  static std::unexpected<Error> refuse_integer(const std::string& text) {
    return refuse("integer " + text + " is outside ±9007199254740991");
  }

  std::string out_;
};

// Walks the input and tells the SAX handler how far the parser has read: nlohmann's events carry no position.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator() = default;
  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_ = nullptr;
  const char** furthest_ = nullptr;
};

// Builds the value from SAX events and stops at the first thing that the plain parser would let pass.
class StrictBuilder final : public json::json_sax_t {
 public:
  explicit StrictBuilder(int max_depth) : max_depth_(max_depth) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return stop("a binary value"); }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    // Members are placed as null when their key is read; the value replaces it.
    const auto [place, inserted] = open_.back()->get_ref<json::object_t&>().emplace(std::move(value), nullptr);
    if (!inserted) return stop("duplicate key \"" + std::string(clip_code_points(place->first, kShownKeyLimit)) + "\"");
    member_ = &place->second;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    // 406 is a number whose magnitude is above the greatest double.
    constexpr int kNumberOutOfRange = 406;
    return stop(error.id == kNumberOutOfRange ? "a number that no double can hold" : "a syntax error or invalid UTF-8");
  }

  const std::string& reason() const { return reason_; }
  json take() { return std::move(root_); }

 private:
  static constexpr std::size_t kShownKeyLimit = 80;

  json* place(json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (member_ != nullptr) {
      json* target = std::exchange(member_, nullptr);
      *target = std::move(value);
      return target;
    }
    // Growing the array moves only closed values: of the open ones none is an element of the innermost.
    return &open_.back()->get_ref<json::array_t&>().emplace_back(std::move(value));
  }

  bool add(json value) {
    place(std::move(value));
    return true;
  }

  bool open(json container) {
    if (open_.size() >= static_cast<std::size_t>(std::max(max_depth_, 0))) {
      return stop("nesting above " + std::to_string(max_depth_));
    }
    open_.push_back(place(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  bool stop(std::string reason) {
    reason_ = std::move(reason);
    return false;
  }

  int max_depth_;
  json root_;
  std::vector<json*> open_;
  json* member_ = nullptr;
  std::string reason_;
};

std::unexpected<Error> refuse_text(const std::string& reason, std::size_t offset) {
  return fail(ErrorCode::invalid, "not strict JSON: " + reason + " at byte " + std::to_string(offset));
}

}  // namespace

Result<std::string> canonical_number(double value) {
  if (!std::isfinite(value)) return refuse("a number is not finite");
  if (value == 0) return "0";
  std::string text;
  if (value < 0) text.push_back('-');
  append_ecmascript_layout(text, shortest_decimal(std::fabs(value)));
  return text;
}

Result<std::string> canonical_json(const json& value) {
  Encoder encoder;
  PIMEMORY_TRY(encoder.append(value, 0));
  return encoder.take();
}

Result<std::string> canonical_hash(const json& value) {
  PIMEMORY_ASSIGN(const std::string bytes, canonical_json(value));
  return sha256_hex(bytes);
}

Result<json> parse_strict_json(std::string_view text, int max_depth) {
  // The parser takes a NUL byte for the end of the text and skips a byte order mark; both would hide bytes.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) return refuse_text("a NUL byte", nul);
  if (text.starts_with("\xEF\xBB\xBF")) return refuse_text("a byte order mark", 0);
  const char* const begin = text.data();
  const char* furthest = begin;
  StrictBuilder builder(max_depth);
  const CountingIterator first(begin, &furthest);
  const CountingIterator last(begin + text.size(), &furthest);
  const bool read = json::sax_parse(first, last, &builder, json::input_format_t::json, /*strict=*/true);
  if (read) return builder.take();
  const auto read_bytes = static_cast<std::size_t>(furthest - begin);
  return refuse_text(builder.reason(), read_bytes > 0 ? read_bytes - 1 : 0);
}

}  // namespace pimemory
