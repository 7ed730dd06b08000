// Every call that the store makes to its disk, made to fail in every way: once, from
// then on, together with a second one. The store may answer with a typed error or
// succeed; what it acknowledged must be there, and the next process goes on.
//
//   faults [--seed N] [--threads N]
//   faults --scenario 'SCENARIO'            one alone
//   faults --replay 'SCENARIO' 'FAULTS'     as a violation is printed
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "support/aftermath.hpp"
#include "support/budget.hpp"
#include "support/fast_folder.hpp"
#include "support/repeatable_random.hpp"
#include "support/scripted_machine.hpp"
#include "support/temporary_folder.hpp"
#include "support/thousands.hpp"

LOGWOOD_REPEATABLE_RANDOM

namespace {

using namespace logwood;  // NOLINT(google-build-using-namespace): a program about all of it
using io::Fault;
using io::Operation;

// What comes first, without faults; then the step whose calls fail.
struct Scenario {
  Beginning beginning = Beginning::session;
  const char* before = "";
  const char* step = "";
};

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all{
      {Beginning::nothing, "", "A.open"},
      {Beginning::store, "", "A.open"},
      {Beginning::store, "", "A.create"},
      {Beginning::store, "A.dies60 A.create", "B.create"},
      {Beginning::store, "", "A.key"},
      {Beginning::store, "A.key", "B.key"},
      {Beginning::store, "A.key A.append1 A.reopen", "B.key"},
      {Beginning::session, "", "B.append1"},
      {Beginning::session, "A.append2", "A.append3"},
      {Beginning::session, "A.append2", "A.buffer1"},
      {Beginning::session, "A.append1 A.buffer2", "A.append1"},
      {Beginning::session, "A.append1 A.buffer2", "A.buffer1"},
      {Beginning::session, "A.append1 A.buffer2", "A.flush"},
      {Beginning::session, "A.append1 A.buffer2", "A.reopen"},
      {Beginning::session, "A.append2 A.reopen A.append1", "A.reopen"},
      {Beginning::session, "A.append1", "A.expect1"},
      {Beginning::session, "A.append2", "A.erase"},
      {Beginning::session, "A.append1 B.append1 A.buffer1", "B.erase"},
      {Beginning::session, "A.append1 A.dies100 A.append3", "B.erase"},
      {Beginning::session, "A.append1", "A.long2"},
      {Beginning::session, "A.long1", "B.long1"},
      {Beginning::session, "A.long1", "B.again"},
      {Beginning::session, "A.long1", "B.load"},
      {Beginning::session, "A.long1", "B.verify"},
      {Beginning::session, "A.long1 A.append1", "A.erase"},
      {Beginning::session, "A.append1 A.long1", "A.erase"},
      {Beginning::session, "A.append1 A.long1", "B.remove"},
      {Beginning::session, "A.append2", "A.head"},
      {Beginning::session, "A.append2", "A.fork"},
      {Beginning::session, "A.append1 A.long1", "B.fork"},
      {Beginning::session, "A.append2", "A.again"},
      {Beginning::session, "A.append2", "B.again"},
      {Beginning::session, "A.append2 A.reopen", "B.again"},
      {Beginning::session, "A.buffer2", "B.again"},
      {Beginning::session, "A.append2", "A.stale"},
      {Beginning::session, "A.buffer2", "B.stale"},
      {Beginning::session, "A.append1 B.append1 A.buffer1", "B.append2"},
      {Beginning::session, "A.append1 B.append1 A.buffer1", "B.buffer1"},
      {Beginning::session, "A.append1 B.append1 A.buffer1 B.buffer1", "A.flush"},
      {Beginning::session, "A.append1 A.dies100 A.append3", "B.append1"},
      {Beginning::session, "A.append1 B.append1 A.dies250 A.append3", "B.append1"},
      {Beginning::session, "A.append1 A.dies100 A.append3", "B.again"},
      {Beginning::session, "A.append1 A.dies100 A.append3", "B.stale"},
      {Beginning::session, "A.append1 A.dies100 A.append3", "B.load"},
      {Beginning::session, "A.append1 A.dies100 A.append3", "B.last2"},
      {Beginning::session, "A.append1 A.dies100 A.append3", "B.verify"},
      {Beginning::session, "A.buffer1 B.syncfails B.append1", "A.append1"},
      {Beginning::session, "A.buffer1 B.syncfails B.append1", "A.flush"},
      {Beginning::session, "A.append2 A.syncfails A.append1", "A.again"},
      {Beginning::session, "A.append2", "A.remove"},
      {Beginning::session, "A.append2 A.buffer1", "A.remove"},
      {Beginning::session, "A.append2 A.buffer1", "B.remove"},
      {Beginning::session, "A.append2 A.reopen", "B.remove"},
      {Beginning::session, "A.append2", "A.archive"},
      {Beginning::session, "A.append2 A.buffer1", "B.archive"},
      {Beginning::session, "A.append2 A.archive", "B.archive"},
      {Beginning::session, "A.append2 A.archive", "B.unarchive"},
      {Beginning::session, "A.append2 A.archive", "B.load"},
      {Beginning::session, "A.append2 A.archive", "B.last2"},
      {Beginning::session, "A.append2 A.archive", "B.find"},
      {Beginning::session, "A.append2 A.archive", "B.verify"},
      {Beginning::session, "A.append2 A.archive", "B.list"},
      {Beginning::session, "A.append2 A.archive", "B.erase"},
      {Beginning::session, "A.append2 A.archive", "B.append1"},
      {Beginning::session, "A.append2 A.archive", "B.remove"},
      {Beginning::session, "A.append1 A.long1 A.remove", "B.restore"},
      {Beginning::session, "A.append1 A.long1 A.archive A.remove", "B.restore"},
      {Beginning::session, "A.append2", "A.migrate"},
      {Beginning::session, "A.append2", "A.load"},
      {Beginning::session, "A.append2 A.reopen", "B.load"},
      {Beginning::session, "A.append2 A.reopen", "B.last2"},
      {Beginning::session, "A.append2 A.reopen A.append2", "B.last9"},
      {Beginning::session, "A.append2", "B.find"},
      {Beginning::session, "A.append2 A.reopen", "B.find"},
      {Beginning::session, "A.append2 A.reopen", "B.status"},
      {Beginning::session, "A.append2 A.reopen", "B.verify"},
      {Beginning::session, "A.append2 A.reopen", "B.list"},
      {Beginning::unsealed, "", "A.migrate"},
      {Beginning::unsealed, "A.dies200 A.migrate", "B.migrate"},
      {Beginning::unsealed, "", "A.load"},
      {Beginning::unsealed, "", "A.last2"},
      {Beginning::unsealed, "", "A.find1"},
      {Beginning::unsealed, "", "A.status"},
      {Beginning::unsealed, "", "A.verify"},
      {Beginning::unsealed, "", "A.list"},
      {Beginning::damaged, "", "B.append2"},
      {Beginning::damaged, "", "B.again2"},
      {Beginning::damaged, "B.again2", "C.load"},
      {Beginning::damaged, "", "B.load"},
      {Beginning::damaged, "", "B.last9"},
      {Beginning::damaged, "", "B.find3"},
      {Beginning::damaged, "", "B.verify"},
  };
  return all;
}

