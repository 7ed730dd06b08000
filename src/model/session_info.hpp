#pragma once

#include <string>
#include <string_view>

#include "logwood/catalog.hpp"
#include "logwood/result.hpp"

namespace logwood {

/// The payload of a `session_info` mark that says these. `invalid_argument` when one of them cannot
/// be: too long, not UTF-8, no timestamp.
Result<std::string> session_info_payload(const SessionInfo& info);

/// What the payload of such a mark says; members of another form say nothing.
[[nodiscard]] SessionInfo read_session_info(std::string_view payload);

}  // namespace logwood
