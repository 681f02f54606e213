// Which home is used: one precedence for the command line, the service and every library call.
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "workspace/workspace.h"

namespace pimemory {
namespace {

constexpr std::size_t kPasswdBufferBytes = 16 * 1024;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// HOME, else the entry of the user database.
std::string user_directory() {
  if (std::string home = environment("HOME"); !home.empty()) return home;
  std::vector<char> buffer(kPasswdBufferBytes);
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return {};
  return found->pw_dir ? found->pw_dir : "";
}

}  // namespace

Result<std::string> resolve_home(const std::optional<std::string>& explicit_home) {
  std::string chosen = explicit_home.value_or("");
  if (chosen.empty()) chosen = environment("PI_MEMORY_HOME");
  if (chosen.empty()) chosen = environment("PRJCT_HOME");
  if (chosen.empty()) {
    const std::string user = user_directory();
    if (user.empty())
      return fail(ErrorCode::invalid, "there is no home directory: HOME is unset and the user has no entry",
                  "name the home with --home or PI_MEMORY_HOME");
    chosen = user + "/.prjct";
  }
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(chosen, error);
  if (error) return fail(ErrorCode::io, "cannot make " + chosen + " absolute: " + error.message());
  std::string home = absolute.lexically_normal().string();
  while (home.size() > 1 && home.ends_with('/')) home.pop_back();
  return home;
}

}  // namespace pimemory