std::string text_of(const Scenario& scenario) {
  constexpr std::array<std::string_view, 5> names{"nothing", "store", "session", "unsealed",
                                                  "damaged"};
  return fmt::format("{}: {} | {}", names[static_cast<std::size_t>(scenario.beginning)],
                     scenario.before, scenario.step);
}

std::size_t number_of(std::string_view text) {
  for (std::size_t number = 0; number < scenarios().size(); ++number) {
    if (text_of(scenarios()[number]) == text) return number;
  }
  fmt::print(stderr, "there is no scenario {}\n", text);
  std::exit(2);
}

// call/errno/short/flags: the words that --replay reads back.
std::string text_of(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults) {
    text += fmt::format("{}/{}/{}/{}/{}{} ", fault.at_call,
                        fault.operation ? name_of(*fault.operation) : "any", fault.error_number,
                        fault.short_bytes ? static_cast<long>(*fault.short_bytes) : -1L,
                        fault.sticky ? "s" : "", fault.takes_effect ? "e" : "");
  }
  return text;
}

std::vector<Fault> parse_faults(const std::string& text) {
  std::vector<Fault> faults;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    unsigned long long call = 0;
    std::array<char, 32> operation{};
    long bytes = -1;
    std::array<char, 8> flags{};
    Fault fault;
    if (std::sscanf(text.substr(begin, end - begin).c_str(), "%llu/%31[a-z_]/%d/%ld/%7s", &call,
                    operation.data(), &fault.error_number, &bytes, flags.data()) < 4) {
      fmt::print(stderr, "these are no faults: {}\n", text);
      std::exit(2);
    }
    fault.at_call = call;
    for (std::size_t i = 0; i < io::operations; ++i) {
      const auto candidate = static_cast<Operation>(i);
      if (name_of(candidate) == operation.data()) fault.operation = candidate;
    }
    if (bytes >= 0) fault.short_bytes = static_cast<std::size_t>(bytes);
    fault.sticky = std::string_view(flags.data()).find('s') != std::string_view::npos;
    fault.takes_effect = std::string_view(flags.data()).find('e') != std::string_view::npos;
    faults.push_back(fault);
    begin = end + 1;
  }
  return faults;
}

