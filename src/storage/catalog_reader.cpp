#include "storage/catalog_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>
#include <vector>

#include "base/json_text.hpp"

namespace logwood::storage {
namespace {

using catalog::Catalog;
using catalog::Stamp;

// Two changes this close together may leave the same times: no file system we know is coarser.
constexpr std::int64_t racy_ns = 2'000'000'000;

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

// The entry as it may be shown; nothing where nothing of it may.
std::optional<std::string> shown(const Redactions& redactions, const WalkedEntry& entry) {
  return redactions.shown({std::string(entry.place.id)}, std::string(entry.text));
}

void finish(catalog::SummaryBuilder& builder, const SessionId& session, Catalog::Update& update) {
  update.activity = builder.activity();
  update.so_far = builder.finish();
  update.so_far.summary.header.id = session;  // also where the header is damaged
}

}  // namespace

Result<SessionError> CatalogReader::read_summary(Catalog& catalog, const CatalogSource& source,
                                                 std::int64_t seen_ns) {
  LOGWOOD_TRY(auto known, catalog.find(source.id.text));
  if (known && known->known.stamp == source.stamp && !known->known.is_racy) return SessionError();
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
    auto until = walk_for_summary(source.id, *from, Redactions(), builder);
    if (!until) return SessionError(std::move(until).error());
    if (*until == known->positions.summary) {
      LOGWOOD_CHECK(catalog.restamp(source.id.text, source.stamp, update.is_racy));
      return SessionError();
    }
    if (!builder.must_begin_again()) {
      update.until = *std::move(until);
      finish(builder, source.id, update);
      LOGWOOD_CHECK(catalog.update(update));
      return SessionError();
    }
  }
  update.from_start = true;
  if (auto built = build_from_start(source.id, update); !built) {
    return SessionError(std::move(built).error());
  }
  LOGWOOD_CHECK(catalog.update(update));
  // The text went with the rest, and others must not find it missing until the next search here.
  const bool had_text = known && !known->positions.text.empty();
  return had_text ? read_text(catalog, source.id) : Result<SessionError>(SessionError());
}

Result<> CatalogReader::build_from_start(const SessionId& session, Catalog::Update& update) {
  {
    catalog::SummaryBuilder builder;
    LOGWOOD_TRY(update.until, walk_for_summary(session, {}, Redactions(), builder));
    if (!builder.has_redactions()) {
      finish(builder, session, update);
      return {};
    }
  }
  // Most sessions have no redactions, so they are looked for when one is met.
  LOGWOOD_TRY(const auto redactions, sessions_.redactions(session));
  catalog::SummaryBuilder builder;
  LOGWOOD_TRY(update.until, walk_for_summary(session, {}, *redactions, builder));
  finish(builder, session, update);
  return {};
}

// How far it came.
Result<std::string> CatalogReader::walk_for_summary(const SessionId& session,
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
      changed = shown(*text.redactions, entry);
      if (!changed) return;
    }
    const std::string_view entry_text = changed ? *changed : entry.text;
    const EntryPlace place = changed ? find_place(*changed) : entry.place;
    if (json_member(entry.text, "blobs").empty()) {
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
