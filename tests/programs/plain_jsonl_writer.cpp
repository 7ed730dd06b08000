// Makes a store with one session and appends to it in small steps, for
// tests/programs/plain_jsonl, which looks at the file meanwhile with everyday tools.
//
//   plain_jsonl_writer FOLDER COUNT MILLISECONDS
//
// Appends COUNT entries, some in batches, some buffered, spread over about so much
// time. Prints the path of the session file first.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "logwood/store.hpp"

namespace logwood {
namespace {

Draft message(int number) {
  return Draft::of({.type = "message",
                    .payload = fmt::format(
                        R"({{"role":"user","content":"number {} \u00e9 é \"quoted\""}})", number),
                    .id = EntryId{fmt::format("entry-{}", number)}});
}

Result<> write(const std::string& folder, int count, std::chrono::milliseconds time) {
  LOGWOOD_TRY(Store store, Store::open(folder, {.create = StoreOptions::Create::if_missing}));
  LOGWOOD_TRY(const SessionHeader session, store.create());
  fmt::print("{}/sessions/{}.jsonl\n", folder, session.id.text);
  std::fflush(stdout);
  const auto pause = time / std::max(count, 1);
  for (int number = 1; number <= count;) {
    std::vector<Draft> batch;
    for (int size = 1 + number % 3; size > 0 && number <= count; --size) {
      batch.push_back(message(number++));
    }
    const auto durability = number % 2 == 0 ? Durability::buffered : Durability::synced;
    LOGWOOD_CHECK(store.append(session.id, batch, {.durability = durability}));
    std::this_thread::sleep_for(pause * batch.size());
  }
  return store.close();
}

}  // namespace
}  // namespace logwood

int main(int count, char** values) {
  if (count != 4) {
    fmt::print(stderr, "usage: {} FOLDER COUNT MILLISECONDS\n", values[0]);
    return 2;
  }
  const auto written = logwood::write(values[1], std::atoi(values[2]),
                                      std::chrono::milliseconds(std::atoi(values[3])));
  if (written) return 0;
  fmt::print(stderr, "{}\n", written.error().message);
  return 1;
}
