#include "cli/spelling.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace logwood::cli {
namespace {

// How many characters have to be changed, added or left out to come from one word to the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t before = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = before + (a[i] == b[j] ? 0 : 1);
      before = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_word(std::string_view typed, std::span<const std::string_view> words) {
  std::string_view nearest;
  // As many steps as the word is long lead from anything to it.
  std::size_t least = std::min<std::size_t>(3, typed.size());
  for (const std::string_view word : words) {
    const std::size_t steps = distance(typed, word);
    if (steps < least) {
      least = steps;
      nearest = word;
    }
  }
  return nearest;
}

}  // namespace logwood::cli
