#include "storage/postgres/session_maker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random_bytes.hpp"
#include "model/entry_fields.hpp"
#include "model/head_mark.hpp"
#include "model/header.hpp"
#include "model/long_strings.hpp"
#include "storage/postgres/catalog_statements.hpp"
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
  LOGWOOD_CHECK(begin_sealed(header_text));
  return seal(header_text.substr(0, header_text.size() - 1), header_.id.text, false);
}

Result<> SessionMaker::begin_sealed(std::string_view header_text) {
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
  auto added = connection_.run(sql::add_session, values, database_.deadline());
  if (!added) {
    if (added.error().code != ErrorCode::already_exists) return std::move(added).error();
    return Error{ErrorCode::already_exists,
                 fmt::format("there is a session {} already", header_.id.text)};
  }
  session_ = added->integer(0, 0);
  return {};
}

void SessionMaker::take_place(std::string_view entry_text, const EntryPlace& place) {
  if (place.kind == EntryKind::tree) tail_ = head_ = EntryId{std::string(place.id)};
  if (const auto target = head_target(entry_text)) {
    tail_ = EntryId{std::string(place.id)};
    head_ = *target;
  }
}

Result<> SessionMaker::add_sealed(std::string_view line, const format::SealedLine& sealed) {
  const EntryPlace place = find_place(line);
  take_place(line, place);
  ++seq_;
  std::copy(sealed.link.begin(), sealed.link.end(), link_.begin());
  return keep(std::string(line), place.id, place.is_redaction);
}

Result<> SessionMaker::add_blob(std::string_view hash, std::string_view content) {
  PgValues values = database_.values();
  values.int8(session_).texts({&hash, 1}).byte_strings({&content, 1});
  LOGWOOD_CHECK(connection_.run(sql::add_blobs, values, database_.deadline()));
  return {};
}

Result<> SessionMaker::add(std::string_view entry_text) {
  const std::string_view body = entry_text.substr(0, entry_text.size() - 1);
  const EntryPlace place = find_place(entry_text);
  take_place(entry_text, place);
  const SpilledText spilled = spill(body);
  for (std::size_t i = 0; i < spilled.refs.size(); ++i) {
    LOGWOOD_CHECK(add_blob(spilled.refs[i].hash, spilled.strings[i]));
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
  line.pop_back();
  return keep(std::move(line), id, is_redaction);
}

Result<> SessionMaker::keep(std::string line, std::string_view id, bool is_redaction) {
  size_bytes_ += line.size() + 1;
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
  auto added = connection_.run(sql::add_lines, values, database_.deadline());
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
  LOGWOOD_CHECK(
      connection_.run(is_new_ ? sql::add_tail : sql::set_tail, values, database_.deadline()));
  PgValues made = database_.values();
  made.int8(session_);
  LOGWOOD_CHECK(connection_.run(sql::touch_recency, made, database_.deadline()));
  return {};
}

}  // namespace logwood::storage::postgres
