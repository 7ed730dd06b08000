#include "storage/agents/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "io/outside_folder.hpp"
#include "storage/agents/agent_glance.hpp"
#include "storage/agents/agent_session.hpp"
#include "storage/catalog_keeper.hpp"
#include "storage/no_session.hpp"

namespace logwood::storage::agents {
namespace {

using exchange::Carry;

// How often somebody who follows a session looks at its file.
constexpr std::chrono::milliseconds look_interval{100};

Error never_written() {
  return {ErrorCode::unsupported,
          "the session belongs to another agent and is never changed; logwood import makes a "
          "session of it that can be"};
}

class Backend final : public StorageBackend {
 public:
  Backend(std::vector<AgentPlace> places, std::string only, std::unique_ptr<io::FileSystem> cache)
      : places_(std::move(places)), only_(std::move(only)), cache_(std::move(cache)) {}

  std::string read_only() const override { return never_written().message; }

  // --- reading

  Result<SessionStatus> status(const SessionId& id) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(AgentSession* const session, opened(id));
    LOGWOOD_TRY(const AgentSession::Ends ends, session->ends());
    LOGWOOD_TRY(const AgentSource* const source, source_of(id));
    return SessionStatus{session->header(), ends.tail, ends.head, read_only(), false, source->path};
  }

  Result<PageFrom> read(const SessionId& id, const ReadPosition& from, std::size_t limit) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(AgentSession* const session, opened(id));
    LOGWOOD_CHECK(session->verify());  // knows what is out of order, wherever a page begins
    PageFrom result;
    Result<> parsed;
    LOGWOOD_TRY(WalkedTo walked, session->walk(from, Carry::lines, [&](const ScannedEntry& one) {
      auto entry = parse_entry(std::string(one.text));
      if (!entry) {
        parsed = std::move(entry).error();
        return false;
      }
      entry->seq = one.seq;
      result.page.entries.push_back(*std::move(entry));
      return result.page.entries.size() < limit;
    }));
    LOGWOOD_CHECK(parsed);
    result.page.problems = std::move(walked.problems);
    result.page.has_more = result.page.entries.size() >= limit;
    result.next = std::move(walked.next);
    result.next.seen = seen_now();
    return result;
  }

