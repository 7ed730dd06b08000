#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logwood/agents.hpp"
#include "logwood/append.hpp"
#include "logwood/attachment.hpp"
#include "logwood/byte_source.hpp"
#include "logwood/catalog.hpp"
#include "logwood/context.hpp"
#include "logwood/copied_session.hpp"
#include "logwood/entry.hpp"
#include "logwood/erasure.hpp"
#include "logwood/finding.hpp"
#include "logwood/ids.hpp"
#include "logwood/import.hpp"
#include "logwood/pages.hpp"
#include "logwood/progress.hpp"
#include "logwood/redaction.hpp"
#include "logwood/replay.hpp"
#include "logwood/report.hpp"
#include "logwood/request.hpp"
#include "logwood/result.hpp"
#include "logwood/resume.hpp"
#include "logwood/session.hpp"
#include "logwood/subject.hpp"
#include "logwood/turn.hpp"

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

struct ForkOptions {
  std::optional<SessionId> id = std::nullopt;
  std::string key = {};
};

/// A session that was made for another model, and what that cost.
struct MigratedSession {
  SessionHeader header;
  Compatibility report;
};

class EntryReader;

/// The object a user holds: a folder of sessions. Move-only; every member may be
/// called from several threads. Closing (or destroying) it syncs what is
/// buffered; close says whether that succeeded, the destructor cannot.
class Store {
 public:
  /// Opens the store in a folder, or makes one when asked to. A store of a newer
  /// version opens for reading only. In place of a folder a `postgres://` URL names a database,
  /// with `?tenant=NAME` for a tenant other than `default` and `pooler=transaction` where a pooler
  /// stands before it (docs/guides/postgresql.md).
  static Result<Store> open(const std::string& place, const StoreOptions& options = {});

  /// A store that lives in memory and ends with this object.
  static Result<Store> in_memory(const StoreOptions& options = {});

  /// The sessions of other agents on this machine, where they lie: read, listed and searched as
  /// they are, and never changed. Their ids begin with the name of the agent, `claude-7f3a…`.
  static Result<Store> of_agents(const AgentsOptions& options);

  /// One session file of another agent, wherever it lies; `unsupported` when it is nobody's we
  /// know.
  static Result<Store> of_agent_file(const std::string& path);

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
  Result<EntryPage> load(const SessionId& session, View view = View::shown);

  /// Reads forwards in pages of `page_size`.
  Result<EntryReader> read(const SessionId& session, std::size_t page_size = 100,
                           View view = View::shown);

  /// The newest `limit` entries, newest first, without reading the rest.
  Result<BackwardPage> load_last(const SessionId& session, std::size_t limit,
                                 Along along = Along::append_order, View view = View::shown);

  /// One committed entry, without loading the rest. Flagged ones are only in load.
  Result<Entry> find(const SessionId& session, const EntryId& entry, View view = View::shown);

  /// The tree of the session, in one pass over it.
  Result<SessionTree> tree(const SessionId& session);

  /// Its branches, the one appended to last first.
  Result<std::vector<Branch>> branches(const SessionId& session);

  /// Moves the head to an entry, or (nothing) before the first one: the next entry grows
  /// there, also after a restart. `options.expected_head` makes it conditional.
  Result<AppendResult> move_head(const SessionId& session, const std::optional<EntryId>& target,
                                 const AppendOptions& options = {});

  /// Puts a name on an entry, or moves it there; nothing takes the name away. A snapshot
  /// is a label, and moving the head to it restores it.
  Result<AppendResult> set_label(const SessionId& session, const std::string& name,
                                 const std::optional<EntryId>& target,
                                 const AppendOptions& options = {});
  Result<std::vector<Label>> labels(const SessionId& session);  ///< by name
  Result<Label> find_label(const SessionId& session, const std::string& name);

  /// What a model sees at the head, or at another tip. Reads from the end of the session
  /// and no further than the newest compaction on the path.
  Result<Context> context(const SessionId& session, const ContextOptions& options = {});

  /// The context as the body of a request for a model: its own messages byte for byte, those of
  /// other models as it takes them, what no API takes mended. The report says what is changed,
  /// added or lost; nothing stored is touched.
  Result<Request> request(const SessionId& session, const RequestOptions& options);

  /// Contexts that were read are kept, and used again as long as nothing that concerns
  /// them was appended. Redacting and erasing drop them before they return.
  void clear_context_cache();

  /// Appends a `compaction_summary` that keeps the path from `first_kept` on (nothing:
  /// only what comes after it), with the settings in force.
  Result<AppendResult> compact(const SessionId& session, const std::string& summary,
                               const std::optional<EntryId>& first_kept,
                               const AppendOptions& options = {});

  /// Everything a program needs that goes on with a session: where the head is, what the
  /// model sees, which tool calls have no result, and what was odd on the way.
  Result<Resumed> resume(const SessionId& session, const ContextOptions& options = {});

