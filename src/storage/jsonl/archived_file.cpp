#include "storage/jsonl/archived_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <span>

#include "base/zstd.hpp"
#include "format/seek_table.hpp"

namespace logwood::storage::jsonl {
namespace {

// Lines lie across the border of two frames; more would be memory for every open session.
constexpr std::size_t kept_frames_max = 2;

Error damaged(const std::string& name, std::string_view why) {
  return {ErrorCode::damaged,
          fmt::format("{} is damaged: {}; put it back from a backup, or save what zstd -dc still "
                      "unpacks of it",
                      name, why)};
}

Result<std::string> read_exactly(const io::File& file, std::uint64_t offset, std::size_t size,
                                 const std::string& name) {
  std::string bytes(size, '\0');
  LOGWOOD_TRY(const std::size_t got, file.read_at(offset, std::span(bytes.data(), size)));
  if (got != size) return damaged(name, "it became shorter");
  return bytes;
}

Result<format::SeekTable> read_seek_table(const io::File& archive, std::uint64_t size,
                                          const std::string& name) {
  if (size < format::seek_table_footer_size) return damaged(name, "its seek table is missing");
  LOGWOOD_TRY(const std::string footer, read_exactly(archive, size - format::seek_table_footer_size,
                                                     format::seek_table_footer_size, name));
  const auto table_size = format::seek_table_size(footer, size);
  if (!table_size) return damaged(name, table_size.error().message);
  LOGWOOD_TRY(const std::string bytes,
              read_exactly(archive, size - *table_size, *table_size, name));
  auto table = format::parse_seek_table(bytes, size);
  if (!table) return damaged(name, table.error().message);
  return table;
}

class ArchivedFile final : public io::File {
 public:
  ArchivedFile(std::unique_ptr<io::File> archive, std::string name, format::SeekTable table)
      : archive_(std::move(archive)), name_(std::move(name)), table_(std::move(table)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const override {
    const std::lock_guard guard(mutex_);
    std::size_t filled = 0;
    while (filled < into.size() && offset + filled < table_.content_size()) {
      const format::ArchiveFrame& frame = table_.frame_at(offset + filled);
      LOGWOOD_TRY(const std::string* const content, content_of(frame));
      const auto begin = static_cast<std::size_t>(offset + filled - frame.content_offset);
      const std::size_t size = std::min(into.size() - filled, content->size() - begin);
      std::copy_n(content->begin() + static_cast<std::ptrdiff_t>(begin), size,
                  into.begin() + static_cast<std::ptrdiff_t>(filled));
      filled += size;
    }
    return filled;
  }

  Result<io::FileStatus> status() const override {
    LOGWOOD_TRY(io::FileStatus status, archive_->status());
    status.size_bytes = table_.content_size();
    return status;
  }

  Result<> lock(io::LockKind kind, std::chrono::milliseconds patience) override {
    return archive_->lock(kind, patience);
  }
  void unlock() override { archive_->unlock(); }

  Result<std::size_t> append(std::string_view) override { return read_only(); }
  Result<> write_at(std::uint64_t, std::string_view) override { return read_only(); }
  Result<> truncate(std::uint64_t) override { return read_only(); }
  Result<> sync() override { return read_only(); }

 private:
  struct KeptFrame {
    std::uint64_t offset = 0;
    std::string content;
  };

  [[nodiscard]] Error read_only() const {
    return {ErrorCode::internal, fmt::format("{} is open for reading only", name_)};
  }

  // Valid until the next call.
  Result<const std::string*> content_of(const format::ArchiveFrame& frame) const {
    const auto kept = std::find_if(kept_.begin(), kept_.end(), [&](const KeptFrame& one) {
      return one.offset == frame.offset;
    });
    if (kept != kept_.end()) return &kept->content;
    LOGWOOD_TRY(const std::string packed, read_exactly(*archive_, frame.offset, frame.size, name_));
    std::string content(frame.content_size, '\0');
    if (auto unpacked = unpack_zstd(packed, content); !unpacked) {
      return damaged(
          name_,
          fmt::format("bytes {} to {} of the session cannot be read ({})", frame.content_offset,
                      frame.content_offset + frame.content_size, unpacked.error().message));
    }
    if (kept_.size() == kept_frames_max) kept_.pop_front();
    kept_.push_back({frame.offset, std::move(content)});
    return &kept_.back().content;
  }

  std::unique_ptr<io::File> archive_;
  std::string name_;
  format::SeekTable table_;
  mutable std::mutex mutex_;            // of kept_: read_at is for several threads
  mutable std::deque<KeptFrame> kept_;  // the oldest first
};

}  // namespace

Result<std::unique_ptr<io::File>> open_archive(std::unique_ptr<io::File> archive,
                                               const std::string& name) {
  LOGWOOD_TRY(const io::FileStatus status, archive->status());
  LOGWOOD_TRY(format::SeekTable table, read_seek_table(*archive, status.size_bytes, name));
  return std::unique_ptr<io::File>(
      std::make_unique<ArchivedFile>(std::move(archive), name, std::move(table)));
}

}  // namespace logwood::storage::jsonl
