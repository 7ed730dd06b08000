// Where agents look for the file of a session, which goes by the folder it is about. The expected
// names were made by the rule of the agent's own code, in JavaScript.
#include <gtest/gtest.h>

#include "exchange/writing.hpp"

namespace logwood::exchange {
namespace {

std::string claude_folder(const std::string& cwd) {
  const std::string name = file_name_of_claude({"id", cwd, "2026-01-31T00:00:00.000Z"});
  return name.substr(0, name.rfind('/'));
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(FileNameOfClaude, HasADashForEachUnitOfUtf16) {
  EXPECT_EQ(claude_folder("/home/dev/harvest_api.v2"), "-home-dev-harvest-api-v2");
  EXPECT_EQ(claude_folder("/home/dev/Zürich/果园 🍏"), "-home-dev-Z-rich------");
}

TEST(FileNameOfClaude, EndsWithAHashWhereItIsLong) {
  EXPECT_EQ(claude_folder("/home/dev/" + repeated("long/", 50) + "ü"),
            "-home-dev-" + repeated("long-", 38) + "-dggkf3");
  EXPECT_EQ(claude_folder("/x/" + repeated("ab", 120)), "-x-" + repeated("ab", 98) + "a-u49rxa");
}

}  // namespace
}  // namespace logwood::exchange
