// The registry's format and its refusals: a damaged file is an error, never a reason to infer or recreate.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workspace/workspace_fixture.h"

namespace pimemory {
namespace {

using nlohmann::json;

Binding memory_binding(const std::string& location) {
  return {location, derived_project_id(location), derived_checkout_id(location), "memory", 1'780'000'000'000};
}

Registry one_row(const std::string& location) {
  Registry registry;
  registry.revision = 1;
  registry.rows.push_back({memory_binding(location), json::object()});
  return registry;
}

// The document with a right checksum for whatever its payload is.
std::string sealed(json document) {
  document["contentHash"] = *canonical_hash(document["payload"]);
  return document.dump();
}

class RegistryFile : public WorkspaceTest {
 protected:
  std::string code_of_text(const std::string& text) {
    write_text(registry_path(home_), text);
    const std::string code = code_of(read_registry(system_env(), home_));
    EXPECT_EQ(read_text(registry_path(home_)), text) << "reading leaves the file untouched";
    return code;
  }
};

TEST_F(RegistryFile, MissingHomeHasNoBindingsAndStaysAbsent) {
  EXPECT_TRUE(registry().rows.empty());
  EXPECT_FALSE(std::filesystem::exists(home_));
}

TEST_F(RegistryFile, WritesSortedIndentedAndCounted) {
  auto lock = lock_registry(system_env(), home_);
  ASSERT_TRUE(lock.has_value()) << lock.error().message;
  Registry content;
  for (const char* location : {"/b", "/a", "/proyectos/año"})
    content.rows.push_back({memory_binding(location), json::object()});
  ASSERT_EQ(code_of(write_registry(system_env(), home_, content)), "ok");
  EXPECT_EQ(content.revision, 1);
  const std::string text = read_text(registry_path(home_));
  EXPECT_TRUE(text.starts_with("{\n  \"schemaVersion\": 1,\n  \"revision\": 1,\n  \"contentHash\": \"")) << text;
  EXPECT_TRUE(text.ends_with("}\n"));
  EXPECT_LT(text.find("\"/a\""), text.find("\"/b\""));
  EXPECT_LT(text.find("\"/b\""), text.find("\"/proyectos/año\""));
  EXPECT_EQ(mode_of(registry_directory(home_)), 0700u);
  EXPECT_EQ(mode_of(registry_path(home_)), 0600u);
  EXPECT_EQ(mode_of(registry_directory(home_) + "/projects.lock"), 0600u);
  EXPECT_EQ(read_text(registry_directory(home_) + "/projects.lock"), "");

  ASSERT_EQ(code_of(write_registry(system_env(), home_, content)), "ok");
  EXPECT_EQ(registry().revision, 2);
  EXPECT_EQ(registry().rows.size(), 3u);
}

TEST_F(RegistryFile, UnknownMembersAndSpellingSurvive) {
  const json document = json::parse(*format_registry(one_row("/a")));
  json changed = document;
  changed["payload"]["bindings"][0]["note"] = {{"kept", true}};
  changed["payload"]["bindings"][0]["createdAt"] = "2025-06-01T11:00:00+02:00";
  changed["payload"]["later"] = 7;
  write_text(registry_path(home_), sealed(changed));
  auto lock = lock_registry(system_env(), home_);
  Registry content = registry();
  ASSERT_EQ(content.rows.size(), 1u);
  ASSERT_EQ(code_of(write_registry(system_env(), home_, content)), "ok");
  const json written = json::parse(read_text(registry_path(home_)));
  EXPECT_EQ(written["payload"], changed["payload"]);
}

TEST_F(RegistryFile, AcceptsAnyLayoutAndOrder) {
  Registry content = one_row("/b");
  content.rows.push_back({memory_binding("/a"), json::object()});
  json document = json::parse(*format_registry(content));
  std::reverse(document["payload"]["bindings"].begin(), document["payload"]["bindings"].end());
  EXPECT_EQ(code_of_text(sealed(document)), "ok");
  EXPECT_EQ(code_of_text("\n\t" + json::parse(sealed(document)).dump(7) + " \n"), "ok");
}

TEST_F(RegistryFile, DefectsAreCorruptAndUntouched) {
  const std::string good = *format_registry(one_row("/src/app"));
  ASSERT_EQ(code_of_text(good), "ok");
  std::string flipped = good;
  flipped[flipped.find("2026")] = '3';
  EXPECT_EQ(code_of_text(flipped), "registry_corrupt") << "changed payload byte";
  std::string doubled = good;
  doubled.replace(doubled.find("\"revision\": 1,"), 14, "\"revision\": 1, \"revision\": 1,");
  EXPECT_EQ(code_of_text(doubled), "registry_corrupt") << "duplicate key";
  EXPECT_EQ(code_of_text(""), "registry_corrupt");
  EXPECT_EQ(code_of_text(good.substr(0, good.size() / 2)), "registry_corrupt");
  EXPECT_EQ(code_of_text(good + "\xff"), "registry_corrupt") << "invalid UTF-8";

  const auto with = [&](const std::function<void(json&)>& change) {
    json document = json::parse(good);
    change(document);
    return code_of_text(sealed(document));
  };
  const auto row = [](json& document) -> json& { return document["payload"]["bindings"][0]; };
  EXPECT_EQ(with([](json&) {}), "ok");
  EXPECT_EQ(with([&](json& d) { d["schemaVersion"] = 2; }), "registry_corrupt");
  EXPECT_EQ(with([&](json& d) { d["revision"] = 0; }), "registry_corrupt");
  EXPECT_EQ(with([&](json& d) { d["revision"] = 9007199254740992; }), "registry_corrupt");
  EXPECT_EQ(with([&](json& d) { row(d)["location"] = "src/app"; }), "registry_corrupt") << "relative";
  EXPECT_EQ(with([&](json& d) { row(d)["location"] = "/src/../app"; }), "registry_corrupt") << "not normalised";
  EXPECT_EQ(with([&](json& d) { row(d)["projectId"] = "p_0123456789ab"; }), "registry_corrupt") << "foreign id";
  EXPECT_EQ(with([&](json& d) { row(d)["checkoutId"] = "co_0123456789ab"; }), "registry_corrupt");
  EXPECT_EQ(with([&](json& d) { row(d)["source"] = "guessed"; }), "registry_corrupt");
  EXPECT_EQ(with([&](json& d) { row(d)["createdAt"] = "2025-06-01"; }), "registry_corrupt");
  EXPECT_EQ(with([&](json& d) { row(d).erase("source"); }), "registry_corrupt");
  EXPECT_EQ(with([&](json& d) { d["payload"]["bindings"].push_back(row(d)); }), "registry_corrupt") << "twice";
  EXPECT_EQ(with([&](json& d) { d["payload"]["bindings"].push_back(7); }), "registry_corrupt");
  EXPECT_EQ(with([&](json& d) {
              row(d)["source"] = "joined";
              row(d)["projectId"] = "p_another";
            }),
            "ok");
}

TEST_F(RegistryFile, OneByteOverTheBoundIsRefused) {
  std::string text = *format_registry(one_row("/a"));
  text.resize(kMaxRegistryBytes, ' ');
  EXPECT_EQ(code_of_text(text), "ok");
  EXPECT_EQ(code_of_text(text + " "), "registry_full");
  Registry large;
  for (int i = 0; i < 4000; ++i)
    large.rows.push_back({memory_binding("/long/" + std::to_string(i) + std::string(100, 'x')), json::object()});
  large.revision = 1;
  EXPECT_EQ(code_of(format_registry(large)), "registry_full");
}

TEST_F(RegistryFile, LinksAreUnsafe) {
  ASSERT_EQ(code_of(lock_registry(system_env(), home_)), "ok");
  const std::string elsewhere = make_directory("elsewhere");
  write_text(elsewhere + "/projects.json", *format_registry(one_row("/a")));
  write_text(elsewhere + "/projects.lock", "");
  const std::string file = registry_path(home_), lock = registry_directory(home_) + "/projects.lock";
  std::filesystem::create_symlink(elsewhere + "/projects.json", file);
  EXPECT_EQ(code_of(read_registry(system_env(), home_)), "unsafe_path");
  std::filesystem::remove(file);
  std::filesystem::remove(lock);
  std::filesystem::create_symlink(elsewhere + "/projects.lock", lock);
  EXPECT_EQ(code_of(lock_registry(system_env(), home_)), "unsafe_path");
  std::filesystem::remove_all(registry_directory(home_));
  std::filesystem::create_symlink(elsewhere, registry_directory(home_));
  EXPECT_EQ(code_of(read_registry(system_env(), home_)), "unsafe_path");
  EXPECT_EQ(code_of(lock_registry(system_env(), home_)), "unsafe_path");
  EXPECT_EQ(all_files(elsewhere).size(), 2u);
}

TEST_F(RegistryFile, WritersTightenModes) {
  std::filesystem::create_directories(registry_directory(home_));
  ASSERT_EQ(chmod(home_.c_str(), 0775), 0);
  ASSERT_EQ(chmod(registry_directory(home_).c_str(), 0755), 0);
  ASSERT_EQ(code_of(lock_registry(system_env(), home_)), "ok");
  EXPECT_EQ(mode_of(home_), 0755u);
  EXPECT_EQ(mode_of(registry_directory(home_)), 0700u);
}

TEST_F(RegistryFile, LockExcludesOthersAndDiesWithItsHolder) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto lock = lock_registry(system_env(), home_);
    if (write(ends[1], lock ? "y" : "n", 1) != 1) _exit(9);
    pause();
    _exit(0);
  }
  char held = 'n';
  ASSERT_EQ(read(ends[0], &held, 1), 1);
  close(ends[0]);
  close(ends[1]);
  ASSERT_EQ(held, 'y');
  EXPECT_EQ(code_of(lock_registry(system_env(), home_, 20)), "registry_busy");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(code_of(lock_registry(system_env(), home_)), "ok");
}

}  // namespace
}  // namespace pimemory
