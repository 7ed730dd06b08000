#include "logwood/tree.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/random_bytes.hpp"
#include "base/siphash.hpp"
#include "model/tree_builder.hpp"

namespace logwood {
namespace {

constexpr Tree::Place nowhere = static_cast<Tree::Place>(-1);

// Where one entry stands.
struct Standing {
  std::uint64_t seq = 0;
  std::uint32_t order = 0;  // in which it was added
  std::uint32_t id_offset = 0;
  std::uint32_t type = 0;
  Tree::Place parent = nowhere;
  Tree::Place first_child = nowhere;
  Tree::Place last_child = nowhere;
  Tree::Place next_sibling = nowhere;
  std::uint32_t depth = 1;
  std::uint32_t children = 0;
  std::uint8_t id_size = 0;
  bool flagged = false;
  bool detached = false;
};

SipKey fresh_key() {
  SipKey key{};
  fill_random({reinterpret_cast<std::uint8_t*>(key.data()), sizeof key});
  return key;
}

}  // namespace

class Tree::Inside {
 public:
  [[nodiscard]] std::string_view id(Place place) const {
    const Standing& standing = standings[place];
    return std::string_view(ids).substr(standing.id_offset, standing.id_size);
  }

  [[nodiscard]] std::optional<Place> find(std::string_view wanted) const {
    // Mostly it is the parent of the next entry that is looked for: the one added last.
    if (!standings.empty() && id(static_cast<Place>(standings.size() - 1)) == wanted) {
      return static_cast<Place>(standings.size() - 1);
    }
    if (slots.empty()) return std::nullopt;
    const Place found = slots[slot_of(wanted, hash_of(wanted))].place;
    return found == nowhere ? std::nullopt : std::optional(found);
  }

  void add(std::string_view id, std::string_view parent_id, std::string_view type,
           std::uint64_t seq, bool flagged);
  void finish();

  std::vector<Standing> standings;
  std::string ids;
  std::vector<std::string> types;
  std::vector<TreeProblem> problems;

 private:
  struct Unresolved {
    Place place;
    std::string parent_id;
  };

  // The hash beside the place spares a look at the id of most others, and hashing again.
  struct Slot {
    Place place = nowhere;
    std::uint32_t hash = 0;
  };

  [[nodiscard]] std::uint32_t hash_of(std::string_view id) const {
    return static_cast<std::uint32_t>(siphash(key, id));
  }

