#pragma once

#include <cstdint>
#include <string>

namespace logwood {

/// 1204331 as people read it: 1,204,331
inline std::string thousands(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

}  // namespace logwood
