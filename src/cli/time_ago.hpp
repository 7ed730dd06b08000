#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace logwood::cli {

/// "12 min ago", "yesterday", "3 days ago", then the date; as a person says it.
[[nodiscard]] std::string time_ago(std::string_view timestamp,
                                   std::chrono::system_clock::time_point now);

}  // namespace logwood::cli
