#include "support/repeatable_random.hpp"

namespace logwood {
namespace {

thread_local std::uint64_t state = 0;

// splitmix64
std::uint64_t advance(std::uint64_t& from) {
  from += 0x9e3779b97f4a7c15U;
  std::uint64_t value = from;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

}  // namespace

void fill_repeatably(std::span<std::uint8_t> bytes) {
  std::uint64_t drawn = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % sizeof(drawn) == 0) drawn = advance(state);
    bytes[i] = static_cast<std::uint8_t>(drawn);
    drawn >>= 8U;
  }
}

RepeatableRandom::RepeatableRandom(std::uint64_t seed) : before_(state) { state = seed; }
RepeatableRandom::~RepeatableRandom() { state = before_; }

std::uint64_t Choices::next() { return advance(state_); }

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t state_of_both = a ^ (b * 0xd6e8feb86659fd93U);
  return advance(state_of_both);
}

}  // namespace logwood