// What the calls of a step are when nothing goes wrong.
struct Call {
  Operation operation = Operation::open;
  std::size_t written_bytes = 0;
};

constexpr std::array error_numbers{EIO,    ENOSPC, EDQUOT, EINTR, EAGAIN,
                                   EMFILE, ENOMEM, EACCES, EROFS};

// How much of a write gets through: nothing, one byte, half, all but one.
std::set<std::size_t> part_sizes(const Call& write) {
  const std::size_t size = write.written_bytes;
  return {0, 1, size / 2, size - 1};
}

class Campaign {
 public:
  void run(std::size_t number, bool all_pairs) {
    const Scenario& scenario = scenarios()[number];
    const std::vector<Call> calls = calls_of(scenario);
    call_sites_ += calls.size();
    for (std::size_t at = 0; at < calls.size(); ++at) {
      bool struck = true;
      for (const std::vector<Fault>& faults : faults_at(at, calls[at])) {
        struck = try_faults(number, faults) && struck;
      }
      if (!struck) report(number, {}, fmt::format("call {} is not always reached", at + 1));
    }
    // The second fault meets what is done about the first.
    const std::size_t farthest = all_pairs ? 20 : 12;
    for (std::size_t at = 0; at < calls.size(); ++at) {
      for (std::size_t later = 1; later <= farthest; ++later) {
        if (!all_pairs && (at + later) % 3 != 0) continue;
        const Fault second{.at_call = at + 1 + later, .error_number = EIO};
        for (const int error_number : error_numbers) {
          if (!all_pairs && error_number != EIO && error_number != ENOSPC) continue;
          try_faults(number, {Fault{.at_call = at + 1, .error_number = error_number}, second});
        }
        if (calls[at].operation != Operation::append) continue;
        for (const std::size_t bytes : part_sizes(calls[at])) {
          try_faults(number, {Fault{.at_call = at + 1, .short_bytes = bytes}, second});
        }
      }
    }
  }

