#include "support/aftermath.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "io/file_system.hpp"
#include "model/head_mark.hpp"
#include "storage/jsonl/archived_file.hpp"
#include "support/repeatable_random.hpp"

namespace logwood {
namespace {

using storage::StorageBackend;
using Broken = std::optional<std::string>;

// What failed, as a violation.
template <class T>
Broken failure_of(std::string_view what, const Result<T>& result) {
  if (result) return std::nullopt;
  return fmt::format("{} fails: {}: {}", what, name_of(result.error().code),
                     result.error().message);
}

std::string ids_of(const std::vector<Entry>& entries) {
  std::string ids = "[";
  for (const Entry& entry : entries) ids += " " + entry.id.text + (entry.flagged ? "?" : "");
  return ids + " ]";
}

// Whether reading backwards tells the same as `entries`, which were read forwards.
Broken backwards_differs(StorageBackend& store, const std::vector<Entry>& entries,
                         std::size_t limit) {
  const auto last = store.read_last(promised_session(), limit, Along::append_order);
  if (const auto failed = failure_of("reading backwards", last)) return failed;
  const std::size_t expected = std::min(limit, entries.size());
  const bool same = last->entries.size() == expected &&
                    std::equal(last->entries.begin(), last->entries.end(), entries.rbegin());
  if (!same) {
    return fmt::format("the last {} entries are {} forwards and {} backwards", limit,
                       ids_of(entries), ids_of(last->entries));
  }
  if (last->has_more != (entries.size() > limit)) return "has_more is wrong backwards";
  return std::nullopt;
}

Broken tail_differs(StorageBackend& store, const std::vector<Entry>& entries) {
  const auto status = store.status(promised_session());
  if (const auto failed = failure_of("status", status)) return failed;
  const auto last = std::find_if(entries.rbegin(), entries.rend(), [](const Entry& entry) {
    return !entry.flagged && (kind_of(entry.type) == EntryKind::tree || entry.type == "head");
  });
  const std::optional<EntryId> tail =
      last == entries.rend() ? std::nullopt : std::optional(last->id);
  if (status->tail != tail) return "the tail is not the last entry";
  std::optional<EntryId> head;
  for (const Entry& entry : entries) {
    if (entry.flagged) continue;
    if (kind_of(entry.type) == EntryKind::tree) head = entry.id;
    if (const auto target = entry.type == "head" ? head_target(entry.text) : std::nullopt) {
      head = *target;
    }
  }
  if (status->head != head) return "the head is not where it was moved to";
  return std::nullopt;
}

bool can_come_from_a_crash(const Problem& problem) {
  switch (problem.kind) {
    case ProblemKind::missing:
      return problem.cause != GapCause::corruption;
    case ProblemKind::nul:
    case ProblemKind::damaged:
    case ProblemKind::line_end:
    case ProblemKind::blank:
    case ProblemKind::foreign:
    case ProblemKind::part:
      return true;
    default:
      return false;
  }
}

bool is_removed_session(const std::string& name) {
  return name.starts_with("trash/") && (name.ends_with(".jsonl") || name.ends_with(".jsonl.zst"));
}

class Aftermath {
 public:
  Aftermath(io::SimulatedDisk disk, const Promises& promises, const AftermathOptions& options)
      : options_(options), machine_(std::move(disk), promises), choices_(options.seed) {
    if (options.after == After::power_cut) machine_.promises().forget_buffered();
    if (options.on_change) {
      machine_.observe([this](std::string_view operation, std::string_view) {
        options_.on_change(machine_, operation);
      });
    }
  }

  Broken run() {
    for (const auto part : {&Aftermath::find_session, &Aftermath::look, &Aftermath::look_at_forks,
                            &Aftermath::migrate, &Aftermath::append_everything,
                            &Aftermath::look_again, &Aftermath::check_durable}) {
      if (const Broken broken = (this->*part)()) return broken;
      if (!machine_.complaints().empty()) return machine_.complaints().front();
    }
    return std::nullopt;
  }

