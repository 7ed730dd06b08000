#include "storage/jsonl/session_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "storage/jsonl/archived_file.hpp"
#include "storage/jsonl/file_copy.hpp"

namespace logwood::storage::jsonl {
namespace {

// Somebody may move it to the other place between two looks, so that neither finds it.
constexpr int looks = 3;

template <class T>
bool is_missing(const Result<T>& result) {
  return !result && result.error().code == ErrorCode::not_found;
}

Error no_file(const SessionNames& names) {
  return {ErrorCode::not_found, fmt::format("there is no {}", names.file)};
}

}  // namespace

Result<bool> is_there(io::FileSystem& files, const std::string& name) {
  const auto status = files.status(name);
  if (!status && !is_missing(status)) return status.error();
  return status.has_value();
}

Result<Form> form_of(io::FileSystem& files, const SessionNames& names) {
  for (int look = 0; look < looks; ++look) {
    LOGWOOD_TRY(const bool plain, is_there(files, names.file));
    if (plain) return Form::plain;
    LOGWOOD_TRY(const bool archived, is_there(files, names.archive));
    if (archived) return Form::archived;
  }
  return Form::none;
}

Result<SessionFile> open_session_file(io::FileSystem& files, const SessionNames& names) {
  for (int look = 0; look < looks; ++look) {
    auto plain = files.open(names.file, io::Access::read);
    if (plain) return SessionFile{*std::move(plain), false};
    if (!is_missing(plain)) return std::move(plain).error();
    auto archive = files.open(names.archive, io::Access::read);
    if (is_missing(archive)) continue;
    if (!archive) return std::move(archive).error();
    LOGWOOD_TRY(auto file, open_archive(*std::move(archive), names.archive));
    return SessionFile{std::move(file), true};
  }
  return no_file(names);
}

Result<SessionFile> lock_session_file(io::FileSystem& files, const SessionNames& names,
                                      std::chrono::milliseconds patience) {
  constexpr int attempts_max = 100;
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    auto plain = open_locked(files, names.file, patience);
    if (plain) return SessionFile{*std::move(plain), false};
    if (!is_missing(plain)) return std::move(plain).error();
    auto archive = open_locked(files, names.archive, patience);
    if (archive) {
      // Whoever brings it back puts the session file beside it first, and that one counts.
      LOGWOOD_TRY(const bool is_back, is_there(files, names.file));
      if (is_back) continue;
      return SessionFile{*std::move(archive), true};
    }
    if (!is_missing(archive)) return std::move(archive).error();
    // Whoever we waited for has moved it, perhaps.
    LOGWOOD_TRY(const Form form, form_of(files, names));
    if (form == Form::none) return no_file(names);
  }
  return Error{ErrorCode::busy,
               fmt::format("{} is archived and brought back all the time; try again", names.file)};
}

Result<std::vector<std::string>> session_ids(io::FileSystem& files) {
  std::vector<std::string> ids;
  const auto add_archived = [&]() -> Result<> {
    const auto names = files.list(std::string(archive_folder));
    if (is_missing(names)) return {};
    if (!names) return names.error();
    for (const std::string& name : *names) {
      if (std::string id = archived_session_of(name); !id.empty()) ids.push_back(std::move(id));
    }
    return {};
  };
  // Before and after: one that is moved meanwhile, either way, is seen at least once.
  LOGWOOD_CHECK(add_archived());
  LOGWOOD_TRY(const std::vector<std::string> names, files.list(std::string(sessions_folder)));
  for (const std::string& name : names) {
    if (std::string id = session_of(name); !id.empty()) ids.push_back(std::move(id));
  }
  LOGWOOD_CHECK(add_archived());
  std::sort(ids.rbegin(), ids.rend());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace logwood::storage::jsonl
