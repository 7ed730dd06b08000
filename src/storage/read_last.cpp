#include <algorithm>

#include "storage/backend.hpp"
#include "storage/path_filter.hpp"

namespace logwood::storage {

Result<BackwardPage> StorageBackend::read_last(const SessionId& session, std::size_t limit,
                                               Along along) {
  // For guessing how much to read: entries of agents average below 2 KB, and some of
  // those at the end are not on the path.
  constexpr std::size_t expected_line_size = 2560;
  const std::size_t expected = std::min<std::size_t>(limit, 1000);
  BackwardPage page;
  PathFilter filter(along);
  BackwardVisit visit;
  visit.expected_bytes = expected * expected_line_size;
  visit.begin = [&] {
    page = {};
    page.entries.reserve(expected);
    filter = PathFilter(along);
  };
  visit.wants = [&](const EntryPlace& place) { return !filter.passes_over(place.id); };
  visit.take = [&](Entry&& entry) {
    if (filter.wants(entry)) {
      if (page.entries.size() == limit) {
        page.has_more = true;
        return false;
      }
      page.entries.push_back(std::move(entry));
    }
    return !filter.is_done();
  };
  LOGWOOD_TRY(const BackwardEnd end, read_back(session, visit));
  page.anchored = end.anchored;
  return page;
}

}  // namespace logwood::storage
