// Opening and creating a store: which layout, whose it is, and every refusal that leaves the disk as it was.
#include <algorithm>
#include <string>

#include "base/mutation.h"
#include "base/private_files.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "contracts/validate.h"
#include "storage/compact_authority.h"
#include "storage/compact_draft.h"
#include "storage/file_system_probe.h"
#include "text/redaction.h"

namespace pimemory {
namespace {

constexpr std::int64_t kLockWaitMs = 10'000;
constexpr char kStagingPrefix[] = "memory.sqlite.new-";
constexpr std::string_view kSqliteMagic = "SQLite format 3";
constexpr std::size_t kApplicationIdOffset = 68;  // big-endian, as SQLite's file format documents
constexpr std::int64_t kPageBytes = 4096;
constexpr std::size_t kSessionIdBytesMax = 512;

struct Paths {
  std::string project;   // <home>/<projectId>
  std::string root;      // <home>/<projectId>/memory
  std::string database;  // …/memory.sqlite
};

Paths paths_of(const OpenOptions& options) {
  Paths paths;
  paths.project = options.home + "/" + options.project_id;
  paths.root = authority_root(options.home, options.project_id);
  paths.database = paths.root + "/memory.sqlite";
  return paths;
}

enum class OnDisk { nothing, empty_file, file };

// The directories and the database must be real and the user's own before anything is opened.
Result<OnDisk> look(Env& env, const Paths& paths, bool tighten, std::vector<std::string>& gaps) {
  for (const std::string& directory : {paths.project, paths.root}) {
    PIMEMORY_ASSIGN(const FileInfo info, env.files.info(directory));
    if (info.type == FileType::missing) return OnDisk::nothing;
    PIMEMORY_ASSIGN(const bool wide, check_private_directory(env.files, directory, tighten));
    if (wide && !tighten) gaps.push_back("unsafe_path: " + directory + " is open to other users; a write mends it");
  }
  PIMEMORY_ASSIGN(const FileInfo info, env.files.info(paths.database));
  if (info.type == FileType::missing) return OnDisk::nothing;
  PIMEMORY_ASSIGN(const bool wide, check_private_file(env.files, paths.database, tighten && info.size > 0));
  if (wide && !tighten) gaps.push_back("unsafe_path: " + paths.database + " is open to other users; a write mends it");
  return info.size == 0 ? OnDisk::empty_file : OnDisk::file;
}

// What cannot be listed may hold a journal: that is an error, never "none".
Result<bool> has_journal_files(Env& env, const Paths& paths) {
  const std::string events = paths.root + "/events";
  PIMEMORY_ASSIGN(const FileInfo info, env.files.info(events));
  if (info.type == FileType::missing) return false;
  PIMEMORY_TRY(check_private_directory(env.files, events, false));
  PIMEMORY_ASSIGN(const std::vector<std::string> days, env.files.list(events));
  for (const std::string& day : days) {
    PIMEMORY_TRY(check_private_directory(env.files, events + "/" + day, false));
    PIMEMORY_ASSIGN(const std::vector<std::string> names, env.files.list(events + "/" + day));
    if (std::any_of(names.begin(), names.end(), [](const auto& name) { return name.ends_with(".jsonl"); })) return true;
  }
  return false;
}

// Whose file it is, read from its header without a lock or a side file: a foreign store must stay byte for byte as it
// was, and a store of ours that another process is writing must not look damaged.
Status check_identity(Env& env, const Paths& paths) {
  auto connection = SqliteConnection::open(paths.database, SqliteOpen::immutable, env.sqlite_vfs);
  if (!connection) return std::unexpected(connection.error());
  PIMEMORY_ASSIGN(const std::string header, (*connection)->header_bytes());
  if (header.starts_with(kSqliteMagic) && header.size() >= kApplicationIdOffset + 4) {
    std::int64_t application = 0;
    for (std::size_t i = 0; i < 4; ++i)
      application = application << 8 | static_cast<unsigned char>(header[kApplicationIdOffset + i]);
    if (application == kApplicationId) return {};
  }
  return fail(ErrorCode::foreign_store, paths.database + " was written by another program");
}

// Exactly what a creator makes: another table or a trigger could change what a write does.
Status check_schema(SqliteConnection& connection) {
  PIMEMORY_ASSIGN(const std::int64_t version, connection.integer("PRAGMA user_version"));
  if (version > kUserVersion)
    return fail(ErrorCode::unsupported_version, "the store has schema " + std::to_string(version) +
                                                    "; this program knows up to " + std::to_string(kUserVersion));
  PIMEMORY_ASSIGN(SqliteStatement statement, connection.prepare("SELECT sql FROM sqlite_schema"));
  PIMEMORY_ASSIGN(const bool found, statement.step());
  if (version != kUserVersion || !found || statement.text(0) != kAuthoritySchema)
    return fail(ErrorCode::corrupt, "the store has no authority table");
  PIMEMORY_ASSIGN(const bool more, statement.step());
  if (more) return fail(ErrorCode::corrupt, "the store holds a table or a trigger that is not ours");
  return {};
}

Status check_pragmas(SqliteConnection& connection) {
  PIMEMORY_ASSIGN(SqliteStatement statement, connection.prepare("PRAGMA journal_mode"));
  PIMEMORY_TRY(statement.step());
  PIMEMORY_ASSIGN(const std::int64_t page_bytes, connection.integer("PRAGMA page_size"));
  PIMEMORY_ASSIGN(const std::int64_t auto_vacuum, connection.integer("PRAGMA auto_vacuum"));
  if (statement.text(0) == "wal" && page_bytes == kPageBytes && auto_vacuum != 0) return {};
  return fail(ErrorCode::corrupt, "the store's journal mode, page size or vacuum mode was changed");
}

Status set_up_connection(SqliteConnection& connection) {
  return connection.execute(
      "PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;"
#if defined(__APPLE__)
      "PRAGMA fullfsync=ON; PRAGMA checkpoint_fullfsync=ON;"
#endif
  );
}

// An open that meets a migration or a restore waits for it.
Result<std::unique_ptr<File>> take_storage_lock(Env& env, const Paths& paths) {
  PIMEMORY_ASSIGN(std::unique_ptr<File> lock, env.files.open(paths.root + "/storage.lock", OpenMode::open_or_create));
  PIMEMORY_ASSIGN(const bool held, lock->lock(LockKind::shared, kLockWaitMs));
  if (!held) return fail(ErrorCode::storage_in_use, "maintenance holds the store of " + paths.root);
  return lock;
}

// Beside the database only regular files of the user's own; SQLite and flock would follow anything else.
Status check_side_files(Env& env, const Paths& paths, bool tighten) {
  for (const char* name : {"memory.sqlite-wal", "memory.sqlite-shm", "memory.sqlite-journal", "storage.lock",
                           "maintenance.lock", "merge.lock", "write.lock"}) {
    const std::string path = paths.root + "/" + name;
    PIMEMORY_ASSIGN(const FileInfo info, env.files.info(path));
    if (info.type == FileType::missing) continue;
    const auto checked = check_private_file(env.files, path, tighten);
    // Another process may have removed its log meanwhile.
    if (!checked && checked.error().code == ErrorCode::unsafe_path) return std::unexpected(checked.error());
  }
  return {};
}

// SQLite calls a damaged database by many names; to the user all of them are one.
Error as_corrupt(const Error& error) {
  if (error.code != ErrorCode::internal_error) return error;
  return make_error(ErrorCode::corrupt, "the store cannot be read: " + error.message);
}

Result<std::unique_ptr<Authority>> open_existing(Env& env, const OpenOptions& options, const Paths& paths,
                                                 std::vector<std::string> gaps) {
  PIMEMORY_TRY(check_side_files(env, paths, false));
  PIMEMORY_ASSIGN(std::unique_ptr<File> storage_lock, take_storage_lock(env, paths));
  PIMEMORY_TRY(check_identity(env, paths));
  PIMEMORY_ASSIGN(std::unique_ptr<SqliteConnection> connection,
                  SqliteConnection::open(paths.database, SqliteOpen::existing, env.sqlite_vfs));
  Status checked = set_up_connection(*connection);
  if (checked) checked = check_schema(*connection);
  if (checked) checked = check_pragmas(*connection);
  if (!checked) return std::unexpected(as_corrupt(checked.error()));
  SqliteConnection& opened = *connection;
  auto authority =
      std::make_unique<CompactAuthority>(env, options, std::move(connection), std::move(storage_lock), std::move(gaps));
  PIMEMORY_TRY(authority->load());
  if (options.layout == Layout::indexed)
    return fail(ErrorCode::layout_conflict, "the store is compact, the indexed layout was asked for");
  opened.set_checkpoint_on_close(true);
  return authority;
}

Status write_new_store(Env& env, const OpenOptions& options, const std::string& staging) {
  {
    PIMEMORY_ASSIGN(const auto made, env.files.open(staging, OpenMode::create_exclusive));
  }
  PIMEMORY_ASSIGN(std::unique_ptr<SqliteConnection> connection,
                  SqliteConnection::open(staging, SqliteOpen::existing, env.sqlite_vfs));
  connection->set_checkpoint_on_close(true);
  PIMEMORY_TRY(connection->execute("PRAGMA page_size=4096; PRAGMA auto_vacuum=FULL; PRAGMA synchronous=FULL;"));
  PIMEMORY_TRY(connection->execute("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"));
  PIMEMORY_TRY(connection->execute("BEGIN IMMEDIATE"));
  const std::string identity = "PRAGMA application_id=" + std::to_string(kApplicationId) +
                               "; PRAGMA user_version=" + std::to_string(kUserVersion);
  PIMEMORY_TRY(connection->execute(identity.c_str()));
  PIMEMORY_TRY(connection->execute(kAuthoritySchema));
  CompactState state;
  state.head.writer_id = new_writer_id(env.random);
  AuthorityRow row;
  row.owner = options.project_id;
  PIMEMORY_ASSIGN(row.state, encode_compact_state(state));
  row.digest = row_digest(row);
  PIMEMORY_TRY(insert_row(*connection, row));
  PIMEMORY_TRY(connection->execute("COMMIT"));
  int log_frames = 0, checkpointed = 0;
  if (connection->wal_checkpoint_truncate(&log_frames, &checkpointed) != 0)
    return fail(ErrorCode::io, "the new store could not be completed");
  return {};
}

Status remove_side_files(Env& env, const std::string& database) {
  for (const char* side : {"-wal", "-shm", "-journal"}) {
    PIMEMORY_ASSIGN(const FileInfo info, env.files.info(database + side));
    if (info.type != FileType::missing) PIMEMORY_TRY(env.files.unlink(database + side));
  }
  return {};
}

// Dead creators leave their staging files; the holder of the write lock sweeps them.
Status sweep_staging(Env& env, const Paths& paths) {
  PIMEMORY_ASSIGN(const std::vector<std::string> names, env.files.list(paths.root));
  for (const std::string& name : names)
    if (name.starts_with(kStagingPrefix)) PIMEMORY_TRY(env.files.unlink(paths.root + "/" + name));
  return {};
}

// Complete under a staging name first, then renamed: a crash leaves no store or a whole one.
Status create_store(Env& env, const OpenOptions& options, const Paths& paths) {
  std::string existing = paths.root;
  for (;;) {
    PIMEMORY_ASSIGN(const FileInfo info, env.files.info(existing));
    if (info.type != FileType::missing) break;
    existing = existing.substr(0, existing.rfind('/'));
    if (existing.empty()) existing = "/";
  }
  PIMEMORY_TRY(probe_file_system(env, existing));
  PIMEMORY_TRY(make_private_directories(env.files, options.home, paths.root));
  PIMEMORY_TRY(check_private_directory(env.files, paths.project, true));
  PIMEMORY_TRY(check_private_directory(env.files, paths.root, true));

  PIMEMORY_ASSIGN(std::unique_ptr<File> write_lock,
                  env.files.open(paths.root + "/write.lock", OpenMode::open_or_create));
  PIMEMORY_ASSIGN(const bool held, write_lock->lock(LockKind::exclusive, kLockWaitMs));
  if (!held) return fail(ErrorCode::busy, "another process is creating the store");
  PIMEMORY_ASSIGN(const FileInfo present, env.files.info(paths.database));
  if (present.type != FileType::missing && present.size > 0) return {};  // another creator was first

  // A database that was deleted may have left its log, which must not be replayed into the new one, and a handle that
  // is still open on it must not write into the new one either.
  PIMEMORY_ASSIGN(std::unique_ptr<File> storage_lock,
                  env.files.open(paths.root + "/storage.lock", OpenMode::open_or_create));
  PIMEMORY_ASSIGN(const bool alone, storage_lock->try_lock(LockKind::exclusive));
  if (!alone)
    return fail(ErrorCode::storage_in_use, "a process still has the deleted store of " + paths.root + " open");
  PIMEMORY_TRY(remove_side_files(env, paths.database));
  PIMEMORY_TRY(sweep_staging(env, paths));
  std::array<unsigned char, 8> suffix{};
  env.random.fill(suffix);
  const std::string staging = paths.root + "/" + kStagingPrefix + to_hex(suffix);
  Status written = write_new_store(env, options, staging);
  if (written) written = env.files.rename(staging, paths.database);
  if (!written) {
    (void)remove_side_files(env, staging);
    (void)env.files.unlink(staging);
    return written;
  }
  if (!fsync_removed("store_directory")) PIMEMORY_TRY(env.files.sync_directory(paths.root));
  return {};
}

// History refuses such an id at every read; it must not get there.
Status check_session_id(const std::string& id) {
  if (!is_valid_utf8(id) || has_nul(id) || is_blank(id) || id.size() > kSessionIdBytesMax)
    return fail(ErrorCode::invalid, "the session id must be 1 to 512 bytes of text");
  if (contains_credential(id)) return fail(ErrorCode::secret_in_identifier, "the session id holds a credential");
  return {};
}

}  // namespace

std::string authority_root(const std::string& home, const std::string& project_id) {
  return home + "/" + project_id + "/memory";
}

Result<std::unique_ptr<Authority>> open_authority(Env& env, const OpenOptions& options) {
  PIMEMORY_TRY(check_linked_sqlite());
  if (!is_project_id(options.project_id))
    return fail(ErrorCode::project_owned_only, "\"" + options.project_id + "\" is not a project id (p_…)");
  PIMEMORY_TRY(check_session_id(options.session_id));
  const Paths paths = paths_of(options);
  std::vector<std::string> gaps;
  PIMEMORY_ASSIGN(const OnDisk found, look(env, paths, false, gaps));
  if (found != OnDisk::file) {
    PIMEMORY_ASSIGN(const bool journal, has_journal_files(env, paths));
    if (journal)
      return fail(ErrorCode::project_incomplete,
                  "the database of " + options.project_id + " is gone, its journal is there",
                  "run `pi-memory rebuild`");
    if (options.intent != OpenIntent::create)
      return fail(ErrorCode::project_incomplete, "the project " + options.project_id + " has no database");
    if (options.layout == Layout::indexed)
      return fail(ErrorCode::layout_conflict, "this version creates compact stores only");
    PIMEMORY_TRY(create_store(env, options, paths));
  } else {
    PIMEMORY_TRY(check_identity(env, paths));  // before a lock file appears beside a foreign store
  }
  if (options.intent != OpenIntent::read) gaps.clear();  // mended below
  PIMEMORY_ASSIGN(std::unique_ptr<Authority> authority, open_existing(env, options, paths, std::move(gaps)));
  if (options.intent == OpenIntent::read) return authority;
  // Modes are mended only on a store that has passed every check.
  std::vector<std::string> mended;
  PIMEMORY_TRY(look(env, paths, true, mended));
  PIMEMORY_TRY(check_side_files(env, paths, true));
  return authority;
}

}  // namespace pimemory
