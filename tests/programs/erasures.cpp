// Erased is erased: after thousands of random erasures of unique strings, from everywhere a string
// can stand in an entry and from every place of a store that copies them, grep finds none of them
// in any file, and every chain still verifies.
//
//   erasures [--seed N]
//
// grep runs once before, too, and must find them all then: a search that finds nothing because it
// does not look would go unnoticed otherwise.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "support/budget.hpp"
#include "support/fast_folder.hpp"
#include "support/temporary_folder.hpp"
#include "support/thousands.hpp"

namespace logwood {
namespace {

constexpr std::size_t erasures_of_campaign = 10'000;
constexpr std::size_t entries_of_session = 250;

[[noreturn]] void give_up(const std::string& what) {
  fmt::print("NOT HELD: {}\n", what);
  std::exit(1);
}

template <class T>
T must(Result<T> result, const std::string& what) {
  if (!result) give_up(what + ": " + result.error().message);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// An entry that holds a string no other one has.
struct Secret {
  SessionId session;
  EntryId entry;
  std::string text;
};

class Erasures {
 public:
  Erasures(std::string folder, std::uint64_t seed)
      : folder_(std::move(folder)),
        random_(seed),
        store_(must(Store::open(folder_, {.create = StoreOptions::Create::if_missing}), "open")) {}

  // A session with secrets, and copies of some of them elsewhere in the store.
  void add_session() {
    const SessionId session = must(store_.create(), "create").id;
    for (std::size_t i = 0; i < entries_of_session; ++i) {
      const std::string text = fmt::format("secret-{:016x}{:016x}", random_(), random_());
      AppendOptions options;
      if (any(2) == 0) options.durability = Durability::buffered;
      const auto appended = must(store_.append(session, draft_with(text), options), "append");
      secrets_.push_back({session, appended.last_appended_entry_id, text});
    }
    copy_elsewhere(session);
    ++sessions_;
  }

  // Shuffles all secrets and erases them, a few at a time.
  std::size_t erase_all() {
    std::shuffle(secrets_.begin(), secrets_.end(), random_);
    std::size_t erased = 0;
    while (erased < secrets_.size()) {
      const SessionId session = secrets_[erased].session;
      std::vector<EntryId> ids;
      const std::size_t most = 1 + any(3);
      std::size_t end = erased;
      while (end < secrets_.size() && ids.size() < most && secrets_[end].session == session) {
        ids.push_back(secrets_[end++].entry);
      }
      const Erasure receipt =
          must(store_.erase(session, ids, {.reason = "a test", .everywhere = true}), "erase");
      if (any(50) == 0) must(store_.check_receipt(to_json(receipt)), "the receipt");
      erased = end;
    }
    return erased;
  }

  void verify() {
    must(store_.close(), "close");
    store_ = must(Store::open(folder_), "open");
    std::optional<SessionId> after;
    while (true) {
      const SessionPage page = must(store_.list({.after = after}), "list");
      for (const SessionHeader& header : page.sessions) {
        const VerifyReport report = must(store_.verify(header.id), "verify");
        if (!report.problems.empty()) {
          give_up(header.id.text + ": " + describe(report.problems.front()));
        }
        tombstones_ += report.tombstones;
        after = header.id;
      }
      if (!page.has_more) return;
    }
  }

  // How many lines of grep's output name a secret; the store must not be in use.
  [[nodiscard]] std::size_t grep() const {
    const std::string patterns = folder_ + ".patterns";
    std::ofstream list(patterns);
    for (const Secret& secret : secrets_) list << secret.text << '\n';
    list.close();
    const std::string command =
        fmt::format("LC_ALL=C grep -r -o -a -h -F -f {} {} | sort -u | wc -l", patterns, folder_);
    std::FILE* const output = ::popen(command.c_str(), "r");
    std::size_t found = 0;
    if (output == nullptr || std::fscanf(output, "%zu", &found) != 1) give_up("grep did not run");
    if (::pclose(output) != 0) give_up("grep failed");
    std::filesystem::remove(patterns);
    return found;
  }

  [[nodiscard]] std::size_t sessions() const { return sessions_; }
  [[nodiscard]] std::size_t secrets() const { return secrets_.size(); }
  [[nodiscard]] std::uint64_t tombstones() const { return tombstones_; }

 private:
  std::size_t any(std::size_t bound) { return random_() % bound; }

  // Wherever a caller can put a string, but for the type, which a tombstone keeps.
  Draft draft_with(const std::string& text) {
    DraftFields fields{.type = "message"};
    switch (any(8)) {
      case 0:
        fields.payload = fmt::format(R"({{"role":"user","content":[{{"text":"{}"}}]}})", text);
        break;
      case 1:
        fields.payload = fmt::format(R"({{"{}":null}})", text);
        break;
      case 2:
        fields.meta = fmt::format(R"({{"note":"{}"}})", text);
        break;
      case 3:
        fields.run_id = text;
        break;
      case 4:
        fields = {.type = "session_info", .payload = fmt::format(R"({{"title":"{}"}})", text)};
        break;
      case 5:
        fields = {.type = "tool_run", .payload = fmt::format(R"({{"callId":"{}"}})", text)};
        break;
      case 6: {
        std::string long_text(66'000, 'x');
        if (any(4) == 0) long_text.replace(any(65'000), text.size(), text);
        fields.payload = fmt::format(R"({{"content":"{}","also":"{}"}})", long_text, text);
        break;
      }
      default:
        fields.payload = fmt::format(R"({{"role":"user","content":"{}"}})", text);
    }
    return Draft::of(fields);
  }

  void copy_elsewhere(const SessionId& session) {
    const auto head = must(store_.status(session), "status").head;
    const SessionHeader fork = must(store_.fork(session, *head), "fork");
    if (any(2) == 0) must(store_.remove(fork.id), "remove");
    // Torn bytes with a secret that is in the session too; the next append cuts them.
    must(store_.close(session), "close");
    std::ofstream(folder_ + "/sessions/" + session.text + ".jsonl", std::ios::app)
        << R"({"id":"torn","type":"message","payload":{"text":")" << secrets_.back().text;
    must(store_.append(session, Draft::of({.type = "custom"})), "append");
    // What somebody who was killed while forking leaves.
    const std::string killed = fmt::format("killed{}", sessions_);
    std::filesystem::copy_file(folder_ + "/sessions/" + session.text + ".jsonl",
                               folder_ + "/sessions/" + killed + ".jsonl.new");
  }

  std::string folder_;
  std::mt19937_64 random_;
  Store store_;
  std::vector<Secret> secrets_;
  std::size_t sessions_ = 0;
  std::uint64_t tombstones_ = 0;
};

int run(std::uint64_t seed) {
  const Budget budget;
  const TemporaryFolder place(fast_folder());
  Erasures erasures(place / "store", seed);
  const std::size_t wanted = budget.is_limited() ? erasures_of_campaign / 10 : erasures_of_campaign;
  while (erasures.secrets() < wanted) erasures.add_session();
  const std::size_t before = erasures.grep();
  if (before != erasures.secrets()) {
    give_up(fmt::format("before erasing, grep finds {} of {} strings", before, erasures.secrets()));
  }
  const std::size_t erased = erasures.erase_all();
  erasures.verify();
  const std::size_t after = erasures.grep();
  fmt::print(
      "erasures: {} strings erased from {} sessions and their copies, grep finds {} ({} "
      "before), {} tombstones verify, seed {}\n",
      thousands(erased), erasures.sessions(), after, thousands(before),
      thousands(erasures.tombstones()), seed);
  return after == 0 ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main(int count, char** values) {
  return logwood::run(logwood::seed_argument(count, values, 1));
}
