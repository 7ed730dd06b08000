#include "storage/jsonl/trash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "base/seeded_bugs.hpp"
#include "storage/jsonl/archive.hpp"
#include "storage/jsonl/blobs.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/names_in.hpp"
#include "storage/jsonl/session_file.hpp"
#include "storage/no_session.hpp"

namespace logwood::storage::jsonl {
namespace {

constexpr int attempts_max = 100;

// <id>.<time> and the number of those that were removed at the same time: …Z, …Z-2, …Z-10.
std::pair<std::string_view, int> order_of(const RemovedSession& removed) {
  const std::string_view name = removed.name;
  const std::size_t dash = name.rfind("Z-");
  int number = 1;
  if (dash == std::string_view::npos) return {name, number};
  const auto [end, status] =
      std::from_chars(name.data() + dash + 2, name.data() + name.size(), number);
  if (status != std::errc() || end != name.data() + name.size()) return {name, 1};
  return {name.substr(0, dash + 1), number};
}

// Blobs have their hashes for names: where the folder is there already, they join those in it.
Result<> move_blobs(io::FileSystem& files, const std::string& from, const std::string& to) {
  LOGWOOD_CHECK(files.make_folder(std::string(blobs_folder)));
  auto moved = files.rename(from, to, io::Replace::never);
  if (moved || moved.error().code != ErrorCode::already_exists) return moved;
  LOGWOOD_TRY(const std::vector<std::string> names, files.list(from));
  for (const std::string& name : names) {
    LOGWOOD_CHECK(files.rename(fmt::format("{}/{}", from, name), fmt::format("{}/{}", to, name),
                               io::Replace::existing));
  }
  LOGWOOD_CHECK(files.sync_folder(to));
  return files.sync_folder(from);
}

Result<> check_no_session(io::FileSystem& files, const SessionId& session,
                          const SessionNames& names) {
  LOGWOOD_TRY(const Form there, form_of(files, names));
  if (there == Form::none) return {};
  return Error{ErrorCode::already_exists,
               fmt::format("there is a session {} already; remove it first", session.text)};
}

Result<> move_back(io::FileSystem& files, const SessionNames& removed, const SessionNames& names,
                   std::chrono::milliseconds patience) {
  LOGWOOD_TRY(const SessionFile locked, lock_session_file(files, removed, patience));
  if (!locked.archived) LOGWOOD_CHECK(remove_leftover_archive(files, removed, *locked.file));
  LOGWOOD_TRY(const bool has_blobs, is_there(files, removed.blobs));
  if (has_blobs) LOGWOOD_CHECK(move_blobs(files, removed.blobs, names.blobs));
  // Also those that an attempt before this one moved.
  LOGWOOD_TRY(const bool has_moved, is_there(files, names.blobs));
  if (has_moved && !LOGWOOD_SEEDED(restored_blobs_not_synced)) {
    LOGWOOD_CHECK(files.sync_folder(std::string(blobs_folder)));
    LOGWOOD_CHECK(files.sync_folder(""));
  }
  (void)files.remove(removed.index);  // derived
  if (locked.archived) {
    LOGWOOD_CHECK(files.make_folder(names.archive_folder));
    LOGWOOD_CHECK(files.sync_folder(""));
    LOGWOOD_CHECK(files.rename(removed.archive, names.archive, io::Replace::never));
    LOGWOOD_CHECK(files.sync_folder(names.archive_folder));
  } else {
    LOGWOOD_CHECK(files.rename(removed.file, names.file, io::Replace::never));
    LOGWOOD_CHECK(files.sync_folder(names.folder));
  }
  return files.sync_folder(removed.folder);
}

// The one of that id which was removed last; nothing when there is none.
Result<std::optional<RemovedSession>> newest_removed(io::FileSystem& files,
                                                     const SessionId& session) {
  LOGWOOD_TRY(const std::vector<RemovedSession> all, removed_sessions(files));
  const auto newest = std::find_if(all.rbegin(), all.rend(), [&](const RemovedSession& removed) {
    return removed.id == session;
  });
  return newest == all.rend() ? std::nullopt : std::optional(*newest);
}

// With the lock that whoever makes a session of this id needs: it is none of those who come after
// whose blobs are moved.
Result<> move_blobs_to_trash(io::FileSystem& files, const SessionNames& names,
                             const SessionNames& removed) {
  LOGWOOD_TRY(const bool has_blobs, is_there(files, names.blobs));
  if (!has_blobs) return {};
  LOGWOOD_CHECK(move_blobs(files, names.blobs, removed.blobs));
  LOGWOOD_CHECK(files.sync_folder(removed.folder));
  return files.sync_folder(std::string(blobs_folder));
}

// What others buffered goes along whole. Where an earlier sync failed, or somebody died at work,
// what the system says of the bytes is not to be believed, and a copy takes their place.
Result<> make_durable(io::FileSystem& files, const SessionNames& names,
                      std::unique_ptr<io::File>& file) {
  LOGWOOD_TRY(const bool is_doubtful, is_there(files, names.new_file));
  if (!is_doubtful) {
    auto synced = file->sync();
    // An empty copy tells the next one who comes.
    if (!synced) (void)create_locked(files, names.new_file);
    return synced;
  }
  LOGWOOD_TRY(auto fresh, create_locked(files, names.new_file));
  LOGWOOD_CHECK(files.sync_folder(names.folder));
  LOGWOOD_TRY(const io::FileStatus status, file->status());
  LOGWOOD_CHECK(copy_bytes(*file, 0, status.size_bytes, *fresh));
  LOGWOOD_CHECK(fresh->sync());
  LOGWOOD_CHECK(files.rename(names.new_file, names.file, io::Replace::existing));
  file = std::move(fresh);
  return files.sync_folder(names.folder);
}

Result<> move_with_blobs(io::FileSystem& files, const SessionId& session, const SessionNames& names,
                         std::string_view now, bool archived) {
  LOGWOOD_CHECK(files.make_folder(std::string(trash_folder)));
  SessionNames removed;
  for (int attempt = 0;; ++attempt) {
    removed = names_in_trash(trash_name(session, now, attempt));
    // A name is taken by a session in either form.
    LOGWOOD_TRY(const Form taken, form_of(files, removed));
    auto moved = taken != Form::none
                     ? Result<>(Error{ErrorCode::already_exists, removed.file + " is there"})
                     : files.rename(archived ? names.archive : names.file,
                                    archived ? removed.archive : removed.file, io::Replace::never);
    if (moved) break;
    if (moved.error().code == ErrorCode::not_found) return no_session(session);
    if (moved.error().code != ErrorCode::already_exists || attempt == attempts_max)
      return std::move(moved).error();
  }
  (void)files.remove(names.index);  // derived
  LOGWOOD_CHECK(files.sync_folder(removed.folder));
  LOGWOOD_CHECK(files.sync_folder(names.folder));
  if (archived) LOGWOOD_CHECK(files.sync_folder(names.archive_folder));
  // Only now: a session that is in its place, also after a power cut, has its blobs.
  return move_blobs_to_trash(files, names, removed);
}

}  // namespace

Result<std::vector<RemovedSession>> removed_sessions(io::FileSystem& files) {
  auto names = files.list(std::string(trash_folder));
  if (!names) {
    if (names.error().code == ErrorCode::not_found) return std::vector<RemovedSession>();
    return std::move(names).error();
  }
  std::vector<RemovedSession> found;
  for (const std::string& name : *names) {
    const std::string_view id = std::string_view(name).substr(0, name.find('.'));
    std::string in_trash = trash_name_of(name);
    if (!in_trash.empty() && check_id(id))
      found.push_back({{std::string(id)}, std::move(in_trash)});
  }
  std::sort(found.begin(), found.end(), [](const RemovedSession& a, const RemovedSession& b) {
    return order_of(a) < order_of(b);
  });
  // One that is there in both forms is one.
  const auto same = [](const RemovedSession& a, const RemovedSession& b) {
    return a.name == b.name;
  };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

Result<> move_to_trash(io::FileSystem& files, const SessionId& session, const SessionNames& names,
                       std::string_view now, std::chrono::milliseconds patience) {
  auto locked = lock_session_file(files, names, patience);
  if (!locked) {
    if (locked.error().code == ErrorCode::not_found) return no_session(session);
    return std::move(locked).error();
  }
  if (!locked->archived) {
    LOGWOOD_CHECK(make_durable(files, names, locked->file));
    // It would become the session.
    LOGWOOD_CHECK(remove_leftover_archive(files, names, *locked->file));
  }
  // Nobody makes a session of this id while its blobs are on their way.
  LOGWOOD_TRY(const auto place, create_locked(files, names.new_file));
  auto moved = move_with_blobs(files, session, names, now, locked->archived);
  (void)files.remove(names.new_file);
  return moved;
}

Result<> restore_from_trash(io::FileSystem& files, const SessionId& session,
                            const SessionNames& names, std::chrono::milliseconds patience) {
  LOGWOOD_TRY(const auto newest, newest_removed(files, session));
  LOGWOOD_CHECK(check_no_session(files, session, names));
  if (!newest) return no_removed_session(session);
  // Who makes a session of that id holds this lock.
  LOGWOOD_TRY(const auto place, create_locked(files, names.new_file));
  auto restored = check_no_session(files, session, names);
  if (restored) restored = move_back(files, names_in_trash(newest->name), names, patience);
  (void)files.remove(names.new_file);
  return restored;
}

Result<> bring_blobs_to_trash(io::FileSystem& files, const RemovedSession& session) {
  LOGWOOD_TRY(const SessionNames names, names_of(session.id));
  const auto are_its_own = [&]() -> Result<bool> {
    LOGWOOD_TRY(const bool has_stayed, is_there(files, names.blobs));
    LOGWOOD_TRY(const auto newest, newest_removed(files, session.id));
    LOGWOOD_TRY(const Form there, form_of(files, names));
    return has_stayed && newest && newest->name == session.name && there == Form::none;
  };
  LOGWOOD_TRY(const bool at_first_sight, are_its_own());
  if (!at_first_sight) return {};
  LOGWOOD_TRY(const auto place, create_locked(files, names.new_file));
  // Somebody may have restored it, or made another of its id, before the lock was ours.
  auto still = are_its_own();
  Result<> moved = still ? Result<>() : Result<>(still.error());
  if (still && *still) moved = move_blobs_to_trash(files, names, names_in_trash(session.name));
  (void)files.remove(names.new_file);
  return moved;
}

// The file goes last: while it is there, repeating this finds the rest.
Result<> purge_from_trash(io::FileSystem& files, const SessionId& session) {
  LOGWOOD_TRY(const std::vector<std::string> cut_off, names_in(files, quarantine_folder));
  bool had_cut_off = false;
  for (const std::string& name : cut_off) {
    if (!name.starts_with(session.text + '.')) continue;
    LOGWOOD_CHECK(files.remove(fmt::format("{}/{}", quarantine_folder, name)));
    had_cut_off = true;
  }
  if (had_cut_off) LOGWOOD_CHECK(files.sync_folder(std::string(quarantine_folder)));
  LOGWOOD_TRY(const std::vector<RemovedSession> all, removed_sessions(files));
  for (const RemovedSession& removed : all) {
    if (removed.id != session) continue;
    LOGWOOD_CHECK(bring_blobs_to_trash(files, removed));
    const SessionNames names = names_in_trash(removed.name);
    LOGWOOD_CHECK(Blobs(files, names.blobs).remove_all_but({}));
    for (const std::string& name : {names.archive, names.file}) {
      LOGWOOD_TRY(const bool there, is_there(files, name));
      if (there) LOGWOOD_CHECK(files.remove(name));
    }
    LOGWOOD_CHECK(files.sync_folder(std::string(trash_folder)));
  }
  return {};
}

}  // namespace logwood::storage::jsonl
