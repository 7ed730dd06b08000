#include "storage/catalog_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "base/json_text.hpp"

namespace logwood::storage {
namespace {

using catalog::Catalog;
using catalog::Stamp;

constexpr const char* database_name = "catalog.db";
constexpr const char* lock_name = "catalog.lock";

// Two changes this close together may leave the same times: no file system we know is coarser.
constexpr std::int64_t racy_ns = 2'000'000'000;

// A transaction of this much reading lets others in several times a second.
constexpr std::uint64_t batch_bytes = 4U << 20U;
constexpr std::size_t batch_sessions = 256;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool is_racy(const Stamp& stamp, std::int64_t seen_ns) {
  return std::max(stamp.modified_ns, stamp.changed_ns) + racy_ns >= seen_ns;
}

std::string text_of(const ReadPosition& position) {
  return fmt::format("{} {} {} {} {}", position.seq, position.boundary_seq, position.offset,
                     position.next_line, position.link);
}

std::optional<ReadPosition> position_in(std::string_view text) {
  ReadPosition position;
  for (std::uint64_t* number :
       {&position.seq, &position.boundary_seq, &position.offset, &position.next_line}) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), *number);
    if (problem != std::errc() || end == text.data() + text.size()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  }
  position.link = text;
  return position;
}

bool loses_something(const std::vector<Problem>& problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& problem) { return is_loss(problem.kind); });
}

Error stopped() {
  return {ErrorCode::unavailable, "stopped, as was asked; what was read so far is kept"};
}

// The entry as it may be shown; nothing where nothing of it may.
std::optional<std::string> shown(const Redactions& redactions, const WalkedEntry& entry) {
  return redactions.shown({std::string(entry.place.id)}, std::string(entry.text));
}

}  // namespace

Result<CatalogKeeper::Lock> CatalogKeeper::write_lock() {
  if (place_.files == nullptr) return Lock();
  auto file = place_.files->open(lock_name, io::Access::write);
  if (!file && file.error().code == ErrorCode::not_found) file = place_.files->create(lock_name);
  if (!file && file.error().code == ErrorCode::already_exists) {
    file = place_.files->open(lock_name, io::Access::write);
  }
  if (!file) return std::move(file).error();
  LOGWOOD_CHECK((*file)->lock(io::LockKind::exclusive, place_.patience));
  return *std::move(file);
}

// Made with the mode of all our files, and looked at first: SQLite would follow a link.
Result<Catalog*> CatalogKeeper::opened() {
  if (catalog_) return &*catalog_;
  std::string path;
  if (place_.files != nullptr && !(path = place_.files->path_of(database_name)).empty()) {
    const auto file = place_.files->open(database_name, io::Access::read);
    if (!file && file.error().code == ErrorCode::not_found) {
      const auto made = place_.files->create(database_name);
      // A store that cannot be written to has its catalog in memory.
      if (!made && made.error().code != ErrorCode::already_exists) path.clear();
    } else if (!file) {
      return file.error();
    }
  }
  auto catalog = Catalog::open(path, place_.patience);
  if (!catalog && !path.empty() && catalog.error().code == ErrorCode::permission_denied) {
    place_.files = nullptr;
    catalog = Catalog::open("", place_.patience);
  }
  if (!catalog) return std::move(catalog).error().within("the catalog");
  if (path.empty()) place_.files = nullptr;
  catalog_.emplace(*std::move(catalog));
  return &*catalog_;
}

Result<> CatalogKeeper::refresh(CatalogPart part, const Progress& progress) {
  const std::lock_guard guard(mutex_);
  for (int attempts_left = 3;; --attempts_left) {
    auto catalog = opened();
    auto done = catalog ? refresh_summaries(**catalog, progress) : Result<>(catalog.error());
    if (done && part == CatalogPart::text) done = refresh_text(**catalog, progress);
    if (done || attempts_left == 0) return done;
    const ErrorCode code = done.error().code;
    if (code == ErrorCode::damaged) {
      // Damage shows itself only where it is met. What is derived is made again.
      catalog_.reset();
      LOGWOOD_CHECK(remove_files());
    } else if (code == ErrorCode::no_space && place_.files != nullptr) {
      // Whoever lists and searches on a full disk may be looking for what to remove.
      catalog_.reset();
      place_.files = nullptr;
    } else {
      return done;
    }
  }
}

