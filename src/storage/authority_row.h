// The one row that both layouts keep: its columns, its digest and the binary form of the compact state in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "storage/sqlite_connection.h"

namespace pimemory {

inline constexpr std::int64_t kApplicationId = 0x50694D6D;  // "PiMm"
inline constexpr std::int64_t kUserVersion = 1;
inline constexpr std::int64_t kRowFormat = 1;

// The capacity of a compact store. The one home of these numbers.
inline constexpr std::size_t kCompactStateBytesMax = 131'072;   // header, compressed part and vectors
inline constexpr std::size_t kCompactRawBytesMax = 1'048'576;   // raw JSON and vectors together
inline constexpr std::size_t kDecodeStateBytesMax = 1'048'576;  // of stores written under other limits
inline constexpr std::size_t kDecodeRawBytesMax = 8'388'608;

enum class AuthorityMode : std::int64_t { compact = 0, indexed = 1 };

struct AuthorityRow {
  std::string owner;
  std::int64_t format = kRowFormat;
  std::int64_t mode = 0;
  std::int64_t revision = 0;
  std::int64_t index_revision = 0;
  std::string digest;  // 32 bytes
  std::string state;
};

// SHA-256 over "PiMm-authority-1", NUL, format, mode, revision, index_revision, owner length, owner, state.
std::string row_digest(const AuthorityRow& row);

// The table, empty, as a creator makes it.
extern const char* const kAuthoritySchema;

Result<AuthorityRow> read_row(SqliteConnection& connection);
// The numbers alone, for a handle that has the state of that revision already.
struct RowNumbers {
  std::int64_t mode;
  std::int64_t revision;
  std::int64_t index_revision;
};
Result<RowNumbers> read_row_numbers(SqliteConnection& connection);
Status insert_row(SqliteConnection& connection, const AuthorityRow& row);
Status update_row(SqliteConnection& connection, const AuthorityRow& row);

// In order: owner, format, mode, revisions, size, digest.
Status check_row(const AuthorityRow& row, std::string_view owner);

// Header, Brotli part, vector part. `capacity` when a limit is passed, before anything is written.
Result<std::string> encode_state(std::string_view json, std::string_view vectors);
struct DecodedState {
  std::string json;
  std::string vectors;
};
Result<DecodedState> decode_state(std::string_view state);  // `corrupt`

}  // namespace pimemory
