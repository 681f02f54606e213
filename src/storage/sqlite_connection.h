// A thin owner of one SQLite connection: statements, values, and SQLite's errors as ours.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace pimemory {

// The first release whose WAL code cannot lose commits of two processes (the WAL-reset race of 3.7.0 to 3.51.2).
inline constexpr int kSqliteVersionMin = 3'051'003;

// `internal_error` unless the *linked* library is new enough. Call before the first connection.
Status check_linked_sqlite();
Status check_sqlite_version(int version_number);

class SqliteStatement {
 public:
  SqliteStatement(sqlite3* db, sqlite3_stmt* statement) : db_(db), statement_(statement) {}
  SqliteStatement(SqliteStatement&& other) noexcept : db_(other.db_), statement_(other.statement_) {
    other.statement_ = nullptr;
  }
  SqliteStatement(const SqliteStatement&) = delete;
  ~SqliteStatement();

  void bind(int index, std::int64_t value);
  void bind_text(int index, std::string_view value);
  void bind_blob(int index, std::string_view value);
  Result<bool> step();  // true: a row is there
  std::int64_t integer(int column) const;
  std::string text(int column) const;  // text or blob bytes
  bool is_null(int column) const;

 private:
  sqlite3* db_;
  sqlite3_stmt* statement_;
};

// A read may meet the moment in which another process recovers or removes the write-ahead log.
inline constexpr int kReadWaitMs = 2'000;

enum class SqliteOpen { existing, immutable };

// One thread at a time. `busy` where another connection holds what is needed; no waiting unless a timeout is set.
class SqliteConnection {
 public:
  // Opens an existing file, never follows a link. Waits kReadWaitMs for what is busy unless told otherwise. `immutable`
  // takes no lock, reads no WAL and leaves no file behind.
  static Result<std::unique_ptr<SqliteConnection>> open(const std::string& path, SqliteOpen how,
                                                        const std::string& vfs);
  ~SqliteConnection();
  SqliteConnection(const SqliteConnection&) = delete;

  Status execute(const char* sql);
  Result<SqliteStatement> prepare(const char* sql);
  Result<std::int64_t> integer(const char* sql);  // the first column of the first row
  // How long a read waits for another connection's recovery, opening or closing of the file. 0: never.
  void set_busy_timeout(int timeout_ms);
  // Whether the last connection to close copies the write-ahead log into the file. Off from the open on: a store that
  // is refused stays as it was.
  void set_checkpoint_on_close(bool on);
  // The first bytes of the file as they are on disk, without a lock; fewer where the file is shorter.
  Result<std::string> header_bytes();
  int wal_checkpoint_truncate(int* log_frames, int* checkpointed_frames);  // SQLite result code
  sqlite3* handle() { return db_; }

 private:
  explicit SqliteConnection(sqlite3* db) : db_(db) {}
  sqlite3* db_;
};

// The error for a SQLite result code.
Error sqlite_error(sqlite3* db, int code, std::string_view doing);

}  // namespace pimemory
