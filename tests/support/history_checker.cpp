#include "support/history_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/history_model.hpp"

namespace logwood {
namespace {

using Verdict = HistoryVerdict::Kind;

// The calls and answers of one session in order of time, as a list from which
// operations are taken out and put back in constant time.
class EventList {
 public:
  static constexpr std::size_t head = 0;

  struct Event {
    std::size_t operation = 0;
    bool is_call = false;
    std::size_t partner = 0;  // the answer of a call
    std::size_t before = 0;
    std::size_t after = 0;
  };

  explicit EventList(const std::vector<const HistoryOperation*>& operations) {
    struct Moment {
      std::int64_t time;
      bool is_answer;  // at the same time calls come first: nobody knows better
      std::size_t operation;
      auto operator<=>(const Moment&) const = default;
    };
    std::vector<Moment> moments;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      moments.push_back({operations[i]->called_ns, false, i});
      moments.push_back({operations[i]->answered_ns, true, i});
    }
    std::sort(moments.begin(), moments.end());
    std::vector<std::size_t> call_of(operations.size());
    events_.resize(moments.size() + 1);
    for (std::size_t i = 0; i < moments.size(); ++i) {
      const std::size_t at = i + 1;
      Event& event = events_[at];
      event.operation = moments[i].operation;
      event.is_call = !moments[i].is_answer;
      event.before = at - 1;
      event.after = at == moments.size() ? head : at + 1;
      if (event.is_call) {
        call_of[event.operation] = at;
      } else {
        events_[call_of[event.operation]].partner = at;
      }
    }
    events_[head].after = moments.empty() ? head : 1;
    events_[head].before = moments.size();
  }

  [[nodiscard]] const Event& operator[](std::size_t at) const { return events_[at]; }
  [[nodiscard]] std::size_t first() const { return events_[head].after; }

  void take_out(std::size_t call) {
    unlink(call);
    unlink(events_[call].partner);
  }
  void put_back(std::size_t call) {
    relink(events_[call].partner);
    relink(call);
  }

 private:
  void unlink(std::size_t at) {
    events_[events_[at].before].after = events_[at].after;
    events_[events_[at].after].before = events_[at].before;
  }
  void relink(std::size_t at) {
    events_[events_[at].before].after = at;
    events_[events_[at].after].before = at;
  }

  std::vector<Event> events_;
};

// Which operations were done, and the session that came of it: tried before?
class Tried {
 public:
  // True when this is new.
  bool remember(const std::vector<bool>& done, const SessionModel& session) {
    std::vector<Known>& known = by_hash_[std::hash<std::vector<bool>>{}(done)];
    for (const Known& one : known) {
      if (one.first == done && one.second == session) return false;
    }
    known.emplace_back(done, session);
    return true;
  }

 private:
  using Known = std::pair<std::vector<bool>, SessionModel>;
  std::unordered_map<std::size_t, std::vector<Known>> by_hash_;
};

class SessionSearch {
 public:
  explicit SessionSearch(std::vector<const HistoryOperation*> operations)
      : operations_(std::move(operations)), events_(operations_), done_(operations_.size()) {
    for (const HistoryOperation* operation : operations_) answers_left_ += operation->is_answered();
  }

  HistoryVerdict run() {
    std::size_t at = events_.first();
    while (answers_left_ > 0) {
      if (++steps_ > steps_max) return verdict(Verdict::gave_up);
      if (events_[at].is_call && try_next(at)) {
        at = events_.first();
        continue;
      }
      if (events_[at].is_call) {
        at = events_[at].after;
        continue;
      }
      // Its answer came before anything else could be done: an earlier choice was wrong.
      // One without effect was none: it can always be done as early as it fits.
      do {
        if (chosen_.empty()) return verdict(Verdict::not_linearizable);
        at = take_back();
      } while (!last_had_effect_);
    }
    return verdict(Verdict::linearizable);
  }

 private:
  struct Choice {
    std::size_t call;
    SessionModel before;
    bool has_effect;
  };

