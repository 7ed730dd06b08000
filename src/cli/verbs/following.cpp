// follow: what is added to a session, as it is added.
#include <fmt/format.h>

#include <deque>

#include "cli/command.hpp"
#include "cli/entry_view.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

constexpr std::size_t entries_at_first = 10;
constexpr std::size_t page_size = 100;
// A Ctrl-C wakes a wait; one that comes just before it is noticed after this time.
constexpr std::chrono::milliseconds between_looks{1000};

void print_entry(const Command& command, const Entry& entry) {
  command.print(command.as_json() ? entry_json(entry) : entry_view(entry, command));
}

// The last entries, or all of them; the reader then stands behind them.
Result<> print_what_is_there(const Command& command, EntryReader& reader) {
  const bool all = command.arguments().has("--from-start");
  std::deque<Entry> last;
  while (reader.has_more() && command.goes_on()) {
    LOGWOOD_TRY(EntryPage page, reader.next());
    for (Entry& entry : page.entries) {
      if (kind_of(entry.type) == EntryKind::header) continue;
      if (all) {
        print_entry(command, entry);
        continue;
      }
      last.push_back(std::move(entry));
      if (last.size() > entries_at_first) last.pop_front();
    }
  }
  for (const Entry& entry : last) print_entry(command, entry);
  return command.flush();
}

}  // namespace

Result<> run_follow(Command& command) {
  LOGWOOD_TRY(Store store, command.open_store());
  LOGWOOD_TRY(const SessionId session, command.session(store));
  LOGWOOD_CHECK(command.flush());  // somebody watches: no pager
  LOGWOOD_TRY(EntryReader reader, store.read(session, page_size));
  LOGWOOD_CHECK(print_what_is_there(command, reader));
  while (command.goes_on()) {
    LOGWOOD_TRY(const bool more, reader.wait(between_looks));
    if (!more) continue;
    auto page = reader.next();
    if (!page && page.error().code == ErrorCode::not_found) {
      return Error{ErrorCode::not_found,
                   fmt::format("session {} is gone; what it had was printed", session.text)};
    }
    if (!page) return std::move(page).error();
    for (const Entry& entry : page->entries) {
      if (kind_of(entry.type) != EntryKind::header) print_entry(command, entry);
    }
    LOGWOOD_CHECK(command.flush());
  }
  return command.stopped();
}

}  // namespace logwood::cli
