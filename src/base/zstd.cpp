#include "base/zstd.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <new>

namespace logwood {
namespace {

constexpr int level = 3;

Error cannot_unpack(std::string_view why) {
  return {ErrorCode::damaged, fmt::format("a zstd frame cannot be unpacked: {}", why)};
}

}  // namespace

std::size_t zstd_frame_size_max(std::size_t content_size) {
  return ZSTD_compressBound(content_size);
}

class ZstdPacker::Inside {
 public:
  Inside() : context_(ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    // Both are in every version of the library, so that they cannot fail.
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);
  }
  ~Inside() { ZSTD_freeCCtx(context_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  [[nodiscard]] ZSTD_CCtx* context() const { return context_; }

 private:
  ZSTD_CCtx* context_;
};

ZstdPacker::ZstdPacker() : inside_(std::make_unique<Inside>()) {}
ZstdPacker::~ZstdPacker() = default;

Result<std::string> ZstdPacker::frame_of(std::string_view content) {
  std::string frame(zstd_frame_size_max(content.size()), '\0');
  const std::size_t size = ZSTD_compress2(inside_->context(), frame.data(), frame.size(),
                                          content.data(), content.size());
  if (ZSTD_isError(size) != 0) {
    return Error{ErrorCode::internal, fmt::format("zstd cannot pack {} bytes: {}", content.size(),
                                                  ZSTD_getErrorName(size))};
  }
  frame.resize(size);
  return frame;
}

Result<> unpack_zstd(std::string_view frame, std::span<char> into) {
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) {
    return cannot_unpack("it is not one whole frame");
  }
  // Where the frame does not say it, unpacking tells.
  const std::size_t size = ZSTD_decompress(into.data(), into.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) != 0) return cannot_unpack(ZSTD_getErrorName(size));
  if (size == into.size()) return {};
  return cannot_unpack(fmt::format("it has {} bytes instead of {}", size, into.size()));
}

}  // namespace logwood
