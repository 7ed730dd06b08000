#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "io/file_watch.hpp"
#include "io/real_files.hpp"
#include "support/simulated_disk.hpp"
#include "support/temporary_folder.hpp"

namespace logwood::io {
namespace {

using namespace std::chrono_literals;

constexpr auto long_time = 60s;
constexpr auto soon = 800ms;  // less than the look that is made in any case

class FileWatch : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = open_folder(folder_.path() + "/f", {.create = true});
    ASSERT_TRUE(opened) << opened.error().message;
    files_ = *std::move(opened);
    ASSERT_TRUE(files_->make_folder("sub"));
  }

  void write(const std::string& name, const std::string& text) {
    auto file = files_->open(name, Access::write);
    if (!file) file = files_->create(name);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE((*file)->append(text));
  }

  FileStatus status(const std::string& name) { return *files_->status(name); }

  // How long a wait took that `change` ended.
  std::chrono::milliseconds woken_after(const std::string& name, const FileStatus& known,
                                        const std::function<void()>& change) {
    std::chrono::steady_clock::time_point changed;
    std::thread other([&] {
      std::this_thread::sleep_for(50ms);
      changed = std::chrono::steady_clock::now();
      change();
    });
    const auto woken = files_->wait_for_change(name, known, long_time, stop_.get_token());
    const auto end = std::chrono::steady_clock::now();
    other.join();
    EXPECT_TRUE(woken && *woken);
    return std::chrono::duration_cast<std::chrono::milliseconds>(end - changed);
  }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_;
  std::stop_source stop_;
};

TEST_F(FileWatch, IsWokenByWhatChangesAName) {
  write("sub/a", "1");
  EXPECT_LT(woken_after("sub/a", status("sub/a"), [&] { write("sub/a", "2"); }), soon);
  write("sub/b", "12");
  EXPECT_LT(woken_after("sub/a", status("sub/a"),
                        [&] { ASSERT_TRUE(files_->rename("sub/b", "sub/a", Replace::existing)); }),
            soon)
      << "another file of the same size";
  EXPECT_LT(woken_after("sub/a", status("sub/a"),
                        [&] { ASSERT_TRUE(files_->rename("sub/a", "sub/c", Replace::never)); }),
            soon);
  EXPECT_LT(woken_after("sub/a", {}, [&] { write("sub/a", "3"); }), soon) << "it appears";
  EXPECT_LT(woken_after("sub/a", status("sub/a"), [&] { ASSERT_TRUE(files_->remove("sub/a")); }),
            soon);
  EXPECT_LT(woken_after("top", {}, [&] { write("top", "3"); }), soon);
}

TEST_F(FileWatch, IsWokenAlthoughSomebodyHasTheFileOpen) {
  write("sub/a", "1");
  const auto open = files_->open("sub/a", Access::read);
  EXPECT_LT(woken_after("sub/a", status("sub/a"), [&] { ASSERT_TRUE(files_->remove("sub/a")); }),
            soon);
}

TEST_F(FileWatch, SaysAtOnceWhatHasChangedBefore) {
  write("sub/a", "1");
  EXPECT_TRUE(*files_->wait_for_change("sub/a", {}, long_time, stop_.get_token()));
  EXPECT_TRUE(*files_->wait_for_change("sub/b", status("sub/a"), 0ms, stop_.get_token()));
}

TEST_F(FileWatch, EndsWithTheTimeOrWhenToldTo) {
  write("sub/a", "1");
  EXPECT_FALSE(*files_->wait_for_change("sub/a", status("sub/a"), 10ms, stop_.get_token()));
  EXPECT_FALSE(*files_->wait_for_change("sub/a", status("sub/a"), -10ms, stop_.get_token()));
  std::thread other([&] {
    std::this_thread::sleep_for(20ms);
    stop_.request_stop();
  });
  EXPECT_FALSE(*files_->wait_for_change("sub/a", status("sub/a"), long_time, stop_.get_token()));
  other.join();
  EXPECT_FALSE(*files_->wait_for_change("sub/a", status("sub/a"), long_time, stop_.get_token()));
}

TEST_F(FileWatch, RefusesNamesThatLeaveTheFolder) {
  const auto outside = files_->wait_for_change("../x", {}, 10ms, stop_.get_token());
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().code, ErrorCode::invalid_argument);
}

TEST(PollForChange, DoesTheSameOnASimulatedDisk) {
  SimulatedDisk disk;
  disk.put("a", "1");
  const auto process = disk.start_process();
  const FileStatus before = *process->status("a");
  EXPECT_FALSE(*process->wait_for_change("a", before, 5ms, {}));
  std::thread other([&] { disk.put("a", "12"); });
  EXPECT_TRUE(*process->wait_for_change("a", before, long_time, {}));
  other.join();
}

}  // namespace
}  // namespace logwood::io
