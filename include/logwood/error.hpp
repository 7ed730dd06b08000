#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace logwood {

/// What kind of failure this is, from the caller's side: a code names what can
/// be done next, not which line of ours failed.
enum class ErrorCode : std::uint8_t {
  invalid_argument,  ///< The request is malformed. Fix it; a retry cannot help.
  not_found,         ///< No such store, session or entry.
  already_exists,    ///< The id is taken. Choose another.
  conflict,          ///< The tail or head moved. Read what is new, then append again.
  id_conflict,  ///< An entry id is known with other content, or only part of the batch is known.
  damaged,      ///< Stored bytes break the format. Run verify.
  unsupported,  ///< Sound, but newer than this build, or read-only for a reason the message gives.
  permission_denied,   ///< The operating system said no.
  busy,                ///< Somebody else holds the session. Try again.
  no_space,            ///< The disk or quota is full. Nothing was stored.
  unavailable,         ///< The storage cannot be used now. Reopen and try again.
  durability_unknown,  ///< It may or may not have been stored. Append again with the same ids.
  internal,            ///< A bug in logwood. Report it.
};

/// The code as it is spelled in messages, JSON and documents: "not_found".
[[nodiscard]] std::string_view name_of(ErrorCode code);

/// A failure, and the trail of what was being attempted when it happened.
struct Error {
  ErrorCode code;
  /// A lower-case clause that says what was wrong with which thing.
  std::string message;
  /// With `conflict`: the tail the session really has, empty when it has none.
  std::optional<std::string> actual_tail = std::nullopt;

  /// Puts what the caller was doing in front, so that a message reads from the
  /// outside in: `session 0198…: line 17: the checksum does not match`.
  [[nodiscard]] Error within(std::string_view what) && {
    message.insert(0, ": ");
    message.insert(0, what);
    return std::move(*this);
  }
};

}  // namespace logwood
