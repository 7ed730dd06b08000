// Reading one session out of the database.
//
// A transaction is there as a whole or not at all, so a line that is sound and has the number after
// the one before it is where it belongs. Anything else was done to the rows by somebody; then all
// of the session is read once more, by the rules for a session file.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "format/fold.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"
#include "storage/line_entry.hpp"
#include "storage/postgres/database.hpp"

namespace logwood::storage::postgres {

/// A session as its row says it is.
struct Tail {
  std::int64_t session = 0;  ///< its number, which no other session ever has
  std::uint64_t seq = 0;
  std::string link;
  std::uint64_t size_bytes = 0;  ///< of its lines, as a file would have them
  std::optional<EntryId> tail;
  std::optional<EntryId> head;
  bool archived = false;
  std::string header;  ///< the text of its header
};

/// What find_session and find_removed return.
[[nodiscard]] Tail tail_in(const PgRows& rows);

/// Where a sound line stands; lines of the database are numbered by their seq.
[[nodiscard]] format::PlacedLine place_in_database(const format::SealedLine& line);

/// What blobs_of returned for `ref`; nothing when that is missing or not what was stored.
[[nodiscard]] std::optional<std::string> blob_in(const PgRows& rows, const BlobRef& ref);

/// Reads what the session is, as of `tail` or later.
class SessionReader {
 public:
  SessionReader(Database& database, SessionId session, Tail tail)
      : database_(database), session_(std::move(session)), tail_(std::move(tail)) {}

  [[nodiscard]] const Tail& tail() const { return tail_; }

  /// Reads backwards; what is wanted first comes with what the session is, in one round trip.
  static Result<BackwardEnd> read_back(Database& database, const SessionId& session,
                                       const BackwardVisit& visit);

  Result<PageFrom> read(const ReadPosition& from, std::size_t limit);
  Result<WalkedTo> walk(const ReadPosition& from, const WalkVisitor& visit);
  Result<std::optional<Entry>> find(const EntryId& id);
  Result<Redactions> redactions();
  Result<VerifyReport> verify(const Progress& progress);
  Result<> read_stored(const StoredVisitor& visit);

  /// The bytes of a blob of this session.
  Result<std::optional<std::string>> read_blob(const BlobRef& ref);
  Result<RestoredText> restore(std::string_view body);

 private:
  static constexpr std::size_t all_of_it = std::numeric_limits<std::int64_t>::max();

  enum class Going : std::uint8_t { on, stop };
  using LineVisitor =
      std::function<Result<Going>(const format::PlacedLine& line, std::string_view text)>;
  using RowVisitor = std::function<Result<Going>(std::uint64_t seq, std::string_view line)>;

  Result<> rows_after(std::uint64_t seq, std::size_t limit, const RowVisitor& visit);
  Result<> stream_rows(PgConnection& connection, std::uint64_t& seq, std::size_t& left,
                       const RowVisitor& visit);
  Result<> fetch_rows(PgConnection& connection, std::uint64_t& seq, std::size_t& left,
                      const RowVisitor& visit);
  Result<bool> lines_after(std::uint64_t seq, std::size_t limit, const LineVisitor& visit);
  Result<format::Fold> fold(format::Chain chain, const LineVisitor& visit);
  Result<std::vector<Problem>> walk_lines(const ReadPosition& from, std::size_t limit,
                                          const LineVisitor& visit,
                                          const std::function<void()>& begin);
  Result<std::optional<Entry>> entry_in(const format::PlacedLine& line, std::string text,
                                        bool with_long_strings, std::vector<Problem>& problems);
  Result<std::optional<BackwardEnd>> read_regular_back(const BackwardVisit& visit, PgRows newest,
                                                       std::size_t asked_for);
  Result<BackwardEnd> read_back_after_fold(const BackwardVisit& visit);
  void tell_missing_end(const format::Fold& fold, std::vector<Problem>& problems) const;

  Database& database_;
  SessionId session_;
  Tail tail_;
};

}  // namespace logwood::storage::postgres
