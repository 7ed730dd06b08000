#include "model/suspected_secrets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/secrets.hpp"

namespace logwood {
namespace {

constexpr std::size_t entries_named_max = 4;

}  // namespace

void SuspectedSecrets::take(const EntryId& entry, std::string_view text) {
  const std::vector<std::string_view> found = secrets_in_entry(text);
  if (found.empty()) return;
  count += found.size();
  ++entry_count;
  if (entries.size() < entries_named_max) entries.push_back(entry);
  for (const std::string_view rule : found) {
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
  }
}

std::string SuspectedSecrets::text() const {
  std::string where;
  for (const EntryId& id : entries) where += (where.empty() ? "" : ", ") + id.text;
  if (entry_count > entries.size())
    where += fmt::format(" and {} more", entry_count - entries.size());
  std::string what;
  for (const std::string_view rule : rules) what.append(what.empty() ? "" : ", ").append(rule);
  return fmt::format("{} possible {} ({} {}: {})", count, count == 1 ? "secret" : "secrets",
                     entry_count == 1 ? "entry" : "entries", where, what);
}

}  // namespace logwood
