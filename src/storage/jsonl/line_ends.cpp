#include "storage/jsonl/line_ends.hpp"

#include <algorithm>

#include "format/seal.hpp"

namespace logwood::storage::jsonl {

Result<std::string> bytes_before(const io::File& file, std::uint64_t end) {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(end, line_end_size));
  std::string bytes(size, '\0');
  LOGWOOD_TRY(const std::size_t got, file.read_at(end - size, std::span(bytes.data(), size)));
  bytes.resize(got);
  return bytes;
}

bool ends_with_link(const io::File& file, std::uint64_t end, std::string_view link) {
  if (end == 0) return link == format::view(format::first_link());
  const auto bytes = bytes_before(file, end);
  return bytes && bytes->size() == line_end_size && bytes->ends_with("\"}\n") &&
         bytes->starts_with(link);
}

}  // namespace logwood::storage::jsonl
