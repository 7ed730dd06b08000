#include "support/crash_search.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <utility>

#include "support/aftermath.hpp"
#include "support/repeatable_random.hpp"

namespace logwood {
namespace {

constexpr std::array<std::string_view, 5> beginnings{"nothing", "store", "session", "unsealed",
                                                     "damaged"};

bool is_index(std::string_view name) { return name.starts_with("index/"); }

// A few states of the bytes are enough where one hash says whether they are all there.
bool is_sampled(std::string_view name) {
  return is_index(name) || name.starts_with("blobs/") || name.starts_with("archive/");
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

std::string printable(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const bool plain = (c >= ' ' && c <= '~') || c == '\n';
    text += plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text;
}

}  // namespace

std::string CrashScenario::text() const {
  return fmt::format("{}/{}/{}/{}: {} | {}", beginnings[static_cast<std::size_t>(beginning)],
                     sector_bytes, most_mixtures, most_cuts, before, crashed);
}

std::optional<CrashScenario> CrashScenario::parse(std::string_view text) {
  CrashScenario scenario;
  const std::size_t colon = text.find(": ");
  const std::size_t bar = text.find(" | ");
  if (colon == std::string_view::npos || bar == std::string_view::npos || bar < colon) {
    return std::nullopt;
  }
  std::array<char, 16> name{};
  const int read =
      std::sscanf(std::string(text.substr(0, colon)).c_str(), "%15[a-z]/%zu/%zu/%zu", name.data(),
                  &scenario.sector_bytes, &scenario.most_mixtures, &scenario.most_cuts);
  if (read != 4) return std::nullopt;
  for (std::size_t i = 0; i < beginnings.size(); ++i) {
    if (beginnings[i] == name.data()) scenario.beginning = static_cast<Beginning>(i);
  }
  scenario.before = bar > colon + 2 ? text.substr(colon + 2, bar - colon - 2) : "";
  scenario.crashed = text.substr(bar + 3);
  return scenario;
}

bool SeenNumbers::insert(std::uint64_t number) {
  if (number == 0) number = 1;
  Shard& shard = shards_[number % shards_.size()];
  const std::lock_guard guard(shard.mutex);
  const auto place = [&](std::vector<std::uint64_t>& slots) -> std::uint64_t& {
    std::size_t at = (number >> 8U) % slots.size();
    while (slots[at] != 0 && slots[at] != number) at = (at + 1) % slots.size();
    return slots[at];
  };
  std::uint64_t& slot = place(shard.slots);
  if (slot == number) return false;
  slot = number;
  if (++shard.used * 2 > shard.slots.size()) {
    std::vector<std::uint64_t> larger(shard.slots.size() * 4);
    for (const std::uint64_t old : shard.slots) {
      if (old == 0) continue;
      number = old;
      place(larger) = old;
    }
    shard.slots = std::move(larger);
  }
  return true;
}

std::uint64_t SeenNumbers::size() const {
  std::uint64_t all = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard guard(shard.mutex);
    all += shard.used;
  }
  return all;
}

// One scenario being run.
class CrashSearch::Run {
 public:
  Run(CrashSearch& search, const CrashScenario& scenario, std::optional<CrashState> only)
      : search_(search),
        scenario_(scenario),
        text_(scenario.text()),
        seed_(hash_of(text_)),
        only_(only) {
    enumeration_.sector_bytes = scenario.sector_bytes;
    enumeration_.most_mixtures = scenario.most_mixtures;
    if (scenario.most_cuts > 0) enumeration_.most_cuts = scenario.most_cuts;
    enumeration_.exhaustive_sectors = 6;
    enumeration_.most_file_mixtures = 16;
    enumeration_.is_derived = is_sampled;
  }

  bool run() {
    // The same steps draw the same bytes, whatever is tried in between.
    const RepeatableRandom random(1);
    std::unique_ptr<ScriptedMachine> machine = ScriptedMachine::at(scenario_.beginning);
    machine->run(scenario_.before);
    machine->observe([&](std::string_view operation, std::string_view name) {
      ++change_;
      remember_index(machine->disk());
      if (is_written(operation, name) && !machine->was_struck()) check_locked(*machine);
      try_crashes(*machine, operation, fmt::format("{} {}", operation, name));
    });
    machine->run(scenario_.crashed);
    for (const std::string& complaint : machine->complaints()) {
      report({change_, 'p', 0}, "", complaint);
    }
    if (!only_ && !machine->promises().is_damaged) {
      if (const auto broken = broken_by_growing(machine->disk())) {
        report({change_, 'p', 0}, "", *broken);
      }
    }
    return good_;
  }

