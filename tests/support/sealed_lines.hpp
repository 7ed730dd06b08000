// The bytes of a session file, sealed line by line: for tests that need lines which no
// store would write, or only after something went wrong.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/crc32c.hpp"
#include "format/seal.hpp"

namespace logwood {

/// The body of a message, as seal_line takes it.
[[nodiscard]] inline std::string message_body(std::string_view id, std::string_view text = "") {
  return fmt::format(R"({{"id":"{}","parentId":null,"type":"message","payload":{{"text":"{}"}})",
                     id, text);
}

[[nodiscard]] inline std::string header_body(std::string_view session_id) {
  return fmt::format(R"({{"id":"{}","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z",)"
                     R"("type":"session_header","payload":{{"version":1}})",
                     session_id);
}

/// Ends a line that is whole up to the dot before its CRC.
[[nodiscard]] inline std::string with_crc(std::string_view session_id, std::string_view line) {
  const std::uint32_t crc = Crc32c().add(session_id).add("\n").add(line).value();
  return fmt::format("{}{:08x}\"}}", line, crc);
}

/// Each line is chained to the one before it.
class SealedLines {
 public:
  explicit SealedLines(std::string session_id) : session_id_(std::move(session_id)) {}

  /// A line that says it is number `place` of a batch of `count`, whether that fits or not.
  void line(std::uint64_t seq, std::uint32_t place, std::uint32_t count, std::string_view body) {
    const format::BatchSeal seal{session_id_, seq + 1 - place, count, true};
    format::seal_line(bytes_, seal, place, body, {}, link_);
    last_seq_ = seq;
  }

  void batch(const std::vector<std::string>& bodies) {
    const auto count = static_cast<std::uint32_t>(bodies.size());
    for (std::uint32_t place = 1; place <= count; ++place) {
      line(last_seq_ + 1, place, count, bodies[place - 1]);
    }
  }

  /// Something that is no line of ours.
  void other(std::string_view bytes) { bytes_ += bytes; }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t last_seq() const { return last_seq_; }
  [[nodiscard]] const format::Link& link() const { return link_; }

 private:
  std::string session_id_;
  std::string bytes_;
  std::uint64_t last_seq_ = 0;
  format::Link link_ = format::first_link();
};

}  // namespace logwood
