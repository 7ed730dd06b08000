#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "catalog/words.hpp"

namespace logwood::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Each word; one that stands where the word before it does has a + in front.
std::vector<std::string> words(std::string_view text, bool is_query = false) {
  std::vector<std::string> found;
  for_each_word(text, is_query, [&](const SqlToken& word) {
    found.push_back((word.same_place ? "+" : "") + std::string(word.text));
    EXPECT_LT(word.begin, word.end);
    EXPECT_LE(word.end, text.size());
    return true;
  });
  return found;
}

TEST(Words, LettersDigitsAndUnderscoresMakeWordsInLowerCase) {
  EXPECT_THAT(words("The quick, BROWN fox!"), ElementsAre("the", "quick", "brown", "fox"));
  EXPECT_THAT(words("Größer ÇA Ωmega"), ElementsAre("größer", "ça", "ωmega"));
  EXPECT_THAT(words("e\u0301te\u0301"), ElementsAre("e\u0301te\u0301"));
  EXPECT_THAT(words(""), IsEmpty());
  EXPECT_THAT(words(" -- ++ 🙂 "), IsEmpty());
}

TEST(Words, ADocumentHasThePartsOfIdentifiers) {
  EXPECT_THAT(words("parseHttpRequest"),
              ElementsAre("parsehttprequest", "+parse", "+http", "+request"));
  EXPECT_THAT(words("HTTPServer2"), ElementsAre("httpserver2", "+http", "+server", "+2"));
  EXPECT_THAT(words("retry_after_ms"), ElementsAre("retry_after_ms", "+retry", "+after", "+ms"));
  EXPECT_THAT(words("__init__"), ElementsAre("__init__", "+init"));
  EXPECT_THAT(words("utf8"), ElementsAre("utf8", "+utf", "+8"));
  EXPECT_THAT(words("word"), ElementsAre("word"));
  EXPECT_THAT(words("parseHttpRequest", true), ElementsAre("parsehttprequest"));
}

TEST(Words, AHashHasNoParts) { EXPECT_THAT(words("a1b2c3d4e5f6"), ElementsAre("a1b2c3d4e5f6")); }

TEST(Words, WhatIsWrittenTogetherBecomesPairs) {
  EXPECT_THAT(words("会话存储"), ElementsAre("会话", "话存", "存储", "+储"));
  EXPECT_THAT(words("会话存储", true), ElementsAre("会话", "话存", "存储"));
  EXPECT_THAT(words("会"), ElementsAre("会"));
  EXPECT_THAT(words("会", true), ElementsAre("会"));
  EXPECT_THAT(words("用Redis存"), ElementsAre("用", "redis", "存"));
  EXPECT_THAT(words("검색 エンジン", true), ElementsAre("검색", "エン", "ンジ", "ジン"));
}

TEST(Words, ALoneCharacterAtTheEndIsTheBeginningOfAPair) {
  EXPECT_TRUE(ends_with_lone_character("会"));
  EXPECT_TRUE(ends_with_lone_character("第3章"));
  EXPECT_TRUE(ends_with_lone_character("用 会"));
  EXPECT_FALSE(ends_with_lone_character("会话"));
  EXPECT_FALSE(ends_with_lone_character("会a"));
  EXPECT_FALSE(ends_with_lone_character(""));
}

TEST(Words, BytesThatAreNoTextSeparate) {
  EXPECT_THAT(words("a\xff\x80z"), ElementsAre("a", "z"));
  EXPECT_THAT(words(std::string_view("a\0b", 3)), ElementsAre("a", "b"));
  EXPECT_THAT(words("\xe4\xbc"), IsEmpty());
}

TEST(Words, AVeryLongWordIsKnownByItsBeginning) {
  const auto found = words(std::string(5000, 'x'));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].size(), word_size_max);
}

TEST(Words, WhoHasEnoughEndsIt) {
  int count = 0;
  for_each_word("one two three", false, [&](const SqlToken&) { return ++count < 2; });
  EXPECT_EQ(count, 2);
}

}  // namespace
}  // namespace logwood::catalog