  Result<ReadPosition> end_of(const SessionId& id) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(AgentSession* const session, opened(id));
    LOGWOOD_TRY(WalkedTo walked,
                session->walk({}, Carry::nothing, [](const ScannedEntry&) { return true; }));
    return std::move(walked.next);
  }

  Result<bool> wait(const SessionId& id, const ReadPosition& known,
                    std::chrono::milliseconds timeout) override {
    const auto end = std::chrono::steady_clock::now() + timeout;
    LOGWOOD_TRY(const std::string path, path_of(id));
    while (!closing_.stop_requested()) {
      const auto stamp = io::stamp_outside(path);
      if (!stamp || status_of(*stamp) != known.seen) return true;
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      if (left <= std::chrono::milliseconds::zero()) return false;
      std::this_thread::sleep_for(std::min(left, look_interval));
    }
    return false;
  }

  Result<WalkedTo> walk(const SessionId& id, const ReadPosition& from,
                        const WalkVisitor& visit) override {
    // With a session of its own, so that several can be read at once.
    LOGWOOD_TRY(const auto session, opened_anew(id));
    return session->walk(from, Carry::nothing, [&](const ScannedEntry& one) {
      visit({one.text, one.place, one.seq, false});
      return true;
    });
  }

  Result<BackwardEnd> read_back(const SessionId& id, const BackwardVisit& visit) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(AgentSession* const session, opened(id));
    LOGWOOD_CHECK(session->walk_back(visit.begin, [&](Entry&& entry) {
      return !visit.wants(find_place(entry.text)) || visit.take(std::move(entry));
    }));
    return BackwardEnd{true, {}};
  }

  Result<Entry> find(const SessionId& id, const EntryId& entry) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(AgentSession* const session, opened(id));
    LOGWOOD_TRY(std::optional<Entry> found, session->find(entry));
    if (found) return *std::move(found);
    return Error{ErrorCode::not_found,
                 fmt::format("there is no entry {} in session {}", entry.text, id.text)};
  }

  Result<std::shared_ptr<const Redactions>> redactions(const SessionId&) override {
    return std::make_shared<const Redactions>();
  }

  Result<VerifyReport> verify(const SessionId& id, const Progress&) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(AgentSession* const session, opened(id));
    return session->verify();
  }

  Result<SessionPage> list(const ListOptions& options) override {
    const std::lock_guard guard(mutex_);
    LOGWOOD_CHECK(look());
    SessionPage page;
    const std::vector<AgentFiles::One>& all = files_->all();
    for (auto one = all.rbegin(); one != all.rend(); ++one) {
      if (options.after && !(one->id < *options.after)) continue;
      SessionHeader header;
      header.id = one->id;
      if (!options.ids_only) {
        const auto lines = AgentLines::open(one->source, finder());
        if (!lines) {
          page.unreadable.push_back({one->id, lines.error()});
          continue;
        }
        header = header_of(one->id, one->source, lines->file());
        if (!options.wants(header)) continue;
      }
      if (page.sessions.size() == options.limit) {
        page.has_more = true;
        break;
      }
      page.sessions.push_back(std::move(header));
    }
    return page;
  }

  SessionCatalog& catalog() override { return catalog_; }

  // --- what is left of the rest

  Result<std::vector<Leftover>> leftovers() override { return std::vector<Leftover>(); }
  Result<std::vector<EntryId>> held_by(const Leftover&, std::span<const EntryId>) override {
    return std::vector<EntryId>();
  }
  Result<Inventory> inventory() override { return Inventory(); }
  Result<> flush(const SessionId&) override { return {}; }
  Result<> close(const SessionId&) override { return {}; }
  Result<> close() override {
    closing_.request_stop();
    return {};
  }

  Result<SessionHeader> create(const NewSession&, const SessionContent&) override {
    return never_written();
  }
  Result<OpenedSession> open_by_key(const NewSession&) override { return never_written(); }
  Result<AppendResult> append(const SessionId&, std::span<const Draft>,
                              const AppendOptions&) override {
    return never_written();
  }
  Result<Erasure> erase(const SessionId&, std::span<const EntryId>, const std::string&) override {
    return never_written();
  }
  Result<Erasure> erase_in(const Leftover&, std::span<const EntryId>, const std::string&) override {
    return never_written();
  }
  Result<> close_to_others(const std::string&) override { return never_written(); }
  Result<> read_stored(const SessionId&, const StoredVisitor&) override { return never_written(); }
  Result<ChainEnd> chain_end(const SessionId&) override { return never_written(); }
  Result<> put_stored(const SessionId&, const std::optional<ChainEnd>&,
                      const StoredSource&) override {
    return never_written();
  }
  Result<> purge(const SessionId&) override { return never_written(); }
  Result<MigrationResult> migrate(const SessionId&) override { return never_written(); }
  Result<ArchiveResult> archive(const SessionId&, const Progress&) override {
    return never_written();
  }
  Result<ArchiveResult> unarchive(const SessionId&, const Progress&) override {
    return never_written();
  }
  Result<> remove(const SessionId&) override { return never_written(); }
  Result<> restore(const SessionId&) override { return never_written(); }

 private:
  static std::string names_of(const std::vector<AgentPlace>& places) {
    std::string names;
    for (const AgentPlace& one : places) names += one.place.folder + "\n";
    return names;
  }

  static io::FileStatus status_of(const io::FileStamp& stamp) {
    return {stamp.identity, stamp.size_bytes, true};
  }

  // What the file of the session that is open was when it was opened.
  [[nodiscard]] io::FileStatus seen_now() const { return status_of(session_stamp_); }

  // All files as they are now.
  Result<> look() {
    LOGWOOD_TRY(FoundFiles found, only_.empty() ? find_files(places_) : only_file(only_));
    files_ = std::make_shared<const AgentFiles>(std::move(found.files));
    watched_ = std::move(found.watched);
    return {};
  }

  Result<std::string> path_of(const SessionId& id) {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(const AgentSource* const source, source_of(id));
    return source->path;
  }

  Result<const AgentSource*> source_of(const SessionId& id) {
    if (auto valid = check_id(id.text); !valid)
      return std::move(valid).error().within("session id");
    if (files_ == nullptr) LOGWOOD_CHECK(look());
    const AgentSource* const found = files_->find(id);
    if (found == nullptr) return no_session(id);
    return found;
  }

  // Of the same agent: by what it is called here, or beside the file that asks.
  AgentLines::FindFile finder() {
    return [this](const std::string& file_id) -> std::optional<std::string> {
      for (const AgentFiles::One& one : files_->all()) {
        if (one.id.text.ends_with(file_id)) return one.source.path;
      }
      if (only_.empty()) return std::nullopt;
      const std::size_t slash = only_.rfind('/');
      const std::string folder = slash == std::string::npos ? "." : only_.substr(0, slash);
      const auto has_id = [&](std::string_view name) {
        return name.find(file_id) != std::string_view::npos;
      };
      if (const auto found = io::files_outside(folder, 0, has_id)) {
        for (const io::FileStamp& file : found->files) {
          if (folder + "/" + file.name != only_) return folder + "/" + file.name;
        }
      }
      return std::nullopt;
    };
  }

  Result<std::unique_ptr<AgentSession>> opened_anew(const SessionId& id) {
    const std::lock_guard guard(mutex_);
    LOGWOOD_TRY(const AgentSource* const source, source_that_is_there(id));
    return AgentSession::open(id, *source, finder());
  }

  // Agents move files (Codex archives them): one that is not where it was is looked for once more.
  Result<const AgentSource*> source_that_is_there(const SessionId& id) {
    LOGWOOD_TRY(const AgentSource* const source, source_of(id));
    const auto stamp = io::stamp_outside(source->path);
    if (stamp || stamp.error().code != ErrorCode::not_found) return source;
    LOGWOOD_CHECK(look());
    return source_of(id);
  }

  // The session that was used last stays open while its file is the same.
  Result<AgentSession*> opened(const SessionId& id) {
    LOGWOOD_TRY(const AgentSource* const source, source_that_is_there(id));
    LOGWOOD_TRY(const io::FileStamp stamp, io::stamp_outside(source->path));
    const bool is_same = session_ != nullptr && session_->header().id == id &&
                         session_stamp_.size_bytes == stamp.size_bytes &&
                         session_stamp_.modified_ns == stamp.modified_ns &&
                         session_stamp_.identity == stamp.identity;
    if (!is_same) {
      LOGWOOD_TRY(session_, AgentSession::open(id, *source, finder()));
      session_stamp_ = stamp;
    }
    return session_.get();
  }

  Result<CatalogLook> look_for_catalog() {
    const std::lock_guard guard(mutex_);
    LOGWOOD_CHECK(look());
    CatalogLook seen;
    seen.sources.reserve(files_->all().size());
    for (const AgentFiles::One& one : files_->all()) {
      // A database says itself what changed in it.
      seen.sources.push_back(
          {one.id, one.source.stamp, one.source.inner_id.empty() ? one.source.path : ""});
    }
    seen.watched = watched_;
    return seen;
  }

  // Called by several threads.
  std::optional<Glance> glance(const CatalogSource& source) {
    std::shared_ptr<const AgentFiles> files;
    {
      const std::lock_guard guard(mutex_);
      files = files_;
    }
    const AgentSource* const found = files->find(source.id);
    return found == nullptr ? std::nullopt : glance_at(source.id, *found);
  }

  std::vector<AgentPlace> places_;
  std::string only_;  // the one file; empty: those of the places
  std::unique_ptr<io::FileSystem> cache_;
  std::mutex mutex_;
  std::shared_ptr<const AgentFiles> files_;  // null: nobody has looked
  std::vector<catalog::Watched> watched_;    // since then
  std::unique_ptr<AgentSession> session_;
  io::FileStamp session_stamp_;
  std::stop_source closing_;
  CatalogKeeper catalog_{*this,
                         [this] { return look_for_catalog(); },
                         {.files = cache_.get()},
                         {[this](const CatalogSource& source) { return glance(source); }, stamp_at,
                          names_of(places_)}};
};

}  // namespace

std::unique_ptr<StorageBackend> open(std::vector<AgentPlace> places,
                                     std::unique_ptr<io::FileSystem> cache) {
  return std::make_unique<Backend>(std::move(places), "", std::move(cache));
}

Result<std::unique_ptr<StorageBackend>> open_file(const std::string& path) {
  LOGWOOD_CHECK(only_file(path));
  return std::unique_ptr<StorageBackend>(
      std::make_unique<Backend>(std::vector<AgentPlace>(), path, nullptr));
}

}  // namespace logwood::storage::agents
