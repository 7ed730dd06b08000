// Any bytes as the index beside a valid session. The index is derived: with a wrong one everything
// is answered as without one, and nothing that is appended goes astray.
//
// The first byte of the input says how the rest is used: as the file itself, or as changes to a
// good index, with or without a right checksum afterwards. A checksum over lies is no accident, so
// there only memory is at stake.
#include "storage/jsonl/index_file.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/crc32c.hpp"
#include "expect.hpp"
#include "format/fold.hpp"
#include "small_session.hpp"
#include "support/repeatable_random.hpp"
#include "support/scanned.hpp"

LOGWOOD_REPEATABLE_RANDOM

namespace {

using namespace logwood;
using fuzz::expect;

struct Prepared {
  io::SimulatedDisk disk;  // with a session, and an index that is a little behind it
  std::string index;
  std::size_t entries = 0;
};

Prepared prepare() {
  const RepeatableRandom random(1);
  Prepared made;
  std::size_t& next = made.entries;
  {
    auto store = fuzz::open_store(made.disk);
    NewSession session;
    session.id = SessionId{fuzz::session_name};
    expect(store->create(session).has_value(), "a session is made");
    for (const std::size_t count : {1U, 3U, 2U, 1U}) {
      expect(fuzz::append_batch(*store, next, count).has_value(), "a batch is appended");
      next += count;
    }
    expect(store->close().has_value(), "the store closes");
  }
  const auto index = made.disk.content(fuzz::index_path);
  expect(index.has_value() && index->size() > 100, "closing leaves an index");
  made.index = *index;
  auto store = fuzz::open_store(made.disk);
  for (const std::size_t count : {2U, 1U}) {
    expect(fuzz::append_batch(*store, next, count).has_value(), "a batch is appended");
    next += count;
  }
  return made;
}

enum class Use : std::uint8_t { raw, changed, forged };

// Overwrites what the input says: place (2 bytes), value (1 byte), again and again.
void change(std::string& bytes, std::string_view input) {
  for (; input.size() >= 3; input.remove_prefix(3)) {
    const auto at = static_cast<std::size_t>(static_cast<unsigned char>(input[0])) << 8U |
                    static_cast<unsigned char>(input[1]);
    bytes[at % bytes.size()] = input[2];
  }
}

// Gives a header and records the checksums that make them look right.
void forge(std::string& bytes) {
  using storage::jsonl::IndexHeader;
  constexpr std::size_t header_at = 8;
  constexpr std::size_t crc_at = header_at + sizeof(IndexHeader);
  if (bytes.size() < crc_at + 8) return;
  IndexHeader header;
  std::memcpy(&header, bytes.data() + header_at, sizeof header);
  const std::size_t size = std::min<std::size_t>(static_cast<std::size_t>(header.record_count) * 32,
                                                 bytes.size() - crc_at - 8);
  header.records_crc = Crc32c().add(std::string_view(bytes).substr(crc_at + 8, size)).value();
  std::memcpy(bytes.data() + header_at, &header, sizeof header);
  const std::uint64_t crc =
      Crc32c().add(std::string_view(bytes).substr(header_at, sizeof header)).value();
  std::memcpy(bytes.data() + crc_at, &crc, sizeof crc);
}

std::string index_from(const std::string& good, Use use, std::string_view input) {
  if (use == Use::raw) return std::string(input);
  std::string index = good;
  change(index, input);
  if (!input.empty() && input.size() % 3 == 1) {
    index.resize(index.size() * static_cast<unsigned char>(input.back()) / 256);
  }
  if (use == Use::forged) forge(index);
  return index;
}

// Everything a store says, as one text.
std::string answers(io::SimulatedDisk& disk, std::size_t entries) {
  const RepeatableRandom random(2);
  std::string said;
  const auto say_entry = [&](const Entry& entry) {
    said += std::to_string(entry.seq) + ' ' + entry.text + '\n';
  };
  auto store = fuzz::open_store(disk);
  const SessionId session{fuzz::session_name};
  if (const auto status = store->status(session)) {
    said += "tail " + (status->tail ? status->tail->text : "") + " head " +
            (status->head ? status->head->text : "") + '\n' + status->read_only;
  }
  for (std::size_t i = 0; i <= entries; ++i) {
    const auto found = store->find(session, {"e" + std::to_string(i)});
    said += found ? "" : std::string(name_of(found.error().code)) + '\n';
    if (found) say_entry(*found);
  }
  for (const Along along : {Along::append_order, Along::path}) {
    const auto last = store->read_last(session, 4, along);
    if (!last) continue;
    said += last->has_more ? "more\n" : "all\n";
    for (const Entry& entry : last->entries) say_entry(entry);
  }
  // One that is known, one with an entry as parent, one that is new: all through one writer.
  const auto known = fuzz::append_batch(*store, 4, 2);
  said += known ? (known->replayed ? "replayed\n" : "appended\n") : known.error().message;
  Draft under = Draft::of({.type = "message",
                           .id = EntryId{"under"},
                           .parent = Parent::of({"e1"}),
                           .timestamp = "2026-01-31T08:00:01.000Z"});
  const auto appended = store->append(session, {&under, 1}, {});
  said += appended ? "appended\n" : appended.error().message;
  if (const auto all = fuzz::load_all(*store)) {
    for (const Entry& entry : all->page.entries) say_entry(entry);
    for (const Problem& problem : all->page.problems) said += describe(problem) + '\n';
  }
  if (const auto report = store->verify(session)) {
    said += std::to_string(report->entries) + ' ' + std::to_string(report->problem_count);
  }
  (void)store->close();
  return said;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Prepared prepared = prepare();
  static const std::string without_index = [] {
    io::SimulatedDisk disk = prepared.disk;
    expect(disk.start_process()->remove(fuzz::index_path).has_value(), "the index can go");
    return answers(disk, prepared.entries);
  }();
  if (size == 0) return 0;
  const auto use = static_cast<Use>(data[0] % 3);
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string index = index_from(prepared.index, use, input);

  io::SimulatedDisk disk = prepared.disk;
  {
    const auto process = disk.start_process();
    auto file = process->open(fuzz::index_path, io::Access::rewrite);
    expect(file && (*file)->truncate(0) && (*file)->write_at(0, index),
           "the index can be replaced");
  }
  const std::string with_index = answers(disk, prepared.entries);
  if (use != Use::forged)
    expect(with_index == without_index, "the answers are the same without an index");
  return 0;
}
