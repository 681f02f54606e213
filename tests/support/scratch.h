// Scratch homes for tests: a private temporary folder that goes away with the test, and shorthands for stores in it.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/env.h"
#include "storage/authority.h"

namespace pimemory {

inline constexpr char kTestProject[] = "p_0123456789ab";

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pi-memory-test-XXXXXX").string();
    path_ = std::filesystem::canonical(mkdtemp(pattern.data())).string();
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline OpenOptions store_options(const std::string& home, OpenIntent intent) {
  return OpenOptions{home, kTestProject, "test-session", intent, Layout::automatic};
}

}  // namespace pimemory
