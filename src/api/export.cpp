#include "api/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "api/markdown.hpp"
#include "base/json_text.hpp"
#include "base/telling.hpp"
#include "io/outside_file.hpp"
#include "model/carried_entry.hpp"
#include "model/header.hpp"
#include "model/message.hpp"
#include "model/preview.hpp"
#include "model/redaction.hpp"
#include "model/secrets.hpp"
#include "model/session_info.hpp"

namespace logwood::api {
namespace {

constexpr std::size_t page_size = 16;  // long strings come along
constexpr std::size_t title_characters = 70;

// Code points [first, last) of each place where the replacement of redacted text stands.
std::vector<std::pair<std::uint64_t, std::uint64_t>> replaced_ranges(std::string_view text) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  std::uint64_t code_point = 0;
  std::size_t counted = 0;
  for (std::size_t at = text.find(redacted_text); at != std::string_view::npos;
       at = text.find(redacted_text, at + redacted_text.size())) {
    for (; counted < at; ++counted) {
      if ((static_cast<unsigned char>(text[counted]) & 0xc0U) != 0x80) ++code_point;
    }
    ranges.emplace_back(code_point, code_point + redacted_text.size());
  }
  return ranges;
}

// Tells the entries of a session, in order, as they leave it.
class Leaving {
 public:
  Leaving(Store& store, SessionId session, const ExportOptions& options, const Progress& progress)
      : store_(store), session_(std::move(session)), options_(options), progress_(progress) {}

  // With Markdown only the path of the head leaves.
  Result<> find_path() {
    if (options_.format != ExportFormat::markdown) return {};
    LOGWOOD_TRY(const SessionTree loaded, store_.tree(session_));
    path_.emplace();
    if (!loaded.head) return {};
    const auto place = loaded.tree.find(loaded.head->text);
    if (!place) return {};
    for (const Tree::Place on_path : loaded.tree.path_to(*place))
      path_->emplace(loaded.tree.id(on_path));
    return {};
  }

  /// `visit` is told each entry, and whether it leaves: a document has no marks, but a title.
  Result<> for_each(const std::function<Result<>(Entry&&, bool leaves)>& visit) {
    LOGWOOD_TRY(EntryReader reader, store_.read(session_, page_size, View::shown));
    if (all_ == 0) {
      LOGWOOD_TRY(all_, reader.skip_to_end());
      reader.reset();
    }
    while (reader.has_more()) {
      LOGWOOD_TRY(EntryPage page, reader.next());
      is_damaged_ = is_damaged_ || std::any_of(page.problems.begin(), page.problems.end(),
                                               [](const Problem& p) { return is_loss(p.kind); });
      for (Entry& entry : page.entries) {
        if (until_seq_ && entry.seq > *until_seq_) return {};
        last_seq_ = entry.seq;
        LOGWOOD_CHECK(tell(progress_, std::min(++read_ / 2, all_), all_));
        const bool leaves = !path_ || path_->contains(entry.id.text);
        if (options_.format == ExportFormat::jsonl) LOGWOOD_CHECK(make_portable(entry));
        LOGWOOD_CHECK(visit(std::move(entry), leaves));
      }
      if (page.entries.empty()) return {};
    }
    return {};
  }

  /// What is appended from now on does not leave: nobody has looked at it.
  void end_here() { until_seq_ = last_seq_; }

  [[nodiscard]] bool is_damaged() const { return is_damaged_; }

 private:
  Result<> make_portable(Entry& entry) {
    if (kind_of(entry.type) == EntryKind::header) {
      if (auto text = downgraded_header(entry.text)) entry.text = *std::move(text);
      return {};
    }
    const bool is_redaction = entry.type == "redaction" && !entry.erased;
    entry.text = carried_text(entry);
    if (is_redaction) LOGWOOD_CHECK(fit_ranges(entry));
    return {};
  }

  // A redaction of parts counts code points of the text as it was; applied once more to what
  // leaves, it has to find the same parts.
  Result<> fit_ranges(Entry& entry) {
    std::vector<RedactionTarget> targets = read_redaction(entry.text);
    bool changed = false;
    for (RedactionTarget& target : targets) {
      if (target.ranges.empty()) continue;
      const auto hidden = store_.find(session_, target.id, View::shown);
      if (!hidden) {
        if (hidden.error().code == ErrorCode::not_found) continue;
        return hidden.error();
      }
      const auto token = string_at(hidden->text, target.pointer);
      if (!token) {  // all of it is hidden
        target = {.id = target.id};
        changed = true;
        continue;
      }
      auto ranges = replaced_ranges(json_text_or_empty(*token));
      if (ranges.empty()) continue;
      target.ranges = std::move(ranges);
      changed = true;
    }
    if (!changed) return {};
    const std::string reason = json_text_or_empty(json_member(entry.payload(), "reason"));
    entry.text = with_payload(entry, redaction_payload(targets, reason), entry.meta());
    return {};
  }