 private:
  Promises& promises() { return machine_.promises(); }
  bool holds(const std::string& name) { return machine_.disk().content(name).has_value(); }

  Broken find_session() {
    if (promises().store == Standing::durable && !holds("logwood.json")) {
      return "I1: the store is gone";
    }
    if (const auto failed = failure_of("opening the store", machine_.store('Y'))) return failed;
    promises().store = Standing::durable;
    if (promises().removed != Standing::none) {
      if (const Broken broken = restore_removed()) return broken;
    }
    if (const Broken broken = bring_back()) return broken;
    if (holds(promised_file())) {
      if (promises().created == Standing::none) return "I3: nobody created the session";
      promises().created = Standing::durable;
      return std::nullopt;
    }
    if (promises().created == Standing::durable) return "I1: the session is gone";
    return failure_of("creating the session", machine_.create('Z'));
  }

  // A session that is being removed is in its place or in the trash, whole. There it
  // is put back from, so that the rest can be asked of it as of any other.
  Broken restore_removed() {
    const bool trashed = std::ranges::any_of(machine_.disk().file_names(), is_removed_session);
    if (holds(promised_file()) || holds(promised_archive())) {
      if (promises().removed == Standing::durable) return "a removed session is back";
      if (trashed) return "a session is in its place and in the trash";
      // Until something is acknowledged there, a power cut may put it back into the trash.
      return std::nullopt;
    }
    if (!trashed) return "I1: a removed session is not in the trash";
    promises().removed = Standing::attempted;  // to be back
    const auto restored = (*machine_.store('Z'))->restore(promised_session());
    promises().removed = Standing::none;
    return failure_of("restoring from the trash", restored);
  }

  // An archived session is read in place, and then brought back.
  Broken bring_back() {
    if (holds(promised_file())) {
      if (promises().archived == Standing::durable) return "an archived session is so no more";
      if (!holds(promised_archive())) return std::nullopt;
      if (promises().archived == Standing::none) return "an archive is left beside the session";
      if (choices_.below(2) == 0) return std::nullopt;
    } else {
      if (!holds(promised_archive())) return std::nullopt;
      if (promises().archived == Standing::none) return "nobody archived the session";
      const auto page = machine_.load('Y');
      if (const auto failed = failure_of("reading an archive", page)) return failed;
      if (const auto broken = promises().broken_by(page->entries, options_.after)) return broken;
    }
    promises().archived = Standing::attempted;  // to be so no more
    const auto back = (*machine_.store('Z'))->unarchive(promised_session());
    if (const auto failed = failure_of("bringing the session back", back)) return failed;
    promises().archived = Standing::none;
    if (holds(promised_archive())) return "an archive is left beside the session";
    return std::nullopt;
  }

  Broken look() {
    auto page = machine_.load('Y');
    if (const auto failed = failure_of("reading", page)) return failed;
    if (const auto broken = promises().broken_by(page->entries, options_.after)) return broken;
    if (const Broken broken = find_erased_bytes()) return broken;
    before_ = std::move(page->entries);
    return look_closely(before_);
  }

  // A fork is there as a whole, or not at all.
  Broken look_at_forks() {
    StorageBackend& store = **machine_.store('Y');
    for (const PromisedFork& fork : promises().forks()) {
      const auto page = store.read(fork.id, {}, SIZE_MAX);
      if (!page && page.error().code == ErrorCode::not_found) {
        if (fork.standing != Standing::durable) continue;
        return "I1: " + fork.id.text + " was made and is gone";
      }
      if (const auto failed = failure_of("reading a fork", page)) return failed;
      if (!page->page.problems.empty()) return "a fork is damaged";
      const std::vector<Entry>& found = page->page.entries;
      bool same = found.size() == fork.entries->size() + 1;
      for (std::size_t i = 0; same && i < fork.entries->size(); ++i) {
        const Entry& copied = (*fork.entries)[i];
        same = found[i + 1].id == copied.id && (copied.erased || found[i + 1].text == copied.text);
      }
      if (!same) return fmt::format("{} holds {}", fork.id.text, ids_of(found));
    }
    return std::nullopt;
  }

