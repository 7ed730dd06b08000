// A secret got into a session: hide it at once, then remove its bytes and prove it.
#include <cstdio>
#include <string>

#include "logwood/store.hpp"

using namespace logwood;

namespace {

Draft said(const std::string& id, const std::string& text) {
  return Draft::of({.type = "message",
                    .payload = R"({"role":"user","content":")" + text + "\"}",
                    .id = EntryId{id}});
}

Result<> run() {
  LOGWOOD_TRY(Store store, Store::open("history", {.create = StoreOptions::Create::if_missing}));
  LOGWOOD_TRY(const SessionHeader session, store.create());
  const SessionId& id = session.id;
  LOGWOOD_CHECK(store.append(id, said("1", "my password is hunter2, do not tell")));
  LOGWOOD_CHECK(store.append(id, said("2", "what is the weather?")));

  // Hidden from the model from now on; the bytes are still there.
  LOGWOOD_CHECK(store.redact(id, {{{"1"}, "/payload/content", {{15, 22}}}}, "a password"));
  LOGWOOD_TRY(const Context context, store.context(id));
  std::printf("%s\n", context.messages.front().payload.c_str());

  // Gone from the file; what is left says where it stood.
  LOGWOOD_TRY(const Erasure erasure, store.erase(id, {{"1"}}, {.reason = "a password"}));
  const std::string receipt = to_json(erasure);
  std::printf("receipt: %s\n", receipt.c_str());

  LOGWOOD_TRY(const VerifyReport report, store.verify(id));
  std::printf("chain %s, %llu tombstone\n", report.is_sound() ? "holds" : "BROKEN",
              static_cast<unsigned long long>(report.tombstones));
  LOGWOOD_CHECK(store.check_receipt(receipt));
  return report.is_sound() ? store.close() : Error{ErrorCode::internal, "the chain is broken"};
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
