// What sessions leave beside their files, looked for and erased while calls of the system fail: an
// error is told, and the next attempt succeeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/stored_disk.hpp"

namespace logwood {
namespace {

using storage::Leftover;

const std::vector<EntryId> wanted = {{"a"}};

// A removed session, torn bytes, a session that was never finished, and blobs of another such.
void make_leftovers(StoredDisk& stored, storage::StorageBackend& store) {
  ASSERT_TRUE(store.create({.id = SessionId{"s"}}));
  const Draft draft = Draft::of({.type = "message", .id = EntryId{"a"}});
  ASSERT_TRUE(store.append({"s"}, {&draft, 1}, {}));
  ASSERT_TRUE(store.remove({"s"}));
  stored.disk().put("quarantine/s.10.20260131T080000.000Z", "torn");
  stored.disk().put("quarantine/.odd", "not ours");
  stored.disk().put("trash/odd", "not ours");
  stored.disk().put("trash/t.20260131T080000.000Z.jsonl", "nothing of ours\n");
  stored.disk().put("sessions/killed.jsonl.new", "half");
  stored.disk().put("blobs/lost/" + std::string(64, 'a'), "half");
  stored.disk().put("blobs/empty/odd", "not ours");
}

std::size_t count_of(const std::vector<Leftover>& leftovers, CopyKind kind) {
  std::size_t count = 0;
  for (const Leftover& leftover : leftovers) count += leftover.kind == kind ? 1U : 0U;
  return count;
}

TEST(Leftovers, AreFoundWhateverElseLiesThere) {
  StoredDisk stored;
  auto store = *stored.open();
  make_leftovers(stored, *store);
  const auto found = store->leftovers();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(count_of(*found, CopyKind::trash), 2U);
  EXPECT_EQ(count_of(*found, CopyKind::quarantine), 1U);
  EXPECT_EQ(count_of(*found, CopyKind::unfinished), 2U);
}

TEST(Leftovers, OfAStoreWithoutSuchFoldersAreNone) {
  StoredDisk stored;
  auto store = *stored.open();
  EXPECT_TRUE(store->leftovers()->empty());
}

TEST(Leftovers, AreErasedAlsoAfterACallHasFailed) {
  for (std::uint64_t call = 1; call <= 120; ++call) {
    StoredDisk stored;
    auto store = *stored.open();
    make_leftovers(stored, *store);
    stored.disk().faults().plan({.at_call = call});
    const auto attempt = [&]() -> Result<> {
      LOGWOOD_TRY(const std::vector<Leftover> found, store->leftovers());
      for (const Leftover& leftover : found) {
        if (leftover.session == SessionId{"t"}) continue;  // no session, whatever it is called
        LOGWOOD_TRY(const std::vector<EntryId> held, store->held_by(leftover, wanted));
        if (!held.empty()) LOGWOOD_CHECK(store->erase_in(leftover, held, "gone"));
      }
      return {};
    };
    (void)attempt();
    stored.disk().faults().clear();
    const auto again = attempt();
    ASSERT_TRUE(again) << call << ": " << again.error().message;
    const auto left = store->leftovers();
    EXPECT_EQ(count_of(*left, CopyKind::quarantine) + count_of(*left, CopyKind::unfinished), 0U);
    for (const Leftover& leftover : *left) {
      if (leftover.session != SessionId{"s"}) continue;
      EXPECT_TRUE(store->held_by(leftover, wanted)->empty());
    }
  }
}

}  // namespace
}  // namespace logwood