Result<> CatalogKeeper::refresh_summaries(Catalog& catalog, const Progress& progress) {
  const std::int64_t seen_ns = now_ns();
  LOGWOOD_TRY(const std::vector<CatalogSource> sources, sources_());
  LOGWOOD_TRY(const std::vector<catalog::Known> known, catalog.known());
  std::unordered_map<std::string_view, const catalog::Known*> by_id;
  for (const catalog::Known& one : known) by_id.emplace(one.id, &one);
  std::vector<const CatalogSource*> changed;
  std::uint64_t all_bytes = 0;
  for (const CatalogSource& source : sources) {
    const auto found = by_id.find(source.id.text);
    const bool is_same = found != by_id.end() && found->second->stamp == source.stamp;
    const bool was_racy = is_same && found->second->is_racy;
    if (found != by_id.end()) by_id.erase(found);
    if (is_same && !was_racy) continue;
    changed.push_back(&source);
    all_bytes += source.stamp.size_bytes;
  }
  unreadable_.clear();
  if (changed.empty() && by_id.empty()) return {};

  std::uint64_t done_bytes = 0;
  for (std::size_t next = 0; next < changed.size() || !by_id.empty();) {
    LOGWOOD_TRY(const Lock lock, write_lock());
    LOGWOOD_TRY(SqlTransaction change, catalog.begin());
    for (const auto& [id, gone] : by_id) {
      // One that is moved between two folders at the moment is in neither list.
      if (!is_gone({std::string(id)})) continue;
      LOGWOOD_CHECK(catalog.remove(std::string(id)));
    }
    by_id.clear();
    const std::uint64_t until_bytes = done_bytes + batch_bytes;
    for (std::size_t count = 0;
         next < changed.size() && done_bytes < until_bytes && count < batch_sessions; ++count) {
      const CatalogSource& source = *changed[next++];
      auto read = read_summary(catalog, source, seen_ns);
      for (int again = 0; again < 3 && !read && !is_gone(source.id); ++again) {
        if (read.error().code != ErrorCode::not_found) break;
        read = read_summary(catalog, source, seen_ns);  // it was moved meanwhile
      }
      done_bytes += source.stamp.size_bytes;
      if (read) continue;
      const ErrorCode code = read.error().code;
      if (code == ErrorCode::not_found) continue;  // removed meanwhile
      if (code == ErrorCode::damaged && catalog.find(source.id.text)) {
        unreadable_.push_back({source.id, std::move(read).error()});
      } else if (code == ErrorCode::permission_denied || code == ErrorCode::unavailable ||
                 code == ErrorCode::unsupported) {
        unreadable_.push_back({source.id, std::move(read).error()});
      } else {
        return read;
      }
    }
    LOGWOOD_CHECK(change.commit());
    if (progress && !progress(done_bytes, all_bytes)) return stopped();
  }
  return {};
}

bool CatalogKeeper::is_gone(const SessionId& session) {
  const auto status = sessions_.status(session);
  return !status && status.error().code == ErrorCode::not_found;
}

Result<> CatalogKeeper::read_summary(Catalog& catalog, const CatalogSource& source,
                                     std::int64_t seen_ns) {
  LOGWOOD_TRY(auto known, catalog.find(source.id.text));
  if (known && known->known.stamp == source.stamp && !known->known.is_racy) return {};
  std::optional<ReadPosition> from;
  if (known && known->known.stamp.is_same_file(source.stamp)) {
    from = position_in(known->positions.summary);
    if (from && from->offset > source.stamp.size_bytes) from.reset();
  }

  Catalog::Update update;
  update.stamp = source.stamp;
  update.is_racy = is_racy(source.stamp, seen_ns);
  if (from) {
    catalog::SummaryBuilder builder(known->so_far);
    LOGWOOD_TRY(update.until, walk_for_summary(source.id, *from, Redactions(), builder));
    if (update.until == known->positions.summary) {
      return catalog.restamp(source.id.text, source.stamp, update.is_racy);
    }
    if (!builder.must_begin_again()) return put_summary(catalog, source.id, update, builder);
  }
  update.from_start = true;
  LOGWOOD_CHECK(read_summary_from_start(catalog, source.id, update));
  // The text went with the rest, and others must not find it missing until the next search here.
  const bool had_text = known && !known->positions.text.empty();
  return had_text ? read_text(catalog, source.id) : Result<>();
}

