#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "cli/settings.hpp"
#include "support/temporary_folder.hpp"

namespace logwood::cli {
namespace {

using ::testing::HasSubstr;

Variable variables(const std::map<std::string, std::string>& set) {
  return [set](const char* name) {
    const auto found = set.find(name);
    return found == set.end() ? "" : found->second;
  };
}

std::string refusal_of(std::string_view text) {
  const auto parsed = parse_settings(text, "/c.json", "/home/u");
  return parsed ? "" : parsed.error().message;
}

TEST(Settings, AreReadFromAnObject) {
  const auto parsed = parse_settings(
      R"({"store":"~/s","pager":"less -S","color":"never","limit":7})", "/c.json", "/home/u");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->store, "/home/u/s");
  EXPECT_EQ(parsed->pager, "less -S");
  EXPECT_EQ(parsed->colour, Colour::never);
  EXPECT_EQ(parsed->limit, 7U);
  const auto nothing = parse_settings("{}", "/c.json", "/home/u");
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(nothing->store || nothing->pager || nothing->colour || nothing->limit);
}

TEST(Settings, ThatAreWrongSayFileNameAndWhatIsAllowed) {
  EXPECT_EQ(refusal_of(R"({"colour":"never"})"),
            R"(/c.json: there is no setting "colour", only store, pager, color, limit and models)");
  EXPECT_EQ(refusal_of(R"({"color":"blue"})"),
            R"(/c.json: "color" is "auto", "always" or "never")");
  EXPECT_EQ(refusal_of(R"({"color":true})"), R"(/c.json: "color" is "auto", "always" or "never")");
  EXPECT_THAT(refusal_of(R"({"limit":0})"), HasSubstr("whole number"));
  EXPECT_THAT(refusal_of(R"({"limit":"9"})"), HasSubstr("whole number"));
  EXPECT_THAT(refusal_of(R"({"limit":1e3})"), HasSubstr("whole number"));
  EXPECT_THAT(refusal_of(R"({"store":"here"})"), HasSubstr("begins with /"));
  EXPECT_THAT(refusal_of(R"({"store":null})"), HasSubstr("begins with /"));
  EXPECT_THAT(refusal_of(R"({"pager":1})"), HasSubstr("a command"));
  EXPECT_THAT(refusal_of("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal_of("{"), HasSubstr("/c.json: it is not valid JSON"));
  EXPECT_THAT(refusal_of(""), HasSubstr("/c.json: it"));
}

TEST(Settings, LieWhereXdgSays) {
  EXPECT_EQ(settings_path(variables({{"HOME", "/h"}})), "/h/.config/logwood/config.json");
  EXPECT_EQ(settings_path(variables({{"HOME", "/h"}, {"XDG_CONFIG_HOME", "/x"}})),
            "/x/logwood/config.json");
  EXPECT_EQ(settings_path(variables({{"HOME", "/h"}, {"XDG_CONFIG_HOME", "relative"}})),
            "/h/.config/logwood/config.json");
  EXPECT_EQ(settings_path(variables({})), "");
  EXPECT_EQ(default_store(variables({{"HOME", "/h"}})), "/h/.local/share/logwood");
  EXPECT_EQ(default_store(variables({{"XDG_DATA_HOME", "/d"}})), "/d/logwood");
  EXPECT_EQ(default_store(variables({})), "");
}

class SettingsFile : public ::testing::Test {
 protected:
  Result<Settings> read() { return read_settings(variables({{"HOME", folder_.path()}})); }

  std::string make(const std::string& text) {
    std::filesystem::create_directories(folder_.path() + "/.config/logwood");
    const std::string path = folder_.path() + "/.config/logwood/config.json";
    std::ofstream(path) << text;
    return path;
  }

  TemporaryFolder folder_;
};

TEST_F(SettingsFile, NeedNotBeThere) {
  EXPECT_TRUE(read());
  EXPECT_TRUE(read_settings(variables({})));
}

TEST_F(SettingsFile, IsRead) {
  make(R"({"limit":3})");
  const auto settings = read();
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->limit, 3U);
}

TEST_F(SettingsFile, IsRefusedWhenItIsHugeOrNoFile) {
  const std::string path = make(std::string(100'000, ' '));
  ASSERT_FALSE(read());
  EXPECT_THAT(read().error().message, HasSubstr("more than 65536 bytes"));
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  ASSERT_FALSE(read());
  EXPECT_THAT(read().error().message, HasSubstr("is not a file"));
}

}  // namespace
}  // namespace logwood::cli
