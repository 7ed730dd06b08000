// The one file that knows ISA-L.
#include "base/crc32c.hpp"

#include <isa-l/crc.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>
#include <limits>

namespace logwood {
namespace {

// ISA-L returns with the upper parts of the vector registers in use. The next SSE instruction of
// anybody would then wait four times as long as the CRC of a line takes.
#ifdef __x86_64__
[[gnu::target("avx")]] void clear_upper_parts() { _mm256_zeroupper(); }

void leave_vectors() {
  static const bool has_avx = __builtin_cpu_supports("avx") != 0;
  if (has_avx) clear_upper_parts();
}
#else
void leave_vectors() {}
#endif

}  // namespace

Crc32c& Crc32c::add(std::string_view bytes) {
  while (!bytes.empty()) {  // crc32_iscsi counts in int
    const std::size_t size = std::min<std::size_t>(
        bytes.size(), static_cast<std::size_t>(std::numeric_limits<int>::max()));
    // The parameter lacks a const; the function only reads.
    auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    state_ = crc32_iscsi(data, static_cast<int>(size), state_);
    bytes.remove_prefix(size);
  }
  leave_vectors();
  return *this;
}

}  // namespace logwood
