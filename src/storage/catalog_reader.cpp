#include "storage/catalog_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>
#include <vector>

#include "base/json_text.hpp"
#include "storage/summary_reading.hpp"

namespace logwood::storage {
namespace {

using catalog::Catalog;
using catalog::Stamp;

// Two changes this close together may leave the same times: no file system we know is coarser.
constexpr std::int64_t racy_ns = 2'000'000'000;

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

}  // namespace

bool is_racy(const Stamp& stamp, std::int64_t seen_ns) {
  return std::max(stamp.modified_ns, stamp.changed_ns) + racy_ns >= seen_ns;
}

Result<SessionError> CatalogReader::read_summary(Catalog& catalog, const CatalogSource& source,
                                                 std::int64_t seen_ns) {
  LOGWOOD_TRY(auto known, catalog.find(source.id.text));
  if (known && known->known.stamp == source.stamp && known->known.place == source.place &&
      !known->known.is_racy)
    return SessionError();
  std::optional<ReadPosition> from;
  if (known && known->known.stamp.is_same_file(source.stamp)) {
    from = position_in(known->positions.summary);
    if (from && from->offset > source.stamp.size_bytes) from.reset();
  }
  auto reading = storage::read_summary(
      sessions_, source.id,
      from ? std::optional(KnownSummary{known->so_far, *from}) : std::nullopt);
  if (!reading) return SessionError(std::move(reading).error());
  const bool is_from_start = reading->from_start;
  const bool racy = is_racy(source.stamp, seen_ns);
  if (!is_from_start && text_of(reading->until) == known->positions.summary) {
    LOGWOOD_CHECK(catalog.restamp(source.id.text, source.place, source.stamp, racy));
    return SessionError();
  }
  LOGWOOD_CHECK(put(catalog, source, racy, *std::move(reading)));
  // The text went with the rest, and others must not find it missing until the next search here.
  const bool had_text = is_from_start && known && !known->positions.text.empty();
  return had_text ? read_text(catalog, source.id) : Result<SessionError>(SessionError());
}

Result<> CatalogReader::complete(Catalog& catalog, const SessionId& session,
                                 SummaryReading&& reading) {
  LOGWOOD_TRY(const auto known, catalog.find(session.text));
  if (!known || !known->known.is_brief) return {};
  return put(catalog, {session, known->known.stamp, known->known.place}, known->known.is_racy,
             std::move(reading));
}

Result<> CatalogReader::put(Catalog& catalog, const CatalogSource& source, bool is_racy,
                            SummaryReading&& reading) {
  Catalog::Update update;
  update.place = source.place;
  update.stamp = source.stamp;
  update.is_racy = is_racy;
  update.from_start = reading.from_start;
  update.until = text_of(reading.until);
  update.so_far = std::move(reading.so_far);
  update.activity = std::move(reading.activity);
  return catalog.update(update);
}

// Whether part of what it says lies beside the session of another agent (F4.8).
bool names_files(std::string_view text) {
  constexpr std::string_view files = "\"files\"";
  if (text.find(files) == std::string_view::npos) return false;
  return !json_member(json_member(text, "meta"), "files").empty();
}

// Where the text of one session goes. What goes wrong there is of the catalog, and is kept here.
struct CatalogReader::Text {
  Catalog& catalog;
  std::int64_t row = 0;
  std::shared_ptr<const Redactions> redactions = std::make_shared<const Redactions>();
  Result<> added = {};

  void add_calls(const catalog::IndexedText& indexed) {
    if (added) added = catalog.add_calls(row, indexed.calls);
  }
  void add(std::string_view text, const EntryPlace& place) {
    const catalog::IndexedText indexed = catalog::indexed_text(text, place);
    add_calls(indexed);
    if (added && !indexed.text.empty()) added = catalog.add_text(row, place.id, indexed);
  }
};

Result<WalkedTo> CatalogReader::walk_for_text(const SessionId& session, const ReadPosition& from,
                                              Text& text) {
  std::vector<EntryId> with_long_strings;
  LOGWOOD_TRY(WalkedTo walked, sessions_.walk(session, from, [&](const WalkedEntry& entry) {
    if (entry.flagged || entry.place.kind != EntryKind::tree) return;
    std::optional<std::string> changed;
    if (text.redactions->of(entry.place.id) != nullptr) {
      changed = shown_text(*text.redactions, entry);
      if (!changed) return;
    }
    const std::string_view entry_text = changed ? *changed : entry.text;
    const EntryPlace place = changed ? find_place(*changed) : entry.place;
    if (json_member(entry.text, "blobs").empty() && !names_files(entry.text)) {
      text.add(entry_text, place);
    } else {
      with_long_strings.push_back({std::string(entry.place.id)});
      text.add_calls(catalog::indexed_text(entry_text, place));  // results may follow
    }
  }));
  for (const EntryId& id : with_long_strings) {
    auto entry = sessions_.find(session, id);
    if (!entry) continue;  // the summary says that it is damaged
    if (!text.redactions->apply(*entry)) continue;
    text.add(entry->text, find_place(entry->text));
  }
  return walked;
}

Result<SessionError> CatalogReader::read_text(Catalog& catalog, const SessionId& session) {
  LOGWOOD_TRY(const auto known, catalog.find(session.text));
  if (!known || known->known.has_all_text) return SessionError();
  Text text{catalog, known->known.row};
  const ReadPosition from = position_in(known->positions.text).value_or(ReadPosition());
  if (known->so_far.has_redactions) {
    auto redactions = sessions_.redactions(session);
    if (!redactions) return SessionError(std::move(redactions).error());
    text.redactions = *std::move(redactions);
  }
  LOGWOOD_TRY(const std::int64_t last, catalog.last_text(text.row));
  auto walked = walk_for_text(session, from, text);
  LOGWOOD_CHECK(text.added);
  if (!walked) {
    // It will be read from the same place again, and must not be found twice then.
    LOGWOOD_CHECK(catalog.drop_text_after(text.row, last));
    return SessionError(std::move(walked).error());
  }
  // What was appended since the summary was made comes with the next refresh of both.
  const auto seen = position_in(known->positions.summary);
  LOGWOOD_CHECK(catalog.set_text_position(text.row, text_of(walked->next),
                                          seen && seen->seq <= walked->next.seq));
  return SessionError();
}

}  // namespace logwood::storage
