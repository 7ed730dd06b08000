// Packing and unpacking whole frames of zstd. Streams from outside are read by decompressing.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "logwood/result.hpp"

namespace logwood {

/// The most bytes that a frame of so much content can have.
[[nodiscard]] std::size_t zstd_frame_size_max(std::size_t content_size);

/// Packs contents into zstd frames (RFC 8878), each by itself. Not for two threads at once.
class ZstdPacker {
 public:
  ZstdPacker();
  ~ZstdPacker();
  ZstdPacker(const ZstdPacker&) = delete;
  ZstdPacker& operator=(const ZstdPacker&) = delete;

  /// One frame, level 3, which says how large its content is and ends with a checksum of it.
  Result<std::string> frame_of(std::string_view content);

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

/// Fills `into` with the content of a frame. `damaged` unless these bytes are one whole frame, its
/// content has exactly that size, and its checksum, if it has one, is right. Whatever the frame
/// claims, nothing is allocated for it.
Result<> unpack_zstd(std::string_view frame, std::span<char> into);

}  // namespace logwood
