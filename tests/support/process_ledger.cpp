#include "support/process_ledger.hpp"

#include <fmt/format.h>

#include <charconv>

namespace logwood {
namespace {

std::string id_of(const BatchKey& key, std::uint32_t place) {
  return fmt::format("w{}-{}-{}", key.writer, key.number, place);
}

// Text that differs from entry to entry and from block to block within one, so that
// bytes in the wrong place do not go unnoticed.
std::string payload_of(const BatchKey& key, std::uint32_t place, std::size_t size_bytes) {
  constexpr std::size_t block_size = 512;
  constexpr std::size_t digits = 6;
  std::string block = fmt::format("000000 of {}", id_of(key, place));
  block.resize(block_size, static_cast<char>('a' + (key.number + place) % 26));
  std::string text = R"({"text":[")";
  text.reserve(size_bytes + block_size + 2);
  for (std::size_t number = 0; text.size() < size_bytes; ++number) {
    for (std::size_t digit = 0, rest = number; digit < digits; ++digit, rest /= 10) {
      block[digits - 1 - digit] = static_cast<char>('0' + rest % 10);
    }
    text += block;
  }
  text.resize(size_bytes);
  // Of every other batch the strings are short, so that its lines are long.
  constexpr std::size_t short_string = 60'000;
  if (key.number % 2 == 1) {
    for (std::size_t at = short_string; at + 10 < text.size(); at += short_string) {
      text.replace(at, 3, "\",\"");
    }
  }
  text += "\"]}";
  return text;
}

}  // namespace

Ledger::Ledger(std::uint32_t writers)
    : writers_(writers), counts_(writers), batches_(std::size_t{writers} * batches_max) {}

void Ledger::clear() {
  for (std::uint32_t writer = 0; writer < writers_; ++writer) {
    for (std::uint32_t number = 0; number < counts_[writer]; ++number) {
      (*this)[{writer, number}].answer = Answer::none;
      (*this)[{writer, number}].erased = Erased::no;
    }
    counts_[writer] = 0;
  }
}

std::optional<BatchKey> Ledger::intend(std::uint32_t writer, std::uint32_t session,
                                       std::uint32_t entry_count, std::uint32_t entry_size_bytes) {
  const BatchKey key{writer, counts_[writer]};
  if (key.number == batches_max) return std::nullopt;
  LedgerBatch& batch = (*this)[key];
  batch.session = session;
  batch.entry_count = entry_count;
  batch.entry_size_bytes = entry_size_bytes;
  ++counts_[writer];
  return key;
}

LedgerBatch& Ledger::operator[](const BatchKey& key) const {
  return batches_[std::size_t{key.writer} * batches_max + key.number];
}

std::vector<Draft> Ledger::drafts(const BatchKey& key) const {
  const LedgerBatch& batch = (*this)[key];
  std::vector<Draft> drafts;
  for (std::uint32_t place = 1; place <= batch.entry_count; ++place) {
    drafts.push_back(Draft::of({.type = "message",
                                .payload = payload_of(key, place, batch.entry_size_bytes),
                                .id = EntryId{id_of(key, place)}}));
  }
  return drafts;
}

EntryId id_in_batch(const BatchKey& key, std::uint32_t place) { return {id_of(key, place)}; }

bool is_besides(const Entry& entry) { return entry.type == "head" || entry.type == "redaction"; }

std::optional<EntryPlaceInBatch> place_of(std::string_view entry_id) {
  std::uint32_t numbers[3] = {};
  if (!entry_id.starts_with('w')) return std::nullopt;
  const char* at = entry_id.data();
  const char* const end = at + entry_id.size();
  for (std::uint32_t& number : numbers) {
    if (at == end) return std::nullopt;
    const auto [after, status] = std::from_chars(at + 1, end, number);
    if (status != std::errc()) return std::nullopt;
    at = after;
  }
  if (at != end) return std::nullopt;
  return EntryPlaceInBatch{{numbers[0], numbers[1]}, numbers[2]};
}

bool has_its_content(const Ledger& ledger, const Entry& entry) {
  const auto place = place_of(entry.id.text);
  if (!place || place->batch.writer >= ledger.writers() ||
      place->batch.number >= ledger.count(place->batch.writer)) {
    return false;
  }
  const LedgerBatch& batch = ledger[place->batch];
  // One that was read just before it was erased is already hidden.
  if (entry.erased || entry.redacted) return place->place == 1 && batch.erased != Erased::no;
  return place->place >= 1 && place->place <= batch.entry_count && entry.type == "message" &&
         !entry.flagged &&
         entry.payload() == payload_of(place->batch, place->place, batch.entry_size_bytes);
}

std::optional<std::string> LedgerReading::take(const Entry& entry) {
  if (kind_of(entry.type) == EntryKind::header) {
    if (batches_.empty() && open_place_ == 0) return std::nullopt;
    return "a header after the first line";
  }
  if (is_besides(entry) && open_place_ == 0) return std::nullopt;
  if (!has_its_content(*ledger_, entry)) {
    return fmt::format("entry {} is not what was appended", entry.id.text);
  }
  const EntryPlaceInBatch at = *place_of(entry.id.text);
  const LedgerBatch& batch = (*ledger_)[at.batch];
  if (batch.session != session_) {
    return fmt::format("entry {} is in another session", entry.id.text);
  }
  const bool continues = open_place_ > 0 && at.batch == open_ && at.place == open_place_ + 1;
  const bool begins = open_place_ == 0 && at.place == 1;
  if (!continues && !begins) {
    return fmt::format("entry {} follows entry {} of {} of batch w{}-{}", entry.id.text,
                       open_place_, (*ledger_)[open_].entry_count, open_.writer, open_.number);
  }
  open_ = at.batch;
  open_place_ = at.place;
  if (at.place < batch.entry_count) return std::nullopt;

  open_place_ = 0;
  batches_.push_back(at.batch);
  known_.resize(ledger_->writers());
  std::vector<bool>& known = known_[at.batch.writer];
  if (known.size() <= at.batch.number) known.resize(at.batch.number + 1);
  if (known[at.batch.number]) return fmt::format("entry {} is there twice", entry.id.text);
  known[at.batch.number] = true;
  return std::nullopt;
}

std::optional<std::string> LedgerReading::at_end() const {
  if (open_place_ == 0) return std::nullopt;
  return fmt::format("only {} of the {} entries of batch w{}-{} are there", open_place_,
                     (*ledger_)[open_].entry_count, open_.writer, open_.number);
}

}  // namespace logwood
