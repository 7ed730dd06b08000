#include "model/attachment.hpp"

#include <fmt/format.h>

#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "base/sha256.hpp"

namespace logwood {

std::string attachment_payload(const Attachment& attachment) {
  return fmt::format(R"({{"name":{},"mime":{},"size":{},"sha256":"{}","data":"{}"}})",
                     json_quoted(attachment.name), json_quoted(attachment.mime),
                     attachment.bytes.size(), to_hex(sha256({attachment.bytes})),
                     to_base64(attachment.bytes));
}

Result<Attachment> read_attachment(std::string_view payload) {
  const auto [name, mime, hash, data] = json_members(payload, {"name", "mime", "sha256", "data"});
  const auto text = json_string_value(data);
  auto bytes = text ? from_base64(*text) : std::nullopt;
  if (!bytes || to_hex(sha256({*bytes})) != json_text_or_empty(hash)) {
    return Error{ErrorCode::damaged, "the attachment is not what its hash says"};
  }
  return Attachment{*std::move(bytes), json_text_or_empty(name), json_text_or_empty(mime)};
}

std::string AttachmentRef::to_json() const {
  return fmt::format(
      R"({{"type":"attachment","entryId":{},"name":{},"mime":{},"size":{},"sha256":"{}"}})",
      json_quoted(entry_id.text), json_quoted(name), json_quoted(mime), size_bytes, sha256);
}

}  // namespace logwood
