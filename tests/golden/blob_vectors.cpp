// The bodies of tests/vectors/blobs.json: which strings of each move to blobs, and what is stored
// in their place (docs/format.md, F17.1 and F17.2).
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "model/long_strings.hpp"
#include "support/oracle_text.hpp"

namespace logwood {
namespace {

struct SpillVector {
  std::string name;
  std::string body;
  std::string stored;  // empty: no string moves
};

std::vector<SpillVector> all_spill_vectors() {
  std::ifstream file(std::string(LOGWOOD_SOURCE_FOLDER) + "/tests/vectors/blobs.json",
                     std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<SpillVector> vectors;
  for_each_json_element(json_member(text, "cases"), [&](std::string_view json) {
    vectors.push_back({json_text_or_empty(json_member(json, "name")),
                       bytes_of_parts(json_member(json, "body")),
                       bytes_of_parts(json_member(json, "stored"))});
  });
  return vectors;
}

TEST(BlobVectors, SayWhatIsStoredInThePlaceOfLongStrings) {
  const std::vector<SpillVector> vectors = all_spill_vectors();
  EXPECT_GT(vectors.size(), 20U);
  for (const SpillVector& vector : vectors) {
    SCOPED_TRACE(vector.name);
    const SpilledText spilled = spill(vector.body);
    EXPECT_TRUE(spilled.body == vector.stored);
    ASSERT_EQ(spilled.refs.size(), spilled.strings.size());
    for (std::size_t i = 0; i < spilled.refs.size(); ++i) {
      EXPECT_EQ(to_hex(sha256({spilled.strings[i]})), spilled.refs[i].hash);
      EXPECT_EQ(spilled.strings[i].size(), spilled.refs[i].length);
    }
  }
}

TEST(BlobVectors, GiveTheSameBodyAgainWhenItIsRestored) {
  for (const SpillVector& vector : all_spill_vectors()) {
    SCOPED_TRACE(vector.name);
    const auto list = find_blobs(vector.stored);
    ASSERT_EQ(list.has_value(), !vector.stored.empty());
    if (!list) continue;
    const SpilledText spilled = spill(vector.body);
    EXPECT_EQ(list->refs, spilled.refs);
    ASSERT_TRUE(can_be_restored(vector.stored, *list));
    EXPECT_TRUE(restored(vector.stored, *list, {spilled.strings.begin(), spilled.strings.end()}) ==
                vector.body);
  }
}

}  // namespace
}  // namespace logwood
