// Brings the catalog up to date with the sessions it is about, and asks it.
//
// A session is read again when it looks different from outside than when it was read, and only from
// where that reading ended. One that was read within moments of its last change is looked at once
// more, since another change could have left it looking the same (git knows this as racy).
//
// The catalog is derived, so nothing that is wrong with it stops anybody: a damaged one is made
// again, wherever the damage is met, and one that cannot be written to is made in memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "io/file_system.hpp"
#include "storage/backend.hpp"
#include "storage/catalog_reader.hpp"
#include "storage/session_catalog.hpp"

namespace logwood::storage {

/// All sessions as they are now.
struct CatalogLook {
  std::vector<CatalogSource> sources;
  std::vector<catalog::Watched> watched = {};
};
using LookAtAll = std::function<Result<CatalogLook>()>;

/// Of sessions that are many, and not ours.
struct FromOutside {
  /// With it they are read when somebody wants to see them, not when they are met.
  GlanceAt glance_at = {};
  /// With it a look at all of them may be left out (SummaryQuery::max_age).
  StampAt stamp_at = {};
  /// Which folders are looked at: a look at others says nothing here.
  std::string places = {};
};

/// Where a catalog lies.
struct CatalogPlace {
  /// Null: in memory, for as long as this process runs.
  io::FileSystem* files = nullptr;
  std::chrono::milliseconds patience{5000};
};

class CatalogKeeper final : public SessionCatalog {
 public:
  CatalogKeeper(StorageBackend& sessions, LookAtAll look, CatalogPlace place,
                FromOutside outside = {})
      : sessions_(sessions),
        reader_(sessions),
        look_(std::move(look)),
        place_(place),
        outside_(std::move(outside)) {}

  Result<> refresh(CatalogPart part, const Progress& progress) override;
  Result<SummaryPage> summaries(const SummaryQuery& query, const Progress& progress) override;
  Result<SearchPage> search(const SearchOptions& options, const Progress& progress) override;
  Result<StoreTotals> totals(const Progress& progress) override;
  std::string file() override;
  void set_beside(const std::string& path, bool comes_first) override;

  /// After entries of a session were erased: reads it anew, such that none of the bytes it had
  /// before are left in the file of the catalog. Others never find the session missing. Where that
  /// cannot be done nothing is left in the file; a failure says that something may be.
  Result<> forget_erased(const SessionId& session);

 private:
  using Lock = std::unique_ptr<io::File>;

  struct Unread {
    SessionId id;
    std::uint64_t size_bytes = 0;
  };

  // All sessions as they looked at one moment.
  struct Seen {
    std::int64_t at_ns = 0;
    CatalogLook look;
  };

  template <class Answer>
  Result<Answer> answer(CatalogPart part, std::chrono::nanoseconds max_age,
                        const Progress& progress,
                        const std::function<Result<Answer>(catalog::Catalog&)>& question);
  bool can_go_on_after(const Error& error);
  Result<catalog::Catalog*> refreshed(CatalogPart part, const Seen& seen, const Progress& progress);
  Result<catalog::Catalog*> opened();
  Result<Lock> write_lock(std::chrono::milliseconds patience);
  Result<Seen> look_at_all() const;
  bool is_as_it_was(std::chrono::nanoseconds max_age);
  void note_look(catalog::Catalog& catalog, const Seen& seen);
  Result<> refresh_summaries(catalog::Catalog& catalog, const Seen& seen, const Progress& progress);
  Result<> glance(catalog::Catalog& catalog, std::int64_t seen_ns,
                  std::span<const CatalogSource* const> unread,
                  std::vector<const CatalogSource*>& changed);
  Result<> complete(catalog::Catalog& catalog, std::span<const Unread> unread,
                    const Progress& progress);
  Result<> complete_all(catalog::Catalog& catalog, const Progress& progress);
  Result<> refresh_text(catalog::Catalog& catalog, const Progress& progress);
  Result<> read(const SessionId& session, const std::function<Result<SessionError>()>& read_it);
  [[nodiscard]] std::vector<Unread> unread_on(const SummaryPage& page) const;
  [[nodiscard]] bool is_unreadable(const SessionId& session) const;
  bool is_gone(const SessionId& session);
  Result<> remove_if_gone(catalog::Catalog& catalog, const SessionId& session);
  Result<> read_anew(catalog::Catalog& catalog, const SessionId& session);
  [[nodiscard]] bool is_in_files() const;
  Result<bool> has_database() const;
  Result<> empty_files();

  StorageBackend& sessions_;
  CatalogReader reader_;
  LookAtAll look_;
  CatalogPlace place_;
  FromOutside outside_;
  std::mutex mutex_;
  std::optional<catalog::Catalog> catalog_;
  std::string beside_;
  bool beside_comes_first_ = false;
  bool gave_up_files_ = false;  // they could not be written to, so `catalog_` is in memory
  std::vector<UnreadableSession> unreadable_;  // when it was last refreshed
};

}  // namespace logwood::storage
