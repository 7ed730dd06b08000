#include "storage/jsonl/line_ends.hpp"

#include <algorithm>

#include "format/seal.hpp"

namespace logwood::storage::jsonl {

LineEnd::LineEnd(std::string_view stretch) : size_(std::min(stretch.size(), line_end_size)) {
  std::copy_n(stretch.end() - static_cast<std::ptrdiff_t>(size_), size_, bytes_.begin());
}

Result<LineEnd> LineEnd::before(const io::File& file, std::uint64_t end) {
  LineEnd last;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(end, line_end_size));
  LOGWOOD_TRY(last.size_, file.read_at(end - size, std::span(last.bytes_).first(size)));
  return last;
}

bool ends_with_link(const io::File& file, std::uint64_t end, std::string_view link) {
  if (end == 0) return link == format::view(format::first_link());
  const auto last = LineEnd::before(file, end);
  return last && last->view().size() == line_end_size && last->view().ends_with("\"}\n") &&
         last->view().starts_with(link);
}

}  // namespace logwood::storage::jsonl
