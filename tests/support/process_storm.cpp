#include "support/process_storm.hpp"

#include <fmt/format.h>

namespace logwood {

int Storm::fail(const std::string& who, const std::string& what) const {
  if (!failed->exchange(true)) fmt::print("{}: {}\n", who, what);
  return 1;
}

std::optional<std::string> loss_among(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    if (is_loss(problem.kind)) return describe(problem);
  }
  return std::nullopt;
}

}  // namespace logwood
