#include "support/operation_runner.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>
#include <utility>

namespace logwood {
namespace {

using naive::NaiveDraft;
using naive::NaiveEntry;
using naive::NaivePiece;
using naive::NaiveSession;
using naive::NaiveStore;

constexpr const char* session_ids[] = {"s0", "s1", "s2", "s3"};
constexpr const char* keys[] = {"", "a:b:c", "x"};
constexpr const char* pooled_ids[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
constexpr std::chrono::milliseconds never{3'600'000};

template <std::size_t size>
std::string picked(const char* const (&from)[size], std::uint8_t number) {
  return from[number % size];
}

// Fails with everything that was streamed into it.
template <class... Parts>
[[noreturn]] void disagree(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw Disagreement(text.str());
}

template <class... Parts>
void require(bool holds, const Parts&... parts) {
  if (!holds) disagree(parts...);
}

std::string spelled(const std::optional<std::string>& id) { return id ? *id : "(none)"; }
std::string spelled(const std::optional<EntryId>& id) { return id ? id->text : "(none)"; }

std::string spelled(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    text += "\n    " + std::string(name_of(problem.kind)) + " at " +
            std::to_string(problem.offset) + ": " + describe(problem);
  }
  return text.empty() ? " none" : text;
}

void require_same(const Entry& found, const NaiveEntry& expected) {
  require(found.text == expected.text, "entry ", expected.seq, " is\n  ", found.text,
          "\ninstead of\n  ", expected.text);
  require(found.id.text == expected.id && found.type == expected.type, "id or type of ",
          expected.id, " differ");
  require(found.seq == expected.seq, "entry ", expected.id, " has seq ", found.seq, ", not ",
          expected.seq);
  require(spelled(found.parent_id) == spelled(expected.parent), "entry ", expected.id,
          " has parent ", spelled(found.parent_id), ", not ", spelled(expected.parent));
  require(found.timestamp == expected.timestamp, "entry ", expected.id, " has timestamp ",
          found.timestamp, ", not ", expected.timestamp);
  require(!found.flagged && !found.erased, "entry ", expected.id, " is flagged or erased");
}

void require_same(const std::vector<Entry>& found, const std::vector<NaiveEntry>& expected) {
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
    require_same(found[i], expected[i]);
  }
  require(found.size() == expected.size(), found.size(), " entries instead of ", expected.size());
}

// What a call answered, when it should have failed as the model says.
template <class T>
void require_error(const Result<T>& result, ErrorCode code, const char* what) {
  require(!result, what, " succeeded, should be ", name_of(code));
  require(result.error().code == code, what, " is ", name_of(result.error().code), " (",
          result.error().message, "), should be ", name_of(code));
}

template <class T>
void require_success(const Result<T>& result, const char* what) {
  require(result.has_value(), what, ": ",
          result ? std::string()
                 : std::string(name_of(result.error().code)) + ": " + result.error().message);
}

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void add_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << bytes;
}

void write_private_file(const std::string& path, const std::string& bytes) {
  add_bytes(path, bytes);
  std::filesystem::permissions(path, std::filesystem::perms(0600));
}

std::vector<std::string> lines_of(const std::string& content) {
  std::vector<std::string> lines;
  std::istringstream in(content);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> contents_in(const std::string& folder, const std::string& prefix) {
  std::vector<std::string> found;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().filename().string().starts_with(prefix)) {
      found.push_back(content_of(file.path().string()));
    }
  }
  return found;
}

std::string formatted(std::int64_t ms) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.", &parts);
  const std::string rest = std::to_string(1000 + ms % 1000).substr(1);
  return text + rest + 'Z';
}

const char* type_name(DraftChoice::Type type) {
  switch (type) {
    case DraftChoice::Type::message:
      return "message";
    case DraftChoice::Type::custom:
      return "custom";
    case DraftChoice::Type::unknown:
      return "not_known_yet";
    case DraftChoice::Type::label:
      return "label";
    case DraftChoice::Type::info:
      return "session_info";
    case DraftChoice::Type::tool_run:
      return "tool_run";
    case DraftChoice::Type::head:
      return "head";
  }
  return "message";
}

