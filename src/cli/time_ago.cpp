#include "cli/time_ago.hpp"

#include <fmt/format.h>

#include "base/timestamp.hpp"

namespace logwood::cli {

std::string time_ago(std::string_view timestamp, std::chrono::system_clock::time_point now) {
  using namespace std::chrono;
  const auto then = parse_timestamp(timestamp);
  if (!then) return "-";
  const auto passed = now - *then;
  if (passed < minutes(1))
    return passed < -minutes(1) ? std::string(timestamp.substr(0, 10)) : "now";
  if (passed < hours(1)) return fmt::format("{} min ago", duration_cast<minutes>(passed).count());
  if (passed < days(1)) return fmt::format("{} h ago", duration_cast<hours>(passed).count());
  if (passed < days(2)) return "yesterday";
  if (passed < days(30)) return fmt::format("{} days ago", duration_cast<days>(passed).count());
  return std::string(timestamp.substr(0, 10));
}

}  // namespace logwood::cli
