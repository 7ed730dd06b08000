#pragma once

#include <cstdint>
#include <span>

namespace logwood {

/// Fills from the kernel's generator. Nothing is kept between calls, so that a
/// forked process can never repeat its parent's bytes.
void fill_random(std::span<std::uint8_t> bytes);

}  // namespace logwood
