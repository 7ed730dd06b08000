// Any bytes as a file of another agent: what is read of it are entries that a store takes, each
// after its parent, none twice; nothing of the file is lost; and reading on from anywhere gives the
// same.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "exchange/carried_line.hpp"
#include "exchange/format.hpp"
#include "exchange/reading.hpp"
#include "expect.hpp"
#include "model/draft.hpp"
#include "model/message.hpp"

namespace logwood::fuzz {

inline std::vector<exchange::Line> lines_of(const exchange::Format& format,
                                            std::string_view bytes) {
  std::vector<exchange::Line> lines;
  const auto put = [&](std::string_view text, std::string_view json, bool has_end) {
    exchange::Line line;
    line.text = text;
    line.json = json;
    line.offset = static_cast<std::uint64_t>(text.data() - bytes.data());
    line.number = lines.size() + 1;
    line.has_end = has_end;
    lines.push_back(line);
  };
  if (format.split != nullptr) {
    format.split(bytes, [&](const exchange::Piece& piece) { put(piece.text, piece.json, false); });
    return lines;
  }
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = bytes.find('\n', at);
    const std::size_t stop = end == std::string_view::npos ? bytes.size() : end;
    put(bytes.substr(at, stop - at), {}, end != std::string_view::npos);
    at = stop + 1;
  }
  return lines;
}

inline void take(exchange::Reading& reading, const exchange::Format& format,
                 const exchange::Line& line, std::vector<std::string>& texts) {
  const auto keep = [&](std::string_view text) { texts.emplace_back(text); };
  if (format.split != nullptr && line.json.empty()) {
    reading.take_aside(line, keep);
  } else {
    reading.take(line, keep);
  }
}

inline void check_entries(const std::vector<std::string>& texts, std::string_view agent,
                          std::string_view bytes) {
  std::set<std::string> ids;
  std::set<std::string> tree;
  std::string carried;
  for (const std::string& text : texts) {
    const JsonCheck json = check_json(text);
    if (json.fault == JsonFault::too_deep) return;  // an import says so
    expect(static_cast<bool>(json) && !json.has_newline, "an entry is JSON on one line");
    const auto entry = parse_entry(text);
    expect(static_cast<bool>(entry), "what is read is an entry");
    expect(is_timestamp(entry->timestamp), "an entry has a time");
    expect(ids.insert(entry->id.text).second, "no id comes twice");
    if (kind_of(entry->type) == EntryKind::tree) {
      expect(!entry->parent_id || tree.contains(entry->parent_id->text),
             "an entry comes after its parent");
      tree.insert(entry->id.text);
    } else {
      expect(!entry->parent_id, "a mark has no parent");
    }
    if (entry->type == "message") {
      const std::string role = read_message(entry->payload()).role;
      expect(role != "system" && role != "developer", "nobody speaks as the system");
    }
    if (auto line = exchange::carried_line(*entry, agent)) carried += *line;
  }
  expect(carried == bytes, "nothing of the file is lost");
}

inline void read_any(const exchange::Format& format, std::string_view bytes) {
  const exchange::FileSight sight{"/somewhere/session.jsonl", bytes};
  (void)format.detects(sight);
  if (format.name_in_path != nullptr) (void)format.name_in_path(bytes.substr(0, 200));
  exchange::FileHead head = format.head(sight);
  if (head.created.empty()) head.created = "2026-01-31T00:00:00.000Z";
  const std::vector<exchange::Line> lines = lines_of(format, bytes);
  exchange::Reading reading(format, head, exchange::Carry::lines);
  std::vector<std::string> texts;
  std::string state;
  std::size_t told_then = 0;
  const std::size_t middle = lines.size() / 2;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == middle) {
      state = reading.state();
      told_then = texts.size();
    }
    take(reading, format, lines[i], texts);
  }
  check_entries(texts, format.name, bytes);
  if (format.split != nullptr || head.refers_to_lines || lines.empty()) return;
  exchange::Reading later(format, head, exchange::Carry::lines);
  expect(later.go_on_from(state), "a state can be gone on from");
  later.know(reading.found());
  std::vector<std::string> rest;
  for (std::size_t i = middle; i < lines.size(); ++i) take(later, format, lines[i], rest);
  expect(rest.size() == texts.size() - told_then, "reading on tells as many entries");
  for (std::size_t i = 0; i < rest.size(); ++i)
    expect(rest[i] == texts[told_then + i], "reading on tells the same entries");
}

}  // namespace logwood::fuzz
