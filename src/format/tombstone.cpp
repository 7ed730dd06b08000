#include "format/tombstone.hpp"

#include <fmt/format.h>

#include "base/crc32c.hpp"
#include "model/entry_fields.hpp"

namespace logwood::format {

Tombstone make_tombstone(std::string_view session_id, const SealedLine& line,
                         const EntryId& redaction) {
  Tombstone made;
  made.digest = to_hex(digest_of(session_id, line));
  const std::string entry = std::string(line.body) + '}';
  const EntryFields fields = find_fields(entry);
  std::string& text = made.text;
  const auto put = [&](std::string_view name, std::string_view token) {
    if (token.empty()) return;
    text += fmt::format("{}\"{}\":{}", text.empty() ? "{" : ",", name, token);
  };
  put("id", fields.id);
  put("parentId", fields.parent_id);
  put("type", fields.type);
  put("timestamp", fields.timestamp);
  text += fmt::format(R"(,"erased":"{}","digest":"{}","seal":"1{}.{}.{}/{}.x.{}.)", redaction.text,
                      made.digest, line.after_sync ? '+' : '~', line.seq, line.place, line.count,
                      line.link);
  made.line = to_hex(sha256({text}));
  Crc32c crc;
  crc.add(session_id).add("\n").add(text);
  text += fmt::format("{:08x}\"}}", crc.value());
  return made;
}

}  // namespace logwood::format
