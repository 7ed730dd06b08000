#include "storage/line_entry.hpp"

#include "storage/line_problems.hpp"

namespace logwood::storage {

Result<RestoredText> restore_text(std::string_view body, const ReadBlob& read) {
  RestoredText result;
  const auto list = find_blobs(body);
  if (!list) {
    result.text.append(body).append("}");
    return result;
  }
  std::vector<std::string> strings(list->refs.size());
  result.complete = can_be_restored(body, *list);
  for (std::size_t i = 0; i < strings.size() && result.complete; ++i) {
    LOGWOOD_TRY(auto bytes, read(list->refs[i]));
    result.complete = bytes.has_value();
    if (bytes) strings[i] = *std::move(bytes);
  }
  result.text =
      result.complete ? restored(body, *list, strings) : std::string(body.substr(0, list->begin));
  result.text += '}';
  return result;
}

Result<bool> verify_blobs(std::string_view body, const ReadBlob& read, std::uint64_t& count) {
  const auto list = find_blobs(body);
  if (!list) return true;
  if (!can_be_restored(body, *list)) return false;
  for (const BlobRef& ref : list->refs) {
    LOGWOOD_TRY(const auto bytes, read(ref));
    if (!bytes) return false;
    ++count;
  }
  return true;
}

Result<std::optional<Entry>> entry_in_line(const format::PlacedLine& line, std::string text,
                                           const RestoreText& restore,
                                           std::vector<Problem>& problems) {
  bool complete = true;
  text.resize(line.body_size);
  const auto list = restore ? find_blobs(text) : std::nullopt;
  auto entry = [&]() -> Result<Entry> {
    if (list) {
      LOGWOOD_TRY(RestoredText whole, restore(text));
      complete = whole.complete;
      auto made = parse_entry(std::move(whole.text));
      if (made || !complete) return made;
      // A blob with the right hash that makes no JSON was never one of ours.
      complete = false;
      text.resize(list->begin);
    }
    text.push_back('}');
    return parse_entry(std::move(text));
  }();
  if (!entry && entry.error().code != ErrorCode::damaged) return std::move(entry).error();
  if (!entry) return std::optional<Entry>();
  if (!complete) problems.push_back(blob_problem(line));
  entry->seq = line.seq;
  entry->flagged = line.flagged;
  entry->erased = line.is_tombstone;
  entry->incomplete = !complete;
  return std::optional(*std::move(entry));
}

}  // namespace logwood::storage
