// What the table of errors advises: only what this program can do.
#include "pimemory/error.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "text/redaction.h"

namespace pimemory {
namespace {

const std::set<std::string> kVerbs = {"init", "status", "list", "record", "resolve", "inspect", "feedback", "index"};

TEST(ErrorTest, HintsNameOnlyVerbsThatExist) {
  int codes = 0;
  for (int i = 0; i <= static_cast<int>(ErrorCode::cancelled); ++i, ++codes) {
    const Error error = make_error(static_cast<ErrorCode>(i), "");
    EXPECT_FALSE(error.hint.empty()) << error_code_name(error.code);
    for (const char* absent : {"doctor", "rebuild", "import", "/memory review", "`auto`"})
      EXPECT_EQ(error.hint.find(absent), std::string::npos) << error.hint;
    const std::string command = "`pi-memory ";
    for (std::size_t at = error.hint.find(command); at != std::string::npos; at = error.hint.find(command, at + 1)) {
      const std::size_t begin = at + command.size();
      const std::string verb = error.hint.substr(begin, error.hint.find_first_of(" `", begin) - begin);
      EXPECT_TRUE(kVerbs.contains(verb)) << error.hint;
    }
    // The command line replaces credentials in what it prints; advice must come through whole.
    EXPECT_FALSE(contains_credential(error.hint)) << error.hint;
  }
  EXPECT_GE(codes, 40);
}

}  // namespace
}  // namespace pimemory
