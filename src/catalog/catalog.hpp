// The catalog: summaries of sessions and their text, in SQLite. It is derived from the sessions, so
// deleting it loses nothing, and it is fed by storage, so it reads no session itself.
//
// Several processes may use one catalog. Who changes something looks it up in the same transaction.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sqlite.hpp"
#include "catalog/indexed_text.hpp"
#include "catalog/summary_builder.hpp"
#include "logwood/catalog.hpp"
#include "model/search_query.hpp"

namespace logwood::catalog {

/// What a session looked like from outside when it was read.
struct Stamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const Stamp&) const = default;

  [[nodiscard]] bool is_same_file(const Stamp& other) const {
    return device == other.device && inode == other.inode;
  }
};

/// A folder, or a file beside sessions, that changes when there is another session.
struct Watched {
  std::string path;
  Stamp stamp;  ///< empty: it was not there
  bool operator==(const Watched&) const = default;
};

/// A look at all sessions.
struct Look {
  std::int64_t at_ns = 0;
  std::string places;  ///< at which it was taken
  std::vector<Watched> watched;
};

/// How a session is known here.
struct Known {
  std::int64_t row = 0;
  std::string id;
  std::string place;  ///< where it lies, if that can be looked at by itself
  Stamp stamp;
  /// It was read so soon after it changed that another change could look the same.
  bool is_racy = false;
  bool has_all_text = false;  ///< up to this stamp
  bool is_brief = false;      ///< only what `Brief` has is known of it
};

/// Where the next reading of a session begins: in the words of whoever reads it.
struct Positions {
  std::string summary;
  std::string text;
};

class Catalog {
 public:
  /// An empty path: in memory. A catalog that is damaged or of another version is emptied.
  static Result<Catalog> open(const std::string& path, std::chrono::milliseconds patience);

  /// Leaves nothing of what is in the file, whatever state that is in and whoever has it open; or
  /// fails, and something may be left.
  static Result<> empty(const std::string& path, std::chrono::milliseconds patience);

  /// Whether the tables are still there: somebody else may have emptied it.
  bool is_prepared();

  Result<std::vector<Known>> known();

  /// One session with what is needed to go on; nothing when it is not known.
  struct Session {
    Known known;
    Positions positions;
    SoFar so_far;
  };
  Result<std::optional<Session>> find(const std::string& id);

  /// What was read of a session since it was last known. Within a transaction that looked it up.
  struct Update {
    bool from_start = false;  ///< nothing of what was known of it stays
    std::string until;
    std::string place;
    Stamp stamp;
    bool is_racy = false;
    SoFar so_far;
    std::vector<Activity> activity;
  };
  Result<> update(const Update& update);

  /// What is known of a session before it is read: enough to find its place in a list.
  struct Brief {
    const SessionHeader& header;
    std::string_view last_active;
    std::string_view header_text;  ///< empty: it is not shown before it is read
    std::string_view title;        ///< likewise
    std::string_view place;
    Stamp stamp;
    bool is_racy = false;
  };
  /// Of one that is not known, or not better.
  Result<> put_brief(const Brief& brief);

  /// A stamp that changed although nothing was added.
  Result<> restamp(const std::string& id, std::string_view place, const Stamp& stamp, bool is_racy);

  Result<> remove(const std::string& id);

  /// The last look that found nothing which is not known here; nothing: there was none.
  Result<std::optional<Look>> last_look();
  Result<> put_look(const Look& look);
  Result<> forget_look();
  /// Of those that were active last.
  Result<std::vector<Known>> known_of_newest(std::size_t count);

  /// Several changes as one.
  Result<SqlTransaction> begin() { return SqlTransaction::begin(database_); }

  /// Adds the text of an entry of a session, after the calls that it may answer. Within a
  /// transaction, as all that changes text.
  Result<> add_text(std::int64_t row, std::string_view entry_id, const IndexedText& text);
  Result<> add_calls(std::int64_t row, const std::vector<NamedCall>& calls);
  Result<> set_text_position(std::int64_t row, const std::string& until, bool has_all);
  /// The newest text of a session, for drop_text_after; 0: it has none.
  Result<std::int64_t> last_text(std::int64_t row);
  /// Takes away what was added since.
  Result<> drop_text_after(std::int64_t row, std::int64_t last);

  /// From here on sessions are left out of lists and totals that the catalog at `path` has as well
  /// and would tell, if they were active there later; and as late, where it comes first. Where it
  /// does, entries that it has are left out of searches.
  void set_beside(std::string path, bool comes_first);

  Result<SummaryPage> summaries(const SummaryQuery& query);
  Result<SearchPage> search(const SearchQuery& query, const SearchOptions& options);
  Result<StoreTotals> totals();

  /// What was taken away lies in older parts of the index until they are merged, and then in free
  /// pages until the file is written anew: both, so that none of its bytes are left. The first
  /// within the transaction that took it away, the second after it.
  Result<> merge_words();
  Result<> write_anew();

 private:
  class Beside;
  template <class Ask>
  auto ask_beside(const Ask& ask) -> decltype(ask());
  Result<SummaryPage> ask_summaries(const SummaryQuery& query);
  Result<SearchPage> ask_search(const SearchQuery& query, const SearchOptions& options);
  Result<StoreTotals> ask_totals();
  explicit Catalog(SqlDatabase database) : database_(std::move(database)) {}
  Result<> prepare_database(bool in_memory);
  Result<std::int64_t> version();
  Result<SqlStatement*> statement(std::string_view sql);
  Result<> put_parts(std::int64_t row, const Update& update);
  Result<> drop_parts(std::int64_t row);
  Result<> drop_text(std::int64_t row);
  Result<> read_tags_and_tools(std::int64_t row, SessionSummary& summary);
  Result<std::string> tool_of(std::int64_t row, const IndexedText& text);
  Result<> free_from_log();

  SqlDatabase database_;
  std::string beside_;  // the path of the other catalog; empty: there is none
  bool beside_comes_first_ = false;
  std::deque<std::pair<std::string_view, SqlStatement>> statements_;  // prepared once
};

}  // namespace logwood::catalog
