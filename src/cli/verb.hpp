// What a verb of the program is: one row of a table, from which arguments are parsed and help, man
// pages and completions are written.
#pragma once

#include <string_view>
#include <vector>

#include "logwood/result.hpp"

namespace logwood::cli {

class Command;

/// How often an operand is given.
enum class Count : unsigned char { one, at_most_one, any };

struct Operand {
  std::string_view name;  ///< SESSION
  std::string_view help;
  Count count = Count::one;
  std::string_view choices = {};  ///< the words it may be, with `|` between; empty: anything
};

struct Option {
  std::string_view names;  ///< `-a,--all`; the last is the one that verbs ask for
  std::string_view value;  ///< what it takes, `TEXT`; empty: nothing
  std::string_view help;
  std::string_view choices = {};  ///< as of an operand

  [[nodiscard]] std::string_view name() const { return names.substr(names.rfind(',') + 1); }
};

/// `-a` and `--all`, one by one.
[[nodiscard]] std::vector<std::string_view> spellings_of(const Option& option);

struct Verb {
  std::string_view name;
  std::string_view summary;  ///< one line, a clause without a full stop
  std::vector<Operand> operands;
  std::vector<Option> options;  ///< beside those that every verb has
  std::string_view details;     ///< for its manual page
  Result<> (*run)(Command&) = nullptr;
};

/// In the order in which they are explained.
[[nodiscard]] const std::vector<Verb>& all_verbs();

/// What the program does without a verb; its name is empty.
[[nodiscard]] const Verb& overview();

/// A command somebody could type, and what it is for: a clause without a full stop.
struct Example {
  std::string_view purpose;
  std::string_view command;
};

/// For the manual page of a verb, or with an empty name for that of the program. May be none.
[[nodiscard]] const std::vector<Example>& examples_of(std::string_view verb);

/// `--store`, `--json`, … which every verb has.
[[nodiscard]] const std::vector<Option>& options_of_every_verb();

/// Nothing when there is no such verb.
[[nodiscard]] const Verb* find_verb(std::string_view name);

/// The verb that somebody who typed `name` may have meant; nothing when none is near.
[[nodiscard]] const Verb* nearest_verb(std::string_view name);

}  // namespace logwood::cli
