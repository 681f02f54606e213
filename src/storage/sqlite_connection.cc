// Calls into SQLite, and what its result codes mean for us.
#include "storage/sqlite_connection.h"

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>

namespace pimemory {
namespace {

constexpr int kUnusedFrames = -1;
constexpr sqlite3_int64 kHeaderBytes = 100;  // of every SQLite database, as its file format documents

// A URI names flags of one open; the reserved characters of a path must not end its path part.
std::string file_uri(const std::string& path, const char* query) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : path) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte == '%' || byte == '?' || byte == '#') {
      uri += '%';
      uri += kHex[byte >> 4];
      uri += kHex[byte & 15];
    } else {
      uri += c;
    }
  }
  return uri + query;
}

}  // namespace

Status check_sqlite_version(int version_number) {
  if (version_number >= kSqliteVersionMin) return {};
  return fail(ErrorCode::internal_error,
              "the linked SQLite " + std::to_string(version_number) +
                  " can lose commits when two processes write (WAL-reset race); 3.51.3 or newer is needed",
              "install a release of pi-memory that is built with its own SQLite");
}

Status check_linked_sqlite() { return check_sqlite_version(sqlite3_libversion_number()); }

Error sqlite_error(sqlite3* db, int code, std::string_view doing) {
  const int primary = code & 0xff;
  const int system_error = db ? sqlite3_system_errno(db) : 0;
  ErrorCode ours = ErrorCode::io;
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED)
    ours = ErrorCode::busy;
  else if (primary == SQLITE_FULL || system_error == ENOSPC || system_error == EDQUOT)
    ours = ErrorCode::no_space;
  else if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || primary == SQLITE_FORMAT)
    ours = ErrorCode::corrupt;
  else if (primary == SQLITE_ERROR || primary == SQLITE_MISUSE || primary == SQLITE_NOMEM)
    ours = ErrorCode::internal_error;
  std::string message = std::string(doing) + ": " + (db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
  return make_error(ours, std::move(message));
}

SqliteStatement::~SqliteStatement() { sqlite3_finalize(statement_); }

void SqliteStatement::bind(int index, std::int64_t value) { sqlite3_bind_int64(statement_, index, value); }
void SqliteStatement::bind_text(int index, std::string_view value) {
  sqlite3_bind_text64(statement_, index, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}
void SqliteStatement::bind_blob(int index, std::string_view value) {
  sqlite3_bind_blob64(statement_, index, value.data() ? value.data() : "", value.size(), SQLITE_TRANSIENT);
}

Result<bool> SqliteStatement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return std::unexpected(sqlite_error(db_, sqlite3_extended_errcode(db_), "the store refused a statement"));
}

std::int64_t SqliteStatement::integer(int column) const { return sqlite3_column_int64(statement_, column); }
std::string SqliteStatement::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  return std::string(static_cast<const char*>(bytes), bytes ? sqlite3_column_bytes(statement_, column) : 0);
}
bool SqliteStatement::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::open(const std::string& path, SqliteOpen how,
                                                                 const std::string& vfs) {
  PIMEMORY_TRY(check_linked_sqlite());
  const bool immutable = how == SqliteOpen::immutable;
  const int flags = (immutable ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE) |
                    SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE;
  const std::string name = immutable ? file_uri(path, "?immutable=1") : path;
  sqlite3* db = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &db, flags, vfs.empty() ? nullptr : vfs.c_str());
  if (code != SQLITE_OK) {
    Error error = sqlite_error(db, code, "cannot open " + path);
    sqlite3_close_v2(db);
    return std::unexpected(std::move(error));
  }
  sqlite3_busy_timeout(db, kReadWaitMs);
  std::unique_ptr<SqliteConnection> connection(new SqliteConnection(db));
  connection->set_checkpoint_on_close(false);
  return connection;
}

SqliteConnection::~SqliteConnection() { sqlite3_close_v2(db_); }

Status SqliteConnection::execute(const char* sql) {
  const int code = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return {};
  return std::unexpected(sqlite_error(db_, code, "the store refused a statement"));
}

Result<SqliteStatement> SqliteConnection::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(db_, sql, -1, &statement, nullptr);
  if (code != SQLITE_OK) return std::unexpected(sqlite_error(db_, code, "the store refused a statement"));
  return SqliteStatement(db_, statement);
}

Result<std::int64_t> SqliteConnection::integer(const char* sql) {
  PIMEMORY_ASSIGN(SqliteStatement statement, prepare(sql));
  PIMEMORY_ASSIGN(const bool row, statement.step());
  return row ? statement.integer(0) : 0;
}

void SqliteConnection::set_checkpoint_on_close(bool on) {
  sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 0 : 1, nullptr);
}

Result<std::string> SqliteConnection::header_bytes() {
  sqlite3_file* file = nullptr;
  int code = sqlite3_file_control(db_, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || !file || !file->pMethods) return fail(ErrorCode::io, "the database file cannot be read");
  sqlite3_int64 size = 0;
  code = file->pMethods->xFileSize(file, &size);
  std::string bytes(static_cast<std::size_t>(std::min<sqlite3_int64>(size, kHeaderBytes)), '\0');
  if (code == SQLITE_OK && !bytes.empty())
    code = file->pMethods->xRead(file, bytes.data(), static_cast<int>(bytes.size()), 0);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ)
    return std::unexpected(sqlite_error(nullptr, code, "the database file cannot be read"));
  return bytes;
}

void SqliteConnection::set_busy_timeout(int timeout_ms) { sqlite3_busy_timeout(db_, timeout_ms); }

int SqliteConnection::wal_checkpoint_truncate(int* log_frames, int* checkpointed_frames) {
  *log_frames = kUnusedFrames;
  *checkpointed_frames = kUnusedFrames;
  return sqlite3_wal_checkpoint_v2(db_, nullptr, SQLITE_CHECKPOINT_TRUNCATE, log_frames, checkpointed_frames);
}

}  // namespace pimemory
