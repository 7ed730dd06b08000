// Random turns of persons, models and tools, for whoever writes them down in a format of an agent.
#pragma once

#include <fmt/format.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace logwood {

/// What a tool was asked, and what came of it.
struct Call {
  enum class End { answered, failed, open };
  std::string id;
  std::string asked;  ///< a mark, as all of the following
  std::string answer;
  std::string picture;  ///< that came with the answer; empty: none did
  End end = End::answered;
};

/// What a person or a model says in one go.
struct Turn {
  bool is_user = false;
  std::string id;
  std::vector<std::string> thoughts;
  std::vector<std::string> texts;
  std::vector<std::string> pictures;
  std::vector<Call> calls;
};

/// Makes them, and all that differs from file to file.
class Maker {
 public:
  explicit Maker(std::mt19937_64& random) : random_(random) {}

  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  std::string mark() { return fmt::format("MK{}K", ++marks_); }
  std::string name(std::string_view kind) { return fmt::format("{}{}", kind, ++names_); }
  std::string time() {
    ++seconds_;
    return fmt::format("2026-01-31T08:{:02}:{:02}.000Z", seconds_ / 60 % 60, seconds_ % 60);
  }
  std::size_t milliseconds() { return 1'769'846'400'000 + ++seconds_ * 1000; }
  /// A break where documents that people can read have one.
  std::string_view gap() { return is_indented_ ? "\n  " : ""; }
  void choose_layout() { is_indented_ = chance(2); }

  Turn user() {
    Turn turn;
    turn.is_user = true;
    turn.id = name("m");
    for (std::size_t count = 1 + below(2); count > 0; --count) turn.texts.push_back(mark());
    if (chance(4)) turn.pictures.push_back(mark());
    return turn;
  }

  Turn assistant() {
    Turn turn;
    turn.id = name("m");
    if (chance(2)) turn.thoughts.push_back(mark());
    if (!chance(4)) turn.texts.push_back(mark());
    for (std::size_t count = turn.texts.empty() ? 1 : below(3); count > 0; --count)
      turn.calls.push_back(call());
    return turn;
  }

  Call call() {
    Call call{name("call-"), mark(), mark(), "", static_cast<Call::End>(below(3))};
    if (call.end == Call::End::answered && chance(3)) call.picture = mark();
    return call;
  }

  /// Somebody asks, and a model answers, perhaps in steps.
  std::vector<Turn> turns() {
    std::vector<Turn> all;
    for (std::size_t count = 1 + below(4); count > 0; --count) {
      all.push_back(user());
      for (std::size_t steps = below(3); steps > 0; --steps) all.push_back(assistant());
    }
    return all;
  }

 private:
  std::mt19937_64& random_;
  std::size_t marks_ = 0;
  std::size_t names_ = 0;
  std::size_t seconds_ = 0;
  bool is_indented_ = false;
};

/// A mark among words, as a JSON string.
inline std::string quoted(Maker& maker, const std::string& mark) {
  static constexpr std::array words = {
      "look at this",      "第二行\\n会话", "it\\u0027s \\\"quoted\\\"", "\\ud83d\\ude00 ok",
      "half \\ud83d pair", "a\\\\b",        "]},{\\\"id\\\":1",          "<b>\\u0000\\t</b>"};
  return fmt::format("\"{} {}\"", mark, words[maker.below(words.size())]);
}

inline std::string base64(const std::string& mark) { return fmt::format("AAAA{}AAAA", mark); }

template <typename... Lists>
void add(std::vector<std::string>& to, const Lists&... lists) {
  (to.insert(to.end(), lists.begin(), lists.end()), ...);
}

inline void add_answers(std::vector<std::string>& to, const Turn& turn) {
  for (const Call& call : turn.calls) {
    if (call.end != Call::End::open) to.push_back(call.answer);
  }
}

/// With their pictures, where the format has room for them.
inline void add_whole_answers(std::vector<std::string>& to, const Turn& turn) {
  for (const Call& call : turn.calls) {
    if (call.end == Call::End::open) continue;
    to.push_back(call.answer);
    if (!call.picture.empty()) to.push_back(call.picture);
  }
}

inline void add_calls(std::vector<std::string>& to, const Turn& turn) {
  for (const Call& call : turn.calls) to.push_back(call.asked);
}

inline std::string joined(const std::vector<std::string>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

}  // namespace logwood
