#include "storage/memory/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "base/timestamp.hpp"
#include "model/erasure.hpp"
#include "model/head_mark.hpp"
#include "model/header.hpp"
#include "storage/append_plan.hpp"
#include "storage/archived_session.hpp"
#include "storage/catalog_keeper.hpp"
#include "storage/erasure_plan.hpp"
#include "storage/held_entries.hpp"
#include "storage/no_session.hpp"

namespace logwood::storage::memory {
namespace {

struct Session {
  SessionHeader header;
  std::uint64_t incarnation = 0;  // another one after an erasure, as a file is another one then
  std::vector<Entry> entries;
  std::unordered_map<std::string, std::size_t> by_id;
  std::optional<EntryId> tail;
  std::optional<EntryId> head;
  bool archived = false;
  std::shared_ptr<const Redactions> redactions =
      std::make_shared<const Redactions>();  // owners: this and who asked
};

class Backend final : public StorageBackend {
 public:
  explicit Backend(Options options) : options_(std::move(options)) {}

  std::string read_only() const override { return {}; }

  Result<SessionHeader> create(const NewSession& session, const SessionContent& content) override {
    std::vector<Entry> entries;  // before the lock, as the source may be a session of ours
    while (content.entries) {
      LOGWOOD_TRY(std::optional<std::string> text, content.entries());
      if (!text) break;
      LOGWOOD_TRY(Entry entry, parse_entry(*std::move(text)));
      entries.push_back(std::move(entry));
    }
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(SessionHeader header, create_session(session, content.header));
    Session& made = sessions_.at(header.id);
    for (Entry& entry : entries) {
      if (kind_of(entry.type) == EntryKind::tree) made.tail = made.head = entry.id;
      if (const auto target = head_target(entry.text)) {
        made.tail = entry.id;
        made.head = *target;
      }
      keep(made, std::move(entry));
    }
    return header;
  }

  Result<OpenedSession> open_by_key(const NewSession& session) override {
    if (session.key.empty()) {
      return Error{ErrorCode::invalid_argument,
                   "a session is opened by its key, and the key is empty"};
    }
    LOGWOOD_CHECK(check_new_session(session));
    const std::lock_guard guard(mutex_);
    const SessionHeader* newest = nullptr;
    for (const auto& [id, known] : sessions_) {
      if (known.header.key != session.key) continue;
      if (newest == nullptr || std::pair(known.header.created, known.header.id) >
                                   std::pair(newest->created, newest->id)) {
        newest = &known.header;
      }
    }
    if (newest != nullptr) return OpenedSession{*newest, false};
    LOGWOOD_TRY(SessionHeader header, create_session(session));
    return OpenedSession{std::move(header), true};
  }

  Result<SessionStatus> status(const SessionId& id) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    return SessionStatus{session->header, session->tail, session->head,
                         session->archived ? archived_text(id) : std::string(), session->archived};
  }

  Result<AppendResult> append(const SessionId& id, std::span<const Draft> drafts,
                              const AppendOptions& options) override {
    LOGWOOD_TRY(const CheckedBatch batch, check_batch(id, drafts, options));
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    if (session->archived) return archived_error(id);
    const SessionView view{session->tail, session->head, finder(*session)};
    LOGWOOD_TRY(
        const AppendPlan plan,
        plan_append(batch, options, view, format_timestamp(options_.now()), options_.new_id));
    // Every entry is made before the first one is kept: all of them or none.
    std::vector<Entry> made;
    for (const PlannedEntry& planned : plan.entries) {
      LOGWOOD_TRY(Entry entry, parse_entry(planned.stamps + std::string(planned.members) + '}'));
      made.push_back(std::move(entry));
    }
    for (Entry& entry : made) keep(*session, std::move(entry));
    changed_.notify_all();
    session->tail = plan.tail;
    session->head = plan.head;
    return AppendResult{id, plan.last_id, plan.entries.size(), plan.replayed};
  }

