// Random bytes that repeat: salts and keys come out the same in every run, so that a
// crash state can be named by numbers and found again.
//
// The library draws from fill_random. A program that wants to repeat says
//
//   LOGWOOD_REPEATABLE_RANDOM
//
// in one of its sources: that defines the function once more, in the program itself,
// and so the linker never looks for the one in the library.
#pragma once

#include <cstdint>
#include <span>

#include "base/random_bytes.hpp"

namespace logwood {

void fill_repeatably(std::span<std::uint8_t> bytes);

/// While it lives, this thread draws the bytes that `seed` stands for; afterwards it
/// goes on as if nothing had been drawn meanwhile.
class RepeatableRandom {
 public:
  explicit RepeatableRandom(std::uint64_t seed);
  ~RepeatableRandom();
  RepeatableRandom(const RepeatableRandom&) = delete;
  RepeatableRandom& operator=(const RepeatableRandom&) = delete;

 private:
  std::uint64_t before_;
};

/// Numbers for choices that a test makes: small, fast, the same everywhere.
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

/// A number that depends on both in every bit.
[[nodiscard]] std::uint64_t mixed(std::uint64_t a, std::uint64_t b);

}  // namespace logwood

#define LOGWOOD_REPEATABLE_RANDOM \
  void logwood::fill_random(std::span<std::uint8_t> bytes) { ::logwood::fill_repeatably(bytes); }
