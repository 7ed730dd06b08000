// Reading one session file, or its archive, without a lock and without changing anything.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/file_system.hpp"
#include "logwood/entry.hpp"
#include "logwood/pages.hpp"
#include "logwood/report.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"
#include "storage/jsonl/blobs.hpp"
#include "storage/jsonl/first_line.hpp"
#include "storage/jsonl/layout.hpp"
#include "storage/jsonl/session_state.hpp"

namespace logwood::storage::jsonl {

/// One open session file, read only. Keeps what it learnt between calls, so that
/// a second look costs only what was added. Not for two threads at once.
class LogReader {
 public:
  static Result<LogReader> open(io::FileSystem& files, const SessionId& session,
                                const SessionNames& names, std::chrono::milliseconds patience);

  /// Whether the name still means the file that is open here.
  [[nodiscard]] bool is_current() const;

  Result<PageFrom> read(const ReadPosition& from, std::size_t limit);
  Result<WalkedTo> walk(const ReadPosition& from, const WalkVisitor& visit);
  Result<ReadPosition> end();
  Result<BackwardEnd> read_back(const BackwardVisit& visit);
  Result<std::optional<Entry>> find(const EntryId& id);
  Result<std::shared_ptr<const Redactions>> redactions();
  Result<SessionStatus> status();
  Result<VerifyReport> verify(const Progress& progress);
  Result<> read_stored(const StoredVisitor& visit);
  Result<ChainEnd> chain_end();

 private:
  LogReader(io::FileSystem& files, SessionId session, SessionNames names,
            std::chrono::milliseconds patience)
      : files_(&files),
        session_(std::move(session)),
        names_(std::move(names)),
        patience_(patience) {}

  [[nodiscard]] WalkOptions walk_options() const;
  Result<io::FileStatus> file_status() const;
  Result<SessionState*> state();
  Boundary boundary_at(const ReadPosition& from) const;
  Result<WalkedTo> walk_lines(const ReadPosition& from, const LineVisitor& visit);
  Result<std::optional<Entry>> entry_in(const format::PlacedLine& line, std::string text,
                                        bool with_long_strings, std::vector<Problem>& problems);
  Result<RestoredText> restored(std::string_view body) const;
  [[nodiscard]] Blobs blobs() const;
  Result<> check_sealed() const;
  [[nodiscard]] Error replaced_while_read() const;
  Result<bool> is_superseded(const EntryId& id, std::uint64_t seq);
  Result<> drop_superseded(std::vector<Entry>& entries);
  Result<std::optional<IndexHeader>> index();
  Result<bool> redactions_of_index(Redactions& found, ReadPosition& until);
  Result<BackwardEnd> read_back_after_walking(const BackwardVisit& visit);

  io::FileSystem* files_;
  SessionId session_;
  SessionNames names_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<io::File> file_;
  io::FileIdentity identity_;
  bool archived_ = false;  // the file is an archive
  FirstLine first_;
  std::optional<SessionState> state_;
  std::shared_ptr<const Redactions> redactions_;  // owners: this and who asked
  ReadPosition redactions_until_;                 // of those
};

}  // namespace logwood::storage::jsonl
