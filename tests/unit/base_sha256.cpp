#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/sha256.hpp"

namespace logwood {
namespace {

TEST(Sha256, HasTheKnownAnswersOfFips180) {
  EXPECT_EQ(to_hex(sha256({""})),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256({"abc"})),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256({"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"})),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(to_hex(sha256({std::string(1'000'000, 'a')})),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, IsTheSameHoweverTheBytesAreCut) {
  EXPECT_EQ(sha256({"a", "", "bc"}), sha256({"abc"}));
  EXPECT_EQ(sha256({}), sha256({""}));
  EXPECT_NE(sha256({"ab"}), sha256({"abc"}));
}

TEST(Sha256, IsComputedByThreadsSideBySide) {
  std::vector<std::thread> threads;
  std::vector<std::string> found(4);
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&found, i] {
      for (int n = 0; n < 100; ++n) found[i] = to_hex(sha256({std::string(i + 1, 'x')}));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i], to_hex(sha256({std::string(i + 1, 'x')})));
  }
}

TEST(Sha256, IsReadBackFromItsHex) {
  const Sha256 digest = sha256({"abc"});
  Sha256 read{};
  ASSERT_TRUE(from_hex(to_hex(digest), read));
  EXPECT_EQ(read, digest);
  EXPECT_EQ(as_bytes(read).size(), 32U);
}

TEST(Sha256, RefusesHexThatIsNotSixtyFourLowerCaseDigits) {
  const std::string good(64, 'a');
  Sha256 read{};
  EXPECT_FALSE(from_hex("", read));
  EXPECT_FALSE(from_hex(good.substr(1), read));
  EXPECT_FALSE(from_hex(good + "a", read));
  for (const char bad : {'A', 'g', ' ', '\0', '"'}) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{63}}) {
      std::string text = good;
      text[at] = bad;
      EXPECT_FALSE(from_hex(text, read)) << bad << at;
    }
  }
}

}  // namespace
}  // namespace logwood
