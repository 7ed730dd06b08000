#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"

namespace logwood::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// The program in a world that a test makes.
class Program : public ::testing::Test {
 protected:
  void SetUp() override {
    variables_["HOME"] = folder_.path();
    variables_["TERM"] = "xterm";
    around_.variable = [this](const char* name) { return variables_[name]; };
    around_.folder = "/work";
    around_.out = [this](std::string_view text) { out_ += text; };
    around_.err = [this](std::string_view text) { err_ += text; };
    around_.page = [this](const std::string& command) { pager_ = command; };
    around_.finish = [this] { return finished_; };
    around_.line = [this](std::size_t) -> Result<std::optional<std::string>> {
      if (typed_.empty()) return std::optional<std::string>();
      std::string line = typed_.front();
      typed_.erase(typed_.begin());
      return std::optional(line);
    };
    around_.input = [](std::size_t) -> Result<std::string> { return std::string("not json"); };
    around_.now = [this] { return now_ += std::chrono::milliseconds(600); };
    around_.is_interrupted = [this] { return interrupted_; };
  }

  int run(const std::vector<std::string>& words) {
    out_.clear();
    err_.clear();
    return run_program(words, around_);
  }

  void make_session() {
    ASSERT_EQ(run({"new", "--id", "s"}), 0) << err_;
    ASSERT_EQ(run({"append", "s", "--user", "one", "--assistant", "two"}), 0) << err_;
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> variables_;
  Surroundings around_;
  std::string out_;
  std::string err_;
  std::string pager_;
  std::vector<std::string> typed_;
  Result<> finished_;
  bool interrupted_ = false;
  std::chrono::system_clock::time_point now_ = std::chrono::system_clock::now();
};

TEST_F(Program, ExplainsItself) {
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_THAT(out_, HasSubstr("usage: logwood [VERB]"));
  const std::string help = out_;
  EXPECT_EQ(run({"help"}), 0);
  EXPECT_EQ(out_, help);
  EXPECT_EQ(run({"help", "--all"}), 0);
  EXPECT_THAT(out_, HasSubstr("config.json"));
  EXPECT_EQ(run({"show", "--help"}), 0);
  EXPECT_THAT(out_, HasSubstr("usage: logwood show"));
  EXPECT_EQ(run({"help", "show"}), 0);
  EXPECT_THAT(out_, HasSubstr("usage: logwood show"));
  EXPECT_EQ(err_, "");
  EXPECT_EQ(run({"help", "shwo"}), 2);
  EXPECT_EQ(out_, "");
  EXPECT_EQ(err_, "logwood: there is no verb shwo; did you mean show?\n");
}

TEST_F(Program, ColoursWhatGoesToATerminal) {
  make_session();
  const auto is_coloured = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words{"show", "s"};
    words.insert(words.end(), options.begin(), options.end());
    EXPECT_EQ(run(words), 0) << err_;
    return out_.find('\x1b') != std::string::npos;
  };
  EXPECT_FALSE(is_coloured({}));
  EXPECT_TRUE(is_coloured({"--color", "always"}));
  around_.on_terminal = true;
  EXPECT_TRUE(is_coloured({}));
  EXPECT_FALSE(is_coloured({"--color=never"}));
  variables_["NO_COLOR"] = "1";
  EXPECT_FALSE(is_coloured({}));
  EXPECT_TRUE(is_coloured({"--color=always"})) << "said louder";
  variables_["NO_COLOR"] = "";
  variables_["TERM"] = "dumb";
  EXPECT_FALSE(is_coloured({}));
  EXPECT_EQ(run({"show", "s", "--color", "blue"}), 2);
  EXPECT_EQ(err_, "logwood: --color is auto, always or never, and not blue\n");
}

TEST_F(Program, PagesOnATerminalOnly) {
  make_session();
  variables_["PAGER"] = "more";
  EXPECT_EQ(run({"show", "s"}), 0);
  EXPECT_EQ(pager_, "");
  around_.on_terminal = true;
  EXPECT_EQ(run({"show", "s", "--json"}), 0);
  EXPECT_EQ(pager_, "");
  EXPECT_EQ(run({"show", "s"}), 0);
  EXPECT_EQ(pager_, "more");
  variables_["LOGWOOD_PAGER"] = "most";
  EXPECT_EQ(run({"show", "s"}), 0);
  EXPECT_EQ(pager_, "most");
  variables_["LOGWOOD_PAGER"] = "cat";
  pager_ = "";
  EXPECT_EQ(run({"show", "s"}), 0);
  EXPECT_EQ(pager_, "");
}

TEST_F(Program, FailsWhenItsOutputDoes) {
  make_session();
  finished_ = Error{ErrorCode::no_space, "cannot write"};
  EXPECT_EQ(run({"show", "s"}), 1);
  EXPECT_EQ(err_, "logwood: cannot write\n");
  EXPECT_EQ(run({"show", "nobody"}), 3) << "what went wrong first";
}

