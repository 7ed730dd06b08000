#include "storage/jsonl/file_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "io/append_all.hpp"

namespace logwood::storage::jsonl {
namespace {

constexpr std::size_t chunk_size = 1U << 20U;
constexpr int attempts_max = 100;

}  // namespace

Result<> copy_bytes(const io::File& source, std::uint64_t from, std::uint64_t to, io::File& target,
                    const PieceVisitor& told) {
  std::vector<char> chunk(static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size, to - from)));
  while (from < to) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), to - from));
    LOGWOOD_TRY(const std::size_t got, source.read_at(from, std::span(chunk.data(), size)));
    if (got == 0)
      return Error{ErrorCode::unavailable, "the file became shorter while it was copied"};
    LOGWOOD_CHECK(io::append_all(target, {chunk.data(), got}));
    from += got;
    if (told) LOGWOOD_CHECK(told(from));
  }
  return {};
}

Result<std::unique_ptr<io::File>> create_numbered(io::FileSystem& files, std::string_view folder,
                                                  const std::function<std::string(int)>& name) {
  LOGWOOD_CHECK(files.make_folder(std::string(folder)));
  for (int attempt = 0;; ++attempt) {
    auto created = files.create(name(attempt));
    const bool taken = !created && created.error().code == ErrorCode::already_exists;
    if (!taken || attempt == attempts_max) return created;
  }
}

Result<std::unique_ptr<io::File>> open_locked(io::FileSystem& files, const std::string& name,
                                              std::chrono::milliseconds patience) {
  while (true) {
    LOGWOOD_TRY(auto file, files.open(name, io::Access::write));
    LOGWOOD_CHECK(file->lock(io::LockKind::exclusive, patience));
    LOGWOOD_TRY(const io::FileStatus ours, file->status());
    const auto named = files.status(name);
    if (!named) return named.error();
    if (named->identity == ours.identity) return file;
  }
}

Result<> compare_bytes(const io::File& one, const io::File& other, const PieceVisitor& told) {
  std::vector<char> left(chunk_size);
  std::vector<char> right(chunk_size);
  for (std::uint64_t at = 0;;) {
    LOGWOOD_TRY(const std::size_t got, one.read_at(at, left));
    LOGWOOD_TRY(const std::size_t also, other.read_at(at, right));
    if (got != also ||
        !std::equal(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(got), right.begin())) {
      return Error{ErrorCode::unavailable, "what was written reads otherwise; check the disk"};
    }
    if (got == 0) return {};
    at += got;
    if (told) LOGWOOD_CHECK(told(at));
  }
}

Result<std::unique_ptr<io::File>> create_locked(io::FileSystem& files, const std::string& name) {
  auto file = files.create(name);
  const bool stale = !file && file.error().code == ErrorCode::already_exists;
  if (stale) file = files.open(name, io::Access::write);
  if (!file) return file;
  LOGWOOD_CHECK((*file)->lock(io::LockKind::exclusive, std::chrono::milliseconds(0)));
  if (!stale) return file;
  // Whoever made it may have finished while we came to lock it: then this is no
  // longer a file that is being made.
  LOGWOOD_TRY(const io::FileStatus ours, (*file)->status());
  const auto named = files.status(name);
  if (!named || named->identity != ours.identity) {
    return Error{ErrorCode::busy, fmt::format("{} was just finished by somebody else", name)};
  }
  LOGWOOD_CHECK((*file)->truncate(0));
  return file;
}

}  // namespace logwood::storage::jsonl
