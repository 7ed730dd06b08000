#include <algorithm>
#include <chrono>
#include <thread>

#include "logwood/store.hpp"
#include "support/process_storm.hpp"

namespace logwood {
namespace {

using std::chrono::milliseconds;

class Reader {
 public:
  Reader(const Storm& storm, std::uint32_t number, std::uint64_t seed)
      : storm_(storm), number_(number), random_(seed) {}

  int run() {
    auto store = Store::open(storm_.folder);
    if (!store) return fail(store.error().message);
    store_ = &*store;
    while (true) {
      const auto session = static_cast<std::uint32_t>(any_of(random_, 0, storm_sessions - 1));
      std::optional<std::string> wrong = read_forwards(session);
      if (!wrong) wrong = read_backwards(session);
      if (!wrong) wrong = find_some(session);
      if (wrong) return fail("session " + storm_.sessions[session].text + ": " + *wrong);
      ++*storm_.looks;
      std::this_thread::sleep_for(milliseconds(any_of(random_, 0, 20)));  // writers need a core too
    }
  }

 private:
  int fail(const std::string& what) const {
    return storm_.fail("reader " + std::to_string(number_), what);
  }

  // From the first entry to the last, and then what comes along meanwhile.
  std::optional<std::string> read_forwards(std::uint32_t session) {
    auto reader = store_->read(storm_.sessions[session], 100);
    if (!reader) return reader.error().message;
    LedgerReading reading(storm_.ledger, session);
    const std::uint64_t looks = any_of(random_, 1, 4);
    for (std::uint64_t look = 0; look < looks;) {
      auto page = reader->next();
      if (!page) return page.error().message;
      if (auto wrong = loss_among(page->problems)) return wrong;
      for (const Entry& entry : page->entries) {
        if (auto wrong = reading.take(entry)) return wrong;
      }
      if (page->has_more) continue;
      if (auto wrong = reading.at_end()) return wrong;
      if (auto wrong = compare_with_seen(session, reading.batches())) return wrong;
      ++look;
    }
    return std::nullopt;
  }

  std::optional<std::string> compare_with_seen(std::uint32_t session,
                                               const std::vector<BatchKey>& batches) {
    StormSeen& seen = storm_.seen_by(number_, session);
    if (batches.size() < seen.count) {
      return std::to_string(seen.count) + " batches were seen before, now there are " +
             std::to_string(batches.size());
    }
    for (std::uint32_t i = 0; i < seen.count; ++i) {
      if (batches[i] != seen.batches[i]) return "batches that were seen have changed their order";
    }
    for (std::size_t i = seen.count; i < batches.size(); ++i) {
      seen.batches[i] = batches[i];
      ++seen.count;  // only now: we may be killed between the two
    }
    return std::nullopt;
  }

  // The newest entries: they end with a whole batch, and go on from what was seen.
  std::optional<std::string> read_backwards(std::uint32_t session) {
    auto page = store_->load_last(storm_.sessions[session], any_of(random_, 1, 50));
    if (!page) return page.error().message;
    std::uint32_t next_place = 0;   // of the batch of the entry after it; 0: a new batch
    std::vector<BatchKey> batches;  // newest first
    for (const Entry& entry : page->entries) {
      if (kind_of(entry.type) == EntryKind::header || is_besides(entry)) continue;
      if (!has_its_content(storm_.ledger, entry)) {
        return "entry " + entry.id.text + " at the end is not what was appended";
      }
      const EntryPlaceInBatch at = *place_of(entry.id.text);
      const bool last_of_batch = at.place == storm_.ledger[at.batch].entry_count;
      const bool continues = next_place > 1 && at.batch == batches.back();
      if (continues ? at.place + 1 != next_place : !last_of_batch || next_place > 1) {
        return "the batch of entry " + entry.id.text + " is not whole at the end";
      }
      if (!continues) batches.push_back(at.batch);
      next_place = at.place;
    }
    const StormSeen& seen = storm_.seen_by(number_, session);
    if (seen.count == 0) return std::nullopt;
    auto known = std::find(batches.begin(), batches.end(), seen.batches[seen.count - 1]);
    for (std::uint32_t i = seen.count; known != batches.end() && i > 0; ++known) {
      if (*known != seen.batches[--i]) return "the end has another order than was seen";
    }
    return std::nullopt;
  }

  // Some batches that a writer was told are stored.
  std::optional<std::string> find_some(std::uint32_t session) {
    for (int attempt = 0; attempt < 5; ++attempt) {
      const auto writer = static_cast<std::uint32_t>(any_of(random_, 0, storm_writers - 1));
      const std::uint32_t count = storm_.ledger.count(writer);
      if (count == 0) continue;
      const BatchKey key{writer, static_cast<std::uint32_t>(any_of(random_, 0, count - 1))};
      const LedgerBatch& batch = storm_.ledger[key];
      if (batch.session != session || batch.answer != Answer::acknowledged) continue;
      const auto place = any_of(random_, 1, batch.entry_count);
      const EntryId id = id_in_batch(key, static_cast<std::uint32_t>(place));
      auto found = store_->find(storm_.sessions[session], id);
      if (!found) return "find " + id.text + ": " + found.error().message;
      if (!has_its_content(storm_.ledger, *found)) return "find " + id.text + ": other content";
    }
    return std::nullopt;
  }

  const Storm& storm_;
  std::uint32_t number_;
  StormRandom random_;
  Store* store_ = nullptr;
};

}  // namespace

int run_storm_reader(const Storm& storm, std::uint32_t number, std::uint64_t seed) {
  return Reader(storm, number, seed).run();
}

}  // namespace logwood