 private:
  static bool is_written(std::string_view operation, std::string_view name) {
    return name == promised_file() &&
           (operation == "append" || operation == "truncate" || operation == "sync");
  }

  // Whoever changes the session file holds its lock, against everybody.
  void check_locked(ScriptedMachine& machine) {
    const auto intruder = machine.disk().start_process();
    const auto file = intruder->open(promised_file(), io::Access::write);
    if (file && (*file)->lock(io::LockKind::exclusive, {})) {
      report({change_, 'p', 0}, "", "the file is written and not locked");
    }
  }

  void remember_index(const io::SimulatedDisk& disk) {
    auto index = disk.content(promised_index());
    if (index && (indexes_.empty() || indexes_.back() != *index)) {
      indexes_.push_back(*std::move(index));
    }
  }

  void try_crashes(ScriptedMachine& machine, std::string_view operation,
                   const std::string& change) {
    if (only_ && only_->change != change_) return;
    enumeration_.seed = mixed(seed_, change_);
    CrashState state{change_, 'p', 0};
    const auto try_next = [&](const io::SimulatedDisk& disk) {
      ++state.number;
      if (search_.has_enough()) return;
      if (only_ && (only_->kind != state.kind || only_->number != state.number)) return;
      const After after = state.kind == 'p' ? After::power_cut : After::process_end;
      const std::uint64_t key = mixed(disk.fingerprint(), mixed(machine.promises().fingerprint(),
                                                                static_cast<std::uint64_t>(after)));
      if (!only_ && !search_.seen_.insert(key)) return;
      if (only_) print(disk, machine.promises(), change);
      if (const auto broken = examine(disk, machine.promises(), after, key)) {
        report(state, change, *broken);
      }
    };
    for_each_power_loss(machine.disk(), enumeration_, try_next);

    // Between a sync that fails and what is done about it nothing can be known to
    // whoever comes next: the one moment at which a process must not be killed.
    if (operation == "sync" && machine.was_struck()) return;
    state = {change_, 'k', 0};
    if (operation == "append" || operation == "write_at") {
      const io::DiskState disk = machine.disk().state();
      const std::size_t size = disk.inode(*disk.last_write()).unsynced.back().bytes.bytes().size();
      const std::size_t cuts = scenario_.most_cuts > 0 ? scenario_.most_cuts : size;
      std::size_t number = 0;
      for_each_kill(machine.disk(), [&](const io::SimulatedDisk& killed) {
        // All of them, or some at even distances with the last among them.
        if ((size - number++) * cuts % std::max<std::size_t>(size, 1) < cuts) try_next(killed);
      });
    } else {
      try_next(io::SimulatedDisk(machine.disk()));
    }
  }

  // A survivor, in the ways that its key chooses.
  std::optional<std::string> examine(const io::SimulatedDisk& disk, const Promises& promises,
                                     After after, std::uint64_t key) {
    const RepeatableRandom random(key);
    AftermathOptions options;
    options.after = after;
    options.seed = key;
    std::optional<std::string> broken_later;
    // A killed process leaves its writes unsynced, so that a power cut may still come.
    const std::uint64_t one_in =
        search_.sampling_.crash_in_recovery / (after == After::process_end ? 2 : 1);
    if (key % one_in == 0) {
      options.on_change = [&](ScriptedMachine& machine, std::string_view operation) {
        if (!broken_later) broken_later = crash_recovery(machine, operation);
      };
    }
    if (auto broken = broken_promise(disk, promises, options)) return broken;
    if (broken_later) return broken_later;
    if (key % search_.sampling_.recover_twice == 1) {
      if (auto broken = broken_by_recovering_twice(disk, promises)) return broken;
    }
    if (key % search_.sampling_.index_spoiled == 2) {
      io::SimulatedDisk spoiled = disk;
      spoil_index(spoiled, key);
      if (auto broken = broken_promise(spoiled, promises, {.after = after, .seed = key})) {
        return "with another index: " + *broken;
      }
    }
    return std::nullopt;
  }

