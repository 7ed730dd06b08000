#include "logwood/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "io/real_files.hpp"
#include "model/attachment.hpp"
#include "model/message.hpp"
#include "storage/backend.hpp"
#include "storage/jsonl/backend.hpp"
#include "storage/memory/backend.hpp"
#include "storage/postgres/backend.hpp"
#include "store/branching.hpp"
#include "store/drafting.hpp"
#include "store/examining.hpp"
#include "store/importing.hpp"
#include "store/inside.hpp"
#include "store/request_checks.hpp"
#include "store/session_tree.hpp"

namespace logwood {

using storage::StorageBackend;

namespace {

IdsAndTime stamps_of(const StoreOptions& options) {
  IdsAndTime stamps{options.new_id, options.now};
  if (!stamps.new_id) stamps.new_id = [] { return new_entry_id(); };
  return stamps;
}

StoreOptions with_defaults(StoreOptions options) {
  if (!options.now) options.now = [] { return std::chrono::system_clock::now(); };
  return options;
}

// What a compaction keeps has to be there, or it would keep nothing and say otherwise.
Result<> check_in_context(const Context& now, const EntryId& entry) {
  const auto is_entry = [&](const auto& one) { return one.entry_id == entry; };
  if (std::any_of(now.messages.begin(), now.messages.end(), is_entry) ||
      std::any_of(now.passed_over.begin(), now.passed_over.end(), is_entry)) {
    return {};
  }
  return Error{ErrorCode::invalid_argument,
               fmt::format("entry {} is not in the present context, so a compaction cannot keep "
                           "what comes from it on",
                           entry.text)};
}

Result<> check_unanswered(const ContextBuilder::Built& built, const UnfinishedCall& call) {
  const bool in_context =
      std::any_of(built.messages.begin(), built.messages.end(),
                  [&](const ReadMessage& read) { return read.message.entry_id == call.entry_id; });
  if (!in_context) return {};  // it lies on another branch
  for (const UnfinishedCall& open : unfinished_calls(built)) {
    if (open.entry_id == call.entry_id && open.call_id == call.call_id) return {};
  }
  return Error{ErrorCode::already_exists,
               fmt::format("entry {} has no call {} without a result", call.entry_id.text,
                           json_quoted(call.call_id))};
}

constexpr std::size_t whole_session = static_cast<std::size_t>(-1);

}  // namespace

Result<Store> Store::open(const std::string& folder, const StoreOptions& options) {
  const StoreOptions chosen = with_defaults(options);
  if (storage::postgres::is_place(folder)) return open_database(folder, chosen);
  const bool create = chosen.create == StoreOptions::Create::if_missing;
  LOGWOOD_TRY(auto files,
              io::open_folder(folder, {.create = create, .allow_remote = chosen.allow_remote}));
  storage::jsonl::Options jsonl;
  jsonl.create =
      create ? storage::jsonl::CreateStore::if_missing : storage::jsonl::CreateStore::never;
  jsonl.writer.patience = chosen.patience;
  jsonl.writer.sync_interval = chosen.sync_interval;
  jsonl.writer.new_id = chosen.new_id;
  jsonl.writer.now = chosen.now;
  auto backend = storage::jsonl::open(std::move(files), jsonl);
  if (!backend) return std::move(backend).error().within("store " + folder);
  return Store(std::make_shared<Inside>(*std::move(backend), stamps_of(chosen)));
}

Result<Store> Store::open_database(const std::string& url, const StoreOptions& options) {
  const auto open = [&]() -> Result<std::unique_ptr<StorageBackend>> {
    LOGWOOD_TRY(const storage::postgres::Place place, storage::postgres::parse_place(url));
    storage::postgres::Options chosen;
    chosen.create = options.create == StoreOptions::Create::if_missing;
    chosen.patience = options.patience;
    const IdsAndTime stamps = stamps_of(options);
    chosen.writer = {stamps.new_id, stamps.now};
    return storage::postgres::open(place, chosen);
  };
  auto backend = open();
  if (!backend) {
    return std::move(backend).error().within("store " + storage::postgres::printable_place(url));
  }
  return Store(std::make_shared<Inside>(*std::move(backend), stamps_of(options)));
}

Result<Store> Store::in_memory(const StoreOptions& options) {
  const IdsAndTime stamps = stamps_of(with_defaults(options));
  return Store(
      std::make_shared<Inside>(storage::memory::open({stamps.new_id, stamps.now}), stamps));
}

Store::Store(std::shared_ptr<Inside> inside) : inside_(std::move(inside)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

std::string Store::read_only() const { return inside_->read_only(); }

Result<SessionHeader> Store::create(const NewSession& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->create(session);
}

Result<OpenedSession> Store::open_by_key(const NewSession& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->open_by_key(session);
}

Result<SessionStatus> Store::status(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->status(session);
}

Result<AppendResult> Store::append(const SessionId& session, std::span<const Draft> drafts,
                                   const AppendOptions& options) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->append(session, drafts, options);
}

Result<AppendResult> Store::append(const SessionId& session, const Draft& draft,
                                   const AppendOptions& options) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->append(session, {&draft, 1}, options);
}

