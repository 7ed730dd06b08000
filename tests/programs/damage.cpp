// Every damage that a file can take, one at a time: each bit flipped, each byte
// changed to each value, removed or inserted; sectors zeroed; lines deleted,
// doubled, swapped, replayed; lines of another session; objects that quote sealed
// lines. After each: it is detected and located, no line that was not touched is
// hidden, nothing is returned that was not written, the tail reader agrees with
// the fold, the next append succeeds, and what is lost stays visible.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/crc32c.hpp"
#include "format/seal.hpp"
#include "storage/jsonl/backend.hpp"
#include "support/budget.hpp"
#include "support/scanned.hpp"
#include "support/simulated_disk.hpp"

namespace logwood {
namespace {

const std::string session_id = "0198-s1";
const std::string other_id = "0198-s2";

// --- files to damage ----------------------------------------------------------

struct Original {
  std::string name;
  std::string bytes;
  Scanned scan;
  std::vector<std::string> lines;                               // with their LFs
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;  // of each line
};

std::string body_of(const std::string& id, const std::string& extra = "") {
  return R"({"id":")" + id +
         R"(","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":"message",)" +
         R"("payload":{"text":"t of )" + id + R"( @ v")" + extra + "}";
}

std::string make_file(const std::string& id, const std::string& prefix, const std::string& nested) {
  std::string bytes;
  format::Link link = format::first_link();
  std::uint64_t seq = 1;
  int entry = 0;
  const std::pair<std::uint32_t, bool> batches[] = {{1, true},  {3, true}, {1, false}, {2, false},
                                                    {1, false}, {2, true}, {3, true}};
  for (const auto& [count, after_sync] : batches) {
    const format::BatchSeal seal{id, seq, count, after_sync};
    for (std::uint32_t place = 1; place <= count; ++place, ++entry) {
      format::Salt salt{};
      for (std::size_t i = 0; i < salt.size(); ++i)
        salt[i] = static_cast<std::uint8_t>(static_cast<std::size_t>(entry) * 31 + i * 7);
      const std::string extra = entry == 4 && !nested.empty() ? ",\"quoted\":[" + nested + "]" : "";
      format::seal_line(bytes, seal, place, body_of(prefix + std::to_string(entry), extra), salt,
                        link);
    }
    seq += count;
  }
  return bytes;
}

std::vector<std::string> lines_of(const std::string& bytes) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
    lines.push_back(bytes.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string bytes;
  for (const std::string& line : lines) bytes += line;
  return bytes;
}

Original make_original(const std::string& name, std::string bytes) {
  Original original{name, std::move(bytes), {}, {}, {}};
  original.scan = scan_bytes(original.bytes, session_id);
  original.lines = lines_of(original.bytes);
  std::uint64_t at = 0;
  for (const std::string& line : original.lines) {
    original.places.emplace_back(at, at + line.size());
    at += line.size();
  }
  return original;
}

// --- what must hold after any damage -------------------------------------------

struct Range {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

class Campaign {
 public:
  void examine(const Original& original, const std::string& damaged, const std::string& what,
               const std::optional<Range>& touched = std::nullopt) {
    ++files_;
    ++counts_[what.substr(0, what.find(' '))];
    what_ = &what;
    original_ = &original;
    const Scanned scan = scan_bytes(damaged, session_id);
    if (scan.problems.empty()) violation("not detected");
    if (touched) check_located(scan, *touched);
    const std::set<std::string> seen = check_returned(scan);
    if (touched) check_untouched(scan, seen, *touched);
    check_tail(scan, damaged);
    check_next_append(damaged, seen, touched);
  }

  void count(const std::string& kind) {
    ++files_;
    ++counts_[kind];
  }

  void violation(const std::string& rule) {
    ++violations_;
    if (violations_ <= 20)
      std::cout << "VIOLATION " << rule << ": " << *what_ << " of " << original_->name << "\n";
  }

  void begin(const Original& original, const std::string& what) {
    original_ = &original;
    held_what_ = what;
    what_ = &held_what_;
  }

