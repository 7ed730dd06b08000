#include "storage/jsonl/stored_copy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/append_all.hpp"
#include "storage/archived_session.hpp"
#include "storage/chain_check.hpp"
#include "storage/jsonl/archive.hpp"
#include "storage/jsonl/blobs.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/log_reader.hpp"
#include "storage/jsonl/session_file.hpp"
#include "storage/stored_pieces.hpp"

namespace logwood::storage::jsonl {
namespace {

constexpr std::size_t written_at_once = 1U << 20U;

Result<> write_lines(const SessionId& session, io::File& target, Blobs& blobs,
                     const StoredSource& source) {
  ChainCheck chain(session);
  std::string pending;
  LOGWOOD_CHECK(source([&](const StoredPiece& piece) -> Result<> {
    if (!piece.hash.empty()) {
      SpilledText blob;
      blob.refs.push_back({0, piece.bytes.size(), std::string(piece.hash)});
      blob.strings.push_back(piece.bytes);
      return blobs.keep(blob);
    }
    LOGWOOD_CHECK(chain.take(piece.bytes));
    pending.append(piece.bytes).append("\n");
    if (pending.size() < written_at_once) return {};
    LOGWOOD_CHECK(io::append_all(target, pending));
    pending.clear();
    return {};
  }));
  LOGWOOD_CHECK(io::append_all(target, pending));
  return target.sync();
}

// It must still end where it did when its beginning was compared.
Result<> check_end(io::FileSystem& files, const SessionId& session, const SessionNames& names,
                   const ChainEnd& expected) {
  LOGWOOD_TRY(LogReader reader,
              LogReader::open(files, session, names, std::chrono::milliseconds(0)));
  LOGWOOD_TRY(const ChainEnd end, reader.chain_end());
  if (end == expected) return {};
  return Error{ErrorCode::conflict,
               fmt::format("session {} was appended to while it was copied", session.text)};
}

}  // namespace

Result<> put_stored_session(io::FileSystem& files, const SessionId& session,
                            const SessionNames& names, const std::optional<ChainEnd>& replaced,
                            const StoredSource& source, std::chrono::milliseconds patience) {
  SessionFile held;  // nobody appends meanwhile
  if (replaced) {
    LOGWOOD_TRY(held, lock_session_file(files, names, patience));
    if (held.archived) return archived_error(session);
    LOGWOOD_CHECK(check_end(files, session, names, *replaced));
  }
  LOGWOOD_TRY(const auto fresh, create_locked(files, names.new_file));
  const auto is_free = [&]() -> Result<> {
    LOGWOOD_TRY(const Form form, form_of(files, names));
    if (replaced || form == Form::none) return {};
    return Error{ErrorCode::already_exists,
                 fmt::format("there is a session {} already", session.text)};
  };
  Blobs blobs(files, names.blobs);
  auto written = is_free();
  if (written) written = write_lines(session, *fresh, blobs, source);
  if (!written) {
    // Blobs of a session that is there may be named by it.
    if (!replaced && written.error().code != ErrorCode::already_exists)
      (void)blobs.remove_all_but({});
    (void)files.remove(names.new_file);
    return written;
  }
  if (replaced) LOGWOOD_CHECK(remove_leftover_archive(files, names, *held.file));
  LOGWOOD_CHECK(files.rename(names.new_file, names.file,
                             replaced ? io::Replace::existing : io::Replace::never));
  LOGWOOD_CHECK(files.sync_folder(names.folder));
  if (!replaced) return {};
  (void)files.remove(names.index);  // derived, and of the old file
  LOGWOOD_TRY(const auto named, blobs_named_in(*fresh));
  return blobs.remove_all_but(named);
}

// --- reading

Result<> LogReader::check_sealed() const {
  if (first_.unsealed) {
    return Error{ErrorCode::unsupported,
                 fmt::format("session {} has format version 0; logwood migrate {} first",
                             session_.text, session_.text)};
  }
  if (!first_.renamed) return {};
  return Error{ErrorCode::unsupported,
               fmt::format("session {}: {}", session_.text, first_.read_only)};
}

Result<ChainEnd> LogReader::chain_end() {
  LOGWOOD_CHECK(check_sealed());
  LOGWOOD_TRY(const ReadPosition position, end());
  return ChainEnd{position.boundary_seq, position.link};
}

Result<> LogReader::read_stored(const StoredVisitor& visit) {
  LOGWOOD_CHECK(check_sealed());
  const Blobs own_blobs = blobs();
  LOGWOOD_TRY(
      const WalkedTo walked,
      walk_lines({}, [&](const format::PlacedLine& line, std::string_view text) -> Result<Going> {
        LOGWOOD_CHECK(tell_pieces(
            session_, line, text, [&](const BlobRef& ref) { return own_blobs.read(ref); }, visit));
        return Going::on;
      }));
  const auto loss = std::find_if(walked.problems.begin(), walked.problems.end(),
                                 [](const Problem& problem) { return is_loss(problem.kind); });
  if (loss == walked.problems.end()) return {};
  return Error{
      ErrorCode::damaged,
      fmt::format("session {} is damaged: {}; logwood doctor --repair makes a sound one of it",
                  session_.text, describe(*loss))};
}

}  // namespace logwood::storage::jsonl
