// Two processes append while others list, search, archive and erase in the same store, for a while.
// Afterwards every acknowledged entry that nobody erased is there, found by a search for its word
// and counted by the summaries; what was erased is found by nobody; every session verifies.
#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "logwood/store.hpp"
#include "support/budget.hpp"
#include "support/process_child.hpp"
#include "support/process_shared_memory.hpp"
#include "support/repeatable_random.hpp"
#include "support/temporary_folder.hpp"
#include "support/thousands.hpp"

namespace logwood {
namespace {

constexpr std::size_t session_count = 24;
constexpr std::size_t writer_count = 2;
constexpr std::size_t entries_max = 100'000;  // of a writer

enum class Fate : std::uint8_t { none, acknowledged, being_erased, erased };

struct Shared {
  std::atomic<bool> over;
  std::atomic<std::uint64_t> lists, searches, archives, erasures;
  std::atomic<std::uint32_t> written[writer_count];
  std::atomic<Fate> fates[writer_count][entries_max];
  std::atomic<bool> failed;
  char why[400];
};

struct Storm {
  std::string folder;
  std::uint64_t seed = 1;
  SharedMemory<Shared> shared;
};

int fail(Storm& storm, const std::string& why) {
  if (!storm.shared->failed.exchange(true)) {
    why.copy(storm.shared->why, sizeof(storm.shared->why) - 1);
  }
  storm.shared->over = true;
  return 1;
}

SessionId session_of(std::size_t number) { return {fmt::format("s{}", number % session_count)}; }
EntryId entry_of(std::size_t writer, std::size_t number) {
  return {fmt::format("w{}-{}", writer, number)};
}
// A word that stands in this entry and in no other.
std::string word_of(std::size_t writer, std::size_t number) {
  return fmt::format("writer{}word{}end", writer, number);
}

// Waiting for one's turn, and a session that is archived at the moment, are part of the game.
bool may_try_again(const Error& error) {
  return error.code == ErrorCode::busy || error.code == ErrorCode::unsupported ||
         error.code == ErrorCode::unavailable || error.code == ErrorCode::conflict;
}

int append(Storm& storm, std::size_t writer) {
  auto store = Store::open(storm.folder);
  if (!store) return fail(storm, store.error().message);
  for (std::size_t number = 0; number < entries_max && !storm.shared->over;) {
    const Draft draft =
        Draft::of({.type = "message",
                   .payload = fmt::format(R"({{"role":"user","content":"{} and some words more"}})",
                                          word_of(writer, number)),
                   .id = entry_of(writer, number)});
    const SessionId session = session_of(number * writer_count + writer);
    const auto appended =
        store->append(session, draft,
                      {.durability = number % 8 == 0 ? Durability::synced : Durability::buffered});
    if (!appended && appended.error().code == ErrorCode::unsupported) {
      const auto back = store->unarchive(session);
      if (!back && !may_try_again(back.error())) return fail(storm, back.error().message);
      continue;
    }
    if (!appended && may_try_again(appended.error())) {
      (void)store->close(session);
      continue;
    }
    if (!appended) return fail(storm, "append: " + appended.error().message);
    storm.shared->fates[writer][number] = Fate::acknowledged;
    storm.shared->written[writer] = static_cast<std::uint32_t>(++number);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // as fast as a quick agent
  }
  return store->close() ? 0 : fail(storm, "closing a writer failed");
}

int look(Storm& storm) {
  auto store = Store::open(storm.folder);
  if (!store) return fail(storm, store.error().message);
  while (!storm.shared->over) {
    const auto page = store->summaries();
    if (!page && !may_try_again(page.error())) return fail(storm, "ls: " + page.error().message);
    if (page && (page->sessions.size() != session_count || !page->unreadable.empty())) {
      return fail(storm, fmt::format("a list shows {} sessions, {} unreadable{}",
                                     page->sessions.size(), page->unreadable.size(),
                                     page->unreadable.empty()
                                         ? ""
                                         : ": " + page->unreadable.front().error.message));
    }
    ++storm.shared->lists;
  }
  return 0;
}

int search(Storm& storm, std::uint64_t seed) {
  auto store = Store::open(storm.folder);
  if (!store) return fail(storm, store.error().message);
  Choices random(seed);
  while (!storm.shared->over) {
    const std::size_t writer = random.below(writer_count);
    const std::uint32_t written = storm.shared->written[writer];
    if (written == 0) continue;
    const std::size_t number = random.below(written);
    std::atomic<Fate>& fate = storm.shared->fates[writer][number];
    const Fate before = fate;
    const auto page = store->search({.query = word_of(writer, number)});
    if (!page && !may_try_again(page.error()))
      return fail(storm, "search: " + page.error().message);
    if (!page) continue;
    ++storm.shared->searches;
    if (before == Fate::acknowledged && fate == Fate::acknowledged && page->count != 1) {
      return fail(storm,
                  fmt::format("{} was found {} times", word_of(writer, number), page->count));
    }
    if (before == Fate::erased && page->count != 0) {
      return fail(storm, word_of(writer, number) + " was erased, and found");
    }
  }
  return 0;
}

int archive(Storm& storm, std::uint64_t seed) {
  auto store = Store::open(storm.folder);
  if (!store) return fail(storm, store.error().message);
  Choices random(seed);
  while (!storm.shared->over) {
    const SessionId session = session_of(random.below(session_count));
    const auto put_away = store->archive(session);
    if (!put_away && !may_try_again(put_away.error())) {
      return fail(storm, "archive: " + put_away.error().message);
    }
    if (put_away) ++storm.shared->archives;
    const auto loaded = store->status(session);
    if (!loaded && !may_try_again(loaded.error())) {
      return fail(storm, "an archived session: " + loaded.error().message);
    }
    const auto back = store->unarchive(session);
    if (!back && !may_try_again(back.error())) {
      return fail(storm, "unarchive: " + back.error().message);
    }
  }
  return 0;
}

int erase(Storm& storm, std::uint64_t seed) {
  auto store = Store::open(storm.folder);
  if (!store) return fail(storm, store.error().message);
  Choices random(seed);
  while (!storm.shared->over) {
    const std::size_t writer = random.below(writer_count);
    const std::uint32_t written = storm.shared->written[writer];
    if (written == 0) continue;
    const std::size_t number = random.below(written);
    std::atomic<Fate>& fate = storm.shared->fates[writer][number];
    if (fate != Fate::acknowledged && fate != Fate::being_erased) continue;
    fate = Fate::being_erased;
    const auto erased =
        store->erase(session_of(number * writer_count + writer), {entry_of(writer, number)});
    if (!erased && !may_try_again(erased.error())) {
      return fail(storm, "erase: " + erased.error().message);
    }
    if (!erased) continue;
    fate = Fate::erased;
    ++storm.shared->erasures;
  }
  return 0;
}

std::string judge(Storm& storm) {
  auto store = Store::open(storm.folder);
  if (!store) return store.error().message;
  std::uint64_t entries = session_count;  // the headers
  for (std::size_t writer = 0; writer < writer_count; ++writer) {
    for (std::size_t number = 0; number < storm.shared->written[writer]; ++number) {
      ++entries;
      const auto entry =
          store->find(session_of(number * writer_count + writer), entry_of(writer, number));
      if (!entry)
        return fmt::format("{} was acknowledged and is lost", entry_of(writer, number).text);
      const Fate fate = storm.shared->fates[writer][number];
      if (fate == Fate::acknowledged && entry->erased) return "an entry was erased by nobody";
      if (fate == Fate::erased && !entry->erased) return "an erased entry is there";
      if (fate == Fate::being_erased) continue;
      const auto page = store->search({.query = word_of(writer, number)});
      if (!page) return "search: " + page.error().message;
      if (page->count != (fate == Fate::acknowledged ? 1U : 0U)) {
        return fmt::format("{} is found {} times", word_of(writer, number), page->count);
      }
    }
  }
  std::uint64_t counted = 0;
  const auto page = store->summaries();
  if (!page) return page.error().message;
  for (const SessionSummary& summary : page->sessions) {
    const auto report = store->verify(summary.header.id);
    if (!report) return report.error().message;
    if (!report->is_sound()) return "session " + summary.header.id.text + " is not sound";
    if (summary.entries != report->entries) {
      return fmt::format("the summary of {} counts {} entries of {}", summary.header.id.text,
                         summary.entries, report->entries);
    }
    counted += summary.entries;
  }
  if (counted < entries) return fmt::format("{} entries of {}", counted, entries);
  return {};
}

int run(int argc, char** argv) {
  const Budget budget;
  const TemporaryFolder folder;
  Storm storm;
  storm.folder = folder / "store";
  storm.seed = seed_argument(argc, argv, 1);
  {
    StoreOptions options;
    options.create = StoreOptions::Create::if_missing;
    auto store = Store::open(storm.folder, options);
    if (!store) return fail(storm, store.error().message);
    for (std::size_t i = 0; i < session_count; ++i) {
      if (!store->create({.id = session_of(i)})) return 1;
    }
  }
  std::vector<ChildProcess> children;
  for (std::size_t writer = 0; writer < writer_count; ++writer) {
    children.emplace_back([&storm, writer] { return append(storm, writer); });
  }
  children.emplace_back([&storm] { return look(storm); });
  children.emplace_back([&storm] { return search(storm, storm.seed); });
  children.emplace_back([&storm] { return search(storm, storm.seed + 1); });
  children.emplace_back([&storm] { return archive(storm, storm.seed + 2); });
  children.emplace_back([&storm] { return erase(storm, storm.seed + 3); });
  const double seconds = budget.seconds_or(60);
  while (budget.elapsed() < seconds && !storm.shared->over) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  storm.shared->over = true;
  std::string why;
  for (ChildProcess& child : children) {
    if (child.wait() != 0 && why.empty()) why = "a process ended otherwise than it should";
  }
  if (storm.shared->failed) why = storm.shared->why;
  if (why.empty()) why = judge(storm);
  const Shared& shared = *storm.shared;
  std::uint64_t appended = 0;
  for (const auto& written : shared.written) appended += written;
  fmt::print("{} s: {} entries, {} lists, {} searches, {} archives, {} erasures: {}\n",
             static_cast<int>(seconds), thousands(appended), thousands(shared.lists),
             thousands(shared.searches), thousands(shared.archives), thousands(shared.erasures),
             why.empty() ? "nothing lost, nothing erased found" : why);
  return why.empty() ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main(int argc, char** argv) { return logwood::run(argc, argv); }