  [[nodiscard]] std::uint64_t files() const { return files_; }
  [[nodiscard]] std::uint64_t violations() const { return violations_; }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& counts() const { return counts_; }

 private:
  // Some problem must lie where the damage is: in a touched line or the next one
  // (a line that vanished shows as a gap before what follows it).
  void check_located(const Scanned& scan, const Range& touched) {
    std::uint64_t from = touched.from;
    std::uint64_t to = touched.to;
    for (std::size_t i = 0; i < original_->places.size(); ++i) {
      const auto& [begin, end] = original_->places[i];
      if (begin >= touched.to || end <= touched.from) continue;
      from = std::min(from, begin);
      const std::size_t last = std::min(i + 1, original_->places.size() - 1);
      to = std::max(to, original_->places[last].second);
    }
    const bool located = std::any_of(
        scan.problems.begin(), scan.problems.end(),
        [&](const Problem& problem) { return problem.offset >= from && problem.offset <= to + 1; });
    if (!located) violation("not located");
  }

  // Nothing twice, nothing unknown, nothing changed.
  std::set<std::string> check_returned(const Scanned& scan) {
    std::set<std::string> seen;
    for (const ScannedEntry& entry : scan.entries) {
      if (!seen.insert(entry.id).second) violation("an id returned twice");
      const auto known =
          std::find_if(original_->scan.entries.begin(), original_->scan.entries.end(),
                       [&](const ScannedEntry& e) { return e.id == entry.id; });
      if (known == original_->scan.entries.end()) {
        violation("returned something that was never written");
      } else if (known->body != entry.body) {
        violation("returned other bytes than were written");
      }
    }
    return seen;
  }

  // A line that was not touched is returned: flagged only if its batch was
  // touched, held back only if its batch is the last and not whole.
  void check_untouched(const Scanned& scan, const std::set<std::string>& seen,
                       const Range& touched) {
    const auto is_touched = [&](const ScannedEntry& entry) {
      for (const auto& [begin, end] : original_->places) {
        if (begin == entry.offset) return begin < touched.to && end > touched.from;
      }
      return true;
    };
    std::set<std::uint64_t> touched_batches;
    for (const ScannedEntry& entry : original_->scan.entries) {
      if (is_touched(entry)) touched_batches.insert(entry.base);
    }
    const std::uint64_t last_batch = original_->scan.entries.back().base;
    for (const ScannedEntry& entry : original_->scan.entries) {
      if (is_touched(entry)) continue;
      if (!seen.contains(entry.id)) {
        if (entry.base != last_batch) violation("an untouched line is hidden");
        continue;
      }
      const auto now = std::find_if(scan.entries.begin(), scan.entries.end(),
                                    [&](const ScannedEntry& e) { return e.id == entry.id; });
      if (now->flagged && !touched_batches.contains(entry.base))
        violation("an untouched batch is flagged");
    }
  }

  void check_tail(const Scanned& scan, const std::string& bytes) {
    std::vector<std::string> committed;
    for (const ScannedEntry& entry : scan.entries) {
      if (!entry.flagged) committed.push_back(entry.id);
    }
    for (const std::size_t want : {std::size_t{1}, std::size_t{2}, std::size_t{99}}) {
      const ScannedTail tail = tail_of_bytes(bytes, session_id, want);
      if (tail.entries.size() > committed.size()) {
        violation("the tail reader returned more than the fold");
        continue;
      }
      auto expected = committed.end() - static_cast<std::ptrdiff_t>(tail.entries.size());
      for (const ScannedEntry& entry : tail.entries) {
        if (entry.id != *expected++) {
          violation("the tail reader and the fold disagree");
          break;
        }
      }
    }
  }

