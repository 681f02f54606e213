// The authority of one project: its history and state behind one interface, whatever the layout on disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/env.h"
#include "base/result.h"
#include "contracts/events.h"
#include "storage/domain_state.h"

namespace pimemory {

enum class OpenIntent { create, write, read };
enum class Layout { automatic, compact, indexed };

struct OpenOptions {
  std::string home;        // absolute
  std::string project_id;  // ^p_[A-Za-z0-9_-]{1,126}$
  std::string session_id;  // non-blank, at most 512 bytes; names the writer in history
  OpenIntent intent = OpenIntent::read;
  Layout layout = Layout::automatic;
};

struct AuthorityNumbers {
  std::int64_t revision = 0;
  std::int64_t index_revision = 0;
  std::string layout;             // "compact" or "indexed"
  std::uint64_t state_bytes = 0;  // compact: bytes of the stored state
};

// One snapshot of the project. Reads through it never see a later write. Not thread-safe.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  virtual const DomainReader& domain() const = 0;
  virtual AuthorityNumbers numbers() const = 0;
  virtual SyncActivity activity() const = 0;
  virtual JournalHead head() const = 0;
  virtual Status each_event(const std::function<bool(const MemoryEvent&)>& visit) const = 0;
};

// The draft of a transaction: reads see its own writes.
class Draft {
 public:
  virtual ~Draft() = default;
  virtual const DomainReader& domain() const = 0;
  virtual SyncActivity activity() const = 0;
  // Validates, reduces and adds one event to the group. `invalid` or `too_large` leave the draft as it was.
  // Returns the id of the event.
  virtual Result<std::string> append(nlohmann::json payload) = 0;
  // The recordedAt that this transaction's events carry: never before the last event of history.
  virtual TimeMs recorded_at() const = 0;
  // Operational: totals only grow. Deltas are >= 0.
  virtual Status count_activity(std::int64_t turns, std::int64_t tokens, std::int64_t inserts) = 0;
  // A nested body: its failure leaves no trace and the outer may go on.
  virtual Status nested(const std::function<Status(Draft&)>& body) = 0;
};

enum class Repeatable { no, yes };

struct Commit {
  bool changed = false;  // false: an unchanged draft commits nothing
  std::int64_t revision = 0;
  std::int64_t events = 0;
};

struct VerifyReport {
  std::int64_t events = 0;
  std::int64_t purged = 0;
  std::vector<std::string> findings;
  std::string domain_digest;
};

struct CheckpointReport {
  bool checkpointed = false;  // false: busy
  std::int64_t log_frames = -1;
  std::int64_t checkpointed_frames = -1;
  std::int64_t wal_bytes = 0;
};

// Thread-safe: one operation at a time per handle; any number of handles and processes.
class Authority {
 public:
  virtual ~Authority() = default;
  virtual const std::string& owner() const = 0;
  // Paths that were wider than private when opened for reading; a write open has mended them.
  virtual const std::vector<std::string>& gaps() const = 0;
  virtual Result<std::unique_ptr<Snapshot>> snapshot() = 0;
  // Runs the body under the fair write lock on fresh state and commits once: all of its events or none. `busy` and
  // `stale` are repeated within the bound of the layout (the body only if Repeatable::yes), then returned: nothing was
  // recorded. `now` is the request's one clock reading.
  virtual Result<Commit> transaction(TimeMs now, Repeatable repeatable, const std::function<Status(Draft&)>& body) = 0;
  virtual Result<VerifyReport> verify() = 0;
  virtual Result<CheckpointReport> checkpoint_wal() = 0;
};

// Opens by the table of the specification: creates only with intent create. A refused open changes nothing.
Result<std::unique_ptr<Authority>> open_authority(Env& env, const OpenOptions& options);

// <home>/<projectId>/memory
std::string authority_root(const std::string& home, const std::string& project_id);

// The SHA-256 of the RFC 8785 form of all domain collections, equal in both layouts for equal histories.
Result<std::string> domain_digest(const Snapshot& snapshot);

}  // namespace pimemory
