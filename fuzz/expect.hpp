#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace logwood::fuzz {

/// What is shown with a failure: the file that was looked at, say.
inline std::string& shown_with_failure() {
  static std::string shown;
  return shown;
}

/// Ends the program, so that the fuzzer keeps the input, when something that must hold does not.
inline void expect(bool holds, const char* what) {
  if (holds) return;
  std::fwrite(shown_with_failure().data(), 1, shown_with_failure().size(), stderr);
  std::fprintf(stderr, "\ndoes not hold: %s\n", what);
  std::abort();
}

}  // namespace logwood::fuzz
