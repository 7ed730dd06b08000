// A session is made, damaged as the input says, and used again. What was acknowledged and not
// touched is still there; the next append succeeds and is there afterwards; what is gone is
// reported.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expect.hpp"
#include "line_mutations.hpp"
#include "small_session.hpp"
#include "support/repeatable_random.hpp"
#include "support/scanned.hpp"

LOGWOOD_REPEATABLE_RANDOM

namespace {

using namespace logwood;
using fuzz::expect;

struct Batch {
  std::size_t first = 0;  // number of its first entry
  std::size_t count = 0;
};

// The lines of the session as they were acknowledged. Line 0 is the header.
struct Original {
  std::string bytes;
  std::vector<std::string> lines;  // with LF; line k has seq k + 1
  std::vector<Batch> batches;
};

Original make_session(io::SimulatedDisk& disk, FuzzedDataProvider& input) {
  Original made;
  auto store = fuzz::open_store(disk);
  NewSession session;
  session.id = SessionId{fuzz::session_name};
  expect(store->create(session).has_value(), "a session is made");
  std::size_t next = 0;
  const auto batches = input.ConsumeIntegralInRange<std::size_t>(1, 6);
  for (std::size_t i = 0; i < batches; ++i) {
    const auto count = input.ConsumeIntegralInRange<std::size_t>(1, 4);
    const bool buffered = input.ConsumeBool();
    expect(fuzz::append_batch(*store, next, count,
                              buffered ? Durability::buffered : Durability::synced)
               .has_value(),
           "a batch is appended");
    made.batches.push_back({next, count});
    next += count;
    if (input.ConsumeIntegralInRange(0, 7) == 0) {
      expect(store->close(SessionId{fuzz::session_name}).has_value(), "the session closes");
    }
  }
  expect(store->close().has_value(), "the store closes");
  made.bytes = *disk.content(fuzz::session_path);
  made.lines = fuzz::lines_with_ends(made.bytes);
  return made;
}

void damage_once(std::string& bytes, FuzzedDataProvider& input) {
  const auto place = [&] { return input.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1); };
  std::vector<std::string> lines = fuzz::lines_with_ends(bytes);
  const auto line = [&] { return input.ConsumeIntegralInRange<std::size_t>(0, lines.size() - 1); };
  switch (input.ConsumeIntegralInRange(0, 11)) {
    case 0:
      bytes[place()] ^= static_cast<char>(1U << input.ConsumeIntegralInRange(0U, 7U));
      return;
    case 1:
      bytes[place()] = static_cast<char>(input.ConsumeIntegral<std::uint8_t>());
      return;
    case 2:
      bytes.erase(place(), input.ConsumeIntegralInRange<std::size_t>(1, 300));
      return;
    case 3:
      bytes.insert(place(), input.ConsumeRandomLengthString(40));
      return;
    case 4: {  // zeros, as where a write did not reach the disk
      const std::size_t from = place();
      const std::size_t size =
          std::min(input.ConsumeIntegralInRange<std::size_t>(1, 600), bytes.size() - from);
      bytes.replace(from, size, size, '\0');
      return;
    }
    case 5:
      bytes.resize(place());
      return;
    case 6:
      bytes += input.ConsumeRandomLengthString(40);
      return;
    case 7:
      std::swap(lines[line()], lines[line()]);
      break;
    case 8: {
      const std::string copy = lines[line()];
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(line()), copy);
      break;
    }
    case 9:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(line()));
      break;
    case 10:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(line()),
                   input.ConsumeBool() ? "{\"type\":\"note\"}\n" : "\n");
      break;
    default: {
      std::string& joined = lines[line()];
      if (joined.ends_with('\n')) joined.pop_back();
      break;
    }
  }
  bytes = fuzz::joined(lines);
}

// The seqs of the original lines that must be returned once something was appended: each stands in
// the file as it was, from the start of a line to its end, and no line of a later seq before it.
std::set<std::uint64_t> untouched(const Original& original, std::string_view bytes) {
  std::map<std::string_view, std::uint64_t> seqs;
  for (std::size_t k = 0; k < original.lines.size(); ++k) {
    seqs[std::string_view(original.lines[k]).substr(0, original.lines[k].size() - 1)] = k + 1;
  }
  std::map<std::uint64_t, std::size_t> first_seen;  // anywhere, also inside other lines
  for (const auto& [text, seq] : seqs) {
    const std::size_t at = bytes.find(text);
    if (at != std::string_view::npos) first_seen[seq] = at;
  }
  std::set<std::uint64_t> found;
  std::size_t offset = 0;
  for (const std::string& line : fuzz::lines_with_ends(bytes)) {
    const std::string_view text =
        std::string_view(line).substr(0, line.size() - (line.ends_with('\n') ? 1 : 0));
    const auto seq = seqs.find(text);
    const bool passed =
        seq != seqs.end() && std::any_of(first_seen.upper_bound(seq->second), first_seen.end(),
                                         [&](const auto& later) { return later.second < offset; });
    if (seq != seqs.end() && !passed) found.insert(seq->second);
    offset += line.size();
  }
  return found;
}

bool holds_whole_batch(const Original& original, std::string_view bytes) {
  std::size_t line = 1;
  for (const Batch& batch : original.batches) {
    std::string text;
    for (std::size_t i = 0; i < batch.count; ++i) text += original.lines[line + i];
    line += batch.count;
    if (bytes.find(text) != std::string_view::npos) return true;
  }
  return bytes.find(original.lines[0]) != std::string_view::npos;
}

