#include "support/promises.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "support/repeatable_random.hpp"

namespace logwood {
namespace {

// The ways a draft can leave something to the store, or stand outside the tree.
std::string draft_text(std::size_t batch, std::size_t entry) {
  constexpr std::string_view time = "2026-01-31T23:59:59.999Z";
  const std::string id = fmt::format("b{}e{}", batch, entry);
  switch ((batch * 2 + entry) % 5) {
    case 0:
      return fmt::format(
          R"({{"id":"{}","parentId":null,"type":"custom","timestamp":"{}","payload":{{}}}})", id,
          time);
    case 1:
      return fmt::format(R"({{"id":"{}","type":"custom","payload":{{"n":{}}}}})", id, batch);
    case 2:
      return fmt::format(
          R"({{"id":"{}","parentId":null,"timestamp":"{}","type":"tool_run","payload":{{"callId":"c"}}}})",
          id, time);
    case 3:
      return fmt::format(R"({{"type":"custom","id":"{}","payload":{{"seal":"1+.2.1/1."}}}})", id);
    default:
      return fmt::format(
          R"({{"id":"{}","parentId":null,"timestamp":"{}","type":"head","payload":{{"target":null}}}})",
          id, time);
  }
}

struct Place {
  std::size_t batch = 0;
  std::size_t entry = 0;
};

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Place> place_in(std::string_view id) {
  const std::size_t split = id.find('e');
  if (!id.starts_with('b') || split == std::string_view::npos) return std::nullopt;
  const auto batch = number_in(id.substr(1, split - 1));
  const auto entry = number_in(id.substr(split + 1));
  if (!batch || !entry) return std::nullopt;
  return Place{*batch, *entry};
}

// What the store stamps stands in front; the rest is the caller's, byte for byte.
bool holds_text_of(const Draft& draft, const Entry& entry) {
  const std::string_view members = std::string_view(draft.text).substr(1);
  return entry.text.size() > members.size() && entry.text.starts_with('{') &&
         entry.text.ends_with(members);
}

void make_unknown(PromisedBatch& batch) {
  batch.standing = Standing::attempted;
  batch.order = 0;  // it may be written anew, behind others
}

}  // namespace

const SessionId& promised_session() {
  static const SessionId id{"s"};
  return id;
}

std::size_t Promises::add_batch(std::size_t entries) {
  const std::size_t number = batches_.size();
  std::vector<Draft> drafts;
  for (std::size_t entry = 0; entry < entries; ++entry) {
    drafts.push_back({draft_text(number, entry)});
  }
  return add(std::move(drafts));
}

std::size_t Promises::add_long_batch(std::size_t entries) {
  const std::size_t number = batches_.size();
  std::vector<Draft> drafts;
  drafts.push_back({fmt::format(R"({{"id":"b{}e0","type":"custom","payload":{{"long":"{}"}}}})",
                                number, long_string(number))});
  for (std::size_t entry = 1; entry < entries; ++entry) {
    drafts.push_back({draft_text(number, entry)});
  }
  return add(std::move(drafts));
}

std::size_t Promises::add_head(const EntryId& target) {
  return add({{fmt::format(R"({{"id":"b{}e0","type":"head","payload":{{"target":"{}"}}}})",
                           batches_.size(), target.text)}});
}

std::string Promises::long_string(std::size_t batch) {
  constexpr std::size_t repeats = 8200;
  std::string text;
  for (std::size_t i = 0; i < repeats; ++i) text += fmt::format("{:07}.", batch);
  return text;
}

std::size_t Promises::add(std::vector<Draft> drafts) {
  PromisedBatch batch;
  batch.drafts = std::make_shared<const std::vector<Draft>>(std::move(drafts));
  batches_.push_back(std::move(batch));
  return batches_.size() - 1;
}

std::size_t Promises::attempt_fork(std::vector<Entry> entries) {
  forks_.push_back({{fmt::format("fork{}", forks_.size())},
                    Standing::attempted,
                    std::make_shared<const std::vector<Entry>>(std::move(entries))});
  return forks_.size() - 1;
}

void Promises::attempt(std::size_t batch, char actor) {
  PromisedBatch& attempted = batches_[batch];
  if (attempted.standing == Standing::refused) attempted.standing = Standing::attempted;
  if (attempted.standing == Standing::attempted) attempted.actor = actor;
}

void Promises::erase(std::size_t batch, Standing standing) {
  if (batches_[batch].erased != Standing::durable) batches_[batch].erased = standing;
}

void Promises::refuse(std::size_t batch) {
  PromisedBatch& refused = batches_[batch];
  if (refused.standing == Standing::attempted) refused.standing = Standing::refused;
}

void Promises::acknowledge(std::size_t batch, Standing standing, bool replayed) {
  PromisedBatch& acknowledged = batches_[batch];
  if (!replayed) acknowledged.order = ++last_order_;
  if (acknowledged.standing != Standing::durable) acknowledged.standing = standing;
}

void Promises::make_durable() {
  for (PromisedBatch& batch : batches_) {
    if (batch.standing == Standing::buffered) batch.standing = Standing::durable;
  }
}

void Promises::make_durable(char actor) {
  for (PromisedBatch& batch : batches_) {
    if (batch.standing == Standing::buffered && batch.actor == actor) {
      batch.standing = Standing::durable;
    }
  }
}

void Promises::give_up(std::size_t batch) { make_unknown(batches_[batch]); }

void Promises::forget_buffered() {
  for (PromisedBatch& batch : batches_) {
    if (batch.standing == Standing::buffered) make_unknown(batch);
  }
}

void Promises::leave_buffered(char actor) {
  for (PromisedBatch& batch : batches_) {
    if (batch.actor == actor) batch.actor = ' ';
  }
}

void Promises::give_up_buffered(char actor) {
  for (PromisedBatch& batch : batches_) {
    if (batch.standing == Standing::buffered && batch.actor == actor) make_unknown(batch);
  }
}

bool Promises::must_be_there(const PromisedBatch& batch, After after) const {
  return batch.standing == Standing::durable ||
         (after == After::process_end && batch.standing == Standing::buffered);
}

std::optional<std::string> Promises::broken_by(const std::vector<Entry>& entries,
                                               After after) const {
  if (entries.empty() || entries.front().type != "session_header" ||
      entries.front().id.text != promised_session().text) {
    return "I1: the first entry is not the session's header";
  }
  struct Seen {
    std::size_t whole = 0;    // entries seen, in order and side by side
    std::size_t flagged = 0;  // a bit for each
    std::size_t last = 0;     // position of the latest
  };
  std::vector<Seen> seen(batches_.size());
  std::uint32_t order = 0;
  auto erasures_left = std::count_if(batches_.begin(), batches_.end(), [](const PromisedBatch& b) {
    return b.erased != Standing::none;
  });
  for (std::size_t at = 1; at < entries.size(); ++at) {
    const Entry& entry = entries[at];
    if (entry.seq <= entries[at - 1].seq) return fmt::format("{} is out of order", entry.id.text);
    if (entry.type == "redaction" && erasures_left-- > 0) continue;
    const std::optional<Place> place = place_in(entry.id.text);
    if (!place || place->batch >= batches_.size() || place->entry >= drafts(place->batch).size()) {
      return fmt::format("I3: nobody appended {}", entry.id.text);
    }
    const Standing erased = place->entry == 0 ? batches_[place->batch].erased : Standing::none;
    if (erased == Standing::durable && !entry.erased) {
      return fmt::format("{} was erased and is back", entry.id.text);
    }
    if (erased == Standing::none && entry.erased) {
      return fmt::format("I1: nobody erased {}", entry.id.text);
    }
    if (!entry.erased && !holds_text_of(drafts(place->batch)[place->entry], entry)) {
      return fmt::format("I1: {} has changed: {}", entry.id.text, entry.text);
    }
    Seen& batch = seen[place->batch];
    if (entry.flagged) {
      const std::size_t bit = std::size_t{1} << place->entry;
      if ((batch.flagged & bit) != 0) return fmt::format("I3: {} is there twice", entry.id.text);
      batch.flagged |= bit;
      continue;
    }
    if (place->entry < batch.whole) return fmt::format("I3: {} is there twice", entry.id.text);
    if (place->entry != batch.whole || (batch.whole > 0 && batch.last != at - 1)) {
      return fmt::format("I2: {} stands apart from its batch", entry.id.text);
    }
    ++batch.whole;
    batch.last = at;
    const PromisedBatch& promised = batches_[place->batch];
    if (place->entry == 0 && promised.order > 0 && must_be_there(promised, after)) {
      if (promised.order < order) return fmt::format("I1: batch {} moved", place->batch);
      order = promised.order;
    }
  }
  for (std::size_t number = 0; number < batches_.size(); ++number) {
    const Seen& batch = seen[number];
    const std::size_t count = drafts(number).size();
    if (batch.whole > 0 && batch.whole < count) {
      return fmt::format("I2: {} of the {} entries of batch {} are there", batch.whole, count,
                         number);
    }
    if (batch.whole > 0 && batch.flagged > 0) {
      return fmt::format("I3: batch {} is there both whole and in parts", number);
    }
    if (batch.whole == 0 && must_be_there(batches_[number], after)) {
      return fmt::format("I1: batch {} was acknowledged and is lost", number);
    }
    const bool refused = batches_[number].standing == Standing::refused;
    const bool in_parts = batch.flagged > 0 && !is_damaged;
    if (after == After::process_end && refused && (batch.whole > 0 || in_parts)) {
      return fmt::format("batch {} was refused and is there", number);
    }
  }
  return std::nullopt;
}

std::uint64_t Promises::fingerprint() const {
  std::uint64_t all = mixed(
      static_cast<std::uint64_t>(archived) * 10'000 + static_cast<std::uint64_t>(store) * 1000 +
          static_cast<std::uint64_t>(created) * 100 + static_cast<std::uint64_t>(removed) * 10 +
          static_cast<std::uint64_t>(migrated),
      batches_.size());
  for (const PromisedBatch& batch : batches_) {
    all = mixed(all, batch.order * 512U + static_cast<std::uint64_t>(batch.erased) * 64U +
                         batch.drafts->size() * 8U + static_cast<std::uint64_t>(batch.standing));
  }
  for (const PromisedFork& fork : forks_) {
    all = mixed(all, fork.entries->size() * 8U + static_cast<std::uint64_t>(fork.standing));
  }
  return all;
}

std::string unsealed_session(Promises& promises, std::size_t entries) {
  std::string file = fmt::format(
      R"({{"id":"{}","parentId":null,"type":"session_header","timestamp":"2025-12-31T00:00:00.000Z","payload":{{"version":0,"requires":[]}}}})"
      "\n",
      promised_session().text);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t batch = promises.add_batch(1);
    // As an older program would have stamped it.
    std::string line = promises.drafts(batch).front().text;
    std::string stamps = "{";
    if (line.find("\"parentId\"") == std::string::npos) stamps += "\"parentId\":null,";
    if (line.find("\"timestamp\"") == std::string::npos) {
      stamps += "\"timestamp\":\"2025-12-31T00:00:00.000Z\",";
    }
    line.replace(0, 1, stamps);
    file += line + "\n";
    promises.acknowledge(batch, Standing::durable, /*replayed=*/false);
  }
  promises.created = Standing::durable;
  promises.began_unsealed = true;
  return file;
}

}  // namespace logwood
