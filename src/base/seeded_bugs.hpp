// Known bugs, planted on purpose: proof that the harness can fail.
//
// In the shipped library LOGWOOD_SEEDED(x) is the constant false and the branch
// behind it disappears. Only the library built for tests/seeded defines
// LOGWOOD_SEEDED_BUGS; there the environment variable LOGWOOD_BUG names the one
// bug that is switched on, and a campaign that stays green under it is broken.
#pragma once

#ifdef LOGWOOD_SEEDED_BUGS

#include <cstdlib>
#include <string_view>

namespace logwood {

inline std::string_view& seeded_bug() {
  static std::string_view chosen = [] {
    const char* name = std::getenv("LOGWOOD_BUG");
    return std::string_view(name != nullptr ? name : "");
  }();
  return chosen;
}

}  // namespace logwood

#define LOGWOOD_SEEDED(name) (::logwood::seeded_bug() == #name)
#else
#define LOGWOOD_SEEDED(name) false
#endif