  // Whether the first fault struck.
  bool try_faults(std::size_t number, const std::vector<Fault>& faults) {
    ++runs_;
    const Scenario& scenario = scenarios()[number];
    const RepeatableRandom random(1);
    const std::unique_ptr<ScriptedMachine> machine = ScriptedMachine::at(scenario.beginning);
    machine->run(scenario.before);
    if (!machine->complaints().empty()) report(number, {}, machine->complaints().front());
    const std::uint64_t faults_before = machine->faults().faults();
    const std::uint64_t syncs_before = machine->faults().faults(Operation::sync);
    machine->plan(faults);
    machine->run(scenario.step);
    const std::uint64_t struck = machine->faults().faults() - faults_before;
    const bool sync_struck = machine->faults().faults(Operation::sync) != syncs_before;
    if (!machine->complaints().empty()) {
      report(number, faults, machine->complaints().front());
      return struck > 0;
    }
    AftermathOptions options;
    options.seed = runs_;
    options.after = After::process_end;
    options.disk_lies = sync_struck && struck > 1;
    const Promises& promises = machine->promises();
    if (auto broken = broken_promise(machine->disk(), promises, options)) {
      report(number, faults, *broken);
    }
    options.after = After::power_cut;
    if (auto broken = broken_promise(machine->disk().without_unsynced(), promises, options)) {
      report(number, faults, "after a power cut: " + *broken);
    }
    return struck > 0;
  }

  // The same over real files, for as much as a real disk can be made to do.
  void run_on_real_files(std::size_t number) {
    const Scenario& scenario = scenarios()[number];
    const std::string_view before = scenario.before;
    if (scenario.beginning != Beginning::session || before.find("dies") != before.npos) return;
    for (std::size_t at = 1;; ++at) {
      bool struck = false;
      for (Fault fault : {Fault{.error_number = EIO}, Fault{.error_number = ENOSPC},
                          Fault{.operation = Operation::append, .short_bytes = 30}}) {
        fault.at_call = at;
        ++real_runs_;
        struck = try_on_real_files(number, fault) || struck;
      }
      if (!struck) return;
    }
  }

  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  [[nodiscard]] std::uint64_t real_runs() const { return real_runs_; }
  [[nodiscard]] std::uint64_t call_sites() const { return call_sites_; }
  [[nodiscard]] std::size_t violations() const {
    const std::lock_guard guard(mutex_);
    return violations_;
  }

 private:
  static std::vector<Call> calls_of(const Scenario& scenario) {
    const RepeatableRandom random(1);
    const std::unique_ptr<ScriptedMachine> machine = ScriptedMachine::at(scenario.beginning);
    machine->run(scenario.before);
    const std::uint64_t before = machine->faults().calls();
    std::map<std::uint64_t, std::size_t> written;
    machine->observe([&](std::string_view operation, std::string_view) {
      if (operation != "append") return;
      const io::DiskState state = machine->disk().state();
      const io::Inode& file = state.inode(*state.last_write());
      written[machine->faults().calls() - before - 1] = file.unsynced.back().bytes.bytes().size();
    });
    machine->run(scenario.step);
    const std::uint64_t count = machine->faults().calls() - before;

    // Which call is which tells one more run each, in which it alone fails.
    std::vector<Call> calls(static_cast<std::size_t>(count));
    for (std::size_t at = 0; at < calls.size(); ++at) {
      const std::unique_ptr<ScriptedMachine> again = ScriptedMachine::at(scenario.beginning);
      again->run(scenario.before);
      std::array<std::uint64_t, io::operations> struck{};
      const auto count_struck = [&](int sign) {
        for (std::size_t i = 0; i < struck.size(); ++i) {
          struck[i] +=
              static_cast<std::uint64_t>(sign) * again->faults().faults(static_cast<Operation>(i));
        }
      };
      count_struck(-1);
      again->plan({Fault{.at_call = at + 1}});
      again->run(scenario.step);
      count_struck(1);
      const auto one = std::ranges::find(struck, 1U);
      if (one == struck.end()) continue;
      calls[at].operation = static_cast<Operation>(one - struck.begin());
      if (const auto found = written.find(at); found != written.end()) {
        calls[at].written_bytes = found->second;
      }
    }
    return calls;
  }

