// Real SIGKILLs at random moments of writes, and many writers at once: no acknowledged write is lost, none is doubled,
// and nothing blocks the next open.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>

#include "support/payloads.h"
#include "support/scratch.h"

namespace pimemory {
namespace {

int kills_of_tier() {
  const char* tier = std::getenv("PIMEMORY_TEST_TIER");
  return tier && std::string(tier) != "default" ? 1000 : 200;
}

Status record(Authority& authority, const std::string& id) {
  auto done = authority.transaction(system_clock().now(), Repeatable::yes, [&](Draft& draft) -> Status {
    PIMEMORY_TRY(draft.append(fact_payload(make_fact(id, "Statement of " + id, draft.recorded_at()))));
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return {};
}

std::string fact_id(int writer, int number) {
  char id[40];
  std::snprintf(id, sizeof id, "mem_w%04dn%06d", writer, number);
  return id;
}

TEST(KillNine, EveryAcknowledgedWriteSurvives) {
  const int kills = kills_of_tier();
  std::mt19937 random(20261130);
  std::set<std::string> acknowledged;
  int rounds = 0;
  auto home = std::make_unique<ScratchFolder>();
  for (int round = 0; round < kills; ++round) {
    // A compact store is bounded: a full one makes place for a new one.
    if (round % 50 == 0) {
      home = std::make_unique<ScratchFolder>();
      acknowledged.clear();
      ASSERT_TRUE(open_authority(system_env(), store_options(home->path(), OpenIntent::create)).has_value());
    }
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      auto opened = open_authority(system_env(), store_options(home->path(), OpenIntent::write));
      for (int i = 0; opened && i < 6; ++i)
        if (record(**opened, fact_id(round, i)) && write(ends[1], &i, sizeof i) != sizeof i) _exit(9);
      pause();
      _exit(0);
    }
    close(ends[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    int number = 0;
    while (read(ends[0], &number, sizeof number) == sizeof number) acknowledged.insert(fact_id(round, number));
    close(ends[0]);

    auto opened = open_authority(system_env(), store_options(home->path(), OpenIntent::write));
    ASSERT_TRUE(opened.has_value()) << "round " << round << ": " << opened.error().message;
    auto snapshot = *(*opened)->snapshot();
    for (const std::string& id : acknowledged)
      ASSERT_TRUE(snapshot->domain().fact(id).has_value()) << "round " << round << " lost " << id;
    if (round % 10 == 0) {
      auto report = (*opened)->verify();
      ASSERT_TRUE(report.has_value());
      ASSERT_TRUE(report->findings.empty()) << report->findings.front();
    }
    ++rounds;
  }
  std::printf("kills: %d\n", rounds);
  EXPECT_EQ(rounds, kills);
}

TEST(ManyWriters, EightWritersLoseNoUpdate) {
  constexpr int kWriters = 8;
  constexpr int kFactsPerWriterMax = 40;  // what a compact store holds beside its history
  constexpr auto kDuration = std::chrono::seconds(20);
  ScratchFolder home;
  ASSERT_TRUE(open_authority(system_env(), store_options(home.path(), OpenIntent::create)).has_value());
  struct Report {
    int writer, facts, counts, busy, other;
  };
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  for (int writer = 0; writer < kWriters; ++writer) {
    if (fork() != 0) continue;
    Report report{writer, 0, 0, 0, 0};
    auto opened = open_authority(system_env(), store_options(home.path(), OpenIntent::write));
    const auto end = std::chrono::steady_clock::now() + kDuration;
    while (opened && std::chrono::steady_clock::now() < end) {
      const bool fact = report.facts < kFactsPerWriterMax && report.counts % 8 == 0;
      Status done;
      if (fact && (done = record(**opened, fact_id(writer, report.facts)))) {
        ++report.facts;
      } else if (!fact) {
        auto counted = (*opened)->transaction(system_clock().now(), Repeatable::yes,
                                              [](Draft& draft) { return draft.count_activity(1, 0, 0); });
        if (counted)
          ++report.counts;
        else
          done = std::unexpected(counted.error());
      }
      if (fact && done) {
        auto counted = (*opened)->transaction(system_clock().now(), Repeatable::yes,
                                              [](Draft& draft) { return draft.count_activity(1, 0, 0); });
        if (counted) ++report.counts;
      }
      if (!done)
        ++(done.error().code == ErrorCode::busy || done.error().code == ErrorCode::stale ? report.busy : report.other);
    }
    if (!opened) report.other = 1000;
    if (write(ends[1], &report, sizeof report) != sizeof report) _exit(9);
    _exit(0);
  }
  close(ends[1]);
  std::vector<Report> reports;
  Report report{};
  while (read(ends[0], &report, sizeof report) == sizeof report) reports.push_back(report);
  close(ends[0]);
  while (waitpid(-1, nullptr, 0) > 0) {
  }
  ASSERT_EQ(reports.size(), static_cast<std::size_t>(kWriters));

  auto opened = open_authority(system_env(), store_options(home.path(), OpenIntent::read));
  ASSERT_TRUE(opened.has_value());
  auto snapshot = *(*opened)->snapshot();
  std::int64_t turns = 0;
  for (const Report& one : reports) {
    EXPECT_EQ(one.other, 0) << "only busy and stale are allowed";
    turns += one.counts;
    for (int i = 0; i < one.facts; ++i)
      EXPECT_TRUE(snapshot->domain().fact(fact_id(one.writer, i)).has_value()) << "lost " << fact_id(one.writer, i);
    std::printf("writer %d: %d facts, %d counts, %d busy\n", one.writer, one.facts, one.counts, one.busy);
  }
  EXPECT_EQ(snapshot->activity().turns, turns);
  const auto [least, most] = std::minmax_element(reports.begin(), reports.end(), [](const Report& a, const Report& b) {
    return a.facts + a.counts < b.facts + b.counts;
  });
  std::printf("fairness: least %d, most %d writes\n", least->facts + least->counts, most->facts + most->counts);
  EXPECT_TRUE((*opened)->verify()->findings.empty());
}

}  // namespace
}  // namespace pimemory
