#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/sha256.hpp"
#include "model/long_strings.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const std::string long_text(string_inline_max + 1, 'x');

std::string body_with(const std::string& payload) {
  return R"({"id":"a","type":"t","payload":)" + payload;
}

TEST(LongStrings, AShortTextStaysAsItIs) {
  EXPECT_THAT(spill(body_with("{}")).refs, IsEmpty());
  EXPECT_THAT(spill(body_with("{\"a\":\"" + long_text.substr(1) + "\"}")).refs, IsEmpty());
}

TEST(LongStrings, OnlyPayloadAndMetaHaveThem) {
  const std::string body =
      "{\"" + long_text + "\":\"" + long_text + R"(","type":"t","id":"a","payload":{})";
  EXPECT_THAT(spill(body).refs, IsEmpty());
}

TEST(LongStrings, LeaveTheirPlaceAndAListBehind) {
  const std::string body =
      R"({"meta":{"m":")" + long_text + R"("},"payload":{"a":"\")" + long_text + R"(","b":["c"]})";
  const SpilledText spilled = spill(body);
  const std::string first = to_hex(sha256({long_text}));
  const std::string second = to_hex(sha256({"\\\"" + long_text}));
  EXPECT_EQ(spilled.body, R"({"meta":{"m":""},"payload":{"a":"","b":["c"]},"blobs":[[14,65537,")" +
                              first + R"("],[33,65539,")" + second + "\"]]");
  EXPECT_THAT(spilled.strings, ElementsAre(long_text, "\\\"" + long_text));

  const auto list = find_blobs(spilled.body);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->refs, spilled.refs);
  EXPECT_TRUE(can_be_restored(spilled.body, *list));
  EXPECT_EQ(restored(spilled.body, *list, {long_text, "\\\"" + long_text}), body);
  std::unordered_set<std::string> names;
  collect_blob_names(spilled.body + R"(,"seal":"1+.1.1/1.…"})", names);
  EXPECT_THAT(names, UnorderedElementsAre(first, second));
}

TEST(LongStrings, OtherEndsAreNoLists) {
  const std::string hash(64, 'a');
  const auto is_list = [&](const std::string& end) {
    return find_blobs(R"({"payload":{"a":""},)" + end).has_value();
  };
  EXPECT_TRUE(is_list(R"("blobs":[[17,65537,")" + hash + "\"]]"));
  EXPECT_FALSE(is_list(R"("blobs":[])"));
  EXPECT_FALSE(is_list(R"("blobs":[[017,65537,")" + hash + "\"]]"));
  EXPECT_FALSE(is_list(R"("blobs":[[17,,")" + hash + "\"]]"));
  EXPECT_FALSE(is_list(R"("blobs":[[17,1e9,")" + hash + "\"]]"));
  EXPECT_FALSE(is_list(R"("blobs":[[17,99999999999999999999,")" + hash + "\"]]"));
  EXPECT_FALSE(is_list(R"("blobs":[[17,65537,")" + hash.substr(1) + "\"]]"));
  EXPECT_FALSE(is_list(R"("blobs":[[17,65537,"../)" + hash.substr(3) + "\"]]"));
  EXPECT_FALSE(is_list(R"("blobs":[[17,65537,")" + std::string(64, 'A') + "\"]]"));
  EXPECT_FALSE(is_list(R"("blobs":[[17,65537,")" + hash + "\"] ]"));
  EXPECT_FALSE(is_list(R"("other":[["]])"));
  EXPECT_FALSE(is_list(R"("other":[[1,2,")" + hash + "\"]]"));
}

TEST(LongStrings, AForgedListIsNotFollowed) {
  const std::string hash(64, 'a');
  const auto fits = [&](const std::string& refs) {
    const std::string body = R"({"payload":{"a":"","b":""},"blobs":[)" + refs + "]";
    const auto list = find_blobs(body);
    return list && can_be_restored(body, *list);
  };
  const auto ref = [&](const std::string& offset, const std::string& length) {
    return "[" + offset + "," + length + ",\"" + hash + "\"]";
  };
  EXPECT_TRUE(fits(ref("17", "65537")));
  EXPECT_TRUE(fits(ref("17", "65537") + "," + ref("24", "65537")));
  EXPECT_FALSE(fits(ref("24", "65537") + "," + ref("17", "65537")));
  EXPECT_FALSE(fits(ref("17", "65537") + "," + ref("17", "65537")));
  EXPECT_FALSE(fits(ref("16", "65537")));
  EXPECT_FALSE(fits(ref("0", "65537")));
  EXPECT_FALSE(fits(ref("1000000", "65537")));
  EXPECT_FALSE(fits(ref("17", "65536"))) << "a short one stays in its place";
  EXPECT_FALSE(fits(ref("17", "99999999999")));
  EXPECT_FALSE(fits(ref("17", "16000000") + "," + ref("24", "16000000")));
}

}  // namespace
}  // namespace logwood
