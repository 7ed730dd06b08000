#include "storage/jsonl/leftovers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/file_name.hpp"
#include "model/header.hpp"
#include "storage/held_entries.hpp"
#include "storage/jsonl/archive.hpp"
#include "storage/jsonl/blobs.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/first_line.hpp"
#include "storage/jsonl/layout.hpp"
#include "storage/jsonl/log_reader.hpp"
#include "storage/jsonl/names_in.hpp"
#include "storage/jsonl/session_file.hpp"
#include "storage/jsonl/trash.hpp"

namespace logwood::storage::jsonl {
namespace {

constexpr std::string_view new_ending = ".jsonl.new";

// <id>.…; empty where the name does not begin with an id.
SessionId id_at_front(std::string_view name) {
  const std::string_view id = name.substr(0, name.find('.'));
  return {check_id(id) ? std::string(id) : ""};
}

SessionNames names_of_removed(const Leftover& leftover) {
  return names_in_trash(trash_name_of(io::split_name(leftover.name).last));
}

Result<> find_removed(io::FileSystem& files, std::vector<Leftover>& found) {
  LOGWOOD_TRY(const std::vector<RemovedSession> all, removed_sessions(files));
  for (const RemovedSession& removed : all) {
    const SessionNames names = names_in_trash(removed.name);
    LOGWOOD_TRY(const Form form, form_of(files, names));
    Leftover leftover{CopyKind::trash, form == Form::archived ? names.archive : names.file,
                      removed.id, std::nullopt};
    const auto opened = open_session_file(files, names);
    if (opened) {
      const auto first = read_first_line(*opened->file, removed.id);
      if (first && first->header) {
        leftover.forked_from = fork_source(*first->header);
        leftover.key = first->header->key;
        leftover.created = first->header->created;
      }
    }
    found.push_back(std::move(leftover));
  }
  return {};
}

Result<> find_quarantined(io::FileSystem& files, std::vector<Leftover>& found) {
  LOGWOOD_TRY(const std::vector<std::string> names, names_in(files, quarantine_folder));
  for (const std::string& name : names) {
    const SessionId id = id_at_front(name);
    if (id.text.empty()) continue;
    found.push_back(
        {CopyKind::quarantine, fmt::format("{}/{}", quarantine_folder, name), id, std::nullopt});
  }
  return {};
}

// Whether nobody is at work on it any more.
bool is_abandoned(io::FileSystem& files, const std::string& name) {
  const auto file = files.open(name, io::Access::write);
  return file && (*file)->lock(io::LockKind::exclusive, std::chrono::milliseconds(0));
}

// Archives beside their session's file, and those that were never finished.
Result<> find_archives(io::FileSystem& files, std::vector<Leftover>& found) {
  LOGWOOD_TRY(const std::vector<std::string> names, names_in(files, archive_folder));
  for (const std::string& name : names) {
    const SessionId id = id_at_front(name);
    if (id.text.empty()) continue;
    LOGWOOD_TRY(const SessionNames own, names_of(id));
    const std::string path = fmt::format("{}/{}", archive_folder, name);
    const bool left_over = path == own.archive
                               ? files.status(own.file).has_value()
                               : path == own.new_archive && is_abandoned(files, own.new_archive);
    if (left_over) found.push_back({CopyKind::archive, path, id, std::nullopt});
  }
  return {};
}

// Session files and blobs of sessions that are not there. One that is being made right now is
// locked; blobs of a removed session may not have followed it to the trash yet.
Result<> find_unfinished(io::FileSystem& files, std::vector<Leftover>& found) {
  std::set<SessionId> elsewhere;
  for (const Leftover& leftover : found) elsewhere.insert(leftover.session);
  LOGWOOD_TRY(const std::vector<std::string> names, names_in(files, sessions_folder));
  for (const std::string& name : names) {
    const SessionId id = id_at_front(name);
    if (id.text.empty() || !name.ends_with(new_ending)) continue;
    elsewhere.insert(id);
    LOGWOOD_TRY(const SessionNames own, names_of(id));
    LOGWOOD_TRY(const Form form, form_of(files, own));
    if (form != Form::none || !is_abandoned(files, own.new_file)) continue;
    found.push_back({CopyKind::unfinished, own.new_file, id, std::nullopt});
  }
  LOGWOOD_TRY(const std::vector<std::string> folders, names_in(files, blobs_folder));
  for (const std::string& folder : folders) {
    const SessionId id = id_at_front(folder);
    if (id.text != folder || elsewhere.contains(id)) continue;
    LOGWOOD_TRY(const SessionNames own, names_of(id));
    LOGWOOD_TRY(const bool empty, Blobs(files, own.blobs).is_empty());
    LOGWOOD_TRY(const Form form, form_of(files, own));
    if (empty || form != Form::none) continue;
    found.push_back({CopyKind::unfinished, own.blobs, id, std::nullopt});
  }
  return {};
}

Result<> remove_unfinished(io::FileSystem& files, const Leftover& leftover) {
  LOGWOOD_TRY(const SessionNames names, names_of(leftover.session));
  std::unique_ptr<io::File> file;
  if (leftover.name == names.new_file) {
    LOGWOOD_TRY(file, files.open(names.new_file, io::Access::write));
    LOGWOOD_CHECK(file->lock(io::LockKind::exclusive, std::chrono::milliseconds(0)));
  }
  // Blobs of a session that did not get to the trash, or out of it, altogether belong there.
  LOGWOOD_TRY(const std::vector<RemovedSession> removed, removed_sessions(files));
  if (std::none_of(removed.begin(), removed.end(),
                   [&](const RemovedSession& one) { return one.id == leftover.session; })) {
    LOGWOOD_CHECK(Blobs(files, names.blobs).remove_all_but({}));
  }
  if (!file) return {};
  LOGWOOD_CHECK(files.remove(names.new_file));
  return files.sync_folder(names.folder);
}

Result<> remove_archive(io::FileSystem& files, const Leftover& leftover,
                        std::chrono::milliseconds patience) {
  LOGWOOD_TRY(const SessionNames names, names_of(leftover.session));
  if (leftover.name == names.archive) {
    LOGWOOD_TRY(const auto file, open_locked(files, names.file, patience));
    return remove_leftover_archive(files, names, *file);
  }
  LOGWOOD_TRY(const auto unfinished,
              open_locked(files, names.new_archive, std::chrono::milliseconds(0)));
  LOGWOOD_CHECK(files.remove(names.new_archive));
  return files.sync_folder(names.archive_folder);
}

Result<Erasure> erase_removed(io::FileSystem& files, const Leftover& leftover,
                              std::span<const EntryId> entries, const std::string& reason,
                              const WriterOptions& options) {
  const SessionNames names = names_of_removed(leftover);
  LOGWOOD_CHECK(bring_blobs_to_trash(
      files, {leftover.session, trash_name_of(io::split_name(leftover.name).last)}));
  return erase_unarchived(files, leftover.session, names, options.patience,
                          [&]() -> Result<Erasure> {
                            LogWriter writer(files, leftover.session, names, options);
                            LOGWOOD_TRY(Erasure erasure, writer.erase(entries, reason));
                            LOGWOOD_CHECK(writer.close());
                            return erasure;
                          });
}

}  // namespace

Result<std::vector<Leftover>> find_leftovers(io::FileSystem& files) {
  std::vector<Leftover> found;
  LOGWOOD_CHECK(find_removed(files, found));
  LOGWOOD_CHECK(find_quarantined(files, found));
  LOGWOOD_CHECK(find_archives(files, found));
  LOGWOOD_CHECK(find_unfinished(files, found));
  return found;
}

Result<std::vector<EntryId>> entries_held_by(io::FileSystem& files, const Leftover& leftover,
                                             std::span<const EntryId> entries,
                                             std::chrono::milliseconds patience) {
  if (leftover.kind != CopyKind::trash) return std::vector<EntryId>(entries.begin(), entries.end());
  LOGWOOD_TRY(LogReader reader,
              LogReader::open(files, leftover.session, names_of_removed(leftover), patience));
  return held_entries(
      entries,
      [&](const EntryId& id) -> Result<bool> {
        LOGWOOD_TRY(const auto found, reader.find(id));
        return found && !found->erased;
      },
      [&](const WalkVisitor& visit) { return reader.walk({}, visit); });
}

Result<Erasure> erase_leftover(io::FileSystem& files, const Leftover& leftover,
                               std::span<const EntryId> entries, const std::string& reason,
                               const WriterOptions& options) {
  if (leftover.kind == CopyKind::trash) {
    return erase_removed(files, leftover, entries, reason, options);
  }
  if (leftover.kind == CopyKind::unfinished) {
    LOGWOOD_CHECK(remove_unfinished(files, leftover));
  } else if (leftover.kind == CopyKind::archive) {
    LOGWOOD_CHECK(remove_archive(files, leftover, options.patience));
  } else {
    LOGWOOD_CHECK(files.remove(leftover.name));
    LOGWOOD_CHECK(files.sync_folder(std::string(quarantine_folder)));
  }
  return Erasure();
}

}  // namespace logwood::storage::jsonl
