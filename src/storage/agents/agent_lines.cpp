#include "storage/agents/agent_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/decompressing.hpp"
#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "base/utf8.hpp"
#include "io/append_all.hpp"
#include "io/outside_file.hpp"
#include "io/scratch_file.hpp"
#include "storage/agents/opencode_store.hpp"

namespace logwood::storage::agents {
namespace {

using exchange::FileHead;
using exchange::Format;

// What a file is says its first line, which can be long: it may hold the prompt of the agent.
// A document says it only as a whole. Most say all of it within one page.
constexpr std::size_t beginning_sizes[] = {4U << 10U, 64U << 10U, 1U << 20U, 16U << 20U,
                                           256U << 20U};

bool says_all(const FileHead& head) {
  return !head.session_id.empty() && !head.created.empty() && !head.cwd.empty();
}

// Lines say it soon, whoever's they are.
constexpr std::size_t lines_size_max = 1U << 20U;

bool is_lines(std::string_view beginning) {
  const std::size_t end = beginning.find('\n');
  return end != std::string_view::npos && check_json(beginning.substr(0, end));
}

constexpr std::size_t spilled_size_max = 4U << 20U;

// A fork of a fork of a fork …
constexpr std::size_t segments_max = 64;

bool is_packed(std::string_view path) { return path.ends_with(".zst") || path.ends_with(".gz"); }

// Bytes that are in no file as they are read.
Result<std::unique_ptr<io::File>> put_together(std::string_view bytes) {
  LOGWOOD_TRY(auto file, io::scratch_file());
  LOGWOOD_CHECK(io::append_all(*file, bytes));
  return file;
}

// All of it, as it is unpacked.
Result<std::unique_ptr<io::File>> unpacked(const std::string& path) {
  LOGWOOD_TRY(const ByteSource packed, io::read_outside(path));
  const ByteSource plain = decompressing(packed);
  LOGWOOD_TRY(auto file, io::scratch_file());
  std::string buffer(std::size_t{256} << 10U, '\0');
  while (true) {
    LOGWOOD_TRY(const std::size_t got, plain(buffer));
    if (got == 0) return file;
    LOGWOOD_CHECK(io::append_all(*file, {buffer.data(), got}));
  }
}

}  // namespace

std::string modified_time(const AgentSource& source) {
  const auto modified = std::chrono::nanoseconds(source.stamp.modified_ns);
  return format_timestamp(Clock::time_point(std::chrono::duration_cast<Clock::duration>(modified)));
}

bool AgentLines::is_plain(const AgentSource& source) {
  return !is_packed(source.path) && !is_of_opencode(source);
}

Result<Identified> identify(const io::File& file, std::uint64_t size_bytes,
                            const AgentSource& source) {
  Identified found{source.format, {}};
  for (const std::size_t size : beginning_sizes) {
    const std::size_t wanted = std::min<std::uint64_t>(size, size_bytes);
    const auto bytes = std::make_unique_for_overwrite<char[]>(wanted);
    LOGWOOD_TRY(const std::size_t got, file.read_at(0, {bytes.get(), wanted}));
    const std::string_view beginning(bytes.get(), got);
    const exchange::FileSight sight{source.path, beginning};
    if (found.format == nullptr) found.format = exchange::format_of(sight);
    if (found.format != nullptr) found.head = found.format->head(sight);
    const bool is_said =
        size == beginning_sizes[0] ? says_all(found.head) : !found.head.session_id.empty();
    if (is_said || got < size) break;
    if (size >= lines_size_max && is_lines(beginning)) break;
  }
  if (found.format == nullptr || found.head.session_id.empty()) {
    return Error{ErrorCode::unsupported,
                 fmt::format("{} is not a session file of any agent we know; logwood import "
                             "reads those of logwood itself",
                             source.path)};
  }
  if (found.head.created.empty()) found.head.created = modified_time(source);
  return found;
}

Result<AgentLines::Opened> AgentLines::open_one(const AgentSource& source) {
  const std::string& path = source.path;
  Opened opened;
  if (is_of_opencode(source)) {
    LOGWOOD_TRY(const std::string document, opencode_document(source));
    LOGWOOD_TRY(opened.segment.file, put_together(document));
  } else {
    LOGWOOD_TRY(opened.segment.file, is_packed(path) ? unpacked(path) : io::open_outside(path));
  }
  LOGWOOD_TRY(const io::FileStatus status, opened.segment.file->status());
  opened.segment.size = status.size_bytes;
  LOGWOOD_TRY(opened.file, identify(*opened.segment.file, status.size_bytes, source));
  opened.segment.file_id = opened.file.head.file_id;
  return opened;
}

Result<AgentLines> AgentLines::open(const AgentSource& source, const FindFile& find_file) {
  LOGWOOD_TRY(Opened opened, open_one(source));
  AgentLines lines;
  lines.file_ = std::move(opened.file);
  lines.path_ = source.path;
  lines.segments_.push_back(std::move(opened.segment));
  for (auto base = lines.head().base; base && lines.segments_.size() < segments_max;) {
    const auto path = find_file(base->file_id);
    auto before = path ? open_one({&lines.format(), *path, {}}) : Result<Opened>(Error{});
    if (!before) {
      lines.misses_beginning_ = true;
      break;
    }
    before->segment.size = std::min(before->segment.size, base->end_offset);
    base = before->file.head.base;
    lines.segments_.push_back(std::move(before->segment));
  }
  std::reverse(lines.segments_.begin(), lines.segments_.end());
  std::uint64_t begin = 0;
  for (Segment& segment : lines.segments_) {
    segment.begin = begin;
    begin += segment.size;
  }
  return lines;
}

exchange::ReadSpilled AgentLines::spilled() const {
  // <session>.jsonl has the folder <session>, in which those of its sub-agents lie, too.
  std::string folder = path_.substr(0, path_.rfind(".jsonl"));
  if (const std::size_t inner = path_.rfind("/subagents/"); inner != std::string::npos)
    folder = path_.substr(0, inner);
  return [folder](const std::string& name) -> std::optional<exchange::SpilledFile> {
    const auto file = io::open_outside_beneath(folder, name);
    const auto status = file ? (*file)->status() : Result<io::FileStatus>(file.error());
    if (!status) return std::nullopt;
    const std::uint64_t size = std::min<std::uint64_t>(status->size_bytes, spilled_size_max);
    exchange::SpilledFile spilled{name, std::string(size, '\0')};
    const auto got = (*file)->read_at(0, spilled.bytes);
    if (!got) return std::nullopt;
    spilled.bytes.resize(*got);
    spilled.is_whole = *got == status->size_bytes;
    // What is cut off in the middle of a character is text still.
    for (int i = 0; i < 3 && !spilled.is_whole && !is_utf8(spilled.bytes); ++i)
      spilled.bytes.pop_back();
    return spilled;
  };
}

std::uint64_t AgentLines::size_bytes() const {
  return segments_.back().begin + segments_.back().size;
}

AgentLines::Spot AgentLines::spot(std::uint64_t offset) const {
  const auto after =
      std::upper_bound(segments_.begin(), segments_.end(), offset,
                       [](std::uint64_t at, const Segment& one) { return at < one.begin; });
  const Segment& segment = *std::prev(after);
  return {&segment.file_id, offset - segment.begin};
}

format::ReadAt AgentLines::bytes() const {
  return [this](std::uint64_t offset, std::span<char> into) -> Result<std::size_t> {
    std::size_t done = 0;
    for (const Segment& segment : segments_) {
      const std::uint64_t at = offset + done;
      if (done == into.size() || at < segment.begin) break;
      if (at >= segment.begin + segment.size) continue;
      const std::uint64_t left = segment.begin + segment.size - at;
      const std::size_t wanted = std::min<std::uint64_t>(left, into.size() - done);
      LOGWOOD_TRY(const std::size_t got,
                  segment.file->read_at(at - segment.begin, into.subspan(done, wanted)));
      done += got;
      if (got < wanted) break;
    }
    return done;
  };
}

}  // namespace logwood::storage::agents
