// Two ways of doing something, both kept: go back, grow another branch, switch between them.
#include <cstdio>
#include <string>

#include "logwood/store.hpp"

using namespace logwood;

namespace {

Draft said(const std::string& id, const std::string& role, const std::string& text) {
  return Draft::of({.type = "message",
                    .payload = R"({"role":")" + role + R"(","content":")" + text + "\"}",
                    .id = EntryId{id}});
}

Result<> run() {
  LOGWOOD_TRY(Store store, Store::open("history", {.create = StoreOptions::Create::if_missing}));
  LOGWOOD_TRY(const SessionHeader session, store.create());
  const SessionId& id = session.id;

  LOGWOOD_CHECK(store.append(id, said("ask", "user", "the auth test is flaky")));
  LOGWOOD_CHECK(store.append(id, said("a", "assistant", "option A: freeze the clock")));
  LOGWOOD_CHECK(store.set_label(id, "option A", EntryId{"a"}));

  // Back to the question, and another answer.
  LOGWOOD_CHECK(store.move_head(id, EntryId{"ask"}));
  LOGWOOD_CHECK(store.append(id, said("b", "assistant", "option B: inject a clock")));

  LOGWOOD_TRY(const SessionTree loaded, store.tree(id));
  TreeDrawing drawing;
  drawing.text_of = [&](Tree::Place place) { return std::string(loaded.tree.id(place)); };
  std::printf("%s", draw(loaded.tree, drawing).c_str());
  LOGWOOD_TRY(const auto branches, store.branches(id));
  for (const Branch& branch : branches) {
    std::printf("%s %s: %s\n", branch.is_head ? "*" : " ", branch.tip.text.c_str(),
                branch.preview.c_str());
  }

  // A restart lands where the head is; a label leads back.
  LOGWOOD_TRY(const Label label, store.find_label(id, "option A"));
  LOGWOOD_CHECK(store.move_head(id, label.entry_id, {.expected_head = ExpectedHead{EntryId{"b"}}}));
  LOGWOOD_TRY(const Context context, store.context(id));
  std::printf("the model sees: %s\n", context.messages.back().payload.c_str());
  return store.close();
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
