// Paths are checked before the open and again after it, so that a swap in between is seen.
#include "workspace/store_door.h"

#include "workspace/location.h"
#include "workspace/path_guard.h"

namespace pimemory {
Result<std::string> real_home(FileSystem& files, const std::string& home) {
  PIMEMORY_ASSIGN(const FileInfo info, files.info(home));
  if (info.type == FileType::missing) return home;
  return files.real_path(home);
}

Result<std::unique_ptr<Authority>> open_store(Env& env, OpenOptions options) {
  PIMEMORY_ASSIGN(options.home, real_home(env.files, options.home));
  const std::string& home = options.home;
  const std::string database = join_path(authority_root(home, options.project_id), "memory.sqlite");
  PIMEMORY_TRY(guard_exclusive_database(env.files, home, options.project_id, database));
  auto authority = open_authority(env, options);
  if (!authority) return authority;
  PIMEMORY_TRY(guard_exclusive_database(env.files, home, options.project_id, database));
  return authority;
}

}  // namespace pimemory