  // No byte of what was erased is left in the session's file, or beside it.
  Broken find_erased_bytes() {
    const std::vector<PromisedBatch>& batches = promises().batches();
    for (std::size_t number = 0; number < batches.size(); ++number) {
      if (batches[number].erased != Standing::durable) continue;
      const std::string_view members =
          std::string_view(promises().drafts(number)[0].text).substr(1);
      if (machine_.disk().content(promised_file())->find(members) != std::string::npos ||
          unpacked_archive().find(members) != std::string::npos) {
        return fmt::format("bytes of b{}e0 are left, which was erased", number);
      }
      for (const std::string& name : machine_.disk().file_names()) {
        if (name.starts_with(promised_blobs() + "/") &&
            *machine_.disk().content(name) == Promises::long_string(number)) {
          return fmt::format("the blob of b{}e0 is left, which was erased", number);
        }
      }
    }
    return std::nullopt;
  }

  // The content of an archive that is there beside the session file.
  std::string unpacked_archive() {
    const auto process = machine_.disk().start_process();
    auto file = process->open(promised_archive(), io::Access::read);
    if (!file) return "";
    const auto archive = storage::jsonl::open_archive(*std::move(file), promised_archive());
    if (!archive) return "";
    std::string bytes((*archive)->status()->size_bytes, ' ');
    return (*archive)->read_at(0, bytes) ? bytes : "";
  }

  // The seed chooses, since all of it for every state would cost more states.
  Broken look_closely(const std::vector<Entry>& entries) {
    StorageBackend& store = **machine_.store('Y');
    const std::size_t limit = choices_.below(2) == 0 ? 1000 : 1 + choices_.below(4);
    if (const Broken broken = backwards_differs(store, entries, limit)) return broken;
    return choices_.below(4) == 0 ? tail_differs(store, entries) : std::nullopt;
  }

  Broken migrate() {
    if (!promises().began_unsealed) return std::nullopt;
    const bool is_sealed = before_.front().text.find("\"version\":1") != std::string::npos;
    if (promises().migrated == Standing::durable && !is_sealed) return "a migration is undone";
    return failure_of("migrating", machine_.migrate('Z'));
  }

  // Something new, and every batch once more, in an order that the seed chooses.
  Broken append_everything() {
    const std::size_t known = promises().batches().size();
    const bool new_first = choices_.below(2) == 0;
    if (new_first) {
      if (const Broken broken = append_new()) return broken;
    }
    if (const Broken broken = append_acknowledged(known)) return broken;
    const std::size_t turn = choices_.below(known + 1);
    for (std::size_t i = 0; i < known; ++i) {
      const std::size_t batch = (i + turn) % known;
      if (promises().batches()[batch].standing == Standing::durable) continue;
      if (const auto failed = failure_of("I8: appending again", machine_.append('Z', batch))) {
        return failed;
      }
    }
    return new_first ? std::nullopt : append_new();
  }

  Broken append_new() {
    const std::size_t batch = promises().add_batch(1 + choices_.below(2));
    const auto appended = machine_.append('Z', batch);
    if (const auto failed = failure_of("I5: the next append", appended)) return failed;
    if (appended->replayed) return "I5: the next append is said to be there already";
    return std::nullopt;
  }

  Broken append_acknowledged(std::size_t known) {
    const auto size = [&] { return machine_.disk().content(promised_file())->size(); };
    std::optional<std::size_t> settled;  // after the first append has recovered the file
    for (std::size_t batch = 0; batch < known; ++batch) {
      if (promises().batches()[batch].standing != Standing::durable) continue;
      const auto appended = machine_.append('Z', batch);
      if (const auto failed = failure_of("I8: appending again", appended)) return failed;
      if (!appended->replayed) return fmt::format("I8: batch {} is stored once more", batch);
      if (settled && *settled != size()) return "I8: an append of what is known adds bytes";
      settled = size();
    }
    return std::nullopt;
  }

