// Reading, drafting and swapping the one row of a compact project.
#include "storage/compact_authority.h"

#include <sqlite3.h>

#include <algorithm>

#include "base/sha256.h"
#include "storage/compact_draft.h"
#include "storage/reducer.h"

namespace pimemory {
namespace {

class CompactSnapshot final : public Snapshot {
 public:
  CompactSnapshot(std::shared_ptr<const CompactState> state, AuthorityNumbers numbers)
      : state_(std::move(state)), numbers_(std::move(numbers)) {}
  const DomainReader& domain() const override { return *state_; }
  AuthorityNumbers numbers() const override { return numbers_; }
  SyncActivity activity() const override { return state_->activity; }
  JournalHead head() const override { return state_->head; }
  Status each_event(const std::function<bool(const MemoryEvent&)>& visit) const override {
    for (const auto& stored : state_->history())
      if (!visit(stored->row)) break;
    return {};
  }
  const CompactState& state() const { return *state_; }

 private:
  std::shared_ptr<const CompactState> state_;
  AuthorityNumbers numbers_;
};

std::string digest_of(const CompactState& state) { return sha256_hex(state.domain_json()); }

CompactState fold(const CompactState& recorded) {
  CompactState folded;
  for (const auto& stored : recorded.history()) reduce_event(folded, stored->row);
  return folded;
}

}  // namespace

Result<std::string> encode_compact_state(const CompactState& state) { return encode_state(state.to_json(), ""); }

Result<CompactState> decode_compact_state(std::string_view stored, std::string_view owner) {
  PIMEMORY_ASSIGN(const DecodedState decoded, decode_state(stored));
  if (!decoded.vectors.empty())
    return fail(ErrorCode::unsupported_version, "the stored state holds vectors that this version does not read");
  return CompactState::from_json(decoded.json, owner);
}

Result<std::string> domain_digest(const Snapshot& snapshot) {
  return digest_of(static_cast<const CompactSnapshot&>(snapshot).state());
}

Status CompactAuthority::load() {
  PIMEMORY_ASSIGN(const AuthorityRow row, read_row(*connection_));
  PIMEMORY_TRY(check_row(row, options_.project_id));
  if (row.mode != static_cast<std::int64_t>(AuthorityMode::compact))
    return fail(ErrorCode::unsupported_version, "the store uses the indexed layout, which this version does not read");
  PIMEMORY_ASSIGN(CompactState state, decode_compact_state(row.state, options_.project_id));
  loaded_.state = std::make_shared<const CompactState>(std::move(state));
  loaded_.numbers = {row.revision, row.index_revision, "compact", row.state.size()};
  return {};
}

// The body of a transaction holds the handle's mutex: a call back into the handle would wait for itself.
Status CompactAuthority::refuse_inside_transaction() const {
  if (transaction_thread_.load() != std::this_thread::get_id()) return {};
  return fail(ErrorCode::inside_transaction, "the store was called inside one of its own transactions");
}

// Threads of one handle wait for each other as long as processes do.
Result<std::unique_lock<std::timed_mutex>> CompactAuthority::take_handle() {
  std::unique_lock<std::timed_mutex> guard(mutex_, std::defer_lock);
  if (guard.try_lock_for(std::chrono::milliseconds(kCompactWriteWaitMs))) return guard;
  return fail(ErrorCode::busy, "another thread used this store for " + std::to_string(kCompactWriteWaitMs) + " ms");
}

// The state is decoded once per revision; a request that finds the numbers unmoved reads nothing else.
Result<CompactAuthority::Loaded> CompactAuthority::current() {
  PIMEMORY_ASSIGN(const RowNumbers numbers, read_row_numbers(*connection_));
  if (!loaded_.state || numbers.revision != loaded_.numbers.revision || numbers.mode != 0) PIMEMORY_TRY(load());
  return loaded_;
}

Result<std::unique_ptr<Snapshot>> CompactAuthority::snapshot() {
  PIMEMORY_TRY(refuse_inside_transaction());
  PIMEMORY_ASSIGN(const auto guard, take_handle());
  PIMEMORY_ASSIGN(const Loaded loaded, current());
  return std::make_unique<CompactSnapshot>(loaded.state, loaded.numbers);
}

Result<std::unique_ptr<File>> CompactAuthority::take_write_lock(std::int64_t deadline_ms) {
  const std::string path = authority_root(options_.home, options_.project_id) + "/write.lock";
  PIMEMORY_ASSIGN(std::unique_ptr<File> file, env_.files.open(path, OpenMode::open_or_create));
  PIMEMORY_ASSIGN(const bool held,
                  file->lock(LockKind::exclusive, std::max<std::int64_t>(0, deadline_ms - env_.clock.monotonic_ms())));
  if (!held)
    return fail(ErrorCode::busy,
                "another process held the write lock for " + std::to_string(kCompactWriteWaitMs) + " ms");
  return file;
}

namespace {

// Marks the thread that runs a body, however the body ends.
class InsideTransaction {
 public:
  explicit InsideTransaction(std::atomic<std::thread::id>& thread) : thread_(thread) {
    thread_ = std::this_thread::get_id();
  }
  ~InsideTransaction() { thread_ = std::thread::id(); }
  InsideTransaction(const InsideTransaction&) = delete;

