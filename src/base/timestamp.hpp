#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace logwood {

using Clock = std::chrono::system_clock;

/// `2026-11-14T09:30:00.125Z`: RFC 3339, UTC, milliseconds.
[[nodiscard]] std::string format_timestamp(Clock::time_point time);

/// Whether the text is exactly of that form and names a real date and time.
[[nodiscard]] bool is_timestamp(std::string_view text);

/// A time as a timestamp has it. The clock's own type ends in the year 2262.
using TimestampTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// The time that such a text names.
[[nodiscard]] std::optional<TimestampTime> parse_timestamp(std::string_view text);

}  // namespace logwood
