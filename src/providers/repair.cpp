#include "providers/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace logwood::providers {
namespace {

using canonical::Request;

// Says what is known: the tool may have run.
constexpr std::string_view interrupted =
    "Tool execution was interrupted before a result was recorded.";

bool is_call(const Part& part) { return part.kind == PartKind::tool_call && !part.is_providers; }

class Repair {
 public:
  Repair(Request& request, Report& report, bool leaves_open)
      : request_(request), report_(report), leaves_open_(leaves_open) {}

  void run() {
    find_half_calls();
    drop_unfinished();
    find_pairs();
    std::vector<Message> old = std::move(request_.messages);
    request_.messages.clear();
    request_.messages.reserve(old.size());
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (old[i].role == Role::tool) {
        // The others go with their calls, and leave nothing behind.
        const bool is_left = !old[i].parts.empty();
        if (is_left && !answers_.contains(old[i].parts.front().call_id)) {
          put_orphan(std::move(old[i]));
        }
        continue;
      }
      request_.messages.push_back(std::move(old[i]));
      if (request_.messages.back().role == Role::assistant) put_results(old, i);
    }
  }

 private:
  void warn(Code code, const Part& part, std::string first = {}, std::string second = {}) {
    report_.warnings.push_back(
        {code, std::string(part.entry), part.place, {std::move(first), std::move(second)}});
  }

  // A call whose arguments broke off, and which nobody answered: the stream ended in it. Of a
  // message that is known to have broken off, also a call that has no arguments yet. With a result
  // it is a mistake of the model's, and part of what was said.
  void find_half_calls() {
    std::vector<Part*> half;
    for (Message& message : request_.messages) {
      const bool has_broken_off = message.status != canonical::Status::complete;
      for (Part& part : message.parts) {
        if (!is_call(part)) continue;
        const bool is_empty = part.arguments == "{}";
        if (part.are_arguments_invalid || (has_broken_off && is_empty)) half.push_back(&part);
      }
    }
    if (half.empty()) return;
    std::unordered_set<std::string_view> answered;
    for (const Message& message : request_.messages) {
      if (message.role == Role::tool) answered.insert(message.parts.front().call_id);
    }
    for (Part* const call : half) call->is_incomplete |= !answered.contains(call->call_id);
  }

  void drop_unfinished() {
    std::erase_if(request_.messages, [&](Message& message) {
      if (!spread_unfinished(message) && !message.parts.empty()) return false;
      std::erase_if(message.parts, [&](const Part& part) {
        if (!part.is_incomplete) return false;
        warn(Code::part_incomplete_dropped, part, std::string(name_of(part.kind)),
             std::string(part.call_id));
        return true;
      });
      if (!message.parts.empty()) return false;
      report_.warnings.push_back(
          {Code::empty_message_dropped, std::string(message.id), std::nullopt, {}});
      return true;
    });
  }

  // With a call that the provider runs goes its result. What stood in the bytes of an unfinished
  // part without being part of it is said without those bytes. False: there is none.
  static bool spread_unfinished(Message& message) {
    if (std::ranges::none_of(message.parts, &Part::is_incomplete)) return false;
    std::unordered_set<std::string_view> unfinished;
    bool is_previous_unfinished = false;
    for (Part& part : message.parts) {
      if (part.kind == PartKind::tool_result && unfinished.contains(part.call_id)) {
        part.is_incomplete = true;
      }
      if (part.native.in_previous && is_previous_unfinished) part.native = {};
      if (!part.native.in_previous) is_previous_unfinished = part.is_incomplete;
      if (part.kind == PartKind::tool_call && part.is_incomplete) unfinished.insert(part.call_id);
    }
    return true;
  }

