// Erasing in a session file: a new one with tombstones, and the mark that accounts for them, takes
// its name.
#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "base/random_bytes.hpp"
#include "base/seeded_bugs.hpp"
#include "base/timestamp.hpp"
#include "format/seal.hpp"
#include "io/append_all.hpp"
#include "model/erasure.hpp"
#include "storage/erasure_plan.hpp"
#include "storage/jsonl/archive.hpp"
#include "storage/jsonl/erased_copy.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/log_writer.hpp"

namespace logwood::storage::jsonl {

// Everything but the tombstones stays, so there is nothing to finish after a crash: the
// name means either file.
Result<Erasure> LogWriter::erase(std::span<const EntryId> ids, std::string_view reason) {
  LOGWOOD_CHECK(acquire());
  const Held held(*this);
  LOGWOOD_CHECK(catch_up());
  if (unsynced_entries_ > 0) LOGWOOD_CHECK(sync_own());
  // One beside the session file is a copy that nobody would look for later.
  LOGWOOD_CHECK(remove_leftover_archive(files_, names_, *file_));
  LOGWOOD_TRY(const auto wanted, plan_erasure(session_, ids, [&](const EntryId& id) {
                return state_->find(*file_, id);
              }));
  Erasure erasure;
  erasure.session_id = session_;
  if (wanted.empty()) {
    // Whoever erased them may have been killed before their blobs were gone.
    LOGWOOD_CHECK(remove_erased_blobs());
    return erasure;
  }

  erasure.redaction_id = options_.new_id ? options_.new_id() : new_entry_id();
  erasure.timestamp = format_timestamp(options_.now());
  LOGWOOD_TRY(auto fresh, create_locked(files_, names_.new_file));
  LOGWOOD_TRY(erasure.entries,
              copy_with_tombstones(*file_, session_.text, wanted, erasure.redaction_id, *fresh));
  format::BatchSeal seal;
  seal.session_id = session_.text;
  seal.first_seq = state_->fold().next_seq();
  seal.after_sync = !state_->fold().has_hole();
  format::Salt salt{};
  fill_random(salt);
  format::Link link = state_->fold().link();
  std::string line = known_end_.view().ends_with('\n') ? "" : "\n";
  line += redaction_body(erasure, reason);
  if (auto readable = check_redaction_size(session_, line.size()); !readable) {
    (void)files_.remove(names_.new_file);
    return std::move(readable).error();
  }
  format::seal_line(line, line.starts_with('\n') ? 1 : 0, seal, 1, salt, link);
  if (!LOGWOOD_SEEDED(erasure_unaccounted)) LOGWOOD_CHECK(io::append_all(*fresh, line));
  erasure.last_seq = seal.first_seq;
  erasure.link = format::view(link);
  if (auto replaced = replace_by(std::move(fresh)); !replaced) {
    // The name may mean either file now.
    let_go();
    return Error{ErrorCode::durability_unknown,
                 fmt::format("session {}: erasing was not finished ({}); erase again",
                             session_.text, replaced.error().message)};
  }
  (void)files_.remove(names_.index);  // derived, and of the old file
  if (auto removed = remove_erased_blobs(); !removed) {
    return Error{ErrorCode::durability_unknown,
                 fmt::format("session {}: the entries are erased, and their long strings perhaps "
                             "are not ({}); erase again",
                             session_.text, removed.error().message)};
  }
  LOGWOOD_CHECK(reload());
  return erasure;
}

// Blobs that no line names any more, however it is damaged: those of what was erased, and what
// interrupted appends left.
Result<> LogWriter::remove_erased_blobs() {
  LOGWOOD_TRY(const bool empty, blobs_.is_empty());
  if (empty || LOGWOOD_SEEDED(erased_blobs_stay)) return {};
  LOGWOOD_TRY(const std::unordered_set<std::string> named, blobs_named_in(*file_));
  return blobs_.remove_all_but(named);
}

}  // namespace logwood::storage::jsonl
