// A process that uses thousands of sessions has only some of them open.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "storage/jsonl/handles.hpp"
#include "support/fast_folder.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

using storage::jsonl::Handles;

std::ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator descriptors("/proc/self/fd");
  return std::distance(begin(descriptors), end(descriptors));
}

Draft message(const std::string& text) {
  return Draft::of({.type = "message", .payload = R"({"text":")" + text + "\"}"});
}

class ManySessions : public ::testing::TestWithParam<Durability> {};

TEST_P(ManySessions, DoNotUseUpTheDescriptors) {
  constexpr int count = 600;
  const TemporaryFolder folder(fast_folder());
  StoreOptions options{.create = StoreOptions::Create::if_missing};
  options.sync_interval = std::chrono::milliseconds(0);  // nobody else syncs what is buffered
  auto store = Store::open(folder / "store", options);
  ASSERT_TRUE(store);
  std::vector<SessionId> sessions;
  for (int i = 0; i < count; ++i) sessions.push_back(store->create()->id);

  const auto before = open_descriptors();
  for (int round = 0; round < 2; ++round) {
    for (const SessionId& session : sessions) {
      ASSERT_TRUE(store->append(session, message("x"), {.durability = GetParam()}));
      ASSERT_TRUE(store->status(session));
    }
    EXPECT_LE(open_descriptors() - before, 2 * static_cast<int>(Handles::limit_by_default) + 2);
  }
  for (const SessionId& session : sessions) EXPECT_EQ(store->load(session)->entries.size(), 3U);
  EXPECT_TRUE(store->close());
}

INSTANTIATE_TEST_SUITE_P(Durabilities, ManySessions,
                         ::testing::Values(Durability::synced, Durability::buffered));

TEST(Handles, LetsGoOfTheOneUsedLongestAgo) {
  Handles handles(2);
  const std::weak_ptr<storage::jsonl::Handle> a = handles.of({"a"});
  const std::weak_ptr<storage::jsonl::Handle> b = handles.of({"b"});
  handles.of({"a"});
  handles.of({"c"});
  EXPECT_TRUE(b.expired());
  EXPECT_FALSE(a.expired());
  EXPECT_EQ(handles.size(), 2U);
}

TEST(Handles, KeepsWhatSomebodyIsAtWorkOn) {
  Handles handles(1);
  const auto used = handles.of({"a"});
  handles.of({"b"});
  handles.of({"c"});
  EXPECT_EQ(handles.of({"a"}), used);
  handles.forget({"a"});
  EXPECT_EQ(handles.of({"a"}), used);
}

}  // namespace
}  // namespace logwood
