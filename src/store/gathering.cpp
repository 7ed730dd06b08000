#include "store/gathering.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/timestamp.hpp"
#include "format/line_reader.hpp"
#include "io/append_all.hpp"
#include "io/scratch_file.hpp"
#include "model/carried_entry.hpp"

namespace logwood {
namespace {

constexpr std::size_t left_out_kept_max = 1000;
constexpr std::size_t written_at_once = 1U << 20U;

Error refused(std::string why) { return {ErrorCode::invalid_argument, std::move(why)}; }

// A mark of which nothing is left does not have what a draft of its type must have.
Result<CheckedDraft> check_empty_mark(const Entry& entry) {
  return check_draft(Draft::of({.type = "session_info",
                                .id = entry.id,
                                .parent = Parent::root(),
                                .timestamp = entry.timestamp})
                         .text,
                     Newlines::refuse);
}

}  // namespace

Gathering::Gathering(References references, std::unique_ptr<io::File> file)
    : references_(references), file_(std::move(file)), kinds_(0, Hash{new_sip_key()}) {}

Result<Gathering> Gathering::begin(References references) {
  LOGWOOD_TRY(auto file, io::scratch_file());
  return Gathering(references, std::move(file));
}

void Gathering::leave_out(std::uint64_t line, std::string why) {
  ++left_out_count_;
  if (left_out_.size() < left_out_kept_max) left_out_.push_back({line, std::move(why)});
}

Result<> Gathering::take(const Entry& entry, std::uint64_t line) {
  const EntryId& id = entry.id;
  const EntryKind kind = kind_of(entry.type);
  auto text = checked(entry);
  if (!text) {
    const std::string place = line == 0 ? "" : fmt::format("line {}: ", line);
    leave_out(line, fmt::format("{}entry {}: {}", place, id.text, text.error().message));
    return {};
  }
  kinds_.emplace(id.text, kind);
  if (kind == EntryKind::tree) last_ = id;
  ++entries_;
  pending_.append(*text).append("\n");
  return pending_.size() >= written_at_once ? write_out() : Result<>();
}

Result<std::string> Gathering::checked(const Entry& entry) {
  if (kinds_.contains(entry.id.text)) return refused("its id was used before");
  if (entry.incomplete) {
    return refused(
        "a long text of it lies in a blob that is not here; logwood export writes "
        "files that have everything in them");
  }
  if (!is_timestamp(entry.timestamp))
    return refused("\"timestamp\" is missing or not of the form 2026-01-31T23:59:59.999Z");
  const bool is_empty_mark = kind_of(entry.type) == EntryKind::mark && is_empty(entry);
  std::string text = carried_text(entry);
  if (is_empty_mark) {
    LOGWOOD_TRY(const Entry mark, parse_entry(text));
    LOGWOOD_CHECK(check_empty_mark(mark));
    return text;
  }
  LOGWOOD_TRY(CheckedDraft draft, check_draft(text, Newlines::to_spaces));
  if (references_ == References::checked) LOGWOOD_CHECK(check_references(draft));
  return std::move(draft.text);
}

Result<> Gathering::check_references(const CheckedDraft& draft) const {
  if (draft.parent.at == Parent::At::entry)
    LOGWOOD_CHECK(check_known(draft.parent.id, "parent", true));
  if (draft.target) LOGWOOD_CHECK(check_known(*draft.target, "target", true));
  for (const EntryId& hidden : draft.redacted) LOGWOOD_CHECK(check_known(hidden, "target", false));
  return {};
}

Result<> Gathering::check_known(const EntryId& id, std::string_view role, bool in_tree) const {
  const auto known = kinds_.find(id.text);
  if (known == kinds_.end())
    return refused(fmt::format("its {} {} does not stand before it", role, id.text));
  if (in_tree && known->second != EntryKind::tree)
    return refused(fmt::format("its {} {} stands outside the tree", role, id.text));
  return {};
}

Result<> Gathering::write_out() {
  LOGWOOD_CHECK(io::append_all(*file_, pending_));
  pending_.clear();
  return {};
}

Result<storage::EntrySource> Gathering::source() {
  LOGWOOD_CHECK(write_out());
  const io::File* const file = file_.get();
  // Owners: the copies of the function.
  auto lines = std::make_shared<format::LineReader>(
      [file](std::uint64_t offset, std::span<char> into) { return file->read_at(offset, into); },
      format::LinePosition{});
  return storage::EntrySource([lines]() -> Result<std::optional<std::string>> {
    LOGWOOD_TRY(const auto line, lines->next());
    if (!line) return std::optional<std::string>();
    return std::optional(std::string(line->text));
  });
}

}  // namespace logwood
