// What no API takes, made whole: parts that were never finished, calls without results and results
// without calls. A view: the request that is mended was read from the store and is not stored.
#pragma once

#include <string_view>

#include "providers/canonical_names.hpp"
#include "providers/report.hpp"

namespace logwood::providers {

/// Afterwards the results of a message's calls stand right behind it, each once and all of them.
/// With `leaves_open`, calls of the last message go on waiting for theirs.
void repair(canonical::Request& request, Report& report, bool leaves_open = false);

/// Makes the message of a result one of the user's: `marker`, and what the tool gave back.
void tell_result(const canonical::Request& request, Message& message, std::string_view marker);

}  // namespace logwood::providers
