#include "support/process_storm.hpp"

#include <fmt/format.h>

#include "logwood/store.hpp"

namespace logwood {

int Storm::fail(const std::string& who, const std::string& what) const {
  if (!failed->exchange(true)) fmt::print("{}: {}\n", who, what);
  return 1;
}

std::optional<std::string> check_fork(const Storm& storm, Store& store, const SessionId& id) {
  const auto report = store.verify(id);
  if (!report) return "verify: " + report.error().message;
  if (!report->problems.empty()) return "verify: " + describe(report->problems.front());
  const auto page = store.load(id);
  if (!page) return page.error().message;
  std::optional<EntryId> last;  // a fork is one path
  for (const Entry& entry : page->entries) {
    if (kind_of(entry.type) != EntryKind::tree) continue;
    // What was erased before the fork was made is an empty entry in it.
    const bool is_empty = entry.payload() == "{}";
    if (!is_empty && !has_its_content(storm.ledger, entry)) {
      return "entry " + entry.id.text + " is not what was appended";
    }
    if (entry.parent_id != last) return "entry " + entry.id.text + " is not on the path";
    last = entry.id;
  }
  return last ? std::nullopt : std::optional<std::string>("the path is empty");
}

std::optional<std::string> loss_among(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    if (is_loss(problem.kind)) return describe(problem);
  }
  return std::nullopt;
}

}  // namespace logwood
