#include "support/naive_store.hpp"

#include <algorithm>

namespace logwood::naive {
namespace {

using Kind = NaivePiece::Kind;

bool is_lost(const NaivePiece& piece) {
  return piece.kind == Kind::damaged || piece.kind == Kind::nul;
}

// Without the long string, of which the drafts here have one at most, and with the list of it.
std::uint64_t stored_size(const std::string& text) {
  std::size_t begin = 0;
  while ((begin = text.find('"', begin)) != std::string::npos) {
    const std::size_t end = text.find('"', ++begin);
    const std::size_t length = end - begin;
    if (length <= 65'536) {
      begin = end + 1;
      continue;
    }
    const std::string list = ",\"blobs\":[[" + std::to_string(begin) + ',' +
                             std::to_string(length) + ",\"" + std::string(64, 'h') + "\"]]";
    return text.size() - length + list.size();
  }
  return text.size();
}

Expectation failing(ErrorCode code) { return {code, false}; }

}  // namespace

const NaiveEntry* NaiveSession::find(const std::string& wanted) const {
  for (const NaiveEntry& entry : entries) {
    if (entry.id == wanted) return &entry;
  }
  return nullptr;
}

std::optional<std::string> NaiveSession::tail() const {
  std::optional<std::string> last;
  for (const NaiveEntry& entry : entries) {
    if (entry.place == NaiveEntry::Place::tree || entry.place == NaiveEntry::Place::head_mark) {
      last = entry.id;
    }
  }
  return last;
}

std::optional<std::string> NaiveSession::head() const {
  std::optional<std::string> at;
  for (const NaiveEntry& entry : entries) {
    if (entry.place == NaiveEntry::Place::tree) at = entry.id;
    if (entry.place == NaiveEntry::Place::head_mark) at = entry.target;
  }
  return at;
}

std::vector<NaiveEntry> NaiveSession::newest(bool along_path) const {
  if (!along_path) return {entries.rbegin(), entries.rend()};
  std::vector<NaiveEntry> path;
  std::optional<std::string> next = head();
  while (next) {
    const NaiveEntry* entry = find(*next);
    if (entry == nullptr) break;
    path.push_back(*entry);
    next = entry->parent;
  }
  return path;
}

std::uint64_t NaiveSession::next_seq() const {
  std::uint64_t last = 0;
  std::uint64_t lost = 0;
  for (const NaivePiece& piece : pieces) {
    if (piece.kind == Kind::batch) {
      last = piece.last_seq;
      lost = 0;
    }
    if (is_lost(piece)) ++lost;
  }
  return last + lost + 1;
}

std::uint64_t NaiveSession::size_bytes() const {
  std::uint64_t size = unended.size();
  for (const NaivePiece& piece : pieces) size += piece.size_bytes;
  return size - (lost_line_end ? 1 : 0);
}

std::uint64_t NaiveSession::torn_bytes() const {
  std::uint64_t size = unended.size();
  for (auto piece = pieces.rbegin(); piece != pieces.rend() && piece->kind == Kind::nul; ++piece) {
    size += piece->size_bytes;
  }
  return size;
}

void NaiveSession::cut_torn_end() {
  unended.clear();
  while (!pieces.empty() && pieces.back().kind == Kind::nul) pieces.pop_back();
}

std::vector<Problem> NaiveSession::problems() const {
  std::vector<Problem> found;
  std::uint64_t offset = 0;
  std::uint64_t line = 1;
  std::uint64_t last = 0;
  const auto report = [&](ProblemKind kind, std::uint64_t first_seq, std::uint64_t last_seq) {
    found.push_back({kind, offset, line, first_seq, last_seq, GapCause::unknown});
  };
  for (const NaivePiece& piece : pieces) {
    switch (piece.kind) {
      case Kind::batch:
        if (piece.first_seq != last + 1) {
          report(ProblemKind::missing, last + 1, piece.first_seq - 1);
          // Our writer saw the damage before it wrote, so it did not vouch for what was there.
          found.back().cause = GapCause::power_cut;
        }
        last = piece.last_seq;
        break;
      case Kind::foreign:
        report(ProblemKind::foreign, 0, 0);
        break;
      case Kind::blank:
        report(ProblemKind::blank, 0, 0);
        break;
      case Kind::damaged:
        report(ProblemKind::damaged, 0, 0);
        break;
      case Kind::nul:
        report(ProblemKind::nul, 0, 0);
        break;
      case Kind::repeated:
        report(ProblemKind::repeated, piece.first_seq, piece.first_seq);
        break;
    }
    offset += piece.size_bytes;
    line += piece.lines;
  }
  if (!unended.empty()) report(ProblemKind::torn, 0, 0);
  if (lost_line_end) {
    const NaivePiece& batch = pieces.back();
    offset -= sealed_size(entries.back(), batch.lines, batch.lines);
    --line;
    report(ProblemKind::line_end, batch.last_seq, batch.last_seq);
  }
  return found;
}

void NaiveSession::add_batch(std::vector<NaiveEntry> batch) {
  lost_line_end = false;  // a writer begins with the LF that is missing
  NaivePiece piece;
  piece.first_seq = next_seq();
  piece.lines = batch.size();
  piece.last_seq = piece.first_seq + batch.size() - 1;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    batch[i].seq = piece.first_seq + i;
    piece.size_bytes += sealed_size(batch[i], i + 1, batch.size());
    entries.push_back(std::move(batch[i]));
  }
  pieces.push_back(piece);
}

