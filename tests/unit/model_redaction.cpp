#include <gtest/gtest.h>

#include "model/redaction.hpp"

namespace logwood {
namespace {

const std::string entry =
    R"({"id":"a","payload":{"content":[{"text":"größer"},"two"],"a/b":"x","m~n":"y"}})";

TEST(StringAt, FollowsAPointer) {
  EXPECT_EQ(string_at(entry, "/payload/content/0/text"), "\"größer\"");
  EXPECT_EQ(string_at(entry, "/payload/content/1"), "\"two\"");
  EXPECT_EQ(string_at(entry, "/payload/a~1b"), "\"x\"");
  EXPECT_EQ(string_at(entry, "/payload/m~0n"), "\"y\"");
  for (const char* nowhere : {"", "/payload", "/payload/content/2", "/payload/content/x", "payload",
                              "/nothing", "/id/0"}) {
    EXPECT_EQ(string_at(entry, nowhere), std::nullopt) << nowhere;
  }
}

TEST(WithoutRedacted, ReplacesRangesOfCodePoints) {
  const auto hidden = [](std::vector<RedactionTarget> targets) {
    return without_redacted(R"({"payload":{"t":"größer als"}})", targets).value_or("hidden");
  };
  EXPECT_EQ(hidden({{{"a"}, "/payload/t", {{2, 4}}}}), R"({"payload":{"t":"gr[redacted]er als"}})");
  EXPECT_EQ(hidden({{{"a"}, "/payload/t", {{0, 1}, {1, 2}}}}),
            R"({"payload":{"t":"[redacted]ößer als"}})");
  EXPECT_EQ(hidden({{{"a"}, "/payload/t", {{7, 99}}}}), R"({"payload":{"t":"größer [redacted]"}})");
  EXPECT_EQ(hidden({{{"a"}, "/payload/t", {{0, 1}}}, {{"a"}, "/payload/t", {{7, 10}}}}),
            R"({"payload":{"t":"[redacted]rößer [redacted]"}})");
  EXPECT_EQ(hidden({{{"a"}, "/payload/t", {{0, 1}}}, {{"a"}, "/payload/t"}}),
            R"({"payload":{"t":"[redacted]"}})");
  EXPECT_EQ(hidden({{{"a"}, "/payload/t", {{50, 60}}}}), R"({"payload":{"t":"größer als"}})");
  EXPECT_EQ(hidden({{{"a"}, "/payload/other"}}), "hidden") << "what was meant cannot be told";
  EXPECT_EQ(hidden({{{"a"}}}), "hidden");
}

TEST(WithoutRedacted, HidesAStringThatIsNoText) {
  EXPECT_EQ(without_redacted(R"({"t":"\ud800 x"})", {{{"a"}, "/t", {{0, 1}}}}),
            R"({"t":"[redacted]"})");
}

// What came along from another agent (F4.8), whatever it looks like.
TEST(WithoutRedacted, HidesFilesThatCameAlong) {
  const auto hidden = [](const std::string& files) {
    return without_redacted(R"({"payload":{"t":"x"},"meta":{"files":)" + files + R"(,"a":1}})",
                            {{{"a"}, "/payload/t", {}}});
  };
  const std::string shown = R"({"payload":{"t":"[redacted]"},"meta":{"files":[],"a":1}})";
  EXPECT_EQ(hidden(R"([{"name":"tool-results/a","text":"x"}])"), shown);
  EXPECT_EQ(hidden(R"([{"text":"x"},{"name":1,"base64":"eA=="}])"), shown);
  EXPECT_EQ(hidden(R"("x")"), shown);
}

TEST(CheckRedaction, SaysWhatIsWrong) {
  const auto message = [](const char* payload) {
    const auto checked = check_redaction(payload);
    return checked ? std::string("good") : checked.error().message;
  };
  EXPECT_EQ(message(R"({"targets":[{"id":"a"},{"id":"b","pointer":"/x","ranges":[[0,1]]}]})"),
            "good");
  for (const char* bad :
       {R"({})", R"({"targets":[]})", R"({"targets":[{}]})", R"({"targets":[{"id":"a b"}]})",
        R"({"targets":[{"id":"a","pointer":"x"}]})", R"({"targets":[{"id":"a","pointer":7}]})",
        R"({"targets":[{"id":"a","ranges":[[0,1]]}]})",
        R"({"targets":[{"id":"a","pointer":"/x","ranges":[[1,1]]}]})",
        R"({"targets":[{"id":"a","pointer":"/x","ranges":[[1]]}]})",
        R"({"targets":[{"id":"a","digest":"0"}]})"}) {
    EXPECT_NE(message(bad), "good") << bad;
  }
}

TEST(Redaction, IsReadBackAsItWasWritten) {
  const std::vector<RedactionTarget> targets = {{{"a"}}, {{"b"}, "/p\"q", {{1, 2}, {4, 9}}}};
  const std::string text =
      R"({"id":"r","type":"redaction","payload":)" + redaction_payload(targets, "why") + "}";
  const auto read = read_redaction(text);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].pointer, "");
  EXPECT_EQ(read[1].id, EntryId{"b"});
  EXPECT_EQ(read[1].pointer, "/p\"q");
  EXPECT_EQ(read[1].ranges, targets[1].ranges);
  EXPECT_TRUE(read_redaction(R"({"id":"r","type":"label","payload":{}})").empty());
}

}  // namespace
}  // namespace logwood
