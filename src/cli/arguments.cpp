#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/spelling.hpp"

namespace logwood::cli {
namespace {

class Parser {
 public:
  Parser(const Verb& verb, const std::vector<std::string>& words) : verb_(verb), words_(words) {
    for (const auto* options : {&verb.options, &options_of_every_verb()}) {
      for (const Option& option : *options) {
        for (const std::string_view name : spellings_of(option)) known_.emplace(name, &option);
      }
    }
  }

  Result<Arguments> parse() {
    result_.verb = &verb_;
    bool options_ended = false;
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (!options_ended && word == "--") {
        options_ended = true;
      } else if (options_ended || !word.starts_with('-') || word == "-") {
        given_.push_back(word);
      } else if (word.starts_with("--")) {
        LOGWOOD_CHECK(take_long(word));
      } else {
        LOGWOOD_CHECK(take_short(word));
      }
    }
    if (!result_.has("--help")) LOGWOOD_CHECK(take_operands());
    return std::move(result_);
  }

 private:
  // Beginning with the verb, where there is one.
  Error refused(std::string_view why) const {
    return {ErrorCode::invalid_argument,
            fmt::format("{}{}{}", verb_.name, verb_.name.empty() ? "" : ": ", why)};
  }

  Error wrong(std::string_view why) const {
    return refused(fmt::format("{}; logwood {}{}--help shows how", why, verb_.name,
                               verb_.name.empty() ? "" : " "));
  }

  Error unknown(std::string_view name) const {
    std::vector<std::string_view> names;
    for (const auto& [known, option] : known_) {
      if (known.starts_with("--")) names.push_back(known);
    }
    const std::string_view near = name.starts_with("--") ? nearest_word(name, names) : "";
    if (!near.empty()) {
      return refused(fmt::format("there is no option {}; did you mean {}?", name, near));
    }
    if (verb_.operands.empty()) return wrong(fmt::format("there is no option {}", name));
    return wrong(
        fmt::format("there is no option {}, and other words that begin with - go after --", name));
  }

  Result<> take_long(std::string_view word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(0, equals);
    const auto found = known_.find(name);
    if (found == known_.end()) return unknown(name);
    const Option& option = *found->second;
    if (equals == word.size()) return take(option, name);
    if (option.value.empty()) return wrong(fmt::format("{} takes no value", name));
    result_.options[std::string(option.name())] = word.substr(equals + 1);
    return {};
  }

  // -a, -n 5, -n5, -an5
  Result<> take_short(std::string_view word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name = fmt::format("-{}", word[i]);
      const auto found = known_.find(name);
      if (found == known_.end()) return unknown(word);
      const Option& option = *found->second;
      if (option.value.empty() || i + 1 == word.size()) {
        LOGWOOD_CHECK(take(option, name));
        continue;
      }
      result_.options[std::string(option.name())] = word.substr(i + 1);
      break;
    }
    return {};
  }

  // An option whose value, if it takes one, is the next word, whatever that looks like.
  Result<> take(const Option& option, std::string_view name) {
    std::string value;
    if (!option.value.empty()) {
      if (at_ == words_.size()) return wrong(fmt::format("{} needs {}", name, option.value));
      value = words_[at_++];
    }
    result_.options[std::string(option.name())] = std::move(value);
    return {};
  }

  Result<> take_operands() {
    std::size_t next = 0;
    for (const Operand& operand : verb_.operands) {
      std::vector<std::string>& values = result_.operands[std::string(operand.name)];
      if (operand.count == Count::any) {
        values.assign(given_.begin() + static_cast<std::ptrdiff_t>(next), given_.end());
        return {};
      }
      if (next < given_.size()) {
        values.push_back(given_[next++]);
      } else if (operand.count == Count::one) {
        return wrong(fmt::format("{} is missing", operand.name));
      }
    }
    if (next < given_.size()) return wrong(fmt::format("{} is one word too many", given_[next]));
    return {};
  }

  const Verb& verb_;
  const std::vector<std::string>& words_;
  std::map<std::string, const Option*, std::less<>> known_;
  std::size_t at_ = 0;
  std::vector<std::string> given_;  // what is no option
  Arguments result_;
};

}  // namespace

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> Arguments::operand(std::string_view name) const {
  const auto found = operands.find(name);
  if (found == operands.end() || found->second.empty()) return std::nullopt;
  return found->second.front();
}

Result<> Arguments::check_at_most_one(std::initializer_list<std::string_view> names) const {
  std::string_view given;
  for (const std::string_view name : names) {
    if (!has(name) && !operand(name)) continue;
    if (!given.empty()) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("{} and {} contradict each other; choose one", given, name)};
    }
    given = name;
  }
  return {};
}

Result<Arguments> parse_arguments(const Verb& verb, const std::vector<std::string>& words) {
  return Parser(verb, words).parse();
}

}  // namespace logwood::cli
