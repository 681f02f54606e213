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
                                                                {"--confidence", ""},
                                                                {"--confidence", "0x1"},
                                                                {"--confidence", " 0.5"},
                                                                {"--confidence", "-0"},
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

TEST(CliRecord, ThePersonSeesEveryField) {
  const CliScene scene;
  scene.init();
  const std::string old_id =
      scene.run({"record", "The ledger is a\u200b text file.", "--kind", "fact", "--json"}).json()["id"];
  const CliResult result = scene.run_at_terminal(with(kRecord, {"--subject",    "payment service",
                                                                "--predicate",  "stores its ledger in",
                                                                "--object",     "a database",
                                                                "--entity",     "Postgres:database",
                                                                "--tag",        "area=storage",
                                                                "--tag",        "owner=shop",
                                                                "--confidence", "0.7",
                                                                "--valid-at",   "2026-01-01T00:00:00Z",
                                                                "--invalid-at", "2099-01-01T00:00:00Z",
                                                                "--supersedes", old_id}),
                                                 kQuestion, "y\n");
  ASSERT_EQ(result.exit_code, 0) << result.out;
  const std::string shown = result.out.substr(0, result.out.find(kQuestion));
  for (const std::string& part :
       {std::string("decision"), kRecord[1], std::string("payment service"), std::string("predicate    stores its"),
        std::string("a database"), std::string("Postgres:database"), std::string("area=storage"),
        std::string("owner=shop"), std::string("0.7"), std::string("2026-01-01T00:00:00.000Z"),
        std::string("2099-01-01T00:00:00.000Z"), old_id + ": The ledger is a\\u{200b} text file."})
    EXPECT_NE(shown.find(part), std::string::npos) << part << "\n" << shown;
}

TEST(CliRecord, NothingHiddenIsVouchedFor) {
  const CliScene scene;
  scene.init();
  const std::string statement = "The payment service stores its ledger in Postgres.";
  const std::vector<std::pair<std::string, std::vector<std::string>>> wrong = {
      {"the statement holds U+001b", {"The ledger is \x1b[31mred\x1b[0m today.", "--kind", "fact"}},
      {"the statement holds U+000a", {"The ledger is red.\nsupersedes nothing", "--kind", "fact"}},
      {"--subject holds U+200b", {statement, "--kind", "fact", "--subject", "led\u200bger"}},
      {"--predicate holds U+00ad", {statement, "--kind", "fact", "--predicate", "sto\u00adres"}},
      {"--object holds U+202e", {statement, "--kind", "fact", "--object", "\u202esergtsoP"}},
      {"--entity holds U+2060", {statement, "--kind", "fact", "--entity", "Post\u2060gres:database"}},
      {"--tag holds U+e0041", {statement, "--kind", "fact", "--tag", "area=\U000e0041storage"}}};
  for (const auto& [message, arguments] : wrong) {
    const CliResult result = scene.run_at_terminal(with({"record"}, arguments), kQuestion, "y\n");
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_NE(result.out.find(message), std::string::npos) << message << "\n" << result.out;
    EXPECT_EQ(result.out.find(kQuestion), std::string::npos) << result.out;
  }
  EXPECT_EQ(scene.run({"list", "--json"}).json()["items"].size(), 0u);
}

TEST(CliRecord, WhatCannotBeRecordedIsNotAskedFor) {
  const CliScene scene;
  scene.init();
  const std::string id = scene.run(with(kRecord, {"--json"})).json()["id"];
  const std::string other = "The shop closes at noon on every Saturday.";
  const std::vector<std::pair<int, std::vector<std::string>>> wrong = {
      {0, kRecord},
      {2, {"record", other, "--kind", "bogus"}},
      {3, {"record", other, "--kind", "fact", "--supersedes", "mem_00000000"}},
      {2, {"record", other, "--kind", "fact", "--supersedes", id, "--supersedes", id}},
      {2, {"record", std::string(8'193, 'a'), "--kind", "fact"}},
      {2, {"record", other, "--kind", "fact", "--subject", std::string(513, 'a')}},
      {3, {"resolve", "mem_00000000", "superseded", "--rationale", "The ledger moved to SQLite."}},
      {3, {"resolve", id, "superseded", "--rationale", "The ledger moved.", "--replacement", "mem_00000000"}}};
  for (const auto& [code, arguments] : wrong) {
    const CliResult result = scene.run_at_terminal(arguments, kQuestion, "y\n");
    EXPECT_EQ(result.exit_code, code) << result.out;
    EXPECT_EQ(result.out.find(kQuestion), std::string::npos) << result.out;
  }
  EXPECT_EQ(only_item(scene)["standing"], "needs_review") << "no rehearsal leaves a trace";
  EXPECT_EQ(scene.run({"status", "--json"}).json()["facts"], 1);
}

TEST(CliRecord, BoundsNameTheField) {
  const CliScene scene;
  scene.init();
  const CliResult statement = scene.run({"record", std::string(8'193, 'a'), "--kind", "fact"});
  EXPECT_NE(statement.err.find("too_large: statement is 8193 bytes; the limit is 8192"), std::string::npos)
      << statement.err;
  const CliResult subject = scene.run(with(kRecord, {"--subject", std::string(513, 'a')}));
  EXPECT_NE(subject.err.find("--subject is 513 characters"), std::string::npos) << subject.err;
  const CliResult kind = scene.run({"record", kRecord[1], "--kind", "bogus"});
  EXPECT_NE(kind.err.find("--kind is \"bogus\"; it must be one of decision, "), std::string::npos) << kind.err;
  const CliResult dates =
      scene.run(with(kRecord, {"--valid-at", "2026-02-01T00:00:00Z", "--invalid-at", "2026-01-01T00:00:00Z"}));
  EXPECT_EQ(dates.exit_code, 2);
  EXPECT_NE(dates.err.find("--valid-at"), std::string::npos) << dates.err;
  const std::string id = scene.run(with(kRecord, {"--json"})).json()["id"];
  const CliResult rationale = scene.run({"resolve", id, "needs_review", "--rationale", std::string(4'097, 'a')});
  EXPECT_NE(rationale.err.find("--rationale is 4097 characters; the limit is 4096"), std::string::npos)
      << rationale.err;
}

TEST(CliRecord, AnOutputThatFailsDoesNotHideTheFact) {
  for (const char* sink : {">/dev/full", ">&-"})
    for (const char* form : {"", " --json"}) {
      const CliScene scene;
      scene.init();
      const CliResult result = scene.shell("\"$PI_MEMORY\" record 'The ledger is in Postgres.' --kind fact" +
                                           std::string(form) + " " + sink);
      EXPECT_EQ(result.exit_code, 1) << result.err;
      const std::string id = only_item(scene)["id"];
      EXPECT_NE(result.err.find("the fact was recorded as " + id + ", but the output could not be written"),
                std::string::npos)
          << sink << ": " << result.err;
      EXPECT_EQ(result.err.find("nothing was recorded"), std::string::npos) << result.err;
    }
}

TEST(CliRecord, AStdinThatCannotBeReadTellsWhy) {
  const CliScene scene;
  scene.init();
  const CliResult result = scene.shell("\"$PI_MEMORY\" record - --kind fact </");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("stdin cannot be read: Is a directory"), std::string::npos) << result.err;
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
