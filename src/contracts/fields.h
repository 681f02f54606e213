// Strict JSON codecs from one field list per struct: the list writes a record and reads it back, and refuses members it
// does not name, wrong types, nulls and times without a zone.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/canonical_json.h"
#include "base/result.h"
#include "base/rfc3339.h"

namespace pimemory {

// Marks a TimeMs field: stored as integer milliseconds in state rows, as RFC 3339 text in records.
struct TimeText {
  TimeMs& value;
};
struct OptionalTimeText {
  std::optional<TimeMs>& value;
};

template <class T>
nlohmann::json encode_record(const T& record);
template <class T>
Result<T> decode_record(const nlohmann::json& json, const std::string& where);

namespace fields_detail {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
nlohmann::json encode_value(const T& value) {
  if constexpr (std::is_same_v<T, std::string> || std::is_arithmetic_v<T>) {
    return value;
  } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, text] : value) object[key] = text;
    return object;
  } else if constexpr (IsVector<T>::value) {
    nlohmann::json array = nlohmann::json::array();
    for (const auto& item : value) array.push_back(encode_value(item));
    return array;
  } else if constexpr (std::is_same_v<T, nlohmann::json>) {
    return value;
  } else {
    return encode_record(value);
  }
}

inline std::unexpected<Error> wrong_type(const std::string& where, const char* wanted) {
  return fail(ErrorCode::invalid, where + " must be " + wanted);
}

// True for a JSON integer that every reader of JSON keeps exactly.
inline bool is_safe_integer(const nlohmann::json& json) {
  if (json.is_number_unsigned()) return json.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMaxSafeInteger);
  const auto value = json.get<std::int64_t>();
  return value >= -kMaxSafeInteger && value <= kMaxSafeInteger;
}

template <class T>
Status decode_value(const nlohmann::json& json, const std::string& where, T& out) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) return wrong_type(where, "a string");
    out = json.get_ref<const std::string&>();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) return wrong_type(where, "true or false");
    out = json.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    if (!json.is_number_integer()) return wrong_type(where, "an integer");
    if (!is_safe_integer(json) || !std::in_range<T>(json.get<std::int64_t>()))
      return wrong_type(where, "an integer within its range, at most 2^53-1 from zero");
    out = json.get<T>();
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!json.is_number() || !std::isfinite(json.get<T>())) return wrong_type(where, "a finite number");
    out = json.get<T>();
  } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
    if (!json.is_object()) return wrong_type(where, "an object of strings");
    for (const auto& [key, value] : json.items()) {
      if (!value.is_string()) return wrong_type(where + "." + key, "a string");
      out[key] = value.template get<std::string>();
    }
  } else if constexpr (IsVector<T>::value) {
    if (!json.is_array()) return wrong_type(where, "an array");
    for (std::size_t i = 0; i < json.size(); ++i) {
      typename T::value_type item{};
      PIMEMORY_TRY(decode_value(json[i], where + "[" + std::to_string(i) + "]", item));
      out.push_back(std::move(item));
    }
  } else if constexpr (std::is_same_v<T, nlohmann::json>) {
    out = json;
  } else {
    PIMEMORY_ASSIGN(out, decode_record<T>(json, where));
  }
  return {};
}

class Writer {
 public:
  nlohmann::json json = nlohmann::json::object();
  template <class T>
  void operator()(const char* name, const T& value) {
    if constexpr (IsOptional<T>::value) {
      if (value) json[name] = encode_value(*value);
    } else if constexpr (std::is_same_v<T, TimeText>) {
      json[name] = format_rfc3339(value.value);
    } else if constexpr (std::is_same_v<T, OptionalTimeText>) {
      if (value.value) json[name] = format_rfc3339(*value.value);
    } else {
      json[name] = encode_value(value);
    }
  }
  // A member that is left out when empty and read as empty when absent.
  template <class T>
  void optional_list(const char* name, const T& value) {
    if (!value.empty()) json[name] = encode_value(value);
  }
};

class Reader {
 public:
  Reader(const nlohmann::json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) status_ = wrong_type(where_, "an object");
  }

  template <class T>
  void operator()(const char* name, T&& value) {
    using Field = std::remove_cvref_t<T>;
    const nlohmann::json* member = take(name);
    if (!status_) return;
    if constexpr (IsOptional<Field>::value) {
      if (!member) return;
      typename Field::value_type read{};
      status_ = decode_value(*member, path(name), read);
      if (status_) value = std::move(read);
    } else if constexpr (std::is_same_v<Field, OptionalTimeText>) {
      if (!member) return;
      TimeMs time = 0;
      read_time(name, *member, time);
      value.value = time;
    } else {
      if (!member) {
        status_ = fail(ErrorCode::invalid, path(name) + " is missing");
      } else if constexpr (std::is_same_v<Field, TimeText>) {
        read_time(name, *member, value.value);
      } else {
        status_ = decode_value(*member, path(name), value);
      }
    }
  }

  template <class T>
  void optional_list(const char* name, T& value) {
    const nlohmann::json* member = take(name);
    if (!status_ || !member) return;
    status_ = decode_value(*member, path(name), value);
  }

  Status finish() {
    if (status_ && taken_ != json_.size()) {
      for (const auto& [key, value] : json_.items())
        if (!known(key)) return fail(ErrorCode::invalid, path(key.c_str()) + " is not a known member");
    }
    return status_;
  }

 private:
  const nlohmann::json* take(const char* name) {
    names_.push_back(name);
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(name);
    if (found == json_.end()) return nullptr;
    ++taken_;
    return &*found;
  }
  bool known(const std::string& key) const {
    for (const std::string& name : names_)
      if (name == key) return true;
    return false;
  }
  void read_time(const char* name, const nlohmann::json& member, TimeMs& out) {
    if (!member.is_string()) {
      status_ = wrong_type(path(name), "an RFC 3339 time with a zone");
      return;
    }
    auto time = parse_rfc3339(member.get_ref<const std::string&>());
    if (time) {
      out = *time;
    } else {
      status_ = fail(ErrorCode::invalid, path(name) + ": " + time.error().message);
    }
  }
  std::string path(const char* name) const { return where_.empty() ? name : where_ + "." + name; }

  const nlohmann::json& json_;
  std::string where_;
  Status status_;
  std::size_t taken_ = 0;
  std::vector<std::string> names_;
};

}  // namespace fields_detail

// `describe_fields(visitor, record)` is found by argument-dependent lookup beside the struct's codec declarations.
template <class T>
nlohmann::json encode_record(const T& record) {
  fields_detail::Writer writer;
  describe_fields(writer, const_cast<T&>(record));
  return std::move(writer.json);
}

// `where` prefixes the field names of errors, for example "fact".
template <class T>
Result<T> decode_record(const nlohmann::json& json, const std::string& where) {
  T record{};
  fields_detail::Reader reader(json, where);
  if (json.is_object()) describe_fields(reader, record);
  PIMEMORY_TRY(reader.finish());
  return record;
}

}  // namespace pimemory
