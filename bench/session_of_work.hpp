// Sessions as agents leave them, made from a seed: messages of 1.8 KB on average, some short and
// some long, text with escapes and beyond ASCII, and now and then a step back to try something
// else, so that about one entry in 25 has more than one child.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/uuid.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"

namespace logwood::bench {

/// A small generator (splitmix64): the same numbers on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15ULL);
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
    return mixed ^ (mixed >> 31U);
  }
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }
  /// Between 0 and 1.
  double share() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Text that stands in a JSON string, escapes and all.
class JsonProse {
 public:
  explicit JsonProse(Dice& dice) {
    constexpr std::string_view words[] = {
        "the",    "parser", "reads", "a",       "line",     "and",   "returns", "nothing",
        "when",   "it",     "ends",  "const",   "result",   "=",     "await",   "store.append(",
        "if",     "(",      ")",     "failed:", "expected", "42",    "but",     "was",
        "tests/", "src/",   ".cpp",  "error",   "warning",  "→",     "größer",  "日本語",
        "while",  "tokens", R"(\n)", R"(\n)",   R"(\")",    R"(\t)", "{",       "}"};
    while (text_.size() < 1U << 20U) {
      starts_.push_back(text_.size());
      text_ += words[dice.below(std::size(words))];
      text_ += ' ';
    }
  }

  /// About `size_bytes` of it, from somewhere, with whole words at both ends.
  [[nodiscard]] std::string_view some(Dice& dice, std::size_t size_bytes) const {
    const std::size_t most = text_.size() / 2;
    const std::size_t first = dice.below(starts_.size() / 2);
    const std::size_t end = starts_[first] + std::min(size_bytes, most);
    const auto last = std::upper_bound(starts_.begin(), starts_.end() - 1, end);
    return std::string_view(text_).substr(starts_[first], *last - starts_[first]);
  }

 private:
  std::string text_;
  std::vector<std::size_t> starts_;
};

/// One step of an agent's work.
struct Step {
  std::string id;
  std::string parent_id;   ///< empty: the first
  bool goes_back = false;  ///< the parent is not the step before
  std::string_view role;
  std::string_view prose;  ///< valid until the generator goes
};

class SessionOfWork {
 public:
  explicit SessionOfWork(std::uint64_t seed) : dice_(seed), prose_(dice_) {}

  /// What follows belongs to a session of its own.
  void begin() { recent_.clear(); }

  Step next() {
    Step step;
    step.id = new_id();
    if (!recent_.empty()) {
      // A step back goes a few entries, seldom many.
      step.goes_back = recent_.size() > 8 && dice_.share() < 0.045;
      const std::size_t back = step.goes_back ? 2 + dice_.below(6) : 1;
      step.parent_id = recent_[recent_.size() - back];
      if (step.goes_back) recent_.resize(recent_.size() - back + 1);
    }
    recent_.push_back(step.id);
    if (recent_.size() > 64) recent_.erase(recent_.begin(), recent_.begin() + 32);
    constexpr std::string_view roles[] = {"user", "assistant", "toolResult", "assistant",
                                          "toolResult"};
    step.role = roles[count_++ % std::size(roles)];
    // Log-normal, as message sizes are; the factor makes lines of 1.79 KB on average.
    const double normal = std::sqrt(-2 * std::log(1 - dice_.share())) *
                          std::cos(2 * 3.141592653589793 * dice_.share());
    step.prose = prose_.some(dice_, static_cast<std::size_t>(935 * std::exp(0.95 * normal)));
    return step;
  }

 private:
  std::string new_id() {
    std::array<std::uint8_t, 10> random{};
    for (std::uint8_t& byte : random) byte = static_cast<std::uint8_t>(dice_.next());
    return uuid_v7(1'780'000'000'000 + count_ * 900, random);
  }

  Dice dice_;
  JsonProse prose_;
  std::vector<std::string> recent_;
  std::uint64_t count_ = 0;
};

inline Draft draft_of(const Step& step) {
  std::string text;
  text.reserve(step.prose.size() + 256);
  text += '{';
  if (step.goes_back) text.append(R"("parentId":")").append(step.parent_id).append(R"(",)");
  text.append(R"("type":"message","payload":{"role":")").append(step.role);
  text.append(R"(","content":[{"type":"text","text":")").append(step.prose);
  text += R"("}]}})";
  return {std::move(text)};
}

/// Fills sessions with work, in batches. Its store hands out the ids that the work has.
class Workshop {
 public:
  Workshop(const std::string& folder, std::uint64_t seed)
      : work_(seed), store_(must(Store::open(folder, options()))) {}

  SessionId make_session(std::size_t entries) {
    const SessionId session = must(store_.create()).id;
    work_.begin();
    add(session, entries);
    return session;
  }

  /// Goes on until the session's file has `size_bytes`.
  SessionId make_session_of_size(const std::string& folder, std::uint64_t size_bytes) {
    const SessionId session = must(store_.create()).id;
    const std::string path = folder + "/sessions/" + session.text + ".jsonl";
    while (std::ifstream(path, std::ios::ate).tellg() < static_cast<std::streamoff>(size_bytes)) {
      add(session, 5000);
    }
    return session;
  }

  /// Syncs, leaves an index and lets go.
  void close() { must(store_.close()); }

 private:
  StoreOptions options() {
    StoreOptions options;
    options.create = StoreOptions::Create::if_missing;
    options.sync_interval = std::chrono::milliseconds(0);
    options.new_id = [this] { return EntryId{next_ids_[ids_taken_++]}; };
    return options;
  }

  void add(const SessionId& session, std::size_t entries) {
    std::vector<Draft> drafts;
    while (entries > 0) {
      drafts.clear();
      next_ids_.clear();
      ids_taken_ = 0;
      // A turn of an agent: a message, or one and what its tools answered.
      for (std::size_t left = std::min(entries, 1 + batches_++ % 4); left > 0; --left) {
        Step step = work_.next();
        drafts.push_back(draft_of(step));
        next_ids_.push_back(std::move(step.id));
      }
      must(store_.append(session, drafts, {.durability = Durability::buffered}));
      entries -= drafts.size();
    }
  }

  SessionOfWork work_;
  std::vector<std::string> next_ids_;
  std::size_t ids_taken_ = 0;
  std::size_t batches_ = 0;
  Store store_;
};

}  // namespace logwood::bench
