// follow: what is added to a session, as it is added.
#include <fmt/format.h>

#include <algorithm>

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
  if (kind_of(entry.type) == EntryKind::header) return;
  command.print(command.as_json() ? entry_json(entry) : entry_view(entry, command));
}

// What is there and not yet read.
Result<> print_page(const Command& command, EntryReader& reader) {
  LOGWOOD_TRY(const EntryPage page, reader.next());
  for (const Entry& entry : page.entries) print_entry(command, entry);
  return command.flush();
}

// The last entries; the reader then stands behind them.
Result<> print_last(const Command& command, Store& store, const SessionId& session,
                    EntryReader& reader) {
  LOGWOOD_TRY(const std::uint64_t last_seq, reader.skip_to_end());
  LOGWOOD_TRY(BackwardPage page, store.load_last(session, entries_at_first));
  std::reverse(page.entries.begin(), page.entries.end());
  for (const Entry& entry : page.entries) {
    if (entry.seq <= last_seq) print_entry(command, entry);  // else the reader comes to it
  }
  return command.flush();
}

}  // namespace

Result<> run_follow(Command& command) {
  LOGWOOD_TRY(auto found, command.found_session());
  Store& store = found.store;
  const SessionId& session = found.id;
  LOGWOOD_CHECK(command.flush());  // somebody watches: no pager
  LOGWOOD_TRY(EntryReader reader, store.read(session, page_size));
  if (!command.arguments().has("--from-start"))
    LOGWOOD_CHECK(print_last(command, store, session, reader));
  while (command.goes_on()) {
    LOGWOOD_TRY(const bool more, reader.wait(between_looks));
    if (!more) continue;
    auto printed = print_page(command, reader);
    if (!printed && printed.error().code == ErrorCode::not_found) {
      return Error{ErrorCode::not_found,
                   fmt::format("session {} is gone; what it had was printed", session.text)};
    }
    LOGWOOD_CHECK(printed);
  }
  return command.stopped();
}

}  // namespace logwood::cli