Result<EntryPage> Store::load(const SessionId& session, View view) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(storage::PageFrom all, backend->read(session, {}, whole_session));
  if (view == View::shown) {
    Redactions redactions;
    for (const Entry& entry : all.page.entries) {
      if (!entry.flagged) redactions.take(entry);
    }
    for (Entry& entry : all.page.entries) redactions.apply(entry);
  }
  return std::move(all.page);
}

Result<BackwardPage> Store::load_last(const SessionId& session, std::size_t limit, Along along,
                                      View view) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->read_last(session, limit, along, view);
}

Result<Entry> Store::find(const SessionId& session, const EntryId& entry, View view) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(Entry found, backend->find(session, entry));
  if (view == View::shown) {
    LOGWOOD_TRY(const auto redactions, backend->redactions(session));
    redactions->apply(found);
  }
  return found;
}

Result<SessionTree> Store::tree(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(LoadedTree loaded, load_tree(*backend, session));
  return std::move(loaded.session);
}

Result<std::vector<Branch>> Store::branches(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return list_branches(*backend, session);
}

Result<AppendResult> Store::move_head(const SessionId& session,
                                      const std::optional<EntryId>& target,
                                      const AppendOptions& options) {
  return append(session, head_draft(target), options);
}

Result<AppendResult> Store::set_label(const SessionId& session, const std::string& name,
                                      const std::optional<EntryId>& target,
                                      const AppendOptions& options) {
  LOGWOOD_CHECK(check_utf8("the label", name));
  return append(session, label_draft(name, target), options);
}

Result<std::vector<Label>> Store::labels(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return load_labels(*backend, session);
}

Result<Label> Store::find_label(const SessionId& session, const std::string& name) {
  LOGWOOD_TRY(std::vector<Label> all, labels(session));
  for (Label& label : all) {
    if (label.name == name) return std::move(label);
  }
  return Error{ErrorCode::not_found,
               "there is no label " + json_quoted(name) + " in session " + session.text};
}

Result<Context> Store::context(const SessionId& session, const ContextOptions& options) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(const LoadedContext loaded, inside_->contexts.load(*backend, session, options.tip));
  return fitted(loaded, options);
}

void Store::clear_context_cache() { inside_->contexts.clear(); }

Result<AppendResult> Store::compact(const SessionId& session, const std::string& summary,
                                    const std::optional<EntryId>& first_kept,
                                    const AppendOptions& options) {
  LOGWOOD_CHECK(check_utf8("the summary", summary));
  LOGWOOD_TRY(const Context now, context(session));
  if (first_kept) LOGWOOD_CHECK(check_in_context(now, *first_kept));
  // The settings are those of the head that was read, so it must still be there.
  AppendOptions conditional = options;
  if (!conditional.expected_head) conditional.expected_head = ExpectedHead{now.tip};
  return append(session, compaction_draft(summary, first_kept, now.settings), conditional);
}

Result<Resumed> Store::resume(const SessionId& session, const ContextOptions& options) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(SessionStatus status, backend->status(session));
  LOGWOOD_TRY(LoadedContext loaded, inside_->contexts.load(*backend, session, options.tip));
  Resumed resumed;
  resumed.header = std::move(status.header);
  resumed.read_only = std::move(status.read_only);
  resumed.head = std::move(status.head);
  resumed.context = fitted(loaded, options);
  resumed.report.turns_restored = resumed.context.turns;
  resumed.report.unfinished = unfinished_calls(*loaded.built);
  resumed.report.passed_over = resumed.context.passed_over;
  resumed.report.problems = std::move(loaded.problems);
  resumed.report.anchored = loaded.anchored;
  return resumed;
}

Result<Resumed> Store::resume_latest(const ListOptions& options, const ContextOptions& context) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(const auto newest, newest_session(*backend, options));
  if (!newest) {
    return Error{ErrorCode::not_found,
                 "there is no session of this key or folder yet; create makes one, and "
                 "open_by_key finds or makes one"};
  }
  return resume(newest->id, context);
}

Result<Resumed> Store::switch_session(const SessionId& from, const SessionId& to,
                                      const ContextOptions& options) {
  LOGWOOD_CHECK(close(from));
  return resume(to, options);
}

