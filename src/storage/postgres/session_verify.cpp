// Walking all of a session: to verify it, and to hand it on as it is.
#include <fmt/format.h>

#include "storage/line_checks.hpp"
#include "storage/postgres/session_reader.hpp"
#include "storage/stored_pieces.hpp"

namespace logwood::storage::postgres {

Result<VerifyReport> SessionReader::verify(const Progress& progress) {
  LineChecks checks(
      session_, [this](const BlobRef& ref) { return read_blob(ref); }, progress, tail_.size_bytes);
  LOGWOOD_TRY(const format::Fold fold, this->fold(format::Chain::verify,
                                                  [&](const format::PlacedLine& line,
                                                      std::string_view text) -> Result<Going> {
                                                    LOGWOOD_CHECK(checks.take(line, text));
                                                    return Going::on;
                                                  }));
  std::vector<Problem> more;
  tell_missing_end(fold, more);
  // The row of the session is an anchor that lies outside its lines.
  if (fold.last_seq() == tail_.seq && format::view(fold.link()) != tail_.link) {
    more.push_back({ProblemKind::out_of_chain, fold.committed_end(), 0, tail_.seq, tail_.seq,
                    GapCause::unknown});
  }
  return std::move(checks).finish(fold, fold.committed_end(), more);
}

Result<> SessionReader::read_stored(const StoredVisitor& visit) {
  LOGWOOD_TRY(
      const bool is_regular,
      lines_after(0, all_of_it,
                  [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
                    LOGWOOD_CHECK(tell_pieces(
                        session_, line, text, [this](const BlobRef& ref) { return read_blob(ref); },
                        visit));
                    return Going::on;
                  }));
  if (is_regular) return {};
  return Error{ErrorCode::damaged,
               fmt::format("session {} is damaged; logwood verify says where", session_.text)};
}

}  // namespace logwood::storage::postgres
