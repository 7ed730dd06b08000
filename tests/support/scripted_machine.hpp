// A simulated machine whose processes do what a script says, and an account of what
// they were promised: the stage on which crashes are tried.
//
// A script is a line of steps, each `<process>.<verb><number>`; a process starts with
// its first step.
//
//   A.create A.append2 A.buffer1 A.kill B.again
//
//   open, create, key       the store; the session; the session by its key
//   append2, buffer2        a new batch of two entries, synced or buffered
//   long1                   synced, and the first of its entries has a long string
//   head                    moves the head to the first entry of the tree
//   fork                    the path of the head as a session of its own
//   expect1                 synced, and only behind the tail that status tells
//   again, again1           the newest batch once more, or the one before it
//   stale                   a batch behind a tail that is not there: refused
//   flush, reopen, kill     reopen closes the store first, kill does not
//   migrate, remove, restore
//   archive, unarchive      while it is archived appends are refused
//   erase                   the first entry of the newest batch that is acknowledged
//   load, last, find, status, verify, list      look, and change nothing
//   syncfails1, short40, dies40      in the next step: the first sync fails; the
//                           first write stops after 40 bytes, or the process does
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/backend.hpp"
#include "store/branching.hpp"
#include "support/promises.hpp"
#include "support/simulated_disk.hpp"

namespace logwood {

enum class Verb : std::uint8_t {
  open,
  create,
  key,
  append,
  buffer,
  long_string,
  head,
  fork,
  expect,
  again,
  stale,
  flush,
  reopen,
  kill,
  migrate,
  remove,
  restore,
  archive,
  unarchive,
  erase,
  load,
  last,
  find,
  status,
  verify,
  list,
  syncfails,
  short_write,
  dies,
};

struct Step {
  char actor = 'A';
  Verb verb = Verb::open;
  std::size_t number = 0;
};

/// Ends the program at a step that is none: scripts are part of the tests.
[[nodiscard]] std::vector<Step> parse_script(std::string_view script);

/// Where a script begins.
enum class Beginning : std::uint8_t {
  nothing,   ///< an empty folder
  store,     ///< an empty store
  session,   ///< a session with a header
  unsealed,  ///< a session of version 0 with three entries
  damaged,   ///< a session of four batches, of which somebody has spoiled the second
};

class ScriptedMachine {
 public:
  /// Called after every change of the disk, then with the promises of that moment,
  /// and once more after every step.
  using Observer = std::function<void(std::string_view operation, std::string_view name)>;

  /// A machine with an empty store, or with this disk and what was promised about it.
  ScriptedMachine();
  ScriptedMachine(io::SimulatedDisk disk, Promises promises);
  /// This very machine, with an empty store in a folder of its real disk. Nobody is
  /// killed there, and nothing observed.
  explicit ScriptedMachine(std::string real_folder);
  ~ScriptedMachine();
  ScriptedMachine(const ScriptedMachine&) = delete;
  ScriptedMachine& operator=(const ScriptedMachine&) = delete;

  [[nodiscard]] io::SimulatedDisk& disk() { return disk_; }
  [[nodiscard]] io::FaultPlan& faults() { return real_faults_ ? *real_faults_ : disk_.faults(); }
  [[nodiscard]] Promises& promises() { return promises_; }
  [[nodiscard]] const Promises& promises() const { return promises_; }

  [[nodiscard]] static std::unique_ptr<ScriptedMachine> at(Beginning beginning);

  void observe(Observer observer);

  /// In the next step these calls go wrong, counted from now.
  void plan(const std::vector<io::Fault>& faults);

  void run(const Step& step);
  void run(std::string_view script);

  /// Answers that no rule allows, in the order they were met.
  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }
  void complain(std::string what) { complaints_.push_back(std::move(what)); }

  // What steps are made of; callers who go on after a failure use these.
  /// The store as this process has it open.
  Result<storage::StorageBackend*> store(char actor);
  Result<AppendResult> append(char actor, std::size_t batch, const AppendOptions& options = {});
  Result<> create(char actor);
  Result<> migrate(char actor);
  Result<EntryPage> load(char actor);
  void kill(char actor);

  /// Whether a planned fault has struck since it was planned.
  [[nodiscard]] bool was_struck() { return faults().faults() > faults_before_; }

 private:
  struct Actor {
    io::ProcessId process = 0;
    std::unique_ptr<storage::StorageBackend> store;
    bool must_close = false;  // the session, before anything else is asked of it
  };

  Result<std::unique_ptr<io::FileSystem>> start(Actor& actor);
  [[nodiscard]] IdsAndTime stamps();
  void perform(const Step& step);
  void plan(const Step& step);
  void append_new(const Step& step);
  void append_stale(char actor);
  void reopen(char actor);
  void open_by_key(char actor);
  void remove(char actor);
  void restore(char actor);
  void archive(const Step& step);
  void erase(char actor);
  void fork(char actor);
  [[nodiscard]] Result<std::optional<EntryId>> first_in_tree(char actor);
  void look(const Step& step);
  void close_if_needed(Actor& actor, char name);
  void judge(const Step& step, const Error& error);

  io::SimulatedDisk disk_;
  std::string real_folder_;
  std::shared_ptr<io::FaultPlan> real_faults_;  // with the file systems of all processes
  Promises promises_;
  std::map<char, Actor> actors_;
  Observer observer_;
  std::vector<std::string> complaints_;
  std::int64_t clock_ms_ = 1'767'225'600'000;
  std::uint64_t ids_drawn_ = 0;
  std::uint64_t faults_before_ = 0;
  bool fault_kills_ = false;
  char acting_ = ' ';
};

}  // namespace logwood
