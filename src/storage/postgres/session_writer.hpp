// Appending to one session in the database.
//
// The lines are sealed here, against where this writer believes the session to end, and one
// statement stores them if it ends there. So an append is one round trip, and nothing is locked
// while it is on its way. When it is not so:
//
//   1  the session ends elsewhere: what it is now is read, ids are looked up, all is planned again;
//      an error is returned only after that, since it may rest on what this writer believed;
//   2  that happens twice: the row is locked first, so that a third time cannot come;
//   3  an id is there already: the same;
//   4  the connection is lost, or the server warns that others may not have the commit: nobody
//      knows whether it happened. A change of the session's row is committed, which waits for
//      whoever still holds it and is acknowledged only when everything before it is as durable as
//      it; then ids are looked up, and the append is either there or done again with the same ids.
//
// What was there before, and is acknowledged once more, is acknowledged after such a commit too: a
// row that can be read may be on this server alone.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "logwood/append.hpp"
#include "logwood/erasure.hpp"
#include "storage/append_plan.hpp"
#include "storage/postgres/database.hpp"
#include "storage/postgres/session_reader.hpp"

namespace logwood::storage::postgres {

struct WriterOptions {
  std::function<EntryId()> new_id;
  std::function<std::chrono::system_clock::time_point()> now;
};

/// The session of this id as it is now; `not_found` when there is none.
Result<Tail> find_tail(Database& database, const SessionId& session);

/// Holds the session's row until the end of the transaction, and brings `tail` up to date with it.
/// `not_found` when the session has been removed meanwhile, or, with `removed`, brought back.
Result<> lock_tail(Database& database, PgConnection& connection, const SessionId& session,
                   Tail& tail, Deadline deadline, bool removed = false);

/// `unsupported` when its header keeps us from writing.
Result<> check_writable(const SessionId& session, const Tail& tail);

/// For one thread at a time.
class SessionWriter {
 public:
  SessionWriter(Database& database, SessionId session, const WriterOptions& options)
      : database_(database), session_(std::move(session)), options_(options) {}

  Result<AppendResult> append(CheckedBatch batch, const AppendOptions& options);

  /// Puts tombstones in the place of these entries, and the redaction that accounts for them at the
  /// end: one transaction. `removed`: of a session in the trash, by its number.
  Result<Erasure> erase(std::span<const EntryId> ids, std::string_view reason,
                        std::optional<std::int64_t> removed = std::nullopt);

 private:
  struct SealedBatch;
  enum class Outcome : std::uint8_t { stored, moved, known_id, unknown };

  using KnownEntries = std::unordered_map<std::string, KnownEntry>;

  Result<> find_out(bool settles, Deadline deadline);
  Result<> settle(PgConnection& connection, Deadline deadline);
  Result<AppendPlan> plan(PgConnection& connection, const CheckedBatch& batch,
                          const AppendOptions& options, bool looks_up, Deadline deadline);
  Result<KnownEntries> look_up(PgConnection& connection, const Tail& tail,
                               std::span<const std::string_view> ids, Deadline deadline);
  Result<std::optional<KnownEntry>> look_up(PgConnection& connection, const Tail& tail,
                                            const EntryId& id, Deadline deadline);
  Result<SealedBatch> seal(const AppendPlan& plan) const;
  Result<Outcome> store(PgConnection& connection, const SealedBatch& batch, Deadline deadline);
  Result<Outcome> attempt(CheckedBatch& batch, const AppendOptions& options, bool looks_up,
                          bool with_lock, Deadline deadline, AppendResult& result,
                          std::vector<std::string>& unanswered);
  Result<bool> is_own(const EntryId& first, const std::vector<std::string>& unanswered,
                      Deadline deadline);
  Result<Erasure> erase_in(PgConnection& connection, const Tail& tail, std::span<const EntryId> ids,
                           std::string_view reason, Deadline deadline);
  Result<> drop_unnamed_blobs(PgConnection& connection, const Tail& tail,
                              const std::vector<BlobRef>& refs, Deadline deadline);

  Database& database_;
  SessionId session_;
  const WriterOptions& options_;
  std::optional<Tail> known_;  // as of the last answer
};

}  // namespace logwood::storage::postgres
