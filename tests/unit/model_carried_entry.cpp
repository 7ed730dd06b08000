#include <gtest/gtest.h>

#include "model/carried_entry.hpp"
#include "model/header.hpp"

namespace logwood {
namespace {

const std::string front =
    R"({"id":"e","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":)";

TEST(CarriedEntry, IsMostlyWhatItWas) {
  const std::string text = front + R"("message", "payload":{"a" : 1e400}})";
  EXPECT_EQ(carried_text(*parse_entry(text)), text);
  const std::string hides = front + R"("redaction","payload":{"targets":[{"id":"a"}],"more":1}})";
  EXPECT_EQ(carried_text(*parse_entry(hides)), hides);
}

TEST(CarriedEntry, ThatWasErasedSaysOnlyThat) {
  Entry entry = *parse_entry(front + R"("label","erased":"r","digest":"00"})");
  EXPECT_EQ(carried_text(entry), front + R"("label","payload":{},"meta":{"erased":true}})");
  EXPECT_TRUE(is_empty(*parse_entry(carried_text(entry))));
}

TEST(CarriedEntry, ThatAccountsForAnErasureOnlyHides) {
  const Entry entry = *parse_entry(
      front +
      R"("redaction","runId":"r","payload":{"targets":[{"id":"a","seq":2,"digest":"00","line":"11"}],"reason":"x"},"meta":{"m":1}})");
  EXPECT_EQ(
      carried_text(entry),
      front +
          R"("redaction","runId":"r","payload":{"targets":[{"id":"a"}],"reason":"x"},"meta":{"m":1}})");
}

TEST(CarriedEntry, IsEmptyOnlyWhereNothingIsLeft) {
  EXPECT_TRUE(is_empty(*parse_entry(front + R"("head","payload":{},"meta":{"redacted":true}})")));
  EXPECT_FALSE(is_empty(*parse_entry(front + R"("head","payload":{}})")));
  EXPECT_FALSE(is_empty(
      *parse_entry(front + R"("head","payload":{"target":null},"meta":{"erased":true}})")));
}

TEST(Header, OfEitherVersionBecomesTheOtherWithOneToken) {
  const std::string one = front + R"("session_header","payload":{ "version" : 1, "x":[1]}})";
  const std::string zero = front + R"("session_header","payload":{ "version" : 0, "x":[1]}})";
  EXPECT_EQ(*downgraded_header(one), zero);
  EXPECT_EQ(*upgraded_header(zero), one);
  EXPECT_FALSE(downgraded_header(zero));
  EXPECT_FALSE(upgraded_header(one));
}

}  // namespace
}  // namespace logwood
