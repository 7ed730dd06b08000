#include "storage/postgres/session_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <unordered_map>

#include "base/random_bytes.hpp"
#include "base/timestamp.hpp"
#include "format/seal.hpp"
#include "model/header.hpp"
#include "storage/archived_session.hpp"
#include "storage/no_session.hpp"
#include "storage/postgres/statements.hpp"

namespace logwood::storage::postgres {
namespace {

constexpr int races_before_lock = 2;

format::Link link_in(std::string_view text) {
  format::Link link = format::first_link();
  if (text.size() == link.size()) std::copy(text.begin(), text.end(), link.begin());
  return link;
}

std::optional<std::string_view> view(const std::optional<EntryId>& id) {
  return id ? std::optional<std::string_view>(id->text) : std::nullopt;
}

bool is_lost(const Error& error) { return error.code == ErrorCode::unavailable; }

}  // namespace

Result<Tail> find_tail(Database& database, const SessionId& session) {
  if (auto valid = check_id(session.text); !valid)
    return std::move(valid).error().within("session id");
  PgValues values = database.values();
  values.text(session.text);
  LOGWOOD_TRY(const PgRows rows, database.read(sql::find_session, values));
  if (rows.empty()) return no_session(session);
  return tail_in(rows);
}

Result<> lock_tail(Database& database, PgConnection& connection, const SessionId& session,
                   Tail& tail, Deadline deadline, bool removed) {
  PgValues values = database.values();
  values.int8(tail.session);
  LOGWOOD_TRY(const PgRows locked, connection.run(sql::lock_tail, values, deadline));
  if (locked.empty() || locked.boolean(0, 6) != removed) return no_session(session);
  const auto id_in = [&](int column) {
    auto text = locked.optional_text(0, column);
    return text ? std::optional(EntryId{*std::move(text)}) : std::nullopt;
  };
  tail.seq = locked.number(0, 0);
  tail.link = locked.text(0, 1);
  tail.size_bytes = locked.number(0, 2);
  tail.tail = id_in(3);
  tail.head = id_in(4);
  tail.archived = locked.boolean(0, 5);
  return {};
}

Result<> check_writable(const SessionId& session, const Tail& tail) {
  LOGWOOD_TRY(const SessionHeader header, parse_header(tail.header));
  const std::string limits = limits_in_header(header);
  if (limits.empty()) return {};
  return Error{ErrorCode::unsupported, fmt::format("session {}: {}", session.text, limits)};
}

// The lines of a batch, and what the session is after them.
struct SessionWriter::SealedBatch {
  Tail before;
  Tail after;
  std::string bytes;
  std::vector<std::string_view> lines;
  std::vector<std::string_view> ids;
  std::vector<bool> are_redactions;
  std::vector<SpilledText> spilled;
};

Result<> SessionWriter::find_out(bool settles, Deadline deadline) {
  LOGWOOD_TRY(Lease connection, database_.lease(deadline));
  if (settles) LOGWOOD_CHECK(settle(*connection, deadline));
  PgValues values = database_.values();
  values.text(session_.text);
  LOGWOOD_TRY(const PgRows rows, connection->run(sql::find_session, values, deadline));
  if (rows.empty()) return no_session(session_);
  Tail found = tail_in(rows);
  LOGWOOD_CHECK(check_writable(session_, found));
  known_ = std::move(found);
  return {};
}

// Step 4: after this, what can be read of the session is durable, and nobody is still at it who
// began before.
Result<> SessionWriter::settle(PgConnection& connection, Deadline deadline) {
  PgValues values = database_.values();
  values.text(session_.text);
  LOGWOOD_TRY(const PgRows rows, connection.run(sql::find_session, values, deadline));
  if (rows.empty()) return no_session(session_);
  PgValues touched = database_.values();
  touched.int8(rows.integer(0, 0));
  LOGWOOD_CHECK(connection.change(sql::touch_tail, touched, deadline));
  return {};
}

// By one statement, so that a batch is seen as a whole or not at all: ids looked up one after
// another could find half of a batch that is committed meanwhile.
Result<SessionWriter::KnownEntries> SessionWriter::look_up(PgConnection& connection,
                                                           const Tail& tail,
                                                           std::span<const std::string_view> ids,
                                                           Deadline deadline) {
  KnownEntries known;
  if (ids.empty()) return known;
  PgValues values = database_.values();
  values.int8(tail.session).texts(ids);
  LOGWOOD_TRY(const PgRows rows, connection.run(sql::lines_of_ids, values, deadline));
  const RestoreText restored = [&](std::string_view body) {
    return restore_text(body, [&](const BlobRef& ref) -> Result<std::optional<std::string>> {
      PgValues which = database_.values();
      const std::string_view hash = ref.hash;
      which.int8(tail.session).texts({&hash, 1});
      LOGWOOD_TRY(const PgRows blobs, connection.run(sql::blobs_of, which, deadline));
      return blob_in(blobs, ref);
    });
  };
  for (int row = 0; row < rows.count(); ++row) {
    const auto line = format::parse_sealed(session_.text, rows.view(row, 2));
    if (!line) continue;
    std::vector<Problem> problems;  // an entry that is incomplete is not the same as any draft
    LOGWOOD_TRY(auto entry,
                entry_in_line(place_in_database(*line), rows.text(row, 2), restored, problems));
    if (!entry) continue;
    known.emplace(rows.text(row, 0),
                  KnownEntry{std::move(entry->text), kind_of(entry->type), entry->erased});
  }
  return known;
}

Result<std::optional<KnownEntry>> SessionWriter::look_up(PgConnection& connection, const Tail& tail,
                                                         const EntryId& id, Deadline deadline) {
  const std::string_view wanted = id.text;
  LOGWOOD_TRY(KnownEntries known, look_up(connection, tail, {&wanted, 1}, deadline));
  if (known.empty()) return std::optional<KnownEntry>();
  return std::optional(std::move(known.begin()->second));
}

// Without looking ids up the batch is taken for new: if it is not, the unique index refuses it.
Result<AppendPlan> SessionWriter::plan(PgConnection& connection, const CheckedBatch& batch,
                                       const AppendOptions& options, bool looks_up,
                                       Deadline deadline) {
  std::vector<std::string_view> ids;
  for (const auto& id : batch.ids) {
    if (id) ids.push_back(id->text);
  }
  if (batch.id_beyond) ids.push_back(batch.id_beyond->text);
  KnownEntries known;
  if (looks_up) {
    LOGWOOD_TRY(known, look_up(connection, *known_, ids, deadline));
  }
  const FindEntry find = [&](const EntryId& id) -> Result<std::optional<KnownEntry>> {
    if (std::find(ids.begin(), ids.end(), id.text) == ids.end()) {
      return look_up(connection, *known_, id, deadline);
    }
    const auto found = known.find(id.text);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
  const SessionView view{known_->tail, known_->head, find};
  return plan_append(batch, options, view, format_timestamp(options_.now()), options_.new_id);
}

Result<SessionWriter::SealedBatch> SessionWriter::seal(const AppendPlan& plan) const {
  SealedBatch sealed;
  sealed.before = *known_;
  const auto count = static_cast<std::uint32_t>(plan.entries.size());
  std::vector<format::Salt> salts(count);
  fill_random({salts.front().data(), salts.size() * sizeof(format::Salt)});
  format::BatchSeal seal;
  seal.session_id = session_.text;
  seal.first_seq = known_->seq + 1;
  seal.count = count;
  format::Link link = link_in(known_->link);
  std::vector<std::size_t> begins;
  sealed.spilled.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const PlannedEntry& entry = plan.entries[i];
    const std::size_t begin = sealed.bytes.size();
    begins.push_back(begin);
    sealed.bytes.append(entry.stamps).append(entry.members);
    if (sealed.bytes.size() - begin > string_inline_max) {
      // The views in it are into the text of the draft, which outlives this.
      const std::string whole = sealed.bytes.substr(begin);
      SpilledText spilled = spill(whole);
      if (!spilled.refs.empty()) {
        for (std::string_view& string : spilled.strings) {
          const auto at = static_cast<std::size_t>(string.data() - whole.data());
          string = entry.members.substr(at - entry.stamps.size(), string.size());
        }
        sealed.bytes.replace(begin, std::string::npos, spilled.body);
        sealed.spilled[i] = std::move(spilled);
      }
    }
    format::seal_line(sealed.bytes, begin, seal, i + 1, salts[i], link);
    sealed.ids.push_back(entry.id.text);
    sealed.are_redactions.push_back(entry.is_redaction);
  }
  begins.push_back(sealed.bytes.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    sealed.lines.push_back(
        std::string_view(sealed.bytes).substr(begins[i], begins[i + 1] - begins[i] - 1));
  }
  sealed.after = sealed.before;
  sealed.after.seq += count;
  sealed.after.link = format::view(link);
  sealed.after.size_bytes += sealed.bytes.size();
  sealed.after.tail = plan.tail;
  sealed.after.head = plan.head;
  return sealed;
}

Result<SessionWriter::Outcome> SessionWriter::store(PgConnection& connection,
                                                    const SealedBatch& batch, Deadline deadline) {
  PgValues values = database_.values();
  values.int8(batch.before.session)
      .int8(batch.before.seq)
      .text(batch.before.link)
      .int8(batch.after.seq)
      .text(batch.after.link)
      .int8(batch.after.size_bytes)
      .text_or_null(view(batch.after.tail))
      .text_or_null(view(batch.after.head))
      .texts(batch.ids)
      .booleans(batch.are_redactions)
      .byte_strings(batch.lines);
  std::vector<std::string_view> hashes;
  std::vector<std::string_view> contents;
  for (const SpilledText& spilled : batch.spilled) {
    for (std::size_t i = 0; i < spilled.refs.size(); ++i) {
      hashes.push_back(spilled.refs[i].hash);
      contents.push_back(spilled.strings[i]);
    }
  }
  if (!hashes.empty()) values.texts(hashes).byte_strings(contents);
  auto stored =
      connection.change(hashes.empty() ? sql::append : sql::append_with_blobs, values, deadline);
  if (!stored) {
    if (stored.error().code == ErrorCode::already_exists) return Outcome::known_id;
    if (is_lost(stored.error())) return Outcome::unknown;
    return std::move(stored).error();
  }
  return stored->changed() == batch.lines.size() ? Outcome::stored : Outcome::moved;
}

// One attempt, from what is known of the session. With a lock nobody else can come between, and
// what is known is read under it.
Result<SessionWriter::Outcome> SessionWriter::attempt(CheckedBatch& batch,
                                                      const AppendOptions& options, bool looks_up,
                                                      bool with_lock, Deadline deadline,
                                                      AppendResult& result,
                                                      std::vector<std::string>& unanswered) {
  LOGWOOD_TRY(Lease connection, database_.lease(deadline));
  if (with_lock) {
    LOGWOOD_CHECK(connection->begin(deadline));
    LOGWOOD_CHECK(lock_tail(database_, *connection, session_, *known_, deadline));
  }
  if (known_->archived) return archived_error(session_);
  LOGWOOD_TRY(const AppendPlan plan, this->plan(*connection, batch, options, looks_up, deadline));
  result = {session_, plan.last_id, plan.entries.size(), plan.replayed};
  if (plan.replayed) {
    connection->roll_back();
    auto settled = settle(*connection, deadline);
    if (settled) return Outcome::stored;
    if (is_lost(settled.error())) return Outcome::unknown;
    return std::move(settled).error();
  }
  // The same ids from here on, whatever happens.
  for (std::size_t i = 0; i < plan.entries.size(); ++i) batch.ids[i] = plan.entries[i].id;
  LOGWOOD_TRY(SealedBatch sealed, seal(plan));
  LOGWOOD_TRY(Outcome outcome, store(*connection, sealed, deadline));
  if (with_lock && outcome == Outcome::stored) {
    if (const auto committed = connection->commit(deadline); !committed) {
      if (!is_lost(committed.error())) return committed.error();
      outcome = Outcome::unknown;
    }
  }
  if (outcome == Outcome::stored) known_ = std::move(sealed.after);
  if (outcome == Outcome::unknown) unanswered.emplace_back(sealed.lines.front());
  return outcome;
}

// Whether the batch that is there is one of those that were sent without an answer, and not
// somebody else's: no two lines are sealed with the same salt.
Result<bool> SessionWriter::is_own(const EntryId& first, const std::vector<std::string>& unanswered,
                                   Deadline deadline) {
  LOGWOOD_TRY(Lease connection, database_.lease(deadline));
  PgValues values = database_.values();
  const std::string_view id = first.text;
  values.int8(known_->session).texts({&id, 1});
  LOGWOOD_TRY(const PgRows rows, connection->run(sql::lines_of_ids, values, deadline));
  return !rows.empty() &&
         std::find(unanswered.begin(), unanswered.end(), rows.view(0, 2)) != unanswered.end();
}

Result<AppendResult> SessionWriter::append(CheckedBatch batch, const AppendOptions& options) {
  using namespace std::chrono_literals;
  const Deadline deadline = database_.deadline();
  bool may_be_stored = false;           // an attempt before this one ended without an answer
  std::vector<std::string> unanswered;  // the first line of each such attempt
  bool is_fresh = false;                // what is known was read for this append
  int races = 0;
  std::optional<Error> failure;
  const auto wait_or_give_up = [&](Error error) -> Result<> {
    failure = std::move(error);
    if (std::chrono::steady_clock::now() + 50ms >= deadline) {
      if (!may_be_stored) return *failure;
      return Error{ErrorCode::durability_unknown,
                   fmt::format("session {}: the append may be stored or not ({}); append it again "
                               "with the same ids",
                               session_.text, failure->message)};
    }
    std::this_thread::sleep_for(50ms);
    return {};
  };
  while (true) {
    if (!known_) {
      if (const auto found = find_out(may_be_stored, deadline); !found) {
        if (!is_lost(found.error())) return found.error();
        LOGWOOD_CHECK(wait_or_give_up(found.error()));
        continue;
      }
      is_fresh = true;
    }
    AppendResult result;
    auto outcome =
        attempt(batch, options, is_fresh, races >= races_before_lock, deadline, result, unanswered);
    if (!outcome) {
      Error error = std::move(outcome).error();
      const bool was_fresh = is_fresh;
      known_.reset();
      is_fresh = false;
      // What was believed may be why.
      if (!was_fresh) continue;
      if (!is_lost(error)) return error;
      LOGWOOD_CHECK(wait_or_give_up(std::move(error)));
      continue;
    }
    if (*outcome == Outcome::stored) {
      if (!result.replayed || unanswered.empty()) return result;
      auto own = is_own(*batch.ids.front(), unanswered, deadline);
      if (own && *own) result = {session_, result.last_appended_entry_id, batch.ids.size(), false};
      return result;
    }
    known_.reset();
    is_fresh = false;
    if (*outcome == Outcome::unknown) {
      may_be_stored = true;
      LOGWOOD_CHECK(wait_or_give_up({ErrorCode::unavailable, "the connection was lost"}));
    } else {
      ++races;
    }
  }
}

}  // namespace logwood::storage::postgres
