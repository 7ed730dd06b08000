#include "storage/jsonl/session_headers.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/seeded_bugs.hpp"
#include "storage/jsonl/first_line.hpp"
#include "storage/jsonl/layout.hpp"
#include "storage/jsonl/session_file.hpp"

namespace logwood::storage::jsonl {
namespace {

Result<SessionHeader> header_of(io::FileSystem& files, const SessionId& id) {
  LOGWOOD_TRY(const SessionNames names, names_of(id));
  LOGWOOD_TRY(const SessionFile opened, open_session_file(files, names));
  LOGWOOD_TRY(const FirstLine first, read_first_line(*opened.file, id));
  if (first.renamed) return Error{ErrorCode::damaged, first.read_only};
  if (!first.header) {
    return Error{ErrorCode::damaged,
                 fmt::format("session {}: its header cannot be read; run verify", id.text)};
  }
  return *first.header;
}

}  // namespace

Result<SessionPage> list_headers(io::FileSystem& files, const ListOptions& options) {
  LOGWOOD_TRY(const std::vector<std::string> ids, session_ids(files));
  SessionPage page;
  for (const std::string& id : ids) {
    if (options.after && id >= options.after->text) continue;
    auto header = header_of(files, {id});
    if (!header) {
      // Removed between listing and reading: it is not there any more.
      if (header.error().code == ErrorCode::not_found) continue;
      page.unreadable.push_back({{id}, std::move(header).error()});
      continue;
    }
    if (!options.wants(*header)) continue;
    if (page.sessions.size() == options.limit) {
      page.has_more = true;
      break;
    }
    page.sessions.push_back(*std::move(header));
  }
  return page;
}

Result<std::optional<SessionHeader>> newest_of_key(io::FileSystem& files, const std::string& key) {
  LOGWOOD_TRY(const std::vector<std::string> ids, session_ids(files));
  std::optional<SessionHeader> newest;
  for (const std::string& id : ids) {
    auto header = header_of(files, {id});
    if (!header) {
      // One that is damaged or gone cannot be the one; one that cannot be read
      // now may be, and another must not take its place.
      const ErrorCode code = header.error().code;
      if (code == ErrorCode::damaged || code == ErrorCode::not_found ||
          LOGWOOD_SEEDED(unreadable_key_skipped)) {
        continue;
      }
      return std::move(header).error();
    }
    if (header->key != key) continue;
    if (!newest ||
        std::pair(header->created, header->id) > std::pair(newest->created, newest->id)) {
      newest = *std::move(header);
    }
  }
  return newest;
}

}  // namespace logwood::storage::jsonl
