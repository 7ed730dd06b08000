#include "base/random_bytes.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstdlib>

namespace logwood {

void fill_random(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    // Every kernel we run on has getrandom; without it there are no safe ids.
    if (got <= 0) std::abort();
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace logwood
