#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "child.hpp"
#include "measure.hpp"

namespace logwood::bench {

/// The folder into which bench/with_pi has installed pi; nothing without it.
inline std::optional<std::string> pi_folder() {
  const char* const folder = std::getenv("LOGWOOD_PI");
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  return folder;
}

/// Runs a script of bench/ on pi and returns the number it prints.
inline double ask_pi(const std::string& script, const std::vector<std::string>& words) {
  std::vector<std::string> command = {"node", "--max-old-space-size=8192",
                                      LOGWOOD_SOURCE_FOLDER "/bench/" + script};
  command.insert(command.end(), words.begin(), words.end());
  return std::strtod(output_of(command).c_str(), nullptr);
}

}  // namespace logwood::bench