void write_in_place(io::SimulatedDisk& disk, std::string_view bytes) {
  const auto process = disk.start_process();
  auto file = process->open(fuzz::session_path, io::Access::rewrite);
  expect(file && (*file)->truncate(0) && (*file)->write_at(0, bytes) && (*file)->sync(),
         "the file can be damaged");
}

const Entry* with_seq(const std::vector<Entry>& entries, std::uint64_t seq) {
  for (const Entry& entry : entries) {
    if (entry.seq == seq) return &entry;
  }
  return nullptr;
}

const Entry* with_id(const std::vector<Entry>& entries, std::string_view id) {
  for (const Entry& entry : entries) {
    if (entry.id.text == id) return &entry;
  }
  return nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const RepeatableRandom random(1);
  FuzzedDataProvider input(data, size);
  io::SimulatedDisk disk;
  const Original original = make_session(disk, input);
  const bool in_place = input.ConsumeBool();
  std::string bytes = original.bytes;
  for (int i = input.ConsumeIntegralInRange(1, 4); i > 0 && !bytes.empty(); --i) {
    damage_once(bytes, input);
  }
  fuzz::shown_with_failure() = bytes;
  if (in_place) {
    write_in_place(disk, bytes);
  } else {
    disk.put(fuzz::session_path, bytes);
  }
  const std::set<std::uint64_t> kept = untouched(original, bytes);
  const Scanned before = scan_bytes(bytes, fuzz::session_name);
  expect(!holds_whole_batch(original, std::string_view(bytes).substr(before.cut)),
         "the torn end holds no batch");

  auto store = fuzz::open_store(disk);
  const SessionId session{fuzz::session_name};
  const auto early = fuzz::load_all(*store);
  expect(early.has_value(), "a damaged session can be read");
  expect(disk.content(fuzz::session_path) == bytes, "readers change nothing");

  Draft fresh = Draft::of({.type = "message", .id = EntryId{"fresh"}, .parent = Parent::root()});
  const auto appended = store->append(session, {&fresh, 1}, {});
  if (!appended) {
    const ErrorCode code = appended.error().code;
    expect(code == ErrorCode::damaged || code == ErrorCode::unsupported,
           "an append is refused only where there is no session, or another version");
    // Without its torn end the file may have no line left that is whole.
    const std::string_view rest = std::string_view(bytes).substr(0, before.cut);
    expect(code == ErrorCode::unsupported || untouched(original, rest).empty(),
           "there is a session");
    const auto found = disk.content(fuzz::session_path);
    expect(found == bytes || found == rest, "what is refused changes nothing");
    return 0;
  }
  const auto after = fuzz::load_all(*store);
  expect(after.has_value(), "the session can be read after an append");
  const std::vector<Entry>& entries = after->page.entries;
  fuzz::shown_with_failure() += "--- then\n" + disk.content(fuzz::session_path).value_or("");
  for (const Entry& entry : entries) {
    fuzz::shown_with_failure() +=
        std::to_string(entry.seq) + (entry.flagged ? " flagged " : " ") + entry.text + '\n';
  }
  const Entry* last = with_id(entries, "fresh");
  expect(last != nullptr && !last->flagged && last == &entries.back(), "the append is there");
  const auto tail = store->status(session);
  expect(tail && tail->tail == EntryId{"fresh"}, "the append is the tail");
  const auto newest = store->read_last(session, 1, Along::append_order);
  expect(newest && newest->entries.size() == 1 && newest->entries[0] == *last, "and the newest");
  const auto again = store->append(session, {&fresh, 1}, {});
  expect(again && again->replayed, "the same append is known");

  for (const std::uint64_t seq : kept) {
    const std::string& line = original.lines[static_cast<std::size_t>(seq) - 1];
    const std::size_t at = bytes.find(line.substr(0, line.size() - 1));
    if (at >= before.cut) continue;  // the rest of its batch was cut off: it looks torn
    const Entry* entry = with_seq(entries, seq);
    if (entry == nullptr) {
      // Its entry was committed again under another seq, and stands there.
      const auto superseded = parse_entry(line.substr(0, line.find(",\"seal\":")) + '}');
      expect(superseded && with_id(entries, superseded->id.text) != nullptr,
             "an untouched line is returned");
      continue;
    }
    expect(line.starts_with(entry->text.substr(0, entry->text.size() - 1)),
           "an untouched line is returned as it was");
  }
  for (const Entry& entry : entries) {
    const bool ours =
        entry.id.text == "fresh" ||
        std::any_of(original.lines.begin(), original.lines.end(), [&](const std::string& line) {
          return line.starts_with(entry.text.substr(0, entry.text.size() - 1));
        });
    expect(ours, "nothing is returned that was not written");
  }
  const auto report = store->verify(session);
  expect(report.has_value(), "a damaged session can be verified");
  expect(report->entries == entries.size(), "verify counts what load returns");
  // Whatever was lost is reported, unless it was the end and looks as if it had never been.
  std::uint64_t lost = 0;
  for (std::uint64_t seq = 1; seq <= original.lines.size(); ++seq) {
    const Entry* entry = with_seq(entries, seq);
    if (entry == nullptr || entry->flagged) lost = seq;
    if (lost != 0 && entry != nullptr && !entry->flagged && entry->id.text != "fresh") {
      expect(!report->is_sound(), "a loss is reported");
    }
  }

  // Everything can be appended once more: what is known is known, what was lost comes back.
  for (const Batch& batch : original.batches) {
    const auto retried = fuzz::append_batch(*store, batch.first, batch.count);
    expect(retried || retried.error().code == ErrorCode::id_conflict, "a retry is answered");
    if (batch.count == 1) expect(retried.has_value(), "a retry of one entry succeeds");
  }
  expect(store->close().has_value(), "the store closes");
  return 0;
}
