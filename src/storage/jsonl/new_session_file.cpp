#include "storage/jsonl/new_session_file.hpp"

#include "base/random_bytes.hpp"
#include "io/append_all.hpp"
#include "storage/jsonl/file_copy.hpp"

namespace logwood::storage::jsonl {
namespace {

constexpr std::size_t written_at_once = 1U << 20U;

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

}  // namespace logwood::storage::jsonl
