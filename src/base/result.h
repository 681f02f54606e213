// Shorthands for code that returns Result<T>: failing, and passing a failure on.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "pimemory/error.h"

namespace pimemory {

using Status = Result<void>;

inline std::unexpected<Error> fail(ErrorCode code, std::string message, std::string hint = {}) {
  return std::unexpected(make_error(code, std::move(message), std::move(hint)));
}

}  // namespace pimemory

#define PIMEMORY_CONCAT_INNER(a, b) a##b
#define PIMEMORY_CONCAT(a, b) PIMEMORY_CONCAT_INNER(a, b)

// PIMEMORY_TRY(expression): leaves the function with the error of a failed Result.
#define PIMEMORY_TRY(expression)                                                                 \
  do {                                                                                           \
    if (auto try_result = (expression); !try_result) return std::unexpected(try_result.error()); \
  } while (false)

// PIMEMORY_ASSIGN(declaration, expression): the value, or leaves the function with the error.
#define PIMEMORY_ASSIGN(declaration, expression)                                          \
  auto PIMEMORY_CONCAT(assign_result_, __LINE__) = (expression);                          \
  if (!PIMEMORY_CONCAT(assign_result_, __LINE__))                                         \
    return std::unexpected(std::move(PIMEMORY_CONCAT(assign_result_, __LINE__)).error()); \
  declaration = std::move(*PIMEMORY_CONCAT(assign_result_, __LINE__))