 private:
  std::atomic<std::thread::id>& thread_;
};

// The swap and a checkpoint never wait; reads do.
class NoWaiting {
 public:
  explicit NoWaiting(SqliteConnection& connection) : connection_(connection) { connection_.set_busy_timeout(0); }
  ~NoWaiting() { connection_.set_busy_timeout(kReadWaitMs); }
  NoWaiting(const NoWaiting&) = delete;

 private:
  SqliteConnection& connection_;
};

}  // namespace

// Whole frames of a commit that failed at its sync may lie in the log, and a recovery would bring them back: they go,
// or the caller learns that the outcome is open. Always an error.
Status CompactAuthority::empty_failed_commit(const Error& error) {
  int log_frames = 0, checkpointed = 0;
  if (connection_->wal_checkpoint_truncate(&log_frames, &checkpointed) == SQLITE_OK) return std::unexpected(error);
  return fail(error.code, error.message + "; whether it was recorded shows at the next open",
              "check the disk, then look with `pi-memory list` before you repeat it");
}

Result<SwapOutcome> CompactAuthority::swap(std::int64_t expected_revision, std::int64_t next_index_revision,
                                           const std::string& next_state) {
  const NoWaiting no_waiting(*connection_);
  int log_frames = 0, checkpointed = 0;
  const int checkpoint = connection_->wal_checkpoint_truncate(&log_frames, &checkpointed);
  if ((checkpoint & 0xff) == SQLITE_BUSY || (checkpoint & 0xff) == SQLITE_LOCKED) return SwapOutcome::busy;
  if (checkpoint != SQLITE_OK)
    return std::unexpected(sqlite_error(connection_->handle(), checkpoint, "the write-ahead log cannot be emptied"));

  if (Status begun = connection_->execute("BEGIN IMMEDIATE"); !begun) {
    if (begun.error().code == ErrorCode::busy) return SwapOutcome::busy;
    return std::unexpected(begun.error());
  }
  const auto roll_back = [&](auto result) {
    (void)connection_->execute("ROLLBACK");
    return result;
  };
  const std::string wal_path = authority_root(options_.home, options_.project_id) + "/memory.sqlite-wal";
  const auto wal = env_.files.info(wal_path);
  if (!wal) return roll_back(Result<SwapOutcome>(std::unexpected(wal.error())));
  if (wal->size > 0) return roll_back(Result<SwapOutcome>(SwapOutcome::busy));  // written since it was emptied
  auto row = read_row(*connection_);
  if (!row) return roll_back(Result<SwapOutcome>(std::unexpected(row.error())));
  if (Status checked = check_row(*row, options_.project_id); !checked)
    return roll_back(Result<SwapOutcome>(std::unexpected(checked.error())));
  if (row->revision != expected_revision || row->mode != 0) return roll_back(Result<SwapOutcome>(SwapOutcome::stale));

  row->revision = expected_revision + 1;
  row->index_revision = next_index_revision;
  row->state = next_state;
  row->digest = row_digest(*row);
  Status written = update_row(*connection_, *row);
  if (written) written = connection_->execute("COMMIT");
  if (!written) {
    // A refused COMMIT leaves the transaction open; nothing of it may survive.
    (void)connection_->execute("ROLLBACK");
    if (written.error().code == ErrorCode::busy) return SwapOutcome::busy;
    PIMEMORY_TRY(empty_failed_commit(written.error()));
  }
  // So that the next write finds the log empty. A reader may stand in the way; then the next write tries again.
  (void)connection_->wal_checkpoint_truncate(&log_frames, &checkpointed);
  return SwapOutcome::committed;
}

Result<Commit> CompactAuthority::attempt(TimeMs now, const std::function<Status(Draft&)>& body,
                                         std::int64_t deadline_ms, bool& base_moved) {
  PIMEMORY_ASSIGN(const Loaded base, current());
  CompactDraft draft(env_, options_, *base.state, now);
  Status done;
  {
    const InsideTransaction inside(transaction_thread_);
    done = body(draft);
  }
  PIMEMORY_TRY(done);
  if (!draft.changed()) return Commit{false, base.numbers.revision, 0};
  PIMEMORY_TRY(draft.seal());
  PIMEMORY_ASSIGN(const std::string encoded, encode_compact_state(draft.state()));

  const std::int64_t next_revision = base.numbers.revision + 1;
  const std::int64_t next_index = draft.has_events() ? next_revision : base.numbers.index_revision;
  for (;;) {
    PIMEMORY_ASSIGN(const SwapOutcome outcome, swap(base.numbers.revision, next_index, encoded));
    if (outcome == SwapOutcome::committed) break;
    if (outcome == SwapOutcome::stale) {
      base_moved = true;
      return fail(ErrorCode::stale, "another program wrote the store outside its write lock");
    }
    if (env_.clock.monotonic_ms() >= deadline_ms)
      return fail(ErrorCode::busy, "another process used the store for " + std::to_string(kCompactWriteWaitMs) + " ms");
    env_.clock.sleep_ms(kBusyPauseMs);
  }
  loaded_.state = std::make_shared<const CompactState>(draft.state());
  loaded_.numbers = {next_revision, next_index, "compact", encoded.size()};
  return Commit{true, next_revision, draft.event_count()};
}

Result<Commit> CompactAuthority::transaction(TimeMs now, Repeatable repeatable,
                                             const std::function<Status(Draft&)>& body) {
  PIMEMORY_TRY(refuse_inside_transaction());
  if (options_.intent == OpenIntent::read)
    return fail(ErrorCode::internal_error, "a store that was opened for reading was asked to write");
  // One bound for all of it: threads of this handle, the queue of writers, then what holds SQLite's own lock.
  const std::int64_t deadline_ms = env_.clock.monotonic_ms() + kCompactWriteWaitMs;
  PIMEMORY_ASSIGN(const auto guard, take_handle());
  PIMEMORY_ASSIGN(const std::unique_ptr<File> write_lock, take_write_lock(deadline_ms));
  for (;;) {
    bool base_moved = false;
    auto committed = attempt(now, body, deadline_ms, base_moved);
    const bool again = base_moved && repeatable == Repeatable::yes && env_.clock.monotonic_ms() < deadline_ms;
    if (committed || !again) return committed;
  }
}

Result<VerifyReport> CompactAuthority::verify() {
  PIMEMORY_TRY(refuse_inside_transaction());
  PIMEMORY_ASSIGN(const auto guard, take_handle());
  loaded_ = {};  // the stored bytes are read again, whatever the revision
  VerifyReport report;
  const auto loaded = current();
  if (!loaded) {
    if (loaded.error().code != ErrorCode::corrupt) return std::unexpected(loaded.error());
    report.findings.push_back(loaded.error().message);
    return report;
  }
  const CompactState& state = *loaded->state;
  report.events = static_cast<std::int64_t>(state.history().size());
  for (const auto& stored : state.history()) report.purged += stored->row.purged() ? 1 : 0;
  report.domain_digest = digest_of(state);
  if (digest_of(fold(state)) != report.domain_digest)
    report.findings.push_back("the stored state differs from the fold of its history");
  PIMEMORY_ASSIGN(SqliteStatement integrity, connection_->prepare("PRAGMA integrity_check"));
  PIMEMORY_TRY(integrity.step());
  if (integrity.text(0) != "ok") report.findings.push_back("SQLite: " + integrity.text(0));
  return report;
}

Result<CheckpointReport> CompactAuthority::checkpoint_wal() {
  PIMEMORY_TRY(refuse_inside_transaction());
  PIMEMORY_ASSIGN(const auto guard, take_handle());
  CheckpointReport report;
  const NoWaiting no_waiting(*connection_);
  int log_frames = -1, checkpointed = -1;
  const int code = connection_->wal_checkpoint_truncate(&log_frames, &checkpointed);
  if (code != SQLITE_OK && (code & 0xff) != SQLITE_BUSY && (code & 0xff) != SQLITE_LOCKED)
    return std::unexpected(sqlite_error(connection_->handle(), code, "the write-ahead log cannot be emptied"));
  report.checkpointed = code == SQLITE_OK;
  report.log_frames = log_frames;
  report.checkpointed_frames = checkpointed;
  PIMEMORY_ASSIGN(const FileInfo wal,
                  env_.files.info(authority_root(options_.home, options_.project_id) + "/memory.sqlite-wal"));
  report.wal_bytes = static_cast<std::int64_t>(wal.size);
  return report;
}

}  // namespace pimemory
