#include "logwood/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/message.hpp"
#include "store/inside.hpp"
#include "store/session_tree.hpp"

namespace logwood {

class Replay::Inside {
 public:
  std::shared_ptr<Store::Inside> store;  // owners: the Store and its readers
  SessionId session;
  std::vector<EntryId> path;
  Redactions redactions;
  std::size_t position = 0;
  std::optional<Entry> current;
};

Result<Replay> Store::replay(const SessionId& session, const std::optional<EntryId>& tip) {
  LOGWOOD_TRY(storage::StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(LoadedTree walked, load_tree(*backend, session));
  const SessionTree& loaded = walked.session;
  auto inside = std::make_unique<Replay::Inside>();
  inside->store = inside_;
  inside->session = session;
  inside->redactions = std::move(walked.redactions);
  const std::optional<EntryId>& end = tip ? tip : loaded.head;
  if (end) {
    const auto place = loaded.tree.find(end->text);
    if (!place) {
      return Error{ErrorCode::not_found,
                   fmt::format("there is no tree entry {} in session {}", end->text, session.text)};
    }
    for (const Tree::Place at : loaded.tree.path_to(*place)) {
      inside->path.push_back({std::string(loaded.tree.id(at))});
    }
  }
  return Replay(std::move(inside));
}

Replay::Replay(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Replay::Replay(Replay&&) noexcept = default;
Replay& Replay::operator=(Replay&&) noexcept = default;
Replay::~Replay() = default;

const std::optional<Entry>& Replay::current() const { return inside_->current; }
std::size_t Replay::length() const { return inside_->path.size(); }
std::size_t Replay::position() const { return inside_->position; }

// Hidden entries are stepped over, so a step may go further than one.
Result<bool> Replay::step(bool forwards) {
  LOGWOOD_TRY(storage::StorageBackend* const backend, inside_->store->backend());
  for (std::size_t at = position(); forwards ? at < length() : at > 1;) {
    forwards ? ++at : --at;
    LOGWOOD_TRY(auto entry,
                find_shown(*backend, inside_->session, inside_->path[at - 1], inside_->redactions));
    if (!entry) continue;
    inside_->current = std::move(entry);
    inside_->position = at;
    return true;
  }
  if (forwards || position() == 0) return false;
  inside_->current.reset();
  inside_->position = 0;
  return true;
}

Result<bool> Replay::forward() { return step(true); }
Result<bool> Replay::back() { return step(false); }

Result<bool> Replay::forward_to(const Predicate& fits) {
  while (true) {
    LOGWOOD_TRY(const bool stepped, forward());
    if (!stepped) return false;
    if (fits(*current())) return true;
  }
}

Result<bool> Replay::back_to(const Predicate& fits) {
  while (true) {
    LOGWOOD_TRY(const bool stepped, back());
    if (!stepped || !current()) return false;
    if (fits(*current())) return true;
  }
}

Replay::Predicate failed_tool_result() {
  return [](const Entry& entry) {
    if (entry.type != "message" || entry.erased) return false;
    const Message message = read_message(entry.payload());
    return std::any_of(message.tool_results.begin(), message.tool_results.end(),
                       [](const ToolResult& result) { return result.failed; });
  };
}

Replay::Predicate of_type(std::string type) {
  return [type = std::move(type)](const Entry& entry) { return entry.type == type; };
}

Replay::Predicate not_before(std::string timestamp) {
  return [timestamp = std::move(timestamp)](const Entry& entry) {
    return entry.timestamp >= timestamp;  // of one form, so they sort as text
  };
}

}  // namespace logwood
