#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logwood/entry.hpp"
#include "logwood/report.hpp"
#include "support/naive_store.hpp"

namespace logwood {

[[nodiscard]] std::string spelled(const std::optional<std::string>& id);
[[nodiscard]] std::string spelled(const std::optional<EntryId>& id);
[[nodiscard]] std::string spelled(const std::vector<Problem>& problems);

/// By their place: the order of what is reported about one place says nothing.
[[nodiscard]] std::vector<Problem> in_order(std::vector<Problem> problems);

/// Throws a Disagreement where they differ.
void require_same(const Entry& found, const naive::NaiveEntry& expected);
void require_same(const std::vector<Entry>& found, const std::vector<naive::NaiveEntry>& expected);

}  // namespace logwood
