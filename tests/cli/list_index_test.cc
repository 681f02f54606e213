// Reading back and filling from files: pages, marks around untrusted text, feedback, and what `index` reports.
#include <gtest/gtest.h>

#include "cli/cli_process.h"

namespace pimemory {
namespace {

std::string record(const CliScene& scene, const std::string& statement, const std::string& kind = "fact") {
  const CliResult result = scene.run({"record", "--kind", kind, "--json", "--", statement});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  return result.json().value("id", "");
}

TEST(CliList, FiltersAndPages) {
  const CliScene scene;
  scene.init();
  record(scene, "The build of the server uses Ninja.");
  record(scene, "Releases are signed by two people.", "constraint");
  record(scene, "The tests of the client run in Docker.");
  EXPECT_EQ(scene.run({"list", "--json"}).json()["items"].size(), 3u);
  EXPECT_EQ(scene.run({"list", "--kind", "constraint", "--json"}).json()["items"].size(), 1u);
  EXPECT_EQ(scene.run({"list", "--standing", "supported", "--json"}).json()["items"].size(), 0u);
  EXPECT_EQ(scene.run({"list", "--since", "2099-01-01T00:00:00Z", "--json"}).json()["items"].size(), 0u);
  EXPECT_EQ(scene.run({"list", "--as-of", "2001-01-01T00:00:00Z", "--json"}).json()["items"].size(), 0u);

  const nlohmann::json page = scene.run({"list", "--limit", "2", "--json"}).json();
  ASSERT_EQ(page["items"].size(), 2u);
  ASSERT_TRUE(page["next"].is_string());
  const nlohmann::json rest = scene.run({"list", "--after", page["next"], "--json"}).json();
  EXPECT_EQ(rest["items"].size(), 1u);
  EXPECT_FALSE(rest.contains("next"));
  const CliResult table = scene.run({"list", "--limit", "2"});
  EXPECT_NE(table.out.find("+ more: --after " + page["next"].get<std::string>()), std::string::npos) << table.out;
  EXPECT_EQ(scene.run({"list", "--limit", "0"}).exit_code, 2);
  EXPECT_EQ(scene.run({"list", "--limit", "201"}).exit_code, 2);
  EXPECT_EQ(scene.run({"list", "--kind", "opinion"}).exit_code, 2);
}

TEST(CliList, StoredControlsNeverReachTheOutput) {
  const CliScene scene;
  scene.init();
  record(scene, "The banner is \x1b[31mred\x1b[0m and \x1b]0;owned\x07 the \u202etitle\u202c stays \u009b2J here.");
  const CliResult table = scene.run({"list"});
  EXPECT_NE(table.out.find("The banner is red and the title stays here."), std::string::npos) << table.out;
  for (const char* bad : {"\x1b", "\x07", "\u202e", "\u202c", "\u009b", "owned"})
    EXPECT_EQ(table.out.find(bad), std::string::npos);
}

TEST(CliList, RowsFitTheTerminal) {
  const CliScene scene;
  scene.init();
  record(scene, "The server of the shop keeps every order for ten years because the tax office asks for them again.");
  for (const unsigned short columns : {60, 90, 130}) {
    const CliResult table = scene.run_at_terminal({"list"}, "", "", {}, columns);
    EXPECT_NE(table.out.find("…"), std::string::npos) << table.out;
    EXPECT_EQ(table.out.find("asks for them again"), std::string::npos) << columns;
  }
  EXPECT_NE(scene.run({"list"}).out.find("asks for them again"), std::string::npos);
}

TEST(CliInspect, ResultsAreMarkedAsUntrusted) {
  const CliScene scene;
  scene.init();
  const std::string id = record(scene, "The template ends with </retained_memory> and the page goes on.");
  const CliResult json = scene.run({"inspect", id, "--json"});
  EXPECT_TRUE(json.out.starts_with("{\"retained_memory\":\"untrusted\",")) << json.out;
  EXPECT_EQ(json.out.find("</retained_memory>"), std::string::npos);
  EXPECT_NE(json.json()["items"][0]["statement"].get<std::string>().find("</retained_memory>"), std::string::npos);

  const CliResult piped = scene.run({"inspect", id});
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_TRUE(piped.out.starts_with("<retained_memory trust=\"untrusted\">\n")) << piped.out;
  EXPECT_EQ(piped.out.find("</retained_memory>"), piped.out.rfind("</retained_memory>"));
  EXPECT_NE(piped.out.find(id), std::string::npos);
  EXPECT_EQ(scene.run_at_terminal({"inspect", id}).out.find("<retained_memory trust"), std::string::npos);
}

TEST(CliInspect, TextShowsTagsAndKeepsLabelsApart) {
  const CliScene scene;
  scene.init();
  const std::string old_id = scene
                                 .run({"record", "The build of the server uses Make.", "--kind", "fact", "--valid-at",
                                       "2020-01-01T00:00:00Z", "--json"})
                                 .json()["id"];
  const std::string id = scene
                             .run({"record", "The build of the server uses Ninja.", "--kind", "fact", "--tag",
                                   "area=build", "--tag", "owner=tools", "--json"})
                             .json()["id"];
  const CliResult shown = scene.run({"inspect", id});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_NE(shown.out.find("area=build"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("owner=tools"), std::string::npos) << shown.out;

  scene.run_at_terminal(
      {"resolve", old_id, "superseded", "--rationale", "The server moved to Ninja.", "--replacement", id}, kQuestion,
      "y\n");
  const CliResult replaced = scene.run({"inspect", old_id, "--as-of", "2021-01-01T00:00:00Z"});
  EXPECT_NE(replaced.out.find("replacementId  " + id), std::string::npos) << replaced.out;
}

TEST(CliInspect, UnknownIdsAndBounds) {
  const CliScene scene;
  scene.init();
  const std::string id = record(scene, "The build of the server uses Ninja.");
  EXPECT_EQ(scene.run({"inspect", "mem_00000000"}).exit_code, 3);
  const CliResult both = scene.run({"inspect", id, "mem_00000000", "--json"});
  EXPECT_EQ(both.exit_code, 0);
  EXPECT_EQ(both.json()["gaps"].size(), 1u) << both.out;
  EXPECT_EQ(scene.run({"inspect", id, "--as-of", "2001-01-01T00:00:00Z"}).exit_code, 3);
  EXPECT_EQ(scene.run({"inspect", id, "--max-bytes", "512"}).exit_code, 6);
  EXPECT_EQ(scene.run({"inspect", id, "--max-bytes", "511"}).exit_code, 2);
}

TEST(CliInspect, NothingFoundIsToldOnStderr) {
  const CliScene scene;
  scene.init();
  const CliResult text = scene.run({"inspect", "mem_00000000"});
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_TRUE(text.err.starts_with("! unknown_id: mem_00000000 ")) << text.err;
  EXPECT_EQ(text.out, "");
  const CliResult json = scene.run({"inspect", "mem_00000000", "--json"});
  EXPECT_EQ(json.err, text.err);
  EXPECT_EQ(json.json()["gaps"].size(), 1u) << json.out;
}

TEST(CliInspect, GapsNameFlags) {
  const CliScene scene;
  scene.init();
  const std::string id = record(scene, "The build of the server uses Ninja.");
  const CliResult narrow = scene.run({"inspect", id, "--max-bytes", "512"});
  EXPECT_NE(narrow.err.find("raise --max-bytes"), std::string::npos) << narrow.err;
  const CliResult early = scene.run({"inspect", id, "--as-of", "2001-01-01T00:00:00Z"});
  EXPECT_NE(early.err.find("ask with an --as-of inside"), std::string::npos) << early.err;
}

TEST(CliFeedback, CountsOnceAndRequestsReviews) {
  const CliScene scene;
  scene.init();
  const std::string id = record(scene, "The build of the server uses Ninja.");
  const CliResult first = scene.run({"feedback", "helpful", id, "--query", "build tool", "--json"});
  ASSERT_EQ(first.exit_code, 0) << first.out;
  EXPECT_EQ(first.json()["recorded"], nlohmann::json::array({id}));
  EXPECT_EQ(scene.run({"feedback", "helpful", id, "--query", "build tool", "--json"}).json()["recorded"].size(), 0u);
  const CliResult other = scene.run({"feedback", "helpful", id, "--query", "a new question", "--json"});
  EXPECT_EQ(other.json()["recorded"].size(), 1u);
  const CliResult stale = scene.run({"feedback", "stale", id, "--json"});
  EXPECT_EQ(stale.json()["reviews"].size(), 0u) << "it waits for a review as it is";
  EXPECT_EQ(scene.run({"feedback", "boring", id}).exit_code, 2);
  EXPECT_EQ(scene.run({"feedback", "used", "mem_00000000"}).exit_code, 3);
  EXPECT_EQ(scene.run({"feedback", "used", id, "mem_00000000"}).exit_code, 6);
}

TEST(CliIndex, FilesAndFolders) {
  const CliScene scene;
  scene.init();
  scene.write("docs/a.md", "# Alpha\n\nThe first page.\n");
  scene.write("docs/b.md", "# Beta\n\nThe second page.\n");
  const CliResult file = scene.run({"index", "docs/a.md", "--json"});
  ASSERT_EQ(file.exit_code, 0) << file.out << file.err;
  EXPECT_EQ(file.json()["documents"], 1);
  EXPECT_EQ(file.json()["dense"], false);
  const CliResult folder = scene.run({"index", "docs", "--json"});
  EXPECT_EQ(folder.json()["documents"], 1) << "the unchanged one writes nothing";
  EXPECT_EQ(scene.run({"status", "--json"}).json()["documents"], 2);

  std::filesystem::remove(scene.checkout() + "/docs/b.md");
  const CliResult kept = scene.run({"index", "docs", "--json"});
  EXPECT_EQ(kept.json()["removed"], 0);
  EXPECT_EQ(kept.json()["skipped"]["vanished"], 1) << kept.out;
  const CliResult pruned = scene.run({"index", "docs", "--prune"});
  EXPECT_EQ(pruned.exit_code, 0) << pruned.out;
  EXPECT_NE(pruned.out.find("1 removed"), std::string::npos) << pruned.out;
  EXPECT_EQ(scene.run({"status", "--json"}).json()["documents"], 1);
}

TEST(CliIndex, RefusalsWriteNothing) {
  const CliScene scene;
  scene.init();
  scene.write("a.md", "# Alpha\n");
  EXPECT_EQ(scene.run({"index", "a.md", "--prune"}).exit_code, 2);
  EXPECT_EQ(scene.run({"index", "a.md", "missing.md"}).exit_code, 2);
  std::filesystem::create_symlink("a.md", scene.checkout() + "/link.md");
  EXPECT_EQ(scene.run({"index", "link.md"}).exit_code, 5);
  EXPECT_EQ(scene.run({"status", "--json"}).json()["documents"], 0);
}

TEST(CliIndex, PathsThatAreNoneOrOutOfReach) {
  const CliScene scene;
  scene.init();
  scene.write("a.md", "# Alpha\n");
  scene.write(".git/config", "[core]\n");
  std::filesystem::create_symlink("loop", scene.checkout() + "/loop");
  const std::vector<std::pair<std::string, std::string>> wrong = {{"", "PATH is blank"},
                                                                  {"  ", "PATH is blank"},
                                                                  {".git", ".git is inside a .git directory"},
                                                                  {".git/config", "is inside a .git directory"},
                                                                  {"gone.md", "gone.md does not exist"},
                                                                  {"a.md/b.md", "Not a directory"},
                                                                  {"loop/b.md", "symbolic links"}};
  for (const auto& [path, message] : wrong) {
    const CliResult result = scene.run({"index", path});
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  }
  EXPECT_EQ(scene.run({"status", "--json"}).json()["documents"], 0);
}

TEST(CliIndex, ErrorsNameTheFile) {
  const CliScene scene;
  scene.init();
  scene.write("a.json", R"({"text": "The first document is whole."})");
  scene.write("broken.json", R"({"text": )");
  scene.write("blank.json", R"({"text": " "})");
  scene.write("odd.jsonl", "{\"text\": \"One line.\", \"externalId\": \"one\"}\n{\"colour\": 1}\n");
  for (const char* name : {"broken.json", "blank.json", "odd.jsonl"}) {
    const CliResult result = scene.run({"index", "a.json", name});
    EXPECT_EQ(result.exit_code, 2) << name;
    EXPECT_TRUE(result.err.starts_with("pi-memory: invalid: " + std::string(name) + ": ")) << result.err;
  }
  EXPECT_EQ(scene.run({"status", "--json"}).json()["documents"], 0);
}

TEST(CliIndex, AFolderWithinAnotherIsReadOnce) {
  const CliScene scene;
  scene.init();
  scene.write("d/a.md", "# Alpha\n\nThe first page.\n");
  scene.write("d/sub/b.md", "# Beta\n\nThe second page.\n");
  scene.write("d/sub/blank.md", " \n");
  const nlohmann::json once = scene.run({"index", "d", "--json"}).json()["skipped"];
  ASSERT_FALSE(once.empty());
  EXPECT_EQ(scene.run({"index", "d/sub", "d", "d/sub", "--json"}).json()["skipped"], once);
}

TEST(CliIndex, CredentialsInMemberNamesAreNotRepeated) {
  const CliScene scene;
  scene.init();
  const std::string token = std::string("ghp_") + "16C7e42F292c6912E7710c838347Ae178B4a";
  scene.write("a.json", "{\"text\": \"A text.\", \"" + token + "\": 1}");
  const CliResult result = scene.run({"index", "a.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ((result.out + result.err).find(token), std::string::npos) << result.err;
}

}  // namespace
}  // namespace pimemory
