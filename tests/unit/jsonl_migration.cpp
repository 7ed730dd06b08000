// Sealing a session of version 0: all of it or nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/sealed_lines.hpp"
#include "support/stored_disk.hpp"

namespace logwood {
namespace {

using ::testing::HasSubstr;

const std::string file = "sessions/s.jsonl";
const std::string header =
    "{\"id\":\"s\",\"type\":\"session_header\",\"payload\":{\"version\":0}}\n";

class Migration : public ::testing::Test {
 protected:
  Migration() : store_(*stored_.open()) {}

  // Refused for a reason that the message gives, and the file stays as it is.
  void expect_refused(const std::string& bytes, ErrorCode code, const std::string& why) {
    stored_.disk().put(file, bytes);
    const auto migrated = store_->migrate({"s"});
    ASSERT_FALSE(migrated);
    EXPECT_EQ(migrated.error().code, code);
    EXPECT_THAT(migrated.error().message, HasSubstr(why));
    EXPECT_EQ(stored_.disk().content(file), bytes);
  }

  StoredDisk stored_;
  std::unique_ptr<storage::StorageBackend> store_;
};

TEST_F(Migration, CarriesOverMoreThanItHoldsInMemory) {
  std::string bytes = header;
  for (int i = 0; i < 300; ++i) {
    bytes += "{\"id\":\"e" + std::to_string(i) + "\",\"type\":\"message\",\"payload\":\"" +
             std::string(10'000, 'x') + "\"}\n";
  }
  stored_.disk().put(file, bytes);

  const auto migrated = store_->migrate({"s"});

  ASSERT_TRUE(migrated) << migrated.error().message;
  EXPECT_EQ(migrated->entries, 301U);
  const auto report = store_->verify({"s"});
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->is_sound());
  EXPECT_EQ(report->entries, 301U);
}

TEST_F(Migration, IsNotForASessionOfANewerVersion) {
  SealedLines lines("s");
  lines.batch({R"({"id":"s","parentId":null,"type":"session_header","payload":{"version":2})"});
  expect_refused(lines.bytes(), ErrorCode::unsupported, "version 2");
}

TEST_F(Migration, IsNotForASessionUnderAnotherName) {
  expect_refused("{\"id\":\"t\",\"type\":\"session_header\",\"payload\":{\"version\":0}}\n",
                 ErrorCode::unsupported, "rename it back");
}

TEST_F(Migration, LeavesAHeaderThatIsNotTheFirstEntryAsItIs) {
  const std::string others = R"({"id":"t","type":"session_header","payload":{"version":0}})"
                             "\n"
                             R"({"id":"u","type":"session_header","payload":{"version":7}})"
                             "\n";
  stored_.disk().put(file, header + others);

  const auto migrated = store_->migrate({"s"});

  ASSERT_TRUE(migrated) << migrated.error().message;
  EXPECT_EQ(migrated->entries, 3U);
  EXPECT_EQ(store_->status({"s"})->header.version, 1U);
  EXPECT_THAT(store_->find({"s"}, {"t"})->text, HasSubstr(R"("version":0)"));
  EXPECT_THAT(store_->find({"s"}, {"u"})->text, HasSubstr(R"("version":7)"));
}

}  // namespace
}  // namespace logwood