NaiveDraft::Place place_of(DraftChoice::Type type) {
  switch (type) {
    case DraftChoice::Type::message:
    case DraftChoice::Type::custom:
    case DraftChoice::Type::unknown:
      return NaiveDraft::Place::tree;
    case DraftChoice::Type::label:
    case DraftChoice::Type::info:
    case DraftChoice::Type::tool_run:
      return NaiveDraft::Place::mark;
    case DraftChoice::Type::head:
      return NaiveDraft::Place::head_mark;
  }
  return NaiveDraft::Place::tree;
}

std::string joined(const std::vector<std::string>& members) {
  std::string text;
  for (const std::string& member : members) text += (text.empty() ? "" : ",") + member;
  return text;
}

// Spoils a draft so that it must be refused, or (line break) changed.
void spoil(NaiveDraft& draft, DraftChoice::Fault fault) {
  using Fault = DraftChoice::Fault;
  draft.valid = fault == Fault::none;
  switch (fault) {
    case Fault::none:
      return;
    case Fault::not_json:
      draft.text.resize(draft.text.find('}'));
      return;
    case Fault::no_payload:
      draft.text = R"({"type":"message"})";
      return;
    case Fault::reserved_name:
      draft.text = R"({"type":"message","payload":{},"s\u0065al":"1+.1.1/1"})";
      return;
    case Fault::header:
      draft.text = R"({"type":"session_header","payload":{"version":1,"requires":[]}})";
      return;
    case Fault::redaction:
      draft.text = R"({"type":"redaction","payload":{"targets":[]}})";
      return;
    case Fault::line_break:
      draft.text = "{\"type\":\"message\",\n\"payload\":{}}";
      return;
    case Fault::repeated_name:
      draft.text = R"({"type":"message","payload":{},"payload":{}})";
      return;
    case Fault::bad_time:
      draft.text = R"({"type":"message","payload":{},"timestamp":"2026-02-29T00:00:00.000Z"})";
      return;
    case Fault::mark_with_parent:
      draft.text = R"({"type":"label","payload":{},"parentId":"a"})";
      return;
  }
}

}  // namespace

OperationRunner::OperationRunner(std::optional<std::string> folder) : folder_(std::move(folder)) {
  handles_.resize(has_files() ? 2 : 1);
  tick();
  for (Handle& handle : handles_) {
    handle.sync_interval = never;
    open(handle);
  }
}

void OperationRunner::open(Handle& handle) {
  handle.readers.clear();
  handle.store.reset();
  StoreOptions options;
  options.create = StoreOptions::Create::if_missing;
  options.sync_interval = handle.sync_interval;
  options.now = [this] {
    return std::chrono::system_clock::time_point(std::chrono::milliseconds(now_ms_));
  };
  options.new_id = [this] {
    drawn_.push_back("n" + std::to_string(drawn_.size()));
    return EntryId{drawn_.back()};
  };
  auto opened = has_files() ? Store::open(*folder_, options) : Store::in_memory(options);
  require_success(opened, "opening the store");
  handle.store.emplace(*std::move(opened));
}

void OperationRunner::tick() {
  now_ms_ += 7;
  now_text_ = formatted(now_ms_);
}

std::string OperationRunner::session_file(const std::string& id) const {
  return *folder_ + "/sessions/" + id + ".jsonl";
}

