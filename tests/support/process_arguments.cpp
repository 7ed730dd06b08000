#include "support/process_arguments.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace logwood {
namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

CampaignArguments CampaignArguments::of(int count, char** values) {
  CampaignArguments arguments;
  if (const char* budget = std::getenv("LOGWOOD_BUDGET_S")) {
    const auto seconds = number_in(budget);
    if (!seconds) {
      std::fprintf(stderr, "LOGWOOD_BUDGET_S is not a number of seconds: %s\n", budget);
      std::exit(2);
    }
    arguments.budget = std::chrono::seconds(*seconds);
  }
  const bool has_seed = count == 3 && std::string_view(values[1]) == "--seed";
  const auto seed = has_seed ? number_in(values[2]) : std::nullopt;
  if (count != 1 && !seed) {
    std::fprintf(stderr, "usage: %s [--seed N]\n", values[0]);
    std::exit(2);
  }
  if (seed) arguments.seed = *seed;
  return arguments;
}

}  // namespace logwood
