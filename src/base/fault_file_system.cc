// The power cut is strict: a name is lost unless its directory was synced, even where real file systems are kinder.
#include "base/fault_file_system.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

namespace pimemory {
namespace {

constexpr int kCrashExitCode = 137;
constexpr std::size_t kNoLimitBytes = std::numeric_limits<std::size_t>::max() / 2;

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

// `path` with a leading `from` component path replaced by `to`.
void replace_prefix(std::string& path, const std::string& from, const std::string& to) {
  if (path == from || (path.starts_with(from) && path[from.size()] == '/')) path = to + path.substr(from.size());
}

}  // namespace

class FaultFile final : public File {
 public:
  FaultFile(FaultFileSystem& owner, std::unique_ptr<File> base, std::string path)
      : path(std::move(path)), owner_(owner), base_(std::move(base)) {
    owner_.open_files_.insert(this);  // under the lock of open()
  }
  ~FaultFile() override {
    const std::lock_guard guard(owner_.mutex_);
    owner_.open_files_.erase(this);
  }

  Status write_all(std::string_view bytes) override {
    const std::lock_guard guard(owner_.mutex_);
    bool tear = false;
    const Status entered = owner_.enter("write_all " + path, &tear);
    if (!entered && !tear) return entered;
    PIMEMORY_TRY(owner_.before_content_change(*base_, path));
    if (entered) return base_->write_all(bytes);
    PIMEMORY_TRY(base_->write_all(bytes.substr(0, bytes.size() / 2)));
    return entered;
  }

  Status sync() override {
    const std::lock_guard guard(owner_.mutex_);
    PIMEMORY_TRY(owner_.enter("sync " + path));
    PIMEMORY_TRY(base_->sync());
    PIMEMORY_ASSIGN(const FileInfo now, base_->info());
    owner_.dirty_.erase({now.device, now.inode});
    return {};
  }

  Status truncate(std::uint64_t size) override {
    const std::lock_guard guard(owner_.mutex_);
    PIMEMORY_TRY(owner_.enter("truncate " + path));
    PIMEMORY_TRY(owner_.before_content_change(*base_, path));
    return base_->truncate(size);
  }

  Result<std::string> read_all(std::size_t limit_bytes) override { return base_->read_all(limit_bytes); }
  Result<FileInfo> info() override { return base_->info(); }
  Result<bool> try_lock(LockKind kind) override { return base_->try_lock(kind); }
  Result<bool> lock(LockKind kind, std::int64_t timeout_ms) override { return base_->lock(kind, timeout_ms); }
  Status unlock() override { return base_->unlock(); }

  std::string path;  // follows renames

