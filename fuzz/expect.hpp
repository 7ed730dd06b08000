#pragma once

#include <cstdio>
#include <cstdlib>

namespace logwood::fuzz {

/// Ends the program, so that the fuzzer keeps the input, when something that must hold does not.
inline void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace logwood::fuzz
