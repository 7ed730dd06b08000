#include "storage/agents/agent_session.hpp"

#include <algorithm>

#include "model/head_mark.hpp"
#include "storage/agents/agent_tail.hpp"

namespace logwood::storage::agents {
namespace {

using exchange::Carry;

// Between two checkpoints lies about this much of the file: what it costs to find an entry.
constexpr std::uint64_t checkpoint_bytes = 256U << 10U;

// A shorter file is gone through as fast.
constexpr std::uint64_t worth_a_tail = 256U << 10U;

// Of what another agent wrote: text that a header can hold.
std::string held(const std::string& text) {
  constexpr std::size_t size_max = 4096;
  return text.size() <= size_max ? text : std::string();
}

Result<Entry> entry_of(const ScannedEntry& scanned) {
  LOGWOOD_TRY(Entry entry, parse_entry(std::string(scanned.text)));
  entry.seq = scanned.seq;
  return entry;
}

}  // namespace

SessionHeader header_of(const SessionId& id, const AgentSource& source, const Identified& file) {
  const exchange::FileHead& head = file.head;
  SessionHeader header;
  header.id = id;
  header.created = head.created;
  header.key = held(source.key.empty() ? head.key : source.key);
  header.cwd = held(head.cwd);
  header.origin = Origin{std::string(file.format->name), held(head.session_id), held(head.version),
                         held(head.git_branch), std::nullopt};
  const std::string parent = std::string(file.format->name) + "-" + head.parent_session;
  if (!head.parent_session.empty() && check_id(parent)) {
    header.parent = ParentSession{{parent}, std::nullopt};
  }
  return header;
}

AgentSession::AgentSession(SessionHeader header, std::string title, AgentLines lines)
    : header_(std::move(header)),
      title_(std::move(title)),
      lines_(std::move(lines)),
      key_(new_sip_key()) {}

Result<std::unique_ptr<AgentSession>> AgentSession::open(const SessionId& id,
                                                         const AgentSource& source,
                                                         const AgentLines::FindFile& find_file) {
  LOGWOOD_TRY(AgentLines lines, AgentLines::open(source, find_file));
  SessionHeader header = header_of(id, source, lines.file());
  return std::unique_ptr<AgentSession>(
      new AgentSession(std::move(header), held(source.title), std::move(lines)));
}

Result<WalkedTo> AgentSession::walk(const ReadPosition& from, Carry carry,
                                    const std::function<bool(const ScannedEntry&)>& visit) {
  AgentScan scan(lines_, header_, title_, carry);
  const bool goes_on = scan.go_on_from(from);
  if (!goes_on) return Error{ErrorCode::internal, "a position in the session says nothing"};
  if (is_gone_through_ && from.seq > 0 && !lines_.is_document()) scan.know(exceptions_);
  bool is_wanted = true;
  while (is_wanted) {
    LOGWOOD_TRY(const bool more, scan.next([&](const ScannedEntry& entry) {
      is_wanted = visit(entry) && is_wanted;
    }));
    if (!more) break;
  }
  WalkedTo walked;
  walked.next = scan.position();
  walked.problems = scan.reading().problems();
  if (lines_.misses_beginning() && from.seq == 0) {
    Problem problem;
    problem.kind = ProblemKind::missing;
    problem.first_seq = problem.last_seq = 1;
    walked.problems.push_back(problem);
  }
  return walked;
}

Result<> AgentSession::go_through() {
  if (is_gone_through_) return {};
  AgentScan scan(lines_, header_, title_, Carry::nothing);
  const bool from_start_only = lines_.head().refers_to_lines || lines_.is_document();
  checkpoints_.push_back({});
  while (true) {
    LOGWOOD_TRY(const bool more, scan.next([&](const ScannedEntry& entry) {
      places_.push_back({hash_of(entry.place.id), entry.seq});
      if (entry.place.kind == EntryKind::tree) {
        ends_.tail = ends_.head = EntryId{std::string(entry.place.id)};
      } else if (const auto target =
                     entry.place.moves_head ? head_target(entry.text) : std::nullopt) {
        ends_.tail = EntryId{std::string(entry.place.id)};
        ends_.head = *target;
      }
    }));
    if (!more) break;
    ReadPosition now = scan.position();
    if (!from_start_only && now.offset >= checkpoints_.back().position.offset + checkpoint_bytes) {
      checkpoints_.push_back({std::move(now)});
    }
  }
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return std::pair(a.id_hash, a.seq) < std::pair(b.id_hash, b.seq);
  });
  exceptions_ = scan.reading().found();
  report_.session_id = header_.id;
  report_.entries = places_.size();
  report_.size_bytes = lines_.size_bytes();
  report_.problems = scan.reading().problems();
  report_.problem_count = scan.reading().problem_count();
  is_gone_through_ = true;
  return {};
}

