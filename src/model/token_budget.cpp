#include "model/token_budget.hpp"

namespace logwood {
namespace {

// About four bytes a token, as for English prose and code.
std::uint64_t estimate(const ReadMessage& read) { return (read.message.payload.size() + 3) / 4; }

// What a provider counted up to and with this message: its prompt and what it answered.
std::optional<std::uint64_t> counted_up_to(const Usage& usage) {
  if (!usage.input || !usage.output) return std::nullopt;
  return *usage.input + usage.cache_read.value_or(0) + usage.cache_creation.value_or(0) +
         *usage.output;
}

// A turn begins where a person speaks: a message of the user that answers no tool call.
bool begins_turn(const ReadMessage& read) {
  return read.message.type == "message" && read.parts.role == "user" &&
         read.parts.tool_results.empty();
}

struct MeasuredTurn {
  std::size_t begin = 0;  // in the messages
  std::size_t end = 0;
  TokenCount size;
  std::optional<std::uint64_t> counted;  // up to its end
};

std::vector<MeasuredTurn> turns_in(const std::vector<ReadMessage>& messages) {
  std::vector<MeasuredTurn> turns;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i].message.type != "message") continue;
    if (turns.empty() || begins_turn(messages[i])) turns.push_back({i, i, {}, {}});
    turns.back().end = i + 1;
    turns.back().size.tokens += estimate(messages[i]);
    if (const auto counted = counted_up_to(messages[i].parts.usage)) turns.back().counted = counted;
  }
  // The difference of two counts is what the turn between them took, unless the prompt
  // was put together otherwise meanwhile.
  for (std::size_t i = 0; i < turns.size(); ++i) {
    turns[i].size.estimated = true;
    if (i == 0 || !turns[i].counted || !turns[i - 1].counted) continue;
    if (*turns[i].counted <= *turns[i - 1].counted) continue;
    turns[i].size = {*turns[i].counted - *turns[i - 1].counted, false};
  }
  return turns;
}

}  // namespace

void fit_into(std::optional<std::uint64_t> max_tokens, const std::vector<ReadMessage>& messages,
              Context& context) {
  std::vector<MeasuredTurn> turns = turns_in(messages);
  std::uint64_t summaries = 0;
  for (const ReadMessage& read : messages) {
    if (read.message.type != "message") summaries += estimate(read);
  }
  // Of the turns from `first` on. A count of the provider covers everything before it,
  // the system prompt and the tools too; what is left out is taken off.
  const auto measure = [&](std::size_t first) {
    TokenCount size{summaries, summaries > 0};
    std::uint64_t left_out = 0;
    bool left_out_estimated = false;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      (i < first ? left_out : size.tokens) += turns[i].size.tokens;
      (i < first ? left_out_estimated : size.estimated) |= turns[i].size.estimated;
    }
    if (turns.empty() || !turns.back().counted || *turns.back().counted <= left_out) return size;
    return TokenCount{*turns.back().counted - left_out, left_out_estimated};
  };
  std::size_t first = 0;
  while (max_tokens && first + 1 < turns.size() && measure(first).tokens > *max_tokens) ++first;
  context.size = measure(first);
  context.fits = !max_tokens || context.size.tokens <= *max_tokens;
  context.turns = turns.size() - first;
  const std::size_t kept_from = turns.empty() ? 0 : turns[first].begin;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i < kept_from && messages[i].message.type == "message") {
      context.passed_over.push_back({messages[i].message.entry_id, PassedOverReason::over_budget});
    } else {
      context.messages.push_back(messages[i].message);
    }
  }
}

}  // namespace logwood
