#include "storage/jsonl/log_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/random_bytes.hpp"
#include "base/seeded_bugs.hpp"
#include "base/timestamp.hpp"
#include "base/uuid.hpp"
#include "format/seal.hpp"
#include "storage/archived_session.hpp"
#include "storage/jsonl/archive.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/first_line.hpp"
#include "storage/jsonl/log_reader.hpp"
#include "storage/jsonl/session_file.hpp"
#include "storage/no_session.hpp"

namespace logwood::storage::jsonl {
namespace {

constexpr std::size_t unsynced_entries_max = 64;
constexpr std::uint64_t unindexed_entries_max = 1024;
constexpr std::size_t kept_room_max = 64U << 10U;

}  // namespace

LogWriter::LogWriter(io::FileSystem& files, SessionId session, SessionNames names,
                     const WriterOptions& options)
    : files_(files),
      session_(std::move(session)),
      names_(std::move(names)),
      options_(options),
      blobs_(files, names_.blobs) {}

Result<AppendResult> LogWriter::append(const CheckedBatch& batch, const AppendOptions& options) {
  LOGWOOD_CHECK(acquire());
  const Held held(*this);
  LOGWOOD_CHECK(catch_up());
  if (unsynced_entries_ > 0 && LOGWOOD_SEEDED(sync_after_ack)) LOGWOOD_CHECK(sync_own());

  const auto now = options_.now();
  LOGWOOD_TRY(AppendPlan plan, this->plan(batch, options, now));
  if (!plan.replayed) {
    if (LOGWOOD_SEEDED(lock_dropped_early)) file_->unlock();
    LOGWOOD_CHECK(write_batch(plan));
    if (unsynced_entries_ == 0) unsynced_since_ = now;
    unsynced_entries_ += plan.entries.size();
    last_written_ = plan.last_id;
  }
  const bool due =
      unsynced_entries_ >= unsynced_entries_max || now - unsynced_since_ >= options_.sync_interval;
  const bool wants_sync =
      options.durability == Durability::synced || (unsynced_entries_ > 0 && due);
  const bool skip_sync = (plan.replayed && LOGWOOD_SEEDED(replay_not_synced)) ||
                         LOGWOOD_SEEDED(no_sync) || LOGWOOD_SEEDED(sync_after_ack);
  if (wants_sync && !skip_sync) LOGWOOD_CHECK(sync_own());
  LOGWOOD_CHECK(confirm_name());
  if (state_ && state_->unsaved() >= unindexed_entries_max) state_->save_index();

  return AppendResult{session_, std::move(plan.last_id), plan.entries.size(), plan.replayed};
}

// Step 1. The lock lies on a file, the name may since mean another one.
Result<> LogWriter::acquire() {
  if (poisoned_) {
    return Error{
        ErrorCode::unavailable,
        fmt::format("session {}: a sync failed, so what was appended last may be lost; close the "
                    "session, then append it again with the same ids",
                    session_.text)};
  }
  while (true) {
    if (!file_) {
      auto opened = files_.open(names_.file, io::Access::write);
      if (!opened) {
        if (opened.error().code != ErrorCode::not_found) return std::move(opened).error();
        LOGWOOD_TRY(const Form form, form_of(files_, names_));
        if (form == Form::plain) continue;  // brought back meanwhile
        if (form == Form::archived) return archived_error(session_);
        return no_session(session_);
      }
      file_ = *std::move(opened);
      LOGWOOD_TRY(status_, file_->status());
    }
    if (auto locked = file_->lock(io::LockKind::exclusive, options_.patience); !locked) {
      return std::move(locked).error().within(fmt::format("session {}", session_.text));
    }
    const auto named = files_.status(names_.file);
    if (named && (named->identity == status_.identity || LOGWOOD_SEEDED(replaced_file_unnoticed))) {
      status_ = *named;
      return {};
    }
    file_->unlock();
    let_go();
    if (!named && named.error().code != ErrorCode::not_found) return named.error();
  }
}

void LogWriter::let_go() {
  file_.reset();
  state_.reset();
  known_size_.reset();
  durable_size_ = 0;
  folder_synced_ = false;
}

// Steps 2 to 5.
Result<> LogWriter::catch_up() {
  bool ours = known_size_ == status_.size_bytes && state_;
  if (ours) {
    LOGWOOD_TRY(ours, known_end_.is_before(*file_, status_.size_bytes));
  }
  if (!ours) {
    LOGWOOD_CHECK(reload());
    if (const auto torn = state_->fold().torn_from()) {
      LOGWOOD_CHECK(cut_torn_end(*torn));
      LOGWOOD_CHECK(reload());
    }
    LOGWOOD_CHECK(make_found_bytes_durable());
  }
  if (!folder_synced_) {
    if (!LOGWOOD_SEEDED(no_folder_sync)) LOGWOOD_CHECK(files_.sync_folder(names_.folder));
    folder_synced_ = true;
  }
  return {};
}

Result<> LogWriter::reload() {
  WalkOptions walk;
  walk.locked = true;
  bool continued = false;
  if (state_) {
    LOGWOOD_TRY(continued, state_->advance(*file_, status_, walk));
  }
  if (!continued) {
    LOGWOOD_CHECK(check_writable());
    LOGWOOD_TRY(SessionState loaded,
                SessionState::load(files_, names_, session_.text, *file_, status_, walk));
    state_ = std::move(loaded);
  }
  if (!state_->has_lines()) {
    return Error{ErrorCode::damaged,
                 fmt::format("session {}: the file holds no whole line, so it is no session",
                             session_.text)};
  }
  if (state_->fold().is_newer()) {
    return Error{
        ErrorCode::unsupported,
        fmt::format(
            "session {} holds lines of a newer format and is read-only; use a newer logwood",
            session_.text)};
  }
  return {};
}

// What the first line says; it cannot change while the file stays the same.
Result<> LogWriter::check_writable() {
  LOGWOOD_TRY(const FirstLine first, read_first_line(*file_, session_));
  if (first.read_only.empty()) return {};
  std::string why = first.read_only;
  if (first.unsealed && files_.status(names_.new_file)) {
    why += "; an earlier migration did not finish, and can be started again";
  }
  return Error{ErrorCode::unsupported, fmt::format("session {}: {}", session_.text, why)};
}

// Step 3. The bytes were never acknowledged; they are kept all the same.
Result<> LogWriter::cut_torn_end(std::uint64_t from) {
  const std::string time = format_timestamp(options_.now());
  const auto name = [&](int attempt) { return quarantine_name(session_, from, time, attempt); };
  if (!LOGWOOD_SEEDED(no_quarantine)) {
    LOGWOOD_TRY(const auto kept, create_numbered(files_, quarantine_folder, name));
    LOGWOOD_CHECK(copy_bytes(*file_, from, status_.size_bytes, *kept));
  }
  LOGWOOD_CHECK(file_->truncate(from));
  status_.size_bytes = from;
  return {};
}

// Step 4. Without it, an acknowledged batch could lie behind bytes that a power
// cut then takes, and a failed sync of ours could cut what others acknowledged.
Result<> LogWriter::make_found_bytes_durable() {
  if (!LOGWOOD_SEEDED(found_bytes_not_synced)) {
    const bool lost = is_copy_unfinished() || !file_->sync();
    if (lost && !LOGWOOD_SEEDED(failed_sync_ignored)) LOGWOOD_CHECK(evacuate());
  }
  durable_size_ = status_.size_bytes;
  unsynced_entries_ = 0;
  known_size_ = status_.size_bytes;
  LOGWOOD_TRY(known_end_, LineEnd::before(*file_, status_.size_bytes));
  return {};
}

// Whether somebody who could not sync the file did not get as far as replacing it.
// Its pages may count as clean since then, so that a sync now would say nothing.
bool LogWriter::is_copy_unfinished() {
  if (LOGWOOD_SEEDED(unfinished_copy_ignored)) return false;
  if (!files_.status(names_.new_file)) return false;
  // A lock on it means that it is not a copy, but a session being created.
  const auto found = files_.open(names_.new_file, io::Access::write);
  return found && (*found)->lock(io::LockKind::exclusive, std::chrono::milliseconds(0));
}

// The found bytes cannot be synced and cannot be cut: only a copy of them is
// known to be on the disk. An unfinished one tells the next writer.
Result<> LogWriter::evacuate() {
  const auto copy = [&]() -> Result<> {
    LOGWOOD_TRY(auto fresh, create_locked(files_, names_.new_file));
    // Who restored the session may have been killed before its name was durable: if the copy took
    // the name first, a power cut could leave the session in the trash as well.
    LOGWOOD_CHECK(files_.sync_folder(names_.folder));
    LOGWOOD_CHECK(copy_bytes(*file_, 0, status_.size_bytes, *fresh));
    return replace_by(std::move(fresh));
  };
  auto copied = copy();
  if (!copied) {
    return Error{ErrorCode::unavailable,
                 fmt::format("session {}: the file cannot be synced and no copy could be made: {}",
                             session_.text, copied.error().message)};
  }
  return reload();
}

// The new file, complete and locked, takes the name; the old one and its lock go.
Result<> LogWriter::replace_by(std::unique_ptr<io::File> fresh) {
  if (!LOGWOOD_SEEDED(rename_before_sync)) LOGWOOD_CHECK(fresh->sync());
  LOGWOOD_CHECK(files_.rename(names_.new_file, names_.file, io::Replace::existing));
  LOGWOOD_CHECK(files_.sync_folder(names_.folder));
  file_ = std::move(fresh);
  LOGWOOD_TRY(status_, file_->status());
  folder_synced_ = true;
  state_.reset();
  known_size_.reset();
  return {};
}

// Steps 6 and 7. All that is random about a batch is drawn in one call.
Result<AppendPlan> LogWriter::plan(const CheckedBatch& batch, const AppendOptions& options,
                                   std::chrono::system_clock::time_point now) {
  std::vector<Drawn>& drawn = room_.drawn;
  drawn.resize(batch.drafts.size());
  fill_random({reinterpret_cast<std::uint8_t*>(drawn.data()), drawn.size() * sizeof(Drawn)});
  const SessionView view{state_->tail(), state_->head(),
                         [this](const EntryId& id) { return state_->find(*file_, id); }};
  const std::string timestamp = format_timestamp(now);
  if (options_.new_id) return plan_append(batch, options, view, timestamp, options_.new_id);

  struct {
    std::uint64_t unix_ms;
    const Drawn* next;
  } ids{static_cast<std::uint64_t>(
            std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch().count()),
        drawn.data()};
  return plan_append(batch, options, view, timestamp,
                     [&ids] { return EntryId{uuid_v7(ids.unix_ms, (ids.next++)->id)}; });
}

// Of each entry the text without its long strings, which are durable then; empty where there
// are none.
Result<std::vector<SpilledText>> LogWriter::keep_long_strings(const AppendPlan& plan) {
  std::vector<SpilledText> texts;
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const PlannedEntry& entry = plan.entries[i];
    if (entry.members.size() <= string_inline_max) continue;
    texts.resize(plan.entries.size());
    const std::string body = entry.stamps + std::string(entry.members);
    texts[i] = spill(body);
    auto kept = blobs_.keep(texts[i]);
    if (!kept) return std::move(kept).error().within(fmt::format("session {}", session_.text));
    texts[i].strings.clear();  // views into `body`
  }
  return texts;
}

