#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/verb.hpp"
#include "logwood/result.hpp"

namespace logwood::cli {

/// The words of a command line, told apart.
struct Arguments {
  const Verb* verb = nullptr;
  std::map<std::string, std::vector<std::string>, std::less<>> operands;  ///< by name
  std::map<std::string, std::string, std::less<>> options;                ///< by name; flags ""

  [[nodiscard]] bool has(std::string_view option) const { return options.contains(option); }
  [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
  [[nodiscard]] std::optional<std::string> operand(std::string_view name) const;

  /// `invalid_argument` when more than one of these, options or operands, was given.
  [[nodiscard]] Result<> check_at_most_one(std::initializer_list<std::string_view> names) const;
};

/// `words` are what follows the verb. Options stand anywhere, until a word `--`: `--name VALUE`,
/// `--name=VALUE`, `-n VALUE`, `-nVALUE`; of several the last counts. `invalid_argument` says what
/// does not fit. With --help nothing has to be complete.
Result<Arguments> parse_arguments(const Verb& verb, const std::vector<std::string>& words);

}  // namespace logwood::cli
