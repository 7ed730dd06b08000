// What somebody looks for, told apart from how it is typed.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/result.hpp"

namespace logwood {

struct SearchTerm {
  std::string text;        ///< one word, or several that stand together
  bool is_prefix = false;  ///< only how the last word begins
};

struct SearchQuery {
  std::vector<SearchTerm> wanted;
  std::vector<SearchTerm> unwanted;
  std::string type;
  std::string role;
  std::string tool;
  std::string key;
  std::string since;  ///< a timestamp
};

/// `retry-after "second attempt" -draft parse* role:user since:2d`. `invalid_argument` says what
/// cannot be understood.
Result<SearchQuery> parse_search_query(std::string_view text,
                                       std::chrono::system_clock::time_point now);

enum class Direction : unsigned char { before, after };

/// The moment that `2026-11-14`, a timestamp, `today`, `yesterday`, or `90min`, `36h`, `7d` or `2w`
/// before or after `now` names, as a timestamp.
Result<std::string> time_named(std::string_view text, std::chrono::system_clock::time_point now,
                               Direction direction = Direction::before);

}  // namespace logwood
