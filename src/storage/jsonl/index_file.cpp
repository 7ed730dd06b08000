#include "storage/jsonl/index_file.hpp"

#include <cstring>

#include "base/crc32c.hpp"
#include "base/seeded_bugs.hpp"
#include "storage/jsonl/layout.hpp"
#include "storage/jsonl/line_ends.hpp"

namespace logwood::storage::jsonl {
namespace {

// The value tells another byte order from damage: either way the file is rebuilt.
constexpr std::uint64_t magic = 0x3258444e49574f4cULL;

struct HeaderBytes {
  std::uint64_t magic = 0;
  IndexHeader header;
  std::uint64_t crc = 0;
};
static_assert(sizeof(HeaderBytes) == sizeof(IndexHeader) + 16);

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

std::string_view bytes_of(std::span<const IndexRecord> records) {
  return {reinterpret_cast<const char*>(records.data()), records.size_bytes()};
}

std::uint32_t crc_of(std::string_view bytes) { return Crc32c().add(bytes).value(); }

std::optional<IndexHeader> read_header(const io::File& file) {
  HeaderBytes stored;
  const auto got = file.read_at(0, std::span(reinterpret_cast<char*>(&stored), sizeof(stored)));
  if (!got || *got != sizeof(stored) || stored.magic != magic) return std::nullopt;
  if (stored.crc != crc_of(bytes_of(stored.header))) return std::nullopt;
  return stored.header;
}

}  // namespace

std::optional<IndexHeader> read_index_header(io::FileSystem& files, const std::string& name) {
  const auto file = files.open(name, io::Access::read);
  if (!file) return std::nullopt;
  return read_header(**file);
}

bool describes(const IndexHeader& header, const io::File& file, const io::FileStatus& status) {
  if (header.identity != status.identity || header.end > status.size_bytes) return false;
  return LOGWOOD_SEEDED(index_trusted) ||
         ends_with_link(file, header.end, format::view(header.link));
}

std::optional<std::vector<IndexRecord>> read_index_records(io::FileSystem& files,
                                                           const std::string& name,
                                                           const IndexHeader& header) {
  const auto file = files.open(name, io::Access::read);
  if (!file) return std::nullopt;
  // Bounded by what the file has before it is allocated.
  const auto status = (*file)->status();
  if (!status || status->size_bytes < sizeof(HeaderBytes)) return std::nullopt;
  const std::uint64_t room = (status->size_bytes - sizeof(HeaderBytes)) / sizeof(IndexRecord);
  if (header.record_count > room) return std::nullopt;
  std::vector<IndexRecord> records(static_cast<std::size_t>(header.record_count));
  const std::span<char> into(reinterpret_cast<char*>(records.data()),
                             records.size() * sizeof(IndexRecord));
  const auto got = (*file)->read_at(sizeof(HeaderBytes), into);
  if (!got || *got != into.size()) return std::nullopt;
  if (!LOGWOOD_SEEDED(index_trusted) && crc_of({into.data(), into.size()}) != header.records_crc) {
    return std::nullopt;
  }
  return records;
}

Result<IndexHeader> write_index(io::FileSystem& files, const std::string& name, IndexHeader header,
                                const IdIndex& ids, const std::optional<IndexHeader>& known) {
  auto opened = files.open(name, io::Access::rewrite);
  if (!opened && opened.error().code == ErrorCode::not_found) {
    LOGWOOD_CHECK(files.make_folder(std::string(index_folder)));
    LOGWOOD_TRY(const auto created, files.create(name));
    opened = files.open(name, io::Access::rewrite);
  }
  if (!opened) return std::move(opened).error();
  io::File& file = **opened;

  const std::optional<IndexHeader> found = read_header(file);
  const bool extend = known && found == known && known->record_count >= ids.missing() &&
                      known->key == ids.key() && known->record_count <= ids.size();
  if (!extend && ids.missing() > 0) {
    return Error{ErrorCode::unavailable, "the index was changed by somebody else"};
  }
  const std::uint64_t first = extend ? known->record_count : 0;
  const std::span<const IndexRecord> added = ids.from(first);
  Crc32c crc = extend ? Crc32c::resume(known->records_crc) : Crc32c();
  header.record_count = ids.size();
  header.records_crc = crc.add(bytes_of(added)).value();
  header.key = ids.key();

  LOGWOOD_CHECK(file.write_at(sizeof(HeaderBytes) + first * sizeof(IndexRecord), bytes_of(added)));
  HeaderBytes stored;
  stored.magic = magic;
  stored.header = header;
  stored.crc = crc_of(bytes_of(stored.header));
  LOGWOOD_CHECK(file.write_at(0, bytes_of(stored)));
  return header;
}

}  // namespace logwood::storage::jsonl
