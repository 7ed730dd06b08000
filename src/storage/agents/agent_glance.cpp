#include "storage/agents/agent_glance.hpp"

#include <algorithm>
#include <memory>

#include "base/json_text.hpp"
#include "exchange/times.hpp"
#include "io/outside_file.hpp"
#include "model/header.hpp"
#include "storage/agents/agent_scan.hpp"
#include "storage/agents/agent_session.hpp"

namespace logwood::storage::agents {
namespace {

// A last line that is longer says nothing.
constexpr std::uint64_t ending_sizes[] = {4U << 10U, 64U << 10U, 1U << 20U, 16U << 20U};

// The first message of a person comes soon, or the session has to do without a title.
constexpr std::uint64_t title_within = 1U << 20U;

std::string time_of(const exchange::Format& format, std::string_view text) {
  if (!text.starts_with('{') || !check_json(text)) return "";
  // Where all agents of lines have it; some lines have it elsewhere, too.
  if (auto time = exchange::timestamp_of_token(json_member(text, "timestamp"))) return *time;
  exchange::Line line;
  line.text = text;
  exchange::Memory nothing;
  return exchange::timestamp_of_token(format.tell(line, nothing).timestamp).value_or("");
}

// Of the last line that has one; empty: none near the end does.
std::string last_time(const io::File& file, std::uint64_t size, const exchange::Format& format) {
  for (const std::uint64_t window : ending_sizes) {
    const std::uint64_t begin = size - std::min(size, window);
    const auto bytes = std::make_unique_for_overwrite<char[]>(size - begin);
    const auto got = file.read_at(begin, {bytes.get(), size - begin});
    if (!got) return "";
    std::string_view left(bytes.get(), *got);
    while (!left.empty()) {
      if (left.ends_with('\n')) left.remove_suffix(1);
      const std::size_t line_break = left.rfind('\n');
      if (line_break == std::string_view::npos && begin > 0) break;  // not all of it
      const std::size_t line = line_break == std::string_view::npos ? 0 : line_break + 1;
      if (std::string time = time_of(format, left.substr(line)); !time.empty()) return time;
      left = left.substr(0, line);
    }
    if (begin == 0) break;
  }
  return "";
}

// What the beginning says it is about.
std::string title_at_start(const AgentSource& source, const SessionHeader& header) {
  const auto lines = AgentLines::open(source, [](const std::string&) { return std::nullopt; });
  if (!lines) return "";
  AgentScan scan(*lines, header, source.title, exchange::Carry::nothing);
  catalog::SummaryBuilder builder;
  const auto take = [&](const ScannedEntry& entry) { builder.take(entry.text, entry.place); };
  while (scan.position().offset < title_within) {
    const auto more = scan.next(take);
    if (!more || !*more) break;
  }
  return builder.finish().summary.title;
}

}  // namespace

// What a fork begins with lies in other files, and neither of its ends does.
std::optional<Glance> glance_at(const SessionId& session, const AgentSource& source) {
  const bool is_document = source.format != nullptr && source.format->split != nullptr;
  if (is_document || !AgentLines::is_plain(source)) return std::nullopt;
  const auto file = io::open_outside(source.path);
  if (!file) return std::nullopt;
  const std::uint64_t size = source.stamp.size_bytes;
  const auto found = identify(**file, size, source);
  if (!found || found->format->split != nullptr) return std::nullopt;
  Glance glance;
  glance.header = header_of(session, source, *found);
  glance.last_active = last_time(**file, size, *found->format);
  if (glance.last_active.empty()) glance.last_active = modified_time(source);
  if (is_long(size)) {
    glance.header_text = header_body(glance.header) + '}';
    glance.title = title_at_start(source, glance.header);
  }
  return glance;
}

}  // namespace logwood::storage::agents