Result<> CatalogKeeper::read_summary_from_start(Catalog& catalog, const SessionId& session,
                                                Catalog::Update& update) {
  {
    catalog::SummaryBuilder builder;
    LOGWOOD_TRY(update.until, walk_for_summary(session, {}, Redactions(), builder));
    if (!builder.has_redactions()) return put_summary(catalog, session, update, builder);
  }
  // Most sessions have no redactions, so they are looked for when one is met.
  LOGWOOD_TRY(const auto redactions, sessions_.redactions(session));
  catalog::SummaryBuilder builder;
  LOGWOOD_TRY(update.until, walk_for_summary(session, {}, *redactions, builder));
  return put_summary(catalog, session, update, builder);
}

// How far it came.
Result<std::string> CatalogKeeper::walk_for_summary(const SessionId& session,
                                                    const ReadPosition& from,
                                                    const Redactions& redactions,
                                                    catalog::SummaryBuilder& builder) {
  LOGWOOD_TRY(const WalkedTo walked, sessions_.walk(session, from, [&](const WalkedEntry& entry) {
    if (entry.flagged) return;
    if (redactions.of(entry.place.id) == nullptr) {
      builder.take(entry.text, entry.place);
    } else if (const auto text = shown(redactions, entry)) {
      builder.take(*text, find_place(*text));
    } else {
      builder.take_hidden(entry.place);
    }
  }));
  if (loses_something(walked.problems)) builder.set_damaged();
  if (const auto& id = builder.entry_of_title()) {
    if (auto entry = sessions_.find(session, *id); entry && redactions.apply(*entry)) {
      builder.set_text_of_title(read_message(entry->payload()).text);
    }
  }
  return text_of(walked.next);
}

Result<> CatalogKeeper::put_summary(Catalog& catalog, const SessionId& session,
                                    Catalog::Update& update, catalog::SummaryBuilder& builder) {
  update.activity = builder.activity();
  update.so_far = builder.finish();
  update.so_far.summary.header.id = session;  // also where the header is damaged
  return catalog.update(update);
}

Result<> CatalogKeeper::refresh_text(Catalog& catalog, const Progress& progress) {
  LOGWOOD_TRY(std::vector<catalog::Known> known, catalog.known());
  std::erase_if(known, [](const catalog::Known& one) { return one.has_all_text; });
  // In the order they were made, so that what is found lies together.
  std::sort(known.begin(), known.end(),
            [](const catalog::Known& a, const catalog::Known& b) { return a.id < b.id; });
  std::uint64_t all_bytes = 0;
  for (const catalog::Known& one : known) all_bytes += one.stamp.size_bytes;
  std::uint64_t done_bytes = 0;
  for (std::size_t next = 0; next < known.size();) {
    LOGWOOD_TRY(const Lock lock, write_lock());
    LOGWOOD_TRY(SqlTransaction change, catalog.begin());
    const std::uint64_t until_bytes = done_bytes + batch_bytes;
    while (next < known.size() && done_bytes < until_bytes) {
      const catalog::Known& one = known[next++];
      done_bytes += one.stamp.size_bytes;
      auto read = read_text(catalog, {one.id});
      if (!read && read.error().code != ErrorCode::not_found) return read;
    }
    LOGWOOD_CHECK(change.commit());
    if (progress && !progress(done_bytes, all_bytes)) return stopped();
  }
  return {};
}

