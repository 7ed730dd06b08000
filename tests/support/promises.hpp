// What a store has told its callers about one session, and whether what is read back
// from it later keeps that word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "logwood/entry.hpp"

namespace logwood {

/// What the caller knows of something it asked for.
enum class Standing : std::uint8_t {
  none,       ///< not asked for
  attempted,  ///< no answer, or `durability_unknown`: it may be there or not
  refused,    ///< an answer that says: nothing was stored
  buffered,   ///< acknowledged, but not against power cuts
  durable,
};

/// What happened between the promise and the look.
enum class After : std::uint8_t {
  process_end,  ///< processes died, the page cache is as it was
  power_cut,
};

/// One append, with ids that say which: entry 2 of batch 7 is b7e2.
struct PromisedBatch {
  std::shared_ptr<const std::vector<Draft>> drafts;  // by every copy of the promises
  Standing standing = Standing::attempted;
  char actor = ' ';         ///< who appended it last
  std::uint32_t order = 0;  ///< of its acknowledgement as new; 0: none, so any place will do
  Standing erased = Standing::none;  ///< its first entry
};

/// A session that was forked, and what it has to hold if it is there.
struct PromisedFork {
  SessionId id;
  Standing standing = Standing::attempted;
  std::shared_ptr<const std::vector<Entry>> entries;  // of the path; by every copy
};

class Promises {
 public:
  Standing store = Standing::durable;
  Standing created = Standing::none;
  Standing removed = Standing::none;
  Standing migrated = Standing::none;
  Standing archived = Standing::none;
  bool began_unsealed = false;  ///< as version 0
  bool is_damaged = false;      ///< by somebody else, before it all began

  /// A new batch, attempted by nobody yet. Drafts differ in what they leave to the
  /// store, and some are marks.
  std::size_t add_batch(std::size_t entries);
  /// One whose first entry has a long string, as only it has.
  std::size_t add_long_batch(std::size_t entries);
  /// One that moves the head to this entry.
  std::size_t add_head(const EntryId& target);
  /// The long string of a batch that was added with one.
  [[nodiscard]] static std::string long_string(std::size_t batch);
  [[nodiscard]] const std::vector<PromisedBatch>& batches() const { return batches_; }
  [[nodiscard]] const std::vector<Draft>& drafts(std::size_t batch) const {
    return *batches_[batch].drafts;
  }

  void attempt(std::size_t batch, char actor);
  /// The erasure of its first entry is attempted, or durable.
  void erase(std::size_t batch, Standing standing);
  void refuse(std::size_t batch);
  /// A fork is attempted; its number for fork_made.
  std::size_t attempt_fork(std::vector<Entry> entries);
  void fork_made(std::size_t number) { forks_[number].standing = Standing::durable; }
  [[nodiscard]] const std::vector<PromisedFork>& forks() const { return forks_; }
  void acknowledge(std::size_t batch, Standing standing, bool replayed);
  /// Everything that is acknowledged is durable: a sync has succeeded after it.
  void make_durable();
  /// The same for what one actor appended.
  void make_durable(char actor);
  /// A power cut has taken what was only buffered, or not: nobody knows any more.
  void forget_buffered();
  /// Somebody else has damaged it: it is as if it had been attempted only.
  void give_up(std::size_t batch);
  /// The actor has ended: what it buffered is nobody's to flush or to lose.
  void leave_buffered(char actor);
  /// The actor was told that what it had buffered may be lost.
  void give_up_buffered(char actor);

  /// What is wrong with these entries of the session, header first; nothing when
  /// every promise is kept.
  [[nodiscard]] std::optional<std::string> broken_by(const std::vector<Entry>& entries,
                                                     After after) const;

  /// Equal for equal promises.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  [[nodiscard]] bool must_be_there(const PromisedBatch& batch, After after) const;

  std::size_t add(std::vector<Draft> drafts);

  std::vector<PromisedBatch> batches_;
  std::vector<PromisedFork> forks_;
  std::uint32_t last_order_ = 0;
};

/// The session all of this is about.
[[nodiscard]] const SessionId& promised_session();

/// A version 0 file of the session with a header and the batches added to
/// `promises`, one entry each.
[[nodiscard]] std::string unsealed_session(Promises& promises, std::size_t entries);

}  // namespace logwood
