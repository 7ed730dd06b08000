// One run of the program: its arguments, the store it is about, and where its output goes.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/all_sessions.hpp"
#include "cli/arguments.hpp"
#include "cli/settings.hpp"
#include "logwood/progress.hpp"
#include "logwood/store.hpp"

namespace logwood::cli {

/// What a run sees of the world around it; tests bring their own.
struct Surroundings {
  std::function<std::string(const char*)> variable;  ///< of the environment; empty: not set
  std::string folder;                                ///< in which it was started
  std::function<void(std::string_view)> out;
  std::function<void(std::string_view)> err;
  /// From now on, what is longer than the screen goes through this pager.
  std::function<void(const std::string& command)> page = [](const std::string&) {};
  /// Writes what was printed so far, now and without a pager; or says why it cannot be written.
  std::function<Result<>()> flush = [] { return Result<>(); };
  /// The same when nothing follows, at the end of the run; the pager has been left by then.
  std::function<Result<>()> finish = [] { return Result<>(); };
  /// All of standard input, and its next line; nothing at its end.
  std::function<Result<std::string>(std::size_t size_max)> input;
  std::function<Result<std::optional<std::string>>(std::size_t size_max)> line;
  /// The next bytes of it; 0 at its end.
  std::function<Result<std::size_t>(std::span<char>)> some_input;
  bool on_terminal = false;         ///< what it prints goes to a person
  bool errors_on_terminal = false;  ///< what it says on standard error does
  bool can_ask = false;             ///< a person sees questions and types answers
  std::size_t columns = 80;
  std::function<std::chrono::system_clock::time_point()> now;
  /// Runs another program in a folder in place of this one; returns only when that fails.
  std::function<Result<>(const std::vector<std::string>& words, const std::string& folder)> become;
  /// Somebody pressed Ctrl-C.
  std::function<bool()> is_interrupted = [] { return false; };
  /// Somebody still reads what is printed.
  std::function<bool()> is_heard = [] { return true; };
};

/// Whether a verb needs a store that is there, or makes one.
enum class Needs : unsigned char { store, store_or_new_one };

class Command {
 public:
  Command(Arguments arguments, Settings settings, Surroundings& around)
      : arguments_(std::move(arguments)), settings_(std::move(settings)), around_(around) {}

  [[nodiscard]] const Arguments& arguments() const { return arguments_; }
  [[nodiscard]] bool as_json() const { return arguments_.has("--json"); }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const Surroundings& around() const { return around_; }
  [[nodiscard]] std::size_t columns() const { return around_.columns; }

  /// --store, LOGWOOD_STORE, what is set, or the place for a user's data; empty when none is known.
  [[nodiscard]] std::string store_folder() const;
  [[nodiscard]] bool store_is_database() const;
  Result<Store> open_store(Needs needs = Needs::store) const;
  /// The same of another store than the one it is about.
  static Result<Store> open_store_at(const std::string& place, Needs needs);

  /// The session that the operand SESSION names, in a store that is to be changed.
  Result<SessionId> session(Store& store) const;

  /// The same for those who only read: also one of another agent, or a file of one.
  Result<api::FoundSession> found_session() const;

  /// The sessions of other agents on this machine.
  Result<Store> open_agents() const;

  /// The store, if there is one, and what other agents have on this machine.
  Result<api::AllSessions> all_sessions() const;

  /// Trusted text, or one that went through printable().
  void print(std::string_view text) const { around_.out(text); }

  /// The folder that a person named, as a program that is started in it sees it: absolute, links
  /// followed as far as they lead somewhere. An empty name stays one: no folder.
  [[nodiscard]] std::string folder(const std::string& name) const;

  /// A whole number, at least `least`, that an option gives.
  Result<std::size_t> number(std::string_view option, std::size_t otherwise,
                             std::size_t least = 1) const;

  /// What was printed reaches the reader now: before a question, or while waiting for more.
  Result<> flush() const { return around_.flush(); }

  /// Whether a long loop should go on: nobody pressed Ctrl-C, and somebody reads what it prints.
  [[nodiscard]] bool goes_on() const { return !around_.is_interrupted() && around_.is_heard(); }
  /// What a verb returns when it should not; `so_far` says what was done and what was not, and may
  /// be empty where that is plain. Nothing went wrong where only the reader has left.
  [[nodiscard]] Result<> stopped(std::string_view so_far = {}) const;

  /// For something that may take long: shows on a terminal how far it has come, and stops it at
  /// Ctrl-C. `unit` is what is counted, "sessions"; empty: bytes.
  [[nodiscard]] Progress progress(std::string_view what, std::string_view unit = {}) const;
  /// Of what lists and searches read before they answer.
  [[nodiscard]] Progress reading() const { return progress("reading sessions"); }

  /// The answer of a person who was asked; nothing when they left (Ctrl-C, Ctrl-D).
  Result<std::optional<std::string>> ask(std::string_view question) const;

  /// The file that a person named, `-` for standard input.
  Result<std::string> read_file(const std::string& path, std::size_t size_max) const;

  /// In colour on a terminal that wants it.
  [[nodiscard]] bool has_colour() const;
  [[nodiscard]] std::string bold(std::string_view printable_text) const;
  [[nodiscard]] std::string dim(std::string_view printable_text) const;

 private:
  [[nodiscard]] std::string coloured(std::string_view code, std::string_view text) const;

  Arguments arguments_;
  Settings settings_;
  Surroundings& around_;
};

/// Runs the program; `words` are without its own name. Returns its exit status.
int run_program(const std::vector<std::string>& words, Surroundings& around);

}  // namespace logwood::cli
