// The one file that knows ISA-L.
#include "base/crc32c.hpp"

#include <isa-l/crc.h>

#include <algorithm>
#include <limits>

namespace logwood {

Crc32c& Crc32c::add(std::string_view bytes) {
  while (!bytes.empty()) {  // crc32_iscsi counts in int
    const std::size_t size = std::min<std::size_t>(
        bytes.size(), static_cast<std::size_t>(std::numeric_limits<int>::max()));
    // The parameter lacks a const; the function only reads.
    auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    state_ = crc32_iscsi(data, static_cast<int>(size), state_);
    bytes.remove_prefix(size);
  }
  return *this;
}

}  // namespace logwood
