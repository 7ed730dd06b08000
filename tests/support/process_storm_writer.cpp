#include <algorithm>
#include <filesystem>
#include <thread>

#include "logwood/store.hpp"
#include "support/process_storm.hpp"

namespace logwood {
namespace {

// A session that has grown to this gets small batches only: a writer that is
// started again reads it all, and the storm should be about something else.
constexpr std::uint64_t big_batches_until_bytes = 48U << 20U;

struct BatchShape {
  std::uint32_t entry_count = 1;
  std::uint32_t entry_size_bytes = 100;
};

BatchShape any_shape(StormRandom& random, bool may_be_big) {
  const auto shape = [&](std::uint64_t entries_max, std::uint64_t least, std::uint64_t most) {
    return BatchShape{static_cast<std::uint32_t>(any_of(random, 1, entries_max)),
                      static_cast<std::uint32_t>(any_of(random, least, most))};
  };
  const std::uint64_t draw = any_of(random, 1, 100);
  if (draw <= 70 || (!may_be_big && draw > 85)) return shape(3, 100, 2000);
  if (draw <= 85) return shape(8, 1000, 64U << 10U);
  if (draw <= 95) return shape(4, 256U << 10U, 2U << 20U);
  return {3, (32U << 20U) / 3};
}

class Writer {
 public:
  Writer(Storm& storm, std::uint32_t number, std::uint64_t seed)
      : storm_(storm), number_(number), random_(seed) {}

  int run() {
    StoreOptions options;
    // The store asks for the time when it has the lock: the only sign of it from outside.
    options.now = [this] {
      if (asking_ && std::this_thread::get_id() == thread_) {
        note(LockEvent::got);
        storm_.holds_lock[number_] = true;
      }
      return std::chrono::system_clock::now();
    };
    auto store = Store::open(storm_.folder, options);
    if (!store) return fail(store.error().message);
    store_ = &*store;
    if (!finish_what_was_begun()) return 1;
    while (append_something()) {
    }
    return 1;
  }

 private:
  int fail(const std::string& what) const {
    return storm_.fail("writer " + std::to_string(number_), what);
  }
  void note(LockEvent event) const { storm_.lock_times.add(event, number_, session_); }

  // The batch that was being appended when the writer was killed may be appended
  // again, or be left in doubt for ever.
  bool finish_what_was_begun() {
    const std::uint32_t count = storm_.ledger.count(number_);
    if (count == 0) return true;
    const BatchKey last{number_, count - 1};
    if (storm_.ledger[last].answer != Answer::none || one_in(random_, 3)) return true;
    return append(last, {});
  }

  // A batch of this writer that is there, from early on or any.
  std::optional<BatchKey> any_acknowledged(std::uint32_t among_first) {
    const std::uint32_t count = std::min(storm_.ledger.count(number_), among_first);
    if (count == 0) return std::nullopt;
    const BatchKey key{number_, static_cast<std::uint32_t>(any_of(random_, 0, count - 1))};
    if (storm_.ledger[key].answer != Answer::acknowledged) return std::nullopt;
    return key;
  }

  // Takes the lock of a session, and notes that.
  template <class Work>
  auto locking(std::uint32_t session, const Work& work) {
    session_ = session;
    note(LockEvent::asked);
    asking_ = true;
    auto result = work();
    asking_ = false;
    storm_.holds_lock[number_] = false;
    note(LockEvent::let_go);
    return result;
  }

  bool move_head() {
    const auto key = any_acknowledged(UINT32_MAX);
    if (!key) return true;
    const std::uint32_t session = storm_.ledger[*key].session;
    const auto moved = locking(
        session, [&] { return store_->move_head(storm_.sessions[session], id_in_batch(*key, 1)); });
    if (!moved) return fail("move_head: " + moved.error().message) == 0;
    ++*storm_.head_moves;
    return true;
  }

  bool erase() {
    const auto key = any_acknowledged(UINT32_MAX);
    if (!key) return true;
    LedgerBatch& batch = storm_.ledger[*key];
    if (batch.erased == Erased::no) batch.erased = Erased::attempted;
    const auto erased = locking(batch.session, [&] {
      return store_->erase(storm_.sessions[batch.session], {id_in_batch(*key, 1)});
    });
    if (!erased) return fail("erase: " + erased.error().message) == 0;
    batch.erased = Erased::yes;
    return true;
  }

  // An early entry, so that the path is short.
  bool fork() {
    const auto key = any_acknowledged(3);
    StormForks& forks = storm_.forks[number_];
    if (!key || forks.begun == StormForks::forks_max) return true;
    const std::uint32_t number = forks.begun++;
    const auto forked = store_->fork(storm_.sessions[storm_.ledger[*key].session],
                                     id_in_batch(*key, 1), {.id = StormForks::id(number_, number)});
    if (!forked) return fail("fork: " + forked.error().message) == 0;
    forks.made[number] = true;
    return true;
  }

  bool append_something() {
    if (one_in(random_, 30) && !move_head()) return false;
    if (one_in(random_, 40) && !erase()) return false;
    if (one_in(random_, 60) && !fork()) return false;
    if (one_in(random_, 20)) {
      const SessionId& session = storm_.sessions[any_of(random_, 0, storm_sessions - 1)];
      auto done = one_in(random_, 2) ? store_->flush(session) : store_->close(session);
      if (!done) return fail(done.error().message) == 0;
    }
    const auto session = static_cast<std::uint32_t>(any_of(random_, 0, storm_sessions - 1));
    std::error_code unknown;
    const auto size = std::filesystem::file_size(
        storm_.folder + "/sessions/" + storm_.sessions[session].text + ".jsonl", unknown);
    const BatchShape shape = any_shape(random_, !unknown && size < big_batches_until_bytes);

    AppendOptions options;
    if (one_in(random_, 2)) options.durability = Durability::buffered;
    if (one_in(random_, 3)) {
      auto status = store_->status(storm_.sessions[session]);
      if (!status) return fail("status: " + status.error().message) == 0;
      options.expected_tail = ExpectedTail{status->tail};
    }
    const auto key =
        storm_.ledger.intend(number_, session, shape.entry_count, shape.entry_size_bytes);
    if (!key) return fail("the ledger is full") == 0;
    return append(*key, options);
  }

  bool append(const BatchKey& key, const AppendOptions& options) {
    LedgerBatch& batch = storm_.ledger[key];
    const std::vector<Draft> drafts = storm_.ledger.drafts(key);
    const auto appended = locking(batch.session, [&] {
      return store_->append(storm_.sessions[batch.session], drafts, options);
    });
    if (appended) {
      batch.answer = Answer::acknowledged;
      return true;
    }
    if (appended.error().code != ErrorCode::conflict || !options.expected_tail) {
      return fail("append: " + std::string(name_of(appended.error().code)) + ": " +
                  appended.error().message) == 0;
    }
    batch.answer = Answer::refused;
    return true;
  }

  Storm& storm_;
  std::uint32_t number_;
  StormRandom random_;
  Store* store_ = nullptr;
  std::thread::id thread_ = std::this_thread::get_id();
  std::uint32_t session_ = 0;
  bool asking_ = false;
};

}  // namespace

int run_storm_writer(Storm& storm, std::uint32_t number, std::uint64_t seed) {
  return Writer(storm, number, seed).run();
}

}  // namespace logwood
