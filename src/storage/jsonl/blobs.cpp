#include "storage/jsonl/blobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/seeded_bugs.hpp"
#include "base/sha256.hpp"
#include "io/append_all.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/layout.hpp"

namespace logwood::storage::jsonl {

namespace {

constexpr std::string_view unfinished_ending = ".new";

// Or that of one which was never finished.
bool is_blob_name(std::string_view name) {
  if (name.ends_with(unfinished_ending)) name.remove_suffix(unfinished_ending.size());
  Sha256 hash{};
  return from_hex(name, hash);
}

}  // namespace

Result<std::unordered_set<std::string>> blobs_named_in(const io::File& file) {
  constexpr std::size_t read_at_once = 1U << 20U;
  std::unordered_set<std::string> named;
  std::string bytes(read_at_once, '\0');
  std::size_t kept = 0;  // of the bytes before: a name may lie across the border
  for (std::uint64_t at = 0;;) {
    LOGWOOD_TRY(const std::size_t got,
                file.read_at(at, std::span(bytes.data() + kept, bytes.size() - kept)));
    if (got == 0) return named;
    at += got;
    const std::size_t size = kept + got;
    collect_blob_names(std::string_view(bytes).substr(0, size), named);
    kept = std::min(size, blob_name_size - 1);
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(size - kept),
              bytes.begin() + static_cast<std::ptrdiff_t>(size), bytes.begin());
  }
}

std::string Blobs::path_of(std::string_view name) const {
  return fmt::format("{}/{}", folder_, name);
}

Result<std::optional<std::string>> Blobs::read(const BlobRef& ref) const {
  const auto nothing = std::optional<std::string>();
  const auto file = files_->open(path_of(ref.hash), io::Access::read);
  if (!file) {
    if (file.error().code == ErrorCode::not_found) return nothing;
    // A folder or a link in its place is no blob.
    const auto found = files_->status(path_of(ref.hash));
    if (found && !found->is_file) return nothing;
    return file.error();
  }
  LOGWOOD_TRY(const io::FileStatus status, (*file)->status());
  if (status.size_bytes != ref.length) return nothing;
  std::string bytes(static_cast<std::size_t>(ref.length), '\0');
  LOGWOOD_TRY(const std::size_t got, (*file)->read_at(0, std::span(bytes.data(), bytes.size())));
  const bool same = got == bytes.size() && to_hex(sha256({bytes})) == ref.hash;
  if (!same && !LOGWOOD_SEEDED(altered_blob_returned)) return nothing;
  return std::optional(std::move(bytes));
}

// It gets its name when it is whole, so one that is there was synced.
Result<> Blobs::write(const std::string& name, std::string_view bytes) {
  const std::string unfinished = path_of(name + std::string(unfinished_ending));
  LOGWOOD_TRY(const auto file, create_locked(*files_, unfinished));
  auto done = io::append_all(*file, bytes);
  if (done && !LOGWOOD_SEEDED(blob_not_synced)) done = file->sync();
  if (done) return files_->rename(unfinished, path_of(name), io::Replace::existing);
  (void)files_->remove(unfinished);
  return done;
}

Result<> Blobs::keep(const SpilledText& text) {
  if (text.refs.empty()) return {};
  LOGWOOD_CHECK(files_->make_folder(std::string(blobs_folder)));
  LOGWOOD_CHECK(files_->make_folder(folder_));
  for (std::size_t i = 0; i < text.refs.size(); ++i) {
    LOGWOOD_TRY(const auto known, read(text.refs[i]));
    if (!known) LOGWOOD_CHECK(write(text.refs[i].hash, text.strings[i]));
  }
  // Whoever wrote one that was known may have been killed before its name was durable.
  if (!LOGWOOD_SEEDED(blob_folder_not_synced)) LOGWOOD_CHECK(files_->sync_folder(folder_));
  if (folder_synced_) return {};
  LOGWOOD_CHECK(files_->sync_folder(std::string(blobs_folder)));
  LOGWOOD_CHECK(files_->sync_folder(""));
  folder_synced_ = true;
  return {};
}

Result<RestoredText> Blobs::restore(std::string_view body) const {
  return restore_text(body, [this](const BlobRef& ref) { return read(ref); });
}

// Other names are not ours.
Result<std::vector<std::string>> Blobs::names() const {
  auto names = files_->list(folder_);
  if (!names) {
    if (names.error().code == ErrorCode::not_found) return std::vector<std::string>();
    return names;
  }
  std::erase_if(*names, [](const std::string& name) { return !is_blob_name(name); });
  return names;
}

Result<bool> Blobs::is_empty() const {
  LOGWOOD_TRY(const std::vector<std::string> found, names());
  return found.empty();
}

Result<> Blobs::remove_all_but(const std::unordered_set<std::string>& kept) {
  LOGWOOD_TRY(const std::vector<std::string> found, names());
  bool removed = false;
  for (const std::string& name : found) {
    if (kept.contains(name)) continue;
    LOGWOOD_CHECK(files_->remove(path_of(name)));
    removed = true;
  }
  return removed ? files_->sync_folder(folder_) : Result<>();
}

}  // namespace logwood::storage::jsonl
