#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "storage/postgres/word_vectors.hpp"

namespace logwood::storage::postgres {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Words = std::map<std::string, std::vector<unsigned>>;

// A vector as the server reads it.
Words words_in(const std::string& vector) {
  std::size_t at = 0;
  const auto number = [&](std::size_t size) {
    unsigned value = 0;
    while (size-- > 0) value = value * 256 + static_cast<unsigned char>(vector.at(at++));
    return value;
  };
  Words words;
  for (unsigned left = number(4); left > 0; --left) {
    const std::size_t end = vector.find('\0', at);
    const std::string word = vector.substr(at, end - at);
    at = end + 1;
    EXPECT_FALSE(words.contains(word)) << word;
    auto& places = words[word];
    for (unsigned count = number(2); count > 0; --count) {
      places.push_back(number(2));
    }
    EXPECT_EQ(std::adjacent_find(places.begin(), places.end(), std::greater_equal<>()),
              places.end())
        << word;
    EXPECT_LE(places.size(), 255U) << word;
  }
  EXPECT_EQ(at, vector.size());
  return words;
}

TEST(WordVectors, AVectorHoldsTheWordsTheirPlacesAndTheTenant) {
  const auto parts = parts_of("Parse the parseHttpRequest, the_the", 5);
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_EQ(parts[0].body, "Parse the parseHttpRequest, the_the");
  Words words = words_in(parts[0].vector);
  EXPECT_THAT(words["parse"], ElementsAre(1, 3));
  EXPECT_THAT(words["the"], ElementsAre(2, 4));
  EXPECT_THAT(words["parsehttprequest"], ElementsAre(3));
  EXPECT_THAT(words["http"], ElementsAre(3));
  EXPECT_THAT(words["the_the"], ElementsAre(4));
  EXPECT_THAT(words["=5"], IsEmpty());
  EXPECT_THAT(words, SizeIs(7));
}

TEST(WordVectors, TextWithoutWordsIsOnePart) {
  for (const char* text : {"", "...", " "}) {
    const auto parts = parts_of(text, 1);
    ASSERT_THAT(parts, SizeIs(1));
    EXPECT_EQ(parts[0].body, text);
    EXPECT_THAT(words_in(parts[0].vector), SizeIs(1));
  }
}

void expect_whole(const std::string& text) {
  const auto parts = parts_of(text, 1);
  ASSERT_GT(parts.size(), 1U);
  std::size_t covered = 0;
  for (const TextPart& part : parts) {
    const auto begin = static_cast<std::size_t>(part.body.data() - text.data());
    EXPECT_LE(begin, covered);
    EXPECT_GT(begin + part.body.size(), covered);
    covered = begin + part.body.size();
    EXPECT_LT(part.vector.size(), 1'000'000U);
    const Words words = words_in(part.vector);
    EXPECT_TRUE(words.contains("=1+"));
    EXPECT_FALSE(words.contains("=1"));
  }
  EXPECT_EQ(covered, text.size());
}

TEST(WordVectors, LongTextIsCutIntoPartsThatShareWords) {
  std::string different;
  for (int i = 0; i < 50'000; ++i) different += "w" + std::to_string(i) + ' ';
  expect_whole(different);
  std::string same;
  for (int i = 0; i < 1000; ++i) same += "x ";
  expect_whole(same);
  std::string large;
  for (int i = 0; i < 12'000; ++i) large += std::string(120, 'y') + std::to_string(i) + ' ';
  expect_whole(large);
  std::string together;
  for (int i = 0; i < 40'000; ++i) together += i % 2 == 0 ? "会" : "话";
  expect_whole(together);
}

}  // namespace
}  // namespace logwood::storage::postgres
