// What appending costs without a store: the system calls and hashes alone, in the cheapest form.
#pragma once

#include <fcntl.h>
#include <isa-l/crc.h>
#include <openssl/evp.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "measure.hpp"

namespace logwood::bench {

/// A file that is appended to, with no more around it than a descriptor.
class BareFile {
 public:
  explicit BareFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) give_up("no file " + path);
  }
  BareFile(const BareFile&) = delete;
  BareFile& operator=(const BareFile&) = delete;
  ~BareFile() { ::close(descriptor_); }

  void write(std::string_view bytes) {
    if (::write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      give_up("a plain write fell short");
    }
  }

  void sync() {
    if (::fdatasync(descriptor_) != 0) give_up("a plain sync failed");
  }

  void lock() { set_lock(F_WRLCK); }
  void unlock() { set_lock(F_UNLCK); }

 private:
  void set_lock(short type) {
    struct flock range{};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = off_t{1} << 62;
    range.l_len = 1;
    if (::fcntl(descriptor_, F_OFD_SETLK, &range) != 0) give_up("a plain lock failed");
  }

  int descriptor_;
};

/// SHA-256 by the same calls as the library's own.
class BareHash {
 public:
  using Digest = std::array<unsigned char, 32>;

  BareHash() = default;
  BareHash(const BareHash&) = delete;
  BareHash& operator=(const BareHash&) = delete;
  ~BareHash() {
    EVP_MD_CTX_free(context_);
    EVP_MD_free(algorithm_);
  }

  void begin() { require(EVP_DigestInit_ex2(context_, algorithm_, nullptr)); }
  void add(std::string_view bytes) {
    require(EVP_DigestUpdate(context_, bytes.data(), bytes.size()));
  }
  Digest end() {
    Digest digest{};
    require(EVP_DigestFinal_ex(context_, digest.data(), nullptr));
    return digest;
  }

 private:
  static void require(int outcome) {
    if (outcome != 1) give_up("a plain hash failed");
  }

  EVP_MD* algorithm_ = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  EVP_MD_CTX* context_ = EVP_MD_CTX_new();
};

inline std::uint32_t bare_crc32c(std::string_view bytes) {
  auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  return ~crc32_iscsi(data, static_cast<int>(bytes.size()), 0xFFFFFFFFU);
}

inline std::array<unsigned char, 12> bare_salt() {
  std::array<unsigned char, 12> salt{};
  if (::getrandom(salt.data(), salt.size(), 0) != static_cast<ssize_t>(salt.size())) {
    give_up("no random bytes");
  }
  return salt;
}

}  // namespace logwood::bench
