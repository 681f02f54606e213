// Times one recorded fact on a compact store, at 32 KiB of stored state and near the capacity limit.
// Prints p50 and p95 in milliseconds beside two raw fsyncs on the same file system in the same run.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/sha256.h"
#include "contracts/record_fields.h"
#include "storage/authority.h"

namespace pimemory {
namespace {

constexpr int kSamples = 40;
constexpr char kProject[] = "p_0123456789ab";

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void print(const char* name, std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  std::printf("%-28s p50 %7.3f ms  p95 %7.3f ms  n %zu\n", name, samples[samples.size() / 2],
              samples[samples.size() * 95 / 100], samples.size());
}

// Words that compress like prose do, by a fixed generator.
std::string filler(std::uint64_t& seed, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    text += "word" + std::to_string((seed >> 33) % 5000) + " ";
  }
  return text;
}

bool add_document(Authority& authority, std::uint64_t& seed, int number) {
  SourceDocument document;
  document.name_space = "document";
  document.external_id = "file" + std::to_string(number);
  document.scope_id = kProject;
  document.source = document.kind = "bench";
  document.text = filler(seed, 4000);
  document.content_hash = document.version = sha256_hex(document.text);
  document.observed_at = system_clock().now();
  const nlohmann::json payload = {{"type", "document.upserted"}, {"document", encode_record(document)}};
  return authority
      .transaction(system_clock().now(), Repeatable::yes,
                   [&](Draft& draft) -> Status {
                     PIMEMORY_TRY(draft.append(payload));
                     return {};
                   })
      .has_value();
}

bool record(Authority& authority, int number) {
  TemporalFact fact;
  fact.id = "mem_bench" + std::to_string(100'000 + number);
  fact.scope_id = kProject;
  fact.kind = "decision";
  fact.statement = "Bench fact number " + std::to_string(number);
  fact.standing = "needs_review";
  fact.confidence = 0.5;
  fact.recorded_at = system_clock().now();
  const nlohmann::json payload = {{"type", "fact.recorded"}, {"fact", encode_record(fact)}};
  return authority
      .transaction(system_clock().now(), Repeatable::yes,
                   [&](Draft& draft) -> Status {
                     PIMEMORY_TRY(draft.append(payload));
                     return {};
                   })
      .has_value();
}

void raw_syncs(const std::string& folder) {
  const int fd = open((folder + "/raw").c_str(), O_CREAT | O_WRONLY, 0600);
  std::vector<double> samples;
  const std::string page(4096, 'x');
  for (int i = 0; i < kSamples; ++i)
    samples.push_back(milliseconds([&] {
      for (int sync = 0; sync < 2; ++sync)
        if (write(fd, page.data(), page.size()) < 0 || fsync(fd) != 0) std::perror("raw");
    }));
  close(fd);
  print("two raw syncs", samples);
}

int run() {
  std::string folder = (std::filesystem::temp_directory_path() / "pi-memory-bench-XXXXXX").string();
  if (!mkdtemp(folder.data())) return 1;
  raw_syncs(folder);
  auto opened = open_authority(system_env(), {folder, kProject, "bench", OpenIntent::create, Layout::automatic});
  if (!opened) return std::fprintf(stderr, "%s\n", opened.error().message.c_str()), 1;
  std::uint64_t seed = 1;
  int documents = 0, facts = 0;
  for (const auto& [name, bytes] :
       {std::pair<const char*, std::uint64_t>{"one fact at 32 KiB", 32'768}, {"one fact near the limit", 118'000}}) {
    while ((*(*opened)->snapshot())->numbers().state_bytes < bytes && add_document(**opened, seed, documents))
      ++documents;
    std::vector<double> samples;
    for (int i = 0; i < kSamples; ++i) {
      bool ok = false;
      const double took = milliseconds([&] { ok = record(**opened, facts++); });
      if (!ok) break;
      samples.push_back(took);
    }
    if (samples.empty()) return std::fprintf(stderr, "no fact could be recorded\n"), 1;
    print(name, samples);
    std::printf("  state %llu bytes, file %llu bytes, %d documents\n",
                static_cast<unsigned long long>((*(*opened)->snapshot())->numbers().state_bytes),
                static_cast<unsigned long long>(
                    std::filesystem::file_size(authority_root(folder, kProject) + "/memory.sqlite")),
                documents);
  }
  opened->reset();
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace pimemory

int main() { return pimemory::run(); }