Result<AppendResult> Store::answer(const SessionId& session, const UnfinishedCall& call,
                                   const CallAnswer& answer, const AppendOptions& options) {
  LOGWOOD_CHECK(check_utf8("the answer", answer.text));
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  LOGWOOD_TRY(const Entry asking, backend->find(session, call.entry_id));
  LOGWOOD_TRY(const LoadedContext loaded, inside_->contexts.load(*backend, session, std::nullopt));
  LOGWOOD_CHECK(check_unanswered(*loaded.built, call));
  DraftFields fields{.type = "message"};
  fields.payload =
      answer_payload(asking.payload(), {call.call_id, call.name}, answer.text, answer.failed);
  fields.run_id = asking.run_id;
  if (!only_results_follow(*loaded.built, call.entry_id)) fields.parent = Parent::of(call.entry_id);
  return append(session, Draft::of(fields), options);
}

Result<AppendResult> Store::mark_tool_run(const SessionId& session, const std::string& call_id,
                                          const std::string& name) {
  LOGWOOD_CHECK(check_utf8("the call id", call_id));
  LOGWOOD_CHECK(check_utf8("the tool's name", name));
  return append(session, tool_run_draft(call_id, name));
}

Result<AppendResult> Store::save_turn(const SessionId& session, const Turn& turn,
                                      const AppendOptions& options) {
  LOGWOOD_CHECK(check_utf8("the run id", turn.run_id));
  for (std::size_t i = 0; i < turn.messages.size(); ++i) {
    LOGWOOD_CHECK(check_json_form(fmt::format("message {} of the turn", i + 1), turn.messages[i],
                                  JsonForm::object));
  }
  const std::vector<Draft> drafts = turn_drafts(turn);
  return append(session, drafts, options);
}

Result<AppendResult> Store::append_deltas(const SessionId& session, const EntryId& message,
                                          const std::string& deltas, const std::string& run_id) {
  LOGWOOD_CHECK(check_id(message.text));
  LOGWOOD_CHECK(check_utf8("the run id", run_id));
  LOGWOOD_CHECK(check_json_form("what deltas holds", deltas, JsonForm::array));
  // Parts are soon replaced by the whole: a power cut may take the last of them.
  return append(session, deltas_draft(message, deltas, run_id),
                {.durability = Durability::buffered});
}

Result<AttachmentRef> Store::attach(const SessionId& session, const Attachment& attachment,
                                    const AppendOptions& options) {
  LOGWOOD_CHECK(check_utf8("the name", attachment.name));
  LOGWOOD_CHECK(check_utf8("the MIME type", attachment.mime));
  if (attachment.bytes.size() > attachment_size_max) {
    return Error{
        ErrorCode::invalid_argument,
        fmt::format("an attachment has at most {} bytes, and this one has {}; keep it in a "
                    "file of your own and name that",
                    attachment_size_max, attachment.bytes.size())};
  }
  LOGWOOD_TRY(const AppendResult kept, append(session, attachment_draft(attachment), options));
  return AttachmentRef{kept.last_appended_entry_id, attachment.name, attachment.mime,
                       attachment.bytes.size(), to_hex(sha256({attachment.bytes}))};
}

Result<Attachment> Store::attachment(const SessionId& session, const EntryId& entry) {
  LOGWOOD_TRY(const Entry found, find(session, entry));
  const auto wrong = [&](ErrorCode code, std::string_view why) {
    return Error{code, fmt::format("entry {} of session {} {}", entry.text, session.text, why)};
  };
  if (found.type != "attachment") return wrong(ErrorCode::not_found, "is not an attachment");
  if (found.erased) return wrong(ErrorCode::not_found, "was erased");
  if (found.redacted) return wrong(ErrorCode::not_found, "was redacted");
  if (found.incomplete)
    return wrong(ErrorCode::damaged, "has a blob that is missing or altered; run verify");
  auto attachment = read_attachment(found.payload());
  if (!attachment) return std::move(attachment).error().within("entry " + entry.text);
  return attachment;
}

Result<SessionUsage> Store::usage(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return inside_->usages.of(*backend, session);
}

Result<SessionHeader> Store::fork(const SessionId& session, const EntryId& entry,
                                  const ForkOptions& options) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return fork_session(*backend, session, entry, options, inside_->stamps);
}

Result<Imported> Store::import_session(const ByteSource& file, const ImportOptions& options,
                                       const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return import_file(*backend, file, options, progress);
}

Result<Imported> Store::repair(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return repair_session(*backend, session);
}

Result<> Store::flush(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->flush(session);
}

Result<MigrationResult> Store::migrate(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->migrate(session);
}

Result<VerifyReport> Store::verify(const SessionId& session, const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->verify(session, progress);
}

Result<> Store::examine(const FindingVisitor& tell, const ExamineOptions& options,
                        const Progress& progress) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return examine_store(*backend, tell, options, progress);
}

Result<SessionPage> Store::list(const ListOptions& options) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->list(options);
}

Result<> Store::close(const SessionId& session) {
  LOGWOOD_TRY(StorageBackend* const backend, inside_->backend());
  return backend->close(session);
}

Result<> Store::close() { return inside_->close(); }

}  // namespace logwood
