#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "logwood/tree.hpp"

namespace logwood {

/// Builds a Tree from tree entries told in append order.
class TreeBuilder {
 public:
  TreeBuilder();
  TreeBuilder(const TreeBuilder&) = delete;
  TreeBuilder& operator=(const TreeBuilder&) = delete;
  ~TreeBuilder();

  /// An empty `parent_id` is a root. A flagged entry gives way to a later one with its
  /// id that is not.
  void add(std::string_view id, std::string_view parent_id, std::string_view type,
           std::uint64_t seq, bool flagged);

  /// The tree; the builder is empty afterwards.
  [[nodiscard]] Tree finish();

 private:
  std::unique_ptr<Tree::Inside> tree_;
};

}  // namespace logwood