  Broken look_again() {
    const auto page = machine_.load('Y');
    if (const auto failed = failure_of("reading after recovery", page)) return failed;
    const std::vector<Entry>& entries = page->entries;
    // By now everything was acknowledged, so everything must be there.
    if (const auto broken = promises().broken_by(entries, After::power_cut)) {
      return "after recovery: " + *broken;
    }
    if (const Broken broken = grew(entries)) return broken;
    if (const Broken broken = unexplained(page->problems)) return broken;
    if (const Broken broken = look_closely(entries)) return "after recovery: " + *broken;
    StorageBackend& store = **machine_.store('Y');
    const Entry& any = entries[choices_.below(entries.size())];
    if (!any.flagged && choices_.below(4) == 0) {
      const auto found = store.find(promised_session(), any.id);
      if (const auto failed = failure_of("finding an entry", found)) return failed;
      if (*found != any) return "an entry that is found is another";
    }
    return choices_.below(4) == 0 ? verify(store, entries) : std::nullopt;
  }

  // I6 across recovery: what a reader saw is still there, and in front.
  [[nodiscard]] Broken grew(const std::vector<Entry>& entries) const {
    auto now = entries.begin();
    for (const Entry& entry : before_) {
      if (entry.flagged || kind_of(entry.type) == EntryKind::header) continue;
      now = std::find_if(now, entries.end(), [&](const Entry& e) { return e.id == entry.id; });
      if (now == entries.end()) return fmt::format("I6: {} was read and is gone", entry.id.text);
    }
    return std::nullopt;
  }

  Broken unexplained(const std::vector<Problem>& problems) {
    if (promises().is_damaged) return std::nullopt;
    const auto found = std::ranges::find_if_not(problems, can_come_from_a_crash);
    if (found == problems.end()) return std::nullopt;
    return "after recovery there is what no crash can cause: " + describe(*found);
  }

  Broken verify(StorageBackend& store, const std::vector<Entry>& entries) {
    const auto report = store.verify(promised_session());
    if (const auto failed = failure_of("verify", report)) return failed;
    if (report->entries != entries.size()) return "verify counts other entries";
    return unexplained(report->problems);
  }

  Broken check_durable() {
    if (options_.disk_lies) return std::nullopt;
    const io::SimulatedDisk cut = machine_.disk().without_unsynced();
    if (cut.content(promised_file()) != machine_.disk().content(promised_file())) {
      return "I1: what was acknowledged after recovery is not on the disk";
    }
    for (const std::string& name : machine_.disk().file_names()) {
      if (!name.starts_with(promised_blobs() + "/") || name.ends_with(".new")) continue;
      if (cut.content(name) != machine_.disk().content(name)) {
        return "I1: a blob is not on the disk";
      }
    }
    return std::nullopt;
  }

