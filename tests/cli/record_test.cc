// Who vouches: a piped record, a confirmed one, one that is not confirmed, and one under the agent's mark.
#include <gtest/gtest.h>

#include "cli/cli_process.h"

namespace pimemory {
namespace {

const std::vector<std::string> kRecord = {"record", "The payment service stores its ledger in Postgres.", "--kind",
                                          "decision"};

nlohmann::json only_item(const CliScene& scene) {
  const nlohmann::json items = scene.run({"list", "--json"}).json()["items"];
  EXPECT_EQ(items.size(), 1u) << items;
  return items.empty() ? nlohmann::json::object() : items[0];
}

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(CliRecord, PipedIsAnAgentReport) {
  const CliScene scene;
  scene.init();
  const CliResult result = scene.run(with(kRecord, {"--json"}), "y\n");
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_EQ(result.json()["status"], "ok");
  EXPECT_EQ(result.json()["standing"], "needs_review");
  EXPECT_EQ(result.out.find(kQuestion), std::string::npos);
  const nlohmann::json item = only_item(scene);
  EXPECT_EQ(item["standing"], "needs_review");
  EXPECT_EQ(item["provenance"], "agent_report");
  EXPECT_EQ(item["id"], result.json()["id"]);
}

TEST(CliRecord, ConfirmedAtATerminalIsDeclared) {
  const CliScene scene;
  scene.init();
  const CliResult result = scene.run_at_terminal(kRecord, kQuestion, "y\n");
  ASSERT_EQ(result.exit_code, 0) << result.out;
  EXPECT_LT(result.out.find("stores its ledger in Postgres"), result.out.find(kQuestion));
  const nlohmann::json item = only_item(scene);
  EXPECT_EQ(item["standing"], "supported");
  EXPECT_EQ(item["provenance"], "declared");
  const nlohmann::json fact = scene.run({"inspect", item["id"], "--json"}).json()["items"][0];
  ASSERT_EQ(fact["evidence"].size(), 1u) << fact;
  EXPECT_EQ(fact["evidence"][0]["origin"], "user_statement");
  EXPECT_EQ(fact["evidence"][0]["excerpt"], kRecord[1]);
}

TEST(CliRecord, AnyOtherAnswerIsAnUnconfirmedReport) {
  for (const char* answer : {"n\n", "\n", "yes\n", "\x04"}) {
    const CliScene scene;
    scene.init();
    const CliResult result = scene.run_at_terminal(kRecord, kQuestion, answer);
    ASSERT_EQ(result.exit_code, 0) << result.out;
    EXPECT_EQ(only_item(scene)["standing"], "needs_review");
  }
}

TEST(CliRecord, InterruptedAtTheQuestionRecordsNothing) {
  const CliScene scene;
  scene.init();
  EXPECT_EQ(scene.run_at_terminal(kRecord, kQuestion, "\x03").exit_code, 130);
  EXPECT_EQ(scene.run({"list", "--json"}).json()["items"].size(), 0u);
}

TEST(CliRecord, UnderTheMarkNobodyIsAsked) {
  for (const char* mark : {"PI_MEMORY_AGENT_SHELL=1", "PI_MEMORY_AGENT_SHELL=0", "PI_MEMORY_AGENT_SHELL="}) {
    const CliScene scene;
    scene.init();
    const CliResult result = scene.run_at_terminal(kRecord, kQuestion, "y\n", {mark});
    ASSERT_EQ(result.exit_code, 0) << result.out;
    EXPECT_EQ(result.out.find(kQuestion), std::string::npos) << mark;
    EXPECT_EQ(only_item(scene)["standing"], "needs_review");
    EXPECT_EQ(only_item(scene)["provenance"], "agent_report");
  }
}

TEST(CliRecord, ReadsTheStatementFromStdin) {
  const CliScene scene;
  scene.init();
  const CliResult result = scene.run({"record", "-", "--kind", "constraint"}, "Deployments never run on a Friday.\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(only_item(scene)["statement"], "Deployments never run on a Friday.");
  EXPECT_EQ(scene.run({"record", "-", "--kind", "fact"}, "").exit_code, 2);
  EXPECT_EQ(scene.run({"record", "-", "--kind", "fact"}, "caf\xe9\n").exit_code, 2);
}

TEST(CliRecord, FieldsReachTheFact) {
  const CliScene scene;
  scene.init();
  const CliResult result =
      scene.run(with(kRecord, {"--subject", "payment service", "--predicate", "stores its ledger in", "--object",
                               "Postgres", "--entity", "Postgres:database", "--entity", "std::chrono:library", "--tag",
                               "area=storage", "--confidence", "0.7", "--valid-at", "2026-01-01T00:00:00Z",
                               "--invalid-at", "2099-01-01T00:00:00+01:00", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.out;
  const nlohmann::json fact = scene.run({"inspect", result.json()["id"], "--json"}).json()["items"][0];
  EXPECT_EQ(fact["subject"], "payment service");
  EXPECT_EQ(fact["object"], "Postgres");
  EXPECT_EQ(fact["entities"].size(), 2u);
  EXPECT_EQ(fact["tags"]["area"], "storage");
  EXPECT_EQ(fact["confidence"], 0.7);
  EXPECT_EQ(fact["validAt"], "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(fact["invalidAt"], "2098-12-31T23:00:00.000Z");
}

TEST(CliRecord, MalformedPairsAreInvalid) {
  const CliScene scene;
  scene.init();
  for (const auto& pair : std::vector<std::vector<std::string>>{{"--entity", "Postgres"},
                                                                {"--entity", ":database"},
                                                                {"--tag", "storage"},
                                                                {"--tag", "=x"},
                                                                {"--confidence", "2"},
                                                                {"--confidence", "nan"}})
    EXPECT_EQ(scene.run(with(kRecord, pair)).exit_code, 2) << pair[0] << " " << pair[1];
  EXPECT_EQ(scene.run(with(kRecord, {"--tag", "a=1", "--tag", "a=2"})).exit_code, 2);
  EXPECT_EQ(scene.run({"list", "--json"}).json()["items"].size(), 0u);
}

TEST(CliRecord, DuplicateIsAnAnswer) {
  const CliScene scene;
  scene.init();
  const CliResult first = scene.run(with(kRecord, {"--json"}));
  const CliResult second = scene.run(with(kRecord, {"--json"}));
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_EQ(second.json()["status"], "abstained");
  EXPECT_EQ(second.json()["reason"], "duplicate");
  EXPECT_EQ(second.json()["existingId"], first.json()["id"]);
}

TEST(CliResolve, PersonClosesAFactAndAnAgentDoesNot) {
  const CliScene scene;
  scene.init();
  const std::string id = scene.run(with(kRecord, {"--json"})).json()["id"];
  const std::vector<std::string> resolve = {"resolve", id, "superseded", "--rationale",
                                            "The ledger of the payment service moved to SQLite."};
  const CliResult piped = scene.run(resolve, "y\n");
  EXPECT_EQ(piped.exit_code, 5);
  EXPECT_TRUE(piped.err.starts_with("pi-memory: evidence_required: ")) << piped.err;
  EXPECT_EQ(scene.run_at_terminal(resolve, kQuestion, "y\n", {"PI_MEMORY_AGENT_SHELL=1"}).exit_code, 5);
  EXPECT_EQ(only_item(scene)["standing"], "needs_review");

  const CliResult confirmed = scene.run_at_terminal(resolve, kQuestion, "y\n");
  ASSERT_EQ(confirmed.exit_code, 0) << confirmed.out;
  EXPECT_LT(confirmed.out.find("stores its ledger in Postgres"), confirmed.out.find(kQuestion));
  EXPECT_EQ(only_item(scene)["standing"], "superseded");
  EXPECT_TRUE(only_item(scene)["invalidAt"].is_string());
}

TEST(CliResolve, JsonAndUnknownFacts) {
  const CliScene scene;
  scene.init();
  const std::string id = scene.run(with(kRecord, {"--json"})).json()["id"];
  const CliResult result =
      scene.run({"resolve", id, "needs_review", "--rationale", "The owner has to look at the ledger.", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.out;
  EXPECT_EQ(result.json()["factId"], id);
  EXPECT_EQ(result.json()["standing"], "needs_review");
  EXPECT_TRUE(result.json()["invalidAt"].is_null());
  EXPECT_TRUE(result.json()["gaps"].is_array());
  EXPECT_EQ(scene.run({"resolve", "mem_00000000", "supported", "--rationale", "Because it is true."}).exit_code, 3);
}

}  // namespace
}  // namespace pimemory
