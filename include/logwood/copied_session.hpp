#pragma once

#include <cstdint>
#include <string>

namespace logwood {

/// What copying a session to another store came to.
struct CopiedSession {
  enum class What : std::uint8_t {
    copied,         ///< it was not there
    extended,       ///< it was there up to some entry, and is there as a whole now
    already_there,  ///< it was there as it is
  };
  What what = What::copied;
  std::uint64_t entries = 0;
  std::uint64_t size_bytes = 0;
  std::string link;  ///< of its last line, the same in both stores
};

}  // namespace logwood
