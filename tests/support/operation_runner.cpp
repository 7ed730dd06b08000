#include "support/operation_runner.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <utility>

#include "support/disagreement.hpp"
#include "support/drafted_choice.hpp"
#include "support/naive_comparison.hpp"
#include "support/session_file_changes.hpp"

namespace logwood {
namespace {

using naive::NaiveDraft;
using naive::NaiveEntry;
using naive::NaiveSession;

constexpr const char* session_ids[] = {"s0", "s1", "s2", "s3"};
constexpr const char* keys[] = {"", "a:b:c", "x"};
constexpr std::chrono::milliseconds never{3'600'000};

std::string formatted(std::int64_t ms) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.", &parts);
  const std::string rest = std::to_string(1000 + ms % 1000).substr(1);
  return text + rest + 'Z';
}

}  // namespace

OperationRunner::OperationRunner(std::optional<std::string> place) : place_(std::move(place)) {
  handles_.resize(is_shared() ? 2 : 1);
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
  auto opened = is_shared() ? Store::open(*place_, options) : Store::in_memory(options);
  require_success(opened, "opening the store");
  handle.store.emplace(*std::move(opened));
}

void OperationRunner::tick() {
  now_ms_ += 7;
  now_text_ = formatted(now_ms_);
}

std::string OperationRunner::session_file(const std::string& id) const {
  return *place_ + "/sessions/" + id + ".jsonl";
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
      if (!is_shared()) break;
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
      if (has_files()) change_index_file(operation, *place_ + "/index/" + id);
      break;
    case Kind::foreign_line:
    case Kind::blank_line:
    case Kind::damaged_line:
    case Kind::nul_line:
    case Kind::replayed_line:
    case Kind::unended_bytes:
    case Kind::lost_line_end:
    case Kind::cut_last_batch:
    case Kind::replaced_file:
      change_file(operation, id);
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

void OperationRunner::append(const Operation& operation, Store& store, const std::string& id) {
  std::vector<NaiveDraft> drafts;
  for (const DraftChoice& choice : operation.drafts) {
    drafts.push_back(drafted(choice, id, model_.find(id), drafts));
  }
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
    const auto trashed = contents_in(*place_ + "/trash", id + ".");
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
  model_.put(put_unsealed_session(session_file(id), id, picked(keys, operation.number), now_text_,
                                  operation.number % 5U));
}

void OperationRunner::change_file(const Operation& operation, const std::string& id) {
  NaiveSession* session = model_.find(id);
  if (!has_files() || session == nullptr || !session->sealed) return;
  change_session_file(operation, session_file(id), *session);
  if (operation.kind == Operation::Kind::cut_last_batch) forget_readers(id);
}

void OperationRunner::forget_readers(const std::string& id) {
  for (Handle& handle : handles_) handle.readers.erase(id);
}

}  // namespace logwood