  // A result can stand anywhere, so all calls are looked at before any result is judged.
  void find_pairs() {
    answers_.reserve(request_.messages.size() / 4);
    for (const Message& message : request_.messages) {
      if (message.role != Role::assistant) continue;
      for (const Part& part : message.parts) {
        if (is_call(part)) answers_.emplace(part.call_id, none);
      }
    }
    for (std::size_t i = 0; i < request_.messages.size(); ++i) {
      const Message& message = request_.messages[i];
      if (message.role != Role::tool) continue;
      const Part& result = message.parts.front();
      const auto answer = answers_.find(result.call_id);
      if (answer == answers_.end()) continue;
      if (answer->second == none) {
        answer->second = i;
      } else {
        warn(Code::tool_result_duplicate_dropped, result, std::string(result.call_id));
      }
    }
  }

  void put_orphan(Message message) {
    const Part& result = message.parts.front();
    warn(Code::tool_result_orphan_to_text, result, std::string(result.call_id));
    const std::string name = result.name.empty() ? "" : fmt::format(" ({})", result.name);
    tell_result(
        request_, message,
        fmt::format(
            "[Result of an earlier tool call{} whose request is no longer in the conversation]",
            name));
    request_.messages.push_back(std::move(message));
  }

  // What answers the calls of the message at `at`, in the order it was stored in.
  void put_results(std::vector<Message>& old, std::size_t at) {
    const bool is_open =
        leaves_open_ && std::all_of(old.begin() + static_cast<std::ptrdiff_t>(at) + 1, old.end(),
                                    [](const Message& later) { return later.role == Role::tool; });
    std::vector<Message> made;
    found_.clear();
    std::size_t number = 0;
    for (const Part& part : request_.messages.back().parts) {
      if (!is_call(part)) continue;
      const std::size_t result = std::exchange(answers_[part.call_id], none);
      if (result != none) {
        found_.push_back(result);
      } else if (!is_open) {
        made.push_back(made_result(part, number));
      }
      ++number;
    }
    if (number == 0) return;
    std::size_t adjacent_end = at + 1;
    while (adjacent_end < old.size() &&
           (old[adjacent_end].role == Role::tool || old[adjacent_end].role == Role::system)) {
      ++adjacent_end;
    }
    std::ranges::sort(found_);
    for (const std::size_t i : found_) {
      if (i < at || i >= adjacent_end) {
        const Part& result = old[i].parts.front();
        warn(Code::tool_result_reordered, result, std::string(result.call_id));
      }
      request_.messages.push_back(std::move(old[i]));
      old[i].parts.clear();
    }
    std::ranges::move(made, std::back_inserter(request_.messages));
  }

  // For a call of which no result was recorded. It is no entry, and its id says what it is.
  Message made_result(const Part& call, std::size_t number) {
    warn(Code::tool_result_synthesized, call, std::string(call.call_id));
    Message message;
    message.id = request_.keep(fmt::format("{}.synth.{}", call.entry, number));
    message.role = Role::tool;
    message.is_made = true;
    Part result;
    result.kind = PartKind::tool_result;
    result.entry = message.id;
    result.call_id = call.call_id;
    result.name = call.name;
    result.is_custom = call.is_custom;
    result.has_failed = true;
    result.content.emplace_back().text = {interrupted};
    message.parts.push_back(std::move(result));
    return message;
  }

  Request& request_;
  Report& report_;
  bool leaves_open_;
  std::vector<std::size_t> found_;  // which messages answer the calls of one
  static constexpr std::size_t none = ~std::size_t{0};
  std::unordered_map<std::string_view, std::size_t> answers_;  // by call: which message, or none
};

}  // namespace

void tell_result(const Request& request, Message& message, std::string_view marker) {
  Part result = std::move(message.parts.front());
  message.role = Role::user;
  message.parts.clear();
  message.parts.emplace_back().text = request.keep_escaped(marker);
  std::ranges::move(result.content, std::back_inserter(message.parts));
  for (Part& part : message.parts) {
    part.native = {};
    part.entry = result.entry;
    part.place = result.place;
  }
}

void repair(Request& request, Report& report, bool leaves_open) {
  Repair(request, report, leaves_open).run();
}

}  // namespace logwood::providers
