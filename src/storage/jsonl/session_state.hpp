#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format/fold.hpp"
#include "io/file_system.hpp"
#include "logwood/entry.hpp"
#include "logwood/result.hpp"
#include "storage/append_plan.hpp"
#include "storage/jsonl/forward_walk.hpp"
#include "storage/jsonl/id_index.hpp"
#include "storage/jsonl/index_file.hpp"
#include "storage/jsonl/layout.hpp"

namespace logwood::storage::jsonl {

/// Reads a line at a place where one was; nothing unless it is sealed and whole.
Result<std::optional<std::string>> read_line(const io::File& file, std::string_view session_id,
                                             const LineRef& where);

/// What a walk over a session file comes to, kept so that the next walk begins
/// where this one ended: tail, head, ids, and how the next batch is sealed.
///
/// It describes one file (inode) and goes stale when that file is replaced; the
/// owner compares identities and loads it again. Not for two threads at once.
class SessionState {
 public:
  /// Walks the file from the index's watermark, or from its start when there is
  /// no index that describes it.
  static Result<SessionState> load(io::FileSystem& files, const SessionNames& names,
                                   std::string_view session_id, io::File& file,
                                   const io::FileStatus& status, const WalkOptions& options);

  /// Walks what was added since. False when the file no longer continues what
  /// was walked: load it again.
  Result<bool> advance(io::File& file, const io::FileStatus& status, const WalkOptions& options);

  [[nodiscard]] const std::optional<EntryId>& tail() const { return tail_; }
  [[nodiscard]] const std::optional<EntryId>& head() const { return head_; }
  [[nodiscard]] const format::Fold& fold() const { return fold_; }

  /// There is at least one sound line: without any, the file is no session.
  [[nodiscard]] bool has_lines() const { return fold_.last_seq() > 0; }

  /// The walk ended cleanly at a boundary: nothing lies behind the last batch.
  [[nodiscard]] bool is_clean() const { return boundary_.start.end == end_ && !fold_.has_hole(); }

  /// A committed entry by its id.
  Result<std::optional<KnownEntry>> find(io::File& file, const EntryId& id);
  /// The same, and where it lies; not the line with the seq `other_than`.
  struct Found {
    KnownEntry entry;
    std::uint64_t seq = 0;
  };
  Result<std::optional<Found>> locate(io::File& file, const EntryId& id,
                                      std::uint64_t other_than = 0);

  /// Takes over a batch that the owner has just written at the end of a clean state.
  void append(const AppendPlan& plan, std::uint64_t offset,
              const std::vector<std::uint32_t>& line_sizes, const format::Link& link);

  /// Writes the index, if the state is clean. For when something is unsaved().
  /// Failing to do so costs time, never data, so nothing is reported.
  void save_index();
  [[nodiscard]] std::uint64_t unsaved() const;

 private:
  SessionState(io::FileSystem& files, SessionNames names, std::string session_id);
  Result<> walk(io::File& file, const WalkOptions& options);
  void take(const format::PlacedLine& line, std::string_view text);
  bool begin_from_index(io::File& file, const io::FileStatus& status);
  bool take_head_line(std::string_view text);
  Result<> fill_ids(io::File& file);

  io::FileSystem* files_;
  SessionNames names_;
  std::string session_id_;
  io::FileIdentity identity_;
  std::optional<IndexHeader> saved_;

  Boundary boundary_;
  format::Fold fold_;
  std::uint64_t end_ = 0;
  bool chain_is_broken_ = false;  // somewhere up to here: no line can be an anchor any more
  std::optional<EntryId> tail_;
  std::optional<EntryId> head_;
  LineRef tail_line_;
  LineRef head_line_;
  IdIndex ids_;
  std::uint32_t redaction_count_ = 0;
};

}  // namespace logwood::storage::jsonl
