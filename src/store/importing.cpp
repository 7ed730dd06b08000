#include "store/importing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/decompressing.hpp"
#include "base/sha256.hpp"
#include "base/telling.hpp"
#include "base/timestamp.hpp"
#include "io/append_all.hpp"
#include "io/scratch_file.hpp"
#include "model/carried_entry.hpp"
#include "model/draft.hpp"
#include "model/header.hpp"
#include "model/secrets.hpp"
#include "storage/jsonl/single_file.hpp"
#include "store/gathering.hpp"

namespace logwood {
namespace {

using storage::StorageBackend;

constexpr std::size_t page_size = 16;  // long strings come along

// How far an import has come. Every byte is unpacked, then looked at, then stored.
class Steps {
 public:
  explicit Steps(Progress progress) : progress_(std::move(progress)) {}

  Result<> did(std::uint64_t bytes) {
    done_ += bytes;
    return tell(progress_, total_ == 0 ? done_ : std::min(done_, total_), total_);
  }
  void all_unpacked() { total_ = 3 * done_; }

 private:
  Progress progress_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;  // not known while it is unpacked
};

// All of it into a file of our own: nobody changes that while it is read, and reads it twice.
Result<std::unique_ptr<io::File>> spooled(const ByteSource& bytes, Steps& steps) {
  LOGWOOD_TRY(auto file, io::scratch_file());
  const ByteSource plain = decompressing(bytes);
  std::string buffer(std::size_t{256} << 10U, '\0');
  while (true) {
    LOGWOOD_TRY(const std::size_t got, plain(buffer));
    if (got == 0) break;
    LOGWOOD_CHECK(steps.did(got));
    LOGWOOD_CHECK(io::append_all(*file, {buffer.data(), got}));
  }
  steps.all_unpacked();
  return file;
}

// What stands in the way of taking all of a file. Lines of others are no part of it.
bool is_in_the_way(ProblemKind kind) {
  return is_loss(kind) || kind == ProblemKind::torn || kind == ProblemKind::newer;
}

// The header in its own words, as a header of the version we write.
Result<std::string> header_text(const Entry& entry, bool is_unsealed) {
  std::string text = entry.text;
  if (is_unsealed) {
    LOGWOOD_TRY(text, upgraded_header(text));
  }
  text.resize(text.find_last_of('}') + 1);
  text.erase(0, text.find('{'));
  std::replace(text.begin(), text.end(), '\r', ' ');  // legal between tokens, but not in our lines
  return text;
}

Result<> check_header(const SessionHeader& header) {
  LOGWOOD_CHECK(
      check_new_session({header.id, header.key, header.cwd, header.parent, header.origin}));
  if (is_timestamp(header.created)) return {};
  return Error{ErrorCode::invalid_argument,
               "the header has no \"timestamp\" of the form 2026-01-31T23:59:59.999Z"};
}

// What the session is to be, and what it is made of.
struct NewOne {
  SessionHeader header;
  std::string header_text;
};

// The header of the file, or one of ours that names it as the origin.
Result<NewOne> new_one(const SessionHeader& theirs, std::string text, const ImportOptions& options,
                       const std::optional<EntryId>& last) {
  NewOne made{theirs, std::move(text)};
  made.header.version = session_version;
  const bool is_renamed = options.id && *options.id != theirs.id;
  if (!is_renamed && !options.key && !made.header_text.empty()) return made;
  if (is_renamed) {
    made.header.id = *options.id;
    made.header.origin = Origin{fork_agent, theirs.id.text, "", "", last};
  }
  if (options.key) made.header.key = *options.key;
  LOGWOOD_CHECK(check_header(made.header));
  made.header_text = header_body(made.header) + '}';
  return made;
}

// Whether an entry that is here is the one that comes, which may have left a store with what is
// hidden taken out.
bool is_same(const Entry& here, const Redactions& redactions, const std::string& coming) {
  if (here.text == coming) return true;
  const auto other = parse_entry(coming);
  if (!other || other->id != here.id || other->type != here.type) return false;
  if (here.erased || here.type == "redaction") return true;
  Entry shown = here;
  (void)redactions.apply(shown);
  return shown.text == coming || without_secrets(shown.text) == coming;
}

Error other_session(const SessionId& id, std::string_view why) {
  return {ErrorCode::already_exists,
          fmt::format("there is another session {} in this store ({})", id.text, why)};
}

// Nothing when the session that is here begins with what was gathered; else what is different.
Result<> check_same(StorageBackend& backend, const SessionHeader& wanted, Gathering& gathered) {
  LOGWOOD_TRY(const SessionStatus here, backend.status(wanted.id));
  if (here.header.created != wanted.created)
    return other_session(wanted.id, "made at another time");
  LOGWOOD_TRY(const auto redactions, backend.redactions(wanted.id));
  LOGWOOD_TRY(const storage::EntrySource source, gathered.source());
  storage::ReadPosition position;
  EntryPage page;
  std::size_t at = 0;
  while (true) {
    LOGWOOD_TRY(const std::optional<std::string> coming, source());
    if (!coming) return {};
    while (at == page.entries.size() || kind_of(page.entries[at].type) == EntryKind::header) {
      if (at < page.entries.size()) {
        ++at;
        continue;
      }
      LOGWOOD_TRY(storage::PageFrom read, backend.read(wanted.id, position, page_size));
      if (read.page.entries.empty()) return other_session(wanted.id, "it has fewer entries");
      position = std::move(read.next);
      page = std::move(read.page);
      at = 0;
    }
    const Entry& entry = page.entries[at++];
    if (!is_same(entry, *redactions, *coming))
      return other_session(wanted.id, fmt::format("entry {} differs", entry.id.text));
  }
}

Result<Imported> make(StorageBackend& backend, const NewOne& one, Gathering& gathered,
                      Steps& steps) {
  Imported imported;
  imported.header = one.header;
  imported.entries = gathered.entries();
  imported.left_out = gathered.left_out();
  imported.left_out_count = gathered.left_out_count();
  LOGWOOD_TRY(const storage::EntrySource source, gathered.source());
  const auto told = [&]() -> Result<std::optional<std::string>> {
    LOGWOOD_TRY(std::optional<std::string> entry, source());
    if (entry) LOGWOOD_CHECK(steps.did(entry->size()));
    return entry;
  };
  auto made = backend.create({.id = one.header.id}, {.entries = told, .header = one.header_text});
  if (made) {
    imported.added = imported.entries;
    return imported;
  }
  if (made.error().code != ErrorCode::already_exists) return std::move(made).error();
  LOGWOOD_CHECK(check_same(backend, one.header, gathered));
  imported.already_there = true;
  return imported;
}

// The same each time, so that repairing again finds what was repaired.
SessionId repaired_id(const SessionId& session) {
  constexpr std::string_view ending = "-repaired";
  SessionId id{session.text + std::string(ending)};
  if (check_id(id.text)) return id;
  // Too long: a hash stands for what is cut off.
  constexpr std::size_t kept_size = 70;
  constexpr std::size_t hash_size = 16;
  return {fmt::format("{}-{}{}", session.text.substr(0, kept_size),
                      to_hex(sha256({session.text})).substr(0, hash_size), ending)};
}

}  // namespace

Result<Imported> import_file(StorageBackend& backend, const ByteSource& bytes,
                             const ImportOptions& options, const Progress& progress) {
  if (options.id) LOGWOOD_CHECK(check_id(options.id->text));
  Steps steps(progress);
  LOGWOOD_TRY(const auto file, spooled(bytes, steps));
  LOGWOOD_TRY(const storage::jsonl::FirstLine first, storage::jsonl::read_single_file(*file));
  LOGWOOD_CHECK(check_header(*first.header));
  LOGWOOD_TRY(Gathering gathered,
              Gathering::begin(options.partial ? Gathering::References::free
                                               : Gathering::References::checked));
  std::string theirs;
  LOGWOOD_TRY(const std::vector<Problem> problems,
              storage::jsonl::walk_single_file(
                  *file, first, [&](const Entry& entry, std::uint64_t line) -> Result<> {
                    LOGWOOD_CHECK(steps.did(entry.text.size()));
                    if (line > 1) return gathered.take(entry, line);
                    LOGWOOD_TRY(theirs, header_text(entry, first.unsealed));
                    return {};
                  }));
  bool in_the_way = gathered.left_out_count() > 0;
  for (const Problem& problem : problems) {
    if (problem.kind == ProblemKind::blank || problem.kind == ProblemKind::line_end) continue;
    in_the_way = in_the_way || is_in_the_way(problem.kind);
    gathered.leave_out(problem.line, describe(problem));
  }
  LOGWOOD_TRY(const NewOne one,
              new_one(*first.header, std::move(theirs), options, gathered.last()));
  if (in_the_way && !options.partial) {
    Imported refused;
    refused.header = one.header;
    refused.refused = true;
    refused.left_out = gathered.left_out();
    refused.left_out_count = gathered.left_out_count();
    return refused;
  }
  return make(backend, one, gathered, steps);
}

Result<Imported> repair_session(StorageBackend& backend, const SessionId& session) {
  LOGWOOD_TRY(const SessionStatus status, backend.status(session));
  LOGWOOD_TRY(Gathering gathered, Gathering::begin(Gathering::References::free));
  storage::ReadPosition position;
  std::string first_time;
  while (true) {
    LOGWOOD_TRY(storage::PageFrom read, backend.read(session, position, page_size));
    position = std::move(read.next);
    for (const Entry& entry : read.page.entries) {
      if (first_time.empty()) first_time = entry.timestamp;
      if (kind_of(entry.type) != EntryKind::header) LOGWOOD_CHECK(gathered.take(entry, 0));
    }
    if (!read.page.has_more) break;
  }
  if (gathered.entries() == 0) return Error{ErrorCode::damaged, "none of its entries is sound"};
  SessionHeader header = status.header;
  header.id = session;
  if (!is_timestamp(header.created)) header.created = first_time;
  ImportOptions options;
  options.id = repaired_id(session);
  LOGWOOD_TRY(const NewOne one, new_one(header, {}, options, gathered.last()));
  Steps untold{{}};
  return make(backend, one, gathered, untold);
}

}  // namespace logwood