void OperationRunner::run(const Operation& operation) {
  using Kind = Operation::Kind;
  tick();
  Handle& handle = handles_[operation.handle % handles_.size()];
  Store& store = *handle.store;
  const std::string id = picked(session_ids, operation.session);
  switch (operation.kind) {
    case Kind::create:
      create(operation, store, id);
      break;
    case Kind::open_by_key:
      open_by_key(operation, store);
      break;
    case Kind::append:
      append(operation, store, id);
      break;
    case Kind::append_again:
      append_again(operation, store);
      break;
    case Kind::flush:
      // May say that what was buffered went away with a session that was removed.
      (void)store.flush({id});
      break;
    case Kind::close_session:
      (void)store.close(SessionId{id});
      break;
    case Kind::reopen_store:
      if (!has_files()) break;
      (void)store.close();
      handle.sync_interval = operation.number % 4 == 0 ? std::chrono::milliseconds(0) : never;
      open(handle);
      break;
    case Kind::load:
      compare_load(store, id);
      break;
    case Kind::read_page:
      read_page(operation, handle, id);
      break;
    case Kind::load_last:
      compare_last(store, id, operation.number % 12,
                   operation.along_path ? Along::path : Along::append_order);
      break;
    case Kind::find:
      find(operation, store, id);
      break;
    case Kind::status:
      compare_status(store, id);
      break;
    case Kind::list:
      list(operation, store);
      break;
    case Kind::remove:
      remove(store, id);
      break;
    case Kind::verify:
      compare_verify(store, id);
      break;
    case Kind::migrate:
      migrate(store, id);
      break;
    case Kind::put_unsealed:
      put_unsealed(operation, id);
      break;
    case Kind::delete_index:
    case Kind::truncate_index:
    case Kind::scribble_index:
      touch_index(operation, id);
      break;
    case Kind::foreign_line:
    case Kind::blank_line:
    case Kind::damaged_line:
    case Kind::nul_line:
    case Kind::replayed_line:
    case Kind::unended_bytes:
    case Kind::cut_last_batch:
      touch_files(operation, id);
      break;
  }
  for (const char* each : session_ids) compare_file(each);
  compare_load(*handles_[operation.other_number % handles_.size()].store, id);
  compare_status(store, id);
}

void OperationRunner::create(const Operation& operation, Store& store, const std::string& id) {
  const std::string key = picked(keys, operation.number);
  const auto created = store.create({.id = SessionId{id}, .key = key});
  if (model_.find(id) != nullptr) {
    require_error(created, ErrorCode::already_exists, "create");
    return;
  }
  require_success(created, "create");
  model_.create(id, key, now_text_);
  require(created->id.text == id && created->key == key && created->created == now_text_,
          "the new header differs");
}

void OperationRunner::open_by_key(const Operation& operation, Store& store) {
  const std::string key = picked(keys, operation.number);
  // A key without a session gets the first id that is free.
  std::string id = "k0";
  for (int i = 1; model_.find(id) != nullptr; ++i) id = "k" + std::to_string(i);
  const auto opened = store.open_by_key({.id = SessionId{id}, .key = key});
  if (key.empty()) {
    require_error(opened, ErrorCode::invalid_argument, "open_by_key");
    return;
  }
  require_success(opened, "open_by_key");
  const NaiveSession* known = model_.newest_of_key(key);
  require(opened->created == (known == nullptr), "open_by_key created ", opened->created);
  if (known == nullptr) known = &model_.create(id, key, now_text_);
  require(opened->header.id.text == known->id, "open_by_key found ", opened->header.id.text,
          ", should be ", known->id);
}

