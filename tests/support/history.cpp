#include "support/history.hpp"

#include <fmt/format.h>

#include <string_view>

namespace logwood {
namespace {

std::string spelled(const HistoryTail& tail) { return tail ? fmt::format("e{}", *tail) : "none"; }

std::string spelled(const HistoryEntry& entry) {
  return fmt::format("e{}{}:{}", entry.id, entry.is_mark ? "(mark)" : "", entry.content);
}

std::string spelled(const std::vector<HistoryEntry>& entries) {
  std::string text = "[";
  for (const HistoryEntry& entry : entries) {
    text += (text.size() > 1 ? " " : "") + spelled(entry);
  }
  return text + "]";
}

struct CallText {
  std::string operator()(const AppendCall& call) const {
    return "append " + spelled(call.entries) +
           (call.expected_tail ? " expecting " + spelled(*call.expected_tail) : "");
  }
  std::string operator()(const StatusCall&) const { return "status"; }
  std::string operator()(const LoadCall& call) const {
    return call.limit ? fmt::format("load_last {}", *call.limit) : "load";
  }
  std::string operator()(const FindCall& call) const { return fmt::format("find e{}", call.id); }
};

struct AnswerText {
  std::string operator()(const NoAnswer&) const { return "killed"; }
  std::string operator()(const Appended& answer) const {
    return fmt::format("{} {} to e{}", answer.replayed ? "replayed" : "appended", answer.count,
                       answer.last_id);
  }
  std::string operator()(const TailConflict& answer) const {
    return "conflict, tail " + spelled(answer.actual);
  }
  std::string operator()(const IdConflict&) const { return "id_conflict"; }
  std::string operator()(const TailSeen& answer) const { return "tail " + spelled(answer.tail); }
  std::string operator()(const EntriesSeen& answer) const { return spelled(answer.entries); }
  std::string operator()(const EntrySeen& answer) const {
    return answer.entry ? spelled(*answer.entry) : "not_found";
  }
};

}  // namespace

std::string describe(const HistoryOperation& operation) {
  const std::string until =
      operation.is_answered() ? std::to_string(operation.answered_ns / 1000) : "…";
  return fmt::format("{} .. {} us  session {}  process {}  {} -> {}", operation.called_ns / 1000,
                     until, operation.session, operation.process,
                     std::visit(CallText{}, operation.call),
                     std::visit(AnswerText{}, operation.answer));
}

}  // namespace logwood
