// What a place must be able to do to hold sessions. Every method is mandatory,
// and one contract suite (tests/contract) decides whether they are done right.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/file_system.hpp"
#include "logwood/append.hpp"
#include "logwood/entry.hpp"
#include "logwood/erasure.hpp"
#include "logwood/pages.hpp"
#include "logwood/progress.hpp"
#include "logwood/report.hpp"
#include "logwood/result.hpp"
#include "logwood/session.hpp"
#include "model/entry_fields.hpp"
#include "model/redaction.hpp"
#include "storage/session_catalog.hpp"

namespace logwood::storage {

/// How far a forward reader has come. `seq` says it for every backend; the rest
/// is where the file backend finds it again quickly, checked before it is used.
struct ReadPosition {
  std::uint64_t seq = 0;           ///< of the last entry returned
  std::uint64_t boundary_seq = 0;  ///< last seq of a batch that ended at or before it
  std::uint64_t offset = 0;        ///< after that batch
  std::uint64_t next_line = 1;
  std::string link;          ///< of its last line
  io::FileStatus seen = {};  ///< what had the name of the file before it was read; {}: nothing
};

struct PageFrom {
  EntryPage page;
  ReadPosition next;
};

/// What a walk is told of an entry, valid during the call.
struct WalkedEntry {
  /// Its object as it is stored: long strings may be empty, and the seal the last member.
  std::string_view text;
  EntryPlace place;
  std::uint64_t seq = 0;
  bool flagged = false;  ///< one that is not may follow with the same id, and stands for both
};
using WalkVisitor = std::function<void(const WalkedEntry&)>;

struct WalkedTo {
  ReadPosition next;
  std::vector<Problem> problems;
};

/// What somebody who reads backwards wants. The newest entries come first; when the end
/// of a session turns out to be irregular, all of it begins again.
struct BackwardVisit {
  std::function<void()> begin;                   ///< forget what was taken
  std::function<bool(const EntryPlace&)> wants;  ///< asked before an entry is read
  std::function<bool(Entry&&)> take;             ///< false: that was enough
  /// Whether its long strings have to be there, which costs a file each; none: always.
  std::function<bool(const EntryPlace&)> needs_long_strings = {};
  std::size_t expected_bytes = 0;    ///< about how much of the session that is
  std::size_t expected_entries = 0;  ///< how many entries; 0: not known
};

struct BackwardEnd {
  bool anchored = false;          ///< as in BackwardPage
  std::vector<Problem> problems;  ///< blobs that are not there; more where all had to be walked
};

/// What a backend keeps of sessions beside the sessions themselves.
struct Leftover {
  CopyKind kind = CopyKind::trash;
  std::string name;  ///< as in Copy
  SessionId session;
  std::optional<SessionId> forked_from;  ///< where it has a header that says so
  std::string key = {};                  ///< likewise
  std::string created = {};              ///< likewise
};

/// A piece of a session as it is stored, valid during the call: a line with its seal and without
/// its line end, or a blob that the next line names.
struct StoredPiece {
  std::string_view hash;  ///< of a blob, in hex; empty: it is a line
  std::string_view bytes;
};
using StoredVisitor = std::function<Result<>(const StoredPiece&)>;

/// Tells all pieces of a session, in order.
using StoredSource = std::function<Result<>(const StoredVisitor&)>;

/// Where the chain of a session ends.
struct ChainEnd {
  std::uint64_t seq = 0;
  std::string link;
  bool operator==(const ChainEnd&) const = default;
};

/// What a backend keeps, as somebody sees it who looks at the place and not at the sessions. Names
/// are those of files and folders.
struct Inventory {
  struct Part {
    std::string name;
    std::uint64_t files = 0;  ///< or what it is made of
    std::uint64_t size_bytes = 0;
    std::string_view one = "file";
    std::string_view many = "files";
  };
  struct Orphans {
    std::string folder;
    std::uint64_t blobs = 0;
    bool has_session = false;  ///< which names none of them
  };
  std::uint32_t version = 0;  ///< of the layout; 0: there is none
  std::vector<Part> parts;
  std::vector<std::string> open_to_others;  ///< other users can do something with them
  std::vector<std::string> odd;             ///< neither files nor folders
  std::vector<Orphans> orphans;
  std::vector<std::string> unfinished;  ///< files of somebody who died while making one
  std::vector<std::string> promises;    ///< what an acknowledgement means here, where that depends
  std::vector<std::string> dangers;     ///< what in the way it is set up breaks them
  std::string catalog_todo;             ///< what helps when the catalog fails
};

/// The texts of the entries that a new session begins with, one after the other; nothing
/// at the end. They are whole entries, each after its parent.
using EntrySource = std::function<Result<std::optional<std::string>>()>;

/// What a new session begins with.
struct SessionContent {
  EntrySource entries = {};
  /// The text of a header that was made elsewhere, with the id that the session gets; empty: one
  /// is made for it.
  std::string header = {};
};

class StorageBackend {
 public:
  virtual ~StorageBackend() = default;

