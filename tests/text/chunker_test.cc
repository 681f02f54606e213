// The chunker: nothing is lost, boundaries are the preferred ones, and an edit stays local.
#include "text/chunker.h"

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/utf8.h"

namespace pimemory {
namespace {

std::string text_of(const TextChunk& chunk, const std::string& text) {
  return text.substr(chunk.start, chunk.end - chunk.start);
}

std::string repeat(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

std::string sentences(const std::string& subject, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += subject + " number " + std::to_string(i) + " keeps its own words. ";
  return text;
}

// Where every grapheme cluster begins.
std::vector<bool> cluster_starts(const std::string& text) {
  std::vector<bool> starts(text.size() + 1, false);
  utf8proc_int32_t state = 0;
  char32_t before = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    const char32_t c = decode_code_point(text, pos);
    starts[start] = start == 0 || utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before),
                                                                   static_cast<utf8proc_int32_t>(c), &state);
    before = c;
  }
  starts[text.size()] = true;
  return starts;
}

// The rules that hold for every text: order, bounds, coverage, progress, whole grapheme clusters.
void expect_sound(const std::string& text, std::size_t target) {
  const std::vector<TextChunk> chunks = chunk_text(text, target);
  const std::vector<bool> starts = cluster_starts(text);
  std::size_t covered = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const TextChunk& chunk = chunks[i];
    ASSERT_EQ(chunk.ordinal, static_cast<int>(i));
    ASSERT_LT(chunk.start, chunk.end);
    ASSERT_LE(chunk.end, text.size());
    ASSERT_LE(count_code_points(text_of(chunk, text)), target);
    ASSERT_TRUE(starts[chunk.start]) << chunk.start;
    ASSERT_TRUE(starts[chunk.end]) << chunk.end;
    if (chunk.start > covered) {
      ASSERT_TRUE(is_blank(std::string_view(text).substr(covered, chunk.start - covered)));
    }
    if (chunk.start < covered) {
      const std::size_t repeated = count_code_points(text.substr(chunk.start, covered - chunk.start));
      ASSERT_LE(repeated, std::min<std::size_t>(150, target / 8));
    }
    ASSERT_GT(chunk.end, covered);
    const std::size_t new_from = std::max(covered, chunk.start);
    ASSERT_FALSE(is_blank(std::string_view(text).substr(new_from, chunk.end - new_from)));
    ASSERT_LE(count_code_points(chunk.heading), kMaxHeadingPathCodePoints);
    covered = chunk.end;
  }
  ASSERT_TRUE(is_blank(std::string_view(text).substr(covered)));
}

TEST(Chunker, BlankTextHasNoChunk) {
  EXPECT_TRUE(chunk_text("").empty());
  EXPECT_TRUE(chunk_text(" \n\t\n").empty());
}

TEST(Chunker, HeadingAndParagraphAreOneChunk) {
  const std::string text = "# Title\n\nOne paragraph.\n";
  const auto chunks = chunk_text(text);
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(text_of(chunks[0], text), "# Title\n\nOne paragraph.");
  EXPECT_EQ(chunks[0].heading, "");
  EXPECT_EQ(encoder_input(chunks[0], text), "# Title\n\nOne paragraph.");
}

TEST(Chunker, LineEndsBecomeLf) { EXPECT_EQ(to_lf("a\r\nb\rc\n\r\n"), "a\nb\nc\n\n"); }

TEST(Chunker, MillionBytesWithoutBlankAreCoveredWithWholeClusters) {
  expect_sound(std::string(1'000'000, 'x'), kDefaultChunkCodePoints);
  // A flag, a family and a letter with two marks: clusters of two to seven code points.
  std::string clusters;
  while (clusters.size() < 999'900) clusters += "🇪🇸👩‍👩‍👧‍👦á̈";
  expect_sound(clusters, kDefaultChunkCodePoints);
}

TEST(Chunker, LongCodeIsCutAtLineEnds) {
  std::string code = "```\n";
  for (int i = 0; count_code_points(code) < 3000; ++i) {
    code += "    call_number_" + std::to_string(i) + "(); // go on. Yes\n";
  }
  code += "```\n";
  const auto chunks = chunk_text(code);
  ASSERT_GE(chunks.size(), 3u);
  for (std::size_t i = 1; i < chunks.size(); ++i) {
    EXPECT_EQ(code[chunks[i - 1].end], '\n');
    EXPECT_EQ(chunks[i].start, chunks[i - 1].end + 1) << "indentation kept, nothing repeated";
  }
  expect_sound(code, kDefaultChunkCodePoints);
}

TEST(Chunker, ProseIsCutAtSentenceEndsAndNotAfterInitials) {
  const std::string text = sentences("The report of J. Smith and e.g. others", 60);
  const auto chunks = chunk_text(text);
  ASSERT_GE(chunks.size(), 2u);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    EXPECT_TRUE(text_of(chunks[i], text).ends_with("words.") || i + 1 == chunks.size());
    if (i > 0) {
      EXPECT_GE(chunks[i].start, chunks[i - 1].end);
    }
  }
  const std::string chinese = repeat("合并分支之前必须运行全部测试。", 200);
  for (const TextChunk& chunk : chunk_text(chinese)) EXPECT_TRUE(text_of(chunk, chinese).ends_with("。"));
}