Result<std::vector<Entry>> AgentSession::entries_after(std::size_t checkpoint) {
  const std::uint64_t end = checkpoint + 1 < checkpoints_.size()
                                ? checkpoints_[checkpoint + 1].position.seq
                                : places_.size();
  std::vector<Entry> entries;
  Result<> read;
  LOGWOOD_CHECK(walk(checkpoints_[checkpoint].position, Carry::lines, [&](const ScannedEntry& one) {
    if (one.seq > end) return false;
    auto entry = entry_of(one);
    if (!entry) {
      read = std::move(entry).error();
      return false;
    }
    entries.push_back(*std::move(entry));
    return one.seq < end;
  }));
  LOGWOOD_CHECK(read);
  return entries;
}

bool AgentSession::may_read_tail() const {
  return !is_gone_through_ && !lines_.is_document() && !lines_.head().refers_to_lines &&
         lines_.size_bytes() >= worth_a_tail;
}

Result<> AgentSession::walk_back(const std::function<void()>& begin,
                                 const std::function<bool(Entry&&)>& take) {
  begin();
  if (may_read_tail()) {
    AgentTail tail(lines_);
    LOGWOOD_TRY(const AgentTail::End end, tail.read(take));
    if (end == AgentTail::End::enough) return {};
    if (end == AgentTail::End::start) return tell_first(take);
    begin();
  }
  LOGWOOD_CHECK(go_through());
  for (std::size_t i = checkpoints_.size(); i-- > 0;) {
    LOGWOOD_TRY(std::vector<Entry> entries, entries_after(i));
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      if (!take(std::move(*entry))) return {};
    }
  }
  return {};
}

// The header, and the title that is said beside the file: what comes before all lines.
Result<> AgentSession::tell_first(const std::function<bool(Entry&&)>& take) {
  AgentScan scan(lines_, header_, title_, Carry::lines);
  std::vector<Entry> entries;
  LOGWOOD_CHECK(scan.next([&](const ScannedEntry& one) {
    if (auto entry = entry_of(one)) entries.push_back(*std::move(entry));
  }));
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (!take(std::move(*entry))) return {};
  }
  return {};
}

Result<std::optional<Entry>> AgentSession::find(const EntryId& id) {
  LOGWOOD_CHECK(go_through());
  const std::uint64_t hash = hash_of(id.text);
  auto place = std::lower_bound(places_.begin(), places_.end(), hash,
                                [](const Place& one, std::uint64_t h) { return one.id_hash < h; });
  for (; place != places_.end() && place->id_hash == hash; ++place) {
    const auto after = std::upper_bound(
        checkpoints_.begin(), checkpoints_.end(), place->seq,
        [](std::uint64_t seq, const Checkpoint& one) { return seq <= one.position.seq; });
    const auto checkpoint = static_cast<std::size_t>(std::prev(after) - checkpoints_.begin());
    if (chunk_.empty() || chunk_checkpoint_ != checkpoint) {
      LOGWOOD_TRY(chunk_, entries_after(checkpoint));
      chunk_checkpoint_ = checkpoint;
    }
    const std::uint64_t first = chunk_.empty() ? 0 : chunk_.front().seq;
    if (place->seq < first || place->seq >= first + chunk_.size()) continue;
    const Entry& found = chunk_[place->seq - first];
    if (found.id == id) return std::optional(found);
  }
  return std::optional<Entry>();
}

Result<AgentSession::Ends> AgentSession::ends() {
  if (may_read_tail()) {
    Ends found;
    AgentTail tail(lines_);
    LOGWOOD_TRY(const AgentTail::End end, tail.read([&](Entry&& entry) {
      const bool is_tree = kind_of(entry.type) == EntryKind::tree;
      const auto target = head_target(entry.text);
      if (!is_tree && !target) return true;
      found.tail = entry.id;
      found.head = is_tree ? std::optional(entry.id) : *target;
      return false;
    }));
    if (end == AgentTail::End::enough) return found;
  }
  LOGWOOD_CHECK(go_through());
  return ends_;
}

Result<VerifyReport> AgentSession::verify() {
  LOGWOOD_CHECK(go_through());
  return report_;
}

}  // namespace logwood::storage::agents
