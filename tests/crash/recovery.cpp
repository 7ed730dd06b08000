// What is found after particular crashes, and what the next process makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "support/aftermath.hpp"
#include "support/promises.hpp"
#include "support/scripted_machine.hpp"

namespace logwood {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class Recovery : public ::testing::Test {
 protected:
  Recovery() { machine_.run("A.create"); }

  // Whatever was not synced is lost, and all processes with it.
  void cut_power() { continue_on(machine_.disk().without_unsynced()); }
  // The processes are gone, what they wrote is not.
  void kill_all() { continue_on(machine_.disk()); }

  std::string file() { return after().disk().content(promised_file()).value_or(""); }
  void put_file(const std::string& bytes) { after().disk().put(promised_file(), bytes); }

  // Entries as another process reads them: b0e0, flagged ones with a question mark.
  std::vector<std::string> entries() {
    const auto page = after().load('R');
    EXPECT_TRUE(page) << page.error().message;
    std::vector<std::string> ids;
    for (const Entry& entry : page->entries) {
      if (kind_of(entry.type) == EntryKind::header) continue;
      ids.push_back(entry.id.text + (entry.flagged ? "?" : ""));
    }
    return ids;
  }

  std::vector<ProblemKind> problems() {
    std::vector<ProblemKind> kinds;
    const auto page = after().load('R');
    EXPECT_TRUE(page) << page.error().message;
    for (const Problem& problem : page->problems) kinds.push_back(problem.kind);
    return kinds;
  }

  std::vector<std::string> files_in(const std::string& folder) {
    std::vector<std::string> found = after().disk().file_names();
    std::erase_if(found, [&](const std::string& name) { return !name.starts_with(folder + "/"); });
    return found;
  }

  ScriptedMachine& after() { return after_ ? *after_ : machine_; }

  ScriptedMachine machine_;  // until the crash

 private:
  void continue_on(const io::SimulatedDisk& disk) {
    after_ = std::make_unique<ScriptedMachine>(disk, machine_.promises());
  }

  std::unique_ptr<ScriptedMachine> after_;
};

TEST_F(Recovery, FindsASyncedAppendAndNotABufferedOneAfterAPowerCut) {
  machine_.run("A.append1 A.buffer1");

  cut_power();

  EXPECT_THAT(entries(), ElementsAre("b0e0"));
}

TEST_F(Recovery, FindsBothAfterTheProcessWasKilled) {
  machine_.run("A.append1 A.buffer1");

  kill_all();

  EXPECT_THAT(entries(), ElementsAre("b0e0", "b1e0"));
}

TEST_F(Recovery, FindsWhatWasBufferedOnceItWasFlushed) {
  machine_.run("A.append1 A.buffer2 A.flush");

  cut_power();

  EXPECT_THAT(entries(), ElementsAre("b0e0", "b1e0", "b1e1"));
}

TEST_F(Recovery, MovesATornEndToQuarantineWhenItAppends) {
  machine_.run("A.append1 A.dies90 A.append2");
  kill_all();
  const std::string torn = file();

  EXPECT_THAT(entries(), ElementsAre("b0e0"));
  EXPECT_THAT(problems(), Contains(ProblemKind::torn));
  EXPECT_EQ(file(), torn) << "reading changes nothing";
  after().run("B.append1");

  EXPECT_THAT(entries(), ElementsAre("b0e0", "b2e0"));
  EXPECT_THAT(problems(), IsEmpty());
  ASSERT_THAT(files_in("quarantine"), SizeIs(1));
  const std::string kept = *after().disk().content(files_in("quarantine").front());
  EXPECT_EQ(kept, torn.substr(torn.size() - 90));
}

TEST_F(Recovery, KeepsALineThatLacksOnlyItsLineBreak) {
  machine_.run("A.append1 A.append1");
  kill_all();
  std::string bytes = file();
  bytes.pop_back();
  put_file(bytes);

  EXPECT_THAT(entries(), ElementsAre("b0e0", "b1e0"));
  after().run("B.append1");

  EXPECT_THAT(entries(), ElementsAre("b0e0", "b1e0", "b2e0"));
  EXPECT_THAT(problems(), IsEmpty()) << "the next append begins with the line break";
  EXPECT_THAT(files_in("quarantine"), IsEmpty());
}

TEST_F(Recovery, OfABatchThatIsCutShowsNothing) {
  machine_.run("A.append1 A.append3");
  kill_all();
  const std::string bytes = file();
  const std::size_t last_line = bytes.rfind('\n', bytes.size() - 2) + 1;
  put_file(bytes.substr(0, last_line));

  EXPECT_THAT(entries(), ElementsAre("b0e0")) << "two of three lines are whole";
  after().run("B.append1");

  EXPECT_THAT(entries(), ElementsAre("b0e0", "b2e0"));
}

TEST_F(Recovery, FlagsThePartsOfABufferedBatchAndReplacesThemByARetry) {
  machine_.run("A.append1 A.buffer2 A.buffer1");
  kill_all();
  // The sector with the first line of the batch of two did not reach the disk.
  std::string bytes = file();
  const std::size_t first = bytes.find("b1e0");
  const std::size_t begin = bytes.rfind('\n', first) + 1;
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.find('\n', first) - begin,
              '\0');
  put_file(bytes);

