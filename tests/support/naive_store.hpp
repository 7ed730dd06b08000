// What a store is, said as plainly as possible: vectors that are searched from
// the front. It shares no code with the library (not even the JSON of an entry
// is read: a draft is built from its parts), so that the two can be compared.
//
// It also knows what lies in a session file, line by line, so that it can say
// which problems a reader must report and where.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "logwood/append.hpp"
#include "logwood/error.hpp"
#include "logwood/report.hpp"

namespace logwood::naive {

/// A draft by its parts, and the text made of them.
struct NaiveDraft {
  enum class Place : std::uint8_t { tree, mark, head_mark };
  enum class ParentGiven : std::uint8_t { no, null, entry };

  bool valid = true;    ///< else the store must refuse it, whatever the session is
  std::string text;     ///< as handed to the store
  std::string members;  ///< what stands between the braces, line breaks replaced
  Place place = Place::tree;
  std::string type;
  std::optional<std::string> id;
  ParentGiven parent_given = ParentGiven::no;
  std::string parent;
  std::optional<std::string> timestamp;
  std::optional<std::string> target;  ///< of a head mark; nothing: before the first entry
};

struct NaiveEntry {
  std::string id;
  std::optional<std::string> parent;
  std::string type;
  std::string timestamp;
  std::string text;
  std::uint64_t seq = 0;
  enum class Place : std::uint8_t { header, tree, mark, head_mark } place = Place::tree;
  std::optional<std::string> target;
};

/// What lies in the file, in order.
struct NaivePiece {
  enum class Kind : std::uint8_t { batch, foreign, blank, damaged, nul, repeated };
  Kind kind = Kind::batch;
  std::uint64_t lines = 1;
  std::uint64_t size_bytes = 0;
  std::uint64_t first_seq = 0;  ///< of a batch, or of a repeated line
  std::uint64_t last_seq = 0;
};

struct NaiveSession {
  std::string id;
  std::string key;
  std::string created;
  bool sealed = true;  ///< false: version 0
  std::vector<NaiveEntry> entries;
  std::vector<NaivePiece> pieces;
  std::string unended;         ///< bytes behind the last LF: no line, and never will be
  bool lost_line_end = false;  ///< the last LF is gone; a line of the last batch is last

  [[nodiscard]] const NaiveEntry* find(const std::string& id) const;
  [[nodiscard]] std::optional<std::string> tail() const;
  [[nodiscard]] std::optional<std::string> head() const;
  /// From the newest to the oldest.
  [[nodiscard]] std::vector<NaiveEntry> newest(bool along_path) const;

  [[nodiscard]] std::uint64_t next_seq() const;
  [[nodiscard]] std::uint64_t size_bytes() const;  ///< with `unended`
  /// Bytes at the end that the next writer moves to quarantine: zeros and `unended`.
  [[nodiscard]] std::uint64_t torn_bytes() const;
  void cut_torn_end();
  /// What a reader must report.
  [[nodiscard]] std::vector<Problem> problems() const;

  void add_batch(std::vector<NaiveEntry> batch);
  /// Takes the last batch out of the file, and all that lies behind it. Not the header.
  void drop_last_batch();
};

/// What an append must answer.
struct Expectation {
  std::optional<ErrorCode> error;
  bool replayed = false;
};

class NaiveStore {
 public:
  [[nodiscard]] NaiveSession* find(const std::string& id);
  [[nodiscard]] const std::vector<NaiveSession>& sessions() const { return sessions_; }

  NaiveSession& create(const std::string& id, const std::string& key, const std::string& created);
  void put(NaiveSession session) { sessions_.push_back(std::move(session)); }
  void remove(const std::string& id);
  /// The newest session of a key by its time, then by its id.
  [[nodiscard]] NaiveSession* newest_of_key(const std::string& key);

  [[nodiscard]] Expectation expect(const std::string& session,
                                   const std::vector<NaiveDraft>& drafts,
                                   const AppendOptions& options);

  /// Carries out an append that was expected to succeed anew; `ids` names each entry.
  void append(const std::string& session, const std::vector<NaiveDraft>& drafts,
              const std::vector<std::string>& ids, const std::string& timestamp);

  /// The id an operation gave to a draft without one; learnt from the store.
  [[nodiscard]] const std::string* derived(const std::string& session, const std::string& operation,
                                           std::size_t place) const;
  void learn(const std::string& session, const std::string& operation, std::size_t place,
             const std::string& id);

 private:
  std::vector<NaiveSession> sessions_;
  std::map<std::pair<std::string, std::size_t>, std::string> derived_;
};

/// The entry's text, given its draft and what is stamped.
[[nodiscard]] std::string stamped(const NaiveDraft& draft, const std::string& id,
                                  const std::optional<std::string>& parent,
                                  const std::string& timestamp);

/// The line of an entry in a sealed file, LF included.
[[nodiscard]] std::uint64_t sealed_size(const NaiveEntry& entry, std::size_t place,
                                        std::size_t count);

}  // namespace logwood::naive
