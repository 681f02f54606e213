// What every verb shares: version, help, usage errors, the shape of errors, no trace where nothing is bound.
#include <gtest/gtest.h>

#include "cli/cli_process.h"

namespace pimemory {
namespace {

TEST(CliUsage, VersionInEveryPlace) {
  const CliScene scene;
  const CliResult version = scene.run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("pi-memory ")) << version.out;
  EXPECT_EQ(scene.run({"list", "--version"}).out, version.out);
  EXPECT_EQ("pi-memory " + scene.run({"--json", "--version"}).json()["version"].get<std::string>() + "\n", version.out);
  EXPECT_FALSE(scene.home_exists());
}

TEST(CliUsage, HelpNamesVerbsAndEachVerbHasAnExample) {
  const CliScene scene;
  const CliResult help = scene.run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* verb : {"init", "status", "list", "record", "resolve", "inspect", "feedback", "index"}) {
    EXPECT_NE(help.out.find(verb), std::string::npos) << verb;
    const CliResult own = scene.run({verb, "--help"});
    EXPECT_EQ(own.exit_code, 0) << verb;
    EXPECT_NE(own.out.find("Example:"), std::string::npos) << verb;
  }
}

TEST(CliUsage, UsageErrorsAreOneLineAndExitTwo) {
  const CliScene scene;
  const std::vector<std::vector<std::string>> wrong = {{},
                                                       {"unknown-verb"},
                                                       {"list", "--no-such-flag"},
                                                       {"list", "--limit", "many"},
                                                       {"record", "A statement without its kind."},
                                                       {"resolve", "mem_x"},
                                                       {"inspect"},
                                                       {"init", "--join", "--set-aside"},
                                                       {"record", "one", "two", "--kind", "fact"}};
  for (const std::vector<std::string>& arguments : wrong) {
    const CliResult result = scene.run(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_TRUE(result.err.starts_with("pi-memory: invalid: ")) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_FALSE(scene.home_exists());
}

TEST(CliUsage, ErrorsAsJsonHaveFourMembers) {
  const CliScene scene;
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"list", "--json"}, {"nonsense", "--json"}}) {
    const CliResult result = scene.run(arguments);
    const nlohmann::json error = result.json()["error"];
    ASSERT_TRUE(error.is_object()) << result.out;
    EXPECT_EQ(error.size(), 4u);
    EXPECT_TRUE(error["code"].is_string() && error["message"].is_string() && error["hint"].is_string());
    EXPECT_EQ(error["retry"], false);
    EXPECT_EQ(result.err, "");
  }
}

TEST(CliUsage, ParserMessagesArePlainSentences) {
  const CliScene scene;
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"list", "--limit", "1.5"}, "--limit is \"1.5\"; it must be a whole number from 1 to 200"},
      {{"list", "--limit", "5", "--limit", "6"}, "--limit was given more than once"},
      {{"list", "--limit"}, "--limit needs a value"},
      {{"list", "--json=maybe"}, "--json takes no value"},
      {{"inspect", "mem_00000000", "--max-bytes", "0x400"}, "--max-bytes is \"0x400\"; it must be a whole number"},
      {{"list", "--no-such-flag"}, "there is no option \"--no-such-flag\""},
      {{"record", "one", "two", "--kind", "fact"}, "\"two\" is one argument too many"},
      {{"record", "A statement without its kind."}, "--kind is missing"},
      {{"init", "--join", "--set-aside"}, "exclude each other"},
      {{"list", "--kind", "opinion"}, "--kind is \"opinion\"; it must be one of decision, fact, constraint"},
      {{"list", "--standing", "good"}, "--standing is \"good\"; it must be one of candidate, supported"},
      {{"resolve", "mem_00000000", "fine", "--rationale", "why"}, "STANDING is \"fine\"; it must be one of supported"},
      {{"feedback", "boring", "mem_00000000"}, "SIGNAL is \"boring\"; it must be one of used, helpful"}};
  for (const auto& [arguments, message] : wrong) {
    CliResult result = scene.run(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find(message), std::string::npos) << message << "\n" << result.err + result.out;
    if (result.err.empty()) continue;
    EXPECT_NE(result.err.find("see `pi-memory " + arguments[0] + " --help`"), std::string::npos) << result.err;
  }
}

TEST(CliUsage, HelpAsJson) {
  const CliScene scene;
  const CliResult all = scene.run({"--json", "--help"});
  EXPECT_EQ(all.exit_code, 0);
  ASSERT_TRUE(all.json()["help"].is_string()) << all.out;
  EXPECT_EQ(all.json().size(), 1u);
  EXPECT_NE(all.json()["help"].get<std::string>().find("Exit codes:"), std::string::npos);
  const CliResult one = scene.run({"record", "--help", "--json"});
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_EQ(one.json()["help"], scene.run({"record", "--help"}).out);
}

