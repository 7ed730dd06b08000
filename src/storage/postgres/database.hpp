// A store's connections, and what every statement on them has in common: the tenant, the settings,
// the end of every wait.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/postgres.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::postgres {

/// A URL as people give it: what is ours in it, and what libpq takes.
struct Place {
  std::string url;                 ///< for libpq
  std::string tenant = "default";  ///< ?tenant=
  bool through_pooler = false;     ///< ?pooler=transaction
};

/// Whether a store's name is one.
[[nodiscard]] bool is_place(std::string_view name);

Result<Place> parse_place(const std::string& url);

/// The same without its password, for people to read.
[[nodiscard]] std::string printable_place(std::string_view url);

class Database;

/// A connection for as long as this lives; one that can be used again goes back. Whatever is still
/// open on it then is rolled back.
class Lease {
 public:
  Lease(Database& database, std::unique_ptr<PgConnection> connection)
      : database_(&database), connection_(std::move(connection)) {}
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease();

  PgConnection* operator->() { return connection_.get(); }
  PgConnection& operator*() { return *connection_; }

 private:
  Database* database_;
  std::unique_ptr<PgConnection> connection_;
};

/// For use by several threads.
class Database {
 public:
  Database(Place place, std::chrono::milliseconds patience);

  /// Finds the tenant; `not_found` where there is no store, or none of that name for this role.
  Result<> open();

  /// A connection, at the latest after the patience of the store.
  Result<Lease> lease();
  Result<Lease> lease(Deadline deadline);

  /// One statement, on any connection. What only reads may be asked again of another one when the
  /// first is lost.
  Result<PgRows> read(const PgStatement& statement, const PgValues& values);
  Result<PgConnection::Two> read_both(const PgStatement& first, const PgValues& first_values,
                                      const PgStatement& second, const PgValues& second_values);

  /// The parameters that every statement begins with.
  [[nodiscard]] PgValues values() const {
    PgValues values;
    values.int4(tenant_);
    return values;
  }

  [[nodiscard]] Deadline deadline() const { return std::chrono::steady_clock::now() + patience_; }
  [[nodiscard]] std::chrono::milliseconds patience() const { return patience_; }
  [[nodiscard]] std::int32_t tenant() const { return tenant_; }
  [[nodiscard]] const Place& place() const { return place_; }

  /// What an acknowledgement means on this server, and what is wrong with the way it is set up; as
  /// far as this role may see.
  struct Setup {
    std::vector<std::string> promises;
    std::vector<std::string> dangers;
  };
  Result<Setup> setup();

  void close();

 private:
  friend class Lease;
  template <class T>
  Result<T> read_again(const std::function<Result<T>(PgConnection&, Deadline)>& read);
  Result<std::int32_t> find_tenant();
  void take_back(std::unique_ptr<PgConnection> connection);
  [[nodiscard]] PgOptions connection_options() const;

  Place place_;
  std::chrono::milliseconds patience_;
  std::int32_t tenant_ = 0;

  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<PgConnection>> idle_;
  std::size_t in_use_ = 0;
  bool is_closed_ = false;
};

}  // namespace logwood::storage::postgres