// Step 8.
Result<> LogWriter::write_batch(const AppendPlan& plan) {
  const std::uint64_t size = status_.size_bytes;
  const bool needs_line_end =
      size > 0 && !known_end_.view().ends_with('\n') && !LOGWOOD_SEEDED(no_line_end_check);
  format::BatchSeal seal;
  seal.session_id = session_.text;
  seal.first_seq = state_->fold().next_seq();
  seal.count = static_cast<std::uint32_t>(plan.entries.size());
  if (seal.first_seq + seal.count > format::seq_end) {
    return Error{ErrorCode::unsupported,
                 fmt::format("session {} has used up its entry numbers; go on in a new session",
                             session_.text)};
  }
  seal.after_sync =
      LOGWOOD_SEEDED(always_plus) || (durable_size_ == size && !state_->fold().has_hole());

  LOGWOOD_TRY(const std::vector<SpilledText> spilled, keep_long_strings(plan));
  auto& [bytes, drawn, line_sizes] = room_;
  std::size_t expected_size = 1;
  for (const PlannedEntry& entry : plan.entries)
    expected_size += entry.stamps.size() + entry.members.size() + format::seal_size_max;
  if (bytes.capacity() > kept_room_max) bytes = {};
  bytes.clear();
  bytes.reserve(expected_size);
  if (needs_line_end) bytes = "\n";
  line_sizes.clear();
  format::Link link = state_->fold().link();
  for (std::uint32_t i = 0; i < seal.count; ++i) {
    const std::size_t begin = bytes.size();
    if (!spilled.empty() && !spilled[i].refs.empty()) {
      bytes.append(spilled[i].body);
    } else {
      bytes.append(plan.entries[i].stamps).append(plan.entries[i].members);
    }
    format::seal_line(bytes, begin, seal, i + 1, drawn[i].salt, link);
    line_sizes.push_back(static_cast<std::uint32_t>(bytes.size() - begin - 1));
  }

  auto written = file_->append(bytes);
  if (!written) return roll_back(size, std::move(written).error());
  if (*written != bytes.size() && !LOGWOOD_SEEDED(short_write_ignored)) {
    return roll_back(size,
                     {ErrorCode::no_space,
                      fmt::format("session {}: only {} of {} bytes could be written; nothing was "
                                  "stored",
                                  session_.text, *written, bytes.size())});
  }
  status_.size_bytes = size + bytes.size();
  known_size_ = status_.size_bytes;
  known_end_.assign(bytes);
  if (state_->is_clean()) {
    state_->append(plan, size, line_sizes, link);
  } else {
    // What lies between the last boundary and this batch is walked once more,
    // now that the batch settles it. If that fails the batch is written all the
    // same, and the state is loaded again next time.
    WalkOptions walk;
    walk.locked = true;
    const auto continued = state_->advance(*file_, status_, walk);
    if (!continued || !*continued) state_.reset();
  }
  return {};
}

