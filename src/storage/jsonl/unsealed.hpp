// Sessions of version 0: the same entries, one a line, without seals. They can be
// read and migrated, not appended to. Without seals there is no telling whether
// a line is what was written; only that it is an entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "io/file_system.hpp"
#include "logwood/entry.hpp"
#include "logwood/report.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"
#include "storage/jsonl/forward_walk.hpp"

namespace logwood::storage::jsonl {

Result<PageFrom> read_unsealed(const io::File& file, const ReadPosition& from, std::size_t limit);
Result<std::optional<Entry>> find_unsealed(const io::File& file, const EntryId& id);
Result<VerifyReport> verify_unsealed(const io::File& file, const SessionId& session);

struct UnsealedEnds {
  std::optional<EntryId> tail;
  std::optional<EntryId> head;
};
Result<UnsealedEnds> ends_of_unsealed(const io::File& file);

/// A line of the file: an entry, or what it is instead.
struct UnsealedLine {
  std::string_view text;  ///< without the LF
  std::optional<Entry> entry;
  std::optional<Problem> problem;
  std::uint64_t end = 0;
};

/// Tells `visit` every line from `from` on. A last line without its LF is torn.
Result<> walk_unsealed(const io::File& file, format::LinePosition from, std::uint64_t seq,
                       const std::function<Result<Going>(const UnsealedLine&)>& visit);

}  // namespace logwood::storage::jsonl
