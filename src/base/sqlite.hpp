// SQLite as this project uses it: a database, its statements, and errors that say what to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "logwood/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace logwood {

/// One prepared statement. Texts that are bound must live until the next reset.
class SqlStatement {
 public:
  SqlStatement(SqlStatement&&) noexcept = default;
  SqlStatement& operator=(SqlStatement&&) noexcept = default;

  /// Binds the next parameter; the first call after a reset binds the first one.
  SqlStatement& bind(std::int64_t value);
  SqlStatement& bind(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }
  SqlStatement& bind(bool value) { return bind(static_cast<std::int64_t>(value)); }
  SqlStatement& bind(std::string_view text);
  SqlStatement& bind(const std::string& text) { return bind(std::string_view(text)); }
  SqlStatement& bind(const char* text) { return bind(std::string_view(text)); }
  SqlStatement& bind(const std::optional<std::uint64_t>& value);

  /// The next row; false when there is none any more.
  Result<bool> step();

  /// Steps to the end, for statements whose rows do not matter, and resets.
  Result<> run();

  /// Ready to be bound and stepped again.
  void reset();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::uint64_t number(int column) const {
    return static_cast<std::uint64_t>(integer(column));
  }
  [[nodiscard]] std::optional<std::uint64_t> optional_number(int column) const;
  /// Valid until the next step or reset.
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] std::string string(int column) const { return std::string(text(column)); }

 private:
  friend class SqlDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit SqlStatement(sqlite3_stmt* statement) : statement_(statement) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
};

/// A word that a tokenizer found: its text as it is looked up, and the bytes it stands on.
struct SqlToken {
  std::string_view text;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool same_place = false;  ///< stands where the word before it does
};
/// False from the second function ends the work.
using SqlTokenizer = void (*)(std::string_view text, bool is_query,
                              const std::function<bool(const SqlToken&)>& found);

/// A connection. For one thread at a time.
class SqlDatabase {
 public:
  /// An empty path is a database in memory. `patience`: how long a statement waits for
  /// another process before it is `busy`.
  static Result<SqlDatabase> open(const std::string& path, std::chrono::milliseconds patience);

  /// A database of another program, to be read only. Nothing is written beside it either: where it
  /// has a log that its own program left behind, what is only in that log is not seen.
  static Result<SqlDatabase> open_to_read(const std::string& path,
                                          std::chrono::milliseconds patience);

  /// Another database, to be read by statements of this one under the name `beside`; `not_found`
  /// when it is not there. Outside a transaction, as its counterpart.
  Result<> attach_beside(const std::string& path);
  Result<> detach_beside();

  Result<> execute(const char* statements);
  Result<SqlStatement> prepare(std::string_view statement);

  /// Makes a tokenizer known to the full-text tables of this connection.
  Result<> add_tokenizer(const char* name, SqlTokenizer tokenizer);

  /// Empties the database, whatever state its file is in, while others may have it open.
  Result<> reset();

  [[nodiscard]] std::int64_t last_row() const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit SqlDatabase(sqlite3* database) : database_(database) {}

  std::unique_ptr<sqlite3, Close> database_;
};

/// All that happens until commit() is there afterwards or none of it; without it, none.
class SqlTransaction {
 public:
  static Result<SqlTransaction> begin(SqlDatabase& database);
  SqlTransaction(SqlTransaction&& other) noexcept
      : database_(std::exchange(other.database_, nullptr)) {}
  SqlTransaction& operator=(SqlTransaction&&) = delete;
  ~SqlTransaction();
  Result<> commit();

 private:
  explicit SqlTransaction(SqlDatabase& database) : database_(&database) {}
  SqlDatabase* database_;
};

}  // namespace logwood
