// Sessions as long as an agent that never stops makes them.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "contract/on_every_backend.hpp"

namespace logwood {
namespace {

class Size : public OnEveryBackend {};

TEST_P(Size, ASessionMayHaveAHundredThousandEntries) {
  constexpr int batches = 100;
  constexpr int entries_each = 1000;
  const SessionId s = make_session();
  for (int batch = 0; batch < batches; ++batch) {
    std::vector<Draft> drafts;
    for (int i = 0; i < entries_each; ++i) {
      const int number = batch * entries_each + i;
      drafts.push_back(message(fmt::format("e{}", number), fmt::format("line {}", number)));
    }
    const auto appended = store_->append(s, drafts);
    ASSERT_TRUE(appended) << appended.error().message;
  }
  reopen();

  const std::vector<std::string> all = loaded(s);
  ASSERT_EQ(all.size(), static_cast<std::size_t>(batches) * entries_each);
  EXPECT_EQ(all.front(), "e0");
  EXPECT_EQ(all[54'321], "e54321");
  EXPECT_EQ(all.back(), "e99999");
  const auto last = store_->load_last(s, 200);
  ASSERT_TRUE(last) << last.error().message;
  ASSERT_EQ(last->entries.size(), 200U);
  EXPECT_TRUE(last->has_more);
  EXPECT_EQ(last->entries.back().id.text, "e99800");
  EXPECT_THAT(store_->find(s, {"e50000"})->text, ::testing::HasSubstr("line 50000"));
  EXPECT_EQ(store_->status(s)->tail, EntryId{"e99999"});
  ASSERT_TRUE(store_->erase(s, {{"e50000"}}));
  const auto report = store_->verify(s);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->is_sound());
  EXPECT_EQ(report->tombstones, 1U);
}

LOGWOOD_ON_EVERY_BACKEND(Size);

}  // namespace
}  // namespace logwood
