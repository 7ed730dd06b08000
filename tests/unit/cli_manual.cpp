#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/arguments.hpp"
#include "cli/completion.hpp"
#include "cli/manual.hpp"

namespace logwood::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Edition edition{"1.2.3", "November 15, 2026"};

// Words as a shell tells them apart, for commands with quotes but without variables.
std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (const char character : command) {
    if (quote == '\0' && (character == ' ' || character == ')')) {
      in_word = false;
      if (character == ')') break;  // the end of $(…)
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote == '\0' && character == '\'') {
      quote = character;
    } else if (character == quote) {
      quote = '\0';
    } else {
      words.back() += character;
    }
  }
  return words;
}

// What follows `logwood ` in an example, up to a pipe.
std::vector<std::string> arguments_in(std::string_view command) {
  constexpr std::string_view program = "logwood ";
  const std::size_t begin = command.find(program);
  if (begin == std::string_view::npos) return {};
  command.remove_prefix(begin + program.size());
  return words_of(command.substr(0, command.find(" |")));
}

// An option without its first hyphen, as mdoc spells it.
std::string in_mdoc(const Option& option) {
  std::string spelled;
  for (const char character : option.name().substr(1)) {
    if (character == '-') spelled += '\\';
    spelled += character;
  }
  return spelled;
}

void expect_accepted(const Example& example) {
  const std::vector<std::string> words = arguments_in(example.command);
  ASSERT_FALSE(words.empty()) << example.command;
  const Verb* const verb = find_verb(words.front());
  ASSERT_NE(verb, nullptr) << example.command;
  const auto parsed = parse_arguments(*verb, {words.begin() + 1, words.end()});
  EXPECT_TRUE(parsed) << example.command << ": " << parsed.error().message;
  EXPECT_FALSE(example.purpose.ends_with('.')) << example.purpose;
}

TEST(Manual, ShowsOnlyExamplesThatTheProgramAccepts) {
  for (const Example& example : examples_of("")) expect_accepted(example);
  for (const Verb& verb : all_verbs()) {
    for (const Example& example : examples_of(verb.name)) expect_accepted(example);
  }
}

TEST(Manual, HasAPageForEveryVerbWithAllItTakes) {
  for (const Verb& verb : all_verbs()) {
    const std::string page = manual_of(verb, edition);
    for (const Operand& operand : verb.operands)
      EXPECT_THAT(page, HasSubstr(".It Ar " + std::string(operand.name))) << verb.name;
    for (const Option& option : verb.options)
      EXPECT_THAT(page, HasSubstr(in_mdoc(option))) << verb.name;
    EXPECT_THAT(manual_of_program(edition), HasSubstr(".Xr logwood-" + std::string(verb.name)));
  }
}

TEST(Manual, HasTheUsualSections) {
  const std::string page = manual_of(*find_verb("append"), edition);
  std::size_t at = 0;
  for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "ENVIRONMENT",
                              "EXIT STATUS", "EXAMPLES", "SEE ALSO"}) {
    at = page.find(".Sh " + std::string(section) + "\n", at);
    ASSERT_NE(at, std::string::npos) << section;
  }
}

TEST(Manual, TakesNoTextForARequest) {
  const Verb hostile{.name = "odd",
                     .summary = "shows .Sh and \\fB",
                     .operands = {{"FILE", ".Sh INJECTED"}},
                     .options = {{"--all", "", "'begins with a quote …"}},
                     .details = "A line.\n.Sh INJECTED"};
  const std::string page = manual_of(hostile, edition);
  EXPECT_THAT(page, Not(HasSubstr("\n.Sh INJECTED")));
  EXPECT_THAT(page, Not(HasSubstr("\n'begins")));
  EXPECT_THAT(page, HasSubstr("\\efB"));
  EXPECT_THAT(page, HasSubstr("\\[u2026]"));
}

TEST(Completion, KnowsEveryVerbAndOption) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto script = completion_script(shell);
    ASSERT_TRUE(script) << shell;
    for (const Verb& verb : all_verbs()) {
      EXPECT_THAT(*script, HasSubstr(std::string(verb.name))) << shell;
      for (const Option& option : verb.options)
        EXPECT_THAT(*script, HasSubstr(std::string(option.name().substr(2)))) << shell;
    }
  }
  EXPECT_FALSE(completion_script("tcsh"));
}

}  // namespace
}  // namespace logwood::cli
