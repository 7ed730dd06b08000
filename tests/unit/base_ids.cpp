#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <unordered_set>

#include "base_vector_cases.hpp"
#include "logwood/ids.hpp"

namespace logwood {
namespace {

using ::testing::HasSubstr;

TEST(Ids, AgreeWithEveryVectorOfTheFormat) {
  const std::size_t cases = for_each_vector_case("ids.json", [](const VectorCase& vector) {
    const std::string id = vector.bytes("id");
    EXPECT_EQ(static_cast<bool>(check_id(id)), vector.is_true("valid")) << vector.text("why");
  });
  EXPECT_GT(cases, 40U);
}

TEST(Ids, TakeEveryCharacterOfTheirAlphabetAndNoOther) {
  for (unsigned code = 0; code < 256; ++code) {
    const char c = static_cast<char>(code);
    const bool starts = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    EXPECT_EQ(static_cast<bool>(check_id(std::string(1, c))), starts) << code;
    EXPECT_EQ(static_cast<bool>(check_id(std::string("a") + c)), starts || c == '-' || c == '_')
        << code;
  }
}

TEST(Ids, SayWhatIsWrong) {
  const auto empty = check_id("");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(empty.error().message, HasSubstr("1 to 99 characters, this one has 0"));
  EXPECT_THAT(check_id(std::string(100, 'a')).error().message, HasSubstr("this one has 100"));
  EXPECT_THAT(check_id("ab/c").error().message, HasSubstr("character 3 has code 0x2f"));
  EXPECT_THAT(check_id("a\xff").error().message, HasSubstr("code 0xff"));
}

TEST(Ids, FreshOnesAreValidAndDifferent) {
  std::unordered_set<EntryId> entries;
  std::unordered_set<SessionId> sessions;
  for (int i = 0; i < 1000; ++i) {
    const EntryId entry = new_entry_id();
    EXPECT_TRUE(check_id(entry.text));
    EXPECT_EQ(entry.text[14], '7');
    entries.insert(entry);
    sessions.insert(new_session_id());
  }
  EXPECT_EQ(entries.size(), 1000U);
  EXPECT_EQ(sessions.size(), 1000U);
}

TEST(Ids, AreOrderedByTheirText) {
  EXPECT_LT((SessionId{"a"}), (SessionId{"b"}));
  EXPECT_LT((EntryId{"a"}), (EntryId{"aa"}));
  EXPECT_EQ((EntryId{"a"}), (EntryId{"a"}));
}

}  // namespace
}  // namespace logwood