  // Every way in which this call can go wrong alone, or from here on.
  static std::vector<std::vector<Fault>> faults_at(std::size_t at, const Call& call) {
    std::vector<std::vector<Fault>> all;
    const auto add_lasting = [&](Fault fault) {
      all.push_back({fault});
      fault.sticky = true;
      all.push_back({fault});
    };
    for (const int error_number : error_numbers) {
      add_lasting({.at_call = at + 1, .error_number = error_number});
    }
    all.push_back({Fault{.at_call = at + 1, .takes_effect = true}});
    // Every later call of its kind, while the others succeed.
    all.push_back({Fault{.at_call = at + 1},
                   Fault{.operation = call.operation, .at_call = 1, .sticky = true}});
    if (call.operation == Operation::append) {
      for (const std::size_t bytes : part_sizes(call)) {
        add_lasting({.at_call = at + 1, .short_bytes = bytes});
      }
    }
    return all;
  }

  bool try_on_real_files(std::size_t number, const Fault& fault) {
    const Scenario& scenario = scenarios()[number];
    const TemporaryFolder folder(fast_folder());
    const RepeatableRandom random(1);
    io::SimulatedDisk left = ScriptedMachine().disk();
    Promises promises;
    bool struck = false;
    {
      ScriptedMachine machine(folder / "store");
      machine.run("A.create");
      machine.run(scenario.before);
      const std::uint64_t faults_before = machine.faults().faults();
      machine.plan({fault});
      machine.run(scenario.step);
      struck = machine.faults().faults() > faults_before;
      for (const std::string& complaint : machine.complaints()) {
        report(number, {fault}, "on real files: " + complaint);
      }
      promises = machine.promises();
      copy_files(folder / "store", left);
    }
    const AftermathOptions options{.after = After::process_end, .seed = runs_};
    if (const auto broken = broken_promise(left, promises, options)) {
      report(number, {fault}, "on real files: " + *broken);
    }
    return struck;
  }

  static void copy_files(const std::string& folder, io::SimulatedDisk& disk) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(file)), {});
      disk.put(std::filesystem::relative(entry.path(), folder).string(), bytes);
    }
  }

  void report(std::size_t number, const std::vector<Fault>& faults, const std::string& what) {
    const std::lock_guard guard(mutex_);
    constexpr std::size_t most = 20;
    if (++violations_ > most) return;
    fmt::print("VIOLATION: {}\n  replay: faults --replay '{}' '{}'\n", what,
               text_of(scenarios()[number]), text_of(faults));
    std::fflush(stdout);
  }

  std::atomic<std::uint64_t> runs_ = 0;
  std::atomic<std::uint64_t> real_runs_ = 0;
  std::atomic<std::uint64_t> call_sites_ = 0;
  mutable std::mutex mutex_;
  std::size_t violations_ = 0;
};

void for_all_scenarios(unsigned threads, const std::function<void(std::size_t)>& run) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      for (std::size_t at = next++; at < scenarios().size(); at = next++) run(at);
    });
  }
  for (std::thread& worker : workers) worker.join();
}

unsigned threads_argument(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string_view(argv[i]) == "--threads") {
      return static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10));
    }
  }
  return std::min(2U, std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

int main(int argc, char** argv) {
  Campaign campaign;
  if (argc == 4 && std::string_view(argv[1]) == "--replay") {
    campaign.try_faults(number_of(argv[2]), parse_faults(argv[3]));
    return campaign.violations() == 0 ? 0 : 1;
  }
  if (argc == 3 && std::string_view(argv[1]) == "--scenario") {
    campaign.run(number_of(argv[2]), /*all_pairs=*/false);
    fmt::print("{} runs, {} violations\n", campaign.runs(), campaign.violations());
    return campaign.violations() == 0 ? 0 : 1;
  }
  const Budget budget;
  const unsigned threads = threads_argument(argc, argv);
  for_all_scenarios(threads,
                    [&](std::size_t number) { campaign.run(number, !budget.is_limited()); });
  for_all_scenarios(threads, [&](std::size_t number) { campaign.run_on_real_files(number); });
  fmt::print(
      "faults: {} runs, {} call sites in {} scenarios each hit in every way, {} runs on real "
      "files, {} violations\n",
      thousands(campaign.runs()), thousands(campaign.call_sites()), scenarios().size(),
      thousands(campaign.real_runs()), campaign.violations());
  return campaign.violations() == 0 ? 0 : 1;
}
