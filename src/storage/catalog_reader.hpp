// Reads sessions into the catalog: all of one, or what was added since it was last read.
//
// Two things can go wrong here, and they end differently: a session that cannot be read is told
// about while the others are read, and a catalog that cannot is made again. So an error of the
// Result is one of the catalog, and one of the session is the value.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "catalog/catalog.hpp"
#include "storage/backend.hpp"
#include "storage/summary_reading.hpp"

namespace logwood::storage {

/// A session and what it looks like from outside.
struct CatalogSource {
  SessionId id;
  catalog::Stamp stamp;
  std::string place = {};  ///< as in catalog::Known
};

/// A session with this stamp, taken at `seen_ns`, could have changed since and look the same.
[[nodiscard]] bool is_racy(const catalog::Stamp& stamp, std::int64_t seen_ns);

/// What the two ends of a session tell.
struct Glance {
  SessionHeader header;
  std::string last_active;
  // Of one that is long, and so may be shown before it is read:
  std::string header_text = {};
  std::string title = {};
};

/// Nothing where that cannot be told without reading all of it. For use by several threads.
using GlanceAt = std::function<std::optional<Glance>(const CatalogSource& source)>;

/// What lies at a place; empty where nothing does.
using StampAt = std::function<catalog::Stamp(const std::string& place)>;

/// Nobody waits for a list until a session of this size is gone through.
[[nodiscard]] constexpr bool is_long(std::uint64_t size_bytes) { return size_bytes > (64U << 20U); }

/// Why a session could not be read; nothing: it was.
using SessionError = std::optional<Error>;

class CatalogReader {
 public:
  explicit CatalogReader(StorageBackend& sessions) : sessions_(sessions) {}

  /// Brings the summary of a session up to date; if it has to be read from the start, the text it
  /// had too. Its stamp was taken at `seen_ns`. Within a transaction.
  Result<SessionError> read_summary(catalog::Catalog& catalog, const CatalogSource& source,
                                    std::int64_t seen_ns);

  /// Adds what was read, from its start, of one that is known by a glance, if it still is.
  Result<> complete(catalog::Catalog& catalog, const SessionId& session, SummaryReading&& reading);

  /// Brings the text of a session that has a summary up to date. One that cannot be read to its
  /// end keeps the text it had. Within a transaction.
  Result<SessionError> read_text(catalog::Catalog& catalog, const SessionId& session);

 private:
  struct Text;
  static Result<> put(catalog::Catalog& catalog, const CatalogSource& source, bool is_racy,
                      SummaryReading&& reading);
  Result<WalkedTo> walk_for_text(const SessionId& session, const ReadPosition& from, Text& text);

  StorageBackend& sessions_;
};

}  // namespace logwood::storage
