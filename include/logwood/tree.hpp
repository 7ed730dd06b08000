#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/ids.hpp"

namespace logwood {

/// Why an entry hangs on nothing. Only damaged or foreign data has such entries; the
/// store accepts none.
enum class TreeProblemKind : std::uint8_t {
  orphan,             ///< its parent is not in the session
  forward_reference,  ///< its parent was appended after it; it hangs there all the same
  cycle,              ///< following parents from it leads back to it; the link is cut here
  duplicate_id,       ///< an entry with this id came before; this one is not in the tree
};

[[nodiscard]] std::string_view name_of(TreeProblemKind kind);

struct TreeProblem {
  TreeProblemKind kind = TreeProblemKind::orphan;
  EntryId entry;
  std::optional<EntryId> parent;
  std::uint64_t seq = 0;  ///< of the entry

  bool operator==(const TreeProblem&) const = default;
};

/// The tree of a session: its tree entries by parent, without their content. Built in
/// one pass; nothing in it recurses, and a path costs what it is long.
class Tree {
 public:
  /// An entry of this tree: its number in append order, from 0.
  using Place = std::uint32_t;

  Tree();
  Tree(Tree&&) noexcept;
  Tree& operator=(Tree&&) noexcept;
  ~Tree();

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::optional<Place> find(std::string_view id) const;

  [[nodiscard]] std::string_view id(Place place) const;
  [[nodiscard]] std::string_view type(Place place) const;
  [[nodiscard]] std::uint64_t seq(Place place) const;
  [[nodiscard]] std::optional<Place> parent(Place place) const;
  [[nodiscard]] std::vector<Place> children(Place place) const;  ///< in append order
  [[nodiscard]] std::size_t child_count(Place place) const;

  /// Entries on the path to it, itself counted.
  [[nodiscard]] std::size_t depth(Place place) const;

  /// Its path does not begin at a root but at an entry that a problem names.
  [[nodiscard]] bool is_detached(Place place) const;

  [[nodiscard]] std::vector<Place> roots() const;
  [[nodiscard]] std::vector<Place> detached() const;       ///< where detached paths begin
  [[nodiscard]] std::vector<Place> tips() const;           ///< without children
  [[nodiscard]] std::vector<Place> branch_points() const;  ///< with several

  /// From the root (or where it is detached) to the entry, both included.
  [[nodiscard]] std::vector<Place> path_to(Place place) const;

  [[nodiscard]] const std::vector<TreeProblem>& problems() const;

 private:
  friend class TreeBuilder;
  class Inside;
  std::unique_ptr<Inside> inside_;
};

/// What two branches share, and what each has for itself, root first.
struct BranchDiff {
  std::optional<Tree::Place> common_ancestor;
  std::vector<Tree::Place> only_left;
  std::vector<Tree::Place> only_right;
};

[[nodiscard]] BranchDiff diff(const Tree& tree, Tree::Place left, Tree::Place right);

struct TreeDrawing {
  /// What is written for an entry: one line.
  std::function<std::string(Tree::Place)> text_of;
  /// Of a longer run of entries with one child each, only the first and the last are
  /// drawn, and how many lie between. 0: all are.
  std::size_t run_max = 8;
  /// What lies deeper in the drawing is counted, not drawn.
  std::size_t depth_max = 60;
};

/// The tree as lines with ├── and └──, children below their parents in append order;
/// detached parts come last, after a line that says so.
[[nodiscard]] std::string draw(const Tree& tree, const TreeDrawing& drawing);

}  // namespace logwood