NaiveDraft OperationRunner::build(const DraftChoice& choice, const std::string& session_id,
                                  const std::vector<NaiveDraft>& earlier) {
  const NaiveSession* session = model_.find(session_id);
  const auto known = [&](std::uint8_t number) -> std::string {
    if (session == nullptr) return "nobody";
    return session->entries[number % session->entries.size()].id;
  };
  NaiveDraft draft;
  draft.type = type_name(choice.type);
  draft.place = place_of(choice.type);
  switch (choice.id) {
    case DraftChoice::Id::none:
      break;
    case DraftChoice::Id::pooled:
      draft.id = picked(pooled_ids, choice.id_number);
      break;
    case DraftChoice::Id::known:
      draft.id = known(choice.id_number);
      break;
    case DraftChoice::Id::session:
      draft.id = session_id;
      break;
  }
  const bool in_tree = draft.place == NaiveDraft::Place::tree;
  switch (in_tree || choice.parent == DraftChoice::Parent::null ? choice.parent
                                                                : DraftChoice::Parent::absent) {
    case DraftChoice::Parent::absent:
      break;
    case DraftChoice::Parent::null:
      draft.parent_given = NaiveDraft::ParentGiven::null;
      break;
    case DraftChoice::Parent::known:
      draft.parent_given = NaiveDraft::ParentGiven::entry;
      draft.parent = known(choice.parent_number);
      break;
    case DraftChoice::Parent::pooled:
      draft.parent_given = NaiveDraft::ParentGiven::entry;
      draft.parent = picked(pooled_ids, choice.parent_number);
      break;
    case DraftChoice::Parent::earlier_in_batch:
      if (earlier.empty() || !earlier[choice.parent_number % earlier.size()].id) break;
      draft.parent_given = NaiveDraft::ParentGiven::entry;
      draft.parent = *earlier[choice.parent_number % earlier.size()].id;
      break;
  }

  std::string payload = R"({"n":)" + std::to_string(choice.content % 3) + "}";
  if (choice.content % 7 == 6) payload = R"({"s":"\ud800 \u0000", "n":1.0e400,"n":-0})";
  if (choice.content % 31 == 30) payload = R"({"x":")" + std::string(70'000, 'x') + "\"}";
  if (choice.type == DraftChoice::Type::head) {
    if (choice.target_number % 4 != 0) {
      draft.target = choice.target_number % 4 == 1 ? picked(pooled_ids, choice.target_number / 4)
                                                   : known(choice.target_number / 4);
    }
    payload = R"({"target":)" + (draft.target ? '"' + *draft.target + '"' : "null") + "}";
  }

  std::vector<std::string> members;
  if (draft.id) members.push_back(R"("id":")" + *draft.id + '"');
  if (draft.parent_given == NaiveDraft::ParentGiven::null) members.push_back(R"("parentId":null)");
  if (draft.parent_given == NaiveDraft::ParentGiven::entry) {
    members.push_back(R"("parentId":")" + draft.parent + '"');
  }
  if (choice.spelling % 5 == 4) {
    draft.timestamp = "2024-02-29T12:00:00.000Z";
    members.push_back(R"("timestamp":")" + *draft.timestamp + '"');
  }
  members.push_back(R"("type":")" + draft.type + '"');
  members.push_back(R"("payload":)" + payload);
  if (choice.spelling % 3 == 1) members.push_back(R"("runId":"r")");
  if (choice.spelling % 3 == 2) std::reverse(members.begin(), members.end());
  draft.members = joined(members);
  if (choice.spelling % 11 == 10) draft.members = " " + draft.members + "\t ";
  draft.text = '{' + draft.members + '}';
  if (choice.spelling % 13 == 12) draft.text = " \n" + draft.text + "\r\n";
  spoil(draft, choice.fault);
  return draft;
}

void OperationRunner::append(const Operation& operation, Store& store, const std::string& id) {
  std::vector<NaiveDraft> drafts;
  for (const DraftChoice& choice : operation.drafts) drafts.push_back(build(choice, id, drafts));
  AppendOptions options;
  options.durability = operation.buffered ? Durability::buffered : Durability::synced;
  if (operation.operation_id % 4 != 0) {
    options.operation_id = "operation " + std::to_string(operation.operation_id % 4);
  }
  const NaiveSession* session = model_.find(id);
  switch (operation.tail) {
    case Operation::Tail::any:
      break;
    case Operation::Tail::none:
      options.expected_tail = ExpectedTail{};
      break;
    case Operation::Tail::actual:
      options.expected_tail = ExpectedTail{};
      if (session != nullptr && session->tail()) {
        options.expected_tail->id = EntryId{*session->tail()};
      }
      break;
    case Operation::Tail::known:
      options.expected_tail = ExpectedTail{};
      if (session != nullptr) {
        options.expected_tail->id =
            EntryId{session->entries[operation.number % session->entries.size()].id};
      }
      break;
  }
  append_drafts(store, id, drafts, options);
}

void OperationRunner::append_again(const Operation& operation, Store& store) {
  if (past_.empty()) return;
  const PastAppend past = past_[operation.number % past_.size()];
  append_drafts(store, past.session, past.drafts, past.options);
}

