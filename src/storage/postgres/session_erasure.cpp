// Erasing in a session in the database: tombstones in the place of lines, and the mark that
// accounts for them, in one transaction.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/random_bytes.hpp"
#include "base/timestamp.hpp"
#include "format/seal.hpp"
#include "format/tombstone.hpp"
#include "model/erasure.hpp"
#include "storage/erasure_plan.hpp"
#include "storage/no_session.hpp"
#include "storage/postgres/catalog_statements.hpp"
#include "storage/postgres/session_writer.hpp"
#include "storage/postgres/statements.hpp"

namespace logwood::storage::postgres {

Result<Erasure> SessionWriter::erase(std::span<const EntryId> ids, std::string_view reason,
                                     std::optional<std::int64_t> removed) {
  known_.reset();
  const Deadline deadline = database_.deadline();
  LOGWOOD_TRY(Lease connection, database_.lease(deadline));
  PgValues values = database_.values();
  values.text(session_.text);
  if (removed) values.int8(*removed);
  LOGWOOD_CHECK(connection->begin(deadline));
  LOGWOOD_TRY(const PgRows found,
              connection->run(removed ? sql::find_removed : sql::find_session, values, deadline));
  if (found.empty()) return removed ? no_removed_session(session_) : no_session(session_);
  Tail tail = tail_in(found);
  LOGWOOD_CHECK(check_writable(session_, tail));
  LOGWOOD_CHECK(lock_tail(database_, *connection, session_, tail, deadline, removed.has_value()));
  LOGWOOD_TRY(Erasure erasure, erase_in(*connection, tail, ids, reason, deadline));
  const auto committed = connection->commit(deadline);
  if (!committed) {
    return Error{ErrorCode::durability_unknown,
                 fmt::format("session {}: erasing was perhaps not finished ({}); erase again",
                             session_.text, committed.error().message)};
  }
  return erasure;
}

Result<Erasure> SessionWriter::erase_in(PgConnection& connection, const Tail& tail,
                                        std::span<const EntryId> ids, std::string_view reason,
                                        Deadline deadline) {
  LOGWOOD_TRY(const auto wanted, plan_erasure(session_, ids, [&](const EntryId& id) {
                return look_up(connection, tail, id, deadline);
              }));
  Erasure erasure;
  erasure.session_id = session_;
  if (wanted.empty()) return erasure;
  erasure.redaction_id = options_.new_id();
  erasure.timestamp = format_timestamp(options_.now());

  const std::vector<std::string_view> names(wanted.begin(), wanted.end());
  PgValues asked = database_.values();
  asked.int8(tail.session).texts(names);
  LOGWOOD_TRY(const PgRows rows, connection.run(sql::lines_of_ids, asked, deadline));
  std::vector<BlobRef> blobs;
  std::uint64_t size_bytes = tail.size_bytes;
  for (int row = 0; row < rows.count(); ++row) {
    const auto line = format::parse_sealed(session_.text, rows.view(row, 2));
    if (!line) {
      return Error{ErrorCode::damaged,
                   fmt::format("session {}: entry {} is damaged; logwood verify says more",
                               session_.text, rows.view(row, 0))};
    }
    if (const auto list = find_blobs(line->body)) {
      blobs.insert(blobs.end(), list->refs.begin(), list->refs.end());
    }
    format::Tombstone made = format::make_tombstone(session_.text, *line, erasure.redaction_id);
    size_bytes = size_bytes - line->text.size() + made.text.size();
    PgValues values = database_.values();
    values.int8(tail.session).int8(line->seq).bytes(made.text);
    LOGWOOD_CHECK(connection.run(sql::replace_line, values, deadline));
    erasure.entries.push_back(
        {EntryId{rows.text(row, 0)}, line->seq, std::move(made.digest), std::move(made.line)});
  }
  std::sort(erasure.entries.begin(), erasure.entries.end(),
            [](const ErasedEntry& a, const ErasedEntry& b) { return a.seq < b.seq; });

  std::string text = redaction_body(erasure, reason);
  LOGWOOD_CHECK(check_redaction_size(session_, text.size()));
  format::BatchSeal seal;
  seal.session_id = session_.text;
  seal.first_seq = tail.seq + 1;
  format::Salt salt{};
  fill_random(salt);
  format::Link link = format::first_link();
  std::copy(tail.link.begin(), tail.link.end(), link.begin());
  format::seal_line(text, 0, seal, 1, salt, link);
  erasure.last_seq = seal.first_seq;
  erasure.link = format::view(link);

  const std::string_view id = erasure.redaction_id.text;
  const std::string_view redaction = std::string_view(text).substr(0, text.size() - 1);
  PgValues added = database_.values();
  added.int8(tail.session)
      .int8(tail.seq)
      .texts({&id, 1})
      .booleans({true})
      .byte_strings({&redaction, 1});
  LOGWOOD_CHECK(connection.run(sql::add_lines, added, deadline));
  PgValues moved = database_.values();
  moved.int8(tail.session).int8(erasure.last_seq).text(erasure.link).int8(size_bytes + text.size());
  LOGWOOD_CHECK(connection.run(sql::move_end, moved, deadline));
  LOGWOOD_CHECK(drop_unnamed_blobs(connection, tail, blobs, deadline));
  PgValues erased = database_.values();
  erased.int8(tail.session);
  LOGWOOD_CHECK(connection.run(sql::forget_derived, erased, deadline));
  LOGWOOD_CHECK(connection.run(sql::touch_recency, erased, deadline));
  return erasure;
}

// Another line may name the same one.
Result<> SessionWriter::drop_unnamed_blobs(PgConnection& connection, const Tail& tail,
                                           const std::vector<BlobRef>& refs, Deadline deadline) {
  for (const BlobRef& ref : refs) {
    PgValues values = database_.values();
    values.int8(tail.session).bytes(ref.hash);
    LOGWOOD_TRY(const PgRows named, connection.run(sql::is_named, values, deadline));
    if (named.boolean(0, 0)) continue;
    PgValues dropped = database_.values();
    dropped.int8(tail.session).text(ref.hash);
    LOGWOOD_CHECK(connection.run(sql::drop_blob, dropped, deadline));
  }
  return {};
}

}  // namespace logwood::storage::postgres
