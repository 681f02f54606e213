// Reading, writing and checking the authority row, byte by byte as the format is specified.
#include "storage/authority_row.h"

#include <brotli/decode.h>
#include <brotli/encode.h>

#include "base/sha256.h"
#include "contracts/events.h"

namespace pimemory {
namespace {

constexpr std::size_t kHeaderBytes = 16;
constexpr std::uint32_t kHeaderVersion = 1;
constexpr int kBrotliQuality = 5;

void put_big_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) out += static_cast<char>((value >> shift) & 0xff);
}

std::uint32_t get_big_endian32(std::string_view in, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(in[at + i]);
  return value;
}

std::unexpected<Error> over_capacity(std::size_t bytes, std::size_t limit, const char* what) {
  return fail(ErrorCode::capacity, std::string(what) + " would take " + std::to_string(bytes) +
                                       " bytes; a compact store holds " + std::to_string(limit));
}

}  // namespace

const char* const kAuthoritySchema =
    "CREATE TABLE authority(id INTEGER PRIMARY KEY CHECK(id=1), owner TEXT NOT NULL, format INTEGER NOT NULL,"
    " mode INTEGER NOT NULL, revision INTEGER NOT NULL, index_revision INTEGER NOT NULL, digest BLOB NOT NULL,"
    " state BLOB NOT NULL)";

std::string row_digest(const AuthorityRow& row) {
  std::string bytes = "PiMm-authority-1";
  bytes += '\0';
  put_big_endian(bytes, static_cast<std::uint64_t>(row.format), 4);
  put_big_endian(bytes, static_cast<std::uint64_t>(row.mode), 4);
  put_big_endian(bytes, static_cast<std::uint64_t>(row.revision), 8);
  put_big_endian(bytes, static_cast<std::uint64_t>(row.index_revision), 8);
  put_big_endian(bytes, row.owner.size(), 4);
  bytes += row.owner;
  bytes += row.state;
  const auto hash = sha256(bytes);
  return std::string(reinterpret_cast<const char*>(hash.data()), hash.size());
}

Result<AuthorityRow> read_row(SqliteConnection& connection) {
  PIMEMORY_ASSIGN(SqliteStatement statement,
                  connection.prepare("SELECT owner, format, mode, revision, index_revision, digest, state,"
                                     " typeof(owner)='text' AND typeof(format)='integer' AND typeof(mode)='integer'"
                                     " AND typeof(revision)='integer' AND typeof(index_revision)='integer'"
                                     " AND typeof(digest)='blob' AND typeof(state)='blob' FROM authority WHERE id=1"));
  PIMEMORY_ASSIGN(const bool found, statement.step());
  if (!found) return fail(ErrorCode::corrupt, "the store has no authority row");
  if (!statement.integer(7)) return fail(ErrorCode::corrupt, "a column of the authority row has a wrong type");
  return AuthorityRow{statement.text(0),    statement.integer(1), statement.integer(2), statement.integer(3),
                      statement.integer(4), statement.text(5),    statement.text(6)};
}

Result<RowNumbers> read_row_numbers(SqliteConnection& connection) {
  PIMEMORY_ASSIGN(SqliteStatement statement,
                  connection.prepare("SELECT mode, revision, index_revision FROM authority WHERE id=1"));
  PIMEMORY_ASSIGN(const bool found, statement.step());
  if (!found) return fail(ErrorCode::corrupt, "the store has no authority row");
  return RowNumbers{statement.integer(0), statement.integer(1), statement.integer(2)};
}

static Status write_row(SqliteConnection& connection, const AuthorityRow& row, const char* sql) {
  PIMEMORY_ASSIGN(SqliteStatement statement, connection.prepare(sql));
  statement.bind_text(1, row.owner);
  statement.bind(2, row.format);
  statement.bind(3, row.mode);
  statement.bind(4, row.revision);
  statement.bind(5, row.index_revision);
  statement.bind_blob(6, row.digest);
  statement.bind_blob(7, row.state);
  PIMEMORY_TRY(statement.step());
  return {};
}

