#include "storage/jsonl/new_session_file.hpp"

#include <fmt/format.h>

#include "base/random_bytes.hpp"
#include "base/seeded_bugs.hpp"
#include "io/append_all.hpp"
#include "storage/jsonl/blobs.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/session_file.hpp"

namespace logwood::storage::jsonl {
namespace {

constexpr std::size_t written_at_once = 1U << 20U;

Error already_exists(const SessionId& id) {
  return {ErrorCode::already_exists, fmt::format("there is a session {} already", id.text)};
}

Result<> check_free(io::FileSystem& files, const SessionId& id, const SessionNames& names) {
  LOGWOOD_TRY(const Form form, form_of(files, names));
  return form == Form::none ? Result<>() : already_exists(id);
}

Result<> write_lines(io::File& file, const SessionId& id, std::string_view header,
                     const EntrySource& entries, Blobs& blobs) {
  NewSessionFile lines(id, file);
  LOGWOOD_CHECK(lines.seal(header.substr(0, header.size() - 1)));
  while (entries) {
    LOGWOOD_TRY(const std::optional<std::string> text, entries());
    if (!text) break;
    const std::string_view body = std::string_view(*text).substr(0, text->size() - 1);
    const SpilledText spilled = spill(body);
    LOGWOOD_CHECK(blobs.keep(spilled));
    LOGWOOD_CHECK(lines.seal(spilled.refs.empty() ? body : spilled.body));
  }
  LOGWOOD_CHECK(lines.write_out());
  return LOGWOOD_SEEDED(create_not_synced) ? Result<>() : file.sync();
}

}  // namespace

Result<> NewSessionFile::seal(std::string_view body) {
  format::BatchSeal batch;
  batch.session_id = session_.text;
  batch.first_seq = ++seq_;
  format::Salt salt{};
  fill_random(salt);
  format::seal_line(pending_, batch, 1, body, salt, link_);
  return write_out_if_full();
}

Result<> NewSessionFile::copy(std::string_view line) {
  pending_.append(line).append("\n");
  return write_out_if_full();
}

Result<> NewSessionFile::write_out_if_full() {
  return pending_.size() >= written_at_once ? write_out() : Result<>();
}

Result<> NewSessionFile::write_out() {
  LOGWOOD_CHECK(io::append_all(target_, pending_));
  pending_.clear();
  return {};
}

Result<> create_session_file(io::FileSystem& files, const SessionId& id, const SessionNames& names,
                             std::string_view header, const EntrySource& entries) {
  LOGWOOD_CHECK(check_free(files, id, names));
  LOGWOOD_TRY(const auto file, create_locked(files, names.new_file));
  if (auto still = check_free(files, id, names); !still) {
    (void)files.remove(names.new_file);
    return std::move(still).error();
  }
  Blobs blobs(files, names.blobs);
  if (auto written = write_lines(*file, id, header, entries, blobs); !written) {
    (void)blobs.remove_all_but({});
    (void)files.remove(names.new_file);
    return std::move(written).error();
  }
  auto named = files.rename(names.new_file, names.file, io::Replace::never);
  if (!named) {
    // Blobs stay: a rename that fails may have been done all the same.
    (void)files.remove(names.new_file);
    if (named.error().code == ErrorCode::already_exists) return already_exists(id);
    return std::move(named).error();
  }
  if (LOGWOOD_SEEDED(no_folder_sync)) return {};
  return files.sync_folder(std::string(sessions_folder));
}

}  // namespace logwood::storage::jsonl
