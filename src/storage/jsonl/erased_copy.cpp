#include "storage/jsonl/erased_copy.hpp"

#include <algorithm>
#include <tuple>

#include "base/seeded_bugs.hpp"
#include "format/line_reader.hpp"
#include "format/pieces.hpp"
#include "format/tombstone.hpp"
#include "io/append_all.hpp"
#include "model/entry_fields.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/forward_walk.hpp"

namespace logwood::storage::jsonl {
namespace {

constexpr std::size_t written_at_once = 1U << 20U;

class Copier {
 public:
  Copier(std::string_view session_id, const std::unordered_set<std::string>& ids,
         const EntryId& redaction)
      : session_id_(session_id), ids_(ids), redaction_(redaction) {}

  // Adds the bytes of a physical line to `out`.
  void copy(const format::PhysicalLine& line, std::string& out) {
    std::size_t copied = 0;  // of the line's text
    format::cut_line(session_id_, line, [&](const format::Piece& piece) {
      if (!piece.line || piece.line->is_tombstone) return;
      const std::string_view id = find_place(piece.line->text).id;
      if (!ids_.contains(std::string(id))) return;
      if (!replaced_.empty() && LOGWOOD_SEEDED(erases_one_copy)) return;
      format::Tombstone made = format::make_tombstone(session_id_, *piece.line, redaction_);
      const auto begin = static_cast<std::size_t>(piece.offset - line.offset);
      out.append(line.text.substr(copied, begin - copied)).append(made.text);
      copied = begin + piece.line->text.size();
      replaced_.push_back({EntryId{std::string(id)}, piece.line->seq, std::move(made.digest),
                           std::move(made.line)});
    });
    out.append(line.text.substr(copied));
    if (line.ended) out += '\n';
  }

  std::vector<ErasedEntry> take_replaced() { return std::move(replaced_); }

 private:
  std::string_view session_id_;
  const std::unordered_set<std::string>& ids_;
  const EntryId& redaction_;
  std::vector<ErasedEntry> replaced_;
};

}  // namespace

Result<std::vector<ErasedEntry>> copy_with_tombstones(const io::File& source,
                                                      std::string_view session_id,
                                                      const std::unordered_set<std::string>& ids,
                                                      const EntryId& redaction, io::File& target) {
  format::LineReader reader(reader_of(source), {});
  Copier copier(session_id, ids, redaction);
  std::string pending;
  const auto write_out = [&]() -> Result<> {
    LOGWOOD_CHECK(io::append_all(target, pending));
    pending.clear();
    return {};
  };
  while (true) {
    LOGWOOD_TRY(const std::optional<format::PhysicalLine> line, reader.next());
    if (!line) break;
    if (line->oversize) {  // of its text only the start is here
      LOGWOOD_CHECK(write_out());
      LOGWOOD_CHECK(copy_bytes(source, line->offset, line->end, target));
      continue;
    }
    copier.copy(*line, pending);
    if (pending.size() >= written_at_once) LOGWOOD_CHECK(write_out());
  }
  LOGWOOD_CHECK(write_out());
  std::vector<ErasedEntry> replaced = copier.take_replaced();
  // A line that stands twice is one for the accounts.
  const auto same = [](const ErasedEntry& a, const ErasedEntry& b) { return a == b; };
  std::sort(replaced.begin(), replaced.end(), [](const ErasedEntry& a, const ErasedEntry& b) {
    return std::tie(a.seq, a.digest) < std::tie(b.seq, b.digest);
  });
  replaced.erase(std::unique(replaced.begin(), replaced.end(), same), replaced.end());
  return replaced;
}

}  // namespace logwood::storage::jsonl
