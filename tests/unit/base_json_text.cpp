#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/json_text.hpp"
#include "base_vector_cases.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

JsonFault fault_named(std::string_view name) {
  if (name == "utf8") return JsonFault::not_utf8;
  return name == "depth" ? JsonFault::too_deep : JsonFault::syntax;
}

std::vector<std::pair<std::string, std::string>> members_of(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> found;
  EXPECT_TRUE(check_json(
      text, [&](const JsonMember& member) { found.emplace_back(member.key, member.value); }));
  return found;
}

std::vector<std::string> elements_of(std::string_view array) {
  std::vector<std::string> found;
  for_each_json_element(array, [&](std::string_view element) { found.emplace_back(element); });
  return found;
}

std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

TEST(JsonText, AgreesWithEveryVectorOfTheFormat) {
  const std::size_t cases = for_each_vector_case("json.json", [](const VectorCase& vector) {
    SCOPED_TRACE(vector.text("name"));
    const std::string text = vector.bytes("text");
    const JsonCheck check = check_json(text);
    ASSERT_EQ(static_cast<bool>(check), vector.is_true("valid"));
    if (check) {
      EXPECT_EQ(check.has_newline, vector.is_true("newline"));
    } else {
      EXPECT_EQ(check.fault, fault_named(vector.text("fault")));
    }
  });
  EXPECT_GT(cases, 200U);
}

TEST(JsonText, EveryPrefixOfAnObjectIsASyntaxFaultWithinTheText) {
  const std::string text =
      R"({"a":[1,-2.5e+3,true,false,null,"x\u00e9\n\"",{}],"b":{"c":[]},"long":"0123456789abcdef"})";
  ASSERT_TRUE(check_json(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    const JsonCheck check = check_json(text.substr(0, size));
    EXPECT_EQ(check.fault, JsonFault::syntax) << size;
    EXPECT_LE(check.offset, size);
  }
}

TEST(JsonText, SaysWhereTheSyntaxGoesWrong) {
  EXPECT_EQ(check_json(R"({"a":1,})").offset, 7U);
  EXPECT_EQ(check_json("[1 2]").offset, 3U);
  EXPECT_EQ(check_json("").offset, 0U);
}

TEST(JsonText, FindsControlCharactersInStringsAtEveryPlaceOfAWord) {
  for (std::size_t at = 0; at < 24; ++at) {
    std::string text = '"' + std::string(24, 'x') + '"';
    for (const char bad : {'\0', '\x01', '\n', '\r', '\t', '\x1f'}) {
      text[1 + at] = bad;
      EXPECT_FALSE(check_json(text)) << at << ' ' << static_cast<int>(bad);
    }
    text[1 + at] = '\x7f';
    EXPECT_TRUE(check_json(text)) << at;
    text[1 + at] = ' ';
    EXPECT_TRUE(check_json(text)) << at;
  }
}

TEST(JsonText, TakesNestingUpToTheLimitAndNoneBeyond) {
  for (const auto& [open, close] : {std::pair('[', ']')}) {
    EXPECT_TRUE(check_json(nested(json_depth_max, open, close)));
    const JsonCheck deeper = check_json(nested(json_depth_max + 1, open, close));
    EXPECT_EQ(deeper.fault, JsonFault::too_deep);
    EXPECT_EQ(deeper.offset, json_depth_max);
  }
  std::string objects;
  for (std::size_t i = 0; i + 1 < json_depth_max; ++i) objects += R"({"a":)";
  EXPECT_TRUE(check_json(objects + "{}" + std::string(json_depth_max - 1, '}')));
  EXPECT_EQ(check_json(objects + "{\"a\":{}}" + std::string(json_depth_max - 1, '}')).fault,
            JsonFault::too_deep);
}

TEST(JsonText, TellsTheMembersOfTheOuterObjectInOrderWithDuplicates) {
  EXPECT_THAT(members_of(R"( { "a" : 1 , "b":{"a":2},"a":[3,{"c":4}] ,"":"x" } )"),
              ElementsAre(Pair("a", "1"), Pair("b", R"({"a":2})"), Pair("a", R"([3,{"c":4}])"),
                          Pair("", "\"x\"")));
  EXPECT_THAT(members_of(R"([{"a":1}])"), IsEmpty());
  EXPECT_THAT(members_of("{}"), IsEmpty());
  EXPECT_THAT(members_of("7"), IsEmpty());
}