  // The next writer, through the store: nothing that was returned goes, and no
  // loss becomes invisible.
  void check_next_append(const std::string& damaged, const std::set<std::string>& seen,
                         const std::optional<Range>& touched) {
    const auto after = append_to(damaged);
    if (!after) return;
    const Scanned scan = scan_bytes(*after, session_id);
    std::set<std::string> now;
    for (const ScannedEntry& entry : scan.entries) now.insert(entry.id);
    if (!now.contains("zz")) violation("the next append is not returned");
    for (const std::string& id : seen) {
      if (!now.contains(id)) violation("a returned line is gone after the next append");
    }
    check_tail(scan, *after);
    std::vector<std::string> missing;
    for (const ScannedEntry& entry : original_->scan.entries) {
      if (!now.contains(entry.id)) missing.push_back(entry.id);
    }
    if (missing.empty()) return;
    if (scan.problems.empty()) violation("a loss is invisible after the next append");
    if (!touched) return;
    for (const ScannedEntry& entry : original_->scan.entries) {
      const bool lost = std::find(missing.begin(), missing.end(), entry.id) != missing.end();
      for (const auto& [begin, end] : original_->places) {
        const bool untouched = begin >= touched->to || end <= touched->from;
        if (lost && begin == entry.offset && untouched)
          violation("an untouched line is lost by the next append");
      }
    }
    // Somebody tidies the bad lines away: the gap must still show.
    std::string tidied;
    for (const std::string& line : lines_of(*after)) {
      const std::string_view text = std::string_view(line).substr(0, line.size() - 1);
      if (format::parse_sealed(session_id, text)) tidied += line;
    }
    if (scan_bytes(tidied, session_id).problems.empty())
      violation("a loss is invisible once bad lines are removed");
  }

  std::optional<std::string> append_to(const std::string& damaged) {
    io::SimulatedDisk disk;
    disk.put("logwood.json", R"({"format":"logwood","version":1,"requires":[]})");
    const std::string name = "sessions/" + session_id + ".jsonl";
    disk.put(name, damaged);
    storage::jsonl::Options options;
    options.writer.sync_interval = std::chrono::milliseconds(0);
    options.writer.new_id = [] { return EntryId{"none"}; };
    options.writer.now = [] { return std::chrono::system_clock::time_point(); };
    auto store = storage::jsonl::open(disk.start_process(), options);
    if (!store) {
      violation("the store cannot be opened");
      return std::nullopt;
    }
    const Draft draft =
        Draft::of({.type = "message", .id = EntryId{"zz"}, .parent = Parent::root()});
    auto appended = (*store)->append({session_id}, {&draft, 1}, {});
    if (!appended) {
      if (what_->find("version") == std::string::npos) {
        violation("the next append was refused: " + appended.error().message);
      }
      return std::nullopt;
    }
    return disk.content(name);
  }

  std::uint64_t files_ = 0;
  std::uint64_t violations_ = 0;
  std::map<std::string, std::uint64_t> counts_;
  const std::string* what_ = nullptr;
  std::string held_what_;
  const Original* original_ = nullptr;
};

// --- the damages ----------------------------------------------------------------

// What a run covers: all of it, or in a short form every step-th case.
struct Thinning {
  std::uint64_t step = 1;
  std::uint64_t case_number = 0;
  bool wants() { return case_number++ % step == 0; }
};

void flip_bits(Campaign& campaign, const Original& original, Thinning& thinning) {
  for (std::size_t at = 0; at < original.bytes.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (!thinning.wants()) continue;
      std::string damaged = original.bytes;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ 1U << bit);
      campaign.examine(original, damaged, "bit " + std::to_string(at) + "." + std::to_string(bit),
                       Range{at, at + 1});
    }
  }
}

void change_bytes(Campaign& campaign, const Original& original, Thinning& thinning) {
  for (std::size_t at = 0; at < original.bytes.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      if (static_cast<char>(value) == original.bytes[at] || !thinning.wants()) continue;
      std::string damaged = original.bytes;
      damaged[at] = static_cast<char>(value);
      campaign.examine(original, damaged,
                       "byte " + std::to_string(at) + "=" + std::to_string(value),
                       Range{at, at + 1});
    }
  }
}

void remove_and_insert_bytes(Campaign& campaign, const Original& original, Thinning& thinning) {
  constexpr std::string_view inserted = "x{}\"\n\r \0,0";
  for (std::size_t at = 0; at < original.bytes.size(); ++at) {
    if (thinning.wants()) {
      std::string removed = original.bytes;
      removed.erase(at, 1);
      campaign.examine(original, removed, "removed " + std::to_string(at), Range{at, at + 1});
    }
    if (thinning.wants()) {
      std::string longer = original.bytes;
      longer.insert(at, 1, inserted[at % inserted.size()]);
      campaign.examine(original, longer, "inserted " + std::to_string(at),
                       Range{at > 0 ? at - 1 : 0, at + 1});
    }
  }
}

