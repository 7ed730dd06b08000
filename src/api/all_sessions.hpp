// The sessions of a store together with those of other agents on this machine, as one list.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "logwood/store.hpp"

namespace logwood::api {

/// A session, and the store it is in.
struct FoundSession {
  Store store;
  SessionId id;
};

class AllSessions {
 public:
  /// Either may be missing: who has no store yet still has agents, and the other way round.
  AllSessions(std::optional<Store> own, std::optional<Store> of_agents)
      : own_(std::move(own)), of_agents_(std::move(of_agents)) {}

  /// Whether there is a store of the user's own.
  [[nodiscard]] bool has_store() const { return own_.has_value(); }

  Result<SummaryPage> summaries(const SummaryQuery& query, const Progress& progress);
  Result<SearchPage> search(const SearchOptions& options, const Progress& progress);
  Result<StoreTotals> totals(const Progress& progress);

  /// Hands out the store with the session that a person calls `name`: as session_named, and
  /// `claude:7f3a` for one of an agent. What is in the store itself comes first.
  Result<FoundSession> take(std::string_view name) &&;

 private:
  Result<> for_each_store(CatalogPart part, const Progress& progress,
                          const std::function<Result<>(Store&)>& ask);
  Result<std::optional<SessionId>> newest(Store& store, std::string& last_active);

  std::optional<Store> own_;
  std::optional<Store> of_agents_;
};

/// `claude:7f3a9c01` of a session of an agent, wherever it is now; otherwise empty. The end of an
/// id is enough to find it.
[[nodiscard]] std::string agent_name_of(const SessionHeader& header);
[[nodiscard]] std::string agent_name_of(std::string_view id);

}  // namespace logwood::api
