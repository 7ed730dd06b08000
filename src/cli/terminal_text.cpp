#include "cli/terminal_text.hpp"

#include "base/unicode.hpp"

namespace logwood::cli {

std::size_t width_of(std::string_view printable_text) {
  std::size_t columns = 0;
  while (!printable_text.empty()) {
    const CodePoint next = first_code_point(printable_text);
    columns += columns_of(next.value);
    printable_text.remove_prefix(next.size);
  }
  return columns;
}

std::string fitted(std::string_view printable_text, std::size_t columns) {
  if (width_of(printable_text) <= columns) return std::string(printable_text);
  if (columns == 0) return {};
  std::string text;
  std::size_t taken = 1;  // by the …
  while (!printable_text.empty()) {
    const CodePoint next = first_code_point(printable_text);
    taken += columns_of(next.value);
    if (taken > columns) break;
    text += printable_text.substr(0, next.size);
    printable_text.remove_prefix(next.size);
  }
  return text + "…";
}

std::string fitted_at_end(std::string_view printable_text, std::size_t columns) {
  std::size_t taken = width_of(printable_text);
  if (taken <= columns) return std::string(printable_text);
  if (columns == 0) return {};
  while (taken > columns - 1) {
    const CodePoint next = first_code_point(printable_text);
    taken -= columns_of(next.value);
    printable_text.remove_prefix(next.size);
  }
  return "…" + std::string(printable_text);
}

std::vector<std::string> wrapped(std::string_view printable_line, std::size_t columns) {
  std::vector<std::string> lines;
  while (width_of(printable_line) > columns && columns > 0) {
    std::size_t end = 0;    // of what fits
    std::size_t space = 0;  // the last one in it
    for (std::size_t taken = 0; end < printable_line.size();) {
      const CodePoint next = first_code_point(printable_line.substr(end));
      taken += columns_of(next.value);
      if (taken > columns && end > 0) break;
      if (next.value == ' ') space = end;
      end += next.size;
    }
    if (end < printable_line.size() && printable_line[end] == ' ') space = end;
    const std::size_t cut = space > 0 ? space : end;
    lines.emplace_back(printable_line.substr(0, cut));
    printable_line.remove_prefix(cut + (space > 0 ? 1 : 0));
  }
  if (!printable_line.empty() || lines.empty()) lines.emplace_back(printable_line);
  return lines;
}

std::string padded(std::string_view printable_text, std::size_t columns) {
  std::string text = fitted(printable_text, columns);
  text.append(columns - width_of(text), ' ');
  return text;
}

}  // namespace logwood::cli