  // The second crash, inside the recovery from the first.
  std::optional<std::string> crash_recovery(ScriptedMachine& machine, std::string_view operation) {
    io::EnumerationOptions enumeration = enumeration_;
    enumeration.most_mixtures = 12;
    enumeration.most_cuts = 12;
    enumeration.most_file_mixtures = 4;
    enumeration.exhaustive_sectors = 3;
    std::optional<std::string> broken;
    const auto try_after = [&](const io::SimulatedDisk& disk, After after) {
      if (broken) return;
      const std::uint64_t key = mixed(disk.fingerprint(), machine.promises().fingerprint());
      if (!only_ && !search_.seen_.insert(mixed(key, static_cast<std::uint64_t>(after)))) return;
      const RepeatableRandom random(key);
      broken = broken_promise(disk, machine.promises(), {.after = after, .seed = key});
      if (broken && only_) print(disk, machine.promises(), std::string(operation));
      if (broken) broken = fmt::format("crash inside recovery, at {}: {}", operation, *broken);
    };
    ++search_.crashes_in_recovery_;
    for_each_power_loss(machine.disk(), enumeration,
                        [&](const io::SimulatedDisk& disk) { try_after(disk, After::power_cut); });
    try_after(io::SimulatedDisk(machine.disk()), After::process_end);
    return broken;
  }

  // The index is derived: an old one, zeros, garbage or none must change nothing.
  void spoil_index(io::SimulatedDisk& disk, std::uint64_t key) const {
    Choices choices(key);
    std::string bytes(choices.below(400), '\0');
    const std::uint64_t way = choices.below(3);
    if (way == 1 && !indexes_.empty()) bytes = indexes_[choices.below(indexes_.size())];
    if (way == 2) {
      if (!indexes_.empty()) bytes = indexes_.back();
      for (std::size_t i = choices.below(8); i < bytes.size(); i += 1 + choices.below(40)) {
        bytes[i] = static_cast<char>(choices.next());
      }
    }
    disk.put(promised_index(), bytes);
  }

  void print(const io::SimulatedDisk& disk, const Promises& promises, const std::string& change) {
    std::printf("%s\nafter change %llu: %s\n", text_.c_str(),
                static_cast<unsigned long long>(change_), change.c_str());
    for (std::size_t batch = 0; batch < promises.batches().size(); ++batch) {
      constexpr std::array<const char*, 5> spelled{"", "attempted", "refused", "buffered",
                                                   "durable"};
      std::printf("batch %zu, %zu entries: %s\n", batch, promises.drafts(batch).size(),
                  spelled[static_cast<std::size_t>(promises.batches()[batch].standing)]);
    }
    for (const std::string& name : disk.file_names()) {
      if (is_index(name)) continue;
      std::printf("--- %s\n%s\n", name.c_str(), printable(*disk.content(name)).c_str());
    }
  }

  void report(const CrashState& state, const std::string& change, const std::string& what) {
    good_ = false;
    search_.report({text_, state, change, what});
  }

  CrashSearch& search_;
  const CrashScenario& scenario_;
  std::string text_;
  std::uint64_t seed_;
  std::optional<CrashState> only_;
  io::EnumerationOptions enumeration_;
  std::uint64_t change_ = 0;
  std::vector<std::string> indexes_;  // as they were written in the course of the scenario
  bool good_ = true;
};

void CrashSearch::run(const CrashScenario& scenario) {
  ++scenarios_;
  Run(*this, scenario, std::nullopt).run();
}

bool CrashSearch::replay(const CrashScenario& scenario, const CrashState& state) {
  return Run(*this, scenario, state).run();
}

void CrashSearch::report(Violation violation) {
  ++reported_;
  const std::lock_guard guard(mutex_);
  violations_.push_back(std::move(violation));
}

std::vector<Violation> CrashSearch::violations() const {
  const std::lock_guard guard(mutex_);
  return violations_;
}

}  // namespace logwood
