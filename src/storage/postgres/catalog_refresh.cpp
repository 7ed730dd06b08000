#include "storage/postgres/catalog_refresh.hpp"

#include <algorithm>
#include <random>
#include <unordered_map>
#include <unordered_set>

#include "base/sha256.hpp"
#include "catalog/so_far_text.hpp"
#include "model/header.hpp"
#include "model/usage_sum.hpp"
#include "storage/postgres/catalog_statements.hpp"

namespace logwood::storage::postgres {
namespace {

// Read before it is written. A transaction of this much holds nobody up for long.
constexpr std::uint64_t batch_bytes = 4U << 20U;
constexpr std::size_t batch_sessions = 64;

constexpr std::int64_t compared_at_once = 50'000;
constexpr std::int64_t texts_at_once = 100;

// Each time another one was faster, so something was done.
constexpr int attempts_max = 20;

Error stopped() {
  return {ErrorCode::unavailable, "stopped, as was asked; what was read so far is kept"};
}

// Of the database rather than of a session: the next one would fail the same way.
bool is_of_database(const Error& error) {
  switch (error.code) {
    case ErrorCode::unavailable:
    case ErrorCode::busy:
    case ErrorCode::permission_denied:
    case ErrorCode::no_space:
      return true;
    default:
      return false;
  }
}

}  // namespace

PgValues CatalogRefresh::is_behind_values(const Database& database, CatalogPart part) {
  PgValues values = database.values();
  values.int8(std::int64_t{0}).boolean(part == CatalogPart::text);
  return values;
}

Result<std::vector<UnreadableSession>> CatalogRefresh::run_if_behind(CatalogPart part) {
  LOGWOOD_TRY(const PgRows behind,
              database_.read(sql::is_behind, is_behind_values(database_, part)));
  if (!behind.boolean(0, 0)) return std::vector<UnreadableSession>();
  return run(part);
}

Result<std::vector<UnreadableSession>> CatalogRefresh::run(CatalogPart part) {
  for (int attempts_left = attempts_max;; --attempts_left) {
    unreadable_.clear();
    is_overtaken_ = false;
    LOGWOOD_TRY(const Beginning beginning, begin());
    LOGWOOD_TRY(std::vector<Source> found, stale(beginning));
    LOGWOOD_CHECK(refresh_summaries(std::move(found)));
    if (part == CatalogPart::text) LOGWOOD_CHECK(refresh_text());
    if (!is_overtaken_) {
      LOGWOOD_CHECK(end(beginning));
      return std::move(unreadable_);
    }
    if (attempts_left == 0) {
      return Error{ErrorCode::busy, "the catalog is being changed by many at once; try again"};
    }
  }
}

Result<CatalogRefresh::Beginning> CatalogRefresh::begin() {
  LOGWOOD_TRY(const PgRows rows, database_.read(sql::begin_refresh, database_.values()));
  return Beginning{rows.text(0, 0), rows.text(0, 1),          rows.text(0, 2),
                   rows.text(0, 3), rows.optional_text(0, 4), rows.boolean(0, 5)};
}

Result<> CatalogRefresh::end(const Beginning& beginning) {
  if (!beginning.is_to_be_noted) return {};
  PgValues values = database_.values();
  values.text(beginning.at).text(beginning.oldest).text(beginning.own).text(beginning.timeline);
  LOGWOOD_CHECK(database_.read(sql::end_refresh, values));
  return {};
}

Result<std::vector<CatalogRefresh::Source>> CatalogRefresh::stale(const Beginning& beginning) {
  std::vector<Source> found;
  const auto add = [&](const PgStatement& statement, const PgValues& values) -> Result<> {
    LOGWOOD_TRY(const PgRows rows, database_.read(statement, values));
    for (int row = 0; row < rows.count(); ++row) {
      found.push_back(
          {rows.integer(row, 0), {rows.text(row, 1)}, rows.number(row, 2), rows.number(row, 3)});
    }
    return {};
  };
  if (beginning.since) {
    PgValues values = database_.values();
    values.text(*beginning.since);
    LOGWOOD_CHECK(add(sql::stale_since, values));
    return found;
  }
  for (std::int64_t last = 0;;) {
    PgValues values = database_.values();
    values.int8(last);
    PgValues counted = values;
    counted.int8(compared_at_once);
    LOGWOOD_TRY(const PgRows next, database_.read(sql::next_sessions, counted));
    if (next.is_null(0, 0)) return found;
    last = next.integer(0, 0);
    values.int8(last);
    LOGWOOD_CHECK(add(sql::stale_sessions, values));
  }
}

Result<> CatalogRefresh::refresh_summaries(std::vector<Source> stale) {
  std::shuffle(stale.begin(), stale.end(), std::minstd_rand(std::random_device{}()));
  std::uint64_t all_bytes = 0;
  for (const Source& source : stale) all_bytes += source.size_bytes;
  std::uint64_t done_bytes = 0;
  for (std::size_t next = 0; next < stale.size();) {
    const std::size_t first = next;
    const std::uint64_t until_bytes = done_bytes + batch_bytes;
    while (next < stale.size() && done_bytes < until_bytes && next - first < batch_sessions) {
      done_bytes += stale[next++].size_bytes;
    }
    // All who write do it in this order, and so nobody waits in a circle.
    const std::span<Source> batch(stale.data() + first, next - first);
    std::sort(batch.begin(), batch.end(),
              [](const Source& a, const Source& b) { return a.session < b.session; });
    LOGWOOD_TRY(const std::vector<Read> some, read(batch));
    LOGWOOD_CHECK(write(some));
    if (progress_ && !progress_(done_bytes, all_bytes)) return stopped();
  }
  return {};
}

Result<std::vector<CatalogRefresh::Read>> CatalogRefresh::read(std::span<const Source> some) {
  std::vector<std::int64_t> numbers;
  for (const Source& source : some) numbers.push_back(source.session);
  PgValues values = database_.values();
  values.int8s(numbers);
  LOGWOOD_TRY(const PgRows rows, database_.read(sql::known_summaries, values));
  std::unordered_map<std::int64_t, int> row_of;
  for (int row = 0; row < rows.count(); ++row) row_of.emplace(rows.integer(row, 0), row);

  std::vector<Read> all;
  for (const Source& source : some) {
    Read one;
    one.source = source;
    std::optional<KnownSummary> known;
    if (const auto row = row_of.find(source.session); row != row_of.end()) {
      one.known_seq = rows.integer(row->second, 1);
      if (rows.number(row->second, 1) >= source.seq) continue;  // another one has read it meanwhile
      // What cannot be read is made again.
      if (auto so_far = catalog::parse_so_far(rows.view(row->second, 2))) {
        known.emplace().so_far = *std::move(so_far);
        known->until.seq = rows.number(row->second, 1);
      }
    }
    auto reading = read_summary(sessions_, source.id, known);
    if (reading) {
      one.reading = *std::move(reading);
      all.push_back(std::move(one));
    } else {
      LOGWOOD_CHECK(note(source.session, source.id, std::move(reading).error()));
    }
  }
  return all;
}

// It stays among those that the next refresh looks at.
Result<> CatalogRefresh::note(std::int64_t session, const SessionId& id, Error error) {
  if (error.code == ErrorCode::not_found) return {};  // it was removed meanwhile
  if (is_of_database(error)) return error;
  PgValues values = database_.values();
  values.int8(session);
  LOGWOOD_CHECK(database_.read(sql::touch_recency, values));
  const bool is_known = std::any_of(unreadable_.begin(), unreadable_.end(),
                                    [&](const UnreadableSession& one) { return one.id == id; });
  if (!is_known) unreadable_.push_back({id, std::move(error)});
  return {};
}

Result<> CatalogRefresh::write(const std::vector<Read>& some) {
  if (some.empty()) return {};
  std::vector<CatalogWriting::Seen> seen;
  for (const Read& one : some) seen.push_back({one.source.session, one.source.seq});
  LOGWOOD_TRY(CatalogWriting writing, CatalogWriting::begin(database_, seen));
  if (writing.is_overtaken()) is_overtaken_ = true;
  for (const Read& one : some) {
    if (!writing.may_write(one.source.session)) continue;
    LOGWOOD_TRY(const bool is_written, put(writing, one));
    if (!is_written) is_overtaken_ = true;
  }
  return writing.commit();
}

// False where the summary is not the one any more that the reading went on from.
Result<bool> CatalogRefresh::put(CatalogWriting& writing, const Read& one) {
  const SessionSummary& summary = one.reading.so_far.summary;
  const KeyParts key = parts_of_key(summary.header.key);
  const auto source = fork_source(summary.header);
  const std::vector<std::string_view> tags(summary.tags.begin(), summary.tags.end());
  const std::string so_far = catalog::so_far_text(one.reading.so_far);
  PgValues values = database_.values();
  values.int8(one.source.session)
      .text(one.source.id.text)
      .int8(one.known_seq)
      .boolean(one.reading.from_start)
      .boolean(one.reading.from_start && one.reading.so_far.has_redactions)
      .int8(std::max(one.reading.until.seq, one.source.seq))
      .int8(one.source.size_bytes)
      .text(summary.last_active)
      .text(summary.expires_at)
      .text(source ? std::string_view(source->text) : std::string_view())
      .bytes(summary.header.key)
      .bytes(summary.cwd)
      .bytes(key.agent)
      .bytes(key.channel)
      .bytes(key.peer_kind)
      .byte_strings(tags)
      .bytes(so_far);
  LOGWOOD_TRY(const PgRows written, writing.run(sql::put_summary, values));
  if (written.changed() == 0) return false;
  if (one.reading.from_start && one.known_seq >= 0) {
    PgValues dropped = database_.values();
    dropped.int8(one.source.session);
    LOGWOOD_CHECK(writing.run(sql::drop_activity, dropped));
  }
  LOGWOOD_CHECK(put_activity(writing, one));
  return true;
}

Result<> CatalogRefresh::put_activity(CatalogWriting& writing, const Read& one) {
  struct Column {
    std::vector<std::int64_t> values;
    void add(std::uint64_t value) { values.push_back(static_cast<std::int64_t>(value)); }
    void add(const std::optional<std::uint64_t>& value) {
      values.push_back(value ? static_cast<std::int64_t>(*value) : -1);
    }
  };
  // One row for each place: a statement changes none twice.
  std::unordered_map<std::string, catalog::Activity> sums;
  for (const catalog::Activity& activity : one.reading.activity) {
    const Sha256 model = sha256({activity.model});
    const Sha256 digest =
        sha256({activity.entry, " ", activity.day, " ", as_bytes(model), activity.tool});
    const auto [sum, is_new] = sums.emplace(as_bytes(digest), activity);
    if (is_new) continue;
    sum->second.user_messages += activity.user_messages;
    sum->second.messages += activity.messages;
    add_usage(sum->second.tokens, activity.tokens);
  }
  if (sums.empty()) return {};
  std::vector<std::string_view> places, entries, days, models, tools;
  Column user_messages, messages, input, output, cache_read, cache_creation;
  for (const auto& [place, activity] : sums) {
    places.push_back(place);
    entries.push_back(activity.entry);
    days.push_back(activity.day);
    models.push_back(activity.model);
    tools.push_back(activity.tool);
    user_messages.add(activity.user_messages);
    messages.add(activity.messages);
    input.add(activity.tokens.input);
    output.add(activity.tokens.output);
    cache_read.add(activity.tokens.cache_read);
    cache_creation.add(activity.tokens.cache_creation);
  }
  PgValues values = database_.values();
  values.int8(one.source.session)
      .byte_strings(places)
      .texts(entries)
      .texts(days)
      .byte_strings(models)
      .byte_strings(tools)
      .int8s(user_messages.values)
      .int8s(messages.values)
      .int8s(input.values)
      .int8s(output.values)
      .int8s(cache_read.values)
      .int8s(cache_creation.values);
  LOGWOOD_CHECK(writing.run(sql::add_activity, values));
  return {};
}

Result<std::vector<TextSource>> CatalogRefresh::stale_texts() {
  std::vector<TextSource> found;
  for (std::int64_t last = 0;;) {
    PgValues values = database_.values();
    values.int8(last).int8(texts_at_once);
    LOGWOOD_TRY(const PgRows rows, database_.read(sql::stale_texts, values));
    for (int row = 0; row < rows.count(); ++row) {
      found.push_back({rows.integer(row, 0),
                       {rows.text(row, 1)},
                       rows.number(row, 2),
                       rows.number(row, 3),
                       rows.number(row, 4)});
    }
    if (rows.count() < texts_at_once) return found;
    last = found.back().session;
  }
}

Result<> CatalogRefresh::refresh_text() {
  LOGWOOD_TRY(std::vector<TextSource> stale, stale_texts());
  std::shuffle(stale.begin(), stale.end(), std::minstd_rand(std::random_device{}()));
  std::uint64_t all_bytes = 0;
  for (const TextSource& source : stale) all_bytes += source.size_bytes;
  std::uint64_t done_bytes = 0;
  for (const TextSource& source : stale) {
    const auto is_written = TextReading(sessions_, database_, source).run();
    if (!is_written) {
      LOGWOOD_CHECK(note(source.session, source.id, is_written.error()));
    } else if (!*is_written) {
      is_overtaken_ = true;
    }
    done_bytes += source.size_bytes;
    if (progress_ && !progress_(done_bytes, all_bytes)) return stopped();
  }
  return {};
}

}  // namespace logwood::storage::postgres