void OperationRunner::append_drafts(Store& store, const std::string& id,
                                    const std::vector<NaiveDraft>& drafts,
                                    const AppendOptions& options) {
  const naive::Expectation expected = model_.expect(id, drafts, options);
  const std::optional<std::string> tail =
      model_.find(id) != nullptr ? model_.find(id)->tail() : std::nullopt;
  std::vector<Draft> given;
  for (const NaiveDraft& draft : drafts) given.push_back({draft.text});
  const auto result = store.append({id}, given, options);

  NaiveSession* session = model_.find(id);
  if (expected.error) {
    require_error(result, *expected.error, "append");
    if (*expected.error == ErrorCode::conflict) {
      require(result.error().actual_tail == tail.value_or(""), "the conflict names the tail ",
              spelled(result.error().actual_tail), ", it is ", spelled(tail));
    }
    return;
  }
  require_success(result, "append");
  expect_cut(*session);
  require(result->session_id.text == id, "the append names another session");
  require(result->replayed == expected.replayed, "replayed is ", result->replayed);
  require(result->appended_count == (expected.replayed ? 0 : drafts.size()), "appended_count is ",
          result->appended_count);

  std::vector<std::string> ids;
  std::size_t drawn = static_cast<std::size_t>(std::count_if(
      drafts.begin(), drafts.end(), [](const NaiveDraft& draft) { return !draft.id; }));
  const auto loaded = store.load({id});
  require_success(loaded, "load after append");
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (drafts[i].id) {
      ids.push_back(*drafts[i].id);
    } else if (options.operation_id.empty()) {
      ids.push_back(drawn_[drawn_.size() - drawn--]);
    } else if (const std::string* known = model_.derived(id, options.operation_id, i)) {
      ids.push_back(*known);
    } else {
      const std::size_t at = session->entries.size() + i;
      require(at < loaded->entries.size(), "an appended entry is not there");
      ids.push_back(loaded->entries[at].id.text);
      require(ids.back().size() == 36 && ids.back()[14] == '8', "a derived id is ", ids.back());
      model_.learn(id, options.operation_id, i, ids.back());
    }
  }
  require(result->last_appended_entry_id.text == ids.back(), "last_appended_entry_id is ",
          result->last_appended_entry_id.text, ", should be ", ids.back());
  if (expected.replayed) return;
  model_.append(id, drafts, ids, now_text_);
  past_.push_back({id, drafts, options});
}

void OperationRunner::read_page(const Operation& operation, Handle& handle, const std::string& id) {
  const NaiveSession* session = model_.find(id);
  auto found = handle.readers.find(id);
  if (found == handle.readers.end()) {
    const std::size_t page_size = 1 + operation.number % 7;
    auto reader = handle.store->read({id}, page_size);
    if (session == nullptr) {
      require_error(reader, ErrorCode::not_found, "read");
      return;
    }
    require_success(reader, "read");
    found = handle.readers.emplace(id, Reader{*std::move(reader), page_size, 0}).first;
  }
  Reader& at = found->second;
  if (operation.number % 16 == 15) {
    at.reader.reset();
    at.position = 0;
  }
  const auto page = at.reader.next();
  require_success(page, "next page");
  const auto all = session->entries.begin();
  const std::size_t count = std::min(at.page_size, session->entries.size() - at.position);
  const auto from = all + static_cast<std::ptrdiff_t>(at.position);
  require_same(page->entries, {from, from + static_cast<std::ptrdiff_t>(count)});
  at.position += count;
  const bool more = at.position < session->entries.size();
  require(page->has_more == more && at.reader.has_more() == more, "has_more is ", page->has_more);
}

void OperationRunner::find(const Operation& operation, Store& store, const std::string& id) {
  const NaiveSession* session = model_.find(id);
  std::string wanted = picked(pooled_ids, operation.number);
  if (session != nullptr && operation.number % 2 == 0) {
    wanted = session->entries[operation.number / 2 % session->entries.size()].id;
  }
  const auto found = store.find({id}, {wanted});
  const NaiveEntry* expected = session != nullptr ? session->find(wanted) : nullptr;
  if (expected == nullptr) {
    require_error(found, ErrorCode::not_found, "find");
    return;
  }
  require_success(found, "find");
  require_same(*found, *expected);
}