TEST(JsonText, FindsTheSameMembersWithoutChecking) {
  const auto members = [](const auto& walk, std::string_view text) {
    std::string found;
    walk(text, [&](const JsonMember& member) {
      found += std::string(member.key) + "=" + std::string(member.value) + ";";
    });
    return found;
  };
  const auto checking = [](std::string_view text, const JsonMemberVisitor& visit) {
    (void)check_json(text, visit);
  };
  const auto walking = [](std::string_view text, const JsonMemberVisitor& visit) {
    for_each_json_member(text, visit);
  };
  for (const char* const text :
       {R"({})",
        R"({"a name that is longer than a step":"and a \\ value","b\"\\":"sixteen bytes or more"})",
        R"({"a":1})", R"( { "a" : [1, {"b":"}"}] , "c":"\\" ,"d":"\\\"," } )",
        R"({"a":{"a":"\"}"},"a":true,"\u0061":null,"":""})", R"([{"a":1}])", R"("a")", R"(1)",
        R"({"x":"]","y":[[[]]],"z":-1e5})"}) {
    ASSERT_TRUE(check_json(text)) << text;
    EXPECT_EQ(members(walking, text), members(checking, text)) << text;
  }
}

TEST(JsonText, FindsMembersWhileItChecks) {
  JsonValues<3> values;
  EXPECT_TRUE(check_json(R"( {"a":1,"b":[2],"\u0061":3} )", {"b", "a", "c"}, values));
  EXPECT_THAT(values, ElementsAre("[2]", "3", ""));
}

TEST(JsonText, TellsEachElementWithItsMembers) {
  std::string found;
  for_each_json_object(R"([{"a":1,"b":{"a":2}} , {}, "}", {"b":"]","a":[{"a":3}]},[{"a":4}]])",
                       {"a", "b"}, [&](std::string_view element, const JsonValues<2>& values) {
                         found += std::string(element) + " a=" + std::string(values[0]) +
                                  " b=" + std::string(values[1]) + "\n";
                       });
  EXPECT_EQ(found, R"({"a":1,"b":{"a":2}} a=1 b={"a":2}
{} a= b=
"}" a= b=
{"b":"]","a":[{"a":3}]} a=[{"a":3}] b="]"
[{"a":4}] a= b=
)");
}

TEST(JsonText, WhatIsNoJsonIsReadWithinItsBounds) {
  const std::string text = R"({"a":[1,{"b":"c\"}],"d\\":"e\u00","f":{"g":[)";
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    for (std::size_t end = begin; end <= text.size(); ++end) {
      // A copy of its own, so that a sanitizer sees a step beyond it.
      const std::vector<char> bytes(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                    text.begin() + static_cast<std::ptrdiff_t>(end));
      const std::string_view part(bytes.data(), bytes.size());
      for_each_json_object(part, {"b"}, [&](std::string_view element, const JsonValues<1>&) {
        EXPECT_LE(element.size(), part.size());
      });
      for_each_json_member(part, [&](const JsonMember& member) {
        EXPECT_LE(member.value.size(), part.size());
        (void)json_string_value(member.value);
        (void)member.is("a");
      });
      for_each_json_element(part, [&](std::string_view element) { EXPECT_FALSE(element.empty()); });
    }
  }
}

TEST(JsonText, ComparesNamesAfterResolvingEscapes) {
  EXPECT_TRUE((JsonMember{"seal", "1"}).is("seal"));
  EXPECT_TRUE((JsonMember{R"(\u0073eal)", "1"}).is("seal"));
  EXPECT_TRUE((JsonMember{R"(a\/b)", "1"}).is("a/b"));
  EXPECT_FALSE((JsonMember{"seals", "1"}).is("seal"));
  EXPECT_FALSE((JsonMember{R"(\u0053eal)", "1"}).is("seal"));
  EXPECT_FALSE((JsonMember{R"(seal\ud800)", "1"}).is("seal"));
}

TEST(JsonText, FindsAMemberTheLastOfSeveral) {
  EXPECT_EQ(json_member(R"({"a":1,"b":2,"a":3})", "a"), "3");
  EXPECT_EQ(json_member(R"({"a":{"b":1}})", "b"), "");
  EXPECT_EQ(json_member(R"({"a":1})", "c"), "");
  EXPECT_EQ(json_member("[1]", "a"), "");
  EXPECT_EQ(json_member("", "a"), "");
  EXPECT_EQ(json_member(R"({"\u0061":null})", "a"), "null");
  EXPECT_EQ(json_member(R"({"a" : " x " })", "a"), R"(" x ")");
}

