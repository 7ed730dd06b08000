// Four writers and two readers work on the sessions of one store, and one of them
// after the other is killed with SIGKILL and started again.
//
//   - What a writer was told is stored is there afterwards, byte for byte; what was
//     refused is not; the rest is there whole or not at all. Long strings lie in blobs.
//   - What a writer was told is erased is gone, with its bytes; a fork is there as a
//     whole or not at all; the head is where the last mark or entry put it.
//   - A reader sees whole batches only, and what it has seen stays, in that order,
//     for whoever reads next.
//   - A lock does not outlive its holder: nobody waits a second for a lock that
//     nobody alive holds.
//
// The file system is that of TMPDIR; tests/programs/on_file_system provides some.
#include <fmt/format.h>
#include <sys/vfs.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "logwood/store.hpp"
#include "support/budget.hpp"
#include "support/process_child.hpp"
#include "support/process_storm.hpp"
#include "support/temporary_folder.hpp"
#include "support/thousands.hpp"

namespace logwood {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kills_of_campaign = 500;
constexpr std::uint64_t kills_of_round = 40;  // then everything is checked, in a store of its own
constexpr milliseconds longest_wait_allowed{1000};

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
  std::uint64_t blobs = 0;
  std::uint64_t erased = 0;
  std::uint64_t forks = 0;
  std::uint64_t head_moves = 0;
  milliseconds longest_wait{0};
};

