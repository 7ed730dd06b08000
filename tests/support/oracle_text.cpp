#include "support/oracle_text.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "storage/jsonl/backend.hpp"
#include "support/hex.hpp"
#include "support/scanned.hpp"
#include "support/simulated_disk.hpp"

namespace logwood {
namespace {

std::string text_of(std::string_view object, std::string_view name) {
  return json_string_value(json_member(object, name)).value_or("");
}

bool is_true(std::string_view object, std::string_view name) {
  return json_member(object, name) == "true";
}

std::vector<std::string> elements(std::string_view array) {
  std::vector<std::string> found;
  for_each_json_element(array, [&](std::string_view element) {
    found.push_back(json_string_value(element).value_or(std::string(element)));
  });
  return found;
}

std::string_view name_of_cause(GapCause cause) {
  switch (cause) {
    case GapCause::unknown:
      return "unknown";
    case GapCause::power_cut:
      return "power_cut";
    case GapCause::corruption:
      return "corruption";
  }
  return "";
}

std::string spelled(const Problem& problem) {
  std::string text = std::string(name_of(problem.kind)) + " at " + std::to_string(problem.offset) +
                     " line " + std::to_string(problem.line);
  if (problem.first_seq != 0) text += " seq " + std::to_string(problem.first_seq);
  if (problem.last_seq != problem.first_seq) text += "-" + std::to_string(problem.last_seq);
  if (problem.kind == ProblemKind::missing) text.append(" ").append(name_of_cause(problem.cause));
  return text + "\n";
}

std::string spelled(const Scanned& scanned) {
  std::string text;
  for (const ScannedEntry& entry : scanned.entries) {
    text += "entry " + std::to_string(entry.seq) + " " + entry.id +
            (entry.flagged ? " flagged" : "") + (entry.erased ? " erased" : "") + "\n";
  }
  for (const Problem& problem : scanned.problems) text += spelled(problem);
  return text + "next " + std::to_string(scanned.next_seq) + " link " + scanned.link + " cut " +
         std::to_string(scanned.cut) + " end " + std::to_string(scanned.end) +
         (scanned.hole ? " hole" : "") + (scanned.newer ? " newer" : "") + "\n";
}

std::string spelled_problem(std::string_view problem) {
  const std::string kind = text_of(problem, "problem");
  std::string text = kind + " at " + std::string(json_member(problem, "offset")) + " line " +
                     std::string(json_member(problem, "line"));
  const std::string_view detail = json_member(problem, "detail");
  std::vector<std::string> parts = elements(detail);
  if (parts.empty() && detail != "null") parts = {std::string(detail), std::string(detail), ""};
  if (parts.size() == 3) {
    text += " seq " + parts[0] + (parts[0] == parts[1] ? "" : "-" + parts[1]);
    if (kind == "missing") text += " " + parts[2];
  }
  return text + "\n";
}

std::string spelled_scan(std::string_view scan) {
  std::string text;
  for_each_json_element(json_member(scan, "entries"), [&](std::string_view entry) {
    text += "entry " + std::string(json_member(entry, "seq")) + " " + text_of(entry, "id") +
            (is_true(entry, "flagged") ? " flagged" : "") +
            (is_true(entry, "erased") ? " erased" : "") + "\n";
  });
  for_each_json_element(json_member(scan, "problems"),
                        [&](std::string_view problem) { text += spelled_problem(problem); });
  const std::string_view last = json_member(scan, "last");
  return text + "next " + std::string(json_member(last, "next")) + " link " +
         text_of(last, "link") + " cut " + std::string(json_member(last, "cut")) + " end " +
         std::string(json_member(last, "end")) + (is_true(last, "hole") ? " hole" : "") +
         (is_true(last, "newer") ? " newer" : "") + "\n";
}

std::string spelled(const ScannedTail& tail) {
  std::string text = tail.complete ? "complete" : "irregular";
  text += tail.anchored ? " anchored" : "";
  for (const ScannedEntry& entry : tail.entries)
    text += " " + std::to_string(entry.seq) + ":" + entry.id;
  return text + "\n";
}

// The oracle tells every batch up to the anchor; the walk may stop as soon as it
// has enough. So of an anchored tail only as many entries are compared as we have.
std::string spelled_tail(std::string_view tail, bool anchored, std::size_t entries_max) {
  std::string text = is_true(tail, "complete") ? "complete" : "irregular";
  text += is_true(tail, "anchored") ? " anchored" : "";
  std::vector<std::string> entries;
  for_each_json_element(json_member(tail, "entries"), [&](std::string_view entry) {
    entries.push_back(" " + std::string(json_member(entry, "seq")) + ":" + text_of(entry, "id"));
  });
  if (anchored && entries.size() > entries_max && entries_max > 0) {
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(entries_max));
  }
  for (const std::string& entry : entries) text += entry;
  return text + "\n";
}

std::optional<format::Anchor> anchor_in(std::string_view token) {
  const std::vector<std::string> parts = elements(token);
  if (parts.size() != 3) return std::nullopt;
  format::Anchor anchor{std::stoull(parts[0]), std::stoull(parts[1]), {}};
  std::copy(parts[2].begin(), parts[2].end(), anchor.link.begin());
  return anchor;
}

// A text and whether it is what was appended.
std::string spelled_text(std::string_view hash, bool incomplete) {
  return std::string(hash) + (incomplete ? " incomplete" : "");
}

std::string spelled_text(const Entry& entry) {
  return spelled_text(to_hex(sha256({entry.text})), entry.incomplete);
}

using TextBySeq = std::map<std::uint64_t, std::string>;

std::string spelled(const TextBySeq& texts) {
  std::string text;
  for (const auto& [seq, said] : texts) text += "text " + std::to_string(seq) + " " + said + "\n";
  return text;
}

// The reports about blobs. Whether there is one for a line that is not returned, since its entry
// was appended again (F7.4), the document leaves open.
std::string spelled_blobs(const std::vector<Problem>& problems, const TextBySeq& returned) {
  std::string text;
  for (const Problem& problem : problems) {
    if (problem.kind == ProblemKind::blob && returned.contains(problem.first_seq))
      text += spelled(problem);
  }
  return text;
}

Result<std::unique_ptr<storage::StorageBackend>> store_with(std::string_view bytes,
                                                            std::string_view session_id,
                                                            std::string_view blobs) {
  io::SimulatedDisk disk;
  disk.put("logwood.json", R"({"format":"logwood","version":1,"requires":[]})");
  disk.put("sessions/" + std::string(session_id) + ".jsonl", bytes);
  for_each_blob(
      blobs, [&](const std::string& path, const std::string& content) { disk.put(path, content); });
  return storage::jsonl::open(disk.start_process(), {});
}

}  // namespace

