// Guards that credentials of every known shape vanish, that ordinary text stays, and that a second run changes nothing.
#include "text/redaction.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace pimemory {
namespace {

const std::string kJwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkZW1vIn0.abc123-Sample_0000XyZ9";

std::vector<std::string> lines_of(const std::string& name) {
  std::vector<std::string> lines;
#ifdef PIMEMORY_SHARED_DATA
  std::ifstream file(std::filesystem::path(PIMEMORY_SHARED_DATA) / name);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
#else
  static_cast<void>(name);
#endif
  return lines;
}

void expect_redacted(const std::string& text) {
  const std::string once = redact(text);
  EXPECT_NE(once, text);
  EXPECT_TRUE(contains_credential(text)) << text;
  EXPECT_EQ(redact(once), once) << text;
  EXPECT_FALSE(contains_credential(once)) << once;
}

TEST(RedactionTest, CredentialsOfEveryShapeChangeOnce) {
  for (const std::string text : {"password=hunter2",
                                 R"("db_password": "x y")",
                                 R"({\"token\":\"a1b2c3d4e5\"})",
                                 "API_TOKEN=abc12345",
                                 "Bearer abc123EXAMPLE0000demo",
                                 "Authorization: Bearer abc123EXAMPLE0000demo",
                                 "-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBF0000EXAMPLE\n",
                                 "postgres://u:p@ss@h/db",
                                 "postgres://u:p/ss@h/db",
                                 "curl -u a:b",
                                 "Basic dXNlcjpwYXNz",
                                 "AIzaSynotRealTestdemo742demo7XyZ90000Du",
                                 "ya29.a0AfH6SMFakeEXAMPLE42",
                                 "dop_v1_deadbeef1234deadbeefcafe",
                                 "xapp-1-A00000EXAMP-1234567890123-1234deadbeef",
                                 "SG.abc123DummyEXAMPLE.XyZ9abc123Dummy42notReal",
                                 "ghp_0000Dummydemo7TestnotReal",
                                 "sk-ant-api03-notRealabc123demo7Sample",
                                 "la contraseña es Verano2024",
                                 "the staging password is hunter2",
                                 "PGPASSWORD=hunter",
                                 "db:\n  client_secret: swordfish\n",
                                 "mysql -uroot -ppw12",
                                 "sqlcmd -P Pw_12",
                                 "machine git.example.com login demo password netrcFake",
                                 "db.example.com:5432:shop:reporter:pgFake0000pass"}) {
    expect_redacted(text);
  }
  expect_redacted(kJwt);
}

TEST(RedactionTest, OrdinaryTextStays) {
  for (const std::string text : {"Basic information",
                                 "basic authentication",
                                 "Basic TypeScript support",
                                 "token refreshing",
                                 "pk_orders_customer",
                                 "npm_config_cache",
                                 "hf_hub_download",
                                 "sk_learn_pipeline",
                                 "auth: see docs",
                                 "max_tokens: 4096",
                                 "password_min_length = 12",
                                 "apiKey = process.env.KEY",
                                 "PWD=/home/a",
                                 "credentials: include",
                                 "SECRET_SCANNING=on",
                                 "secretRef: payments-db",
                                 "SSH_AUTH_SOCK=/run/user/1000/s1",
                                 "Authorization: Bearer $TOKEN",
                                 "self.password = password",
                                 "login(user: str, password: str)",
                                 "mysql -p shop",
                                 "the password is hashed with argon2",
                                 "http://localhost:3000/@vite/client",
                                 "ssh://git@host/r",
                                 "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIiVx4l4u demo@laptop",
                                 "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkq0000\n-----END PUBLIC KEY-----",
                                 "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkq0000\n-----END CERTIFICATE-----",
                                 "skipLibCheck_enabled pkg_manager_version",
                                 "",
                                 "The secret is base64 encoded.",
                                 "--- PASS: TestTokenRefreshFlow2 (0.01s)",
                                 "const password = await readPassword();",
                                 "printf(\"password=\"); run(\"x\");"}) {
    EXPECT_EQ(redact(text), text);
    EXPECT_FALSE(contains_credential(text)) << text;
  }
}

TEST(RedactionTest, ReplacesTheSecretAndNothingElse) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"?access_token=x&y=1", "?access_token=<REDACTED>&y=1"},
      {R"({\"token\":\"a1b2c3d4e5\",\"n\":1})", R"({\"token\":\"<REDACTED>\",\"n\":1})"},
      {R"({\\\"password\\\":\\\"a b\\\"})", R"({\\\"password\\\":\\\"<REDACTED>\\\"})"},
      {R"({"password":"a\"b c","n":1})", R"({"password":"<REDACTED>","n":1})"},
      {R"({"env":"A=1\nDB_PASSWORD=abc123\nB=2"})", R"({"env":"A=1\nDB_PASSWORD=<REDACTED>\nB=2"})"},
      {"postgres://u:p@ss@h/db", "postgres://<REDACTED>@h/db"},
      {"Server=a;Password=Fake0000!;Encrypt=true", "Server=a;Password=<REDACTED>;Encrypt=true"},
      {"say " + kJwt + ".", "say <REDACTED JWT>."},
      {"a\n-----BEGIN RSA PRIVATE KEY-----\nx\n-----END RSA PRIVATE KEY-----\nb", "a\n<REDACTED PRIVATE KEY>\nb"},
      {"curl -u a:b https://h", "curl -u <REDACTED> https://h"},
      {"sshpass -p abc ssh -p 2222 root@h", "sshpass -p <REDACTED> ssh -p 2222 root@h"},
      {"Cookie: theme=dark; sid=abc1234500; lang=es", "Cookie: theme=dark; sid=<REDACTED>; lang=es"},
      {"la contraseña es Verano2024.", "la contraseña es <REDACTED>."},
      {"password: str = \"hunter2\"", "password: str = \"<REDACTED>\""}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(redact(text), expected);
}

