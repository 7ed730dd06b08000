#include "model/preview.hpp"

namespace logwood {

std::string preview(std::string_view text, std::size_t characters) {
  std::string line;
  std::size_t count = 0;
  bool gap = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    std::size_t size = 1;
    if (byte >= 0xf0) {
      size = 4;
    } else if (byte >= 0xe0) {
      size = 3;
    } else if (byte >= 0xc0) {
      size = 2;
    }
    const std::string_view character = text.substr(at, size);
    at += size;
    // C0, space, DEL; C1 controls; U+2028 and U+2029, which end a line too.
    const bool is_space = byte <= 0x20 || byte == 0x7f ||
                          (byte == 0xc2 && static_cast<unsigned char>(character.back()) < 0xa0) ||
                          character == "\u2028" || character == "\u2029";
    if (is_space) {
      gap = !line.empty();
      continue;
    }
    const std::size_t needed = gap ? 2 : 1;
    if (count + needed > characters) {
      line += "…";
      break;
    }
    if (gap) line += ' ';
    gap = false;
    line += character;
    count += needed;
  }
  return line;
}

}  // namespace logwood
