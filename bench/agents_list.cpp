// How long it takes to list the newest sessions of pi in a folder: first, when nothing is known of
// them, and again. In a process that has started, as pi is measured beside it
// (tests/agents/speed.py).
//
//   agents_list FOLDER ROUNDS
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "logwood/store.hpp"
#include "measure.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

// With a store that is opened for it, as each command does.
double seconds_to_list(const std::string& folder, const std::string& cache) {
  AgentsOptions options;
  options.variable = [&](const char* name) {
    return std::string_view(name) == "PI_CODING_AGENT_SESSION_DIR" ? folder : std::string();
  };
  options.cache = cache;
  return wall_seconds_of([&] {
    Store store = must(Store::of_agents(options));
    const SummaryPage page =
        must(store.summaries({.limit = 50, .max_age = std::chrono::seconds(10)}));
    if (page.sessions.size() != 50) give_up("the list is short");
  });
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) give_up("usage: agents_list FOLDER ROUNDS");
  const TemporaryFolder place;
  double first = 1e9;
  double again = 1e9;
  for (int round = 0; round < std::atoi(words[2]); ++round) {
    const std::string cache = place / fmt::format("cache{}", round);
    first = std::min(first, seconds_to_list(words[1], cache));
    // What changed moments ago is looked at once more.
    std::this_thread::sleep_for(std::chrono::milliseconds(2100));
    seconds_to_list(words[1], cache);
    for (int i = 0; i < 20; ++i) again = std::min(again, seconds_to_list(words[1], cache));
    std::filesystem::remove_all(cache);
  }
  fmt::print("{{\"first\":{:.3f},\"again\":{:.3f}}}\n", first * 1e3, again * 1e3);
  return 0;
}
