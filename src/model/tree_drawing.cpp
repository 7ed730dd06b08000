#include <fmt/format.h>

#include <utility>

#include "logwood/tree.hpp"

namespace logwood {
namespace {

struct Line {
  Tree::Place place;
  std::size_t indent;  // of `prefix`
  bool is_last;        // of its siblings
};

// The run of entries with one child each that begins at `place`: its last entry.
std::pair<Tree::Place, std::size_t> end_of_run(const Tree& tree, Tree::Place place) {
  std::size_t length = 1;
  while (tree.child_count(place) == 1) {
    place = tree.children(place).front();
    ++length;
  }
  return {place, length};
}

std::pair<std::size_t, std::size_t> count_below(const Tree& tree, Tree::Place place) {
  std::size_t entries = 0;
  std::size_t tips = 0;
  std::vector<Tree::Place> open = {place};
  while (!open.empty()) {
    const Tree::Place at = open.back();
    open.pop_back();
    ++entries;
    const auto children = tree.children(at);
    if (children.empty()) ++tips;
    open.insert(open.end(), children.begin(), children.end());
  }
  return {entries, tips};
}

class Drawer {
 public:
  Drawer(const Tree& tree, const TreeDrawing& drawing) : tree_(tree), drawing_(drawing) {}

  std::string take() { return std::move(out_); }

  // Depth first, with a stack of its own; `prefix_` is what stands before the line.
  void draw(const std::vector<Tree::Place>& tops) {
    push(tops, 0);
    while (!open_.empty()) {
      const Line line = open_.back();
      open_.pop_back();
      levels_.resize(line.indent);
      if (levels_.size() >= drawing_.depth_max) {
        const auto [entries, tips] = count_below(tree_, line.place);
        put(line.is_last,
            fmt::format("… {} {} in {} {}", entries, entries == 1 ? "entry" : "entries", tips,
                        tips == 1 ? "branch" : "branches"));
        continue;
      }
      draw_run(line);
    }
  }

 private:
  void draw_run(const Line& line) {
    Tree::Place at = line.place;
    put(line.is_last, drawing_.text_of(at));
    levels_.push_back(line.is_last);
    if (drawing_.run_max > 0) {
      const auto [last, length] = end_of_run(tree_, at);
      if (length > drawing_.run_max) {
        put(true, fmt::format("… {} more", length - 2));
        levels_.push_back(true);
        put(true, drawing_.text_of(last));
        levels_.push_back(true);
        at = last;
      }
    }
    push(tree_.children(at), levels_.size());
  }

  void push(const std::vector<Tree::Place>& places, std::size_t indent) {
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
      open_.push_back({*place, indent, place == places.rbegin()});
    }
  }

  void put(bool is_last, std::string_view text) {
    for (const bool level_is_last : levels_) out_ += level_is_last ? "    " : "│   ";
    out_ += is_last ? "└── " : "├── ";
    out_ += text;
    out_ += '\n';
  }

  const Tree& tree_;
  const TreeDrawing& drawing_;
  std::vector<Line> open_;
  std::vector<bool> levels_;  // of the ancestors in the drawing: the last of its siblings?
  std::string out_;
};

}  // namespace

std::string draw(const Tree& tree, const TreeDrawing& drawing) {
  Drawer drawer(tree, drawing);
  drawer.draw(tree.roots());
  std::string drawn = drawer.take();
  if (const auto detached = tree.detached(); !detached.empty()) {
    Drawer rest(tree, drawing);
    rest.draw(detached);
    drawn += "detached:\n" + rest.take();
  }
  return drawn;
}

}  // namespace logwood