TEST(RedactionTest, PlaceholdersAreStable) {
  for (const std::string mark : {"<REDACTED>", "<REDACTED JWT>", "<REDACTED PRIVATE KEY>"}) {
    for (const std::string before :
         {"password=", "password: ", "token: ", "\"secret\": \"", "Authorization: Bearer ",
          "Cookie: a=", "?token=", "--password ", "the password is ", "mysql -p", "curl -u ", "https://"}) {
      const std::string text = before + mark + (before.ends_with('"') ? "\"" : "");
      EXPECT_EQ(redact(text), text);
    }
  }
}

TEST(RedactionTest, LabelledSecretsVanish) {
  const auto lines = lines_of("redaction-secrets.tsv");
  if (lines.empty()) GTEST_SKIP() << "the labelled data is not here";
  for (const std::string& line : lines) {
    const std::size_t first = line.find('\t');
    const std::size_t last = line.rfind('\t');
    ASSERT_LT(first, last);
    const std::string text = line.substr(first + 1, last - first - 1);
    EXPECT_EQ(redact(text).find(line.substr(last + 1)), std::string::npos) << redact(text);
    expect_redacted(text);
    // The same text must not escape as a member of a JSON document.
    std::string quoted;
    for (const char c : text) quoted += (c == '"' || c == '\\') ? std::string{'\\', c} : std::string{c};
    std::string secret;
    for (const char c : line.substr(last + 1)) secret += c == '\\' ? std::string{'\\', c} : std::string{c};
    const std::string json = "{\"text\":\"" + quoted + "\"}";
    EXPECT_EQ(redact(json).find(secret), std::string::npos) << redact(json);
    EXPECT_EQ(redact(redact(json)), redact(json));
  }
}

TEST(RedactionTest, LabelledInnocentLinesStay) {
  const auto lines = lines_of("redaction-innocent.txt");
  if (lines.empty()) GTEST_SKIP() << "the labelled data is not here";
  std::string all;
  for (const std::string& line : lines) {
    EXPECT_EQ(redact(line), line);
    all += line + "\n";
  }
  EXPECT_EQ(redact(all), redact(redact(all)));
}

bool valid_utf8(const std::string& text) {
  std::size_t pending = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (pending > 0) {
      if ((byte & 0xC0) != 0x80) return false;
      --pending;
    } else if (byte >= 0x80) {
      if (byte < 0xC2 || byte > 0xF4) return false;
      pending = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    }
  }
  return pending == 0;
}

TEST(RedactionTest, RandomMixturesStayValidAndStable) {
  const std::vector<std::string> pieces = {"password",
                                           "token",
                                           "secret",
                                           "=",
                                           ":",
                                           " ",
                                           "\n",
                                           "\"",
                                           "'",
                                           "\\\"",
                                           "\\n",
                                           "abc123xyz",
                                           "x",
                                           "ñ",
                                           "日",
                                           "://",
                                           "@",
                                           "/",
                                           "?",
                                           "&",
                                           "-----BEGIN PRIVATE KEY-----",
                                           "-----END PRIVATE KEY-----",
                                           "eyJabcd",
                                           ".",
                                           "Bearer ",
                                           "Basic ",
                                           "dXNlcjpwYXNz",
                                           "curl -u ",
                                           "-p",
                                           "mysql ",
                                           "Authorization: ",
                                           "Cookie: ",
                                           ";",
                                           ",",
                                           "{",
                                           "}",
                                           "<REDACTED>",
                                           "<",
                                           ">",
                                           "$",
                                           "(",
                                           ")",
                                           " is ",
                                           "machine ",
                                           "login ",
                                           "ghp_",
                                           "a1B2c3D4",
                                           "--password ",
                                           "5432:",
                                           "api key",
                                           "\\",
                                           "é"};
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (int i = 0; i < 14; ++i) text += pieces[random() % pieces.size()];
    const std::string once = redact(text);
    ASSERT_TRUE(valid_utf8(once)) << text;
    ASSERT_EQ(redact(once), once) << text;
  }
}

TEST(RedactionTest, HugeRepetitiveInputsFinish) {
  constexpr std::size_t kBytes = 1'000'000;
  for (const std::string unit : {"KEY", "eyJ.", "a://a:", "-----BEGIN", "\"", "'", "\\\"",
                                 "token=", "token: ", "password=\"", "glpat-.", "bearer ", "login x password "}) {
    std::string text;
    while (text.size() < kBytes) text += unit;
    const std::string once = redact(text);
    // A scanner that walked back over its input would not come to an end here.
    EXPECT_LE(once.size(), 4 * text.size());
  }
}

}  // namespace
}  // namespace pimemory
