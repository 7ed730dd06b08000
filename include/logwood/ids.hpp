#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "logwood/result.hpp"

namespace logwood {

/// Names one session of a store: `[A-Za-z0-9][A-Za-z0-9_-]{0,98}`.
struct SessionId {
  std::string text;
  auto operator<=>(const SessionId&) const = default;
};

/// Names one entry, unique within its session. Same alphabet as SessionId.
struct EntryId {
  std::string text;
  auto operator<=>(const EntryId&) const = default;
};

/// Fresh ids: UUIDv7, so that they sort by the time they were made. Order in a
/// session never depends on that.
[[nodiscard]] SessionId new_session_id();
[[nodiscard]] EntryId new_entry_id();

/// Says what is wrong with an id, if anything: its length, or the first
/// character that an id may not have.
Result<> check_id(std::string_view text);

}  // namespace logwood

template <>
struct std::hash<logwood::SessionId> {
  std::size_t operator()(const logwood::SessionId& id) const noexcept {
    return std::hash<std::string>{}(id.text);
  }
};

template <>
struct std::hash<logwood::EntryId> {
  std::size_t operator()(const logwood::EntryId& id) const noexcept {
    return std::hash<std::string>{}(id.text);
  }
};