  Store& store_;
  SessionId session_;
  const ExportOptions& options_;
  const Progress& progress_;
  std::uint64_t read_ = 0;                               // entries, each of them twice
  std::uint64_t all_ = 0;                                // of the session, when it began
  std::optional<std::unordered_set<std::string>> path_;  // nothing: all of it leaves
  std::optional<std::uint64_t> until_seq_;
  std::uint64_t last_seq_ = 0;
  bool is_damaged_ = false;
};

// Set by somebody, or the beginning of what the user said first.
class Title {
 public:
  void take(const Entry& entry, bool on_path) {
    if (entry.type == "session_info") {
      if (const auto title = read_session_info(entry.payload()).title) set_ = *title;
    } else if (on_path && said_.empty() && entry.type == "message") {
      const Message message = read_message(entry.payload());
      if (message.role == "user") said_ = preview(message.text, title_characters);
    }
  }
  [[nodiscard]] const std::string& text() const { return set_.empty() ? said_ : set_; }

 private:
  std::string set_;
  std::string said_;
};

// A file begins with a header, also where that of the session is damaged.
std::string header_in_its_place(SessionHeader known, const Entry& first) {
  known.version = 0;
  known.created = first.timestamp;
  return header_body(known) + "}\n";
}

// What a look at everything that leaves has found.
struct Survey {
  SuspectedSecrets secrets;
  Title title;
  std::optional<SessionHeader> header;
};

Result<Survey> survey(Leaving& leaving, const ExportOptions& options) {
  Survey found;
  LOGWOOD_CHECK(leaving.for_each([&](Entry&& entry, bool leaves) -> Result<> {
    const bool is_header = kind_of(entry.type) == EntryKind::header;
    const bool is_title = entry.type == "session_info";
    if (leaves || is_header || is_title) found.secrets.take(entry.id, entry.text);
    if (options.secrets == Secrets::redact) entry.text = without_secrets(std::move(entry.text));
    found.title.take(entry, leaves);
    if (auto header = parse_header(entry.text); is_header && header)
      found.header = *std::move(header);
    return {};
  }));
  return found;
}

Result<> check_version(const SessionHeader& header) {
  if (header.version <= session_version) return {};
  return Error{ErrorCode::unsupported,
               fmt::format("session {} has format version {}, this program writes {}; use a newer "
                           "logwood",
                           header.id.text, header.version, session_version)};
}

}  // namespace

Result<Exported> export_session(Store& store, const SessionId& session,
                                const ExportOptions& options, const TextSink& sink,
                                const Progress& progress) {
  LOGWOOD_TRY(const SessionStatus status, store.status(session));
  LOGWOOD_CHECK(check_version(status.header));
  Leaving leaving(store, session, options, progress);
  LOGWOOD_CHECK(leaving.find_path());
  LOGWOOD_TRY(Survey found, survey(leaving, options));
  leaving.end_here();
  const bool is_document = options.format == ExportFormat::markdown;
  const SessionHeader& header = found.header ? *found.header : status.header;

  Exported exported;
  exported.secrets = std::move(found.secrets);
  exported.is_damaged = leaving.is_damaged();
  exported.refused = exported.secrets.count > 0 && options.secrets == Secrets::refuse;
  if (exported.refused) return exported;

  if (is_document) LOGWOOD_CHECK(sink(markdown_begin(header, found.title.text())));
  LOGWOOD_CHECK(leaving.for_each([&](Entry&& entry, bool leaves) -> Result<> {
    if (!leaves) return {};
    if (options.secrets == Secrets::redact) entry.text = without_secrets(std::move(entry.text));
    if (kind_of(entry.type) != EntryKind::header) {
      if (!is_document && !found.header && exported.entries == 0)
        LOGWOOD_CHECK(sink(header_in_its_place(header, entry)));
      ++exported.entries;
    }
    return sink(is_document ? markdown_of(entry) : std::move(entry.text) + '\n');
  }));
  return exported;
}

Result<Exported> export_to_file(Store& store, const SessionId& session,
                                const ExportOptions& options, const std::string& path,
                                const Progress& progress) {
  LOGWOOD_TRY(io::WholeFile file, io::WholeFile::create(path));
  LOGWOOD_TRY(Exported exported,
              export_session(
                  store, session, options, [&](std::string_view text) { return file.write(text); },
                  progress));
  if (!exported.refused) LOGWOOD_CHECK(file.finish());
  return exported;
}

}  // namespace logwood::api
