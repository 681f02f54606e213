// A file system that fails, stops or forgets at a chosen call: how tests reach every crash point of file code.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/file_system.h"

namespace pimemory {

enum class FaultKind {
  fail_before,  // the call fails and does nothing
  short_write,  // write_all writes the first half and fails; other calls as fail_before
  stop,         // this call and every mutating one after it fail and do nothing: a crash seen from inside
  torn_stop,    // as stop, but a write_all writes its first half
  crash,        // _exit(137) in place of the call, for forked children
};

// What a power cut takes. File systems may persist names and contents in any order, so tests try all three.
enum class Unsynced { all, contents, names };

// Wraps another file system; files opened from it must not outlive it. Mutating calls are counted from 1: an open that
// creates, write_all, truncate, sync, rename, unlink, create_directory, set_mode, sync_directory. Thread-safe.
class FaultFileSystem final : public FileSystem {
 public:
  explicit FaultFileSystem(FileSystem& base) : base_(base) {}

  // Arms the n-th mutating call from now on (n >= 1) and forgets the calls and the stop before.
  void fail_at(std::uint64_t n, ErrorCode code, FaultKind kind);
  // No more faults; a stopped file system goes on.
  void clear_fault();
  // True once the armed call came: a test raises n until a run ends without it.
  bool fired() const;
  // The mutating calls since fail_at or the beginning, "<call> <path>", the failed one included.
  std::vector<std::string> calls() const;

  // From now on remembers what no sync has covered yet beneath `root`, an existing directory; everything already there
  // counts as durable. Names become durable by sync_directory of their directory only, contents by File::sync only.
  // Modes are not tracked. Files written around this object are not seen.
  void enable_unsynced_drop(const std::string& root);
  // The power cut: takes back unsynced contents (to the last synced ones, empty if never synced) and unsynced names
  // (in reverse order), then counts what is left as durable. Files still open are dead afterwards.
  Status drop_unsynced(Unsynced what = Unsynced::all);

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
  Result<FileInfo> info(const std::string& path) override { return base_.info(path); }
  Status create_directory(const std::string& path) override;
  Status set_mode(const std::string& path, std::uint32_t mode) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status unlink(const std::string& path) override;
  Status sync_directory(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& path) override { return base_.list(path); }
  Result<std::string> real_path(const std::string& path) override { return base_.real_path(path); }
  Result<std::string> type_name(const std::string& path) override { return base_.type_name(path); }

 private:
  friend class FaultFile;
  using FileId = std::pair<std::uint64_t, std::uint64_t>;  // device, inode

  struct SavedFile {
    std::string content;
    std::uint32_t mode = 0;
  };
  struct Dirty {
    std::string path;
    std::string durable;
  };
  struct NameChange {
    enum class Kind { create, create_directory, rename, unlink } kind;
    std::string path;                   // of a rename: the new name
    std::string from;                   // of a rename only
    std::optional<SavedFile> lost;      // the file that an unlink or a rename took away
    bool lost_directory = false;        // the rename replaced an empty directory
    std::set<std::string> unsynced_in;  // directories whose sync makes it durable
  };

  // With mutex_ held. Counts a call; the error when it is not to be done.
  Status enter(const std::string& call, bool* tear = nullptr);
  bool tracks(const std::string& path) const;
  Result<SavedFile> durable_copy(const std::string& path, const FileInfo& info);
  Status before_content_change(File& file, const std::string& path);
  void move_paths(std::size_t changes, const std::string& from, const std::string& to);
  Status restore(const std::string& path, const SavedFile& saved);
  Status revert_content(const Dirty& dirty);
  Status revert_name(std::size_t index);

  FileSystem& base_;
  mutable std::mutex mutex_;
  std::uint64_t armed_ = 0;  // 0: none
  std::uint64_t count_ = 0;
  ErrorCode code_ = ErrorCode::io;
  FaultKind kind_ = FaultKind::fail_before;
  bool fired_ = false;
  bool stopped_ = false;
  std::vector<std::string> calls_;

  std::string root_;  // empty: nothing is tracked
  std::map<FileId, Dirty> dirty_;
  std::vector<NameChange> changes_;  // oldest first, paths as they are now
  std::set<class FaultFile*> open_files_;
};

}  // namespace pimemory
