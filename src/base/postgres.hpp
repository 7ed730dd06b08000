// PostgreSQL as this project uses it: a connection on which every wait has an end, values in binary
// form, and errors that say what to do. For one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "logwood/result.hpp"

extern "C" {
struct pg_conn;
struct pg_result;
}

namespace logwood {

struct Libpq;

using Deadline = std::chrono::steady_clock::time_point;

/// A statement that is prepared once per connection, where the connection is ours alone.
struct PgStatement {
  const char* name;
  const char* sql;
};

/// The values of a statement's parameters, in order. Texts and bytes are borrowed until it has run.
class PgValues {
 public:
  PgValues& int4(std::int32_t value);
  PgValues& int8(std::int64_t value);
  PgValues& int8(std::uint64_t value) { return int8(static_cast<std::int64_t>(value)); }
  PgValues& boolean(bool value);
  PgValues& text(std::string_view value);
  PgValues& text_or_null(const std::optional<std::string_view>& value);
  PgValues& bytes(std::string_view value) { return text(value); }
  PgValues& int8s(const std::vector<std::int64_t>& values);
  PgValues& booleans(const std::vector<bool>& values);
  PgValues& texts(std::span<const std::string_view> values);
  PgValues& byte_strings(std::span<const std::string_view> values);
  /// Each in the binary form of a tsvector.
  PgValues& word_vectors(std::span<const std::string_view> values);

 private:
  friend class PgConnection;
  struct Value {
    bool is_null = false;
    bool is_owned = false;
    std::string_view borrowed;
    std::string owned;
  };
  PgValues& own(std::string value);
  PgValues& array(std::uint32_t type, std::span<const std::string_view> values);

  std::vector<Value> values_;
};

/// What a statement returned.
class PgRows {
 public:
  PgRows() = default;
  PgRows(const Libpq& libpq, pg_result* result) : result_(result, Clear{&libpq}) {}

  [[nodiscard]] int count() const;
  [[nodiscard]] bool empty() const { return count() == 0; }
  /// How many rows the statement changed, where it returns none.
  [[nodiscard]] std::uint64_t changed() const;

  [[nodiscard]] bool is_null(int row, int column) const;
  /// Text or bytes; valid as long as this.
  [[nodiscard]] std::string_view view(int row, int column) const;
  [[nodiscard]] std::string text(int row, int column) const {
    return std::string(view(row, column));
  }
  [[nodiscard]] std::optional<std::string> optional_text(int row, int column) const;
  /// Of an int4, an int8 or a boolean.
  [[nodiscard]] std::int64_t integer(int row, int column) const;
  [[nodiscard]] std::uint64_t number(int row, int column) const {
    return static_cast<std::uint64_t>(integer(row, column));
  }
  [[nodiscard]] std::optional<std::uint64_t> optional_number(int row, int column) const;
  [[nodiscard]] bool boolean(int row, int column) const { return integer(row, column) != 0; }

 private:
  friend class PgConnection;
  struct Clear {
    const Libpq* libpq;
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clear> result_{nullptr, Clear{nullptr}};
};

/// Told a row, in the first row of what it is given; false: that was enough.
using PgRowVisitor = std::function<Result<bool>(const PgRows&)>;

struct PgOptions {
  std::string url;  ///< as libpq takes it, several hosts included
  /// Statements go through a pooler that hands connections on after each transaction: nothing may
  /// be prepared, and settings hold for a transaction.
  bool through_pooler = false;
  /// A SELECT that sets what every transaction needs; for the connection, and for a transaction.
  std::string settings;
  std::string settings_of_transaction;
};

/// What an error means for the connection and for the statement is in its code: `unavailable` is a
/// connection that is lost or a server that is going, after which a statement may have been carried
/// out or not; `busy` a lock or a time limit of the server, `already_exists` a unique index.
class PgConnection {
 public:
  /// Each host is given a few seconds.
  static Result<PgConnection> open(const PgOptions& options, Deadline deadline);

  PgConnection(PgConnection&&) noexcept = default;
  PgConnection& operator=(PgConnection&&) noexcept = default;

  /// One statement, as a transaction of its own unless one is open.
  Result<PgRows> run(const PgStatement& statement, const PgValues& values, Deadline deadline);

  /// The same for what changes rows and is a transaction of its own. `unavailable` also where the
  /// server warns: the commit may be on this server alone, where others were to have it too.
  Result<PgRows> change(const PgStatement& statement, const PgValues& values, Deadline deadline);

  /// Two statements in one round trip, as one transaction.
  struct Two {
    PgRows first;
    PgRows second;
  };
  Result<Two> run_both(const PgStatement& first, const PgValues& first_values,
                       const PgStatement& second, const PgValues& second_values, Deadline deadline);

  /// The same as run in two steps: the server works while the caller does. Nothing else may be run
  /// between them. Not through a pooler.
  Result<> ask(const PgStatement& statement, const PgValues& values, Deadline deadline);
  Result<PgRows> answer(Deadline deadline) { return last_result(deadline, nullptr); }
  [[nodiscard]] bool can_ask() const { return !options_.through_pooler; }

  /// The same as run, row by row, without keeping them. Each has to come within `patience`.
  Result<> stream(const PgStatement& statement, const PgValues& values,
                  std::chrono::milliseconds patience, const PgRowVisitor& visit);

  /// Several statements without values, as one transaction unless one is open.
  Result<> script(const std::string& statements, Deadline deadline);

  Result<> begin(Deadline deadline);
  Result<> commit(Deadline deadline);  ///< warned of as by change
  void roll_back();

  /// It can be used again, and nothing is open on it.
  [[nodiscard]] bool is_reusable() const;

 private:
  struct Finish {
    const Libpq* libpq;
    void operator()(pg_conn* connection) const;
  };
  struct Shared {  // what the notice receiver writes to; does not move
    bool warned = false;
  };

  PgConnection(const Libpq& libpq, pg_conn* connection, const PgOptions& options);

  Result<> prepare(const PgStatement& statement, Deadline deadline);
  Result<> send(const PgStatement& statement, const PgValues& values);
  Result<PgRows> next_result(Deadline deadline);
  struct Streaming {  // of rows that are told one by one
    const PgRowVisitor& visit;
    std::chrono::milliseconds patience;
  };
  Result<PgRows> last_result(Deadline deadline, const Streaming* streaming);
  Result<PgRows> run_with(const PgStatement& statement, const PgValues& values, Deadline deadline,
                          const Streaming* streaming);
  struct Step {
    const PgStatement* statement;
    const PgValues* values;
  };
  Result<PgRows> run_in_pipeline(std::span<const Step> steps, Deadline deadline,
                                 const Streaming* streaming, std::vector<PgRows>* results);
  Result<> wait(Deadline deadline);
  Result<> check_not_warned();
  Error lost();
  [[nodiscard]] Error error_of(const pg_result* result);

  const Libpq* libpq_;
  PgOptions options_;
  std::unique_ptr<pg_conn, Finish> connection_;
  std::unique_ptr<Shared> shared_;
  std::unordered_set<const char*> prepared_;  // by the address of their names
  bool in_transaction_ = false;
  bool is_broken_ = false;
  bool has_streamed_ = false;  // the last statement came row by row
};

}  // namespace logwood
