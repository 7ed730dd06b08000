// Appending to one session file.
//
// A session file is a sequence of sealed lines. A crash can leave anything after
// the last sync (nothing, half a line, a run of zeros) but cannot touch what was
// synced before it. So, always under the file's lock:
//
//   1  the lock is on the very file that the name means, or it is opened again;
//   2  everything in the file is walked, from the last boundary on;
//   3  a torn end goes to quarantine and is cut, and nothing else ever is;
//   4  bytes that this writer did not write are synced before anything is put
//      behind them; if that fails, or failed somebody else who left an unfinished
//      copy, a copy takes the file's place;
//   5  the folder is synced before the first append through an inode;
//   6  a batch that is known already is acknowledged after a sync of its own;
//   7  the expected tail is checked;
//   8  long strings are made durable as blobs, then one write; a short one is rolled back;
//   9  sync; if it fails, only what this writer knows to be its own and unsynced
//      is cut, and the writer accepts no more;
//  10  the name still means this file, and only then is the batch acknowledged.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/seal.hpp"
#include "io/file_system.hpp"
#include "logwood/append.hpp"
#include "logwood/entry.hpp"
#include "logwood/erasure.hpp"
#include "logwood/result.hpp"
#include "storage/append_plan.hpp"
#include "storage/jsonl/blobs.hpp"
#include "storage/jsonl/layout.hpp"
#include "storage/jsonl/line_ends.hpp"
#include "storage/jsonl/session_state.hpp"

namespace logwood::storage::jsonl {

struct WriterOptions {
  std::chrono::milliseconds patience{5000};
  std::chrono::milliseconds sync_interval{100};
  std::function<EntryId()> new_id;  ///< none: UUIDv7 of `now`, drawn along with the salts
  std::function<std::chrono::system_clock::time_point()> now;
};

/// One writer's handle on one session. Not for two threads at once.
class LogWriter {
 public:
  LogWriter(io::FileSystem& files, SessionId session, SessionNames names,
            const WriterOptions& options);

  Result<AppendResult> append(const CheckedBatch& batch, const AppendOptions& options);

  /// Removes the bytes of these entries: a new file with their tombstones, and the
  /// redaction that accounts for them, takes the file's name at once.
  Result<Erasure> erase(std::span<const EntryId> ids, std::string_view reason);

  /// Makes everything appended through this writer durable.
  Result<> flush();

  /// Flushes, leaves an up-to-date index behind and lets go of the file.
  Result<> close();

  [[nodiscard]] bool has_unsynced() const { return unsynced_entries_ > 0; }

  /// A failed sync: what was buffered may be lost, and nothing more is accepted.
  [[nodiscard]] bool is_poisoned() const { return poisoned_; }

 private:
  /// The lock, for as long as an operation lasts.
  class Held {
   public:
    explicit Held(LogWriter& writer) : writer_(writer) {}
    ~Held() {
      if (writer_.file_) writer_.file_->unlock();
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    LogWriter& writer_;
  };

  Result<> acquire();
  Result<> check_writable();
  Result<> catch_up();
  Result<> cut_torn_end(std::uint64_t from);
  Result<> make_found_bytes_durable();
  bool is_copy_unfinished();
  Result<> evacuate();
  Result<> replace_by(std::unique_ptr<io::File> fresh);
  Result<AppendPlan> plan(const CheckedBatch& batch, const AppendOptions& options,
                          std::chrono::system_clock::time_point now);
  Result<std::vector<SpilledText>> keep_long_strings(const AppendPlan& plan);
  Result<> write_batch(const AppendPlan& plan);
  Result<> remove_erased_blobs();
  Result<> roll_back(std::uint64_t size_bytes, Error cause);
  Result<> sync_own();
  Result<> confirm_name();
  Result<> find_in_archive();
  Error buffered_is_gone();
  Result<> reload();
  void let_go();
  Error poison(Error cause);

  io::FileSystem& files_;
  SessionId session_;
  SessionNames names_;
  WriterOptions options_;

  Blobs blobs_;
  std::unique_ptr<io::File> file_;
  io::FileStatus status_;  // of the file, as last seen under the lock
  std::optional<SessionState> state_;

  // What this writer left: while both are still so, nobody else has written.
  std::optional<std::uint64_t> known_size_;
  LineEnd known_end_;

  std::uint64_t durable_size_ = 0;  // up to here this writer knows the bytes to be on disk
  bool folder_synced_ = false;
  bool poisoned_ = false;

  // Where batches are put together; kept from one to the next for its memory.
  struct Drawn {
    format::Salt salt;
    std::array<std::uint8_t, 10> id;
  };
  struct Room {
    std::string bytes;
    std::vector<Drawn> drawn;  // for each entry of the batch
    std::vector<std::uint32_t> line_sizes;
  };
  Room room_;

  std::size_t unsynced_entries_ = 0;
  std::chrono::system_clock::time_point unsynced_since_;
  EntryId last_written_;
};

}  // namespace logwood::storage::jsonl