std::optional<std::string> check_answers(const Storm& storm, std::uint32_t session,
                                         const std::vector<BatchKey>& batches, Figures& figures) {
  std::vector<std::vector<bool>> there(storm_writers);
  for (std::uint32_t writer = 0; writer < storm_writers; ++writer) {
    there[writer].resize(storm.ledger.count(writer));
  }
  for (const BatchKey& key : batches) there[key.writer][key.number] = true;
  for (std::uint32_t writer = 0; writer < storm_writers; ++writer) {
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

// Every byte that lies in a file or below a folder.
bool is_anywhere_in(const std::filesystem::path& place, const std::string& bytes) {
  const auto holds = [&](const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string all(std::istreambuf_iterator<char>(stream), {});
    return all.find(bytes) != std::string::npos;
  };
  if (std::filesystem::is_regular_file(place)) return holds(place);
  if (!std::filesystem::exists(place)) return false;
  for (const auto& file : std::filesystem::recursive_directory_iterator(place)) {
    if (file.is_regular_file() && holds(file)) return true;
  }
  return false;
}

// What was erased says so, and is not in the files of its session.
std::optional<std::string> check_erased(const Storm& storm, Store& store, std::uint32_t session,
                                        Figures& figures) {
  const std::string id = storm.sessions[session].text;
  for (std::uint32_t writer = 0; writer < storm_writers; ++writer) {
    for (std::uint32_t number = 0; number < storm.ledger.count(writer); ++number) {
      const BatchKey key{writer, number};
      const LedgerBatch& batch = storm.ledger[key];
      if (batch.session != session || batch.erased != Erased::yes) continue;
      const EntryId first = id_in_batch(key, 1);
      const auto entry = store.find(storm.sessions[session], first);
      if (!entry || !entry->erased) return "entry " + first.text + " was erased and is there";
      const std::string text = storm.ledger.drafts(key)[0].text;
      const std::string bytes = text.substr(text.find("000000 of "), 60);
      if (is_anywhere_in(storm.folder + "/sessions/" + id + ".jsonl", bytes) ||
          is_anywhere_in(storm.folder + "/blobs/" + id, bytes)) {
        return "bytes of " + first.text + " are left, which was erased";
      }
      ++figures.erased;
    }
  }
  return std::nullopt;
}

std::optional<std::string> check_head(Store& store, const SessionId& id) {
  const auto status = store.status(id);
  const auto tree = store.tree(id);
  if (!status || !tree) return "status or tree fails";
  if (status->head != tree->head) return "the head is not where it was moved to";
  if (!tree->tree.problems().empty()) return "the tree has problems";
  return std::nullopt;
}

std::optional<std::string> check_forks(const Storm& storm, Store& store, Figures& figures) {
  for (std::uint32_t writer = 0; writer < storm_writers; ++writer) {
    const StormForks& forks = storm.forks[writer];
    for (std::uint32_t number = 0; number < forks.begun; ++number) {
      const SessionId id = StormForks::id(writer, number);
      const auto status = store.status(id);
      if (!status && status.error().code == ErrorCode::not_found && !forks.made[number]) continue;
      if (auto wrong = check_fork(storm, store, id)) return id.text + ": " + *wrong;
      ++figures.forks;
    }
  }
  return std::nullopt;
}

std::optional<std::string> check_session(const Storm& storm, Store& store, std::uint32_t session,
                                         Figures& figures) {
  const SessionId& id = storm.sessions[session];
  auto report = store.verify(id);
  if (!report) return "verify: " + report.error().message;
  if (auto wrong = loss_among(report->problems)) return "verify: " + *wrong;
  if (!report->is_sound()) return "verify: not sound";
  figures.bytes += report->size_bytes;
  figures.blobs += report->blobs;
  if (auto wrong = check_erased(storm, store, session, figures)) return wrong;
  if (auto wrong = check_head(store, id)) return wrong;

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
  for (std::uint32_t number = 0; number < storm_readers; ++number) {
    const StormSeen& seen = storm.seen_by(number, session);
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
  for (std::uint32_t session = 0; session < storm_sessions; ++session) {
    if (auto wrong = check_session(storm, *store, session, figures)) {
      return storm.fail("session " + storm.sessions[session].text, *wrong) == 0;
    }
  }
  if (auto wrong = check_forks(storm, *store, figures)) return storm.fail("forks", *wrong) == 0;
  figures.head_moves += *storm.head_moves;
  figures.torn_ends += files_in(storm.folder + "/quarantine");
  return true;
}

// --- the storm ----------------------------------------------------------------------------------

bool make_store(Storm& storm) {
  storm.ledger.clear();
  storm.lock_times.clear();
  for (StormSeen& seen : storm.seen.all()) seen.count = 0;
  *storm.looks = 0;
  *storm.head_moves = 0;
  for (StormForks& forks : storm.forks.all()) {
    for (std::uint32_t number = 0; number < forks.begun; ++number) forks.made[number] = false;
    forks.begun = 0;
  }
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
std::uint32_t any_victim(const Storm& storm, StormRandom& random) {
  std::vector<std::uint32_t> holders;
  for (std::uint32_t writer = 0; writer < storm_writers; ++writer) {
    if (storm.holds_lock[writer]) holders.push_back(writer);
  }
  if (!holders.empty() && one_in(random, 2)) {
    return holders[any_of(random, 0, holders.size() - 1)];
  }
  return static_cast<std::uint32_t>(any_of(random, 0, storm_writers + storm_readers - 1));
}

// Kills `kills` processes, then all of them, and checks what they left.
bool run_round(std::uint64_t kills, StormRandom& random, Figures& figures) {
  const TemporaryFolder place;
  auto storm = std::make_unique<Storm>();
  storm->folder = place / "store";
  if (!make_store(*storm)) return false;

  const auto start = [&](std::uint32_t number) {
    const std::uint64_t seed = random();
    return ChildProcess([&, number, seed] {
      return number < storm_writers ? run_storm_writer(*storm, number, seed)
                                    : run_storm_reader(*storm, number - storm_writers, seed);
    });
  };
  const auto kill = [&](std::uint32_t number, ChildProcess& process) {
    storm->lock_times.add_kill(number, process.id());
    process.kill();
    if (number < storm_writers) storm->holds_lock[number] = false;
    if (process.wait()) storm->fail("process " + std::to_string(number), "ended by itself");
  };
  std::vector<ChildProcess> processes;
  for (std::uint32_t number = 0; number < storm_writers + storm_readers; ++number) {
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
  StormRandom random(seed);
  Figures figures;
  bool held = true;
  const Budget budget;
  while (held && (budget.is_limited() ? !budget.is_spent() : figures.kills < kills_of_campaign)) {
    held = run_round(kills_of_round, random, figures);
  }
  fmt::print(
      "{} MB and {} blobs checked, {} looks of readers, {} conflicts, {} batches in doubt; {} "
      "entries erased, {} forks, {} moves of the head\n",
      figures.bytes >> 20U, thousands(figures.blobs), thousands(figures.looks), figures.refused,
      figures.in_doubt, figures.erased, figures.forks, figures.head_moves);
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