void NaiveSession::drop_last_batch() {
  unended.clear();
  lost_line_end = false;
  while (pieces.back().kind != Kind::batch) pieces.pop_back();
  entries.resize(entries.size() - pieces.back().lines);
  pieces.pop_back();
}

NaiveSession* NaiveStore::find(const std::string& id) {
  for (NaiveSession& session : sessions_) {
    if (session.id == id) return &session;
  }
  return nullptr;
}

NaiveSession& NaiveStore::create(const std::string& id, const std::string& key,
                                 const std::string& created) {
  NaiveSession session;
  session.id = id;
  session.key = key;
  session.created = created;
  NaiveEntry header;
  header.id = id;
  header.type = "session_header";
  header.timestamp = created;
  header.place = NaiveEntry::Place::header;
  header.text = R"({"id":")" + id + R"(","parentId":null,"timestamp":")" + created +
                R"(","type":"session_header","payload":{"version":1,"requires":[])" +
                (key.empty() ? "" : R"(,"key":")" + key + '"') + "}}";
  session.add_batch({header});
  sessions_.push_back(std::move(session));
  return sessions_.back();
}

void NaiveStore::remove(const std::string& id) {
  std::erase_if(sessions_, [&](const NaiveSession& session) { return session.id == id; });
}

NaiveSession* NaiveStore::newest_of_key(const std::string& key) {
  NaiveSession* newest = nullptr;
  for (NaiveSession& session : sessions_) {
    if (session.key != key) continue;
    if (newest == nullptr || session.created > newest->created ||
        (session.created == newest->created && session.id > newest->id)) {
      newest = &session;
    }
  }
  return newest;
}