  // Where an id stands in the table, or would: the first free slot behind those it may be in.
  [[nodiscard]] std::size_t slot_of(std::string_view wanted, std::uint32_t hash) const {
    const std::size_t mask = slots.size() - 1;
    std::size_t slot = hash & mask;
    while (slots[slot].place != nowhere &&
           (slots[slot].hash != hash || id(slots[slot].place) != wanted)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  void grow_slots() {
    std::vector<Slot> grown(std::max<std::size_t>(64, slots.size() * 2));
    const std::size_t mask = grown.size() - 1;
    for (const Slot& one : slots) {
      if (one.place == nowhere) continue;
      std::size_t slot = one.hash & mask;
      while (grown[slot].place != nowhere) slot = (slot + 1) & mask;
      grown[slot] = one;
    }
    slots = std::move(grown);
  }

  std::uint32_t number_of_type(std::string_view type) {
    if (last_type < types.size() && types[last_type] == type) return last_type;
    auto [at, is_new] =
        type_numbers.try_emplace(std::string(type), static_cast<std::uint32_t>(types.size()));
    if (is_new) types.emplace_back(type);
    last_type = at->second;
    return last_type;
  }

  void report(TreeProblemKind kind, Place place, std::string_view parent_id) {
    problems.push_back({kind, EntryId{std::string(id(place))}, EntryId{std::string(parent_id)},
                        standings[place].seq});
  }

  void set_parent(Place place, std::string_view parent_id);
  void hang(Place place);
  void resolve();
  void cut_cycles();
  void hang_all_again();

  SipKey key = fresh_key();  // ids may come from anywhere
  std::vector<Slot> slots;
  std::unordered_map<std::string, std::uint32_t> type_numbers;
  std::uint32_t last_type = 0;
  std::uint32_t added = 0;
  std::vector<Unresolved> unresolved;
  std::vector<Place> forward;  // hang on an entry that came after them
  bool is_out_of_order = false;
};

// Adds it to the children of its parent, which hangs already.
void Tree::Inside::hang(Place place) {
  Standing& standing = standings[place];
  Standing& parent = standings[standing.parent];
  (parent.first_child == nowhere ? parent.first_child : standings[parent.last_child].next_sibling) =
      place;
  parent.last_child = place;
  ++parent.children;
  standing.depth = parent.depth + 1;
  standing.detached = parent.detached;
}

void Tree::Inside::set_parent(Place place, std::string_view parent_id) {
  if (parent_id.empty()) return;
  const auto parent = find(parent_id);
  if (!parent || standings[*parent].order >= standings[place].order) {
    unresolved.push_back({place, std::string(parent_id)});
    return;
  }
  standings[place].parent = *parent;
  if (!is_out_of_order) hang(place);
}

void Tree::Inside::add(std::string_view id, std::string_view parent_id, std::string_view type,
                       std::uint64_t seq, bool flagged) {
  if ((standings.size() + 1) * 2 > slots.size()) grow_slots();
  const std::uint32_t hash = hash_of(id);
  const std::size_t slot = slot_of(id, hash);
  if (const Place before = slots[slot].place; before != nowhere) {
    Standing& standing = standings[before];
    if (!standing.flagged || flagged) {
      problems.push_back(
          {TreeProblemKind::duplicate_id, EntryId{std::string(id)},
           parent_id.empty() ? std::nullopt : std::optional(EntryId{std::string(parent_id)}), seq});
      return;
    }
    // It stood for what is committed now; what hangs on it stays.
    is_out_of_order = true;
    std::erase_if(unresolved, [&](const Unresolved& one) { return one.place == before; });
    standing.flagged = false;
    standing.seq = seq;
    standing.order = added++;
    standing.type = number_of_type(type);
    standing.parent = nowhere;
    set_parent(before, parent_id);
    return;
  }
  const auto place = static_cast<Place>(standings.size());
  Standing standing;
  standing.seq = seq;
  standing.order = added++;
  standing.id_offset = static_cast<std::uint32_t>(ids.size());
  standing.id_size = static_cast<std::uint8_t>(id.size());
  standing.type = number_of_type(type);
  standing.flagged = flagged;
  ids += id;
  standings.push_back(standing);
  slots[slot] = {place, hash};
  set_parent(place, parent_id);
}

// What was not there when its child came is there now, or is not in the session.
void Tree::Inside::resolve() {
  for (const Unresolved& one : unresolved) {
    const auto parent = find(one.parent_id);
    if (parent && *parent != one.place) {
      standings[one.place].parent = *parent;
      forward.push_back(one.place);
      report(TreeProblemKind::forward_reference, one.place, one.parent_id);
      is_out_of_order = true;
      continue;
    }
    standings[one.place].detached = true;
    report(parent ? TreeProblemKind::cycle : TreeProblemKind::orphan, one.place, one.parent_id);
    is_out_of_order = true;
  }
}

// A cycle has at least one forward reference in it; one is cut in each. Every entry
// is looked at once.
void Tree::Inside::cut_cycles() {
  enum class Seen : std::uint8_t { no, on_this_way, before };
  std::vector<Seen> seen(standings.size(), Seen::no);
  for (const Place start : forward) {
    std::vector<Place> way;
    Place at = start;
    while (at != nowhere && seen[at] == Seen::no) {
      seen[at] = Seen::on_this_way;
      way.push_back(at);
      at = standings[at].parent;
    }
    if (at != nowhere && seen[at] == Seen::on_this_way) {
      // From `at` on the way goes round; the oldest of them is where it is cut.
      const auto round = std::find(way.begin(), way.end(), at);
      const Place oldest = *std::min_element(round, way.end(), [&](Place a, Place b) {
        return standings[a].order < standings[b].order;
      });
      report(TreeProblemKind::cycle, oldest, id(standings[oldest].parent));
      standings[oldest].parent = nowhere;
      standings[oldest].detached = true;
    }
    for (const Place place : way) seen[place] = Seen::before;
  }
}

// Children in append order, and depths from the top down.
void Tree::Inside::hang_all_again() {
  for (Standing& standing : standings) {
    standing.first_child = standing.last_child = standing.next_sibling = nowhere;
    standing.children = 0;
  }
  std::vector<Place> tops;
  for (Place place = 0; place < standings.size(); ++place) {
    if (standings[place].parent == nowhere) {
      standings[place].depth = 1;
      tops.push_back(place);
    } else {
      hang(place);
    }
  }
  std::vector<Place> open = std::move(tops);
  while (!open.empty()) {
    const Place at = open.back();
    open.pop_back();
    for (Place child = standings[at].first_child; child != nowhere;
         child = standings[child].next_sibling) {
      standings[child].depth = standings[at].depth + 1;
      standings[child].detached = standings[at].detached;
      open.push_back(child);
    }
  }
}

void Tree::Inside::finish() {
  resolve();
  if (!forward.empty()) cut_cycles();
  if (is_out_of_order) hang_all_again();
  unresolved.clear();
  std::sort(problems.begin(), problems.end(), [](const TreeProblem& x, const TreeProblem& y) {
    return std::tie(x.seq, x.kind) < std::tie(y.seq, y.kind);
  });
}

TreeBuilder::TreeBuilder() : tree_(std::make_unique<Tree::Inside>()) {}
TreeBuilder::~TreeBuilder() = default;

void TreeBuilder::add(std::string_view id, std::string_view parent_id, std::string_view type,
                      std::uint64_t seq, bool flagged) {
  tree_->add(id, parent_id, type, seq, flagged);
}

Tree TreeBuilder::finish() {
  tree_->finish();
  Tree tree;
  tree.inside_ = std::exchange(tree_, std::make_unique<Tree::Inside>());
  return tree;
}

Tree::Tree() : inside_(std::make_unique<Inside>()) {}
Tree::Tree(Tree&&) noexcept = default;
Tree& Tree::operator=(Tree&&) noexcept = default;
Tree::~Tree() = default;

std::size_t Tree::size() const { return inside_->standings.size(); }
std::optional<Tree::Place> Tree::find(std::string_view id) const { return inside_->find(id); }
std::string_view Tree::id(Place place) const { return inside_->id(place); }
std::string_view Tree::type(Place place) const {
  return inside_->types[inside_->standings[place].type];
}
std::uint64_t Tree::seq(Place place) const { return inside_->standings[place].seq; }
std::size_t Tree::child_count(Place place) const { return inside_->standings[place].children; }
std::size_t Tree::depth(Place place) const { return inside_->standings[place].depth; }
bool Tree::is_detached(Place place) const { return inside_->standings[place].detached; }
const std::vector<TreeProblem>& Tree::problems() const { return inside_->problems; }

std::optional<Tree::Place> Tree::parent(Place place) const {
  const Place parent = inside_->standings[place].parent;
  return parent == nowhere ? std::nullopt : std::optional(parent);
}

std::vector<Tree::Place> Tree::children(Place place) const {
  const std::vector<Standing>& standings = inside_->standings;
  std::vector<Place> found;
  found.reserve(standings[place].children);
  for (Place child = standings[place].first_child; child != nowhere;
       child = standings[child].next_sibling) {
    found.push_back(child);
  }
  return found;
}

namespace {

template <class Wanted>
std::vector<Tree::Place> all_where(std::size_t count, const Wanted& wanted) {
  std::vector<Tree::Place> found;
  for (Tree::Place place = 0; place < count; ++place) {
    if (wanted(place)) found.push_back(place);
  }
  return found;
}

}  // namespace

std::vector<Tree::Place> Tree::roots() const {
  return all_where(size(), [&](Place p) { return !parent(p) && !is_detached(p); });
}

std::vector<Tree::Place> Tree::detached() const {
  return all_where(size(), [&](Place p) { return !parent(p) && is_detached(p); });
}

std::vector<Tree::Place> Tree::tips() const {
  return all_where(size(), [&](Place p) { return child_count(p) == 0; });
}

std::vector<Tree::Place> Tree::branch_points() const {
  return all_where(size(), [&](Place p) { return child_count(p) > 1; });
}

std::vector<Tree::Place> Tree::path_to(Place place) const {
  const std::vector<Standing>& standings = inside_->standings;
  std::vector<Place> path(standings[place].depth);
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    *at = place;
    place = standings[place].parent;
  }
  return path;
}

BranchDiff diff(const Tree& tree, Tree::Place left, Tree::Place right) {
  BranchDiff found;
  std::optional<Tree::Place> on_left = left;
  std::optional<Tree::Place> on_right = right;
  while (on_left != on_right) {
    const std::size_t left_depth = on_left ? tree.depth(*on_left) : 0;
    const std::size_t right_depth = on_right ? tree.depth(*on_right) : 0;
    if (left_depth >= right_depth) {
      found.only_left.push_back(*on_left);
      on_left = tree.parent(*on_left);
    }
    if (right_depth >= left_depth) {
      found.only_right.push_back(*on_right);
      on_right = tree.parent(*on_right);
    }
  }
  found.common_ancestor = on_left;
  std::reverse(found.only_left.begin(), found.only_left.end());
  std::reverse(found.only_right.begin(), found.only_right.end());
  return found;
}

std::string_view name_of(TreeProblemKind kind) {
  switch (kind) {
    case TreeProblemKind::orphan:
      return "orphan";
    case TreeProblemKind::forward_reference:
      return "forward_reference";
    case TreeProblemKind::cycle:
      return "cycle";
    case TreeProblemKind::duplicate_id:
      return "duplicate_id";
  }
  return "";
}

}  // namespace logwood