void OperationRunner::list(const Operation& operation, Store& store) {
  ListOptions options;
  options.limit = 1 + operation.number % 4;
  options.key = picked(keys, operation.other_number);
  if (operation.other_number % 2 == 1) {
    options.after = SessionId{picked(session_ids, operation.session)};
  }
  const auto page = store.list(options);
  require_success(page, "list");
  std::vector<std::string> expected;
  for (const NaiveSession& session : model_.sessions()) {
    if (!options.key.empty() && session.key != options.key) continue;
    if (options.after && session.id >= options.after->text) continue;
    expected.push_back(session.id);
  }
  std::sort(expected.rbegin(), expected.rend());
  require(page->has_more == (expected.size() > options.limit), "has_more of the list is ",
          page->has_more);
  expected.resize(std::min(expected.size(), options.limit));
  require(page->unreadable.empty(), "a session cannot be read: ",
          page->unreadable.empty() ? "" : page->unreadable.front().error.message);
  std::vector<std::string> found;
  for (const SessionHeader& header : page->sessions) found.push_back(header.id.text);
  require(found == expected, "the list has ", found.size(), " sessions, should have ",
          expected.size(), ", or others");
}

void OperationRunner::remove(Store& store, const std::string& id) {
  const std::string bytes = has_files() ? content_of(session_file(id)) : "";
  const auto removed = store.remove({id});
  NaiveSession* session = model_.find(id);
  if (session == nullptr) {
    require_error(removed, ErrorCode::not_found, "remove");
    return;
  }
  require_success(removed, "remove");
  if (has_files()) {
    require(!std::filesystem::exists(session_file(id)), "the file is still there");
    std::string kept = bytes;
    const auto trashed = contents_in(*folder_ + "/trash", id + ".");
    // A torn end may have been cut on the way, when something buffered was synced.
    const bool whole = std::find(trashed.begin(), trashed.end(), kept) != trashed.end();
    kept.resize(kept.size() - session->torn_bytes());
    require(whole || std::find(trashed.begin(), trashed.end(), kept) != trashed.end(),
            "the trash does not hold the session");
  }
  model_.remove(id);
  forget_readers(id);
}

void OperationRunner::migrate(Store& store, const std::string& id) {
  const auto migrated = store.migrate({id});
  NaiveSession* session = model_.find(id);
  if (session == nullptr) {
    require_error(migrated, ErrorCode::not_found, "migrate");
    return;
  }
  require_success(migrated, "migrate");
  require(migrated->to_version == 1 && migrated->from_version == (session->sealed ? 1U : 0U),
          "the versions of the migration are wrong");
  if (session->sealed) return;
  require(migrated->entries == session->entries.size(), "entries were lost in the migration");
  session->sealed = true;
  std::string& header = session->entries.front().text;
  header.replace(header.find("\"version\":0"), 11, "\"version\":1");
  std::vector<NaiveEntry> entries = std::move(session->entries);
  session->entries.clear();
  session->pieces.clear();
  for (NaiveEntry& entry : entries) session->add_batch({std::move(entry)});
}

void OperationRunner::put_unsealed(const Operation& operation, const std::string& id) {
  if (!has_files() || model_.find(id) != nullptr) return;
  NaiveStore made;
  NaiveSession session = made.create(id, picked(keys, operation.number), now_text_);
  session.sealed = false;
  std::string& header = session.entries.front().text;
  header.replace(header.find("\"version\":1"), 11, "\"version\":0");
  std::optional<std::string> parent;
  for (unsigned i = 0; i < operation.number % 5U; ++i) {
    NaiveEntry entry;
    entry.id = "old" + std::to_string(i);
    entry.parent = parent;
    entry.type = "message";
    entry.timestamp = now_text_;
    entry.seq = i + 2;
    entry.text = R"({"payload":{"n":1}, "type":"message","id":")" + entry.id + R"(","parentId":)" +
                 (parent ? '"' + *parent + '"' : "null") + R"(,"timestamp":")" + now_text_ + "\"}";
    parent = entry.id;
    session.entries.push_back(entry);
  }
  std::string bytes;
  session.pieces.clear();
  for (const NaiveEntry& entry : session.entries) {
    bytes += entry.text + '\n';
    session.pieces.push_back(
        {NaivePiece::Kind::batch, 1, entry.text.size() + 1, entry.seq, entry.seq});
  }
  write_private_file(session_file(id), bytes);
  model_.put(std::move(session));
}

void OperationRunner::touch_index(const Operation& operation, const std::string& id) {
  if (!has_files()) return;
  const std::string path = *folder_ + "/index/" + id;
  if (!std::filesystem::exists(path)) return;
  std::string content = content_of(path);
  switch (operation.kind) {
    case Operation::Kind::delete_index:
      std::filesystem::remove(path);
      return;
    case Operation::Kind::truncate_index:
      std::filesystem::resize_file(path, content.size() * (operation.number % 8U) / 8U);
      return;
    default:
      if (content.empty()) return;
      content[operation.number * 37U % content.size()] ^=
          static_cast<char>(1U << operation.number % 8U);
      std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  }
}