Status insert_row(SqliteConnection& connection, const AuthorityRow& row) {
  return write_row(connection, row, "INSERT INTO authority VALUES(1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)");
}

Status update_row(SqliteConnection& connection, const AuthorityRow& row) {
  return write_row(connection, row,
                   "UPDATE authority SET owner=?1, format=?2, mode=?3, revision=?4, index_revision=?5, digest=?6,"
                   " state=?7 WHERE id=1");
}

Status check_row(const AuthorityRow& row, std::string_view owner) {
  if (row.owner != owner)
    return fail(ErrorCode::owner_mismatch, "the store belongs to project " + row.owner + ", not " + std::string(owner),
                "use the checkout of project " + row.owner);
  if (row.format != kRowFormat)
    return fail(ErrorCode::unsupported_version, "the store has format " + std::to_string(row.format));
  if (row.mode != 0 && row.mode != 1)
    return fail(ErrorCode::unsupported_version, "the store has mode " + std::to_string(row.mode));
  if (row.revision < 0 || row.revision > kSafeIntegerMax || row.index_revision < 0 || row.index_revision > row.revision)
    return fail(ErrorCode::corrupt, "the store's revisions are out of range");
  if (row.state.size() > kDecodeStateBytesMax) return fail(ErrorCode::corrupt, "the stored state is too long");
  if (row.digest != row_digest(row)) return fail(ErrorCode::corrupt, "the store's digest does not match its content");
  return {};
}

Result<std::string> encode_state(std::string_view json, std::string_view vectors) {
  const std::size_t raw = json.size() + vectors.size();
  if (raw > kCompactRawBytesMax) return over_capacity(raw, kCompactRawBytesMax, "the uncompressed state");
  std::size_t compressed_size = BrotliEncoderMaxCompressedSize(json.size());
  std::string compressed(compressed_size, '\0');
  if (!BrotliEncoderCompress(kBrotliQuality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, json.size(),
                             reinterpret_cast<const std::uint8_t*>(json.data()), &compressed_size,
                             reinterpret_cast<std::uint8_t*>(compressed.data())))
    return fail(ErrorCode::internal_error, "the state could not be compressed");
  compressed.resize(compressed_size);
  const std::size_t total = kHeaderBytes + compressed.size() + vectors.size();
  if (total > kCompactStateBytesMax) return over_capacity(total, kCompactStateBytesMax, "the stored state");
  std::string state;
  state.reserve(total);
  put_big_endian(state, kHeaderVersion, 4);
  put_big_endian(state, compressed.size(), 4);
  put_big_endian(state, json.size(), 4);
  put_big_endian(state, vectors.size(), 4);
  return state.append(compressed).append(vectors);
}

Result<DecodedState> decode_state(std::string_view state) {
  if (state.size() < kHeaderBytes) return fail(ErrorCode::corrupt, "the stored state is shorter than its header");
  if (get_big_endian32(state, 0) != kHeaderVersion)
    return fail(ErrorCode::unsupported_version, "the stored state has another header version than 1");
  const std::size_t compressed = get_big_endian32(state, 4);
  const std::size_t raw = get_big_endian32(state, 8);
  const std::size_t vectors = get_big_endian32(state, 12);
  if (kHeaderBytes + compressed + vectors != state.size())
    return fail(ErrorCode::corrupt, "the lengths in the stored state's header do not add up");
  if (raw + vectors > kDecodeRawBytesMax) return fail(ErrorCode::corrupt, "the stored state is too long");
  DecodedState decoded;
  decoded.json.resize(raw);
  std::size_t written = raw;
  const auto* input = reinterpret_cast<const std::uint8_t*>(state.data() + kHeaderBytes);
  if (BrotliDecoderDecompress(compressed, input, &written, reinterpret_cast<std::uint8_t*>(decoded.json.data())) !=
          BROTLI_DECODER_RESULT_SUCCESS ||
      written != raw)
    return fail(ErrorCode::corrupt, "the stored state does not decompress to its announced length");
  decoded.vectors = state.substr(kHeaderBytes + compressed);
  return decoded;
}

}  // namespace pimemory
