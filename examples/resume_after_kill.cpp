// An agent is killed in the middle of its work. Whatever it was told is stored is there
// when it starts again.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "logwood/store.hpp"

using namespace logwood;

namespace {

Draft said(const std::string& role, const std::string& text) {
  return Draft::of(
      {.type = "message", .payload = R"({"role":")" + role + R"(","content":")" + text + "\"}"});
}

// Appends until it is killed, and says through the pipe how many are stored.
void work(int told) {
  auto store = Store::open("history", {.create = StoreOptions::Create::if_missing});
  const auto session = store->open_by_key({.key = "main:cli:demo"});
  for (unsigned char count = 1;; ++count) {
    if (!store->append(session->header.id, said("user", "step " + std::to_string(count)))) _exit(1);
    if (write(told, &count, 1) != 1) _exit(1);
  }
}

Result<> resume(unsigned acknowledged) {
  LOGWOOD_TRY(Store store, Store::open("history"));
  LOGWOOD_TRY(const Resumed resumed, store.resume_latest({.key = "main:cli:demo"}));
  std::printf("stored: %u, restored: %zu turns\n", acknowledged, resumed.report.turns_restored);
  if (resumed.report.turns_restored < acknowledged) {
    return Error{ErrorCode::internal, "something that was stored is gone"};
  }
  LOGWOOD_CHECK(store.append(resumed.header.id, said("assistant", "where were we?")));
  return store.close();
}

}  // namespace

int main() {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return 1;
  const pid_t agent = fork();
  if (agent == 0) work(pipe_ends[1]);
  unsigned char acknowledged = 0;
  while (acknowledged < 20 && read(pipe_ends[0], &acknowledged, 1) == 1) continue;
  kill(agent, SIGKILL);
  waitpid(agent, nullptr, 0);
  const auto done = resume(acknowledged);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