void damage_sectors(Campaign& campaign, const Original& original) {
  // A zeroed end without a line end is what a torn write leaves; only an anchor
  // outside could tell, so the last batch is left out.
  const std::uint64_t last_batch = original.scan.entries.back().base;
  std::uint64_t limit = original.bytes.size();
  for (const ScannedEntry& entry : original.scan.entries) {
    if (entry.base == last_batch) limit = std::min(limit, entry.offset);
  }
  for (const std::size_t sector : {std::size_t{64}, std::size_t{512}}) {
    for (std::size_t at = 0; at + sector < limit; at += sector) {
      for (const char fill : {'\0', '\xff', 'x', '\n'}) {
        std::string damaged = original.bytes;
        std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(at), sector, fill);
        campaign.examine(original, damaged, "sector " + std::to_string(at), Range{at, at + sector});
      }
    }
  }
}

void rearrange_lines(Campaign& campaign, const Original& original) {
  const std::vector<std::string>& lines = original.lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> changed = lines;
    if (i + 1 < lines.size()) {
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
      campaign.examine(original, joined(changed), "line-deleted " + std::to_string(i),
                       Range{original.places[i].first, original.places[i].second});
    }
    changed = lines;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    campaign.examine(original, joined(changed), "line-doubled " + std::to_string(i));
    campaign.examine(original, original.bytes + lines[i], "line-replayed " + std::to_string(i));
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      changed = lines;
      std::swap(changed[i], changed[j]);
      campaign.examine(original, joined(changed),
                       "lines-swapped " + std::to_string(i) + "," + std::to_string(j));
    }
  }
}

void mix_in_others(Campaign& campaign, const Original& original, const std::string& other) {
  const std::vector<std::string> others = lines_of(other);
  for (std::size_t k = 0; k < others.size(); ++k) {
    campaign.examine(
        original,
        original.bytes + joined({others.begin() + static_cast<std::ptrdiff_t>(k), others.end()}),
        "other-session-end " + std::to_string(k));
    std::vector<std::string> changed = original.lines;
    changed.insert(changed.begin() + 5, others[k]);
    campaign.examine(original, joined(changed), "other-session-middle " + std::to_string(k));
  }
  const std::string strangers[] = {"{\"id\":\"f\",\"type\":\"note\"}\n",
                                   "[1,2]\n",
                                   "\n",
                                   "   \n",
                                   "not json\n",
                                   "{\"id\":\"f\",\"seal\":\"hello\"}\n",
                                   "\r\n",
                                   "{\"a\":" + others[3].substr(0, others[3].size() - 1) + "}\n"};
  for (std::size_t i = 0; i <= original.lines.size(); ++i) {
    for (const std::string& stranger : strangers) {
      std::vector<std::string> changed = original.lines;
      changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), stranger);
      const std::string damaged = joined(changed);
      campaign.examine(original, damaged, "stranger " + std::to_string(i) + " " + stranger);
      if (scan_bytes(damaged, session_id).entries.size() != original.scan.entries.size()) {
        campaign.violation("a stranger's line hides entries");
      }
    }
  }
}

std::string with_crc_fixed(std::string line) {  // line with its LF
  Crc32c crc;
  crc.add(session_id).add("\n").add(std::string_view(line).substr(0, line.size() - 11));
  char spelled[9];
  std::snprintf(spelled, sizeof(spelled), "%08x", crc.value());
  return line.replace(line.size() - 11, 8, spelled);
}