std::string bytes_of_parts(std::string_view parts) {
  std::string bytes;
  for_each_json_element(parts, [&](std::string_view part) {
    const std::string piece = bytes_in_hex(text_of(part, "hex"));
    const std::uint64_t times = json_unsigned(json_member(part, "times")).value_or(1);
    for (std::uint64_t i = 0; i < times; ++i) bytes += piece;
  });
  return bytes;
}

void for_each_blob(
    std::string_view blobs,
    const std::function<void(const std::string& path, const std::string& bytes)>& visit) {
  if (blobs.empty()) return;
  (void)check_json(blobs, [&](const JsonMember& blob) {
    visit("blobs/" + std::string(blob.key), bytes_of_parts(blob.value));
  });
}

std::string load_difference(std::string_view bytes, std::string_view session_id,
                            std::string_view blobs, std::string_view loaded) {
  std::set<std::string, std::less<>> incomplete;
  std::string reports;
  for_each_json_element(json_member(loaded, "incomplete"), [&](std::string_view problem) {
    incomplete.emplace(json_member(problem, "detail"));
    reports += spelled_problem(problem);
  });
  TextBySeq expected;
  for_each_json_element(json_member(loaded, "texts"), [&](std::string_view text) {
    const std::string_view seq = json_member(text, "seq");
    expected[json_unsigned(seq).value_or(0)] =
        spelled_text(text_of(text, "sha256"), incomplete.contains(seq));
  });

  auto store = store_with(bytes, session_id, blobs);
  if (!store) return "the store cannot be opened: " + store.error().message + "\n";
  const SessionId session{std::string(session_id)};
  constexpr std::size_t all = 1'000'000;
  const auto page = (*store)->read(session, {}, all);
  if (!page) return "the session cannot be read: " + page.error().message + "\n";
  const auto report = (*store)->verify(session);
  if (!report) return "the session cannot be verified: " + report.error().message + "\n";
  const auto backwards = (*store)->read_last(session, all, Along::append_order);
  if (!backwards) return "the end cannot be read: " + backwards.error().message + "\n";

  std::string difference;
  const auto compare = [&](std::string_view what, const std::string& ours,
                           const std::string& theirs) {
    if (ours == theirs) return;
    difference.append("this library, ").append(what).append(":\n").append(ours);
    difference.append("the oracle:\n").append(theirs);
  };
  TextBySeq found;
  for (const Entry& entry : page->page.entries) found[entry.seq] = spelled_text(entry);
  compare("loading", spelled(found), spelled(expected));
  compare("loading", spelled_blobs(page->page.problems, expected), reports);
  compare("verifying", spelled_blobs(report->problems, expected), reports);
  // What is read backwards without a proof of its place may be another copy's end (F15).
  TextBySeq last = expected;
  if (backwards->anchored) {
    for (const Entry& entry : backwards->entries) last[entry.seq] = spelled_text(entry);
  }
  compare("reading backwards", spelled(last), spelled(expected));
  return difference;
}

std::string oracle_difference(std::string_view bytes, std::string_view session_id,
                              format::AtRest at_rest, std::string_view scan,
                              std::string_view tails) {
  std::string difference;
  const auto compare = [&](const std::string& ours, const std::string& theirs) {
    if (ours != theirs) difference += "this library:\n" + ours + "the oracle:\n" + theirs;
  };
  compare(spelled(scan_bytes(bytes, session_id, at_rest)), spelled_scan(scan));
  for_each_json_element(tails, [&](std::string_view tail) {
    const std::size_t want = std::stoul(std::string(json_member(tail, "want")));
    const auto anchor = anchor_in(json_member(tail, "anchor"));
    const ScannedTail ours = tail_of_bytes(bytes, session_id, want, anchor, at_rest);
    // What was told before an irregular end is of no use to anybody with an anchor.
    if (anchor && !ours.complete && !is_true(tail, "complete")) return;
    compare(spelled(ours), spelled_tail(tail, anchor.has_value(), ours.entries.size()));
  });
  return difference;
}

}  // namespace logwood