void OperationRunner::touch_files(const Operation& operation, const std::string& id) {
  NaiveSession* session = model_.find(id);
  if (!has_files() || session == nullptr || !session->sealed) return;
  const std::string path = session_file(id);
  const unsigned number = operation.number;
  // What is added to an unended line would make another line of it.
  const bool unended = !session->unended.empty();
  const auto add_line = [&](NaivePiece::Kind kind, const std::string& text, std::uint64_t seq = 0) {
    if (unended) return;
    add_bytes(path, text + '\n');
    session->pieces.push_back({kind, 1, text.size() + 1, seq, seq});
  };
  switch (operation.kind) {
    case Operation::Kind::foreign_line: {
      constexpr const char* texts[] = {R"({"type":"note","text":"seal"})", "[1,2]", "7", "null",
                                       R"({"id":"a","type":"message","payload":{}})"};
      add_line(NaivePiece::Kind::foreign, texts[number % 5]);
      return;
    }
    case Operation::Kind::blank_line:
      add_line(NaivePiece::Kind::blank, number % 2 == 0 ? "" : " \t");
      return;
    case Operation::Kind::damaged_line: {
      std::string line = lines_of(content_of(path)).front();
      line[line.size() - 4] = line[line.size() - 4] == '0' ? '1' : '0';  // in the CRC
      const std::string texts[] = {"garbage", R"({"a":})", line, std::string("\0\0\0x", 4)};
      add_line(NaivePiece::Kind::damaged, texts[number % 4]);
      return;
    }
    case Operation::Kind::nul_line:
      add_line(NaivePiece::Kind::nul, std::string(8 + number, '\0'));
      return;
    case Operation::Kind::replayed_line: {
      std::vector<std::pair<std::string, std::uint64_t>> sealed;
      const std::vector<std::string> lines = lines_of(content_of(path));
      std::size_t at = 0;
      for (const NaivePiece& piece : session->pieces) {
        for (std::uint64_t i = 0; piece.kind == NaivePiece::Kind::batch && i < piece.lines; ++i) {
          sealed.emplace_back(lines[at + i], piece.first_seq + i);
        }
        at += piece.lines;
      }
      const auto& [text, seq] = sealed[number % sealed.size()];
      add_line(NaivePiece::Kind::repeated, text, seq);
      return;
    }
    case Operation::Kind::unended_bytes: {
      const std::string line = lines_of(content_of(path)).front();
      const std::string texts[] = {R"({"id":"half)", std::string(5000, '\0'), "\xff\xfe", "7",
                                   line.substr(0, 1 + number % (line.size() - 1))};
      if (unended) return;
      session->unended = texts[number % 5];
      add_bytes(path, session->unended);
      return;
    }
    case Operation::Kind::cut_last_batch:
      if (session->entries.size() == 1) return;
      session->drop_last_batch();
      if (session->entries.empty()) disagree("the model lost its header");
      std::filesystem::resize_file(path, session->size_bytes());
      forget_readers(id);
      return;
    default:
      return;
  }
}

void OperationRunner::forget_readers(const std::string& id) {
  for (Handle& handle : handles_) handle.readers.erase(id);
}

// A torn end is gone from the file, and then it lies in quarantine.
void OperationRunner::expect_cut(NaiveSession& session) {
  const std::uint64_t torn = session.torn_bytes();
  if (torn == 0) return;
  const auto kept = contents_in(*folder_ + "/quarantine", session.id + ".");
  const bool found = std::any_of(kept.begin(), kept.end(), [&](const std::string& bytes) {
    return bytes.size() == torn && bytes.ends_with(session.unended);
  });
  require(found, "the quarantine does not hold the torn end of ", session.id);
  session.cut_torn_end();
}

