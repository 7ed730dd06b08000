// A crash between a tool call and its result: did the tool run? A mark that says "it begins"
// tells "never ran" from "may have run".
#include <cstdio>
#include <string>

#include "logwood/store.hpp"

using namespace logwood;

namespace {

Result<> before_the_crash() {
  LOGWOOD_TRY(Store store, Store::open("history", {.create = StoreOptions::Create::if_missing}));
  LOGWOOD_TRY(const OpenedSession session, store.open_by_key({.key = "main:cli:demo"}));
  LOGWOOD_CHECK(store.save_turn(
      session.header.id,
      {.run_id = "run-1",
       .messages = {
           R"({"role":"user","content":"format the disk, then say hello"})",
           R"({"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"format","input":{}},)"
           R"({"type":"tool_use","id":"t2","name":"say","input":{"text":"hello"}}]})"}}));
  LOGWOOD_CHECK(store.mark_tool_run(session.header.id, "t1", "format"));
  return {};  // and here the process ends
}

Result<> after_it() {
  LOGWOOD_TRY(Store store, Store::open("history"));
  LOGWOOD_TRY(const Resumed resumed, store.resume_latest({.key = "main:cli:demo"}));
  for (const UnfinishedCall& call : resumed.report.unfinished) {
    const bool may_have_run = call.state == CallState::started;
    std::printf("%s %s\n", call.name.c_str(), may_have_run ? "may have run" : "never ran");
    // What may have run is not run again blindly; what never ran could be.
    const CallAnswer answer{.text = may_have_run ? "interrupted; check before you repeat it"
                                                 : "not started; ask again if you want it"};
    LOGWOOD_CHECK(store.answer(resumed.header.id, call, answer));
  }
  LOGWOOD_TRY(const Resumed again, store.resume(resumed.header.id));
  std::printf("%zu unfinished, %zu messages\n", again.report.unfinished.size(),
              again.context.messages.size());
  return again.report.unfinished.empty() ? store.close()
                                         : Error{ErrorCode::internal, "still unfinished"};
}

}  // namespace

int main() {
  auto done = before_the_crash();
  if (done) done = after_it();
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
