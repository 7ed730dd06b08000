// A session's header as an entry: the first line, and what it says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "logwood/result.hpp"
#include "logwood/session.hpp"

namespace logwood {

inline constexpr std::uint32_t session_version = 1;  ///< the version we write

/// Checks what a caller wants of a new session: ids, and that texts are UTF-8.
Result<> check_new_session(const NewSession& session);

/// The header of a session that is made now.
[[nodiscard]] SessionHeader header_for(const NewSession& session, const SessionId& id,
                                       std::string created);

/// The header as an entry's text without its closing brace.
[[nodiscard]] std::string header_body(const SessionHeader& header);

/// Reads a header from an entry's text. What it does not know it passes over;
/// names in `requires` are handed on for the caller to judge.
Result<SessionHeader> parse_header(std::string_view text);

/// Why a session with this header cannot be written to; empty when it can. No name in `requires`
/// means anything to this version yet.
[[nodiscard]] std::string limits_in_header(const SessionHeader& header);

/// The session that this one is a fork of, if it is one.
[[nodiscard]] std::optional<SessionId> fork_source(const SessionHeader& header);

/// The text of a version 0 header as version 1: the one token is replaced, every
/// other byte stays.
Result<std::string> upgraded_header(std::string_view text);

/// The text of a version 1 header as version 0, likewise.
Result<std::string> downgraded_header(std::string_view text);

}  // namespace logwood
