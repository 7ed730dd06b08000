// Four writers and two readers work on the sessions of one store, and one of them
// after the other is killed with SIGKILL and started again.
//
//   - What a writer was told is stored is there afterwards, byte for byte; what was
//     refused is not; the rest is there whole or not at all.
//   - A reader sees whole batches only, and what it has seen stays, in that order,
//     for whoever reads next.
//   - A lock does not outlive its holder: nobody waits a second for a lock that
//     nobody alive holds.
//
// The file system is that of TMPDIR; tests/programs/on_file_system provides some.
#include <fmt/format.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "logwood/store.hpp"
#include "support/budget.hpp"
#include "support/process_child.hpp"
#include "support/process_ledger.hpp"
#include "support/process_lock_times.hpp"
#include "support/process_shared_memory.hpp"
#include "support/temporary_folder.hpp"
#include "support/thousands.hpp"

namespace logwood {
namespace {

using std::chrono::milliseconds;
using Random = std::mt19937_64;

constexpr std::uint32_t writer_count = 4;
constexpr std::uint32_t reader_count = 2;
constexpr std::uint32_t session_count = 3;
constexpr std::uint64_t kills_of_campaign = 500;
constexpr std::uint64_t kills_of_round = 40;  // then everything is checked, in a store of its own
constexpr milliseconds longest_wait_allowed{1000};
// A session that has grown to this gets small batches only: a writer that is
// started again reads it all, and the storm should be about something else.
constexpr std::uint64_t big_batches_until_bytes = 48U << 20U;

std::uint64_t any_of(Random& random, std::uint64_t least, std::uint64_t most) {
  return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
}
bool one_in(Random& random, std::uint64_t odds) { return any_of(random, 1, odds) == 1; }

// What a reader has seen of a session: it lives longer than the reader.
struct Seen {
  static constexpr std::uint32_t batches_max = writer_count * Ledger::batches_max;
  std::atomic<std::uint32_t> count;
  BatchKey batches[batches_max];
};

// What all processes share.
struct Storm {
  std::string folder;
  std::array<SessionId, session_count> sessions;
  Ledger ledger{writer_count};
  LockTimes lock_times;
  SharedMemory<Seen> seen{reader_count * session_count};
  SharedMemory<std::atomic<std::uint64_t>> looks;      // of readers
  SharedMemory<std::atomic<std::uint64_t>> conflicts;  // of writers
  SharedMemory<std::atomic<bool>> holds_lock{writer_count};
  SharedMemory<std::atomic<bool>> failed;

  [[nodiscard]] Seen& seen_by(std::uint32_t reader, std::uint32_t session) const {
    return seen[reader * session_count + session];
  }

  // Tells what is wrong, once: one failure is often seen by several.
  int fail(const std::string& who, const std::string& what) const {
    if (!failed->exchange(true)) fmt::print("{}: {}\n", who, what);
    return 1;
  }
};

// --- writers ------------------------------------------------------------------------------------

struct BatchShape {
  std::uint32_t entry_count = 1;
  std::uint32_t entry_size_bytes = 100;
};

BatchShape any_shape(Random& random, bool may_be_big) {
  const auto shape = [&](std::uint64_t entries_max, std::uint64_t least, std::uint64_t most) {
    return BatchShape{static_cast<std::uint32_t>(any_of(random, 1, entries_max)),
                      static_cast<std::uint32_t>(any_of(random, least, most))};
  };
  const std::uint64_t draw = any_of(random, 1, 100);
  if (draw <= 70 || (!may_be_big && draw > 85)) return shape(3, 100, 2000);
  if (draw <= 85) return shape(8, 1000, 64U << 10U);
  if (draw <= 95) return shape(4, 256U << 10U, 2U << 20U);
  return {3, (32U << 20U) / 3};
}

class Writer {
 public:
  Writer(Storm& storm, std::uint32_t number, std::uint64_t seed)
      : storm_(storm), number_(number), random_(seed) {}

  int run() {
    StoreOptions options;
    // The store asks for the time when it has the lock: the only sign of it from outside.
    options.now = [this] {
      if (asking_ && std::this_thread::get_id() == thread_) {
        note(LockEvent::got);
        storm_.holds_lock[number_] = true;
      }
      return std::chrono::system_clock::now();
    };
    auto store = Store::open(storm_.folder, options);
    if (!store) return fail(store.error().message);
    store_ = &*store;
    if (!finish_what_was_begun()) return 1;
    while (append_something()) {
    }
    return 1;
  }

