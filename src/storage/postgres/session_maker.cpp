#include "storage/postgres/session_maker.hpp"

#include <fmt/format.h>

#include "base/random_bytes.hpp"
#include "model/entry_fields.hpp"
#include "model/head_mark.hpp"
#include "model/header.hpp"
#include "model/long_strings.hpp"
#include "storage/postgres/statements.hpp"

namespace logwood::storage::postgres {
namespace {

constexpr std::size_t written_at_once = 1U << 20U;
constexpr std::size_t lines_at_once = 1000;

std::optional<std::string_view> view(const std::optional<EntryId>& id) {
  return id ? std::optional<std::string_view>(id->text) : std::nullopt;
}

}  // namespace

Result<> SessionMaker::begin(std::string_view header_text) {
  const auto source = fork_source(header_);
  PgValues values = database_.values();
  values.text(header_.id.text)
      .bytes(header_.key)
      .bytes(header_.cwd)
      .text_or_null(header_.parent
                        ? std::optional<std::string_view>(header_.parent->session_id.text)
                        : std::nullopt)
      .text_or_null(source ? std::optional<std::string_view>(source->text) : std::nullopt)
      .text(header_.created)
      .bytes(header_text);
  auto added = connection_.run(sql::add_session, values, deadline_);
  if (!added) {
    if (added.error().code != ErrorCode::already_exists) return std::move(added).error();
    return Error{ErrorCode::already_exists,
                 fmt::format("there is a session {} already", header_.id.text)};
  }
  session_ = added->integer(0, 0);
  return seal(header_text.substr(0, header_text.size() - 1), header_.id.text, false);
}

Result<> SessionMaker::add(std::string_view entry_text) {
  const std::string_view body = entry_text.substr(0, entry_text.size() - 1);
  const EntryPlace place = find_place(entry_text);
  if (place.kind == EntryKind::tree) tail_ = head_ = EntryId{std::string(place.id)};
  if (const auto target = head_target(entry_text)) {
    tail_ = EntryId{std::string(place.id)};
    head_ = *target;
  }
  const SpilledText spilled = spill(body);
  if (!spilled.refs.empty()) {
    std::vector<std::string_view> hashes;
    for (const BlobRef& ref : spilled.refs) hashes.push_back(ref.hash);
    PgValues values = database_.values();
    values.int8(session_).texts(hashes).byte_strings(spilled.strings);
    LOGWOOD_CHECK(connection_.run(sql::add_blobs, values, deadline_));
  }
  return seal(spilled.refs.empty() ? body : std::string_view(spilled.body), place.id,
              place.is_redaction);
}

Result<> SessionMaker::seal(std::string_view body, std::string_view id, bool is_redaction) {
  format::BatchSeal batch;
  batch.session_id = header_.id.text;
  batch.first_seq = ++seq_;
  format::Salt salt{};
  fill_random(salt);
  std::string line;
  format::seal_line(line, batch, 1, body, salt, link_);
  size_bytes_ += line.size();
  line.pop_back();
  pending_bytes_ += line.size();
  lines_.push_back(std::move(line));
  ids_.emplace_back(id);
  are_redactions_.push_back(is_redaction);
  return pending_bytes_ >= written_at_once || lines_.size() == lines_at_once ? write_out()
                                                                             : Result<>();
}

Result<> SessionMaker::write_out() {
  if (lines_.empty()) return {};
  const std::vector<std::string_view> ids(ids_.begin(), ids_.end());
  const std::vector<std::string_view> lines(lines_.begin(), lines_.end());
  PgValues values = database_.values();
  values.int8(session_)
      .int8(seq_ - lines_.size())
      .texts(ids)
      .booleans(are_redactions_)
      .byte_strings(lines);
  deadline_ = database_.deadline();  // each of them has its time
  auto added = connection_.run(sql::add_lines, values, deadline_);
  if (!added) return std::move(added).error();
  lines_.clear();
  ids_.clear();
  are_redactions_.clear();
  pending_bytes_ = 0;
  return {};
}

Result<> SessionMaker::finish() {
  LOGWOOD_CHECK(write_out());
  PgValues values = database_.values();
  const std::string link(format::view(link_));
  values.int8(session_)
      .int8(seq_)
      .text(link)
      .int8(size_bytes_)
      .text_or_null(view(tail_))
      .text_or_null(view(head_));
  LOGWOOD_CHECK(connection_.run(sql::add_tail, values, deadline_));
  PgValues made = database_.values();
  made.int8(session_);
  LOGWOOD_CHECK(connection_.run(sql::touch_recency, made, deadline_));
  return {};
}

}  // namespace logwood::storage::postgres
