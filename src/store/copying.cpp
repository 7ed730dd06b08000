// Sessions that move to another store, byte for byte.
#include <fmt/format.h>

#include "base/telling.hpp"
#include "logwood/store.hpp"
#include "storage/backend.hpp"
#include "store/inside.hpp"

namespace logwood {
namespace {

using storage::ChainEnd;
using storage::StorageBackend;
using storage::StoredPiece;

Error diverged(const SessionId& session) {
  return {ErrorCode::conflict,
          fmt::format("session {} is in the other store too, and has gone on there in another way; "
                      "nothing was copied",
                      session.text)};
}

// The end of what is there already, if it is the beginning of what is to be copied.
Result<> check_is_beginning(StorageBackend& from, const SessionId& session, const ChainEnd& there) {
  std::uint64_t seq = 0;
  bool is_beginning = there.seq == 0;
  LOGWOOD_CHECK(from.read_stored(session, [&](const StoredPiece& piece) -> Result<> {
    if (!piece.hash.empty() || ++seq != there.seq) return {};
    // The link stands near the end of the line, whatever else is in it.
    is_beginning = piece.bytes.find("." + there.link + ".") != std::string_view::npos;
    return {};
  }));
  return is_beginning ? Result<>() : diverged(session);
}

}  // namespace

Result<CopiedSession> Store::copy_to(Store& other, const SessionId& session,
                                     const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const from, inside_->backend());
  LOGWOOD_TRY(StorageBackend* const to, other.inside_->backend());
  LOGWOOD_TRY(const SessionStatus status, from->status(session));
  LOGWOOD_TRY(const ChainEnd end, from->chain_end(session));
  CopiedSession copied;
  std::optional<ChainEnd> there;
  if (auto found = to->chain_end(session); found) {
    there = *std::move(found);
    copied.what =
        *there == end ? CopiedSession::What::already_there : CopiedSession::What::extended;
  } else if (found.error().code != ErrorCode::not_found) {
    return std::move(found).error();
  }
  if (copied.what == CopiedSession::What::extended) {
    if (there->seq >= end.seq) return diverged(session);
    LOGWOOD_CHECK(check_is_beginning(*from, session, *there));
  }
  if (copied.what != CopiedSession::What::already_there) {
    LOGWOOD_CHECK(to->put_stored(session, there, [&](const storage::StoredVisitor& visit) {
      std::uint64_t told = 0;
      return from->read_stored(session, [&](const StoredPiece& piece) -> Result<> {
        told += piece.bytes.size() + 1;
        LOGWOOD_CHECK(tell(progress, told, 0));
        return visit(piece);
      });
    }));
    other.inside_->forget(session);
  }
  LOGWOOD_TRY(const VerifyReport report, to->verify(session));
  if (!report.is_sound()) {
    return Error{ErrorCode::damaged,
                 fmt::format("session {} does not verify in the other store: {}", session.text,
                             describe(report.problems.front()))};
  }
  if (status.archived) LOGWOOD_CHECK(to->archive(session));
  copied.entries = report.entries;
  copied.size_bytes = report.size_bytes;
  copied.link = report.link;
  return copied;
}

}  // namespace logwood