  /// The newest session of a key or a folder (`options`), resumed; `not_found` without one.
  Result<Resumed> resume_latest(const ListOptions& options, const ContextOptions& context = {});

  /// Leaves one session, flushed and closed, and resumes another.
  Result<Resumed> switch_session(const SessionId& from, const SessionId& to,
                                 const ContextOptions& options = {});

  /// Answers a tool call that has no result, with a message in the shape of the one that
  /// asks. It grows at the head where only results follow the call, else from the call.
  Result<AppendResult> answer(const SessionId& session, const UnfinishedCall& call,
                              const CallAnswer& answer, const AppendOptions& options = {});

  /// Says that a tool call begins, so that after a crash it counts as started.
  Result<AppendResult> mark_tool_run(const SessionId& session, const std::string& call_id,
                                     const std::string& name = {});

  /// Appends the messages of one turn: all of them are there or none.
  Result<AppendResult> save_turn(const SessionId& session, const Turn& turn,
                                 const AppendOptions& options = {});

  /// Appends parts of a message that is still being made; `deltas` is the JSON text of an
  /// array. The message itself, appended with the id `message`, is the truth.
  Result<AppendResult> append_deltas(const SessionId& session, const EntryId& message,
                                     const std::string& deltas, const std::string& run_id = {});

  /// Keeps bytes with the session, as an entry at the head, and returns a reference that a
  /// message can carry. A fork of the path takes them along, and erasing the entry erases them.
  Result<AttachmentRef> attach(const SessionId& session, const Attachment& attachment,
                               const AppendOptions& options = {});

  /// The bytes behind a reference. `not_found` when they were redacted or erased, `damaged`
  /// when they are not what was attached.
  Result<Attachment> attachment(const SessionId& session, const EntryId& entry);

  /// Summed over the session; what was summed before is not read again.
  Result<SessionUsage> usage(const SessionId& session);

  /// Hides entries or parts of them in every view, here and in forks made later. The bytes
  /// stay, and View::stored returns them; erasing removes them.
  Result<AppendResult> redact(const SessionId& session, const std::vector<RedactionTarget>& targets,
                              const std::string& reason = {}, const AppendOptions& options = {});

  /// Steps along the path to `tip` (nothing: the head).
  Result<Replay> replay(const SessionId& session, const std::optional<EntryId>& tip = std::nullopt);

  /// Removes the bytes of entries for good. What is left says where they stood, a redaction
  /// mark accounts for them, and the chain still verifies to the same links. The result is a
  /// receipt; it lists what else in this store holds them, and with `everywhere` they are
  /// erased there first. Exports, backups and snapshots are beyond it.
  Result<Erasure> erase(const SessionId& session, const std::vector<EntryId>& entries,
                        const EraseOptions& options = {});

  /// Holds a receipt (its JSON) against the session it names: whether each entry is erased
  /// as it says, and the chain is sound and has the link it gives; and those of copies that
  /// are sessions likewise. Otherwise `damaged`, with what is wrong.
  Result<Erasure> check_receipt(const std::string& receipt);

  /// Removes every session for good whose key begins with `key_prefix`, from the trash too, with
  /// its blobs and what the catalog knows of it. What was cut short is finished by repeating it.
  /// Forks with other keys are told, not touched.
  Result<SubjectErasure> erase_subject(const std::string& key_prefix,
                                       const SubjectOptions& options = {},
                                       const Progress& progress = {});

  /// Copies a session to another store byte for byte, seals and blobs included, and verifies it
  /// there. One that is there is brought up to date if it is the beginning of this one; `conflict`
  /// if it is not, and nothing is changed.
  Result<CopiedSession> copy_to(Store& other, const SessionId& session,
                                const Progress& progress = {});

  /// Makes a session that begins with a copy of the path to `entry`, the same entries
  /// with the same ids, and names where they come from. It shares no bytes with this
  /// one, and is there at once or not at all.
  Result<SessionHeader> fork(const SessionId& session, const EntryId& entry,
                             const ForkOptions& options = {});

  /// A new session with what a model saw at the head or at `options.tip`, in the shape of another
  /// model's API and as its own: each message says who made it first (`migratedFrom`), for whom
  /// (`migratedTo`) and when (`migratedAt`). The session stays as it is.
  Result<MigratedSession> fork_for(const SessionId& session, const RequestOptions& options,
                                   const ForkOptions& fork = {});

  /// Makes a session of a session file that comes from elsewhere, sealed or of version 0, plain or
  /// compressed with gzip or zstd: the same entries with the same ids, parents and times, each
  /// validated as append does; it is there at once or not at all. A session that has these entries
  /// is `already_there`, another one with the id `already_exists`. Unless `options.partial`, a
  /// file of which anything is not sound is `refused`.
  Result<Imported> import_session(const ByteSource& file, const ImportOptions& options = {},
                                  const Progress& progress = {});

