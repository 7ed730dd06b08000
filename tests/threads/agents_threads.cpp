// Other agents' sessions, listed and read by several threads that share a store.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "logwood/store.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

TEST(Agents, AreListedAndReadAtOnce) {
  const TemporaryFolder place;
  const std::string folder = place / "sessions/project";
  std::filesystem::create_directories(folder);
  const auto id = [](int number) { return fmt::format("session-{:04}", number); };
  for (int i = 0; i < 200; ++i) {
    std::ofstream file(fmt::format("{}/2026-01-01T00-00-00-000Z_{}.jsonl", folder, id(i)));
    file << fmt::format(
        R"({{"type":"session","version":3,"id":"{}","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/dev"}})"
        "\n",
        id(i));
    file
        << R"({"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T00:00:00.000Z","message":{"role":"user","content":"hello"}})"
           "\n";
  }
  AgentsOptions options;
  options.variable = [&](const char* name) {
    return std::string_view(name) == "PI_CODING_AGENT_SESSION_DIR" ? place / "sessions"
                                                                   : std::string();
  };
  options.cache = place / "cache";
  auto store = Store::of_agents(options);
  ASSERT_TRUE(store) << store.error().message;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 5; ++round) {
        const auto page = store->summaries({.limit = 20});
        ASSERT_TRUE(page) << page.error().message;
        ASSERT_EQ(page->sessions.size(), 20U);
        const auto list = store->list({.limit = 10});
        ASSERT_TRUE(list) << list.error().message;
        const auto entries = store->load({"pi-" + id(i * 10)});
        ASSERT_TRUE(entries) << entries.error().message;
        ASSERT_EQ(entries->entries.back().type, "message");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto totals = store->totals();
  ASSERT_TRUE(totals) << totals.error().message;
  EXPECT_EQ(totals->user_messages, 200U);
}

}  // namespace
}  // namespace logwood
