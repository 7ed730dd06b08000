// Attachments are entries of the type `attachment` (docs/format.md, F4.2).
#pragma once

#include <string>
#include <string_view>

#include "logwood/attachment.hpp"
#include "logwood/result.hpp"

namespace logwood {

/// The payload of the entry that holds it.
[[nodiscard]] std::string attachment_payload(const Attachment& attachment);

/// Reads it back; `damaged` when it is not what its own hash says.
Result<Attachment> read_attachment(std::string_view payload);

}  // namespace logwood
