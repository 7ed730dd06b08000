// Standard input, by line or as a whole, never more of it than the caller can use.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "logwood/result.hpp"

namespace logwood::cli {

class StandardInput {
 public:
  explicit StandardInput(int descriptor) : descriptor_(descriptor) {}

  /// The next line, without its end; nothing when there is none, or Ctrl-C was pressed.
  /// `invalid_argument` when it is longer than that.
  Result<std::optional<std::string>> line(std::size_t size_max);

  /// The next bytes of it; 0 at its end.
  Result<std::size_t> some(std::span<char> into);

  /// All that is left of it.
  Result<std::string> all(std::size_t size_max);

 private:
  Result<bool> read_more();  // false at the end

  int descriptor_;
  std::string buffer_;
  std::size_t at_ = 0;  // what of the buffer was given out
};

}  // namespace logwood::cli