  virtual std::string read_only() const = 0;
  Result<SessionHeader> create(const NewSession& session) { return create(session, {}); }
  /// All of the content is there when the session is.
  virtual Result<SessionHeader> create(const NewSession& session,
                                       const SessionContent& content) = 0;
  virtual Result<OpenedSession> open_by_key(const NewSession& session) = 0;
  virtual Result<SessionStatus> status(const SessionId& session) = 0;
  virtual Result<AppendResult> append(const SessionId& session, std::span<const Draft> drafts,
                                      const AppendOptions& options) = 0;
  virtual Result<PageFrom> read(const SessionId& session, const ReadPosition& from,
                                std::size_t limit) = 0;
  /// Where a read goes on that has been told everything.
  virtual Result<ReadPosition> end_of(const SessionId& session) = 0;
  /// Waits until a read that goes on at `known` may say something new, be it that the session is
  /// gone: true, and sometimes for nothing. False after `timeout`, a signal, or close().
  virtual Result<bool> wait(const SessionId& session, const ReadPosition& known,
                            std::chrono::milliseconds timeout) = 0;
  /// Tells all entries after `from`, the header included, without keeping them.
  virtual Result<WalkedTo> walk(const SessionId& session, const ReadPosition& from,
                                const WalkVisitor& visit) = 0;
  virtual Result<BackwardEnd> read_back(const SessionId& session, const BackwardVisit& visit) = 0;
  Result<BackwardPage> read_last(const SessionId& session, std::size_t limit, Along along,
                                 View view = View::stored);
  virtual Result<Entry> find(const SessionId& session, const EntryId& entry) = 0;
  /// What redactions of the session, as of now, hide. Owners: who asked, and a cache.
  virtual Result<std::shared_ptr<const Redactions>> redactions(const SessionId& session) = 0;
  /// Removes the bytes of these entries. Nothing happens unless all can be erased.
  virtual Result<Erasure> erase(const SessionId& session, std::span<const EntryId> entries,
                                const std::string& reason) = 0;
  virtual Result<std::vector<Leftover>> leftovers() = 0;
  /// Which of these entries it holds, or may hold (of torn bytes that is not known), and which it
  /// has that were made of them for another model.
  virtual Result<std::vector<EntryId>> held_by(const Leftover& leftover,
                                               std::span<const EntryId> entries) = 0;
  /// Erases entries that it holds, as erase does; what has no chain is removed.
  virtual Result<Erasure> erase_in(const Leftover& leftover, std::span<const EntryId> entries,
                                   const std::string& reason) = 0;
  virtual Result<Inventory> inventory() = 0;
  /// Takes from other users what they can do with one of `open_to_others`.
  virtual Result<> close_to_others(const std::string& name) = 0;
  /// Tells what is stored of a session, byte for byte. `damaged` where something of it is lost:
  /// what is left would not be the session.
  virtual Result<> read_stored(const SessionId& session, const StoredVisitor& visit) = 0;
  virtual Result<ChainEnd> chain_end(const SessionId& session) = 0;
  /// Makes a session of such pieces, or puts them in the place of the one that ends at `replaced`
  /// and nowhere else. Every link is checked. All of it is there afterwards, durable, or nothing
  /// has changed.
  virtual Result<> put_stored(const SessionId& session, const std::optional<ChainEnd>& replaced,
                              const StoredSource& source) = 0;
  /// Removes every byte of a session for good, and of those of its id in the trash. Repeating it
  /// finishes what was cut short; of a session that is not there nothing is removed.
  virtual Result<> purge(const SessionId& session) = 0;
  virtual Result<> flush(const SessionId& session) = 0;
  virtual Result<MigrationResult> migrate(const SessionId& session) = 0;
  /// Keeps the session packed and read-only, until unarchive. Repeating either is harmless.
  Result<ArchiveResult> archive(const SessionId& session) { return archive(session, {}); }
  virtual Result<ArchiveResult> archive(const SessionId& session, const Progress& progress) = 0;
  Result<ArchiveResult> unarchive(const SessionId& session) { return unarchive(session, {}); }
  virtual Result<ArchiveResult> unarchive(const SessionId& session, const Progress& progress) = 0;
  Result<VerifyReport> verify(const SessionId& session) { return verify(session, {}); }
  virtual Result<VerifyReport> verify(const SessionId& session, const Progress& progress) = 0;
  virtual Result<SessionPage> list(const ListOptions& options) = 0;
  virtual SessionCatalog& catalog() = 0;
  virtual Result<> remove(const SessionId& session) = 0;
  /// Brings back the one of that id which was removed last.
  virtual Result<> restore(const SessionId& session) = 0;
  virtual Result<> close(const SessionId& session) = 0;
  virtual Result<> close() = 0;
};

}  // namespace logwood::storage
