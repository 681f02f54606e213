// Documents: reserved and owned identities, redaction, what counts as a change, and all-or-nothing batches.
#include "base/sha256.h"
#include "contracts/validate.h"
#include "engine/engine_fixture.h"

namespace pimemory {
namespace {

using DocumentsTest = EngineTest;

TEST_F(DocumentsTest, ADocumentThatDiffersInObservedAtAloneWritesNothing) {
  EXPECT_EQ(engine_->index(document("a.md", "# Title\n\nBody"))->documents, 1);
  clock_.set(kTestNow + kTestDay);
  EXPECT_EQ(engine_->index(document("a.md", "# Title\n\nBody"))->documents, 0);
  EXPECT_EQ(events(), 1);
  const auto changed = engine_->index(document("a.md", "# Title\n\nOther body"));
  EXPECT_EQ(changed->documents, 1);
  EXPECT_GE(changed->chunks, 1);
  EXPECT_TRUE(has_gap(changed->gaps, "dense_unavailable"));
  EXPECT_EQ(events(), 2);
}

TEST_F(DocumentsTest, ReservedNamespacesAreRefusedInEveryCall) {
  SourceDocument reserved = document("x", "text");
  for (const char* name : {"memory", "memory.topic"}) {
    reserved.name_space = name;
    EXPECT_EQ(code_of(engine_->index(reserved)), ErrorCode::reserved_namespace);
    EXPECT_EQ(code_of(engine_->index_all({document("a", "text"), reserved})), ErrorCode::reserved_namespace);
    EXPECT_EQ(code_of(engine_->remove(name, "x", "gone")), ErrorCode::reserved_namespace);
  }
  EXPECT_EQ(events(), 0);
}

TEST_F(DocumentsTest, AnAdaptersDocumentIsWrittenAndRemovedByItAlone) {
  SourceDocument owned = document("a.md", "text");
  owned.sync = SyncOrigin{"notes", sha256_hex("1")};
  ASSERT_TRUE(engine_->index(owned).has_value());
  EXPECT_EQ(code_of(engine_->index(document("a.md", "other"))), ErrorCode::identity_owned);
  EXPECT_EQ(code_of(engine_->index_all({document("b.md", "b"), document("a.md", "other")})), ErrorCode::identity_owned);
  EXPECT_EQ(code_of(engine_->remove("document", "a.md", "gone")), ErrorCode::identity_owned);
  EXPECT_EQ(events(), 1);
}

TEST_F(DocumentsTest, OneBadDocumentRefusesTheBatchAndIsNamed) {
  const auto result = engine_->index_all({document("a.md", "text"), document("b.md", "  ")});
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().message.find("documents[1] (document:b.md)"), std::string::npos);
  EXPECT_EQ(events(), 0);
  EXPECT_EQ(engine_->index_all({})->documents, 0);
  EXPECT_EQ(engine_->index_all({document("a.md", "text"), document("b.md", "text")})->documents, 2);
}

TEST_F(DocumentsTest, SecretsAreRedactedInTextTitleAndMetadataAndRefusedInIds) {
  SourceDocument secret = document("a.md", "The staging password=hunter2 is here");
  secret.title = "api_key=abcd1234efgh";
  secret.metadata["note"] = "token: ghp_a1b2c3d4e5f6a1b2c3d4";
  ASSERT_TRUE(engine_->index(secret).has_value());
  const auto row = (*engine_->authority().snapshot())->domain().document(document_key("document", "a.md"));
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->text.find("hunter2"), std::string::npos);
  EXPECT_EQ(row->title->find("abcd1234efgh"), std::string::npos);
  EXPECT_EQ(row->metadata.at("note").find("ghp_"), std::string::npos);
  EXPECT_EQ(row->content_hash, sha256_hex(row->text));
  EXPECT_EQ(row->version, row->content_hash);
  const auto refused = engine_->index(document("ghp_a1b2c3d4e5f6a1b2c3d4", "text"));
  EXPECT_EQ(code_of(refused), ErrorCode::secret_in_identifier);
  EXPECT_EQ(refused.error().message.find("ghp_"), std::string::npos);
}

TEST_F(DocumentsTest, ASuppliedHashMustMatchTheSuppliedText) {
  SourceDocument hashed = document("a.md", "text");
  hashed.content_hash = sha256_hex("other");
  EXPECT_EQ(code_of(engine_->index(hashed)), ErrorCode::invalid);
  hashed.content_hash = sha256_hex("text");
  EXPECT_TRUE(engine_->index(hashed).has_value());
}

TEST_F(DocumentsTest, RemovingTellsWhetherItWasThere) {
  ASSERT_TRUE(engine_->index(document("a.md", "text")).has_value());
  EXPECT_TRUE(*engine_->remove("document", "a.md", "no longer needed"));
  EXPECT_FALSE(*engine_->remove("document", "a.md", "no longer needed"));
  EXPECT_FALSE(*engine_->remove("document", "b.md", "no longer needed"));
  EXPECT_EQ(code_of(engine_->remove("document", "a.md", " ")), ErrorCode::invalid);
  EXPECT_EQ(events(), 2);
  EXPECT_EQ(engine_->index(document("a.md", "text"))->documents, 1);
}

TEST_F(DocumentsTest, AKnownEpisodeChangesNothing) {
  Episode episode;
  episode.id = "ep_release-1";
  episode.kind = "learning";
  episode.summary = "The release was cut";
  episode.source = "session";
  episode.observed_at = kTestNow;
  EXPECT_EQ(*engine_->record_episode(episode), "ep_release-1");
  EXPECT_EQ(*engine_->record_episode(episode), "ep_release-1");
  EXPECT_EQ(events(), 1);
}

}  // namespace
}  // namespace pimemory
