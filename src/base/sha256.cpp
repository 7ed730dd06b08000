// The one file that knows OpenSSL.
#include "base/sha256.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace logwood {
namespace {

// Fetched once: looking the algorithm up costs more than hashing a short line.
const EVP_MD* algorithm() {
  static EVP_MD* const md = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return md;
}

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

EVP_MD_CTX* context() {
  thread_local const std::unique_ptr<EVP_MD_CTX, FreeContext> mine(EVP_MD_CTX_new());
  return mine.get();
}

constexpr std::string_view hex_digits = "0123456789abcdef";

}  // namespace

Sha256 sha256(std::initializer_list<std::string_view> parts) {
  EVP_MD_CTX* hashing = context();
  Sha256 digest{};
  bool done = EVP_DigestInit_ex2(hashing, algorithm(), nullptr) == 1;
  const auto update = [&](std::string_view bytes) {
    done = done && EVP_DigestUpdate(hashing, bytes.data(), bytes.size()) == 1;
  };
  // Short parts are hashed together: each call costs as much as fifty bytes.
  std::array<char, 256> together;  // NOLINT(*-member-init): as much as is put there is looked at
  std::size_t size = 0;
  for (const std::string_view part : parts) {
    if (part.size() > together.size() - size) {
      update({together.data(), size});
      size = 0;
    }
    if (part.size() > together.size()) {
      update(part);
    } else {
      std::copy(part.begin(), part.end(), together.begin() + size);
      size += part.size();
    }
  }
  update({together.data(), size});
  done = done && EVP_DigestFinal_ex(hashing, digest.data(), nullptr) == 1;
  // Hashing memory fails only when memory itself has run out, which ends the
  // program here as everywhere: a wrong digest would be worse than none.
  if (!done) std::abort();
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
