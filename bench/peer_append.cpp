// Durable appends beside other stores that people use for this, in the same run: each appends one
// entry of 1 KB and returns when it would survive a power cut.
//
//   peer_append [FOLDER...]    measures in each folder; without one, where temporary files lie
//
// SQLite appends as a session store has to: the tail is compared and moved, and the entry inserted,
// in one transaction. It is measured with a log that grows, as between two checkpoints, and with
// one that a checkpoint has handed back for reuse. RocksDB only puts a value.
#include <memory>

#include "bare_file.hpp"
#include "each_place.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"
#include "place.hpp"
#include "plain_entry.hpp"
#include "support/temporary_folder.hpp"
#if LOGWOOD_HAS_SQLITE
#include <sqlite3.h>
#endif
#if LOGWOOD_HAS_ROCKSDB
#include <rocksdb/db.h>
#endif

using namespace logwood;
using namespace logwood::bench;

namespace {

#if LOGWOOD_HAS_SQLITE
class SqliteSession {
 public:
  enum class Log : std::uint8_t { grows, is_reused };

  SqliteSession(const std::string& path, Log log) {
    check(sqlite3_open(path.c_str(), &database_) == SQLITE_OK);
    run("PRAGMA journal_mode = WAL");
    run("PRAGMA synchronous = FULL");
    run(log == Log::grows ? "PRAGMA wal_autocheckpoint = 0" : "PRAGMA wal_autocheckpoint = 200");
    run("CREATE TABLE session (id TEXT PRIMARY KEY, tail TEXT NOT NULL) WITHOUT ROWID");
    run("CREATE TABLE entry (number INTEGER PRIMARY KEY, session TEXT NOT NULL, id TEXT NOT NULL, "
        "text TEXT NOT NULL)");
    run("INSERT INTO session VALUES ('s', '0')");
    move_tail_ = prepare("UPDATE session SET tail = ?1 WHERE id = 's' AND tail = ?2");
    insert_ = prepare("INSERT INTO entry (session, id, text) VALUES ('s', ?1, ?2)");
    begin_ = prepare("BEGIN IMMEDIATE");
    commit_ = prepare("COMMIT");
  }
  SqliteSession(const SqliteSession&) = delete;
  SqliteSession& operator=(const SqliteSession&) = delete;
  ~SqliteSession() {
    for (sqlite3_stmt* statement : {move_tail_, insert_, begin_, commit_})
      sqlite3_finalize(statement);
    sqlite3_close(database_);
  }

  void append(const std::string& text) {
    const std::string tail = std::to_string(count_);
    const std::string id = std::to_string(++count_);
    step(begin_);
    bind(move_tail_, 1, id);
    bind(move_tail_, 2, tail);
    step(move_tail_);
    check(sqlite3_changes(database_) == 1);
    bind(insert_, 1, id);
    bind(insert_, 2, text);
    step(insert_);
    step(commit_);
  }

 private:
  void check(bool good) const {
    if (!good) give_up(std::string("SQLite: ") + sqlite3_errmsg(database_));
  }
  void run(const char* text) const {
    check(sqlite3_exec(database_, text, nullptr, nullptr, nullptr) == SQLITE_OK);
  }
  sqlite3_stmt* prepare(const char* text) const {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database_, text, -1, &statement, nullptr) == SQLITE_OK);
    return statement;
  }
  void bind(sqlite3_stmt* statement, int place, const std::string& text) const {
    check(sqlite3_bind_text(statement, place, text.data(), static_cast<int>(text.size()),
                            SQLITE_STATIC) == SQLITE_OK);
  }
  void step(sqlite3_stmt* statement) const {
    check(sqlite3_step(statement) == SQLITE_DONE);
    sqlite3_reset(statement);
  }

  sqlite3* database_ = nullptr;
  sqlite3_stmt* move_tail_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
  std::uint64_t count_ = 0;
};
#endif

