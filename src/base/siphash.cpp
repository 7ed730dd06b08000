#include "base/siphash.hpp"

#include <bit>
#include <cstring>

#include "base/random_bytes.hpp"

namespace logwood {
namespace {

struct State {
  std::uint64_t a, b, c, d;

  void round() {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }

  void absorb(std::uint64_t word) {
    d ^= word;
    round();
    round();
    a ^= word;
  }
};

}  // namespace

std::uint64_t siphash(const SipKey& key, std::string_view bytes) {
  State state{key[0] ^ 0x736f6d6570736575ULL, key[1] ^ 0x646f72616e646f6dULL,
              key[0] ^ 0x6c7967656e657261ULL, key[1] ^ 0x7465646279746573ULL};
  const std::uint64_t length = static_cast<std::uint64_t>(bytes.size()) << 56U;
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    state.absorb(word);
    bytes.remove_prefix(8);
  }
  std::uint64_t last = 0;
  std::memcpy(&last, bytes.data(), bytes.size());
  state.absorb(last | length);
  state.c ^= 0xff;
  for (int i = 0; i < 4; ++i) state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

SipKey new_sip_key() {
  std::array<std::uint8_t, sizeof(SipKey)> bytes{};
  fill_random(bytes);
  return std::bit_cast<SipKey>(bytes);
}

}  // namespace logwood
