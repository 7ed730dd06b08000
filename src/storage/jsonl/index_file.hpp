// index/<id>: what an earlier walk found, so that the next process need not walk
// again. Derived: it is never synced, never trusted beyond its checks, and
// deleting it loses nothing. Its layout is not part of the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/siphash.hpp"
#include "format/seal.hpp"
#include "io/file_system.hpp"
#include "logwood/result.hpp"
#include "storage/jsonl/forward_walk.hpp"
#include "storage/jsonl/id_index.hpp"

namespace logwood::storage::jsonl {

/// A line's place, or none when size is 0.
struct LineRef {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  bool operator==(const LineRef&) const = default;
};

/// What the walk came to: everything up to `boundary` was folded without
/// anything left open.
struct IndexHeader {
  io::FileIdentity identity;
  std::uint64_t end = 0;
  std::uint64_t last_seq = 0;
  std::uint64_t next_line = 1;
  format::Link link = format::first_link();
  LineRef tail;  ///< the line that is the tail
  LineRef head;  ///< the line that decides the head: a tree entry or a head mark
  SipKey key{};
  std::uint64_t record_count = 0;
  std::uint32_t records_crc = 0;
  std::uint32_t redaction_count = 0;  ///< of the records

  [[nodiscard]] Boundary boundary() const { return {{last_seq, link, end}, next_line}; }
  bool operator==(const IndexHeader&) const = default;
};
static_assert(std::is_trivially_copyable_v<IndexHeader>);

/// The header, if there is one and it is intact. Whether it describes the
/// session file is another question: see describes().
std::optional<IndexHeader> read_index_header(io::FileSystem& files, const std::string& name);

/// Whether the session file still is what the header says: same inode, not
/// shorter, and the same link where the walk ended.
bool describes(const IndexHeader& header, const io::File& file, const io::FileStatus& status);

/// The records, if they are intact.
std::optional<std::vector<IndexRecord>> read_index_records(io::FileSystem& files,
                                                           const std::string& name,
                                                           const IndexHeader& header);

/// Writes header and records. `known` is the header this process last saw in the
/// file: if it is still there only newer records are added, else all are
/// written. Only under the session's lock. Returns the header as written.
Result<IndexHeader> write_index(io::FileSystem& files, const std::string& name, IndexHeader header,
                                const IdIndex& ids, const std::optional<IndexHeader>& known);

}  // namespace logwood::storage::jsonl
