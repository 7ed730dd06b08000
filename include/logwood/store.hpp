#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "logwood/append.hpp"
#include "logwood/entry.hpp"
#include "logwood/ids.hpp"
#include "logwood/pages.hpp"
#include "logwood/report.hpp"
#include "logwood/result.hpp"
#include "logwood/session.hpp"

namespace logwood {

struct StoreOptions {
  enum class Create : std::uint8_t { never, if_missing };
  Create create = Create::never;

  /// How long an operation waits for another writer before it answers `busy`.
  std::chrono::milliseconds patience{5000};

  /// How long a buffered append may stay unsynced. Zero: no thread of ours runs,
  /// and the time is looked at only when something is appended.
  std::chrono::milliseconds sync_interval{100};

  /// Use a network or user-space file system, whose locks and syncs may not
  /// keep their word. One writer at a time is then the caller's promise.
  bool allow_remote = false;

  /// Where ids and time come from; for tests and imports that must repeat exactly.
  std::function<EntryId()> new_id = {};
  std::function<std::chrono::system_clock::time_point()> now = {};
};

class EntryReader;

/// The object a user holds: a folder of sessions. Move-only; every member may be
/// called from several threads. Closing (or destroying) it syncs what is
/// buffered; close says whether that succeeded, the destructor cannot.
class Store {
 public:
  /// Opens the store in a folder, or makes one when asked to. A store of a newer
  /// version opens for reading only.
  static Result<Store> open(const std::string& folder, const StoreOptions& options = {});

  /// A store that lives in memory and ends with this object.
  static Result<Store> in_memory(const StoreOptions& options = {});

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Why nothing can be written to this store; empty when it can.
  [[nodiscard]] std::string read_only() const;

  /// Makes a session. It is durable when this returns.
  Result<SessionHeader> create(const NewSession& session = {});

  /// The newest session of `session.key`, or a new one made from `session`. Of
  /// several processes that ask at once exactly one creates.
  Result<OpenedSession> open_by_key(const NewSession& session);

  Result<SessionStatus> status(const SessionId& session);

  /// Appends a batch: all of it exists afterwards or none of it does.
  ///
  /// Repeating an append whose ids are known with the same text succeeds and
  /// adds nothing, whatever tail is expected. Known ids with other text, or only
  /// part of a batch known, are `id_conflict`. A tail other than the expected
  /// one is `conflict` and names the actual tail. After `durability_unknown`
  /// the batch may be there or not: append it again with the same ids.
  Result<AppendResult> append(const SessionId& session, std::span<const Draft> drafts,
                              const AppendOptions& options = {});
  Result<AppendResult> append(const SessionId& session, const Draft& draft,
                              const AppendOptions& options = {});

  /// Every entry, in order, and everything unusual that was met.
  Result<EntryPage> load(const SessionId& session);

  /// Reads forwards in pages of `page_size`.
  Result<EntryReader> read(const SessionId& session, std::size_t page_size = 100);

  /// The newest `limit` entries, newest first, without reading the rest.
  Result<BackwardPage> load_last(const SessionId& session, std::size_t limit,
                                 Along along = Along::append_order);

  /// One committed entry, without loading the rest. Flagged ones are only in load.
  Result<Entry> find(const SessionId& session, const EntryId& entry);

  /// The tree of the session, in one pass over it.
  Result<SessionTree> tree(const SessionId& session);

  /// Its branches, the one appended to last first.
  Result<std::vector<Branch>> branches(const SessionId& session);

  /// Syncs what is buffered. On success everything appended before is durable.
  Result<> flush(const SessionId& session);

  /// Rewrites a session of an older version as the current one: a new file that
  /// takes the old one's name when it is complete. Until then, and if it fails,
  /// the old file is untouched and the session is read-only.
  Result<MigrationResult> migrate(const SessionId& session);

  /// Walks the whole session and its chain.
  Result<VerifyReport> verify(const SessionId& session);

  Result<SessionPage> list(const ListOptions& options = {});

  /// Moves a session to the trash. Nothing is deleted.
  Result<> remove(const SessionId& session);

  /// Syncs a session and lets go of it. After `unavailable` or
  /// `durability_unknown` this is how to start afresh.
  Result<> close(const SessionId& session);

  /// Syncs and lets go of everything. Whatever is asked of the store, or of a reader
  /// it handed out, afterwards is `unavailable`.
  Result<> close();

 private:
  friend class EntryReader;
  class Inside;
  explicit Store(std::shared_ptr<Inside> inside);
  std::shared_ptr<Inside> inside_;  // shared with the readers it handed out
};

/// Reads a session forwards, page by page; entries that are appended meanwhile
/// come along. It may outlive the Store that made it.
class EntryReader {
 public:
  EntryReader(EntryReader&&) noexcept;
  EntryReader& operator=(EntryReader&&) noexcept;
  ~EntryReader();

  /// The next entries; an empty page when there are none yet.
  Result<EntryPage> next();

  /// Whether the last page said that more follows; true before the first.
  [[nodiscard]] bool has_more() const;

  /// Starts again at the first entry.
  void reset();

 private:
  friend class Store;
  class Inside;
  explicit EntryReader(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace logwood