  bool try_next(std::size_t call) {
    const std::size_t index = events_[call].operation;
    const HistoryOperation& operation = *operations_[index];
    SessionModel after = session_;
    const HistoryAnswer answer = after.apply(operation.call);
    const bool has_effect = !(after == session_);
    if (operation.is_answered() && answer != operation.answer) return false;
    if (!operation.is_answered() && !has_effect) return false;  // may as well never be done
    if (has_effect && !leads_to_the_loads(after)) return false;
    done_[index] = true;
    if (has_effect && !tried_.remember(done_, after)) {
      done_[index] = false;
      return false;
    }
    chosen_.push_back({call, std::exchange(session_, std::move(after)), has_effect});
    events_.take_out(call);
    if (operation.is_answered()) --answers_left_;
    if (chosen_.size() > best_.size()) remember_best();
    return true;
  }

  // A session only grows, so it must be the beginning of what is still to be loaded.
  [[nodiscard]] bool leads_to_the_loads(const SessionModel& session) const {
    const std::vector<HistoryEntry>& entries = session.entries();
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const auto* load = std::get_if<LoadCall>(&operations_[i]->call);
      if (done_[i] || load == nullptr || load->limit || !operations_[i]->is_answered()) continue;
      const auto& seen = std::get<EntriesSeen>(operations_[i]->answer).entries;
      if (seen.size() < entries.size() ||
          !std::equal(entries.begin(), entries.end(), seen.begin())) {
        return false;
      }
    }
    return true;
  }

  // Returns where to go on looking.
  std::size_t take_back() {
    Choice last = std::move(chosen_.back());
    chosen_.pop_back();
    events_.put_back(last.call);
    const std::size_t index = events_[last.call].operation;
    done_[index] = false;
    if (operations_[index]->is_answered()) ++answers_left_;
    session_ = std::move(last.before);
    last_had_effect_ = last.has_effect;
    return events_[last.call].after;
  }

  void remember_best() {
    best_.clear();
    for (const Choice& choice : chosen_) best_.push_back(events_[choice.call].operation);
  }

  HistoryVerdict verdict(Verdict kind) const {
    HistoryVerdict verdict{kind, {}, steps_};
    if (kind == Verdict::linearizable) return verdict;
    verdict.explanation = fmt::format("{}; the best order so far has {} of {} operations:\n",
                                      kind == Verdict::gave_up ? "gave up" : "no order fits",
                                      best_.size(), operations_.size());
    std::vector<bool> in_best(operations_.size());
    for (const std::size_t index : best_) {
      in_best[index] = true;
      verdict.explanation += "  " + describe(*operations_[index]) + '\n';
    }
    verdict.explanation += "and none of these can come next:\n";
    std::int64_t first_answer = never_ns;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (!in_best[i]) first_answer = std::min(first_answer, operations_[i]->answered_ns);
    }
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (in_best[i] || operations_[i]->called_ns > first_answer) continue;
      verdict.explanation += "  " + describe(*operations_[i]) + '\n';
    }
    return verdict;
  }

  std::vector<const HistoryOperation*> operations_;
  EventList events_;
  std::vector<bool> done_;
  SessionModel session_;
  std::vector<Choice> chosen_;
  bool last_had_effect_ = false;  // of the choice that was taken back
  std::vector<std::size_t> best_;
  Tried tried_;
  std::size_t answers_left_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

HistoryVerdict check_history(const History& history) {
  std::map<std::uint32_t, std::vector<const HistoryOperation*>> sessions;
  for (const HistoryOperation& operation : history) {
    sessions[operation.session].push_back(&operation);
  }
  HistoryVerdict total;
  for (auto& [session, operations] : sessions) {
    HistoryVerdict verdict = SessionSearch(std::move(operations)).run();
    verdict.steps += total.steps;
    total = std::move(verdict);
    if (!total.is_linearizable()) break;
  }
  return total;
}

}  // namespace logwood