Result<> LogWriter::roll_back(std::uint64_t size_bytes, Error cause) {
  if (LOGWOOD_SEEDED(no_roll_back)) return cause;
  if (auto cut = file_->truncate(size_bytes); !cut) {
    // A write that lost only its last byte is a batch: it may be there or not.
    return poison(
        {ErrorCode::durability_unknown,
         fmt::format("session {}: the append failed and could not be undone ({}); append it "
                     "again with the same ids",
                     session_.text, cut.error().message)});
  }
  return cause;
}

// Step 9. Never retried: after a failed sync Linux may mark the lost pages clean,
// and a second call would report success for bytes that are not on the disk.
Result<> LogWriter::sync_own() {
  auto synced = file_->sync();
  if (!synced && LOGWOOD_SEEDED(sync_retried)) synced = file_->sync();
  if (synced) {
    durable_size_ = status_.size_bytes;
    unsynced_entries_ = 0;
    return {};
  }
  if (!LOGWOOD_SEEDED(unsynced_kept)) {
    // By step 4 nobody else's bytes lie behind durable_size_. If even this
    // fails the bytes stay, and an empty copy tells the next writer.
    if (!file_->truncate(durable_size_)) (void)create_locked(files_, names_.new_file);
  }
  return poison(
      {ErrorCode::durability_unknown,
       fmt::format("session {}: the sync failed ({}); append again with the same ids after "
                   "closing the session",
                   session_.text, synced.error().message)});
}

