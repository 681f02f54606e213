// What the tests of the workspace share: a home and checkouts in a scratch folder, and files written by hand.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "base/canonical_json.h"
#include "base/sha256.h"
#include "support/scratch.h"
#include "workspace/location.h"
#include "workspace/registry.h"
#include "workspace/workspace.h"

namespace pimemory {

inline void write_text(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline unsigned mode_of(const std::string& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

// Every regular file beneath `root` with its bytes.
inline std::map<std::string, std::string> all_files(const std::string& root) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.is_regular_file()) files[std::filesystem::relative(entry.path(), root)] = read_text(entry.path());
  return files;
}

class WorkspaceTest : public ::testing::Test {
 protected:
  // A new directory of the scratch folder.
  std::string make_directory(const std::string& name) {
    std::filesystem::create_directories(scratch_ / name);
    return scratch_ / name;
  }
  // The same with an ordinary `.git` directory.
  std::string make_repository(const std::string& name) {
    std::filesystem::create_directories(scratch_ / name + "/.git/worktrees");
    return scratch_ / name;
  }
  // A linked worktree `name` as git lays it out, of the repository whose common directory is `common`.
  std::string make_worktree(const std::string& name, const std::string& common) {
    const std::string root = make_directory(name);
    const std::string entry = common + "/worktrees/" + std::filesystem::path(name).filename().string();
    write_text(root + "/.git", "gitdir: " + entry + "\n");
    write_text(entry + "/commondir", "../..\n");
    write_text(entry + "/gitdir", root + "/.git\n");
    return root;
  }
  void write_legacy(const std::string& checkout, const std::string& id) {
    write_text(checkout + "/.prjct/prjct.config.json", nlohmann::json{{"projectId", id}}.dump());
  }
  // The legacy index with one row; `indent` -1 is compact.
  void write_index(const std::string& location, const std::string& id, int indent = -1) {
    nlohmann::ordered_json payload;
    payload["bindings"] = nlohmann::ordered_json::array();
    payload["bindings"].push_back({{"projectId", id}, {"location", location}});
    nlohmann::ordered_json document;
    document["schemaVersion"] = 1;
    document["revision"] = 1;
    document["contentHash"] = sha256_hex(payload.dump());
    document["payload"] = payload;
    write_text(home_ + "/identity/index.json", document.dump(indent));
  }
  Result<InitResult> init(const std::string& directory, const InitOptions& options = {}) {
    return Workspace(system_env(), home_).init(directory, options);
  }
  Registry registry() {
    auto read = read_registry(system_env(), home_);
    EXPECT_TRUE(read.has_value()) << read.error().message;
    return read ? *read : Registry{};
  }
  std::string database_of(const std::string& project_id) { return home_ + "/" + project_id + "/memory/memory.sqlite"; }

  ScratchFolder scratch_;
  std::string home_ = scratch_ / "home";
};

template <class T>
std::string code_of(const Result<T>& result) {
  return result ? "ok" : std::string(error_code_name(result.error().code));
}

}  // namespace pimemory
