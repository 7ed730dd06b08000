#include "storage/jsonl/line_ends.hpp"

#include <algorithm>

#include "format/seal.hpp"

namespace logwood::storage::jsonl {

namespace {

std::size_t size_before(std::uint64_t end) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(end, line_end_size));
}

}  // namespace

Result<LineEnd> LineEnd::before(const io::File& file, std::uint64_t end) {
  LineEnd last;
  const std::size_t size = size_before(end);
  LOGWOOD_TRY(last.size_, file.read_at(end - size, std::span(last.bytes_).first(size)));
  return last;
}

void LineEnd::assign(std::string_view stretch) {
  size_ = size_before(stretch.size());
  std::copy_n(stretch.end() - static_cast<std::ptrdiff_t>(size_), size_, bytes_.begin());
}

Result<bool> LineEnd::is_before(const io::File& file, std::uint64_t end) const {
  std::array<char, line_end_size> now;  // NOLINT(*-member-init): as much as is read is looked at
  const std::size_t size = size_before(end);
  LOGWOOD_TRY(const std::size_t got, file.read_at(end - size, std::span(now).first(size)));
  return std::string_view(now.data(), got) == view();
}

bool ends_with_link(const io::File& file, std::uint64_t end, std::string_view link) {
  if (end == 0) return link == format::view(format::first_link());
  const auto last = LineEnd::before(file, end);
  return last && last->view().size() == line_end_size && last->view().ends_with("\"}\n") &&
         last->view().starts_with(link);
}

}  // namespace logwood::storage::jsonl
