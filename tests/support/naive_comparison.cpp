#include "support/naive_comparison.hpp"

#include <algorithm>
#include <utility>

#include "support/disagreement.hpp"

namespace logwood {

using naive::NaiveEntry;

std::string spelled(const std::optional<std::string>& id) { return id ? *id : "(none)"; }
std::string spelled(const std::optional<EntryId>& id) { return id ? id->text : "(none)"; }

std::string spelled(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    text += "\n    " + std::string(name_of(problem.kind)) + " at " +
            std::to_string(problem.offset) + ": " + describe(problem);
  }
  return text.empty() ? " none" : text;
}

std::vector<Problem> in_order(std::vector<Problem> problems) {
  std::sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::pair(a.offset, a.kind) < std::pair(b.offset, b.kind);
  });
  return problems;
}

void require_same(const Entry& found, const NaiveEntry& expected) {
  require(found.text == expected.text, "entry ", expected.seq, " is\n  ", found.text,
          "\ninstead of\n  ", expected.text);
  require(found.id.text == expected.id && found.type == expected.type, "id or type of ",
          expected.id, " differ");
  require(found.seq == expected.seq, "entry ", expected.id, " has seq ", found.seq, ", not ",
          expected.seq);
  require(spelled(found.parent_id) == spelled(expected.parent), "entry ", expected.id,
          " has parent ", spelled(found.parent_id), ", not ", spelled(expected.parent));
  require(found.timestamp == expected.timestamp, "entry ", expected.id, " has timestamp ",
          found.timestamp, ", not ", expected.timestamp);
  require(!found.flagged && !found.erased, "entry ", expected.id, " is flagged or erased");
}

void require_same(const std::vector<Entry>& found, const std::vector<NaiveEntry>& expected) {
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
    require_same(found[i], expected[i]);
  }
  require(found.size() == expected.size(), found.size(), " entries instead of ", expected.size());
}

}  // namespace logwood
