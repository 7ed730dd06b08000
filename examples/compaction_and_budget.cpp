// A long session for a model with a small window: a summary takes the place of what is old,
// and a budget leaves out whole turns.
#include <cstdio>
#include <string>

#include "logwood/store.hpp"

using namespace logwood;

namespace {

Draft said(const std::string& role, const std::string& text) {
  return Draft::of(
      {.type = "message", .payload = R"({"role":")" + role + R"(","content":")" + text + "\"}"});
}

Result<> run() {
  LOGWOOD_TRY(Store store, Store::open("history", {.create = StoreOptions::Create::if_missing}));
  LOGWOOD_TRY(const SessionHeader session, store.create());
  const SessionId& id = session.id;
  LOGWOOD_CHECK(store.append(
      id,
      Draft::of({.type = "model_change",
                 .payload = R"({"api":"anthropic-messages","provider":"x","model":"small"})"})));
  EntryId last_question;
  for (int turn = 1; turn <= 50; ++turn) {
    LOGWOOD_TRY(const AppendResult asked,
                store.append(id, said("user", "question " + std::to_string(turn))));
    last_question = asked.last_appended_entry_id;
    LOGWOOD_CHECK(store.append(id, said("assistant", std::string(400, '.'))));
  }
  const auto show = [&](const char* what, const ContextOptions& options) -> Result<> {
    LOGWOOD_TRY(const Context context, store.context(id, options));
    std::printf("%-22s %3zu messages, %2zu turns, about %llu tokens, model %s\n", what,
                context.messages.size(), context.turns,
                static_cast<unsigned long long>(context.size.tokens),
                context.settings.model.c_str());
    return {};
  };
  LOGWOOD_CHECK(show("all of it", {}));
  LOGWOOD_CHECK(show("at most 1,000 tokens", {.max_tokens = 1000}));

  // The last turn stays as it is; a summary stands for the rest. Nothing is lost: older
  // tips still have their own contexts.
  LOGWOOD_CHECK(store.compact(id, "49 questions were answered with dots", last_question));
  LOGWOOD_CHECK(store.append(id, said("user", "and now?")));
  LOGWOOD_CHECK(show("after a compaction", {}));
  return store.close();
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
