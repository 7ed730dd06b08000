// How many syncs buffered appends save. Counted where every call to the disk passes,
// io::FileSystem.
#include <functional>

#include "io/real_files.hpp"
#include "measure.hpp"
#include "plain_entry.hpp"
#include "storage/backend.hpp"
#include "storage/jsonl/backend.hpp"
#include "support/faulty_files.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

// Syncs of 100 appends and the close that makes the last of them durable.
std::uint64_t syncs_of_100(Durability durability) {
  const TemporaryFolder folder;
  auto counted = std::make_shared<io::FaultPlan>();  // owners: this function and the file system
  storage::jsonl::Options options;
  options.create = storage::jsonl::CreateStore::if_missing;
  options.writer.now = [] { return std::chrono::system_clock::now(); };
  auto store = must(storage::jsonl::open(
      io::with_faults(must(io::open_folder(folder / "store", {.create = true})), counted),
      options));
  const SessionId session = must(store->create({})).id;
  const Draft draft = plain_draft(1024);
  // The first append through a file settles what it finds there; that is not what is counted.
  must(store->append(session, {&draft, 1}, {}));

  const std::uint64_t before = counted->calls(io::Operation::sync);
  for (int i = 0; i < 100; ++i) {
    must(store->append(session, {&draft, 1}, {.durability = durability}));
  }
  must(store->close(session));
  return counted->calls(io::Operation::sync) - before;
}

}  // namespace

int main() {
  const std::uint64_t synced = syncs_of_100(Durability::synced);
  const std::uint64_t buffered = syncs_of_100(Durability::buffered);
  Verdict verdict("syncs saved");
  verdict.show(
      fmt::format("{} for 100 synced appends, {} for 100 buffered ones", synced, buffered));
  verdict.at_least("fewer by", static_cast<double>(synced) / static_cast<double>(buffered), 10);
  return verdict.finish();
}