TEST(CliUsage, CredentialsAreNotRepeatedInErrors) {
  const CliScene scene;
  scene.init();
  const std::string token = std::string("ghp_") + "16C7e42F292c6912E7710c838347Ae178B4a";
  const std::vector<std::vector<std::string>> wrong = {
      {token},
      {"list", "--" + token},
      {"list", "--kind", token},
      {"list", "--limit", token},
      {"list", "--since", token},
      {"list", "--after", token},
      {"inspect", token},
      {"resolve", token, "supported", "--rationale", "The owner looked at it."},
      {"record", "The build uses Ninja.", "--kind", "fact", "--tag", token},
      {"record", "The build uses Ninja.", "--kind", "fact", "--entity", token},
      {"feedback", "used", token},
      {"index", token}};
  for (const std::vector<std::string>& arguments : wrong)
    for (const bool json : {false, true}) {
      std::vector<std::string> full = arguments;
      if (json) full.insert(full.begin(), "--json");
      const CliResult result = scene.run(full);
      EXPECT_NE(result.exit_code, 0) << arguments[0];
      EXPECT_EQ((result.out + result.err).find(token), std::string::npos) << result.out << result.err;
    }
}

TEST(CliUsage, AHomeThatIsNoDirectory) {
  const CliScene scene;
  for (const char* home : {"/dev/null", "/dev/null/home"})
    for (const char* verb : {"init", "status", "list"}) {
      const CliResult result = scene.run({"--home", home, verb});
      EXPECT_EQ(result.exit_code, 5) << verb;
      EXPECT_TRUE(result.err.starts_with("pi-memory: unsafe_path: the home /dev/null")) << result.err;
      EXPECT_NE(result.err.find("name a directory with --home or PI_MEMORY_HOME"), std::string::npos) << result.err;
    }
}

TEST(CliUsage, ArgumentsMustBeUtf8) {
  const CliScene scene;
  const CliResult result = scene.run({"record", "caf\xe9", "--kind", "fact"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("argument 2 is not valid UTF-8"), std::string::npos) << result.err;
}

TEST(CliUsage, UnboundDirectoryExitsThreeAndCreatesNothing) {
  const CliScene scene;
  scene.write("notes.md", "# Notes\n");
  const std::vector<std::vector<std::string>> verbs = {{"status"},
                                                       {"list"},
                                                       {"record", "The build uses Ninja.", "--kind", "fact"},
                                                       {"resolve", "mem_12345678", "supported", "--rationale", "why"},
                                                       {"inspect", "mem_12345678"},
                                                       {"feedback", "used", "mem_12345678"},
                                                       {"index", "notes.md"}};
  for (const std::vector<std::string>& arguments : verbs) {
    const CliResult result = scene.run(arguments);
    EXPECT_EQ(result.exit_code, 3) << arguments[0] << ": " << result.err;
    const bool is_error = result.err.starts_with("pi-memory: project_not_initialized: ");
    EXPECT_EQ(is_error, arguments[0] != "status") << result.err;
  }
  EXPECT_EQ(scene.run({"status", "--json"}).json()["state"], "unbound");
  EXPECT_FALSE(scene.home_exists());
}

TEST(CliUsage, MalformedTimesNameTheirFlag) {
  const CliScene scene;
  scene.init();
  const std::vector<std::pair<std::string, std::vector<std::string>>> wrong = {
      {"--since", {"list", "--since", "yesterday"}},
      {"--as-of", {"list", "--as-of", "2026-01-01"}},
      {"--as-of", {"inspect", "mem_12345678", "--as-of", "2026-01-01T00:00:00"}},
      {"--valid-at", {"record", "The build uses Ninja.", "--kind", "fact", "--valid-at", "soon"}},
      {"--invalid-at", {"record", "The build uses Ninja.", "--kind", "fact", "--invalid-at", "2026-02-30T00:00:00Z"}}};
  for (const auto& [flag, arguments] : wrong) {
    const CliResult result = scene.run(arguments);
    EXPECT_EQ(result.exit_code, 2) << flag;
    EXPECT_TRUE(result.err.starts_with("pi-memory: invalid: " + flag + " ")) << result.err;
  }
}

TEST(CliUsage, InitThenStatus) {
  const CliScene scene;
  const CliResult first = scene.run({"init", "--json"});
  ASSERT_EQ(first.exit_code, 0) << first.out << first.err;
  EXPECT_EQ(first.json()["status"], "ready");
  EXPECT_EQ(first.json()["created"], true);
  EXPECT_EQ(first.json()["location"], scene.checkout());
  const CliResult second = scene.run({"init", "--json"});
  EXPECT_EQ(second.json()["created"], false);
  EXPECT_EQ(second.json()["projectId"], first.json()["projectId"]);
  const nlohmann::json status = scene.run({"status", "--json"}).json();
  EXPECT_EQ(status["state"], "ready");
  EXPECT_EQ(status["facts"], 0);
  EXPECT_EQ(status["projectId"], first.json()["projectId"]);
  const CliResult card = scene.run({"status"});
  EXPECT_EQ(card.exit_code, 0);
  EXPECT_TRUE(card.out.starts_with("memory · status · ready\n")) << card.out;
}

TEST(CliUsage, HomeFlagOutranksTheEnvironment) {
  const CliScene scene;
  const std::string other = scene.checkout() + "-home";
  EXPECT_EQ(scene.run({"init", "--home", other}).exit_code, 0);
  EXPECT_FALSE(scene.home_exists());
  EXPECT_EQ(scene.run({"--home", other, "status"}).exit_code, 0);
  EXPECT_EQ(scene.run({"status"}).exit_code, 3);
}

}  // namespace
}  // namespace pimemory
