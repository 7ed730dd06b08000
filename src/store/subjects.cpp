// Erasing everything that is kept about one person.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json_text.hpp"
#include "base/telling.hpp"
#include "base/timestamp.hpp"
#include "logwood/store.hpp"
#include "storage/backend.hpp"
#include "store/branching.hpp"
#include "store/inside.hpp"
#include "store/request_checks.hpp"

namespace logwood {
namespace {

using storage::Leftover;
using storage::StorageBackend;

bool is_before(const std::string& created, const SubjectOptions& options) {
  return options.until.empty() || created <= options.until;
}

// Those that are there and those in the trash, by id.
Result<std::map<SessionId, SubjectErasure::Session>> sessions_of(StorageBackend& backend,
                                                                 const std::string& prefix,
                                                                 const SubjectOptions& options,
                                                                 std::vector<Copy>& unreadable) {
  std::map<SessionId, SubjectErasure::Session> found;
  ListOptions list;
  list.key_prefix = prefix;
  LOGWOOD_CHECK(for_each_session(
      backend, list,
      [&](const SessionHeader& header) {
        if (is_before(header.created, options)) found[header.id] = {header.id, header.key, 0, {}};
      },
      [&](const UnreadableSession& one) {
        unreadable.push_back({CopyKind::session, one.id.text, false});  // it may be theirs
      }));
  LOGWOOD_TRY(const std::vector<Leftover> leftovers, backend.leftovers());
  for (const Leftover& leftover : leftovers) {
    if (leftover.kind != CopyKind::trash || leftover.key.empty() ||
        !leftover.key.starts_with(prefix) || !is_before(leftover.created, options)) {
      continue;
    }
    found.try_emplace(leftover.session,
                      SubjectErasure::Session{leftover.session, leftover.key, 0, {}});
  }
  return found;
}

}  // namespace

Result<SubjectErasure> Store::erase_subject(const std::string& key_prefix,
                                            const SubjectOptions& options,
                                            const Progress& progress) {
  if (key_prefix.empty()) {
    return Error{ErrorCode::invalid_argument,
                 "an empty key prefix would be that of every session; say whose sessions"};
  }
  LOGWOOD_CHECK(check_utf8("the key prefix", key_prefix));
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  SubjectErasure erasure;
  erasure.key_prefix = key_prefix;
  erasure.timestamp = format_timestamp(inside_->stamps.now());
  LOGWOOD_TRY(auto found, sessions_of(*backend, key_prefix, options, erasure.copies));

  std::uint64_t done = 0;
  for (auto& [id, session] : found) {
    LOGWOOD_CHECK(tell(progress, done++, found.size()));
    if (const auto end = backend->chain_end(id)) {
      session.last_seq = end->seq;
      session.link = end->link;
    }
    // Whoever forked it may not know that it goes.
    ListOptions forks;
    forks.forked_from = id;
    LOGWOOD_CHECK(for_each_session(*backend, forks, [&](const SessionHeader& header) {
      if (!found.contains(header.id)) {
        erasure.copies.push_back({CopyKind::session, header.id.text, false});
      }
    }));
    LOGWOOD_CHECK(backend->purge(id));
    inside_->forget(id);
    erasure.sessions.push_back(session);
  }
  return erasure;
}

std::string to_json(const SubjectErasure& erasure) {
  std::string json = fmt::format(R"({{"keyPrefix":{},"timestamp":"{}","sessions":[)",
                                 json_quoted(erasure.key_prefix), erasure.timestamp);
  std::string_view comma;
  for (const SubjectErasure::Session& session : erasure.sessions) {
    json += fmt::format(R"({}{{"sessionId":"{}","key":{},"lastSeq":{},"link":"{}"}})", comma,
                        session.id.text, json_quoted(session.key), session.last_seq, session.link);
    comma = ",";
  }
  json += R"(],"copies":[)";
  comma = "";
  for (const Copy& copy : erasure.copies) {
    json += fmt::format(R"({}{{"kind":"{}","name":{}}})", comma, name_of(copy.kind),
                        json_quoted(copy.name));
    comma = ",";
  }
  return json + "]}";
}

}  // namespace logwood
