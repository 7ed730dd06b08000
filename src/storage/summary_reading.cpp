#include "storage/summary_reading.hpp"

#include <algorithm>

#include "model/message.hpp"

namespace logwood::storage {
namespace {

using catalog::SummaryBuilder;

bool loses_something(const std::vector<Problem>& problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& problem) { return is_loss(problem.kind); });
}

// How far it came.
Result<ReadPosition> walk(StorageBackend& sessions, const SessionId& session,
                          const ReadPosition& from, const Redactions& redactions,
                          SummaryBuilder& builder) {
  LOGWOOD_TRY(WalkedTo walked, sessions.walk(session, from, [&](const WalkedEntry& entry) {
    if (entry.flagged) return;
    if (redactions.of(entry.place.id) == nullptr) {
      builder.take(entry.text, entry.place);
    } else if (const auto text = shown_text(redactions, entry)) {
      builder.take(*text, find_place(*text));
    } else {
      builder.take_hidden(entry.place);
    }
  }));
  if (loses_something(walked.problems)) builder.set_damaged();
  if (const auto& id = builder.entry_of_title()) {
    if (auto entry = sessions.find(session, *id); entry && redactions.apply(*entry)) {
      builder.set_text_of_title(read_message(entry->payload()).text);
    }
  }
  return std::move(walked.next);
}

void finish(SummaryBuilder& builder, const SessionId& session, SummaryReading& reading) {
  reading.activity = builder.activity();
  reading.so_far = builder.finish();
  reading.so_far.summary.header.id = session;  // also where the header is damaged
}

}  // namespace

std::optional<std::string> shown_text(const Redactions& redactions, const WalkedEntry& entry) {
  return redactions.shown({std::string(entry.place.id)}, std::string(entry.text));
}

Result<SummaryReading> read_summary(StorageBackend& sessions, const SessionId& session,
                                    const std::optional<KnownSummary>& known) {
  SummaryReading reading;
  if (known) {
    SummaryBuilder builder(known->so_far);
    LOGWOOD_TRY(reading.until, walk(sessions, session, known->until, Redactions(), builder));
    if (!builder.must_begin_again()) {
      finish(builder, session, reading);
      return reading;
    }
  }
  reading.from_start = true;
  {
    SummaryBuilder builder;
    LOGWOOD_TRY(reading.until, walk(sessions, session, {}, Redactions(), builder));
    if (!builder.has_redactions()) {
      finish(builder, session, reading);
      return reading;
    }
  }
  // Most sessions have no redactions, so they are looked for when one is met.
  LOGWOOD_TRY(const auto redactions, sessions.redactions(session));
  SummaryBuilder builder;
  LOGWOOD_TRY(reading.until, walk(sessions, session, {}, *redactions, builder));
  finish(builder, session, reading);
  return reading;
}

}  // namespace logwood::storage