Error LogWriter::poison(Error cause) {
  poisoned_ = true;
  state_.reset();
  return cause;
}

// Step 10. Somebody who takes no lock may have moved the file away meanwhile.
Result<> LogWriter::confirm_name() {
  const auto named = files_.status(names_.file);
  if (named && (named->identity == status_.identity || LOGWOOD_SEEDED(replaced_file_unnoticed)))
    return {};
  let_go();
  return Error{
      ErrorCode::durability_unknown,
      fmt::format("session {}: its file was replaced during the append; append again with the "
                  "same ids",
                  session_.text)};
}

Result<> LogWriter::flush() {
  if (!has_unsynced() && !poisoned_) return {};
  const io::FileIdentity before = status_.identity;
  if (auto acquired = acquire(); !acquired) {
    if (acquired.error().code != ErrorCode::unsupported) return acquired;
    return find_in_archive();
  }
  const Held held(*this);
  LOGWOOD_CHECK(catch_up());
  if (status_.identity != before) {
    LOGWOOD_TRY(const auto still_there, state_->find(*file_, last_written_));
    if (!still_there) return buffered_is_gone();
  }
  if (unsynced_entries_ > 0) LOGWOOD_CHECK(sync_own());
  return confirm_name();
}

// Whoever archived the session synced all of it first: what was buffered is durable if it is there.
Result<> LogWriter::find_in_archive() {
  LOGWOOD_TRY(LogReader reader, LogReader::open(files_, session_, names_, options_.patience));
  LOGWOOD_TRY(const auto still_there, reader.find(last_written_));
  if (!still_there) return buffered_is_gone();
  unsynced_entries_ = 0;
  return {};
}

Error LogWriter::buffered_is_gone() {
  unsynced_entries_ = 0;
  return {ErrorCode::durability_unknown,
          fmt::format("session {}: its file was replaced and what was buffered is not in the new "
                      "one; append it again with the same ids",
                      session_.text)};
}

Result<> LogWriter::close() {
  const bool was_poisoned = poisoned_;
  const bool lost_buffered = poisoned_ && unsynced_entries_ > 0;
  Result<> flushed;
  if (!was_poisoned) flushed = flush();
  if (flushed && file_ && state_ && state_->unsaved() > 0) {
    // Waiting for the lock only to leave an index behind would be impolite.
    if (file_->lock(io::LockKind::exclusive, std::chrono::milliseconds(0))) {
      const auto named = files_.status(names_.file);
      if (named && named->identity == status_.identity) state_->save_index();
      file_->unlock();
    }
  }
  let_go();
  poisoned_ = false;
  unsynced_entries_ = 0;
  if (lost_buffered) {
    return Error{
        ErrorCode::durability_unknown,
        fmt::format("session {}: a sync failed, so batches that were buffered may be lost; append "
                    "them again with the same ids",
                    session_.text)};
  }
  return flushed;
}

}  // namespace logwood::storage::jsonl
