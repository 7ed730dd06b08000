#include "support/session_file_changes.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace logwood {
namespace {

using naive::NaiveEntry;
using naive::NaivePiece;
using naive::NaiveSession;
using naive::NaiveStore;

void add_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << bytes;
}

void write_private_file(const std::string& path, const std::string& bytes) {
  add_bytes(path, bytes);
  std::filesystem::permissions(path, std::filesystem::perms(0600));
}

std::vector<std::string> lines_of(const std::string& content) {
  std::vector<std::string> lines;
  std::istringstream in(content);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> contents_in(const std::string& folder, const std::string& prefix) {
  std::vector<std::string> found;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.is_regular_file() && file.path().filename().string().starts_with(prefix)) {
      found.push_back(content_of(file.path().string()));
    }
  }
  return found;
}

void change_session_file(const Operation& operation, const std::string& path,
                         NaiveSession& session) {
  const unsigned number = operation.number;
  // What is added to an unended line would make another line of it.
  const bool unended = !session.unended.empty() || session.lost_line_end;
  const auto add_line = [&](NaivePiece::Kind kind, const std::string& text, std::uint64_t seq = 0) {
    if (unended) return;
    add_bytes(path, text + '\n');
    session.pieces.push_back({kind, 1, text.size() + 1, seq, seq});
  };
  switch (operation.kind) {
    case Operation::Kind::foreign_line: {
      constexpr const char* texts[] = {R"({"type":"note","text":"seal"})", "[1,2]", "7", "null",
                                       R"({"id":"a","type":"message","payload":{}})"};
      add_line(NaivePiece::Kind::foreign, texts[number % 5]);
      return;
    }
    case Operation::Kind::blank_line:
      add_line(NaivePiece::Kind::blank, number % 2 == 0 ? "" : " \t");
      return;
    case Operation::Kind::damaged_line: {
      std::string line = lines_of(content_of(path)).front();
      line[line.size() - 4] = line[line.size() - 4] == '0' ? '1' : '0';  // in the CRC
      const std::string texts[] = {"garbage", R"({"a":})", line, std::string("\0\0\0x", 4)};
      add_line(NaivePiece::Kind::damaged, texts[number % 4]);
      return;
    }
    case Operation::Kind::nul_line:
      add_line(NaivePiece::Kind::nul, std::string(8 + number, '\0'));
      return;
    case Operation::Kind::replayed_line: {
      std::vector<std::pair<std::string, std::uint64_t>> sealed;
      const std::vector<std::string> lines = lines_of(content_of(path));
      std::size_t at = 0;
      for (const NaivePiece& piece : session.pieces) {
        for (std::uint64_t i = 0; piece.kind == NaivePiece::Kind::batch && i < piece.lines; ++i) {
          sealed.emplace_back(lines[at + i], piece.first_seq + i);
        }
        at += piece.lines;
      }
      const auto& [text, seq] = sealed[number % sealed.size()];
      add_line(NaivePiece::Kind::repeated, text, seq);
      return;
    }
    case Operation::Kind::unended_bytes: {
      const std::string line = lines_of(content_of(path)).front();
      const std::string texts[] = {R"({"id":"half)", std::string(5000, '\0'), "\xff\xfe", "7",
                                   line.substr(0, 1 + number % (line.size() - 1))};
      if (unended) return;
      session.unended = texts[number % 5];
      add_bytes(path, session.unended);
      return;
    }
    case Operation::Kind::lost_line_end:
      if (unended || session.pieces.back().kind != NaivePiece::Kind::batch) return;
      session.lost_line_end = true;
      std::filesystem::resize_file(path, session.size_bytes());
      return;
    case Operation::Kind::replaced_file:
      write_private_file(path + ".copy", content_of(path));
      std::filesystem::rename(path + ".copy", path);
      return;
    case Operation::Kind::cut_last_batch:
      if (session.entries.size() == 1) return;
      session.drop_last_batch();
      std::filesystem::resize_file(path, session.size_bytes());
      return;
    default:
      return;
  }
}

void change_index_file(const Operation& operation, const std::string& path) {
  if (!std::filesystem::exists(path)) return;
  std::string content = content_of(path);
  switch (operation.kind) {
    case Operation::Kind::delete_index:
      std::filesystem::remove(path);
      return;
    case Operation::Kind::truncate_index:
      std::filesystem::resize_file(path, content.size() * (operation.number % 8U) / 8U);
      return;
    default:
      if (content.empty()) return;
      content[operation.number * 37U % content.size()] ^=
          static_cast<char>(1U << operation.number % 8U);
      std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  }
}

NaiveSession put_unsealed_session(const std::string& path, const std::string& id,
                                  const std::string& key, const std::string& created,
                                  std::size_t entries) {
  NaiveStore made;
  NaiveSession session = made.create(id, key, created);
  session.sealed = false;
  std::string& header = session.entries.front().text;
  header.replace(header.find("\"version\":1"), 11, "\"version\":0");
  std::optional<std::string> parent;
  for (std::size_t i = 0; i < entries; ++i) {
    NaiveEntry entry;
    entry.id = "old" + std::to_string(i);
    entry.parent = parent;
    entry.type = "message";
    entry.timestamp = created;
    entry.seq = i + 2;
    entry.text = R"({"payload":{"n":1}, "type":"message","id":")" + entry.id + R"(","parentId":)" +
                 (parent ? '"' + *parent + '"' : "null") + R"(,"timestamp":")" + created + "\"}";
    parent = entry.id;
    session.entries.push_back(entry);
  }
  std::string bytes;
  session.pieces.clear();
  for (const NaiveEntry& entry : session.entries) {
    bytes += entry.text + '\n';
    session.pieces.push_back(
        {NaivePiece::Kind::batch, 1, entry.text.size() + 1, entry.seq, entry.seq});
  }
  write_private_file(path, bytes);
  return session;
}

}  // namespace logwood
