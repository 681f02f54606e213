// An earlier identity is adopted only when the checkout and the verified index agree.
#include "workspace/legacy_identity.h"

#include "workspace/workspace_fixture.h"

namespace pimemory {
namespace {

class LegacyIdentityFiles : public WorkspaceTest {
 protected:
  std::string state(const std::string& location) {
    return find_legacy_identity(system_files(), location, read_legacy_index(system_files(), home_)).state.state;
  }
};

TEST_F(LegacyIdentityFiles, BothMustAgree) {
  const std::string checkout = make_directory("r");
  EXPECT_EQ(state(checkout), "none");
  write_legacy(checkout, "p_earlier");
  EXPECT_EQ(state(checkout), "unverified") << "a locator alone";
  write_index(scratch_ / "elsewhere", "p_earlier");
  EXPECT_EQ(state(checkout), "unverified") << "another location";
  write_index(checkout, "p_another");
  EXPECT_EQ(state(checkout), "unverified") << "another id";
  write_index(checkout, "p_earlier");
  EXPECT_EQ(state(checkout), "adopted");
  write_index(checkout, "p_earlier", 3);
  EXPECT_EQ(state(checkout), "adopted") << "pretty-printed";
}

TEST_F(LegacyIdentityFiles, DefectsOfTheIndexEmptyIt) {
  const std::string checkout = make_directory("r"), path = home_ + "/identity/index.json";
  write_legacy(checkout, "p_earlier");
  write_index(checkout, "p_earlier");
  const std::string good = read_text(path);
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    write_text(path, text);
    return state(checkout);
  };
  EXPECT_EQ(replaced("\"revision\":1", "\"revision\": 1"), "adopted");
  EXPECT_EQ(replaced("p_earlier", "p_earlieR"), "unverified") << "tampered";
  EXPECT_EQ(replaced("\"revision\":1", "\"revision\":1,\"revision\":1"), "unverified") << "duplicate key";
  EXPECT_EQ(replaced("\"schemaVersion\":1", "\"schemaVersion\":2"), "unverified");
  write_text(path, good + std::string(kMaxLegacyFileBytes, ' '));
  EXPECT_EQ(state(checkout), "unverified") << "too long";
  std::filesystem::remove(path);
  write_text(scratch_ / "index.json", good);
  std::filesystem::create_symlink(scratch_ / "index.json", path);
  EXPECT_EQ(state(checkout), "unverified") << "a link";
}

TEST_F(LegacyIdentityFiles, BrokenRowsAreSkipped) {
  const std::string payload = R"({"bindings":[7,{"location":"relative","projectId":"p_a"},)"
                              R"({"location":"/b","projectId":"team"},{"location":"/c d","projectId":"p_c"}]})";
  write_text(home_ + "/identity/index.json", R"({"schemaVersion":1,"revision":4,"contentHash":")" +
                                                 sha256_hex(payload) + R"(", "payload" : )" + payload + "}\n");
  const auto rows = read_legacy_index(system_files(), home_);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].location, "/c d");
}

TEST_F(LegacyIdentityFiles, PayloadBytesLoseOnlyOuterWhiteSpace) {
  EXPECT_EQ(compact_payload_bytes(
                "{ \"a\": [1, {\"payload\": 2}], \"payload\" : { \"k\" : \"x \\\" , } y\" ,\n \"n\": [ 1 , 2 ] } }"),
            "{\"k\":\"x \\\" , } y\",\"n\":[1,2]}");
  EXPECT_EQ(compact_payload_bytes("{\"\\u0070ayload\":true}"), "true");
  EXPECT_EQ(compact_payload_bytes("{}"), std::nullopt);
}

}  // namespace
}  // namespace pimemory
