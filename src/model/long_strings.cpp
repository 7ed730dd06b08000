#include "model/long_strings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "model/draft.hpp"
#include "model/entry_fields.hpp"

namespace logwood {
namespace {

constexpr std::string_view list_begin = ",\"blobs\":[";
constexpr std::size_t hash_size = 64;

// As much as a line may have: what an entry can be that lies in its place.
constexpr std::uint64_t restored_size_max = entry_size_max + (4U << 10U);

bool is_hash(std::string_view text) {
  return text.size() == hash_size && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// The long strings of a value whose text is valid, without their quotes.
void find_long(std::string_view value, std::vector<std::string_view>& found) {
  for_each_json_string(value, [&](std::string_view string) {
    if (string.size() > string_inline_max) found.push_back(string);
  });
}

// Consumes a number without leading zeros, of as many digits as a seq can have.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  constexpr std::size_t digits_max = 15;
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  if (digits.size() > digits_max || (digits.size() > 1 && digits.front() == '0'))
    return std::nullopt;
  text.remove_prefix(end);
  return json_unsigned(digits);
}

bool skip(std::string_view& text, std::string_view literal) {
  if (!text.starts_with(literal)) return false;
  text.remove_prefix(literal.size());
  return true;
}

// [offset,length,"hash"]
std::optional<BlobRef> take_ref(std::string_view& text) {
  if (!skip(text, "[")) return std::nullopt;
  const auto offset = take_number(text);
  if (!offset || !skip(text, ",")) return std::nullopt;
  const auto length = take_number(text);
  if (!length || !skip(text, ",\"")) return std::nullopt;
  const std::string_view hash = text.substr(0, hash_size);
  if (!is_hash(hash)) return std::nullopt;
  text.remove_prefix(hash_size);
  if (!skip(text, "\"]")) return std::nullopt;
  return BlobRef{*offset, *length, std::string(hash)};
}

}  // namespace

SpilledText spill(std::string_view body) {
  SpilledText result;
  if (body.size() <= string_inline_max) return result;
  const std::string text = std::string(body) + '}';
  const EntryFields fields = find_fields(text);
  std::vector<std::string_view> found;
  std::vector<std::string_view> values = {fields.payload, fields.meta};
  std::sort(values.begin(), values.end(),
            [](std::string_view a, std::string_view b) { return a.data() < b.data(); });
  for (const std::string_view value : values) find_long(value, found);
  if (found.empty()) return result;

  std::string list;
  std::size_t copied = 0;
  for (const std::string_view string : found) {
    const auto begin = static_cast<std::size_t>(string.data() - text.data());
    result.body.append(body.substr(copied, begin - copied));
    copied = begin + string.size();
    BlobRef ref{result.body.size(), string.size(), to_hex(sha256({string}))};
    list +=
        fmt::format("{}[{},{},\"{}\"]", list.empty() ? "" : ",", ref.offset, ref.length, ref.hash);
    result.refs.push_back(std::move(ref));
    result.strings.push_back(body.substr(begin, string.size()));
  }
  result.body.append(body.substr(copied)).append(list_begin).append(list).append("]");
  return result;
}

std::optional<BlobList> find_blobs(std::string_view body) {
  if (!body.ends_with("\"]]")) return std::nullopt;
  BlobList list;
  list.begin = body.rfind(list_begin);
  if (list.begin == std::string_view::npos) return std::nullopt;
  std::string_view text = body.substr(list.begin + list_begin.size());
  do {
    auto ref = take_ref(text);
    if (!ref) return std::nullopt;
    list.refs.push_back(*std::move(ref));
  } while (skip(text, ","));
  if (text != "]") return std::nullopt;
  return list;
}

bool can_be_restored(std::string_view body, const BlobList& list) {
  std::uint64_t size = list.begin;
  std::uint64_t least = 1;
  for (const BlobRef& ref : list.refs) {
    if (ref.offset < least || ref.offset >= list.begin) return false;
    if (body[ref.offset - 1] != '"' || body[ref.offset] != '"') return false;
    if (ref.length <= string_inline_max || ref.length > restored_size_max) return false;
    size += ref.length;
    if (size >= restored_size_max) return false;
    least = ref.offset + 2;
  }
  return true;
}

std::string restored(std::string_view body, const BlobList& list,
                     const std::vector<std::string>& strings) {
  std::size_t size = list.begin;
  for (const std::string& string : strings) size += string.size();
  std::string text;
  text.reserve(size + 1);
  std::size_t copied = 0;
  for (std::size_t i = 0; i < list.refs.size(); ++i) {
    const auto offset = static_cast<std::size_t>(list.refs[i].offset);
    text.append(body.substr(copied, offset - copied)).append(strings[i]);
    copied = offset;
  }
  return text.append(body.substr(copied, list.begin - copied));
}

void collect_blob_names(std::string_view bytes, std::unordered_set<std::string>& names) {
  for (std::size_t at = bytes.find('"'); at != std::string_view::npos;
       at = bytes.find('"', at + 1)) {
    const std::string_view name = bytes.substr(at + 1, hash_size);
    if (is_hash(name)) names.emplace(name);
  }
}

}  // namespace logwood
