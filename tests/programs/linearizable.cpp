// Four to eight processes append with and without an expected tail, append again
// what was appended before, ask for the tail, load and find, all at once and on few
// sessions; in some histories some of them are killed. Whatever they were told can
// be put into one order that explains it (tests/support/history_checker).
//
// Where there is a database for tests the store is in it, and eight processes share three sessions.
// Its server may be away for a while: what is asked is then asked again until it is answered, and
// an append is repeated with the same ids.
//
// Each history is then falsified (tests/support/history_mutations), and the checker
// must notice. SIGTERM ends it after the history at hand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "logwood/store.hpp"
#include "support/budget.hpp"
#include "support/history_checker.hpp"
#include "support/history_mutations.hpp"
#include "support/history_recorder.hpp"
#include "support/process_child.hpp"
#include "support/process_shared_memory.hpp"
#include "support/process_start_line.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_database.hpp"
#include "support/thousands.hpp"

namespace logwood {
namespace {

using std::chrono::microseconds;
using Random = HistoryRandom;

constexpr std::uint64_t histories_of_campaign = 500;
constexpr std::uint64_t falsified_at_least = 50;
constexpr std::uint32_t sessions_max = 3;
constexpr std::uint32_t processes_max = 8;

std::atomic<bool> is_told_to_end = false;

std::uint64_t any_of(Random& random, std::uint64_t least, std::uint64_t most) {
  return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
}
bool one_in(Random& random, std::uint64_t odds) { return any_of(random, 1, odds) == 1; }

// --- entries of the store and of histories ------------------------------------------------------

Draft draft_of(const HistoryEntry& entry) {
  const std::string payload = fmt::format(R"({{"title":"{}"}})", entry.content);
  return Draft::of({.type = entry.is_mark ? "session_info" : "message",
                    .payload = payload,
                    .id = EntryId{fmt::format("e{}", entry.id)}});
}

std::uint32_t number_in(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::uint32_t id_in(std::string_view text) { return number_in(text.substr(1)); }

HistoryEntry entry_of(const Entry& entry) {
  return {id_in(entry.id.text), number_in(entry.payload().substr(10)),
          kind_of(entry.type) == EntryKind::mark};
}

std::vector<HistoryEntry> entries_of(const std::vector<Entry>& entries) {
  std::vector<HistoryEntry> found;
  for (const Entry& entry : entries) {
    if (kind_of(entry.type) != EntryKind::header) found.push_back(entry_of(entry));
  }
  return found;
}

HistoryTail tail_of(const std::optional<EntryId>& id) {
  return id ? HistoryTail(id_in(id->text)) : HistoryTail();
}

// --- one history --------------------------------------------------------------------------------

struct Scene {
  std::string place;  // of the store
  bool in_database = false;
  std::vector<SessionId> sessions;
  std::uint32_t process_count = 4;
  std::uint64_t operations_each = 20;
  bool has_kills = false;
  HistoryRecorder recorder;
  SharedMemory<std::atomic<std::uint32_t>> next_id;
  SharedMemory<std::atomic<std::uint64_t>> done{processes_max};  // operations, by process
  SharedMemory<std::atomic<bool>> failed;

  int fail(const std::string& what) const {
    if (!failed->exchange(true)) fmt::print("{}\n", what);
    return 1;
  }

  // Asks until the server answers; of files nothing of the kind is expected.
  template <class Ask>
  auto answer_to(const Ask& ask, bool* was_unknown = nullptr) const {
    auto answer = ask();
    while (!answer && in_database && is_away(answer.error().code)) {
      if (was_unknown != nullptr && answer.error().code == ErrorCode::durability_unknown) {
        *was_unknown = true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      answer = ask();
    }
    return answer;
  }

  [[nodiscard]] Result<Store> open() const {
    StoreOptions options;
    if (!in_database) options.create = StoreOptions::Create::if_missing;
    if (in_database) options.patience = std::chrono::seconds(60);  // longer than a failover
    return answer_to([&] { return Store::open(place, options); });
  }

 private:
  [[nodiscard]] static bool is_away(ErrorCode code) {
    return code == ErrorCode::unavailable || code == ErrorCode::busy ||
           code == ErrorCode::durability_unknown;
  }
};

// Carries out calls on the store and tells the recorder.
class Caller {
 public:
  Caller(Scene& scene, Store& store, std::uint32_t process)
      : scene_(scene), store_(store), process_(process) {}

  // The answer; nothing for an error that no history has.
  std::optional<HistoryAnswer> call(std::uint32_t session, const HistoryCall& call,
                                    Durability durability = Durability::synced) {
    const std::size_t place =
        scene_.recorder.call({session, process_, 0, never_ns, call, NoAnswer{}});
    bool was_unknown = false;
    auto answer = scene_.answer_to(
        [&] { return answer_to(scene_.sessions[session], call, durability); }, &was_unknown);
    if (!answer) {
      scene_.fail(fmt::format("{}: {}", name_of(answer.error().code), answer.error().message));
      return std::nullopt;
    }
    const auto* const appended = std::get_if<Appended>(&*answer);
    const bool is_told = !was_unknown || appended == nullptr || !appended->replayed;
    if (is_told) scene_.recorder.answer(place, *answer);
    return *std::move(answer);
  }

 private:
  Result<HistoryAnswer> answer_to(const SessionId& session, const HistoryCall& call,
                                  Durability durability) {
    if (const auto* append = std::get_if<AppendCall>(&call)) {
      return answer_to(session, *append, durability);
    }
    if (std::holds_alternative<StatusCall>(call)) {
      LOGWOOD_TRY(const SessionStatus status, store_.status(session));
      return HistoryAnswer(TailSeen{tail_of(status.tail)});
    }
    if (const auto* find = std::get_if<FindCall>(&call)) {
      auto found = store_.find(session, {fmt::format("e{}", find->id)});
      if (found) return HistoryAnswer(EntrySeen{entry_of(*found)});
      if (found.error().code == ErrorCode::not_found) return HistoryAnswer(EntrySeen{});
      return std::move(found).error();
    }
    const auto& load = std::get<LoadCall>(call);
    if (load.limit) {
      LOGWOOD_TRY(const BackwardPage page, store_.load_last(session, *load.limit));
      return HistoryAnswer(EntriesSeen{entries_of(page.entries)});
    }
    LOGWOOD_TRY(const EntryPage page, store_.load(session));
    return HistoryAnswer(EntriesSeen{entries_of(page.entries)});
  }

  Result<HistoryAnswer> answer_to(const SessionId& session, const AppendCall& call,
                                  Durability durability) {
    std::vector<Draft> drafts;
    for (const HistoryEntry& entry : call.entries) drafts.push_back(draft_of(entry));
    AppendOptions options;
    options.durability = durability;
    if (call.expected_tail) {
      const HistoryTail& tail = *call.expected_tail;
      options.expected_tail =
          ExpectedTail{tail ? std::optional(EntryId{fmt::format("e{}", *tail)}) : std::nullopt};
    }
    auto appended = store_.append(session, drafts, options);
    if (appended) {
      return HistoryAnswer(Appended{id_in(appended->last_appended_entry_id.text),
                                    appended->appended_count, appended->replayed});
    }
    if (appended.error().code == ErrorCode::id_conflict) return HistoryAnswer(IdConflict{});
    if (appended.error().code == ErrorCode::conflict && appended.error().actual_tail) {
      const std::string& actual = *appended.error().actual_tail;
      return HistoryAnswer(TailConflict{actual.empty() ? HistoryTail() : id_in(actual)});
    }
    return std::move(appended).error();
  }

  Scene& scene_;
  Store& store_;
  std::uint32_t process_;
};

// One process of a history. What it knows of a session is the last tail it heard of,
// which may be out of date: that is what an expected tail is for.
class Participant {
 public:
  Participant(Scene& scene, std::uint32_t process, std::uint64_t seed)
      : scene_(scene), process_(process), random_(seed) {}

  int run(StartLine* start) {
    auto store = scene_.open();
    if (start != nullptr) start->wait();
    if (!store) return scene_.fail(store.error().message);
    Caller caller(scene_, *store, process_);
    caller_ = &caller;
    while (scene_.done[process_] < scene_.operations_each) {
      if (!do_something()) return 1;
      ++scene_.done[process_];
      if (one_in(random_, 3)) std::this_thread::sleep_for(microseconds(any_of(random_, 1, 300)));
    }
    return 0;
  }

 private:
  bool do_something() {
    const auto session = static_cast<std::uint32_t>(any_of(random_, 0, scene_.sessions.size() - 1));
    const std::uint64_t draw = any_of(random_, 1, 100);
    if (draw <= 40) return append(session, new_batch(), tails_[session]);
    if (draw <= 52) return append(session, new_batch(), std::nullopt);
    if (draw <= 66) return append_again();
    if (draw <= 80) return ask(session, StatusCall{});
    if (draw <= 88) return ask(session, LoadCall{});
    if (draw <= 94) return ask(session, LoadCall{any_of(random_, 1, 12)});
    return ask(session,
               FindCall{static_cast<std::uint32_t>(any_of(random_, 1, *scene_.next_id + 1))});
  }

  std::vector<HistoryEntry> new_batch() {
    std::vector<HistoryEntry> batch(any_of(random_, 1, 3));
    for (HistoryEntry& entry : batch) {
      entry.id = ++*scene_.next_id;
      entry.content = static_cast<std::uint32_t>(any_of(random_, 1, 1'000'000));
      entry.is_mark = one_in(random_, 8);
    }
    return batch;
  }

  bool append(std::uint32_t session, std::vector<HistoryEntry> entries,
              std::optional<HistoryTail> expected) {
    const auto durability = one_in(random_, 2) ? Durability::buffered : Durability::synced;
    const auto answer =
        caller_->call(session, AppendCall{std::move(entries), expected}, durability);
    if (!answer) return false;
    if (const auto* conflict = std::get_if<TailConflict>(&*answer)) {
      tails_[session] = conflict->actual;
    } else if (std::holds_alternative<Appended>(*answer) && one_in(random_, 2)) {
      return ask(session, StatusCall{});
    }
    return true;
  }

  // Something that anybody appends or has appended, perhaps somebody who was killed;
  // now and then with other content.
  bool append_again() {
    const std::size_t count = scene_.recorder.count();
    for (int attempt = 0; attempt < 8 && count > 0; ++attempt) {
      // Rather something new.
      const std::size_t place =
          count - 1 - any_of(random_, 0, std::min<std::size_t>(count, 30) - 1);
      const auto earlier = scene_.recorder.operation(place);
      const auto* call = earlier ? std::get_if<AppendCall>(&earlier->call) : nullptr;
      if (call == nullptr) continue;
      std::vector<HistoryEntry> entries = call->entries;
      if (one_in(random_, 6)) entries.back().content += 1'000'000;
      const bool expects = one_in(random_, 2);
      return append(earlier->session, std::move(entries),
                    expects ? call->expected_tail : std::nullopt);
    }
    return true;
  }

  bool ask(std::uint32_t session, const HistoryCall& call) {
    const auto answer = caller_->call(session, call);
    if (!answer) return false;
    if (const auto* tail = std::get_if<TailSeen>(&*answer)) tails_[session] = tail->tail;
    return true;
  }

  Scene& scene_;
  std::uint32_t process_;
  Random random_;
  Caller* caller_ = nullptr;
  std::array<std::optional<HistoryTail>, sessions_max> tails_{HistoryTail(), HistoryTail(),
                                                              HistoryTail()};
};

// Lets the processes of a scene work to the end, killing some.
bool play(Scene& scene, Random& random, std::uint64_t& kills) {
  StartLine start(scene.process_count);
  std::vector<ChildProcess> processes;
  for (std::uint32_t number = 0; number < scene.process_count; ++number) {
    const std::uint64_t seed = random();
    processes.emplace_back(
        [&, number, seed] { return Participant(scene, number, seed).run(&start); });
  }
  if (scene.has_kills) {
    // Once somebody has done something, nobody waits at the start any more.
    while (!*scene.failed && scene.recorder.count() < scene.process_count) {
      std::this_thread::sleep_for(microseconds(50));
    }
    const std::uint64_t planned = any_of(random, 1, 6);
    for (std::uint64_t kill = 0; kill < planned; ++kill) {
      std::this_thread::sleep_for(microseconds(any_of(random, 100, 10'000)));
      const auto victim = static_cast<std::uint32_t>(any_of(random, 0, processes.size() - 1));
      if (!processes[victim].is_running()) continue;
      processes[victim].kill();
      ++kills;
      const std::uint64_t seed = random();
      processes[victim] =
          ChildProcess([&, victim, seed] { return Participant(scene, victim, seed).run(nullptr); });
    }
  }
  bool ended_well = true;
  for (ChildProcess& process : processes) ended_well = process.wait() == 0 && ended_well;
  return ended_well && !*scene.failed;
}

// The order of entries is also the order of parents, as all of them grow at the head.
bool check_parents(Scene& scene, Store& store) {
  for (const SessionId& session : scene.sessions) {
    auto page = scene.answer_to([&] { return store.load(session); });
    if (!page) return scene.fail(page.error().message) == 0;
    if (!page->problems.empty()) return scene.fail(describe(page->problems.front())) == 0;
    std::optional<EntryId> head;
    for (const Entry& entry : page->entries) {
      if (kind_of(entry.type) != EntryKind::tree) continue;
      if (entry.parent_id != head) return scene.fail(entry.id.text + ": another parent") == 0;
      head = entry.id;
    }
  }
  return true;
}

// One history, from new sessions to a last load of each.
std::optional<History> record(Store& store, Scene& scene, Random& random, std::uint64_t& kills) {
  scene.recorder.clear();
  for (auto& done : scene.done.all()) done = 0;
  *scene.next_id = 0;
  scene.sessions.clear();
  const std::uint64_t session_count =
      scene.in_database ? sessions_max : any_of(random, 1, sessions_max);
  for (std::uint64_t i = 0; i < session_count; ++i) {
    auto header = scene.answer_to([&] { return store.create(); });
    if (!header) {
      scene.fail(header.error().message);
      return std::nullopt;
    }
    scene.sessions.push_back(header->id);
  }
  scene.process_count =
      scene.in_database ? processes_max : static_cast<std::uint32_t>(any_of(random, 4, 8));
  scene.operations_each = any_of(random, 60, 200) / scene.process_count;
  scene.has_kills = one_in(random, 3);
  if (!play(scene, random, kills)) return std::nullopt;

  Caller last(scene, store, scene.process_count);
  for (std::uint32_t session = 0; session < scene.sessions.size(); ++session) {
    if (!last.call(session, LoadCall{})) return std::nullopt;
  }
  if (!check_parents(scene, store)) return std::nullopt;
  return scene.recorder.history();
}

// --- the campaign -------------------------------------------------------------------------------

struct Figures {
  std::uint64_t histories = 0;
  std::uint64_t operations = 0;
  std::uint64_t with_kills = 0;
  std::uint64_t kills = 0;
  std::uint64_t rejected = 0;  // falsified histories
  std::array<std::uint64_t, 64> by_mutation{};
};

void print(const History& history) {
  for (const HistoryOperation& operation : history) fmt::print("  {}\n", describe(operation));
}

bool check(const History& history, Figures& figures) {
  const HistoryVerdict verdict = check_history(history);
  if (verdict.is_linearizable()) return true;
  fmt::print("history {}:\n", figures.histories + 1);
  print(history);
  fmt::print("{}", verdict.explanation);
  return false;
}

// Tells a few lies about the history, each time others, and has them found out.
bool check_falsified(const History& history, Random& random, Figures& figures) {
  constexpr std::size_t lies = 3;
  const auto mutations = history_mutations();
  std::size_t told = 0;
  for (std::size_t i = 0; i < mutations.size() && told < lies; ++i) {
    const std::size_t index = (figures.histories * lies + i) % mutations.size();
    const auto bad = mutations[index].apply(history, random);
    if (!bad) continue;
    ++told;
    const HistoryVerdict verdict = check_history(*bad);
    if (verdict.kind != HistoryVerdict::Kind::not_linearizable) {
      fmt::print("a falsified history was {}: {}\n",
                 verdict.is_linearizable() ? "accepted" : "not decided", mutations[index].name);
      print(*bad);
      return false;
    }
    ++figures.rejected;
    ++figures.by_mutation[index];
  }
  return true;
}

int run(std::uint64_t seed) {
  Random random(seed);
  Figures figures;
  const TemporaryFolder place;
  Scene scene;
  scene.place = place / "store";
  if (has_test_database()) {
    scene.place = new_tenant_url();
    scene.in_database = true;
  }
  bool held = true;
  const Budget budget;
  // A slow machine gets the time it needs to tell enough lies.
  const auto goes_on = [&] {
    if (!budget.is_limited()) return figures.histories < histories_of_campaign;
    return !budget.is_spent() || figures.rejected < falsified_at_least;
  };
  while (held && !is_told_to_end && goes_on()) {
    std::optional<History> history;
    {
      // No thread may run when processes are started: nothing is buffered by this store.
      auto store = scene.open();
      if (!store) {
        scene.fail(store.error().message);
        held = false;
        break;
      }
      history = record(*store, scene, random, figures.kills);
    }
    held = history && check(*history, figures) && check_falsified(*history, random, figures);
    if (!held) break;
    ++figures.histories;
    figures.operations += history->size();
    figures.with_kills += scene.has_kills ? 1U : 0U;
  }
  for (std::size_t i = 0; i < history_mutations().size(); ++i) {
    fmt::print("{:4} × {}\n", figures.by_mutation[i], history_mutations()[i].name);
  }
  const bool enough_falsified = figures.rejected >= falsified_at_least;
  if (!enough_falsified) fmt::print("fewer than {} were falsified\n", falsified_at_least);
  fmt::print(
      "linearizable: {} of {} histories, {} operations, {} histories with {} kills; {} falsified "
      "histories {}; seed {}\n",
      figures.histories, figures.histories + (held ? 0 : 1), thousands(figures.operations),
      figures.with_kills, figures.kills, figures.rejected,
      held ? "rejected" : "rejected before it failed", seed);
  return held && enough_falsified ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main(int count, char** values) {
  std::signal(SIGTERM, [](int) { logwood::is_told_to_end = true; });
  return logwood::run(logwood::seed_argument(count, values, 1));
}