  /// Makes a session of one of another agent (`of_agents`, `of_agent_file`), with the same id; the
  /// header says whose it was, and every entry carries the line it was made of. What an earlier
  /// import has is not taken again, so the same call goes on where that ended. Damaged lines are in
  /// `left_out`, and stop nothing.
  Result<Imported> import_from(Store& agents, const SessionId& session,
                               const Progress& progress = {});

  /// Makes a session of the sound entries of a damaged one, called `<id>-repaired`; repeating that
  /// does nothing. The damaged one stays as it is. `damaged` when it has none.
  Result<Imported> repair(const SessionId& session);

  /// Syncs what is buffered. On success everything appended before is durable.
  Result<> flush(const SessionId& session);

  /// Rewrites a session of an older version as the current one: a new file that
  /// takes the old one's name when it is complete. Until then, and if it fails,
  /// the old file is untouched and the session is read-only.
  Result<MigrationResult> migrate(const SessionId& session);

  /// Walks the whole session and its chain.
  Result<VerifyReport> verify(const SessionId& session, const Progress& progress = {});

  /// Looks at everything: how much room it takes, who can read it, whether each session is sound,
  /// what belongs to nobody, where secrets are suspected. `tell` hears each finding, and `progress`
  /// how many sessions are behind it, in place of bytes.
  Result<> examine(const FindingVisitor& tell, const ExamineOptions& options = {},
                   const Progress& progress = {});

  Result<SessionPage> list(const ListOptions& options = {});

  /// Says something about a session: title, tags, folder, expiry. What is not given stays.
  Result<AppendResult> set_info(const SessionId& session, const SessionInfo& info,
                                const AppendOptions& options = {});

  /// Sessions as a list shows them, those active last first. What changed since the last look
  /// is read first, with a word on how far it is; that is what the catalog is for, and it can be
  /// deleted at any time.
  Result<SummaryPage> summaries(const SummaryQuery& query = {}, const Progress& progress = {});

  /// Looks for words in what was said, called and answered; redacted parts are not found.
  Result<SearchPage> search(const SearchOptions& options, const Progress& progress = {});

  Result<StoreTotals> totals(const Progress& progress = {});

  /// From here on lists and totals leave out sessions that `other` has as well and would tell, if
  /// they were active there later; and as late, where it comes first. Where it does, searches leave
  /// out entries that it has. For two stores that are shown as one: what is in both is told by one
  /// of them. Only where both have a catalog in a file.
  Result<> show_beside(Store& other, bool other_comes_first);

  /// What those do before they answer.
  Result<> refresh_catalog(CatalogPart part, const Progress& progress = {});
  /// Keeps a session packed (zstd), which takes a fraction of the room. It is listed and read as
  /// before, and is read-only until it is brought back. Blobs stay as they are. There is no moment
  /// at which a power cut could lose it, and repeating either is harmless.
  Result<ArchiveResult> archive(const SessionId& session, const Progress& progress = {});
  Result<ArchiveResult> unarchive(const SessionId& session, const Progress& progress = {});

  /// Moves a session to the trash. Nothing is deleted.
  Result<> remove(const SessionId& session);

  /// Brings the session of this id that was removed last back from the trash, with its blobs;
  /// `already_exists` where there is one of that id.
  Result<> restore(const SessionId& session);
  Result<std::vector<SessionId>> removed();  ///< what can be restored, by id

  /// The same with the sessions of its sub-agents, theirs included; those that were
  /// removed, this one last. A failure leaves the rest where they are: call it again.
  Result<std::vector<SessionId>> remove_family(const SessionId& session);

  /// Syncs a session and lets go of it. After `unavailable` or
  /// `durability_unknown` this is how to start afresh.
  Result<> close(const SessionId& session);

  /// Syncs and lets go of everything. Whatever is asked of the store, or of a reader
  /// it handed out, afterwards is `unavailable`.
  Result<> close();

 private:
  friend class EntryReader;
  friend class Replay;
  class Inside;
  static Result<Store> open_database(const std::string& url, const StoreOptions& options);
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

  /// Waits until next() may return more, or has something else to say: that the session is gone,
  /// for one. True then, and sometimes for nothing; false when the time ran out or a signal came.
  /// Appends of other processes wake it within milliseconds; closing the store wakes it with
  /// `unavailable`.
  Result<bool> wait(std::chrono::milliseconds timeout);

  /// Whether the last page said that more follows; true before the first.
  [[nodiscard]] bool has_more() const;

  /// Starts again at the first entry.
  void reset();

  /// Goes behind what is there now, without reading all of it: next() gives what is appended after
  /// that. Returns the seq of the last entry it passed, 0 when there is none.
  Result<std::uint64_t> skip_to_end();

 private:
  friend class Store;
  class Inside;
  explicit EntryReader(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace logwood
