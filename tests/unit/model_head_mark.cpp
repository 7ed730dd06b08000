#include <gtest/gtest.h>

#include "model/head_mark.hpp"

namespace logwood {
namespace {

TEST(HeadMark, NamesAnEntryOrThePlaceBeforeTheFirst) {
  const auto entry = head_target(R"({"type":"head","payload":{"target":"a"}})");
  ASSERT_TRUE(entry);
  EXPECT_EQ(*entry, EntryId{"a"});
  const auto before = head_target(R"({"type":"h\u0065ad","payload":{"target":null}})");
  ASSERT_TRUE(before);
  EXPECT_EQ(*before, std::nullopt);
}

TEST(HeadMark, ThatSaysNothingHasNoTarget) {
  for (const char* text :
       {R"({"type":"label","payload":{"target":"a"}})", R"({"type":"head"})",
        R"({"type":"head","payload":{}})", R"({"type":"head","payload":{"target":"a b"}})",
        R"({"type":"head","payload":[null]})", R"({"type":"head","payload":{"target":"a"})",
        R"({"id":"h","type":"head","erased":"r","digest":"d"})", ""}) {
    EXPECT_EQ(head_target(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace logwood
