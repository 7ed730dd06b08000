// The one file that knows OpenSSL. The older functions are used: the newer ones (EVP) make and
// clear a context on the heap for every hash, which for a link costs as much as the hash, and look
// the algorithm up when a process starts, which costs as much as a dozen synced appends.
#define OPENSSL_SUPPRESS_DEPRECATED  // NOLINT(*-macro-usage)

#include "base/sha256.hpp"

#include <openssl/sha.h>

#include <array>
#include <cstring>

namespace logwood {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

}  // namespace

Sha256 sha256(std::initializer_list<std::string_view> parts) {
  SHA256_CTX hashing;
  SHA256_Init(&hashing);
  // Small parts are gathered, and what follows them fills the last block they began: the bulk of
  // a long part is then hashed where it lies, and a link in one step.
  constexpr std::size_t block = 64;
  std::array<char, 4 * block> gathered;  // NOLINT(*-member-init): filled as far as it is read
  std::size_t filled = 0;
  for (std::string_view part : parts) {
    if (part.empty()) continue;  // it may point nowhere
    const bool fits = part.size() <= gathered.size() - filled;
    const std::size_t taken = fits ? part.size() : (block - filled % block) % block;
    std::memcpy(gathered.data() + filled, part.data(), taken);
    filled += taken;
    if (fits) continue;
    SHA256_Update(&hashing, gathered.data(), filled);
    SHA256_Update(&hashing, part.data() + taken, part.size() - taken);
    filled = 0;
  }
  SHA256_Update(&hashing, gathered.data(), filled);
  Sha256 digest;  // NOLINT(*-member-init): filled by the next call
  SHA256_Final(digest.data(), &hashing);
  return digest;
}

std::string to_hex(const Sha256& digest) {
  std::string text;
  text.reserve(digest.size() * 2);
  for (const std::uint8_t byte : digest) {
    text += hex_digits[byte >> 4U];
    text += hex_digits[byte & 15U];
  }
  return text;
}

bool from_hex(std::string_view text, Sha256& digest) {
  if (text.size() != digest.size() * 2) return false;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const std::size_t high = hex_digits.find(text[2 * i]);
    const std::size_t low = hex_digits.find(text[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return false;
    digest[i] = static_cast<std::uint8_t>(high << 4U | low);
  }
  return true;
}

}  // namespace logwood
