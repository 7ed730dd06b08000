#include "storage/jsonl/migration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/seeded_bugs.hpp"
#include "model/header.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/first_line.hpp"
#include "storage/jsonl/new_session_file.hpp"
#include "storage/jsonl/unsealed.hpp"

namespace logwood::storage::jsonl {
namespace {

// The sealed lines of a version 0 file, in the order they stand.
class Sealer {
 public:
  Sealer(const SessionId& session, io::File& target) : file_(session, target) {}

  Result<> take(const UnsealedLine& line) {
    // Ids are unique in a sealed session: of several entries with one id the first
    // is sealed, the others are kept as lines that are not part of it.
    if (line.entry && ids_.insert(line.entry->id.text).second) return seal(*line.entry);
    return file_.copy(line.text);
  }

  Result<> write_out() { return file_.write_out(); }
  [[nodiscard]] std::uint64_t entries() const { return file_.entries(); }

 private:
  Result<> seal(const Entry& entry) {
    std::string text = entry.text;
    if (entries() == 0) {  // the header; one that stands further behind is an entry like others
      LOGWOOD_TRY(text, upgraded_header(text));
    }
    text.resize(text.find_last_of('}'));
    text.erase(0, text.find('{'));
    // A CR is legal between tokens, but not in our lines.
    std::replace(text.begin(), text.end(), '\r', ' ');
    return file_.seal(text);
  }

  NewSessionFile file_;
  std::unordered_set<std::string> ids_;
};

}  // namespace

Result<MigrationResult> migrate_session(io::FileSystem& files, const SessionId& session,
                                        const SessionNames& names,
                                        std::chrono::milliseconds patience) {
  LOGWOOD_TRY(const auto file, files.open(names.file, io::Access::write));
  LOGWOOD_CHECK(file->lock(io::LockKind::exclusive, patience));
  LOGWOOD_TRY(const io::FileStatus status, file->status());
  LOGWOOD_TRY(const io::FileStatus named, files.status(names.file));
  if (named.identity != status.identity) {
    return Error{ErrorCode::busy,
                 fmt::format("session {} was just replaced; try again", session.text)};
  }
  LOGWOOD_TRY(const FirstLine first, read_first_line(*file, session));
  if (!first.unsealed) {
    if (!first.read_only.empty()) {
      return Error{ErrorCode::unsupported,
                   fmt::format("session {}: {}", session.text, first.read_only)};
    }
    return MigrationResult{session_version, session_version, 0};
  }
  if (first.renamed) {
    return Error{ErrorCode::unsupported,
                 fmt::format("session {}: {}", session.text, first.read_only)};
  }

  LOGWOOD_TRY(const auto fresh, create_locked(files, names.new_file));
  Sealer sealer(session, *fresh);
  LOGWOOD_CHECK(walk_unsealed(*file, {}, 0, [&](const UnsealedLine& line) -> Result<Going> {
    // Torn bytes at the end were never an entry; the old file's name is about to
    // go, so they are carried over as what they are: a line that is damaged.
    LOGWOOD_CHECK(sealer.take(line));
    return Going::on;
  }));
  LOGWOOD_CHECK(sealer.write_out());
  if (!LOGWOOD_SEEDED(rename_before_sync)) LOGWOOD_CHECK(fresh->sync());
  LOGWOOD_CHECK(files.rename(names.new_file, names.file, io::Replace::existing));
  LOGWOOD_CHECK(files.sync_folder(std::string(sessions_folder)));
  return MigrationResult{0, session_version, sealer.entries()};
}

}  // namespace logwood::storage::jsonl