// Somebody who can compute a CRC edits a line: the chain shows it.
void edit_lines(Campaign& campaign, const Original& original) {
  const std::pair<std::string, std::string> edits[] = {{"t of", "T of"},
                                                       {"\"1+.", "\"1~."},
                                                       {"\"1~.", "\"1+."},
                                                       {"message", "massage"},
                                                       {"parentId\":null", "parentId\":\"x\""}};
  for (std::size_t i = 0; i < original.lines.size(); ++i) {
    for (const auto& [from, to] : edits) {
      std::vector<std::string> changed = original.lines;
      const std::size_t at = changed[i].rfind(from);
      if (at == std::string::npos) continue;
      changed[i] = with_crc_fixed(changed[i].replace(at, from.size(), to));
      campaign.begin(original, "edited line " + std::to_string(i));
      campaign.count("edited");
      if (scan_bytes(joined(changed), session_id).problems.empty())
        campaign.violation("an edit with a right CRC is not detected");
    }
    // Another version, with a wrong and with a right CRC.
    std::vector<std::string> changed = original.lines;
    const std::size_t at = changed[i].rfind("\"seal\":\"1");
    changed[i][at + 8] = '2';
    campaign.examine(original, joined(changed), "ver2-wrong-crc " + std::to_string(i));
    changed[i] = with_crc_fixed(changed[i]);
    campaign.begin(original, "version 2 line " + std::to_string(i));
    campaign.count("version");
    const Scanned newer = scan_bytes(joined(changed), session_id);
    if (!newer.newer || newer.cut != joined(changed).size())
      campaign.violation("a newer version is not recognised");
  }
}

// A reader that looks while the file grows byte by byte sees a growing prefix.
void grow(Campaign& campaign, const Original& original) {
  campaign.begin(original, "growth");
  std::size_t before = 0;
  for (std::size_t size = 0; size <= original.bytes.size(); ++size) {
    campaign.count("growth");
    const Scanned scan = scan_bytes(std::string_view(original.bytes).substr(0, size), session_id,
                                    format::AtRest::no);
    if (scan.entries.size() < before) campaign.violation("the prefix shrank");
    before = scan.entries.size();
    for (std::size_t i = 0; i < scan.entries.size(); ++i) {
      if (scan.entries[i].id != original.scan.entries[i].id)
        campaign.violation("the prefix changed");
    }
    if (!scan.entries.empty() && scan.entries.size() < original.scan.entries.size() &&
        scan.entries.back().base == original.scan.entries[scan.entries.size()].base) {
      campaign.violation("part of a batch was shown");
    }
  }
}

int run(int, char**) {
  const Budget budget;
  const std::string other = make_file(other_id, "o", "");
  const std::string twin = make_file(session_id, "n", "");
  const auto quoted = [](const std::string& bytes) {
    const std::vector<std::string> lines = lines_of(bytes);
    std::string text;
    for (std::size_t i = 4; i < 7; ++i)
      text += (i > 4 ? "," : "") + lines[i].substr(0, lines[i].size() - 1);
    return text;
  };
  const Original originals[] = {
      make_original("plain", make_file(session_id, "e", "")),
      make_original("nested", make_file(session_id, "e", quoted(twin))),
      make_original("nested-other", make_file(session_id, "e", quoted(other)))};
  Campaign campaign;
  Thinning thinning;
  if (budget.is_limited()) thinning.step = 41;
  for (const Original& original : originals) {
    if (!original.scan.problems.empty() || original.scan.entries.size() != 13) {
      std::cout << "the undamaged file " << original.name << " does not read as it should\n";
      return 1;
    }
    flip_bits(campaign, original, thinning);
    remove_and_insert_bytes(campaign, original, thinning);
    damage_sectors(campaign, original);
    rearrange_lines(campaign, original);
    mix_in_others(campaign, original, other);
    edit_lines(campaign, original);
    grow(campaign, original);
    if (campaign.violations() > 20) break;
  }
  change_bytes(campaign, originals[0], thinning);
  for (const auto& [kind, count] : campaign.counts()) std::cout << kind << " " << count << "\n";
  std::cout << "damage: " << campaign.files() << " damaged files, " << campaign.violations()
            << " violations"
            << (thinning.step > 1 ? " (short form: every 41st single-byte case)" : "") << "\n";
  return campaign.violations() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main(int argc, char** argv) { return logwood::run(argc, argv); }