// The file has exactly the bytes that the model counts, except that somebody who is
// no reader may have cut a torn end.
void OperationRunner::compare_file(const std::string& id) {
  NaiveSession* session = model_.find(id);
  if (!has_files() || session == nullptr) return;
  const std::uint64_t size = std::filesystem::file_size(session_file(id));
  if (size != session->size_bytes()) expect_cut(*session);
  require(size == session->size_bytes(), "the file of ", id, " has ", size, " bytes, should have ",
          session->size_bytes());
}

void OperationRunner::compare_load(Store& store, const std::string& id) {
  const auto loaded = store.load({id});
  const NaiveSession* session = model_.find(id);
  if (session == nullptr) {
    require_error(loaded, ErrorCode::not_found, "load");
    return;
  }
  require_success(loaded, "load");
  require(!loaded->has_more, "load leaves something out");
  require_same(loaded->entries, session->entries);
  require(loaded->problems == session->problems(), "load reports", spelled(loaded->problems),
          "\n  instead of", spelled(session->problems()));
}

void OperationRunner::compare_last(Store& store, const std::string& id, std::size_t limit,
                                   Along along) {
  const auto last = store.load_last({id}, limit, along);
  const NaiveSession* session = model_.find(id);
  if (session == nullptr) {
    require_error(last, ErrorCode::not_found, "load_last");
    return;
  }
  require_success(last, "load_last");
  std::vector<NaiveEntry> expected = session->newest(along == Along::path);
  require(last->has_more == (expected.size() > limit), "has_more of load_last is ", last->has_more);
  expected.resize(std::min(expected.size(), limit));
  require_same(last->entries, expected);
}

void OperationRunner::compare_status(Store& store, const std::string& id) {
  const auto status = store.status({id});
  const NaiveSession* session = model_.find(id);
  if (session == nullptr) {
    require_error(status, ErrorCode::not_found, "status");
    return;
  }
  require_success(status, "status");
  require(status->header.id.text == id && status->header.key == session->key &&
              status->header.created == session->created &&
              status->header.version == (session->sealed ? 1U : 0U),
          "the header differs");
  require(spelled(status->tail) == spelled(session->tail()), "the tail is ", spelled(status->tail),
          ", should be ", spelled(session->tail()));
  require(spelled(status->head) == spelled(session->head()), "the head is ", spelled(status->head),
          ", should be ", spelled(session->head()));
  require(status->read_only.empty() == session->sealed, "read_only is \"", status->read_only, '"');
}

void OperationRunner::compare_verify(Store& store, const std::string& id) {
  const auto report = store.verify({id});
  const NaiveSession* session = model_.find(id);
  if (session == nullptr) {
    require_error(report, ErrorCode::not_found, "verify");
    return;
  }
  require_success(report, "verify");
  const std::vector<Problem> expected = session->problems();
  require(
      report->entries == session->entries.size() && report->flagged == 0 && report->tombstones == 0,
      "verify counts ", report->entries, " entries");
  require(report->problems == expected && report->problem_count == expected.size(),
          "verify reports", spelled(report->problems), "\n  instead of", spelled(expected));
  const bool lost = std::any_of(expected.begin(), expected.end(),
                                [](const Problem& problem) { return is_loss(problem.kind); });
  require(report->is_sound() == !lost, "is_sound is ", report->is_sound());
  if (has_files()) {
    require(report->size_bytes == session->size_bytes(), "verify looked at ", report->size_bytes,
            " bytes of ", session->size_bytes());
  }
}

void OperationRunner::compare_all() {
  const auto compare = [&](Store& store) {
    for (const NaiveSession& session : model_.sessions()) {
      compare_load(store, session.id);
      compare_status(store, session.id);
      compare_verify(store, session.id);
      for (const std::size_t limit : {1U, 3U, 1000U}) {
        compare_last(store, session.id, limit, Along::append_order);
        compare_last(store, session.id, limit, Along::path);
      }
      for (const NaiveEntry& entry : session.entries) {
        const auto found = store.find({session.id}, {entry.id});
        require_success(found, "find");
        require_same(*found, entry);
      }
    }
  };
  for (Handle& handle : handles_) compare(*handle.store);
  if (!has_files()) return;
  for (Handle& handle : handles_) open(handle);
  for (const NaiveSession& session : model_.sessions()) compare_file(session.id);
  for (Handle& handle : handles_) compare(*handle.store);
}

}  // namespace logwood
