#include "store/session_tree.hpp"

#include <algorithm>

#include "model/head_mark.hpp"
#include "model/message.hpp"
#include "model/preview.hpp"
#include "model/tree_builder.hpp"

namespace logwood {
namespace {

constexpr std::size_t preview_characters = 50;

// The last message on the path that has text: how a person recognises a branch.
Result<> describe_branch(storage::StorageBackend& backend, const LoadedTree& loaded,
                         const SessionId& session, Tree::Place tip, Branch& branch) {
  constexpr std::size_t looks_max = 20;  // calls and results without text, mostly
  const Tree& tree = loaded.session.tree;
  // When it was is shown also of what is hidden; a flagged one cannot be looked up.
  auto last = backend.find(session, {std::string(tree.id(tip))});
  if (!last && last.error().code != ErrorCode::not_found) return std::move(last).error();
  if (last) branch.timestamp = std::move(last->timestamp);
  std::optional<Tree::Place> at = tip;
  for (std::size_t looks = 0; at && looks < looks_max; at = tree.parent(*at)) {
    if (*at != tip && tree.type(*at) != "message") continue;
    ++looks;
    LOGWOOD_TRY(const auto entry,
                find_shown(backend, session, {std::string(tree.id(*at))}, loaded.redactions));
    if (!entry) continue;
    if (entry->type != "message") continue;
    const Message message = read_message(entry->payload());
    if (message.text.empty()) continue;
    branch.role = message.role;
    branch.preview = preview(message.text, preview_characters);
    break;
  }
  return {};
}

}  // namespace

Result<LoadedTree> load_tree(storage::StorageBackend& backend, const SessionId& session) {
  LoadedTree loaded;
  SessionTree& found = loaded.session;
  TreeBuilder builder;
  LOGWOOD_TRY(storage::WalkedTo walked,
              backend.walk(session, {}, [&](const storage::WalkedEntry& entry) {
                const EntryPlace& place = entry.place;
                if (place.kind == EntryKind::tree) {
                  builder.add(place.id, place.parent_id, place.type, entry.seq, entry.flagged);
                }
                if (entry.flagged) return;
                if (place.kind == EntryKind::tree) {
                  if (!found.head) found.head.emplace();
                  found.head->text = place.id;
                } else if (place.moves_head) {
                  if (auto target = head_target(entry.text)) found.head = *std::move(target);
                } else if (place.kind == EntryKind::mark) {
                  loaded.redactions.take(entry.text);
                }
              }));
  found.tree = builder.finish();
  found.problems = std::move(walked.problems);
  return loaded;
}

Result<std::optional<Entry>> find_shown(storage::StorageBackend& backend, const SessionId& session,
                                        const EntryId& id, const Redactions& redactions) {
  auto entry = backend.find(session, id);
  if (!entry) {
    if (entry.error().code == ErrorCode::not_found) return std::optional<Entry>();
    return std::move(entry).error();
  }
  auto text = redactions.shown(id, std::move(entry->text));
  if (!text) return std::optional<Entry>();
  entry->text = *std::move(text);
  return std::optional(*std::move(entry));
}

Result<std::vector<Branch>> list_branches(storage::StorageBackend& backend,
                                          const SessionId& session) {
  LOGWOOD_TRY(const LoadedTree loaded, load_tree(backend, session));
  const Tree& tree = loaded.session.tree;
  std::vector<Tree::Place> tips = tree.tips();
  std::sort(tips.begin(), tips.end(),
            [&](Tree::Place a, Tree::Place b) { return tree.seq(a) > tree.seq(b); });
  std::vector<Branch> branches;
  branches.reserve(tips.size());
  for (const Tree::Place tip : tips) {
    Branch branch;
    branch.tip = {std::string(tree.id(tip))};
    branch.length = tree.depth(tip);
    branch.is_head = loaded.session.head == branch.tip;
    LOGWOOD_CHECK(describe_branch(backend, loaded, session, tip, branch));
    branches.push_back(std::move(branch));
  }
  return branches;
}

}  // namespace logwood