TEST_F(Program, StopsWhenInterrupted) {
  make_session();
  interrupted_ = true;
  EXPECT_EQ(run({"show", "s"}), 130);
  EXPECT_EQ(out_, "");
  EXPECT_EQ(run({"follow", "s"}), 130);
  typed_ = {R"({"type":"message","payload":{}})"};
  EXPECT_EQ(run({"append", "s"}), 130);
  EXPECT_EQ(err_, "logwood: interrupted: nothing was appended\n");
  interrupted_ = false;
  EXPECT_EQ(run({"verify", "s"}), 0);
  EXPECT_THAT(out_, HasSubstr("3 entries"));
}

TEST_F(Program, StopsBetweenBatchesAndSaysWhere) {
  make_session();
  typed_ = {R"({"type":"message","payload":{}})", R"({"type":"message","payload":{}})", "x"};
  around_.flush = [this] {
    interrupted_ = true;
    return Result<>();
  };
  EXPECT_EQ(run({"append", "s", "--each"}), 130);
  EXPECT_EQ(err_, "logwood: interrupted: 1 entry was appended, what follows was not\n");
}

TEST_F(Program, StopsWhenNobodyReads) {
  make_session();
  around_.is_heard = [] { return false; };
  EXPECT_EQ(run({"show", "s"}), 0);
  EXPECT_EQ(run({"follow", "s"}), 0);
  EXPECT_EQ(err_, "");
}

TEST_F(Program, AsksOnlyWhereSomebodyCanAnswer) {
  make_session();
  EXPECT_EQ(run({"erase", "s", "~0"}), 2);
  EXPECT_THAT(err_, HasSubstr("add --yes"));
  around_.can_ask = true;
  typed_ = {"n"};
  EXPECT_EQ(run({"erase", "s", "~0"}), 2);
  EXPECT_THAT(out_, HasSubstr("[y/N]"));
  EXPECT_EQ(err_, "logwood: nothing was done\n");
}

TEST_F(Program, StepsThroughAPath) {
  make_session();
  EXPECT_EQ(run({"show", "s", "--step"}), 0) << err_;
  EXPECT_THAT(out_, AllOf(StartsWith("1/2  user"), HasSubstr("\n2/2  assistant")));
  EXPECT_EQ(run({"show", "s", "--step", "--json"}), 0);
  EXPECT_THAT(out_, StartsWith(R"({"step":1,"of":2,"id":)"));
  EXPECT_EQ(run({"show", "s", "--step", "--raw"}), 2);
  around_.can_ask = true;
  typed_ = {"", "", "b", "b", "", "q", "not reached"};
  EXPECT_EQ(run({"show", "s", "--step"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("that was the last"));
  EXPECT_THAT(out_, HasSubstr("that was the first"));
  EXPECT_EQ(typed_.size(), 1U);
}

TEST_F(Program, LooksForTheStoreInOrder) {
  const auto store_of = [&](const std::vector<std::string>& words) {
    run(words);
    return err_;
  };
  EXPECT_THAT(store_of({"ls"}),
              HasSubstr("no store in " + folder_.path() + "/.local/share/logwood;"));
  variables_["LOGWOOD_STORE"] = "/no/variable";
  EXPECT_THAT(store_of({"ls"}), HasSubstr("no store in /no/variable;"));
  EXPECT_THAT(store_of({"ls", "--store", "/no/option"}), HasSubstr("no store in /no/option;"));
  variables_.clear();
  EXPECT_EQ(run({"ls"}), 2);
  EXPECT_THAT(err_, HasSubstr("HOME is not set"));
}

TEST_F(Program, ReadsStandardInputWhereAFileIsADash) {
  make_session();
  EXPECT_EQ(run({"verify", "--receipt", "-"}), 2);
  EXPECT_THAT(err_, Not(HasSubstr("cannot read")));
  EXPECT_EQ(run({"verify", "--receipt", "/no/such"}), 3);
  EXPECT_EQ(err_, "logwood: cannot read /no/such: No such file or directory\n");
}

TEST_F(Program, OffersProgressToWhatTakesLong) {
  Command command({}, {}, around_);
  EXPECT_TRUE(command.progress("a")(1, 2));
  EXPECT_EQ(err_, "") << "standard error is no terminal";
  around_.errors_on_terminal = true;
  {
    const Progress progress = command.progress("a");
    EXPECT_TRUE(progress(1, 2));
    EXPECT_TRUE(progress(1, 2));
    EXPECT_THAT(err_, HasSubstr("a  50 %"));
    interrupted_ = true;
    EXPECT_FALSE(progress(1, 2));
  }
  EXPECT_THAT(err_, ::testing::EndsWith("\r\x1b[K"));
}

}  // namespace
}  // namespace logwood::cli