  const AftermathOptions& options_;
  ScriptedMachine machine_;  // Y reads, Z writes
  Choices choices_;
  std::vector<Entry> before_;
};

}  // namespace

const std::string& promised_file() {
  static const std::string name = "sessions/" + promised_session().text + ".jsonl";
  return name;
}

const std::string& promised_archive() {
  static const std::string name = "archive/" + promised_session().text + ".jsonl.zst";
  return name;
}

const std::string& promised_blobs() {
  static const std::string name = "blobs/" + promised_session().text;
  return name;
}

const std::string& promised_index() {
  static const std::string name = "index/" + promised_session().text;
  return name;
}

Broken broken_promise(io::SimulatedDisk disk, const Promises& promises,
                      const AftermathOptions& options) {
  return Aftermath(std::move(disk), promises, options).run();
}

namespace {

bool is_in_quarantine(const io::SimulatedDisk& disk, const std::string& bytes) {
  return std::ranges::any_of(disk.file_names(), [&](const std::string& name) {
    return name.starts_with("quarantine/") && disk.content(name) == bytes;
  });
}

}  // namespace

Broken broken_by_recovering_twice(const io::SimulatedDisk& disk, const Promises& promises) {
  ScriptedMachine machine(disk, promises);
  if (!machine.disk().content(promised_file())) return std::nullopt;
  AppendOptions options;
  options.expected_tail = ExpectedTail{EntryId{"nobody"}};
  const std::string found = *machine.disk().content(promised_file());
  std::array<std::uint64_t, 2> left{};
  for (std::size_t i = 0; i < left.size(); ++i) {
    const char actor = static_cast<char>('Y' + i);
    const std::size_t batch = machine.promises().add_batch(1);
    const auto appended = machine.append(actor, batch, options);
    if (appended) return "an append behind a tail that is not there succeeds";
    if (appended.error().code == ErrorCode::unsupported) return std::nullopt;  // not migrated
    if (appended.error().code != ErrorCode::conflict) {
      return fmt::format("I4: recovery answers {}: {}", name_of(appended.error().code),
                         appended.error().message);
    }
    machine.kill(actor);
    left[i] = machine.disk().fingerprint();
  }
  const std::size_t kept = machine.disk().content(promised_file())->size();
  if (kept < found.size() && !is_in_quarantine(machine.disk(), found.substr(kept))) {
    return "bytes were cut that are not in quarantine";
  }
  if (left[0] != left[1]) return "I4: a second recovery changes what the first one left";
  if (machine.disk().without_unsynced().content(promised_file()) !=
      machine.disk().content(promised_file())) {
    return "I4: recovery leaves something unsynced";
  }
  return std::nullopt;
}

Broken broken_by_growing(const io::SimulatedDisk& disk) {
  const std::optional<std::string> whole = disk.content(promised_file());
  if (!whole) return std::nullopt;
  const std::size_t header = whole->find('\n') + 1;
  if (header == 0) return std::nullopt;
  io::SimulatedDisk growing = disk;
  growing.put(promised_file(), std::string_view(*whole).substr(0, header));

  ScriptedMachine machine(std::move(growing), {});
  const auto writer = machine.disk().start_process();
  const auto file = writer->open(promised_file(), io::Access::write);
  if (!file || !(*file)->lock(io::LockKind::exclusive, {})) return "the file cannot be written";
  StorageBackend& reader = **machine.store('Y');
  storage::ReadPosition position;
  std::vector<Entry> followed;  // by one reader, from where it was
  std::vector<Entry> loaded;    // from the start, each time anew
  for (std::size_t size = header; size <= whole->size(); ++size) {
    if (size > header && !(*file)->append(std::string_view(*whole).substr(size - 1, 1))) {
      return "the file cannot be written";
    }
    auto more = reader.read(promised_session(), position, SIZE_MAX);
    // A line that looks bad has to wait for the writer.
    if (!more && more.error().code == ErrorCode::busy) continue;
    if (const auto failed = failure_of("following a session that grows", more)) return failed;
    position = more->next;
    std::move(more->page.entries.begin(), more->page.entries.end(), std::back_inserter(followed));

    auto page = machine.load('Y');
    if (const auto failed = failure_of("reading a session that grows", page)) return failed;
    if (!page->problems.empty()) return "a reader takes a write that is happening for damage";
    std::vector<Entry> now = std::move(page->entries);
    if (now.size() < loaded.size() || !std::equal(loaded.begin(), loaded.end(), now.begin())) {
      return fmt::format("I6: at {} bytes the session loses what was read before", size);
    }
    loaded = std::move(now);
    if (followed != loaded)
      return fmt::format("I6: at {} bytes a follower sees another session", size);
    const auto last = reader.read_last(promised_session(), SIZE_MAX, Along::append_order);
    if (const auto failed = failure_of("reading backwards", last)) return failed;
    if (!std::equal(last->entries.rbegin(), last->entries.rend(), loaded.begin(), loaded.end())) {
      return fmt::format("I6: at {} bytes reading backwards differs", size);
    }
  }
  return std::nullopt;
}

}  // namespace logwood
