#include "storage/postgres/text_reading.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "storage/postgres/catalog_statements.hpp"
#include "storage/postgres/word_vectors.hpp"
#include "storage/summary_reading.hpp"

namespace logwood::storage::postgres {
namespace {

// In one transaction, if it is of several entries; and in one statement, if it is of several parts.
constexpr std::uint64_t piece_bytes = 4U << 20U;
constexpr std::uint64_t statement_bytes = 512U << 10U;

std::string digest_of(std::string_view call_id) {
  const Sha256 digest = sha256({call_id});
  return std::string(as_bytes(digest));
}

}  // namespace

Result<bool> TextReading::run() {
  LOGWOOD_TRY(redactions_, sessions_.redactions(source_.id));
  ReadPosition from;
  from.seq = source_.text_seq;
  Result<> taken = {};
  LOGWOOD_TRY(const WalkedTo walked,
              sessions_.walk(source_.id, from, [&](const WalkedEntry& entry) {
                if (taken && !is_overtaken_) taken = take(entry);
              }));
  LOGWOOD_CHECK(taken);
  if (!is_overtaken_) LOGWOOD_CHECK(write(std::max(walked.next.seq, source_.seq)));
  return !is_overtaken_;
}

Result<> TextReading::take(const WalkedEntry& entry) {
  if (entry.flagged || entry.place.kind != EntryKind::tree) return {};
  // Before the entry that makes it too much: all that came so far is whole.
  if (waiting_bytes_ >= piece_bytes) LOGWOOD_CHECK(write(entry.seq - 1));
  if (!json_member(entry.text, "blobs").empty()) {
    auto whole = sessions_.find(source_.id, {std::string(entry.place.id)});
    if (!whole && whole.error().code != ErrorCode::not_found) return std::move(whole).error();
    if (!whole || !redactions_->apply(*whole)) return {};
    return add(entry.seq, whole->text, find_place(whole->text));
  }
  if (redactions_->of(entry.place.id) == nullptr) return add(entry.seq, entry.text, entry.place);
  const auto text = shown_text(*redactions_, entry);
  return text ? add(entry.seq, *text, find_place(*text)) : Result<>();
}

Result<> TextReading::add(std::uint64_t seq, std::string_view text, const EntryPlace& place) {
  const catalog::IndexedText indexed = catalog::indexed_text(text, place);
  for (const catalog::NamedCall& call : indexed.calls) {
    const std::string digest = digest_of(call.id);
    calls_[digest] = call.name;
    new_calls_[digest] = call.name;
  }
  if (indexed.text.empty()) return {};
  LOGWOOD_TRY(const std::string tool, tool_of(indexed));
  std::uint64_t number = 0;
  for (TextPart& part : parts_of(indexed.text, database_.tenant())) {
    waiting_bytes_ += part.body.size() + part.vector.size();
    rows_.push_back({seq, number++, std::string(place.id), indexed.type, indexed.role, tool,
                     indexed.timestamp, std::move(part.vector), std::string(part.body)});
  }
  return {};
}

// That it calls, or answers; the last one, where there are several.
Result<std::string> TextReading::tool_of(const catalog::IndexedText& text) {
  for (auto id = text.answered.rbegin(); id != text.answered.rend(); ++id) {
    const std::string digest = digest_of(*id);
    if (const auto call = calls_.find(digest); call != calls_.end()) return call->second;
    if (source_.text_seq == 0) continue;  // all of it is read here
    PgValues values = database_.values();
    values.int8(source_.session).bytes(digest);
    LOGWOOD_TRY(const PgRows known, database_.read(sql::name_of_call, values));
    if (!known.empty()) return known.text(0, 0);
  }
  return text.calls.empty() ? std::string() : text.calls.back().name;
}

// What waits, which is all of the text up to this seq.
Result<> TextReading::write(std::uint64_t until) {
  LOGWOOD_TRY(CatalogWriting writing,
              CatalogWriting::begin(database_, {{source_.session, source_.seq}}));
  is_overtaken_ = writing.is_overtaken();
  if (!writing.may_write(source_.session)) return {};  // or it was removed
  PgValues moved = database_.values();
  moved.int8(source_.session).int8(written_seq_).int8(until);
  LOGWOOD_TRY(const PgRows moved_rows, writing.run(sql::move_text, moved));
  is_overtaken_ = moved_rows.changed() == 0;
  if (is_overtaken_) return {};
  if (written_seq_ == 0) {
    PgValues dropped = database_.values();
    dropped.int8(source_.session);
    LOGWOOD_CHECK(writing.run(sql::drop_text, dropped));
  }
  for (std::size_t next = 0; next < rows_.size();) {
    const std::size_t first = next;
    for (std::uint64_t bytes = 0; next < rows_.size() && bytes < statement_bytes; ++next) {
      bytes += rows_[next].body.size() + rows_[next].vector.size();
    }
    LOGWOOD_CHECK(write_rows(writing, std::span<const Row>(rows_).subspan(first, next - first)));
  }
  LOGWOOD_CHECK(write_calls(writing));
  LOGWOOD_CHECK(writing.commit());
  written_seq_ = until;
  new_calls_.clear();
  rows_.clear();
  waiting_bytes_ = 0;
  return {};
}

Result<> TextReading::write_rows(CatalogWriting& writing, std::span<const Row> rows) {
  std::vector<std::int64_t> seqs, parts;
  std::vector<std::string_view> entries, types, roles, tools, times, vectors, bodies;
  for (const Row& row : rows) {
    seqs.push_back(static_cast<std::int64_t>(row.seq));
    parts.push_back(static_cast<std::int64_t>(row.part));
    entries.push_back(row.entry);
    types.push_back(row.type);
    roles.push_back(row.role);
    tools.push_back(row.tool);
    times.push_back(row.time);
    vectors.push_back(row.vector);
    bodies.push_back(row.body);
  }
  PgValues values = database_.values();
  values.int8(source_.session)
      .int8s(seqs)
      .int8s(parts)
      .texts(entries)
      .texts(types)
      .byte_strings(roles)
      .byte_strings(tools)
      .byte_strings(times)
      .word_vectors(vectors)
      .byte_strings(bodies);
  LOGWOOD_CHECK(writing.run(sql::add_texts, values));
  return {};
}

Result<> TextReading::write_calls(CatalogWriting& writing) {
  if (new_calls_.empty()) return {};
  std::vector<std::string_view> calls, names;
  for (const auto& [call, name] : new_calls_) {
    calls.push_back(call);
    names.push_back(name);
  }
  PgValues values = database_.values();
  values.int8(source_.session).byte_strings(calls).byte_strings(names);
  LOGWOOD_CHECK(writing.run(sql::add_calls, values));
  return {};
}

}  // namespace logwood::storage::postgres
