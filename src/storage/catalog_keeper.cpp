#include "storage/catalog_keeper.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/in_parallel.hpp"

namespace logwood::storage {
namespace {

using catalog::Catalog;

constexpr const char* database_name = "catalog.db";
constexpr const char* lock_name = "catalog.lock";

// A transaction of this much reading lets others in several times a second.
constexpr std::uint64_t batch_bytes = 4U << 20U;
constexpr std::size_t batch_sessions = 256;
constexpr std::size_t batch_glances = 16384;
constexpr std::size_t glances_at_once = 64;

// As many as a list shows, several times: what people go on with is among them.
constexpr std::size_t newest_looked_at = 200;

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

Error stopped() {
  return {ErrorCode::unavailable, "stopped, as was asked; what was read so far is kept"};
}

}  // namespace

// --- the catalog, and what may be wrong with it

bool CatalogKeeper::is_in_files() const {
  return !gave_up_files_ && place_.files != nullptr &&
         !place_.files->path_of(database_name).empty();
}

Result<CatalogKeeper::Lock> CatalogKeeper::write_lock(std::chrono::milliseconds patience) {
  if (!is_in_files()) return Lock();
  auto file = place_.files->open(lock_name, io::Access::write);
  if (!file && file.error().code == ErrorCode::not_found) file = place_.files->create(lock_name);
  if (!file && file.error().code == ErrorCode::already_exists) {
    file = place_.files->open(lock_name, io::Access::write);
  }
  if (!file) return std::move(file).error();
  LOGWOOD_CHECK((*file)->lock(io::LockKind::exclusive, patience));
  return *std::move(file);
}

// An error where something else has the name: SQLite would follow a link.
Result<bool> CatalogKeeper::has_database() const {
  const auto file = place_.files->open(database_name, io::Access::read);
  if (file) return true;
  if (file.error().code == ErrorCode::not_found) return false;
  return file.error();
}

// Made with the mode of all our files.
Result<Catalog*> CatalogKeeper::opened() {
  if (catalog_) return &*catalog_;
  std::string path;
  if (is_in_files()) {
    LOGWOOD_TRY(const bool is_there, has_database());
    if (!is_there) {
      const auto made = place_.files->create(database_name);
      if (!made && made.error().code != ErrorCode::already_exists) return made.error();
    }
    path = place_.files->path_of(database_name);
  }
  auto catalog = Catalog::open(path, place_.patience);
  if (!catalog) return std::move(catalog).error().within("the catalog");
  catalog_.emplace(*std::move(catalog));
  catalog_->set_beside(beside_, beside_comes_first_);
  return &*catalog_;
}

// Asks the catalog as it is after a refresh. Damage shows itself only where it is met, so all of
// it is done again on a catalog that was made again.
template <class Answer>
Result<Answer> CatalogKeeper::answer(CatalogPart part, std::chrono::nanoseconds max_age,
                                     const Progress& progress,
                                     const std::function<Result<Answer>(Catalog&)>& question) {
  const std::lock_guard guard(mutex_);
  // What is not ours has its name: for the person to see to.
  if (!catalog_ && is_in_files()) LOGWOOD_CHECK(has_database());
  if (is_as_it_was(max_age)) {
    unreadable_.clear();
    auto given = question(*catalog_);
    if (given || given.error().code == ErrorCode::unavailable) return given;
  }
  LOGWOOD_TRY(const Seen seen, look_at_all());
  for (int attempts_left = 2;; --attempts_left) {
    const auto catalog = refreshed(part, seen, progress);
    auto given = catalog ? question(**catalog) : Result<Answer>(catalog.error());
    if (given || attempts_left == 0 || !can_go_on_after(given.error())) return given;
  }
}

// Whether another attempt may come further, since something was done about the cause.
bool CatalogKeeper::can_go_on_after(const Error& error) {
  switch (error.code) {
    case ErrorCode::damaged:
      catalog_.reset();
      if (is_in_files() && !empty_files()) gave_up_files_ = true;
      return true;
    case ErrorCode::no_space:
    case ErrorCode::permission_denied:
      // Whoever lists and searches on a full disk may be looking for what to remove.
      if (!is_in_files()) return false;
      catalog_.reset();
      gave_up_files_ = true;
      return true;
    case ErrorCode::internal:
      // Another process emptied it under our feet.
      if (!catalog_ || catalog_->is_prepared()) return false;
      catalog_.reset();
      return true;
    default:
      return false;
  }
}

// Nothing is left in the files, or they are gone. Emptying them also reaches those who have them
// open; whoever has removed ones open goes on with what has no name any more. The database goes
// last: a log that is left without it would be taken for the log of the next one.
Result<> CatalogKeeper::empty_files() {
  const auto lock = write_lock(place_.patience);
  const auto is_there = has_database();
  if (lock && is_there && *is_there &&
      Catalog::empty(place_.files->path_of(database_name), place_.patience)) {
    return {};
  }
  for (const char* name : {"catalog.db-wal", "catalog.db-shm", database_name}) {
    auto removed = place_.files->remove(name);
    if (!removed && removed.error().code != ErrorCode::not_found) return removed;
  }
  return place_.files->sync_folder("");
}

// --- bringing it up to date

Result<CatalogKeeper::Seen> CatalogKeeper::look_at_all() const {
  const std::int64_t at_ns = now_ns();
  LOGWOOD_TRY(CatalogLook look, look_());
  return Seen{at_ns, std::move(look)};
}

// Whether all sessions need not be looked at: somebody did so not long ago, there is none more or
// less since, and nothing was added to those that were active last.
bool CatalogKeeper::is_as_it_was(std::chrono::nanoseconds max_age) {
  if (!outside_.stamp_at || max_age == std::chrono::nanoseconds::zero()) return false;
  const auto catalog = opened();
  if (!catalog) return false;
  const auto last = (*catalog)->last_look();
  if (!last || !*last || (*last)->places != outside_.places) return false;
  const std::int64_t age_ns = now_ns() - (*last)->at_ns;
  if (age_ns < 0 || age_ns > max_age.count()) return false;
  for (const catalog::Watched& one : (*last)->watched) {
    if (is_racy(one.stamp, (*last)->at_ns) || outside_.stamp_at(one.path) != one.stamp)
      return false;
  }
  const auto newest = (*catalog)->known_of_newest(newest_looked_at);
  if (!newest) return false;
  return std::all_of(newest->begin(), newest->end(), [&](const catalog::Known& one) {
    if (one.is_racy) return false;
    if (one.place.empty()) return true;
    // The rest of its stamp may say what is said of it elsewhere, which is watched.
    const catalog::Stamp now = outside_.stamp_at(one.place);
    return now.inode == one.stamp.inode && now.size_bytes == one.stamp.size_bytes &&
           now.modified_ns == one.stamp.modified_ns;
  });
}

// Only one that found everything readable: the others are told again. Nobody waits for it, or
// fails because of it: without it the next list looks once more.
void CatalogKeeper::note_look(Catalog& catalog, const Seen& seen) {
  if (!outside_.stamp_at) return;
  const auto lock = write_lock(std::chrono::milliseconds::zero());
  auto change = lock ? catalog.begin() : Result<SqlTransaction>(lock.error());
  if (!change) return;
  const auto noted = unreadable_.empty()
                         ? catalog.put_look({seen.at_ns, outside_.places, seen.look.watched})
                         : catalog.forget_look();
  if (noted) (void)change->commit();
}

Result<Catalog*> CatalogKeeper::refreshed(CatalogPart part, const Seen& seen,
                                          const Progress& progress) {
  LOGWOOD_TRY(Catalog * catalog, opened());
  LOGWOOD_CHECK(refresh_summaries(*catalog, seen, progress));
  note_look(*catalog, seen);
  if (part == CatalogPart::text) LOGWOOD_CHECK(refresh_text(*catalog, progress));
  return catalog;
}

Result<> CatalogKeeper::refresh_summaries(Catalog& catalog, const Seen& seen,
                                          const Progress& progress) {
  LOGWOOD_TRY(const std::vector<catalog::Known> known, catalog.known());
  std::unordered_map<std::string_view, const catalog::Known*> by_id;
  for (const catalog::Known& one : known) by_id.emplace(one.id, &one);
  std::vector<const CatalogSource*> unread;
  std::vector<const CatalogSource*> changed;
  for (const CatalogSource& source : seen.look.sources) {
    const auto found = by_id.find(source.id.text);
    const bool is_same = found != by_id.end() && found->second->stamp == source.stamp &&
                         found->second->place == source.place;
    const bool was_racy = is_same && found->second->is_racy;
    const bool was_read = found != by_id.end() && !found->second->is_brief;
    if (found != by_id.end()) by_id.erase(found);
    if (is_same && !was_racy) continue;
    (outside_.glance_at && !was_read ? unread : changed).push_back(&source);
  }
  unreadable_.clear();
  LOGWOOD_CHECK(glance(catalog, seen.at_ns, unread, changed));

  std::uint64_t all_bytes = 0;
  for (const CatalogSource* const source : changed) all_bytes += source->stamp.size_bytes;
  std::uint64_t done_bytes = 0;
  for (std::size_t next = 0; next < changed.size() || !by_id.empty();) {
    LOGWOOD_TRY(const Lock lock, write_lock(place_.patience));
    LOGWOOD_TRY(SqlTransaction change, catalog.begin());
    for (const auto& [id, unseen] : by_id) {
      LOGWOOD_CHECK(remove_if_gone(catalog, {std::string(id)}));
    }
    by_id.clear();
    const std::uint64_t until_bytes = done_bytes + batch_bytes;
    for (std::size_t count = 0;
         next < changed.size() && done_bytes < until_bytes && count < batch_sessions; ++count) {
      const CatalogSource& source = *changed[next++];
      done_bytes += source.stamp.size_bytes;
      LOGWOOD_CHECK(
          read(source.id, [&] { return reader_.read_summary(catalog, source, seen.at_ns); }));
    }
    LOGWOOD_CHECK(change.commit());
    if (progress && !progress(done_bytes, all_bytes)) return stopped();
  }
  return {};
}

// Those that a glance tells nothing of are read, as those that were read before.
Result<> CatalogKeeper::glance(Catalog& catalog, std::int64_t seen_ns,
                               std::span<const CatalogSource* const> unread,
                               std::vector<const CatalogSource*>& changed) {
  std::vector<std::optional<Glance>> glances;
  while (!unread.empty()) {
    const auto batch = unread.first(std::min(unread.size(), batch_glances));
    unread = unread.subspan(batch.size());
    glances.assign(batch.size(), std::nullopt);
    LOGWOOD_TRY(const Lock lock, write_lock(place_.patience));
    LOGWOOD_TRY(SqlTransaction change, catalog.begin());
    Result<> put;
    in_parallel(
        batch.size(), glances_at_once,
        [&](std::size_t i) { glances[i] = outside_.glance_at(*batch[i]); },
        [&](std::size_t i) {
          if (!glances[i]) {
            changed.push_back(batch[i]);
            return true;
          }
          const Glance& seen = *glances[i];
          const catalog::Stamp& stamp = batch[i]->stamp;
          put = catalog.put_brief({seen.header, seen.last_active, seen.header_text, seen.title,
                                   batch[i]->place, stamp, is_racy(stamp, seen_ns)});
          return put.has_value();
        });
    LOGWOOD_CHECK(put);
    LOGWOOD_CHECK(change.commit());
  }
  return {};
}

Result<> CatalogKeeper::complete(Catalog& catalog, std::span<const Unread> unread,
                                 const Progress& progress) {
  std::uint64_t all_bytes = 0;
  for (const Unread& one : unread) all_bytes += one.size_bytes;
  std::uint64_t done_bytes = 0;
  std::vector<Result<SummaryReading>> readings;
  while (!unread.empty()) {
    std::size_t count = 0;
    for (std::uint64_t bytes = 0; count < unread.size() && bytes < batch_bytes; ++count)
      bytes += unread[count].size_bytes;
    const auto batch = unread.first(count);
    unread = unread.subspan(count);
    readings.assign(count, Error{});
    LOGWOOD_TRY(const Lock lock, write_lock(place_.patience));
    LOGWOOD_TRY(SqlTransaction change, catalog.begin());
    Result<> put;
    in_parallel(
        count, 1,
        [&](std::size_t i) { readings[i] = read_summary(sessions_, batch[i].id, std::nullopt); },
        [&](std::size_t i) {
          done_bytes += batch[i].size_bytes;
          bool is_read = false;
          put = read(batch[i].id, [&]() -> Result<SessionError> {
            auto reading = std::exchange(readings[i], Error{});
            // Once more, where it was moved meanwhile.
            if (!reading) reading = read_summary(sessions_, batch[i].id, std::nullopt);
            if (!reading) return SessionError(std::move(reading).error());
            LOGWOOD_CHECK(reader_.complete(catalog, batch[i].id, *std::move(reading)));
            is_read = true;
            return SessionError();
          });
          if (put && !is_read) put = remove_if_gone(catalog, batch[i].id);
          return put.has_value();
        });
    LOGWOOD_CHECK(put);
    LOGWOOD_CHECK(change.commit());
    if (progress && !progress(done_bytes, all_bytes)) return stopped();
  }
  return {};
}

Result<> CatalogKeeper::complete_all(Catalog& catalog, const Progress& progress) {
  if (!outside_.glance_at) return {};
  LOGWOOD_TRY(const std::vector<catalog::Known> known, catalog.known());
  std::vector<Unread> unread;
  for (const catalog::Known& one : known) {
    if (one.is_brief) unread.push_back({{one.id}, one.stamp.size_bytes});
  }
  return complete(catalog, unread, progress);
}

// What is on the page and may be read now: not what could not be, and nothing that takes long.
std::vector<CatalogKeeper::Unread> CatalogKeeper::unread_on(const SummaryPage& page) const {
  std::vector<Unread> unread;
  for (const SessionSummary& summary : page.sessions) {
    if (!summary.is_brief || is_long(summary.size_bytes) || is_unreadable(summary.header.id))
      continue;
    unread.push_back({summary.header.id, summary.size_bytes});
  }
  return unread;
}

bool CatalogKeeper::is_unreadable(const SessionId& session) const {
  return std::any_of(unreadable_.begin(), unreadable_.end(),
                     [&](const UnreadableSession& one) { return one.id == session; });
}

Result<> CatalogKeeper::refresh_text(Catalog& catalog, const Progress& progress) {
  LOGWOOD_CHECK(complete_all(catalog, progress));
  LOGWOOD_TRY(std::vector<catalog::Known> known, catalog.known());
  std::erase_if(known, [](const catalog::Known& one) { return one.has_all_text; });
  // In the order they were made, so that what is found lies together.
  std::sort(known.begin(), known.end(),
            [](const catalog::Known& a, const catalog::Known& b) { return a.id < b.id; });
  std::uint64_t all_bytes = 0;
  for (const catalog::Known& one : known) all_bytes += one.stamp.size_bytes;
  std::uint64_t done_bytes = 0;
  for (std::size_t next = 0; next < known.size();) {
    LOGWOOD_TRY(const Lock lock, write_lock(place_.patience));
    LOGWOOD_TRY(SqlTransaction change, catalog.begin());
    const std::uint64_t until_bytes = done_bytes + batch_bytes;
    while (next < known.size() && done_bytes < until_bytes) {
      const catalog::Known& one = known[next++];
      done_bytes += one.stamp.size_bytes;
      const SessionId id{one.id};
      LOGWOOD_CHECK(read(id, [&] { return reader_.read_text(catalog, id); }));
    }
    LOGWOOD_CHECK(change.commit());
    if (progress && !progress(done_bytes, all_bytes)) return stopped();
  }
  return {};
}

// Reads a session, and notes it as unreadable where it is. One that was moved meanwhile is read in
// its new place; one that is gone is no matter.
Result<> CatalogKeeper::read(const SessionId& session,
                             const std::function<Result<SessionError>()>& read_it) {
  for (int attempts_left = 3;; --attempts_left) {
    LOGWOOD_TRY(SessionError error, read_it());
    if (!error) return {};
    const bool is_lost = error->code == ErrorCode::not_found;
    if (is_lost && is_gone(session)) return {};
    if (is_lost && attempts_left > 0) continue;
    if (!is_unreadable(session)) unreadable_.push_back({session, *std::move(error)});
    return {};
  }
}

// One that is moved between two folders at the moment is in no list, and not gone.
Result<> CatalogKeeper::remove_if_gone(Catalog& catalog, const SessionId& session) {
  return is_gone(session) ? catalog.remove(session.text) : Result<>();
}

bool CatalogKeeper::is_gone(const SessionId& session) {
  const auto status = sessions_.status(session);
  return !status && status.error().code == ErrorCode::not_found;
}

// --- what is asked of it

std::string CatalogKeeper::file() {
  const std::lock_guard guard(mutex_);
  return is_in_files() ? place_.files->path_of(database_name) : std::string();
}

void CatalogKeeper::set_beside(const std::string& path, bool comes_first) {
  const std::lock_guard guard(mutex_);
  beside_ = path;
  beside_comes_first_ = comes_first;
  if (catalog_) catalog_->set_beside(path, comes_first);
}

Result<> CatalogKeeper::refresh(CatalogPart part, const Progress& progress) {
  return answer<void>(part, {}, progress, [](Catalog&) { return Result<>(); });
}

Result<SummaryPage> CatalogKeeper::summaries(const SummaryQuery& query, const Progress& progress) {
  const auto question = [&](Catalog& catalog) -> Result<SummaryPage> {
    // Only what was read has these.
    if (!query.tag.empty() || !query.expired_at.empty())
      LOGWOOD_CHECK(complete_all(catalog, progress));
    while (true) {
      LOGWOOD_TRY(SummaryPage page, catalog.summaries(query));
      const std::vector<Unread> unread = unread_on(page);
      page.unreadable = unreadable_;
      if (unread.empty()) return page;
      // What is read may belong to another place of the list than its ends told.
      LOGWOOD_CHECK(complete(catalog, unread, progress));
    }
  };
  return answer<SummaryPage>(CatalogPart::summaries, query.max_age, progress, question);
}

Result<SearchPage> CatalogKeeper::search(const SearchOptions& options, const Progress& progress) {
  LOGWOOD_TRY(
      const SearchQuery query,
      parse_search_query(options.query, options.now.value_or(std::chrono::system_clock::now())));
  return answer<SearchPage>(CatalogPart::text, {}, progress,
                            [&](Catalog& catalog) -> Result<SearchPage> {
                              LOGWOOD_TRY(SearchPage page, catalog.search(query, options));
                              page.unreadable = unreadable_;
                              return page;
                            });
}

Result<StoreTotals> CatalogKeeper::totals(const Progress& progress) {
  const auto question = [&](Catalog& catalog) -> Result<StoreTotals> {
    LOGWOOD_CHECK(complete_all(catalog, progress));
    return catalog.totals();
  };
  return answer<StoreTotals>(CatalogPart::summaries, {}, progress, question);
}

// --- erasing

Result<> CatalogKeeper::read_anew(Catalog& catalog, const SessionId& session) {
  LOGWOOD_TRY(const Seen seen, look_at_all());
  std::unordered_map<std::string_view, const CatalogSource*> sources;
  for (const CatalogSource& one : seen.look.sources) sources.emplace(one.id.text, &one);
  LOGWOOD_TRY(SqlTransaction change, catalog.begin());
  LOGWOOD_TRY(const auto known, catalog.find(session.text));
  const bool had_text = known && !known->positions.text.empty();
  LOGWOOD_CHECK(catalog.remove(session.text));
  // A copy that was erased in the trash may be known from before it went there.
  LOGWOOD_TRY(const std::vector<catalog::Known> others, catalog.known());
  for (const catalog::Known& other : others) {
    if (!sources.contains(other.id)) LOGWOOD_CHECK(remove_if_gone(catalog, {other.id}));
  }
  const auto source = sources.find(session.text);
  if (known && source != sources.end()) {
    // One that cannot be read now is unknown from here on, and comes back with the next refresh.
    LOGWOOD_CHECK(reader_.read_summary(catalog, *source->second, seen.at_ns));
    if (had_text) LOGWOOD_CHECK(reader_.read_text(catalog, session));
  }
  LOGWOOD_CHECK(catalog.merge_words());
  LOGWOOD_CHECK(change.commit());
  return catalog.write_anew();
}

Result<> CatalogKeeper::forget_erased(const SessionId& session) {
  const std::lock_guard guard(mutex_);
  // What matters is the file that has the name now, whatever was used so far.
  catalog_.reset();
  gave_up_files_ = false;
  if (!is_in_files()) return {};
  const auto there = place_.files->status(database_name);
  if (!there && there.error().code == ErrorCode::not_found) return {};
  {
    const auto catalog = opened();
    const auto lock = write_lock(place_.patience);
    if (catalog && lock && read_anew(**catalog, session)) return {};
  }
  // Busy, full, damaged, not ours to write.
  catalog_.reset();
  auto emptied = empty_files();
  if (emptied) return {};
  return std::move(emptied).error().within(
      "the session is rid of the entries, but catalog.db may still hold text of them; remove it, "
      "or erase them again");
}

}  // namespace logwood::storage