 private:
  int fail(const std::string& what) const {
    return storm_.fail("writer " + std::to_string(number_), what);
  }
  void note(LockEvent event) const { storm_.lock_times.add(event, number_, session_); }

  // The batch that was being appended when the writer was killed may be appended
  // again, or be left in doubt for ever.
  bool finish_what_was_begun() {
    const std::uint32_t count = storm_.ledger.count(number_);
    if (count == 0) return true;
    const BatchKey last{number_, count - 1};
    if (storm_.ledger[last].answer != Answer::none || one_in(random_, 3)) return true;
    return append(last, {});
  }

  bool append_something() {
    if (one_in(random_, 20)) {
      const SessionId& session = storm_.sessions[any_of(random_, 0, session_count - 1)];
      auto done = one_in(random_, 2) ? store_->flush(session) : store_->close(session);
      if (!done) return fail(done.error().message) == 0;
    }
    const auto session = static_cast<std::uint32_t>(any_of(random_, 0, session_count - 1));
    std::error_code unknown;
    const auto size = std::filesystem::file_size(
        storm_.folder + "/sessions/" + storm_.sessions[session].text + ".jsonl", unknown);
    const BatchShape shape = any_shape(random_, !unknown && size < big_batches_until_bytes);

    AppendOptions options;
    if (one_in(random_, 2)) options.durability = Durability::buffered;
    if (one_in(random_, 3)) {
      auto status = store_->status(storm_.sessions[session]);
      if (!status) return fail("status: " + status.error().message) == 0;
      options.expected_tail = ExpectedTail{status->tail};
    }
    const auto key =
        storm_.ledger.intend(number_, session, shape.entry_count, shape.entry_size_bytes);
    if (!key) return fail("the ledger is full") == 0;
    return append(*key, options);
  }

  bool append(const BatchKey& key, const AppendOptions& options) {
    LedgerBatch& batch = storm_.ledger[key];
    const std::vector<Draft> drafts = storm_.ledger.drafts(key);
    session_ = batch.session;
    note(LockEvent::asked);
    asking_ = true;
    auto appended = store_->append(storm_.sessions[session_], drafts, options);
    asking_ = false;
    storm_.holds_lock[number_] = false;
    note(LockEvent::let_go);
    if (appended) {
      batch.answer = Answer::acknowledged;
      return true;
    }
    if (appended.error().code != ErrorCode::conflict || !options.expected_tail) {
      return fail("append: " + std::string(name_of(appended.error().code)) + ": " +
                  appended.error().message) == 0;
    }
    batch.answer = Answer::refused;
    ++*storm_.conflicts;
    return true;
  }

