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

Result<> SessionWriter::find_out(Deadline deadline) {
  LOGWOOD_TRY(Lease connection, database_.lease(deadline));
  PgValues values = database_.values();
  values.text(session_.text);
  LOGWOOD_TRY(const PgRows rows, connection->run(sql::find_session, values, deadline));
  if (rows.empty()) return no_session(session_);
  known_ = tail_in(rows);
  return {};
}

// Step 4: after this, what can be read of the session is durable, and nobody is still at it who
// began before.
Result<> SessionWriter::settle(Deadline deadline) {
  LOGWOOD_TRY(Lease connection, database_.lease(deadline));
  PgValues values = database_.values();
  values.text(session_.text);
  LOGWOOD_TRY(const PgRows rows, connection->run(sql::find_session, values, deadline));
  if (rows.empty()) return no_session(session_);
  PgValues touched = database_.values();
  touched.int8(rows.integer(0, 0));
  (void)connection->take_warning();
  LOGWOOD_CHECK(connection->run(sql::touch_tail, touched, deadline));
  if (connection->take_warning()) {
    return Error{ErrorCode::unavailable, "the server does not say that its standbys have it"};
  }
  return {};
}

Result<std::optional<KnownEntry>> SessionWriter::look_up(SessionReader& reader, const EntryId& id) {
  LOGWOOD_TRY(auto found, reader.find(id));
  if (!found) return std::optional<KnownEntry>();
  const EntryKind kind = kind_of(found->type);
  const bool erased = found->erased;
  return std::optional(KnownEntry{std::move(found->text), kind, erased});
}

// Without looking ids up the batch is taken for new: if it is not, the unique index refuses it.
Result<AppendPlan> SessionWriter::plan(const CheckedBatch& batch, const AppendOptions& options,
                                       bool looks_up) {
  SessionReader reader(database_, session_, *known_);
  const FindEntry find = [&](const EntryId& id) -> Result<std::optional<KnownEntry>> {
    const bool is_of_batch =
        !looks_up && (id == batch.id_beyond ||
                      std::find(batch.ids.begin(), batch.ids.end(), id) != batch.ids.end());
    if (is_of_batch) return std::optional<KnownEntry>();
    return look_up(reader, id);
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
  (void)connection.take_warning();
  auto stored =
      connection.run(hashes.empty() ? sql::append : sql::append_with_blobs, values, deadline);
  if (!stored) {
    if (stored.error().code == ErrorCode::already_exists) return Outcome::known_id;
    if (is_lost(stored.error())) return Outcome::unknown;
    return std::move(stored).error();
  }
  if (connection.take_warning()) return Outcome::unknown;
  return stored->changed() == batch.lines.size() ? Outcome::stored : Outcome::moved;
}

// One attempt, from what is known of the session. With a lock nobody else can come between, and
// what is known is read under it.
Result<SessionWriter::Outcome> SessionWriter::attempt(CheckedBatch& batch,
                                                      const AppendOptions& options, bool looks_up,
                                                      bool with_lock, Deadline deadline,
                                                      AppendResult& result) {
  LOGWOOD_TRY(Lease connection, database_.lease(deadline));
  if (with_lock) {
    LOGWOOD_CHECK(connection->begin(deadline));
    PgValues values = database_.values();
    values.int8(known_->session);
    LOGWOOD_TRY(const PgRows locked, connection->run(sql::lock_tail, values, deadline));
    if (locked.empty() || locked.boolean(0, 6)) return no_session(session_);
    known_->seq = locked.number(0, 0);
    known_->link = locked.text(0, 1);
    known_->size_bytes = locked.number(0, 2);
    const auto id_in = [&](int column) {
      auto text = locked.optional_text(0, column);
      return text ? std::optional(EntryId{*std::move(text)}) : std::nullopt;
    };
    known_->tail = id_in(3);
    known_->head = id_in(4);
    known_->archived = locked.boolean(0, 5);
  }
  if (known_->archived) return archived_error(session_);
  LOGWOOD_TRY(const AppendPlan plan, this->plan(batch, options, looks_up));
  result = {session_, plan.last_id, plan.entries.size(), plan.replayed};
  if (plan.replayed) {
    connection->roll_back();
    auto settled = settle(deadline);
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
    if (connection->take_warning()) outcome = Outcome::unknown;
  }
  if (outcome == Outcome::stored) known_ = std::move(sealed.after);
  return outcome;
}

Result<AppendResult> SessionWriter::append(CheckedBatch batch, const AppendOptions& options) {
  using namespace std::chrono_literals;
  const Deadline deadline = database_.deadline();
  bool may_be_stored = false;  // an attempt before this one ended without an answer
  bool is_fresh = false;       // what is known was read for this append
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
    if (may_be_stored && !is_fresh) {
      if (const auto settled = settle(deadline); !settled) {
        if (!is_lost(settled.error())) return settled.error();
        LOGWOOD_CHECK(wait_or_give_up(settled.error()));
        continue;
      }
    }
    if (!known_) {
      if (const auto found = find_out(deadline); !found) {
        if (!is_lost(found.error())) return found.error();
        LOGWOOD_CHECK(wait_or_give_up(found.error()));
        continue;
      }
      is_fresh = true;
    }
    AppendResult result;
    auto outcome = attempt(batch, options, is_fresh, races >= races_before_lock, deadline, result);
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
      // Its own earlier attempt, of which there was no answer.
      if (may_be_stored)
        result = {session_, result.last_appended_entry_id, batch.ids.size(), false};
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