Expectation NaiveStore::expect(const std::string& session_id, const std::vector<NaiveDraft>& drafts,
                               const AppendOptions& options) {
  const std::string& operation = options.operation_id;
  if (drafts.empty()) return failing(ErrorCode::invalid_argument);
  for (const NaiveDraft& draft : drafts) {
    if (!draft.valid) return failing(ErrorCode::invalid_argument);
  }
  std::vector<std::optional<std::string>> ids;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    ids.push_back(drafts[i].id);
    if (ids[i] || operation.empty()) continue;
    if (const std::string* known = derived(session_id, operation, i)) ids[i] = *known;
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (ids[i] && ids[i] == ids[j]) return failing(ErrorCode::id_conflict);
    }
  }

  const NaiveSession* session = find(session_id);
  if (session == nullptr) return failing(ErrorCode::not_found);
  if (!session->sealed) return failing(ErrorCode::unsupported);

  std::size_t known = 0;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const NaiveEntry* entry = ids[i] ? session->find(*ids[i]) : nullptr;
    if (entry == nullptr) continue;
    if (stamped(drafts[i], entry->id, entry->parent, entry->timestamp) != entry->text) {
      return failing(ErrorCode::id_conflict);
    }
    ++known;
  }
  if (known > 0) {
    if (known < drafts.size()) return failing(ErrorCode::id_conflict);
    const std::string* beyond =
        operation.empty() ? nullptr : derived(session_id, operation, drafts.size());
    if (beyond != nullptr && session->find(*beyond) != nullptr) {
      return failing(ErrorCode::id_conflict);
    }
    return {std::nullopt, true};
  }

  if (options.expected_tail) {
    const auto& expected = options.expected_tail->id;
    const auto actual = session->tail();
    if (expected.has_value() != actual.has_value() || (expected && expected->text != *actual)) {
      return failing(ErrorCode::conflict);
    }
  }

  // A parent or target must be a tree entry, of the session or earlier in the batch.
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    std::optional<std::string> named;
    if (drafts[i].parent_given == NaiveDraft::ParentGiven::entry) named = drafts[i].parent;
    if (drafts[i].target) {
      named = drafts[i].target;
    }
    if (!named) continue;
    const NaiveEntry* entry = session->find(*named);
    bool found = entry != nullptr;
    bool in_tree = found && entry->place == NaiveEntry::Place::tree;
    for (std::size_t j = 0; j < i; ++j) {
      if (ids[j] != named) continue;
      found = true;
      in_tree = drafts[j].place == NaiveDraft::Place::tree;
    }
    if (!found) return failing(ErrorCode::not_found);
    if (!in_tree) return failing(ErrorCode::invalid_argument);
  }
  return {};
}

void NaiveStore::append(const std::string& session_id, const std::vector<NaiveDraft>& drafts,
                        const std::vector<std::string>& ids, const std::string& timestamp) {
  NaiveSession& session = *find(session_id);
  std::optional<std::string> head = session.head();
  std::vector<NaiveEntry> batch;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const NaiveDraft& draft = drafts[i];
    NaiveEntry entry;
    entry.id = ids[i];
    entry.type = draft.type;
    entry.timestamp = draft.timestamp.value_or(timestamp);
    switch (draft.place) {
      case NaiveDraft::Place::tree:
        entry.place = NaiveEntry::Place::tree;
        if (draft.parent_given == NaiveDraft::ParentGiven::no) entry.parent = head;
        if (draft.parent_given == NaiveDraft::ParentGiven::entry) entry.parent = draft.parent;
        head = entry.id;
        break;
      case NaiveDraft::Place::mark:
        entry.place = NaiveEntry::Place::mark;
        break;
      case NaiveDraft::Place::head_mark:
        entry.place = NaiveEntry::Place::head_mark;
        entry.target = draft.target;
        head = draft.target;
        break;
    }
    entry.text = stamped(draft, entry.id, entry.parent, timestamp);
    batch.push_back(std::move(entry));
  }
  session.add_batch(std::move(batch));
}

const std::string* NaiveStore::derived(const std::string& session, const std::string& operation,
                                       std::size_t place) const {
  const auto found = derived_.find({session + ' ' + operation, place});
  return found == derived_.end() ? nullptr : &found->second;
}

void NaiveStore::learn(const std::string& session, const std::string& operation, std::size_t place,
                       const std::string& id) {
  derived_[{session + ' ' + operation, place}] = id;
}

std::string stamped(const NaiveDraft& draft, const std::string& id,
                    const std::optional<std::string>& parent, const std::string& timestamp) {
  std::string text = "{";
  if (!draft.id) text += R"("id":")" + id + "\",";
  if (draft.parent_given == NaiveDraft::ParentGiven::no) {
    text += parent ? R"("parentId":")" + *parent + "\"," : R"("parentId":null,)";
  }
  if (!draft.timestamp) text += R"("timestamp":")" + timestamp + "\",";
  return text + draft.members + '}';
}

std::uint64_t sealed_size(const NaiveEntry& entry, std::size_t place, std::size_t count) {
  const std::string fixed = R"(,"seal":"1+...)" + std::string(16, 's') + '.' +
                            std::string(32, 'l') + '.' + std::string(8, 'c') + "\"}\n";
  return stored_size(entry.text) - 1 + fixed.size() +
         (std::to_string(entry.seq) + std::to_string(place) + '/' + std::to_string(count)).size();
}

}  // namespace logwood::naive