#if LOGWOOD_HAS_ROCKSDB
class RocksSession {
 public:
  explicit RocksSession(const std::string& path) {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* opened = nullptr;
    check(rocksdb::DB::Open(options, path, &opened));
    database_.reset(opened);
  }

  void append(const std::string& text) {
    rocksdb::WriteOptions durable;
    durable.sync = true;
    check(database_->Put(durable, fmt::format("s/{:012}", ++count_), text));
  }

 private:
  static void check(const rocksdb::Status& status) {
    if (!status.ok()) give_up("RocksDB: " + status.ToString());
  }

  std::unique_ptr<rocksdb::DB> database_;
  std::uint64_t count_ = 0;
};
#endif

// Contenders that take turns append by append; each round gives the median of its appends.
class AppendContest {
 public:
  std::size_t add(std::string name, std::function<void()> append) {
    const std::size_t number = appends_.size();
    appends_.push_back(std::move(append));
    times_.emplace_back();
    contest_.add(std::move(name), [this, number] { return median(times_[number]); });
    return number;
  }

  void run_round() {
    constexpr int appends_per_round = 30;
    for (auto& times : times_) times.clear();
    for (int i = 0; i < appends_per_round; ++i) {
      for (std::size_t number = 0; number < appends_.size(); ++number) {
        times_[number].push_back(wall_seconds_of(appends_[number]));
      }
    }
    contest_.run_round();
  }

  [[nodiscard]] const Contest& contest() const { return contest_; }

 private:
  std::vector<std::function<void()>> appends_;
  std::vector<std::vector<double>> times_;
  Contest contest_;
};

void measure_in(const std::string& place, double share_of_budget, Verdict& verdict) {
  const TemporaryFolder folder(place);
  StoreOptions options;
  options.create = StoreOptions::Create::if_missing;
  Store store = must(Store::open(folder / "store", options));
  const SessionId session = must(store.create()).id;
  const Draft draft = plain_draft(1024);
  const std::string line(stored_size(store, folder / "store", session, draft), 'x');
  ExpectedTail tail{must(store.status(session)).tail};
  BareFile bare(folder / "bare");

  AppendContest appends;
  appends.add("plain write and fdatasync", [&] {
    bare.write(line);
    bare.sync();
  });
  const std::size_t ours = appends.add("logwood, tail compared", [&] {
    tail.id = must(store.append(session, draft, {.expected_tail = tail})).last_appended_entry_id;
  });
#if LOGWOOD_HAS_SQLITE
  SqliteSession growing(folder / "growing.db", SqliteSession::Log::grows);
  SqliteSession reused(folder / "reused.db", SqliteSession::Log::is_reused);
  for (int i = 0; i < 400; ++i) reused.append(draft.text);  // past its first checkpoint
  const std::size_t sqlite =
      appends.add("SQLite WAL FULL, growing log", [&] { growing.append(draft.text); });
  appends.add("SQLite WAL FULL, reused log", [&] { reused.append(draft.text); });
#else
  fmt::print("(SQLite is not installed here and left out)\n");
#endif
#if LOGWOOD_HAS_ROCKSDB
  RocksSession rocks(folder / "rocks");
  appends.add("RocksDB sync, tail not compared", [&] { rocks.append(draft.text); });
#else
  fmt::print("(RocksDB is not installed here and left out)\n");
#endif

  for (Rounds rounds(100, 10, share_of_budget); rounds.next();) appends.run_round();
  const std::string kind = file_system_of(folder.path());
  fmt::print("{}:\n", kind);
  appends.contest().print("us", 1e6);
#if LOGWOOD_HAS_SQLITE
  verdict.at_least("SQLite with a growing log takes, on " + kind + ",",
                   appends.contest().ratio(sqlite, ours), 1, "x of ours");
#else
  static_cast<void>(ours);
  verdict.show("no SQLite on " + kind);
#endif
}

}  // namespace

int main(int count, char** arguments) {
  return measure_each_place({arguments + 1, arguments + count}, "durable append beside peers",
                            measure_in);
}
