// The tour of the README: make a store, append, read it back.
#include <cstdio>
#include <logwood/store.hpp>

using namespace logwood;

namespace {

// tour: begin
Result<> tour() {
  LOGWOOD_TRY(Store store,
              Store::open("agent-history", {.create = StoreOptions::Create::if_missing}));
  LOGWOOD_TRY(const OpenedSession session, store.open_by_key({.key = "main:cli:demo"}));
  const SessionId id = session.header.id;

  const Draft question =
      Draft::of({.type = "message", .payload = R"({"role":"user","content":"hi"})"});
  LOGWOOD_TRY(const AppendResult first, store.append(id, question));  // on disk when this returns

  // A turn is one batch: all of it exists or none of it does.
  const Draft turn[] = {
      Draft::of({.type = "message", .payload = R"({"role":"assistant","content":"hello"})"}),
      Draft::of({.type = "model_change", .payload = R"({"model":"another"})"}),
  };
  LOGWOOD_TRY(
      const AppendResult answer,
      store.append(id, turn, {.expected_tail = ExpectedTail{first.last_appended_entry_id}}));

  LOGWOOD_TRY(const BackwardPage newest, store.load_last(id, 2));
  for (const Entry& entry : newest.entries) std::printf("%s\n", entry.text.c_str());
  return store.close();
}
// tour: end

}  // namespace

int main() {
  const auto result = tour();
  if (!result) std::fprintf(stderr, "%s\n", result.error().message.c_str());
  return result ? 0 : 1;
}
