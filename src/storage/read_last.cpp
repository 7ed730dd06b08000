#include <algorithm>

#include "storage/backend.hpp"
#include "storage/path_filter.hpp"

namespace logwood::storage {

Result<BackwardPage> StorageBackend::read_last(const SessionId& session, std::size_t limit,
                                               Along along, View view) {
  // For guessing how much to read: entries of agents average below 2 KB, and some of
  // those at the end are not on the path.
  constexpr std::size_t expected_line_size = 2560;
  const std::size_t expected = std::min<std::size_t>(limit, 1000);
  BackwardPage page;
  PathFilter filter(along);
  // A redaction comes after what it hides: those that concern what is read are met on the way.
  Redactions redactions;
  BackwardVisit visit;
  visit.expected_bytes = expected * expected_line_size;
  if (along == Along::append_order)
    visit.expected_entries = expected + 1;  // whether there are more
  visit.begin = [&] {
    page = {};
    page.entries.reserve(expected);
    filter = PathFilter(along);
    redactions = {};
  };
  visit.wants = [&](const EntryPlace& place) {
    return place.is_redaction || !filter.passes_over(place.id);
  };
  visit.take = [&](Entry&& entry) {
    if (!entry.flagged) redactions.take(entry);
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
  if (view == View::shown) {
    for (Entry& entry : page.entries) redactions.apply(entry);
  }
  return page;
}

}  // namespace logwood::storage
