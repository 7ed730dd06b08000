// Uses the installed library from end to end, so that whatever it needs must be linked: a store on
// disk, one entry in, the same entry out.
#include <cstdio>

#include "logwood/store.hpp"

namespace {

logwood::Result<> run() {
  LOGWOOD_TRY(auto store, logwood::Store::open("package-test-store",
                                               {.create = logwood::StoreOptions::Create::if_missing,
                                                .allow_remote = true}));
  LOGWOOD_TRY(auto session, store.create());
  const auto draft = logwood::Draft::of({.type = "message", .payload = R"({"role":"user"})"});
  LOGWOOD_TRY(auto appended, store.append(session.id, draft));
  LOGWOOD_TRY(auto found, store.find(session.id, appended.last_appended_entry_id));
  if (found.payload() != R"({"role":"user"})") {
    return logwood::Error{logwood::ErrorCode::internal, "another payload came back"};
  }
  std::printf("%s\n", found.text.c_str());
  return store.close();
}

}  // namespace

int main() {
  if (auto done = run(); !done) {
    std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return 1;
  }
  return 0;
}
