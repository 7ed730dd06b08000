#include "storage/jsonl/archive.hpp"

#include <fmt/format.h>

#include <string>

#include "base/seeded_bugs.hpp"
#include "base/telling.hpp"
#include "base/zstd.hpp"
#include "format/seek_table.hpp"
#include "io/append_all.hpp"
#include "storage/jsonl/archived_file.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/first_line.hpp"
#include "storage/jsonl/session_file.hpp"
#include "storage/jsonl/session_state.hpp"
#include "storage/no_session.hpp"

namespace logwood::storage::jsonl {
namespace {

Result<std::uint64_t> size_of(const io::File& file) {
  LOGWOOD_TRY(const io::FileStatus status, file.status());
  return status.size_bytes;
}

// A session is read twice: its bytes are written, and then compared with what was written.
enum class Half : std::uint8_t { writing, comparing };

PieceVisitor halfway(const Progress& progress, std::uint64_t size, Half half) {
  const std::uint64_t before = half == Half::writing ? 0 : size;
  return
      [&progress, size, before](std::uint64_t at) { return tell(progress, before + at, 2 * size); };
}

// The frames and the seek table.
Result<> pack(const io::File& source, io::File& archive, const PieceVisitor& told) {
  ZstdPacker packer;
  format::SeekTable table;
  std::string content(format::first_frame_content, '\0');
  for (std::uint64_t at = 0;;) {
    LOGWOOD_TRY(const std::size_t got,
                source.read_at(at, std::span(content.data(), content.size())));
    if (got == 0) break;
    if (table.frames().size() == format::frames_max) {
      return Error{ErrorCode::unsupported, "a session of this size cannot be archived"};
    }
    LOGWOOD_TRY(const std::string frame, packer.frame_of(std::string_view(content).substr(0, got)));
    LOGWOOD_CHECK(io::append_all(archive, frame));
    table.add(frame.size(), got);
    at += got;
    LOGWOOD_CHECK(told(at));
    content.resize(format::frame_content_max);
  }
  return io::append_all(archive, table.bytes());
}

// A new archive with the bytes of `source`, on the disk and compared; it is still locked.
Result<std::unique_ptr<io::File>> write_archive(io::FileSystem& files, const SessionNames& names,
                                                const io::File& source, const Progress& progress) {
  LOGWOOD_TRY(const std::uint64_t size, size_of(source));
  LOGWOOD_TRY(auto packed, create_locked(files, names.new_archive));
  LOGWOOD_CHECK(pack(source, *packed, halfway(progress, size, Half::writing)));
  if (!LOGWOOD_SEEDED(archive_not_synced)) LOGWOOD_CHECK(packed->sync());
  LOGWOOD_TRY(auto archive, open_archive(std::move(packed), names.new_archive));
  LOGWOOD_CHECK(compare_bytes(source, *archive, halfway(progress, size, Half::comparing)));
  return archive;
}

// The same for a session file.
Result<std::unique_ptr<io::File>> write_session_file(io::FileSystem& files,
                                                     const SessionNames& names,
                                                     const io::File& archive,
                                                     const Progress& progress) {
  LOGWOOD_TRY(auto fresh, create_locked(files, names.new_file));
  LOGWOOD_TRY(const std::uint64_t size, size_of(archive));
  LOGWOOD_CHECK(copy_bytes(archive, 0, size, *fresh, halfway(progress, size, Half::writing)));
  if (!LOGWOOD_SEEDED(archive_not_synced)) LOGWOOD_CHECK(fresh->sync());
  LOGWOOD_CHECK(compare_bytes(archive, *fresh, halfway(progress, size, Half::comparing)));
  return fresh;
}

// Derived, and left now because readers leave none.
void leave_index(io::FileSystem& files, const SessionId& session, const SessionNames& names,
                 io::File& archive) {
  (void)files.remove(names.index);
  const auto first = read_first_line(archive, session);
  const auto status = archive.status();
  if (!first || first->unsealed || !status) return;
  WalkOptions walk;
  walk.locked = true;
  auto state = SessionState::load(files, names, first->session_id, archive, *status, walk);
  if (state) state->save_index();
}

// Whoever archived it may have been killed before its names were durable.
Result<ArchiveResult> found_archived(io::FileSystem& files, const SessionNames& names,
                                     std::unique_ptr<io::File> packed) {
  LOGWOOD_TRY(const std::uint64_t archive_bytes, size_of(*packed));
  LOGWOOD_TRY(const auto archive, open_archive(std::move(packed), names.archive));
  LOGWOOD_TRY(const std::uint64_t session_bytes, size_of(*archive));
  LOGWOOD_CHECK(files.sync_folder(names.archive_folder));
  LOGWOOD_CHECK(files.sync_folder(names.folder));
  return ArchiveResult{session_bytes, archive_bytes, false};
}

Result<SessionFile> lock_session(io::FileSystem& files, const SessionId& session,
                                 const SessionNames& names, std::chrono::milliseconds patience) {
  auto locked = lock_session_file(files, names, patience);
  if (locked || locked.error().code != ErrorCode::not_found) return locked;
  return no_session(session);
}

}  // namespace

Result<ArchiveResult> archive_session(io::FileSystem& files, const SessionId& session,
                                      const SessionNames& names, std::chrono::milliseconds patience,
                                      const Progress& progress) {
  LOGWOOD_TRY(SessionFile locked, lock_session(files, session, names, patience));
  if (locked.archived) return found_archived(files, names, std::move(locked.file));
  io::File& source = *locked.file;
  // After a power cut the session file counts where both are there, so it has to have what others
  // buffered; where it cannot, an empty copy tells the next writer.
  if (auto synced = source.sync(); !synced) {
    (void)create_locked(files, names.new_file);
    return std::move(synced).error();
  }
  LOGWOOD_CHECK(files.make_folder(names.archive_folder));
  LOGWOOD_CHECK(files.sync_folder(""));
  auto archive = write_archive(files, names, source, progress);
  if (!archive) {
    (void)files.remove(names.new_archive);
    return std::move(archive).error().within(fmt::format("session {}", session.text));
  }
  LOGWOOD_CHECK(files.rename(names.new_archive, names.archive, io::Replace::existing));
  if (!LOGWOOD_SEEDED(archive_folder_not_synced))
    LOGWOOD_CHECK(files.sync_folder(names.archive_folder));
  LOGWOOD_CHECK(files.remove(names.file));
  LOGWOOD_CHECK(files.sync_folder(names.folder));
  leave_index(files, session, names, **archive);
  LOGWOOD_TRY(const std::uint64_t session_bytes, size_of(**archive));
  LOGWOOD_TRY(const io::FileStatus packed, files.status(names.archive));
  return ArchiveResult{session_bytes, packed.size_bytes, true};
}

Result<ArchiveResult> unarchive_session(io::FileSystem& files, const SessionId& session,
                                        const SessionNames& names,
                                        std::chrono::milliseconds patience,
                                        const Progress& progress) {
  LOGWOOD_TRY(SessionFile locked, lock_session(files, session, names, patience));
  if (!locked.archived) {
    LOGWOOD_CHECK(remove_leftover_archive(files, names, *locked.file));
    LOGWOOD_TRY(const std::uint64_t size, size_of(*locked.file));
    return ArchiveResult{size, 0, false};
  }
  LOGWOOD_TRY(const std::uint64_t archive_bytes, size_of(*locked.file));
  LOGWOOD_TRY(const auto archive, open_archive(std::move(locked.file), names.archive));

  auto fresh = write_session_file(files, names, *archive, progress);
  if (!fresh) {
    if (fresh.error().code != ErrorCode::busy) (void)files.remove(names.new_file);
    return std::move(fresh).error().within(fmt::format("session {}", session.text));
  }
  LOGWOOD_CHECK(files.rename(names.new_file, names.file, io::Replace::never));
  if (!LOGWOOD_SEEDED(archive_folder_not_synced)) LOGWOOD_CHECK(files.sync_folder(names.folder));
  (void)files.remove(names.index);  // derived, and of the archive
  LOGWOOD_CHECK(files.remove(names.archive));
  LOGWOOD_CHECK(files.sync_folder(names.archive_folder));
  LOGWOOD_TRY(const std::uint64_t size, size_of(**fresh));
  return ArchiveResult{size, archive_bytes, true};
}

Result<> remove_leftover_archive(io::FileSystem& files, const SessionNames& names, io::File& file) {
  LOGWOOD_TRY(const bool ever_archived, is_there(files, names.archive_folder));
  if (!ever_archived) return {};
  LOGWOOD_TRY(const bool finished, is_there(files, names.archive));
  LOGWOOD_TRY(const bool unfinished, is_there(files, names.new_archive));
  if (finished) {
    // Who brought the session back may have been killed before its name was durable.
    LOGWOOD_CHECK(file.sync());
    LOGWOOD_CHECK(files.sync_folder(names.folder));
    LOGWOOD_CHECK(files.remove(names.archive));
  }
  if (unfinished) LOGWOOD_CHECK(files.remove(names.new_archive));
  // Also where they are gone: who removed them may have been killed before that was durable.
  return files.sync_folder(names.archive_folder);
}

Result<Erasure> erase_unarchived(io::FileSystem& files, const SessionId& session,
                                 const SessionNames& names, std::chrono::milliseconds patience,
                                 const std::function<Result<Erasure>()>& erase) {
  constexpr int attempts_max = 20;  // somebody else may archive it meanwhile
  bool was_archived = false;
  for (int attempt = 1;; ++attempt) {
    LOGWOOD_TRY(const Form form, form_of(files, names));
    if (form == Form::archived) {
      LOGWOOD_CHECK(unarchive_session(files, session, names, patience));
      was_archived = true;
    }
    auto erased = erase();
    if (!erased && erased.error().code == ErrorCode::unsupported && attempt < attempts_max) {
      LOGWOOD_TRY(const Form now, form_of(files, names));
      if (now == Form::archived) continue;
    }
    if (was_archived) (void)archive_session(files, session, names, patience);
    return erased;
  }
}

}  // namespace logwood::storage::jsonl
