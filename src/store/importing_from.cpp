// Sessions of other agents that become sessions here.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/telling.hpp"
#include "logwood/store.hpp"
#include "model/header.hpp"
#include "storage/backend.hpp"
#include "store/gathering.hpp"
#include "store/inside.hpp"

namespace logwood {
namespace {

using storage::StorageBackend;

constexpr std::size_t page_size = 64;
// Of what is added to a session that is there: a batch that is read as one.
constexpr std::size_t batch_entries_max = 256;
constexpr std::size_t batch_bytes_max = 4U << 20U;

Error not_of_agent(const SessionId& session, std::string_view why) {
  return {ErrorCode::already_exists,
          fmt::format("there is another session {} in this store ({})", session.text, why)};
}

// What stands for an entry that cannot be taken, so that what grew from it keeps its place.
Entry placeholder(const Entry& entry) {
  Entry made = entry;
  made.type = "agent_entry";
  made.text = Draft::of({.type = "agent_entry",
                         .id = entry.id,
                         .parent = entry.parent_id ? Parent::of(*entry.parent_id) : Parent::root(),
                         .timestamp = entry.timestamp})
                  .text;
  return made;
}

Result<> take(Gathering& gathered, const Entry& entry) {
  const std::uint64_t left_out = gathered.left_out_count();
  LOGWOOD_CHECK(gathered.take(entry, 0));
  const bool is_taken = gathered.left_out_count() == left_out;
  if (is_taken || kind_of(entry.type) != EntryKind::tree) return {};
  return gathered.take(placeholder(entry), 0);
}

// All that the other store has of the session and this one does not.
Result<std::uint64_t> gather(StorageBackend& from, const SessionId& session, Gathering& gathered,
                             const Progress& progress) {
  LOGWOOD_TRY(const VerifyReport report, from.verify(session));
  for (const Problem& problem : report.problems) {
    if (problem.kind != ProblemKind::blank) gathered.leave_out(problem.line, describe(problem));
  }
  storage::ReadPosition position;
  std::uint64_t entries = 0;
  while (true) {
    LOGWOOD_TRY(storage::PageFrom read, from.read(session, position, page_size));
    position = std::move(read.next);
    for (const Entry& entry : read.page.entries) {
      if (kind_of(entry.type) == EntryKind::header) continue;
      ++entries;
      if (!gathered.knows(entry.id)) LOGWOOD_CHECK(take(gathered, entry));
    }
    LOGWOOD_CHECK(tell(progress, entries, report.entries));
    if (!read.page.has_more) return entries;
  }
}

Result<> append_all(StorageBackend& to, const SessionId& session, Gathering& gathered) {
  LOGWOOD_TRY(const storage::EntrySource source, gathered.source());
  std::vector<Draft> batch;
  std::size_t bytes = 0;
  const auto write = [&]() -> Result<> {
    if (batch.empty()) return {};
    LOGWOOD_CHECK(to.append(session, batch, {}));
    batch.clear();
    bytes = 0;
    return {};
  };
  while (true) {
    LOGWOOD_TRY(std::optional<std::string> text, source());
    if (!text) return write();
    bytes += text->size();
    batch.push_back({*std::move(text)});
    if (batch.size() == batch_entries_max || bytes >= batch_bytes_max) LOGWOOD_CHECK(write());
  }
}

// Whether what is here was made of the same session.
Result<> check_same_origin(const SessionHeader& here, const SessionHeader& there) {
  const bool is_same = here.origin && there.origin && here.origin->agent == there.origin->agent &&
                       here.origin->session_id == there.origin->session_id;
  return is_same ? Result<>() : not_of_agent(here.id, "it was not made of this one");
}

}  // namespace

Result<Imported> Store::import_from(Store& agents, const SessionId& session,
                                    const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const from, agents.inside_->backend());
  LOGWOOD_TRY(StorageBackend* const to, inside_->backend());
  LOGWOOD_TRY(const SessionStatus theirs, from->status(session));
  LOGWOOD_TRY(Gathering gathered, Gathering::begin(Gathering::References::checked));
  const auto here = to->status(session);
  if (!here && here.error().code != ErrorCode::not_found) return here.error();
  if (here) {
    LOGWOOD_CHECK(check_same_origin(here->header, theirs.header));
    LOGWOOD_CHECK(to->walk(session, {}, [&](const storage::WalkedEntry& entry) {
      gathered.know(entry.place.id, entry.place.kind);
    }));
  }
  Imported imported;
  LOGWOOD_TRY(imported.entries, gather(*from, session, gathered, progress));
  imported.header = theirs.header;
  imported.added = gathered.entries();
  imported.already_there = here && imported.added == 0;
  imported.left_out = gathered.left_out();
  imported.left_out_count = gathered.left_out_count();
  if (here) {
    LOGWOOD_CHECK(append_all(*to, session, gathered));
    return imported;
  }
  LOGWOOD_TRY(const storage::EntrySource source, gathered.source());
  SessionHeader header = theirs.header;
  header.version = session_version;
  LOGWOOD_CHECK(
      check_new_session({header.id, header.key, header.cwd, header.parent, header.origin}));
  LOGWOOD_CHECK(
      to->create({.id = session}, {.entries = source, .header = header_body(header) + '}'}));
  return imported;
}

}  // namespace logwood
