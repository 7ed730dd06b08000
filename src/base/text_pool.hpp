// Many texts that live as long as each other, in few pieces of memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace logwood {

class TextPool {
 public:
  /// A copy that stays where it is.
  std::string_view add(std::string_view text) {
    if (text.size() > left_) {
      const std::size_t size = std::max(piece_size, text.size());
      pieces_.push_back(std::make_unique_for_overwrite<char[]>(size));
      next_ = pieces_.back().get();
      left_ = size;
    }
    if (!text.empty()) std::memcpy(next_, text.data(), text.size());
    const std::string_view added(next_, text.size());
    next_ += text.size();
    left_ -= text.size();
    return added;
  }

 private:
  static constexpr std::size_t piece_size = std::size_t{256} << 10U;

  std::vector<std::unique_ptr<char[]>> pieces_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace logwood