  Result<PageFrom> read(const SessionId& id, const ReadPosition& from, std::size_t limit) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    PageFrom result;
    const std::vector<Entry>& all = session->entries;
    const std::size_t first = std::min<std::size_t>(from.seq, all.size());  // seq n is at n - 1
    const std::size_t count = std::min(limit, all.size() - first);
    result.page.entries.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                               all.begin() + static_cast<std::ptrdiff_t>(first + count));
    result.page.has_more = first + count < all.size();
    result.next.seq = first + count;
    return result;
  }

  Result<ReadPosition> end_of(const SessionId& id) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(const Session* session, find_session(id));
    ReadPosition end;
    end.seq = session->entries.size();
    return end;
  }

  Result<bool> wait(const SessionId& id, const ReadPosition& known,
                    std::chrono::milliseconds timeout) override {
    std::unique_lock guard(mutex_);
    const auto has_news = [&] {
      const auto found = sessions_.find(id);
      return found == sessions_.end() || found->second.entries.size() > known.seq;
    };
    // The end of a longer one would not be a time of the clock.
    constexpr std::chrono::hours timeout_max{24 * 365 * 100};
    return changed_.wait_for(guard, closing_.get_token(),
                             std::min<std::chrono::milliseconds>(timeout, timeout_max), has_news);
  }

  Result<WalkedTo> walk(const SessionId& id, const ReadPosition& from,
                        const WalkVisitor& visit) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    return walk_entries(*session, from, visit);
  }

  Result<BackwardEnd> read_back(const SessionId& id, const BackwardVisit& visit) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    visit.begin();
    for (auto entry = session->entries.rbegin(); entry != session->entries.rend(); ++entry) {
      if (!visit.wants(find_place(entry->text))) continue;
      if (!visit.take(Entry(*entry))) break;
    }
    return BackwardEnd{true, {}};
  }

  Result<Entry> find(const SessionId& id, const EntryId& entry) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    const auto found = session->by_id.find(entry.text);
    if (found != session->by_id.end()) return session->entries[found->second];
    return Error{ErrorCode::not_found,
                 fmt::format("there is no entry {} in session {}", entry.text, id.text)};
  }

  Result<std::shared_ptr<const Redactions>> redactions(const SessionId& id) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    return session->redactions;
  }

  Result<Erasure> erase(const SessionId& id, std::span<const EntryId> entries,
                        const std::string& reason) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    return erase_in_session(*session, entries, reason);
  }

  SessionCatalog& catalog() override { return catalog_; }

  // Removed sessions are all that outlives a session here.
  Result<std::vector<Leftover>> leftovers() override {
    const std::lock_guard guard(mutex_);
    std::vector<Leftover> found;
    for (std::size_t i = 0; i < removed_.size(); ++i) {
      const SessionHeader& header = removed_[i].header;
      found.push_back({CopyKind::trash, name_in_trash(i), header.id, fork_source(header),
                       header.key, header.created});
    }
    return found;
  }

  Result<std::vector<EntryId>> held_by(const Leftover& leftover,
                                       std::span<const EntryId> entries) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(const Session* session, find_removed(leftover));
    return held_entries(
        entries,
        [&](const EntryId& id) -> Result<bool> {
          const auto found = session->by_id.find(id.text);
          return found != session->by_id.end() && !session->entries[found->second].erased;
        },
        [&](const WalkVisitor& visit) { return walk_entries(*session, {}, visit); });
  }

  Result<Erasure> erase_in(const Leftover& leftover, std::span<const EntryId> entries,
                           const std::string& reason) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_removed(leftover));
    return erase_in_session(*session, entries, reason);
  }

  Result<Inventory> inventory() override { return Inventory(); }
  Result<> close_to_others(const std::string&) override { return {}; }

  Result<> read_stored(const SessionId&, const StoredVisitor&) override { return no_lines(); }
  Result<> put_stored(const SessionId&, const std::optional<ChainEnd>&,
                      const StoredSource&) override {
    return no_lines();
  }
  Result<ChainEnd> chain_end(const SessionId& id) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(const Session* session, find_session(id));
    return ChainEnd{session->entries.size(), ""};
  }

  Result<> purge(const SessionId& id) override {
    if (auto valid = check_id(id.text); !valid)
      return std::move(valid).error().within("session id");
    const std::lock_guard guard(mutex_);
    sessions_.erase(id);
    std::erase_if(removed_, [&](const Session& one) { return one.header.id == id; });
    changed_.notify_all();
    return {};
  }

  Result<> flush(const SessionId& id) override { return check_id(id.text); }

  Result<MigrationResult> migrate(const SessionId& id) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(const Session* session, find_session(id));
    if (session->archived) return archived_error(id);
    return MigrationResult{session_version, session_version, 0};
  }

  // Only told apart: memory is not saved.
  Result<ArchiveResult> archive(const SessionId& id, const Progress&) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    const bool was_archived = std::exchange(session->archived, true);
    return ArchiveResult{size_of(*session), size_of(*session), !was_archived};
  }

  Result<ArchiveResult> unarchive(const SessionId& id, const Progress&) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    const bool was_archived = std::exchange(session->archived, false);
    return ArchiveResult{size_of(*session), was_archived ? size_of(*session) : 0, was_archived};
  }

  Result<VerifyReport> verify(const SessionId& id, const Progress&) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    VerifyReport report;
    report.session_id = id;
    report.entries = session->entries.size();
    report.size_bytes = size_of(*session);
    for (const Entry& entry : session->entries) {
      if (entry.erased) ++report.tombstones;
    }
    return report;
  }

  Result<SessionPage> list(const ListOptions& options) override {
    const std::lock_guard guard(mutex_);
    SessionPage page;
    for (auto at = sessions_.rbegin(); at != sessions_.rend(); ++at) {
      const SessionHeader& header = at->second.header;
      if (options.after && !(header.id < *options.after)) continue;
      if (!options.wants(header)) continue;
      if (page.sessions.size() == options.limit) {
        page.has_more = true;
        break;
      }
      page.sessions.push_back(header);
    }
    return page;
  }

  Result<> remove(const SessionId& id) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(Session * session, find_session(id));
    removed_.push_back(std::move(*session));
    sessions_.erase(id);
    changed_.notify_all();
    return {};
  }

  Result<> restore(const SessionId& id) override {
    if (auto valid = check_id(id.text); !valid)
      return std::move(valid).error().within("session id");
    const std::lock_guard guard(mutex_);
    if (sessions_.contains(id)) {
      return Error{ErrorCode::already_exists,
                   fmt::format("there is a session {} already; remove it first", id.text)};
    }
    const auto newest = std::find_if(removed_.rbegin(), removed_.rend(),
                                     [&](const Session& one) { return one.header.id == id; });
    if (newest == removed_.rend()) return no_removed_session(id);
    sessions_.emplace(id, std::move(*newest));
    removed_.erase(std::next(newest).base());
    return {};
  }

  Result<> close(const SessionId& id) override { return check_id(id.text); }
  Result<> close() override {
    closing_.request_stop();
    return {};
  }

 private:
  static Result<WalkedTo> walk_entries(const Session& session, const ReadPosition& from,
                                       const WalkVisitor& visit) {
    const std::vector<Entry>& all = session.entries;
    for (std::size_t at = from.seq; at < all.size(); ++at) {  // seq n is at n - 1
      visit({all[at].text, find_place(all[at].text), all[at].seq, all[at].flagged});
    }
    WalkedTo walked;
    walked.next.seq = std::max<std::size_t>(from.seq, all.size());
    return walked;
  }

  static Error no_lines() {
    return {ErrorCode::unsupported, "a store in memory has no sealed lines that could be copied"};
  }

  // Lent for the length of a call.
  static FindEntry finder(const Session& session) {
    return [&session](const EntryId& entry) -> Result<std::optional<KnownEntry>> {
      const auto found = session.by_id.find(entry.text);
      if (found == session.by_id.end()) return std::optional<KnownEntry>();
      const Entry& known = session.entries[found->second];
      return std::optional(KnownEntry{known.text, kind_of(known.type), known.erased});
    };
  }

  Result<Erasure> erase_in_session(Session& session, std::span<const EntryId> entries,
                                   const std::string& reason) {
    const SessionId& id = session.header.id;
    LOGWOOD_TRY(const auto wanted, plan_erasure(id, entries, finder(session)));
    Erasure erasure;
    erasure.session_id = id;
    if (wanted.empty()) return erasure;
    erasure.redaction_id = options_.new_id();
    erasure.timestamp = format_timestamp(options_.now());
    std::vector<Entry> tombstones;
    for (const Entry& entry : session.entries) {
      if (!wanted.contains(entry.id.text)) continue;
      const std::string digest = to_hex(sha256({entry.text}));
      std::string text = fmt::format(
          R"({{"id":"{}","parentId":{},"type":{},"timestamp":"{}","erased":"{}","digest":"{}"}})",
          entry.id.text, entry.parent_id ? '"' + entry.parent_id->text + '"' : "null",
          json_quoted(entry.type), entry.timestamp, erasure.redaction_id.text, digest);
      erasure.entries.push_back({entry.id, entry.seq, digest, to_hex(sha256({text}))});
      LOGWOOD_TRY(Entry tombstone, parse_entry(std::move(text)));
      tombstone.seq = entry.seq;
      tombstones.push_back(std::move(tombstone));
    }
    const std::string body = redaction_body(erasure, reason);
    LOGWOOD_CHECK(check_redaction_size(id, body.size()));
    LOGWOOD_TRY(Entry mark, parse_entry(body + '}'));
    for (Entry& tombstone : tombstones) {
      Entry& erased = session.entries[tombstone.seq - 1];  // seq n is at n - 1
      erased = std::move(tombstone);
    }
    session.incarnation = ++incarnations_;
    keep(session, std::move(mark));
    changed_.notify_all();
    // A head mark that was erased moves nothing any more.
    session.head.reset();
    for (const Entry& entry : session.entries) {
      if (kind_of(entry.type) == EntryKind::tree) session.head = entry.id;
      if (const auto target = head_target(entry.text)) session.head = *target;
    }
    erasure.last_seq = session.entries.size();
    return erasure;
  }

  static void keep(Session& session, Entry entry) {
    entry.seq = session.entries.size() + 1;
    if (entry.type == "redaction") {
      Redactions more = *session.redactions;
      more.take(entry.text);
      session.redactions = std::make_shared<const Redactions>(std::move(more));
    }
    session.by_id.emplace(entry.id.text, session.entries.size());
    session.entries.push_back(std::move(entry));
  }

  Result<SessionHeader> create_session(const NewSession& session,
                                       const std::string& header_text = {}) {
    LOGWOOD_CHECK(check_new_session(session));
    Session made;
    made.incarnation = ++incarnations_;
    made.header.id = session.id ? *session.id : new_session_id();
    if (sessions_.contains(made.header.id)) {
      return Error{ErrorCode::already_exists,
                   fmt::format("there is a session {} already", made.header.id.text)};
    }
    made.header = header_for(session, made.header.id, format_timestamp(options_.now()));
    if (!header_text.empty()) {
      LOGWOOD_TRY(made.header, parse_header(header_text));
    }
    LOGWOOD_TRY(Entry first,
                parse_entry(header_text.empty() ? header_body(made.header) + '}' : header_text));
    keep(made, std::move(first));
    const SessionHeader header = made.header;
    sessions_.emplace(header.id, std::move(made));
    return header;
  }

  static std::uint64_t size_of(const Session& session) {
    std::uint64_t size = 0;
    for (const Entry& entry : session.entries) size += entry.text.size();
    return size;
  }

  Result<Session*> find_removed(const Leftover& leftover) {
    for (std::size_t i = 0; i < removed_.size(); ++i) {
      if (leftover.name == name_in_trash(i)) return &removed_[i];
    }
    return Error{ErrorCode::not_found, fmt::format("there is no {} any more", leftover.name)};
  }

  [[nodiscard]] std::string name_in_trash(std::size_t place) const {
    return fmt::format("trash/{}.{}", removed_[place].header.id.text, place);
  }

  Result<Session*> find_session(const SessionId& id) {
    if (auto valid = check_id(id.text); !valid)
      return std::move(valid).error().within("session id");
    const auto found = sessions_.find(id);
    if (found != sessions_.end()) return &found->second;
    return no_session(id);
  }

  Result<CatalogLook> look_for_catalog() {
    const std::lock_guard guard(mutex_);
    CatalogLook look;
    for (const auto& [id, session] : sessions_)
      look.sources.push_back({id, {.inode = session.incarnation, .size_bytes = size_of(session)}});
    return look;
  }

  Options options_;
  std::mutex mutex_;
  std::map<SessionId, Session> sessions_;
  std::vector<Session> removed_;         // the last one at the end
  std::condition_variable_any changed_;  // a session has grown or gone
  std::stop_source closing_;             // wakes who waits
  std::uint64_t incarnations_ = 0;
  CatalogKeeper catalog_{*this, [this] { return look_for_catalog(); }, {}};
};

}  // namespace

std::unique_ptr<StorageBackend> open(const Options& options) {
  return std::make_unique<Backend>(options);
}

}  // namespace logwood::storage::memory