TEST(JsonText, TellsTheElementsOfAnArray) {
  EXPECT_THAT(elements_of("[]"), IsEmpty());
  EXPECT_THAT(elements_of("[ \t]"), IsEmpty());
  EXPECT_THAT(elements_of("[1]"), ElementsAre("1"));
  EXPECT_THAT(elements_of("[ 1 ,\t\"a,]b\\\"\" , [2,[3]],{\"x\":[4],\"y\":\"}\"} , null ]"),
              ElementsAre("1", "\"a,]b\\\"\"", "[2,[3]]", R"({"x":[4],"y":"}"})", "null"));
  EXPECT_THAT(elements_of(R"({"a":[1]})"), IsEmpty());
  EXPECT_THAT(elements_of("7"), IsEmpty());
  EXPECT_THAT(elements_of(""), IsEmpty());
}

TEST(JsonText, DescribesFaultsForAMessage) {
  EXPECT_EQ(describe(check_json("{}")), "is valid JSON");
  EXPECT_EQ(describe(check_json("\"\xff\"")), "is not valid UTF-8");
  EXPECT_EQ(describe(check_json("[1,]")), "is not valid JSON at byte 3");
  EXPECT_EQ(describe(check_json(nested(129, '[', ']'))), "nests deeper than 128 at byte 128");
}

TEST(JsonText, ResolvesEveryEscapeOfAString) {
  EXPECT_EQ(json_string_value(R"("")"), "");
  EXPECT_EQ(json_string_value(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(json_string_value(R"("\u0000")"), std::string(1, '\0'));
  EXPECT_EQ(json_string_value(R"("\u007f\u0080\u07ff\u0800\uffff")"),
            "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf");
  EXPECT_EQ(json_string_value(R"("\uD83D\uDE42 \ud800\udc00\udbff\udfff")"),
            "\xf0\x9f\x99\x82 \xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
  EXPECT_EQ(json_string_value(R"("\u00aF\u00Ff")"), "\xc2\xaf\xc3\xbf");
}

TEST(JsonText, HasNoValueForHalfASurrogatePair) {
  for (const char* token :
       {R"("\ud800")", R"("\udc00")", R"("\udfff")", R"("\ud800x")", R"("\ud800\n")",
        R"("\ud800\ud800")", R"("\udbff\u0041")", R"("\ud800\ue000")", R"("\udc00\ud800")"}) {
    EXPECT_EQ(json_string_value(token), std::nullopt) << token;
  }
}

TEST(JsonText, ReadsAroundHalfASurrogatePair) {
  EXPECT_EQ(json_text_or_empty(R"("cut \ud83d")"), "cut \uFFFD");
  EXPECT_EQ(json_text_or_empty(R"("\udc00\ud83d\ude42\ud800\n")"), "\uFFFD\U0001F642\uFFFD\n");
  EXPECT_EQ(json_text_or_empty(R"("\ud800\ud83d\ude42")"), "\uFFFD\U0001F642");
  EXPECT_EQ(json_text_or_empty("12"), "");
  EXPECT_EQ(json_text_or_empty(""), "");
}

TEST(JsonText, HasNoStringValueForOtherTokens) {
  for (const char* token : {"", "\"", "7", "null", "{}", "[\"a\"]", "\"a", "a\""}) {
    EXPECT_EQ(json_string_value(token), std::nullopt) << token;
  }
}

TEST(JsonText, QuotesWhatItReadsBack) {
  const std::string texts[] = {"",
                               "plain",
                               "\"quoted\" \\ back",
                               "\n\t\r\b\f",
                               std::string("\0\x01\x1f\x7f", 4),
                               "\xe2\x80\xa8 and \xe2\x80\xa9",
                               "\xe2\x80\xa7\xe2\x80\xaa\xe2\x82\xac",
                               "\xf0\x9f\x99\x82",
                               "\xe2\x80\xa8"};
  for (const std::string& text : texts) {
    const std::string token = json_quoted(text);
    EXPECT_TRUE(check_json(token)) << token;
    EXPECT_EQ(json_string_value(token), text) << token;
  }
  for (unsigned code = 0; code < 0x80; ++code) {
    const std::string text(3, static_cast<char>(code));
    EXPECT_EQ(json_string_value(json_quoted(text)), text) << code;
  }
}

TEST(JsonText, WritesNoRawControlCharacterNorLineSeparator) {
  EXPECT_EQ(json_quoted("a\"b\\c\nd\te"), R"("a\"b\\c\nd\te")");
  EXPECT_EQ(json_quoted(std::string("\0\x1b\r\x7f", 4)), R"("\u0000\u001b\u000d\u007f")");
  EXPECT_EQ(json_quoted("\xe2\x80\xa8\xe2\x80\xa9"), R"("\u2028\u2029")");
}

}  // namespace
}  // namespace logwood
