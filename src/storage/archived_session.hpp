// What every backend says of a session that is archived.
#pragma once

#include <string>

#include "logwood/error.hpp"
#include "logwood/ids.hpp"

namespace logwood::storage {

/// Why it is read-only, and how to change that.
[[nodiscard]] inline std::string archived_text(const SessionId& session) {
  return "session " + session.text + " is archived and read-only; logwood archive --undo " +
         session.text + " brings it back";
}

[[nodiscard]] inline Error archived_error(const SessionId& session) {
  return {ErrorCode::unsupported, archived_text(session)};
}

}  // namespace logwood::storage
