// The compact layout: one row holds the project; every commit replaces it under a compare-and-swap.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/env.h"
#include "storage/authority.h"
#include "storage/authority_row.h"
#include "storage/compact_state.h"
#include "storage/sqlite_connection.h"

namespace pimemory {

// Bounded waits of engine writes on a compact store: for the write lock, and for busy or stale after it.
inline constexpr std::int64_t kCompactWriteWaitMs = 2'000;
inline constexpr std::int64_t kBusyPauseMs = 5;

enum class SwapOutcome { committed, stale, busy };

class CompactAuthority final : public Authority {
 public:
  // `storage_lock` is held shared until the handle is destroyed.
  CompactAuthority(Env& env, OpenOptions options, std::unique_ptr<SqliteConnection> connection,
                   std::unique_ptr<File> storage_lock, std::vector<std::string> gaps)
      : env_(env),
        options_(std::move(options)),
        storage_lock_(std::move(storage_lock)),
        connection_(std::move(connection)),
        gaps_(std::move(gaps)) {}

  const std::string& owner() const override { return options_.project_id; }
  const std::vector<std::string>& gaps() const override { return gaps_; }
  Result<std::unique_ptr<Snapshot>> snapshot() override;
  Result<Commit> transaction(TimeMs now, Repeatable repeatable, const std::function<Status(Draft&)>& body) override;
  Result<VerifyReport> verify() override;
  Result<CheckpointReport> checkpoint_wal() override;

  // The compare-and-swap alone: never waits. For the engine's writes and for tests of its outcomes.
  Result<SwapOutcome> swap(std::int64_t expected_revision, std::int64_t next_index_revision,
                           const std::string& next_state);

  // Reads and checks the row; used by the open.
  Status load();

 private:
  struct Loaded {
    std::shared_ptr<const CompactState> state;
    AuthorityNumbers numbers;
  };
  Status refuse_inside_transaction() const;
  Result<Loaded> current();
  Result<std::unique_lock<std::timed_mutex>> take_handle();
  Result<std::unique_ptr<File>> take_write_lock(std::int64_t deadline_ms);
  Status empty_failed_commit(const Error& error);
  Result<Commit> attempt(TimeMs now, const std::function<Status(Draft&)>& body, std::int64_t deadline_ms,
                         bool& base_moved);

  Env& env_;
  OpenOptions options_;
  std::unique_ptr<File> storage_lock_;  // outlives the connection, which may still write when it closes
  std::unique_ptr<SqliteConnection> connection_;
  std::vector<std::string> gaps_;
  std::timed_mutex mutex_;
  std::atomic<std::thread::id> transaction_thread_{};
  Loaded loaded_;
};

// The bytes of a state as a row stores them; `capacity` before anything is written.
Result<std::string> encode_compact_state(const CompactState& state);
Result<CompactState> decode_compact_state(std::string_view stored, std::string_view owner);

}  // namespace pimemory
