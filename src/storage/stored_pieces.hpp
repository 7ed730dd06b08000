#pragma once

#include <string_view>

#include "format/fold.hpp"
#include "logwood/ids.hpp"
#include "storage/backend.hpp"
#include "storage/line_entry.hpp"

namespace logwood::storage {

/// Tells a line of a session as it is stored, after the blobs that it names. `damaged` where one of
/// those is missing or altered.
Result<> tell_pieces(const SessionId& session, const format::PlacedLine& line,
                     std::string_view text, const ReadBlob& read_blob, const StoredVisitor& visit);

}  // namespace logwood::storage