Result<> CatalogKeeper::read_text(Catalog& catalog, const SessionId& session) {
  LOGWOOD_TRY(const auto known, catalog.find(session.text));
  if (!known || known->known.has_all_text) return {};
  const std::int64_t row = known->known.row;
  const ReadPosition from = position_in(known->positions.text).value_or(ReadPosition());
  auto redactions = std::make_shared<const Redactions>();
  if (known->so_far.has_redactions) {
    LOGWOOD_TRY(redactions, sessions_.redactions(session));
  }
  catalog::ToolNames tools;
  for (const catalog::PendingCall& call : known->so_far.pending) tools[call.id] = call.name;
  std::vector<EntryId> with_long_strings;
  Result<> added;
  const auto add = [&](std::string_view text, const EntryPlace& place) {
    const catalog::IndexedText indexed = catalog::indexed_text(text, place, tools);
    if (added && !indexed.text.empty()) added = catalog.add_text(row, place.id, indexed);
  };
  LOGWOOD_TRY(const WalkedTo walked, sessions_.walk(session, from, [&](const WalkedEntry& entry) {
    if (entry.flagged || entry.place.kind != EntryKind::tree) return;
    if (!json_member(entry.text, "blobs").empty()) {
      with_long_strings.push_back({std::string(entry.place.id)});
    } else if (redactions->of(entry.place.id) == nullptr) {
      add(entry.text, entry.place);
    } else if (const auto text = shown(*redactions, entry)) {
      add(*text, find_place(*text));
    }
  }));
  for (const EntryId& id : with_long_strings) {
    auto entry = sessions_.find(session, id);
    if (!entry) continue;  // the summary says that it is damaged
    if (!redactions->apply(*entry)) continue;
    add(entry->text, find_place(entry->text));
  }
  LOGWOOD_CHECK(added);
  // What was appended since the summary was made comes with the next refresh of both.
  const auto seen = position_in(known->positions.summary);
  return catalog.set_text_position(row, text_of(walked.next), seen && seen->seq <= walked.next.seq);
}

Result<SummaryPage> CatalogKeeper::summaries(const SummaryQuery& query) {
  LOGWOOD_CHECK(refresh(CatalogPart::summaries, {}));
  const std::lock_guard guard(mutex_);
  LOGWOOD_TRY(Catalog * catalog, opened());
  LOGWOOD_TRY(SummaryPage page, catalog->summaries(query));
  page.unreadable = unreadable_;
  return page;
}

Result<SearchPage> CatalogKeeper::search(const SearchOptions& options) {
  LOGWOOD_TRY(
      const SearchQuery query,
      parse_search_query(options.query, options.now.value_or(std::chrono::system_clock::now())));
  LOGWOOD_CHECK(refresh(CatalogPart::text, {}));
  const std::lock_guard guard(mutex_);
  LOGWOOD_TRY(Catalog * catalog, opened());
  return catalog->search(query, options);
}

Result<StoreTotals> CatalogKeeper::totals() {
  LOGWOOD_CHECK(refresh(CatalogPart::summaries, {}));
  const std::lock_guard guard(mutex_);
  LOGWOOD_TRY(Catalog * catalog, opened());
  return catalog->totals();
}

Result<> CatalogKeeper::read_anew(Catalog& catalog, const SessionId& session) {
  const std::int64_t seen_ns = now_ns();
  LOGWOOD_TRY(const std::vector<CatalogSource> sources, sources_());
  const auto source = std::find_if(sources.begin(), sources.end(),
                                   [&](const CatalogSource& one) { return one.id == session; });
  LOGWOOD_TRY(SqlTransaction change, catalog.begin());
  LOGWOOD_TRY(const auto known, catalog.find(session.text));
  if (!known) return {};
  const bool had_text = !known->positions.text.empty();
  LOGWOOD_CHECK(catalog.remove(session.text));
  if (source != sources.end()) {
    LOGWOOD_CHECK(read_summary(catalog, *source, seen_ns));
    if (had_text) LOGWOOD_CHECK(read_text(catalog, session));
  }
  LOGWOOD_CHECK(catalog.merge_words());
  LOGWOOD_CHECK(change.commit());
  return catalog.write_anew();
}

Result<> CatalogKeeper::forget_erased(const SessionId& session) {
  const std::lock_guard guard(mutex_);
  // Nothing can be in a catalog that is not there.
  if (!catalog_ && (place_.files == nullptr || !place_.files->status(database_name))) return {};
  const auto lock = write_lock();
  const auto catalog = opened();
  if (lock && catalog && read_anew(**catalog, session)) return {};
  // Busy, full, damaged: without the file there is nothing to take out of it.
  catalog_.reset();
  return remove_files();
}

Result<> CatalogKeeper::remove_files() {
  if (place_.files == nullptr) return {};
  for (const char* name : {"catalog.db", "catalog.db-wal", "catalog.db-shm"}) {
    auto removed = place_.files->remove(name);
    if (!removed && removed.error().code != ErrorCode::not_found) return removed;
  }
  return {};
}

}  // namespace logwood::storage
