#include "storage/agents/agent_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/decompressing.hpp"
#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "io/append_all.hpp"
#include "io/outside_file.hpp"
#include "io/scratch_file.hpp"
#include "storage/agents/opencode_store.hpp"

namespace logwood::storage::agents {
namespace {

using exchange::FileHead;
using exchange::Format;

// What a file is says its first line, which can be long: it may hold the prompt of the agent.
// A document says it only as a whole.
constexpr std::size_t beginning_sizes[] = {64U << 10U, 1U << 20U, 16U << 20U, 256U << 20U};

// Lines say it soon, whoever's they are.
constexpr std::size_t lines_size_max = 1U << 20U;

bool is_lines(std::string_view beginning) {
  const std::size_t end = beginning.find('\n');
  return end != std::string_view::npos && check_json(beginning.substr(0, end));
}

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

Result<AgentLines::Opened> AgentLines::open_one(const AgentSource& source) {
  const std::string& path = source.path;
  Opened opened{{}, source.format, {}};
  if (is_of_opencode(source)) {
    LOGWOOD_TRY(const std::string document, opencode_document(source));
    LOGWOOD_TRY(opened.segment.file, put_together(document));
  } else {
    LOGWOOD_TRY(opened.segment.file, is_packed(path) ? unpacked(path) : io::open_outside(path));
  }
  LOGWOOD_TRY(const io::FileStatus status, opened.segment.file->status());
  opened.segment.size = status.size_bytes;
  std::string beginning;
  for (const std::size_t size : beginning_sizes) {
    beginning.resize(std::min<std::uint64_t>(size, status.size_bytes));
    LOGWOOD_TRY(const std::size_t got, opened.segment.file->read_at(0, beginning));
    beginning.resize(got);
    const exchange::FileSight sight{path, beginning};
    if (opened.format == nullptr) opened.format = exchange::format_of(sight);
    if (opened.format != nullptr) opened.head = opened.format->head(sight);
    if (!opened.head.session_id.empty() || got < size) break;
    if (size >= lines_size_max && is_lines(beginning)) break;
  }
  if (opened.format == nullptr || opened.head.session_id.empty()) {
    return Error{ErrorCode::unsupported,
                 fmt::format("{} is not a session file of any agent we know", path)};
  }
  if (opened.head.created.empty()) {  // then the file says when it was last written
    const auto modified = std::chrono::nanoseconds(source.stamp.modified_ns);
    opened.head.created =
        format_timestamp(Clock::time_point(std::chrono::duration_cast<Clock::duration>(modified)));
  }
  opened.segment.file_id = opened.head.file_id;
  return opened;
}

Result<AgentLines> AgentLines::open(const AgentSource& source, const FindFile& find_file) {
  LOGWOOD_TRY(Opened opened, open_one(source));
  AgentLines lines;
  lines.format_ = opened.format;
  lines.head_ = opened.head;
  lines.segments_.push_back(std::move(opened.segment));
  for (auto base = lines.head_.base; base && lines.segments_.size() < segments_max;) {
    const auto path = find_file(base->file_id);
    auto before = path ? open_one({lines.format_, *path, {}}) : Result<Opened>(Error{});
    if (!before) {
      lines.misses_beginning_ = true;
      break;
    }
    before->segment.size = std::min(before->segment.size, base->end_offset);
    base = before->head.base;
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
