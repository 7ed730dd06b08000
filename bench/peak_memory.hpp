#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include "measure.hpp"

namespace logwood::bench {

/// The most that this process ever had in memory.
inline double peak_memory_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  give_up("the system does not tell how much memory was used");
}

}  // namespace logwood::bench
