// Changes to a session file that a fuzzer would hardly find bit by bit: whole lines moved about,
// and lines whose checksum, or whose whole chain, is right again after a change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/crc32c.hpp"
#include "format/seal.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace logwood::fuzz {

inline std::vector<std::string> lines_with_ends(std::string_view bytes) {
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::size_t size = end == std::string_view::npos ? bytes.size() : end + 1;
    lines.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return lines;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string bytes;
  for (const std::string& line : lines) bytes += line;
  return bytes;
}

/// Writes the CRC that the line should have where its CRC stands, if it looks like one of ours.
inline void put_crc(std::string& line, std::string_view session_id) {
  const std::size_t end = line.ends_with('\n') ? line.size() - 1 : line.size();
  const std::string_view text = std::string_view(line).substr(0, end);
  if (text.size() < 20 || !text.ends_with("\"}") ||
      text.find(R"(,"seal":")") == std::string_view::npos) {
    return;
  }
  const std::size_t at = text.size() - 10;
  const std::uint32_t crc = Crc32c().add(session_id).add("\n").add(text.substr(0, at)).value();
  std::array<char, 9> hex{};
  std::snprintf(hex.data(), hex.size(), "%08x", crc);
  line.replace(at, 8, hex.data(), 8);
}

/// Makes every line that looks like one of ours follow the one before it.
inline void link_all(std::vector<std::string>& lines, std::string_view session_id) {
  format::Link link = format::first_link();
  for (std::string& line : lines) {
    put_crc(line, session_id);
    const std::size_t end = line.ends_with('\n') ? line.size() - 1 : line.size();
    const auto sealed = format::parse_sealed(session_id, std::string_view(line).substr(0, end));
    if (!sealed) continue;
    link = format::link_after(format::view(link), format::digest_of(session_id, *sealed));
    const auto at = static_cast<std::size_t>(sealed->link.data() - line.data());
    line.replace(at, link.size(), link.data(), link.size());
    put_crc(line, session_id);
  }
}

/// A changed session file no longer than max_size, written over `data`; returns its size.
inline std::size_t mutate_session(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                  unsigned seed, std::string_view session_id) {
  std::vector<std::string> lines = lines_with_ends({reinterpret_cast<const char*>(data), size});
  const std::size_t first = lines.empty() ? 0 : seed / 64 % lines.size();
  const std::size_t second = lines.empty() ? 0 : seed / 4096 % lines.size();
  switch (lines.empty() ? 0 : seed % 8) {
    case 0:
    case 1:
    case 2:
    case 3: {
      size = LLVMFuzzerMutate(data, size, max_size);
      lines = lines_with_ends({reinterpret_cast<const char*>(data), size});
      break;
    }
    case 4: {
      const std::string copy = lines[first];
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(second), copy);
      break;
    }
    case 5:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(first));
      break;
    case 6:
      std::swap(lines[first], lines[second]);
      break;
    default:
      lines[first].resize(lines[first].size() * (seed / 512 % 8) / 8);
      break;
  }
  if (seed % 3 == 1) {
    for (std::string& line : lines) put_crc(line, session_id);
  }
  if (seed % 3 == 2) link_all(lines, session_id);
  const std::string bytes = joined(lines).substr(0, max_size);
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace logwood::fuzz
