#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/progress.hpp"

namespace logwood::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ProgressLines : public ::testing::Test {
 protected:
  std::unique_ptr<ProgressLine> line(const std::string& unit, std::size_t columns = 80) {
    return std::make_unique<ProgressLine>(
        [this](std::string_view text) { seen_.emplace_back(text); }, [this] { return now_; },
        columns, "verifying demo", unit);
  }

  std::chrono::system_clock::time_point now_;
  std::vector<std::string> seen_;
};

TEST_F(ProgressLines, SayNothingAboutWhatTakesNoSecond) {
  auto line = this->line("");
  now_ += 900ms;
  line->show(1, 2);
  line.reset();
  EXPECT_THAT(seen_, IsEmpty());
}

TEST_F(ProgressLines, TellRateAndTimeLeftAndGoInTheEnd) {
  auto line = this->line("");
  now_ += 2s;
  line->show(200'000'000, 800'000'000);
  now_ += 50ms;
  line->show(205'000'000, 800'000'000);  // too soon to look at
  line.reset();
  EXPECT_THAT(seen_,
              ElementsAre("\r\x1b[Kverifying demo  25 %  200 MB of 800 MB  100 MB/s  6 s left",
                          "\r\x1b[K"));
}

TEST_F(ProgressLines, CountAnything) {
  auto line = this->line("sessions");
  now_ += 10s;
  line->show(20, 2020);
  now_ += 10s;
  line->show(40, 0);
  EXPECT_THAT(seen_,
              ElementsAre("\r\x1b[Kverifying demo  1 %  20 of 2020 sessions  2/s  17 min left",
                          "\r\x1b[Kverifying demo  40 sessions  2/s"));
}

TEST_F(ProgressLines, StayOnOneLine) {
  auto line = this->line("", 20);
  now_ += 2s;
  line->show(1, 2);
  EXPECT_THAT(seen_, ElementsAre("\r\x1b[Kverifying demo  50…"));
}

}  // namespace
}  // namespace logwood::cli
