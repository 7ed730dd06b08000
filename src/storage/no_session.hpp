#pragma once

#include <fmt/format.h>

#include "logwood/error.hpp"
#include "logwood/ids.hpp"

namespace logwood::storage {

inline Error no_session(const SessionId& id) {
  return {ErrorCode::not_found, fmt::format("there is no session {}", id.text)};
}

inline Error no_removed_session(const SessionId& id) {
  return {ErrorCode::not_found, fmt::format("there is no session {} in the trash", id.text)};
}

}  // namespace logwood::storage
