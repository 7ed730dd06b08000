#include "cli/quantity.hpp"

#include <fmt/format.h>

#include <string_view>

namespace logwood::cli {
namespace {

std::string scaled(std::uint64_t amount, std::string_view between, std::string_view unit) {
  constexpr std::string_view names = "kMGTPE";
  if (amount < 1000) return fmt::format("{}{}{}", amount, between, unit);
  auto value = static_cast<double>(amount);
  std::size_t step = 0;
  for (value /= 1000; value >= 999.5 && step + 1 < names.size(); ++step) value /= 1000;
  return fmt::format("{:.{}f}{}{}{}", value, value < 9.95 ? 1 : 0, between, names[step], unit);
}

}  // namespace

std::string short_count(std::uint64_t count) { return scaled(count, "", ""); }
std::string short_size(std::uint64_t bytes) { return scaled(bytes, " ", "B"); }

}  // namespace logwood::cli
