// Regular expressions that take time in proportion to the text, whatever the text is: the only door
// to RE2. They match bytes; `\b`, `\w` and `(?i)` mean ASCII.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace logwood {

class Pattern {
 public:
  /// `expression` is one of ours, not a caller's: is_valid says whether RE2 takes it.
  explicit Pattern(const std::string& expression);
  /// Matches where one of these does, which costs about as much as looking for one. It tells no
  /// groups.
  static Pattern any_of(std::span<const std::string> expressions);
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  [[nodiscard]] bool is_valid() const;

  struct Match {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view group;  ///< what the first pair of parentheses took, else all of it
  };

  /// The first match that begins at `from` or later. Bytes before `from` count as what stands
  /// before it.
  [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from = 0) const;

  /// The match that begins exactly at `at`.
  [[nodiscard]] std::optional<Match> match_at(std::string_view text, std::size_t at) const;

 private:
  explicit Pattern(std::unique_ptr<re2::RE2> compiled);
  std::unique_ptr<re2::RE2> compiled_;
};

}  // namespace logwood
