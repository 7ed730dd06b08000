#include "storage/chain_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace logwood::storage {

Result<format::SealedLine> ChainCheck::take(std::string_view line) {
  const auto sealed = format::parse_sealed(session_.text, line);
  if (!sealed || sealed->seq != seq_ + 1 ||
      !format::follows(session_.text, format::view(link_), *sealed)) {
    return Error{
        ErrorCode::damaged,
        fmt::format("session {}: line {} is not sound, or does not continue the one before "
                    "it; logwood verify says more",
                    session_.text, seq_ + 1)};
  }
  ++seq_;
  std::copy(sealed->link.begin(), sealed->link.end(), link_.begin());
  return *sealed;
}

}  // namespace logwood::storage
