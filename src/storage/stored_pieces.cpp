#include "storage/stored_pieces.hpp"

#include <fmt/format.h>

namespace logwood::storage {

Result<> tell_pieces(const SessionId& session, const format::PlacedLine& line,
                     std::string_view text, const ReadBlob& read_blob, const StoredVisitor& visit) {
  if (const auto list = find_blobs(text.substr(0, line.body_size))) {
    for (const BlobRef& ref : list->refs) {
      LOGWOOD_TRY(const auto bytes, read_blob(ref));
      if (!bytes) {
        return Error{
            ErrorCode::damaged,
            fmt::format("session {}: a blob of line {} is missing or altered; logwood verify "
                        "says more",
                        session.text, line.line_number)};
      }
      LOGWOOD_CHECK(visit({ref.hash, *bytes}));
    }
  }
  return visit({{}, text});
}

}  // namespace logwood::storage
