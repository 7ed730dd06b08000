#pragma once

#include <optional>
#include <string_view>

#include "logwood/entry.hpp"
#include "logwood/pages.hpp"

namespace logwood::storage {

/// Picks, from entries told newest first, those that a backward reading is about:
/// all of them, or only the path of the head. The newest tree entry or head mark
/// says where that path begins; from there each entry names the next.
class PathFilter {
 public:
  explicit PathFilter(Along along) : along_(along) {}

  [[nodiscard]] bool wants(const Entry& entry);

  /// Whether `wants` could only refuse an entry with this id, so that it need not be
  /// read for it.
  [[nodiscard]] bool passes_over(std::string_view id) const {
    return along_ == Along::path && found_head_ && (!next_ || next_->text != id);
  }

  /// The path has come to its root: nothing older is on it.
  [[nodiscard]] bool is_done() const { return along_ == Along::path && found_head_ && !next_; }

 private:
  Along along_;
  bool found_head_ = false;
  std::optional<EntryId> next_;
};

}  // namespace logwood::storage
