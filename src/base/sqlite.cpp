#include "base/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace logwood {
namespace {

ErrorCode code_of(int result) {
  switch (result & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::busy;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::damaged;
    case SQLITE_FULL:
      return ErrorCode::no_space;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return ErrorCode::permission_denied;
    case SQLITE_IOERR:
      return ErrorCode::unavailable;
    default:
      return ErrorCode::internal;
  }
}

Error error_of(sqlite3* database, int result) {
  return {code_of(result), database == nullptr ? sqlite3_errstr(result) : sqlite3_errmsg(database)};
}

// --- tokenizers: FTS5 hands through what we gave it
// ------------------------------------------------

int make_tokenizer(void* given, const char** /*arguments*/, int /*count*/, Fts5Tokenizer** made) {
  *made = static_cast<Fts5Tokenizer*>(given);
  return SQLITE_OK;
}

void drop_tokenizer(Fts5Tokenizer* /*made*/) {}

int tokenize(Fts5Tokenizer* made, void* context, int flags, const char* text, int size,
             int (*found)(void*, int, const char*, int, int, int)) {
  int result = SQLITE_OK;
  const auto tokenizer = reinterpret_cast<SqlTokenizer>(made);
  tokenizer({text, static_cast<std::size_t>(size)}, (flags & FTS5_TOKENIZE_QUERY) != 0,
            [&](const SqlToken& token) {
              result = found(context, token.same_place ? FTS5_TOKEN_COLOCATED : 0,
                             token.text.data(), static_cast<int>(token.text.size()),
                             static_cast<int>(token.begin), static_cast<int>(token.end));
              return result == SQLITE_OK;
            });
  return result;
}

fts5_api* full_text_of(sqlite3* database) {
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
}

}  // namespace

// --- statement
// -------------------------------------------------------------------------------------

void SqlStatement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

SqlStatement& SqlStatement::bind(std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), ++bound_, value);
  return *this;
}

SqlStatement& SqlStatement::bind(std::string_view text) {
  // An empty view may have no address, which SQLite would take for NULL.
  sqlite3_bind_text64(statement_.get(), ++bound_, text.empty() ? "" : text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

SqlStatement& SqlStatement::bind(const std::optional<std::uint64_t>& value) {
  if (value) return bind(*value);
  sqlite3_bind_null(statement_.get(), ++bound_);
  return *this;
}

Result<bool> SqlStatement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  Error error = error_of(sqlite3_db_handle(statement_.get()), result);
  reset();
  return error;
}

Result<> SqlStatement::run() {
  while (true) {
    LOGWOOD_TRY(const bool has_row, step());
    if (!has_row) break;
  }
  reset();
  return {};
}

void SqlStatement::reset() {
  sqlite3_reset(statement_.get());
  bound_ = 0;
}

std::int64_t SqlStatement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<std::uint64_t> SqlStatement::optional_number(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
  return number(column);
}

std::string_view SqlStatement::text(int column) const {
  const auto* const bytes = sqlite3_column_text(statement_.get(), column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

// --- database
// --------------------------------------------------------------------------------------

void SqlDatabase::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Result<SqlDatabase> SqlDatabase::open(const std::string& path, std::chrono::milliseconds patience) {
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(
      path.empty() ? ":memory:" : path.c_str(), &opened,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW,
      nullptr);
  SqlDatabase database(opened);
  if (result != SQLITE_OK) return error_of(opened, result);
  sqlite3_busy_timeout(opened, static_cast<int>(patience.count()));
  return database;
}

Result<SqlDatabase> SqlDatabase::open_to_read(const std::string& path,
                                              std::chrono::milliseconds patience) {
  // With a log, readers share memory in a file; only where that is there already does SQLite leave
  // the folder as it is.
  const auto has_bytes = [&](const char* ending) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path + ending, failed);
    return !failed && size > 0;
  };
  std::string uri = "file:";
  for (const char c : path) {
    const bool means_something = c == '%' || c == '?' || c == '#';
    uri +=
        means_something ? fmt::format("%{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  uri += has_bytes("-wal") && has_bytes("-shm") ? "?mode=ro" : "?mode=ro&immutable=1";
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(
      uri.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  SqlDatabase database(opened);
  if (result != SQLITE_OK) return error_of(opened, result);
  sqlite3_busy_timeout(opened, static_cast<int>(patience.count()));
  return database;
}

Result<> SqlDatabase::attach_beside(const std::string& path) {
  std::error_code failed;
  // It would be made.
  if (std::filesystem::file_size(path, failed) == 0 || failed)
    return Error{ErrorCode::not_found, path + " is not there"};
  LOGWOOD_TRY(SqlStatement attached, prepare("ATTACH ? AS beside"));
  return attached.bind(path).run();
}

Result<> SqlDatabase::detach_beside() { return execute("DETACH beside"); }

Result<> SqlDatabase::execute(const char* statements) {
  const int result = sqlite3_exec(database_.get(), statements, nullptr, nullptr, nullptr);
  if (result == SQLITE_OK) return {};
  return error_of(database_.get(), result);
}

Result<SqlStatement> SqlDatabase::prepare(std::string_view statement) {
  sqlite3_stmt* prepared = nullptr;
  const int result = sqlite3_prepare_v2(database_.get(), statement.data(),
                                        static_cast<int>(statement.size()), &prepared, nullptr);
  if (result != SQLITE_OK) return error_of(database_.get(), result);
  return SqlStatement(prepared);
}

Result<> SqlDatabase::add_tokenizer(const char* name, SqlTokenizer tokenizer) {
  fts5_api* const api = full_text_of(database_.get());
  if (api == nullptr) {
    return Error{ErrorCode::unsupported, "this SQLite has no full-text search (FTS5)"};
  }
  fts5_tokenizer functions{make_tokenizer, drop_tokenizer, tokenize};
  const int result =
      api->xCreateTokenizer(api, name, reinterpret_cast<void*>(tokenizer), &functions, nullptr);
  if (result == SQLITE_OK) return {};
  return error_of(database_.get(), result);
}

Result<> SqlDatabase::reset() {
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_RESET_DATABASE, 1, nullptr);
  auto emptied = execute("VACUUM");
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_RESET_DATABASE, 0, nullptr);
  return emptied;
}

std::int64_t SqlDatabase::last_row() const { return sqlite3_last_insert_rowid(database_.get()); }

// --- transaction
// -----------------------------------------------------------------------------------

Result<SqlTransaction> SqlTransaction::begin(SqlDatabase& database) {
  // At once as a writer: one that becomes a writer later may find that it cannot.
  LOGWOOD_CHECK(database.execute("BEGIN IMMEDIATE"));
  return SqlTransaction(database);
}

SqlTransaction::~SqlTransaction() {
  if (database_ != nullptr) (void)database_->execute("ROLLBACK");
}

Result<> SqlTransaction::commit() {
  LOGWOOD_CHECK(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace logwood