  Storm& storm_;
  std::uint32_t number_;
  Random random_;
  Store* store_ = nullptr;
  std::thread::id thread_ = std::this_thread::get_id();
  std::uint32_t session_ = 0;
  bool asking_ = false;
};

// --- readers ------------------------------------------------------------------------------------

std::optional<std::string> check_problems(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    if (is_loss(problem.kind)) return describe(problem);
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(const Storm& storm, std::uint32_t number, std::uint64_t seed)
      : storm_(storm), number_(number), random_(seed) {}

  int run() {
    auto store = Store::open(storm_.folder);
    if (!store) return fail(store.error().message);
    store_ = &*store;
    while (true) {
      const auto session = static_cast<std::uint32_t>(any_of(random_, 0, session_count - 1));
      std::optional<std::string> wrong = read_forwards(session);
      if (!wrong) wrong = read_backwards(session);
      if (!wrong) wrong = find_some(session);
      if (wrong) return fail("session " + storm_.sessions[session].text + ": " + *wrong);
      ++*storm_.looks;
      std::this_thread::sleep_for(milliseconds(any_of(random_, 0, 20)));  // writers need a core too
    }
  }

 private:
  int fail(const std::string& what) const {
    return storm_.fail("reader " + std::to_string(number_), what);
  }

  // From the first entry to the last, and then what comes along meanwhile.
  std::optional<std::string> read_forwards(std::uint32_t session) {
    auto reader = store_->read(storm_.sessions[session], 100);
    if (!reader) return reader.error().message;
    LedgerReading reading(storm_.ledger, session);
    const std::uint64_t looks = any_of(random_, 1, 4);
    for (std::uint64_t look = 0; look < looks;) {
      auto page = reader->next();
      if (!page) return page.error().message;
      if (auto wrong = check_problems(page->problems)) return wrong;
      for (const Entry& entry : page->entries) {
        if (auto wrong = reading.take(entry)) return wrong;
      }
      if (page->has_more) continue;
      if (auto wrong = reading.at_end()) return wrong;
      if (auto wrong = compare_with_seen(session, reading.batches())) return wrong;
      ++look;
    }
    return std::nullopt;
  }

  std::optional<std::string> compare_with_seen(std::uint32_t session,
                                               const std::vector<BatchKey>& batches) {
    Seen& seen = storm_.seen_by(number_, session);
    if (batches.size() < seen.count) {
      return std::to_string(seen.count) + " batches were seen before, now there are " +
             std::to_string(batches.size());
    }
    for (std::uint32_t i = 0; i < seen.count; ++i) {
      if (batches[i] != seen.batches[i]) return "batches that were seen have changed their order";
    }
    for (std::size_t i = seen.count; i < batches.size(); ++i) {
      seen.batches[i] = batches[i];
      ++seen.count;  // only now: we may be killed between the two
    }
    return std::nullopt;
  }

  // The newest entries: they end with a whole batch, and go on from what was seen.
  std::optional<std::string> read_backwards(std::uint32_t session) {
    auto page = store_->load_last(storm_.sessions[session], any_of(random_, 1, 50));
    if (!page) return page.error().message;
    std::uint32_t next_place = 0;   // of the batch of the entry after it; 0: a new batch
    std::vector<BatchKey> batches;  // newest first
    for (const Entry& entry : page->entries) {
      if (kind_of(entry.type) == EntryKind::header) continue;
      if (!has_its_content(storm_.ledger, entry)) {
        return "entry " + entry.id.text + " at the end is not what was appended";
      }
      const EntryPlaceInBatch at = *place_of(entry.id.text);
      const bool last_of_batch = at.place == storm_.ledger[at.batch].entry_count;
      const bool continues = next_place > 1 && at.batch == batches.back();
      if (continues ? at.place + 1 != next_place : !last_of_batch || next_place > 1) {
        return "the batch of entry " + entry.id.text + " is not whole at the end";
      }
      if (!continues) batches.push_back(at.batch);
      next_place = at.place;
    }
    const Seen& seen = storm_.seen_by(number_, session);
    if (seen.count == 0) return std::nullopt;
    auto known = std::find(batches.begin(), batches.end(), seen.batches[seen.count - 1]);
    for (std::uint32_t i = seen.count; known != batches.end() && i > 0; ++known) {
      if (*known != seen.batches[--i]) return "the end has another order than was seen";
    }
    return std::nullopt;
  }

  // Some batches that a writer was told are stored.
  std::optional<std::string> find_some(std::uint32_t session) {
    for (int attempt = 0; attempt < 5; ++attempt) {
      const auto writer = static_cast<std::uint32_t>(any_of(random_, 0, writer_count - 1));
      const std::uint32_t count = storm_.ledger.count(writer);
      if (count == 0) continue;
      const BatchKey key{writer, static_cast<std::uint32_t>(any_of(random_, 0, count - 1))};
      const LedgerBatch& batch = storm_.ledger[key];
      if (batch.session != session || batch.answer != Answer::acknowledged) continue;
      const auto place = any_of(random_, 1, batch.entry_count);
      const EntryId id{"w" + std::to_string(writer) + "-" + std::to_string(key.number) + "-" +
                       std::to_string(place)};
      auto found = store_->find(storm_.sessions[session], id);
      if (!found) return "find " + id.text + ": " + found.error().message;
      if (!has_its_content(storm_.ledger, *found)) return "find " + id.text + ": other content";
    }
    return std::nullopt;
  }

  const Storm& storm_;
  std::uint32_t number_;
  Random random_;
  Store* store_ = nullptr;
};

// --- after a round ------------------------------------------------------------------------------

struct Figures {
  std::uint64_t kills = 0;
  std::uint64_t killed_holders = 0;
  std::uint64_t acknowledged_entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t refused = 0;
  std::uint64_t in_doubt = 0;
  std::uint64_t torn_ends = 0;
  std::uint64_t looks = 0;
  milliseconds longest_wait{0};
};

std::optional<std::string> check_answers(const Storm& storm, std::uint32_t session,
                                         const std::vector<BatchKey>& batches, Figures& figures) {
  std::vector<std::vector<bool>> there(writer_count);
  for (std::uint32_t writer = 0; writer < writer_count; ++writer) {
    there[writer].resize(storm.ledger.count(writer));
  }
  for (const BatchKey& key : batches) there[key.writer][key.number] = true;
  for (std::uint32_t writer = 0; writer < writer_count; ++writer) {
    for (std::uint32_t number = 0; number < storm.ledger.count(writer); ++number) {
      const LedgerBatch& batch = storm.ledger[{writer, number}];
      if (batch.session != session) continue;
      const std::string name = "batch w" + std::to_string(writer) + "-" + std::to_string(number);
      const bool is_there = there[writer][number];
      switch (batch.answer) {
        case Answer::acknowledged:
          if (!is_there) return name + " was acknowledged and is lost";
          figures.acknowledged_entries += batch.entry_count;
          break;
        case Answer::refused:
          if (is_there) return name + " was refused and is there";
          ++figures.refused;
          break;
        case Answer::none:
          ++figures.in_doubt;
          break;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> check_session(const Storm& storm, Store& store, std::uint32_t session,
                                         Figures& figures) {
  const SessionId& id = storm.sessions[session];
  auto report = store.verify(id);
  if (!report) return "verify: " + report.error().message;
  if (auto wrong = check_problems(report->problems)) return "verify: " + *wrong;
  if (!report->is_sound()) return "verify: not sound";
  figures.bytes += report->size_bytes;

  LedgerReading reading(storm.ledger, session);
  auto reader = store.read(id, 100);
  if (!reader) return reader.error().message;
  while (reader->has_more()) {
    auto page = reader->next();
    if (!page) return page.error().message;
    for (const Entry& entry : page->entries) {
      if (auto wrong = reading.take(entry)) return wrong;
    }
  }
  if (auto wrong = reading.at_end()) return wrong;
  if (auto wrong = check_answers(storm, session, reading.batches(), figures)) return wrong;
  for (std::uint32_t number = 0; number < reader_count; ++number) {
    const Seen& seen = storm.seen_by(number, session);
    if (seen.count > reading.batches().size() ||
        !std::equal(seen.batches, seen.batches + seen.count, reading.batches().begin())) {
      return "reader " + std::to_string(number) + " has seen something else";
    }
  }

  // The next append succeeds, takes away what is torn, and is readable.
  auto appended = store.append(id, Draft::of({.type = "custom", .id = EntryId{"after"}}));
  if (!appended) return "append afterwards: " + appended.error().message;
  report = store.verify(id);
  if (!report || !report->problems.empty()) return "verify: problems after the next append";
  auto last = store.load_last(id, 1);
  if (!last || last->entries.empty() || last->entries.front().id.text != "after") {
    return "what was appended afterwards is not the last entry";
  }
  return std::nullopt;
}

std::uint64_t files_in(const std::string& folder) {
  std::error_code none;
  std::uint64_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder, none)) {
    count += file.is_regular_file() ? 1U : 0U;
  }
  return count;
}

bool check_round(Storm& storm, Figures& figures) {
  const LockTimes::Summary locks = storm.lock_times.summary();
  const auto wait = std::chrono::ceil<milliseconds>(locks.longest_wait);
  figures.longest_wait = std::max(figures.longest_wait, wait);
  figures.killed_holders += locks.killed_holders;
  figures.looks += *storm.looks;
  if (wait > longest_wait_allowed) {
    storm.fail("locks", "somebody waited " + std::to_string(wait.count()) +
                            " ms for a lock that nobody alive held");
    return false;
  }
  auto store = Store::open(storm.folder);
  if (!store) return storm.fail("store", store.error().message) == 0;
  for (std::uint32_t session = 0; session < session_count; ++session) {
    if (auto wrong = check_session(storm, *store, session, figures)) {
      return storm.fail("session " + storm.sessions[session].text, *wrong) == 0;
    }
  }
  figures.torn_ends += files_in(storm.folder + "/quarantine");
  return true;
}

// --- the storm ----------------------------------------------------------------------------------

bool make_store(Storm& storm) {
  storm.ledger.clear();
  storm.lock_times.clear();
  for (Seen& seen : storm.seen.all()) seen.count = 0;
  *storm.looks = 0;
  auto store = Store::open(storm.folder, {.create = StoreOptions::Create::if_missing});
  if (!store) return storm.fail("store", store.error().message) == 0;
  for (SessionId& session : storm.sessions) {
    auto header = store->create();
    if (!header) return storm.fail("create", header.error().message) == 0;
    session = header->id;
  }
  return true;
}

// Anybody; every other time a writer in the middle of an append, if there is one.
std::uint32_t any_victim(const Storm& storm, Random& random) {
  std::vector<std::uint32_t> holders;
  for (std::uint32_t writer = 0; writer < writer_count; ++writer) {
    if (storm.holds_lock[writer]) holders.push_back(writer);
  }
  if (!holders.empty() && one_in(random, 2)) {
    return holders[any_of(random, 0, holders.size() - 1)];
  }
  return static_cast<std::uint32_t>(any_of(random, 0, writer_count + reader_count - 1));
}

// Kills `kills` processes, then all of them, and checks what they left.
bool run_round(std::uint64_t kills, Random& random, Figures& figures) {
  const TemporaryFolder place;
  auto storm = std::make_unique<Storm>();
  storm->folder = place / "store";
  if (!make_store(*storm)) return false;

  const auto start = [&](std::uint32_t number) {
    const std::uint64_t seed = random();
    return ChildProcess([&, number, seed] {
      return number < writer_count ? Writer(*storm, number, seed).run()
                                   : Reader(*storm, number - writer_count, seed).run();
    });
  };
  const auto kill = [&](std::uint32_t number, ChildProcess& process) {
    storm->lock_times.add_kill(number, process.id());
    process.kill();
    if (number < writer_count) storm->holds_lock[number] = false;
    if (process.wait()) storm->fail("process " + std::to_string(number), "ended by itself");
  };
  std::vector<ChildProcess> processes;
  for (std::uint32_t number = 0; number < writer_count + reader_count; ++number) {
    processes.push_back(start(number));
  }
  for (std::uint64_t done = 0; done < kills && !*storm->failed; ++done) {
    std::this_thread::sleep_for(milliseconds(any_of(random, 5, 50)));
    const std::uint32_t victim = any_victim(*storm, random);
    kill(victim, processes[victim]);
    processes[victim] = start(victim);
    ++figures.kills;
  }
  for (std::uint32_t number = 0; number < processes.size(); ++number) {
    kill(number, processes[number]);
    ++figures.kills;
  }
  if (!*storm->failed && check_round(*storm, figures)) return true;
  if (const char* keep = std::getenv("LOGWOOD_KEEP")) {
    std::filesystem::copy(storm->folder, keep, std::filesystem::copy_options::recursive);
    fmt::print("the store is kept in {}\n", keep);
  }
  return false;
}

std::string file_system_name() {
  struct statfs found{};
  if (::statfs(std::filesystem::temp_directory_path().c_str(), &found) != 0) return "?";
  switch (static_cast<std::uint32_t>(found.f_type)) {
    case 0xEF53U:
      return "ext4";
    case 0x01021994U:
      return "tmpfs";
    default:
      return "another file system";
  }
}

int run(std::uint64_t seed) {
  Random random(seed);
  Figures figures;
  bool held = true;
  const Budget budget;
  while (held && (budget.is_limited() ? !budget.is_spent() : figures.kills < kills_of_campaign)) {
    held = run_round(kills_of_round, random, figures);
  }
  fmt::print("{} MB checked, {} looks of readers, {} conflicts, {} batches in doubt\n",
             figures.bytes >> 20U, thousands(figures.looks), figures.refused, figures.in_doubt);
  fmt::print(
      "kill storm on {}: {} kills ({} held a lock), {} torn ends, {} acknowledged entries, {}, "
      "longest wait {} ms, seed {}\n",
      file_system_name(), figures.kills, figures.killed_holders, figures.torn_ends,
      thousands(figures.acknowledged_entries), held ? "0 lost" : "NOT HELD",
      figures.longest_wait.count(), seed);
  return held ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main(int count, char** values) {
  return logwood::run(logwood::seed_argument(count, values, 1));
}
