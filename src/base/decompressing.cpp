#include "base/decompressing.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace logwood {
namespace {

constexpr std::size_t magic_size = 4;
constexpr std::uint64_t free_of_ratio = std::uint64_t{64} << 20U;
constexpr int zstd_window_log_max = 27;  // 128 MiB; what zstd itself takes by default

enum class Form : unsigned char { unknown, plain, gzip, zstd };

Form form_of(std::string_view begin) {
  if (begin.starts_with("\x1f\x8b")) return Form::gzip;
  if (begin.starts_with("\x28\xb5\x2f\xfd")) return Form::zstd;
  // A frame of zstd that is to be skipped: 50 … 5f 2a 4d 18.
  if (begin.size() == magic_size && (static_cast<unsigned char>(begin[0]) & 0xf0U) == 0x50 &&
      begin.substr(1) == "\x2a\x4d\x18") {
    return Form::zstd;
  }
  return Form::plain;
}

Error bad(std::string why) { return {ErrorCode::invalid_argument, std::move(why)}; }

struct EndInflate {
  void operator()(z_stream* stream) const {
    inflateEnd(stream);
    delete stream;
  }
};
struct FreeZstd {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// Shared state of a ByteSource, which is a function and can be copied.
class Decompression {
 public:
  Decompression(ByteSource source, const DecompressionLimits& limits)
      : source_(std::move(source)), limits_(limits) {}

  Result<std::size_t> read(std::span<char> into) {
    if (into.empty()) return std::size_t{0};
    if (form_ == Form::unknown) LOGWOOD_CHECK(begin());
    if (form_ == Form::plain) return read_plain(into);
    while (true) {
      if (at_ == filled_ && !ended_) LOGWOOD_CHECK(fill());
      LOGWOOD_TRY(const std::size_t made,
                  form_ == Form::gzip ? inflate_some(into) : zstd_some(into));
      total_out_ += made;
      LOGWOOD_CHECK(check_limits());
      if (made > 0) return made;
      if (at_ < filled_ || !ended_) continue;
      if (!between_) return bad("the compressed data ends in the middle; it is cut off");
      return std::size_t{0};
    }
  }

 private:
  Result<> begin() {
    while (filled_ < magic_size && !ended_) {
      LOGWOOD_TRY(const std::size_t got, source_(std::span(buffer_).subspan(filled_)));
      ended_ = got == 0;
      filled_ += got;
    }
    total_in_ = filled_;
    form_ = form_of({buffer_.data(), std::min(filled_, magic_size)});
    if (form_ == Form::gzip) return begin_gzip();
    if (form_ == Form::zstd) return begin_zstd();
    return {};
  }

  Result<> begin_gzip() {
    gzip_.reset(new z_stream{});
    constexpr int with_gzip_header = 16;
    if (inflateInit2(gzip_.get(), MAX_WBITS + with_gzip_header) == Z_OK) return {};
    return Error{ErrorCode::unavailable, "zlib could not be started"};
  }

  Result<> begin_zstd() {
    zstd_.reset(ZSTD_createDCtx());
    if (zstd_ && ZSTD_isError(ZSTD_DCtx_setParameter(zstd_.get(), ZSTD_d_windowLogMax,
                                                     zstd_window_log_max)) == 0) {
      return {};
    }
    return Error{ErrorCode::unavailable, "zstd could not be started"};
  }

  Result<> fill() {
    at_ = filled_ = 0;
    LOGWOOD_TRY(filled_, source_(buffer_));
    total_in_ += filled_;
    ended_ = filled_ == 0;
    return {};
  }

  Result<std::size_t> read_plain(std::span<char> into) {
    if (at_ == filled_) {
      if (ended_) return std::size_t{0};
      return source_(into);
    }
    const std::size_t size = std::min(into.size(), filled_ - at_);
    std::copy_n(buffer_.data() + at_, size, into.data());
    at_ += size;
    return size;
  }

  Result<std::size_t> inflate_some(std::span<char> into) {
    if (at_ == filled_ && between_) return std::size_t{0};
    if (between_) inflateReset(gzip_.get());  // another member follows
    between_ = false;
    gzip_->next_in = reinterpret_cast<Bytef*>(buffer_.data() + at_);
    gzip_->avail_in = static_cast<uInt>(filled_ - at_);
    gzip_->next_out = reinterpret_cast<Bytef*>(into.data());
    const auto room = static_cast<uInt>(std::min<std::size_t>(into.size(), 1U << 30U));
    gzip_->avail_out = room;
    const int outcome = inflate(gzip_.get(), Z_NO_FLUSH);
    at_ = filled_ - gzip_->avail_in;
    if (outcome == Z_STREAM_END) {
      between_ = true;
    } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      return bad("the gzip data is damaged");
    }
    return room - gzip_->avail_out;
  }

  Result<std::size_t> zstd_some(std::span<char> into) {
    ZSTD_inBuffer in{buffer_.data() + at_, filled_ - at_, 0};
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    const std::size_t outcome = ZSTD_decompressStream(zstd_.get(), &out, &in);
    if (ZSTD_isError(outcome) != 0) {
      return bad(fmt::format("the zstd data is damaged: {}", ZSTD_getErrorName(outcome)));
    }
    at_ += in.pos;
    if (in.pos > 0 || out.pos > 0) between_ = outcome == 0;
    return out.pos;
  }

  [[nodiscard]] Result<> check_limits() const {
    if (total_out_ > limits_.total_bytes) {
      return bad(fmt::format("it holds more than {} bytes; decompress it yourself if you trust it",
                             limits_.total_bytes));
    }
    if (total_out_ > free_of_ratio && (total_out_ - free_of_ratio) / limits_.ratio > total_in_) {
      return bad(
          fmt::format("it grows to more than {} times its size, which no transcript does; "
                      "decompress it yourself if you trust it",
                      limits_.ratio));
    }
    return {};
  }

  ByteSource source_;
  DecompressionLimits limits_;
  Form form_ = Form::unknown;
  std::array<char, std::size_t{64} << 10U> buffer_{};  // of compressed bytes
  std::size_t filled_ = 0;
  std::size_t at_ = 0;
  bool ended_ = false;   // the source has
  bool between_ = true;  // two members or frames
  std::uint64_t total_in_ = 0;
  std::uint64_t total_out_ = 0;
  std::unique_ptr<z_stream, EndInflate> gzip_;
  std::unique_ptr<ZSTD_DCtx, FreeZstd> zstd_;
};

}  // namespace

ByteSource decompressing(ByteSource source, const DecompressionLimits& limits) {
  // Owners: the copies of the source that is returned.
  return [state = std::make_shared<Decompression>(std::move(source), limits)](
             std::span<char> into) { return state->read(into); };
}

}  // namespace logwood
