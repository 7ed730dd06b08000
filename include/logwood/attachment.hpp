#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "logwood/ids.hpp"

namespace logwood {

/// Bytes that belong to a session: an image, a document, the output of a tool.
struct Attachment {
  std::string bytes;
  std::string name;
  std::string mime;  ///< `image/png`

  bool operator==(const Attachment&) const = default;
};

/// What is left of 16 MiB when bytes are written as text.
inline constexpr std::size_t attachment_size_max = 12'000'000;

/// Where an attachment lies: an entry of its own, on the path of what refers to it.
struct AttachmentRef {
  EntryId entry_id;
  std::string name;
  std::string mime;
  std::uint64_t size_bytes = 0;
  std::string sha256;  ///< of the bytes, in hex

  /// As a part of a message's content: `{"type":"attachment","entryId":…,…}`.
  [[nodiscard]] std::string to_json() const;

  bool operator==(const AttachmentRef&) const = default;
};

}  // namespace logwood
