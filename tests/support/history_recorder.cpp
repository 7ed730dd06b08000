#include "support/history_recorder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace logwood {
namespace {

// The same clock for every process of the machine.
std::int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

}  // namespace

void HistoryRecorder::clear() {
  for (std::size_t i = 0; i < count(); ++i) operations_[i].stage = Stage::none;
  *used_ = 0;
  *seen_used_ = 0;
}

std::size_t HistoryRecorder::count() const { return std::min(used_->load(), operations_max); }

std::size_t HistoryRecorder::call(const HistoryOperation& operation) {
  const std::size_t place = used_->fetch_add(1);
  if (place >= operations_max) std::abort();
  Flat& flat = operations_[place];
  flat.session = operation.session;
  flat.process = operation.process;
  if (const auto* append = std::get_if<AppendCall>(&operation.call)) {
    flat.call = CallKind::append;
    if (append->entries.size() > batch_entries_max) std::abort();
    flat.entry_count = static_cast<std::uint32_t>(append->entries.size());
    std::copy(append->entries.begin(), append->entries.end(), flat.entries);
    flat.expects_tail = append->expected_tail.has_value();
    flat.expects_some = flat.expects_tail && append->expected_tail->has_value();
    flat.expected_tail = flat.expects_some ? **append->expected_tail : 0;
  } else if (const auto* load = std::get_if<LoadCall>(&operation.call)) {
    flat.call = CallKind::load;
    flat.has_limit = load->limit.has_value();
    flat.number = load->limit.value_or(0);
  } else if (const auto* find = std::get_if<FindCall>(&operation.call)) {
    flat.call = CallKind::find;
    flat.number = find->id;
  } else {
    flat.call = CallKind::status;
  }
  flat.called_ns = now_ns();
  flat.stage = Stage::called;
  return place;
}

void HistoryRecorder::answer(std::size_t place, const HistoryAnswer& answer) {
  Flat& flat = operations_[place];
  flat.answered_ns = now_ns();
  const auto put_tail = [&](const HistoryTail& tail) {
    flat.is_some = tail.has_value();
    flat.tail = tail.value_or(0);
  };
  if (const auto* appended = std::get_if<Appended>(&answer)) {
    flat.answer = AnswerKind::appended;
    flat.tail = appended->last_id;
    flat.appended_count = appended->count;
    flat.replayed = appended->replayed;
  } else if (const auto* conflict = std::get_if<TailConflict>(&answer)) {
    flat.answer = AnswerKind::tail_conflict;
    put_tail(conflict->actual);
  } else if (std::holds_alternative<IdConflict>(answer)) {
    flat.answer = AnswerKind::id_conflict;
  } else if (const auto* tail = std::get_if<TailSeen>(&answer)) {
    flat.answer = AnswerKind::tail;
    put_tail(tail->tail);
  } else if (const auto* one = std::get_if<EntrySeen>(&answer)) {
    flat.answer = AnswerKind::entry;
    flat.is_some = one->entry.has_value();
    flat.entry = one->entry.value_or(HistoryEntry{});
  } else {
    const std::vector<HistoryEntry>& entries = std::get<EntriesSeen>(answer).entries;
    flat.answer = AnswerKind::entries;
    flat.seen_begin = seen_used_->fetch_add(entries.size());
    flat.seen_count = entries.size();
    if (flat.seen_begin + flat.seen_count > seen_entries_max) std::abort();
    std::copy(entries.begin(), entries.end(),
              seen_.all().begin() + static_cast<std::ptrdiff_t>(flat.seen_begin));
  }
  flat.stage = Stage::answered;
}

HistoryCall HistoryRecorder::call_in(const Flat& flat) {
  switch (flat.call) {
    case CallKind::append: {
      AppendCall call;
      call.entries.assign(flat.entries, flat.entries + flat.entry_count);
      if (flat.expects_tail) {
        call.expected_tail = flat.expects_some ? HistoryTail(flat.expected_tail) : HistoryTail();
      }
      return call;
    }
    case CallKind::load: {
      LoadCall call;
      if (flat.has_limit) call.limit = static_cast<std::size_t>(flat.number);
      return call;
    }
    case CallKind::find:
      return FindCall{static_cast<std::uint32_t>(flat.number)};
    case CallKind::status:
      break;
  }
  return StatusCall{};
}

HistoryAnswer HistoryRecorder::answer_in(const Flat& flat) const {
  const HistoryTail tail = flat.is_some ? HistoryTail(flat.tail) : HistoryTail();
  switch (flat.answer) {
    case AnswerKind::appended:
      return Appended{flat.tail, flat.appended_count, flat.replayed};
    case AnswerKind::tail_conflict:
      return TailConflict{tail};
    case AnswerKind::id_conflict:
      return IdConflict{};
    case AnswerKind::tail:
      return TailSeen{tail};
    case AnswerKind::entry:
      return EntrySeen{flat.is_some ? std::optional(flat.entry) : std::nullopt};
    case AnswerKind::entries:
      break;
  }
  const auto seen = seen_.all().subspan(flat.seen_begin, flat.seen_count);
  return EntriesSeen{{seen.begin(), seen.end()}};
}

std::optional<HistoryOperation> HistoryRecorder::operation(std::size_t place) const {
  const Flat& flat = operations_[place];
  const Stage stage = flat.stage;
  if (stage == Stage::none) return std::nullopt;
  HistoryOperation operation{flat.session, flat.process,  flat.called_ns,
                             never_ns,     call_in(flat), NoAnswer{}};
  if (stage == Stage::answered) {
    operation.answered_ns = flat.answered_ns;
    operation.answer = answer_in(flat);
  }
  return operation;
}

History HistoryRecorder::history() const {
  History history;
  for (std::size_t i = 0; i < count(); ++i) {
    if (auto one = operation(i)) history.push_back(*std::move(one));
  }
  return history;
}

}  // namespace logwood
