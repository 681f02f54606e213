// A real compact store in a scratch home with a clock that the test moves.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "engine/evidence.h"
#include "engine/memory_engine.h"
#include "support/scratch.h"

namespace pimemory {

inline constexpr TimeMs kTestNow = 1'780'000'000'000;
inline constexpr TimeMs kTestDay = 86'400'000;

class EngineTest : public ::testing::Test {
 protected:
  std::unique_ptr<MemoryEngine> open_engine() {
    auto authority = open_authority(env_, store_options(home_.path(), OpenIntent::create));
    EXPECT_TRUE(authority.has_value()) << (authority ? "" : authority.error().message);
    return authority ? std::make_unique<MemoryEngine>(env_, std::move(*authority)) : nullptr;
  }
  void SetUp() override {
    engine_ = open_engine();
    ASSERT_NE(engine_, nullptr);
  }

  EvidenceRef native(const std::string& output) {
    return *native_evidence(env_, "bash", "call-1", "test-session", output, clock_.now());
  }
  EvidenceRef declared(const std::string& quote) { return *user_evidence(env_, quote, "test-session", clock_.now()); }
  EvidenceRef reported(const std::string& text) { return *agent_evidence(env_, text, "test-session", clock_.now()); }

  FactInput input(const std::string& statement, std::vector<EvidenceRef> evidence = {}) {
    FactInput fact;
    fact.kind = "decision";
    fact.statement = statement;
    fact.evidence = std::move(evidence);
    return fact;
  }
  // Records and expects success; the id.
  std::string record(const FactInput& fact) {
    const auto result = engine_->record_fact(fact);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    if (!result) return "";
    EXPECT_EQ(result->status, "recorded") << result->reason;
    return result->id;
  }
  ResolveInput resolution(const std::string& id, const std::string& standing, std::vector<EvidenceRef> evidence = {}) {
    return ResolveInput{id, standing, "The check showed it", std::nullopt, std::move(evidence)};
  }
  SourceDocument document(const std::string& external_id, const std::string& text) {
    SourceDocument document;
    document.name_space = "document";
    document.external_id = external_id;
    document.source = "operator-indexed";
    document.kind = "document";
    document.text = text;
    document.observed_at = clock_.now();
    return document;
  }
  FactRow fact(const std::string& id) {
    return (*engine_->authority().snapshot())->domain().fact(id).value_or(FactRow{});
  }
  std::int64_t events() {
    std::int64_t count = 0;
    const auto snapshot = engine_->authority().snapshot();
    EXPECT_TRUE((*snapshot)->each_event([&](const MemoryEvent&) { return ++count > 0; }).has_value());
    return count;
  }
  static bool has_gap(const Gaps& gaps, const std::string& code) {
    for (const std::string& gap : gaps)
      if (gap.starts_with(code + ": ")) return true;
    return false;
  }
  template <class T>
  static ErrorCode code_of(const Result<T>& result) {
    return result ? ErrorCode::cancelled : result.error().code;
  }

  ScratchFolder home_;
  ManualClock clock_{kTestNow};
  Env env_{clock_, system_random(), system_files(), system_processes(), ""};
  std::unique_ptr<MemoryEngine> engine_;
};

}  // namespace pimemory
