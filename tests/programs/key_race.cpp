// Eight processes ask for the same new key at the same moment: exactly one of them
// creates a session, and all get that one.
#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/store.hpp"
#include "support/budget.hpp"
#include "support/process_child.hpp"
#include "support/process_shared_memory.hpp"
#include "support/process_start_line.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

constexpr std::uint32_t process_count = 8;
constexpr std::uint32_t rounds_max = 200;

struct Outcome {
  bool opened;
  bool created;
  char session_id[100];
  char message[200];
};

struct Race {
  std::string folder;
  StartLine start{process_count + 1};  // and the one who looks at the outcomes
  StartLine finish{process_count + 1};
  SharedMemory<Outcome> outcomes{process_count};
  SharedMemory<std::atomic<bool>> over;
};

std::string key_of(std::uint32_t round) { return fmt::format("agent:race:{}", round); }

int run_process(Race& race, std::uint32_t number) {
  auto store = Store::open(race.folder);
  for (std::uint32_t round = 0;; ++round) {
    race.start.wait();
    if (*race.over) return 0;
    Outcome& outcome = race.outcomes[number];
    outcome = {};
    auto opened = store ? store->open_by_key({.key = key_of(round)})
                        : Result<OpenedSession>(Error(store.error()));
    outcome.opened = opened.has_value();
    if (opened) {
      outcome.created = opened->created;
      opened->header.id.text.copy(outcome.session_id, sizeof(outcome.session_id) - 1);
    } else {
      opened.error().message.copy(outcome.message, sizeof(outcome.message) - 1);
    }
    race.finish.wait();
  }
}

// Says what is wrong with a round; empty when nothing is.
std::string judge(const Race& race, std::uint32_t round) {
  std::set<std::string> ids;
  int created = 0;
  for (const Outcome& outcome : race.outcomes.all()) {
    if (!outcome.opened) return outcome.message;
    ids.insert(outcome.session_id);
    created += outcome.created ? 1 : 0;
  }
  if (ids.size() != 1 || created != 1) {
    return fmt::format("{} processes created, {} ids were returned", created, ids.size());
  }
  auto store = Store::open(race.folder);
  if (!store) return store.error().message;
  auto sessions = store->list({.key = key_of(round)});
  if (!sessions) return sessions.error().message;
  if (sessions->sessions.size() != 1) {
    return fmt::format("{} sessions have the key", sessions->sessions.size());
  }
  return "";
}

int run() {
  const TemporaryFolder place;
  Race race;
  race.folder = place / "store";
  if (auto store = Store::open(race.folder, {.create = StoreOptions::Create::if_missing}); !store) {
    fmt::print("{}\n", store.error().message);
    return 1;
  }
  std::vector<ChildProcess> processes;
  for (std::uint32_t number = 0; number < process_count; ++number) {
    processes.emplace_back([&, number] { return run_process(race, number); });
  }
  const Budget budget;
  std::uint32_t round = 0;
  std::string wrong;
  while (wrong.empty() && round < rounds_max && !budget.is_spent()) {
    race.start.wait();
    race.finish.wait();
    wrong = judge(race, round);
    ++round;
  }
  *race.over = true;
  race.start.wait();
  for (ChildProcess& process : processes) process.wait();
  if (!wrong.empty()) fmt::print("round {}: {}\n", round, wrong);
  fmt::print("key race: {} rounds of {} processes, {}\n", round, process_count,
             wrong.empty() ? "one creator and one id each" : "NOT HELD");
  return wrong.empty() ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main() { return logwood::run(); }
