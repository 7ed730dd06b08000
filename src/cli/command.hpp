// One run of the program: its arguments, the store it is about, and where its output goes.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "logwood/store.hpp"

namespace logwood::cli {

/// What a run sees of the world around it; tests bring their own.
struct Surroundings {
  std::function<std::string(const char*)> variable;  ///< of the environment; empty: not set
  std::string folder;                                ///< in which it was started
  std::function<void(std::string_view)> out;
  std::function<void(std::string_view)> err;
  std::function<std::string()> input;                      ///< all of standard input
  std::function<std::size_t(std::span<char>)> some_input;  ///< the next of it; 0 at its end
  std::function<std::string()> line;                       ///< one line that a person types
  bool on_terminal = false;                                ///< what it prints goes to a person
  std::size_t columns = 80;
  std::function<std::chrono::system_clock::time_point()> now;
};

/// Whether a verb needs a store that is there, or makes one.
enum class Needs : unsigned char { store, store_or_new_one };

class Command {
 public:
  Command(Arguments arguments, Surroundings& around)
      : arguments_(std::move(arguments)), around_(around) {}

  [[nodiscard]] const Arguments& arguments() const { return arguments_; }
  [[nodiscard]] bool as_json() const { return arguments_.has("--json"); }
  [[nodiscard]] const Surroundings& around() const { return around_; }
  [[nodiscard]] std::size_t columns() const { return around_.columns; }

  /// --store, LOGWOOD_STORE, or the place for a user's data.
  [[nodiscard]] std::string store_folder() const;
  Result<Store> open_store(Needs needs = Needs::store) const;

  /// The session that the operand SESSION names.
  Result<SessionId> session(Store& store) const;

  /// Trusted text, or one that went through printable().
  void print(std::string_view text) const { around_.out(text); }

  /// In colour on a terminal that wants it.
  [[nodiscard]] std::string bold(std::string_view printable_text) const;
  [[nodiscard]] std::string dim(std::string_view printable_text) const;

 private:
  [[nodiscard]] std::string coloured(std::string_view code, std::string_view text) const;

  Arguments arguments_;
  Surroundings& around_;
};

/// Runs the program; `words` are without its own name. Returns its exit status.
int run_program(const std::vector<std::string>& words, Surroundings& around);

}  // namespace logwood::cli