TEST(Chunker, CutsAtSpacesRepeatWholeWords) {
  std::string text;
  for (int i = 0; i < 600; ++i) text += "word" + std::to_string(i) + " ";
  const auto chunks = chunk_text(text);
  ASSERT_GE(chunks.size(), 3u);
  for (std::size_t i = 1; i < chunks.size(); ++i) {
    EXPECT_LT(chunks[i].start, chunks[i - 1].end);
    EXPECT_GE(chunks[i].start + 150, chunks[i - 1].end);
    EXPECT_EQ(text_of(chunks[i], text).substr(0, 4), "word");
  }
}

TEST(Chunker, HeadingsOpenChunksAndNeverEndOne) {
  const std::string text = "# Guide\n\n" + sentences("First", 10) + "\n\n## Setup\n\n" + sentences("Second", 60) +
                           "\n\nUsage\n-----\n\n" + sentences("Third", 10) + "\n\n### Detail\n\n" +
                           sentences("Fourth", 28) + "\n";
  const auto chunks = chunk_text(text);
  std::set<std::string> paths;
  for (const TextChunk& chunk : chunks) {
    paths.insert(chunk.heading);
    const std::string body = text_of(chunk, text);
    const std::string last_line = body.substr(body.rfind('\n') + 1);
    EXPECT_FALSE(last_line.starts_with("#"));
    EXPECT_FALSE(last_line.starts_with("---"));
  }
  EXPECT_TRUE(paths.contains("Guide"));
  EXPECT_TRUE(paths.contains("Guide › Setup"));
  EXPECT_TRUE(paths.contains("Guide › Usage"));
  expect_sound(text, kDefaultChunkCodePoints);
}

TEST(Chunker, HeadingGoesWithTheLongTextBehindIt) {
  const std::string text = sentences("Intro", 5) + "\n\n# A\n\n" + std::string("## B\n\n") + sentences("Body", 60);
  const auto chunks = chunk_text(text);
  ASSERT_GE(chunks.size(), 3u);
  EXPECT_TRUE(text_of(chunks[1], text).starts_with("# A\n\n## B\n\nBody number 0"));
}

TEST(Chunker, HeadingMarksInsideCodeAreText) {
  const std::string text = "# Real\n\n~~~sh\n# comment\n~~~\n\n" + sentences("Text", 60);
  for (const TextChunk& chunk : chunk_text(text)) EXPECT_EQ(chunk.heading.find("comment"), std::string::npos);
}

TEST(Chunker, LongHeadingPathKeepsTheNearestHeadings) {
  const std::string outer = "# " + repeat("outer ", 26) + "\n\n";
  const std::string text = outer + "## Inner\n\n" + sentences("Text", 80);
  EXPECT_EQ(chunk_text(text).back().heading, "Inner");
}

TEST(Chunker, AnInsertedParagraphChangesItsOwnSectionOnly) {
  // Section lengths leave rests of every size behind the last cut.
  for (int base = 8; base < 60; ++base) {
    std::string before, after;
    for (int section = 0; section < 5; ++section) {
      const std::string name = "Section" + std::to_string(section);
      const std::string body = "## " + name + "\n\n" + sentences(name, base + 3 * section) + "\n\n";
      before += body;
      after += body;
      if (section == 1) after += sentences("Inserted", 1 + base % 9) + "\n\n";
    }
    std::set<std::string> old_inputs, new_inputs;
    for (const TextChunk& chunk : chunk_text(before)) old_inputs.insert(encoder_input(chunk, before));
    for (const TextChunk& chunk : chunk_text(after)) new_inputs.insert(encoder_input(chunk, after));
    for (const std::string& input : old_inputs) {
      if (input.find("Section1") == std::string::npos) {
        EXPECT_TRUE(new_inputs.contains(input)) << base;
      }
    }
  }
}

TEST(Chunker, HugeBlankRunsFillNoChunk) {
  const std::string gap(5000, ' ');
  const std::string words = repeat("word ", 400);
  expect_sound(words + gap + "tail", kDefaultChunkCodePoints);
  expect_sound("```\n" + gap + "deep\n" + repeat("line\n", 500) + repeat("\n", 4000) + "end\n", 256);
  expect_sound("# Head\n" + gap + "x", 256);
}

TEST(Chunker, RandomTextsAreSound) {
  std::mt19937 random(20260301);
  const std::vector<std::string> parts = {"word",
                                          " ",
                                          "\n",
                                          "\n\n",
                                          "# Head\n",
                                          "## ",
                                          "```\n",
                                          "~~~\n",
                                          "- item\n",
                                          "| a | b |\n",
                                          "===\n",
                                          "---\n",
                                          ". ",
                                          "! A",
                                          "？",
                                          "。",
                                          "é",
                                          "e\u0301",
                                          "👩‍👩‍👧‍👦",
                                          "|---|---|\n",
                                          "漢字",
                                          "   ",
                                          "\t",
                                          "🇪🇸",
                                          "1. one\n",
                                          "    ",
                                          "a.b",
                                          "x",
                                          "…"};
  for (int round = 0; round < 400; ++round) {
    std::string text;
    // A few parts a round, so that long runs of one kind occur.
    std::vector<std::string> chosen;
    for (int i = 0; i < 1 + round % 7; ++i) chosen.push_back(parts[random() % parts.size()]);
    const int count = static_cast<int>(random() % 3000);
    for (int i = 0; i < count; ++i) {
      const std::string& part = random() % 50 == 0 ? parts[random() % parts.size()] : chosen[random() % chosen.size()];
      text += part;
    }
    for (const std::size_t target : {256u, 700u, 1200u}) {
      ASSERT_NO_FATAL_FAILURE(expect_sound(text, target)) << "round " << round << " target " << target;
    }
  }
}

}  // namespace
}  // namespace pimemory