 private:
  FaultFileSystem& owner_;
  std::unique_ptr<File> base_;
};

void FaultFileSystem::fail_at(std::uint64_t n, ErrorCode code, FaultKind kind) {
  const std::lock_guard guard(mutex_);
  armed_ = n;
  code_ = code;
  kind_ = kind;
  count_ = 0;
  fired_ = stopped_ = false;
  calls_.clear();
}

void FaultFileSystem::clear_fault() {
  const std::lock_guard guard(mutex_);
  armed_ = 0;
  stopped_ = false;
}

bool FaultFileSystem::fired() const {
  const std::lock_guard guard(mutex_);
  return fired_;
}

std::vector<std::string> FaultFileSystem::calls() const {
  const std::lock_guard guard(mutex_);
  return calls_;
}

Status FaultFileSystem::enter(const std::string& call, bool* tear) {
  if (stopped_) return fail(code_, "stopped before " + call);
  calls_.push_back(call);
  if (++count_ != armed_) return {};
  fired_ = true;
  if (kind_ == FaultKind::crash) _exit(kCrashExitCode);
  stopped_ = kind_ == FaultKind::stop || kind_ == FaultKind::torn_stop;
  if (tear != nullptr) *tear = kind_ == FaultKind::short_write || kind_ == FaultKind::torn_stop;
  return fail(code_, "injected fault at " + call);
}

bool FaultFileSystem::tracks(const std::string& path) const {
  return !root_.empty() && path.starts_with(root_) && path.size() > root_.size() && path[root_.size()] == '/';
}

void FaultFileSystem::enable_unsynced_drop(const std::string& root) {
  const std::lock_guard guard(mutex_);
  root_ = root;
  dirty_.clear();
  changes_.clear();
}

Status FaultFileSystem::before_content_change(File& file, const std::string& path) {
  if (!tracks(path)) return {};
  PIMEMORY_ASSIGN(const FileInfo now, file.info());
  const FileId id{now.device, now.inode};
  if (now.links == 0 || dirty_.contains(id)) return {};
  PIMEMORY_ASSIGN(std::string durable, file.read_all(kNoLimitBytes));
  dirty_[id] = {path, std::move(durable)};
  return {};
}

// What a power cut would leave of a file that is about to lose its name; its tracking moves into the name change.
Result<FaultFileSystem::SavedFile> FaultFileSystem::durable_copy(const std::string& path, const FileInfo& info) {
  if (const auto found = dirty_.find({info.device, info.inode}); found != dirty_.end()) {
    SavedFile saved{std::move(found->second.durable), info.mode};
    dirty_.erase(found);
    return saved;
  }
  PIMEMORY_ASSIGN(const std::unique_ptr<File> file, base_.open(path, OpenMode::read));
  PIMEMORY_ASSIGN(std::string content, file->read_all(kNoLimitBytes));
  return SavedFile{std::move(content), info.mode};
}

// A renamed directory takes the paths of everything inside with it: of the first `changes` name changes, of unsynced
// contents and of open files.
void FaultFileSystem::move_paths(std::size_t changes, const std::string& from, const std::string& to) {
  for (auto& [id, dirty] : dirty_) replace_prefix(dirty.path, from, to);
  for (FaultFile* file : open_files_) replace_prefix(file->path, from, to);
  for (std::size_t i = 0; i < changes; ++i) {
    NameChange& change = changes_[i];
    // The change that a rename supersedes keeps its own name, which is what the reverted rename gives back.
    if (change.path != from) replace_prefix(change.path, from, to);
    if (change.from != from) replace_prefix(change.from, from, to);
    std::set<std::string> directories;
    for (std::string directory : change.unsynced_in) {
      replace_prefix(directory, from, to);
      directories.insert(std::move(directory));
    }
    change.unsynced_in = std::move(directories);
  }
}

Result<std::unique_ptr<File>> FaultFileSystem::open(const std::string& path, OpenMode mode) {
  const std::lock_guard guard(mutex_);
  bool creates = mode == OpenMode::create_exclusive;
  if (mode == OpenMode::open_or_create || mode == OpenMode::append) {
    PIMEMORY_ASSIGN(const FileInfo before, base_.info(path));
    creates = before.type == FileType::missing;
  }
  if (creates) PIMEMORY_TRY(enter("create " + path));
  PIMEMORY_ASSIGN(std::unique_ptr<File> file, base_.open(path, mode));
  if (creates && tracks(path)) changes_.push_back({NameChange::Kind::create, path, {}, {}, false, {parent_of(path)}});
  return std::make_unique<FaultFile>(*this, std::move(file), path);
}

Status FaultFileSystem::create_directory(const std::string& path) {
  const std::lock_guard guard(mutex_);
  PIMEMORY_TRY(enter("create_directory " + path));
  PIMEMORY_TRY(base_.create_directory(path));
  if (tracks(path)) changes_.push_back({NameChange::Kind::create_directory, path, {}, {}, false, {parent_of(path)}});
  return {};
}

Status FaultFileSystem::set_mode(const std::string& path, std::uint32_t mode) {
  const std::lock_guard guard(mutex_);
  PIMEMORY_TRY(enter("set_mode " + path));
  return base_.set_mode(path, mode);
}

Status FaultFileSystem::rename(const std::string& from, const std::string& to) {
  const std::lock_guard guard(mutex_);
  PIMEMORY_TRY(enter("rename " + from + " " + to));
  if (!tracks(from) || !tracks(to)) return base_.rename(from, to);
  NameChange change{NameChange::Kind::rename, to, from, {}, false, {parent_of(from), parent_of(to)}};
  PIMEMORY_ASSIGN(const FileInfo target, base_.info(to));
  change.lost_directory = target.type == FileType::directory;
  // A rename that fails would leave the target's content counted as durable; tests do not go on from there.
  if (target.type == FileType::regular) {
    PIMEMORY_ASSIGN(change.lost, durable_copy(to, target));
  }
  PIMEMORY_TRY(base_.rename(from, to));
  move_paths(changes_.size(), from, to);
  changes_.push_back(std::move(change));
  return {};
}

Status FaultFileSystem::unlink(const std::string& path) {
  const std::lock_guard guard(mutex_);
  PIMEMORY_TRY(enter("unlink " + path));
  if (!tracks(path)) return base_.unlink(path);
  NameChange change{NameChange::Kind::unlink, path, {}, {}, false, {parent_of(path)}};
  PIMEMORY_ASSIGN(const FileInfo target, base_.info(path));
  if (target.type == FileType::regular) {
    PIMEMORY_ASSIGN(change.lost, durable_copy(path, target));
  }
  PIMEMORY_TRY(base_.unlink(path));
  if (change.lost) changes_.push_back(std::move(change));
  return {};
}

Status FaultFileSystem::sync_directory(const std::string& path) {
  const std::lock_guard guard(mutex_);
  PIMEMORY_TRY(enter("sync_directory " + path));
  PIMEMORY_TRY(base_.sync_directory(path));
  for (NameChange& change : changes_) change.unsynced_in.erase(path);
  std::erase_if(changes_, [](const NameChange& change) { return change.unsynced_in.empty(); });
  return {};
}

Status FaultFileSystem::restore(const std::string& path, const SavedFile& saved) {
  {
    PIMEMORY_ASSIGN(const std::unique_ptr<File> file, base_.open(path, OpenMode::create_exclusive));
    PIMEMORY_TRY(file->write_all(saved.content));
  }
  return base_.set_mode(path, saved.mode);
}

Status FaultFileSystem::revert_content(const Dirty& dirty) {
  PIMEMORY_ASSIGN(const std::unique_ptr<File> file, base_.open(dirty.path, OpenMode::open_or_create));
  PIMEMORY_TRY(file->truncate(0));
  return file->write_all(dirty.durable);
}

Status FaultFileSystem::revert_name(std::size_t index) {
  const NameChange change = changes_[index];
  switch (change.kind) {
    case NameChange::Kind::create:
      return base_.unlink(change.path);
    case NameChange::Kind::create_directory: {
      std::error_code error;
      std::filesystem::remove_all(change.path, error);
      if (error) return fail(ErrorCode::io, "cannot remove " + change.path + ": " + error.message());
      return {};
    }
    case NameChange::Kind::unlink:
      return restore(change.path, *change.lost);
    case NameChange::Kind::rename:
      break;
  }
  PIMEMORY_TRY(base_.rename(change.path, change.from));
  move_paths(index, change.path, change.from);
  if (change.lost) return restore(change.path, *change.lost);
  if (change.lost_directory) return base_.create_directory(change.path);
  return {};
}

Status FaultFileSystem::drop_unsynced(Unsynced what) {
  const std::lock_guard guard(mutex_);
  if (what != Unsynced::names)
    for (const auto& [id, dirty] : dirty_) PIMEMORY_TRY(revert_content(dirty));
  if (what != Unsynced::contents)
    for (std::size_t i = changes_.size(); i-- > 0;) PIMEMORY_TRY(revert_name(i));
  dirty_.clear();
  changes_.clear();
  return {};
}

}  // namespace pimemory