  EXPECT_THAT(entries(), ElementsAre("b0e0", "b1e1?", "b2e0"));
  after().promises().give_up(1);
  after().run("B.again1");

  EXPECT_THAT(after().complaints(), IsEmpty());
  EXPECT_THAT(entries(), ElementsAre("b0e0", "b2e0", "b1e0", "b1e1"));
}

TEST_F(Recovery, TellsAPowerCutFromDamage) {
  machine_.run("A.append1 A.buffer1 A.buffer1");
  kill_all();
  std::string bytes = file();
  const std::size_t second = bytes.find("b1e0");
  const std::size_t begin = bytes.rfind('\n', second) + 1;
  put_file(bytes.erase(begin, bytes.find('\n', second) + 1 - begin));

  const auto report = (*after().store('R'))->verify(promised_session());

  ASSERT_TRUE(report);
  ASSERT_THAT(report->problems, SizeIs(1));
  EXPECT_EQ(report->problems.front().kind, ProblemKind::missing);
  EXPECT_EQ(report->problems.front().cause, GapCause::power_cut);
}

// A sector that cannot be read today may be read tomorrow, or come from a backup.
TEST_F(Recovery, LeavesTheNumberOfADamagedLineForItsReturn) {
  machine_.run("A.append1 A.append1");
  kill_all();
  std::string bytes = file();
  const std::size_t spoiled = bytes.find("b1e0");
  bytes[spoiled] ^= 1;
  put_file(bytes);

  after().promises().give_up(1);
  after().run("B.append1");
  EXPECT_THAT(entries(), ElementsAre("b0e0", "b2e0"));
  bytes = file();
  bytes[spoiled] ^= 1;
  put_file(bytes);

  EXPECT_THAT(entries(), ElementsAre("b0e0", "b1e0", "b2e0"));
}

TEST_F(Recovery, AcceptsNoMoreAfterAFailedSyncUntilTheSessionIsClosed) {
  machine_.run("A.append1 A.syncfails A.append1");
  storage::StorageBackend& store = **machine_.store('A');
  const std::vector<Draft>& batch = machine_.promises().drafts(1);

  const auto refused = store.append(promised_session(), batch, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  (void)store.close(promised_session());
  const auto appended = store.append(promised_session(), batch, {});

  ASSERT_TRUE(appended) << appended.error().message;
  EXPECT_FALSE(appended->replayed) << "what could not be synced was cut";
  cut_power();
  EXPECT_THAT(entries(), ElementsAre("b0e0", "b1e0"));
}

TEST_F(Recovery, PutsACopyInThePlaceOfAFileThatCannotBeSynced) {
  machine_.run("A.append1 A.buffer1 B.syncfails B.append1");

  cut_power();

  EXPECT_THAT(entries(), ElementsAre("b0e0", "b1e0", "b2e0"));
  EXPECT_THAT(files_in("sessions"), ElementsAre(promised_file()));
}

// B could not sync what A wrote and then could not copy it either. The pages count as
// clean since then, so C must not believe its own sync.
TEST_F(Recovery, CopiesAFileThatSomebodyElseCouldNotSync) {
  machine_.run("A.append1 A.buffer1");
  machine_.plan({{.operation = io::Operation::sync, .sticky = true}});
  machine_.run("B.append1");
  EXPECT_THAT(files_in("sessions"), Contains(StartsWith(promised_file() + ".new")));

  machine_.run("C.again1");
  cut_power();

  EXPECT_THAT(entries(), ElementsAre("b0e0", "b1e0"));
  EXPECT_THAT(files_in("sessions"), ElementsAre(promised_file()));
}

TEST_F(Recovery, ShowsASessionUnderMigrationAsItWas) {
  const auto machine = ScriptedMachine::at(Beginning::unsealed);
  const std::string before = *machine->disk().content(promised_file());

  machine->run("A.dies300 A.migrate");

  EXPECT_EQ(machine->disk().content(promised_file()), before);
  machine->run("B.load B.migrate B.append1 B.load");
  EXPECT_THAT(machine->complaints(), IsEmpty());
  EXPECT_THAT(*machine->disk().content(promised_file()), HasSubstr("\"version\":1"));
}

TEST_F(Recovery, ForgetsASessionWhoseCreatorDiedBeforeItWasWhole) {
  ScriptedMachine machine;

  machine.run("A.dies50 A.create");

  EXPECT_EQ(machine.disk().content(promised_file()), std::nullopt);
  machine.run("B.create B.append1 B.load");
  EXPECT_THAT(machine.complaints(), IsEmpty());
}

}  // namespace
}  // namespace logwood
