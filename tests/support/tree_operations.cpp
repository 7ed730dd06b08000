#include "support/tree_operations.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <ostream>
#include <string_view>
#include <utility>

#include "support/drafted_choice.hpp"
#include "support/naive_comparison.hpp"

namespace logwood {
namespace {

using naive::CodePoints;
using naive::NaiveTree;
using naive::TextPart;
using naive::TreeDraft;
using naive::TreeEntry;

constexpr std::string_view which_names[] = {"tree",    "mark",   "elsewhere",
                                            "missing", "header", "none"};
constexpr std::string_view type_names[] = {"message", "custom", "model_change",
                                           "head",    "label",  "redaction"};
constexpr std::string_view parent_names[] = {"head", "root", "entry"};
constexpr std::string_view kind_names[] = {
    "append", "append_under", "append_root", "append_batch", "move_head",     "set_label",
    "redact", "erase",        "fork",        "context",      "close_session", "reopen_store"};
constexpr std::string_view expected_names[] = {"any", "actual", "none", "known"};

// The last one has ranges without a pointer, the one before it is none.
constexpr const char* pointers[] = {"",
                                    "/payload/content",
                                    "/payload/role",
                                    "/payload/notes/0",
                                    "/payload/notes/1/by",
                                    "/payload/notes",
                                    "/payload/absent",
                                    "/payload/name",
                                    "/payload/reason",
                                    "/payload/model",
                                    "payload",
                                    ""};
constexpr const char* roles[] = {"user", "assistant"};
constexpr const char* labels[] = {"good", "before it", "a", "good "};
constexpr const char* reasons[] = {"", "a password"};
constexpr const char* missing_id = "missing";
constexpr std::size_t sessions_max = 4;

// What contents are made of: one to four bytes each, some that JSON escapes, and what is put in
// the place of redacted text.
struct Symbol {
  const char* text;
  const char* escaped;
};
constexpr Symbol symbols[] = {{"a", "\\u0061"},         {"b", "\\u0062"},
                              {" ", "\\u0020"},         {"\n", "\\n"},
                              {"\"", "\\u0022"},        {"\\", "\\u005c"},
                              {"é", "\\u00e9"},         {"€", "\\u20AC"},
                              {"😀", "\\ud83d\\ude00"}, {"[redacted]", "[redacted]"}};

template <class Enum, std::size_t size>
std::string_view name(const std::string_view (&names)[size], Enum value) {
  return names[static_cast<std::size_t>(value)];
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

std::string listed(const std::vector<std::string>& ids) {
  std::string text = "[";
  for (const std::string& id : ids) text += (text.size() > 1 ? " " : "") + id;
  return text + ']';
}

// Up to nine symbols, by the digits of a number.
TextPart content_part(const TreeDraftChoice& choice) {
  TextPart part;
  part.pointer = "/payload/content";
  std::uint32_t digits = choice.content / 10;
  for (std::uint32_t i = 0; i < choice.content % 10; ++i, digits /= 10) {
    const Symbol& symbol = symbols[digits % 10];
    const bool is_one = digits % 10 != 9;
    const CodePoints added = is_one ? CodePoints{symbol.text} : naive::code_points(symbol.text);
    part.value.insert(part.value.end(), added.begin(), added.end());
    part.stored += symbol.escaped;
  }
  part.stored = choice.escaped ? '"' + part.stored + '"' : naive::quoted(part.value);
  return part;
}

std::vector<TextPart> tree_members(const TreeDraftChoice& choice) {
  switch (choice.type) {
    case TreeDraftChoice::Type::custom:
      return {{R"("type":"custom","payload":{"content":)"}, content_part(choice), {"}"}};
    case TreeDraftChoice::Type::model_change:
      return {{R"("type":"model_change","payload":{"model":)"},
              naive::string_part("/payload/model", "model " + std::to_string(choice.content % 100)),
              {"}"}};
    default:
      return {{R"("type":"message","payload":{"role":)"},
              naive::string_part("/payload/role", picked(roles, choice.content / 3)),
              {R"(,"content":)"},
              content_part(choice),
              {R"(,"notes":[)"},
              naive::string_part("/payload/notes/0", "first"),
              {R"(,{"by":)"},
              naive::string_part("/payload/notes/1/by", "second"),
              {"}]}"}};
  }
}

std::optional<EntryId> as_id(const std::optional<std::string>& id) {
  return id ? std::optional(EntryId{*id}) : std::nullopt;
}

std::vector<std::string> ids_at(const Tree& tree, const std::vector<Tree::Place>& places) {
  std::vector<std::string> ids;
  for (const Tree::Place place : places) ids.emplace_back(tree.id(place));
  return ids;
}

void require_ids(const Tree& tree, const std::vector<Tree::Place>& found,
                 const std::vector<std::string>& expected, const std::string& what) {
  const std::vector<std::string> ids = ids_at(tree, found);
  require(ids == expected, what, " are ", listed(ids), ", should be ", listed(expected));
}

void require_shown(const Entry& found, const NaiveTree& tree, const std::string& id, View view) {
  const TreeEntry& expected = *tree.find(id);
  naive::Shown shown = tree.shown(expected);
  if (view == View::stored) shown = {expected.stored(), false, false};
  require(found.text == shown.text, "entry ", expected.id, " is\n  ", found.text,
          "\ninstead of\n  ", shown.text);
  require(found.id.text == expected.id && found.type == expected.type &&
              found.timestamp == expected.timestamp,
          "id, type or timestamp of ", expected.id, " differ");
  require(spelled(found.parent_id) == spelled(expected.parent), "entry ", expected.id,
          " has parent ", spelled(found.parent_id), ", not ", spelled(expected.parent));
  require(found.seq == tree.seq(id), "entry ", expected.id, " has seq ", found.seq);
  require(found.redacted == shown.redacted, "redacted of ", expected.id, " is ", found.redacted);
  require(found.erased == !expected.erased_by.empty(), "erased of ", expected.id, " is ",
          found.erased);
  require(!found.flagged && !found.incomplete, expected.id, " is flagged or incomplete");
}

// The beginning of a text on one line: white space is one space, and none at the ends.
std::string on_one_line(const CodePoints& text, std::size_t count_max, bool& is_whole) {
  CodePoints line;
  bool gap = false;
  for (const std::string& one : text) {
    const bool is_space = one == " " || one == "\n";
    if (!is_space && gap && !line.empty()) line.emplace_back(" ");
    if (!is_space) line.push_back(one);
    gap = is_space;
  }
  is_whole = line.size() <= count_max;
  if (!is_whole) line.resize(count_max - 1);
  return naive::joined(line);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const EntryChoice& entry) {
  return out << name(which_names, entry.which) << ':' << +entry.number;
}

std::ostream& operator<<(std::ostream& out, const TreeDraftChoice& draft) {
  out << '{' << name(type_names, draft.type) << " parent=" << name(parent_names, draft.parent)
      << " entry=" << draft.entry << (draft.earlier ? " earlier" : "")
      << " content=" << draft.content;
  return out << (draft.escaped ? " escaped}" : "}");
}

std::ostream& operator<<(std::ostream& out, const TargetChoice& target) {
  out << '{' << target.entry << " pointer=" << picked(pointers, target.pointer);
  for (const RangeChoice& range : target.ranges) {
    out << " [" << +range.first << "+" << +range.length << ')';
  }
  return out << '}';
}

std::ostream& operator<<(std::ostream& out, const TreeOperation& operation) {
  using Kind = TreeOperation::Kind;
  out << name(kind_names, operation.kind) << " session=" << +operation.session
      << " handle=" << +operation.handle << " number=" << +operation.number << ','
      << +operation.other_number << " entry=" << operation.entry
      << " tail=" << name(expected_names, operation.tail)
      << " head=" << name(expected_names, operation.head);
  if (operation.kind <= Kind::append_batch) {
    for (const TreeDraftChoice& draft : operation.drafts) out << "\n      " << draft;
  } else if (operation.kind == Kind::redact || operation.kind == Kind::erase) {
    if (operation.everywhere) out << " everywhere";
    for (const TargetChoice& target : operation.targets) out << "\n      " << target;
  }
  return out;
}

TreeRunner::TreeRunner(std::optional<std::string> place) : place_(std::move(place)) {
  handles_.resize(is_shared() ? 2 : 1);
  tick();
  for (auto& handle : handles_) open(handle);
  Store& store = *handles_.front();
  const auto created = store.create({.id = SessionId{"s0"}});
  require_success(created, "create");
  const auto loaded = store.load({"s0"});
  require_success(loaded, "load");
  sessions_.push_back({"s0", NaiveTree("s0", now_text_, loaded->entries.front().text)});
}

void TreeRunner::open(std::optional<Store>& handle) {
  handle.reset();
  StoreOptions options;
  options.create = StoreOptions::Create::if_missing;
  options.sync_interval = std::chrono::milliseconds(0);
  options.now = [this] {
    return std::chrono::system_clock::time_point(std::chrono::milliseconds(now_ms_));
  };
  options.new_id = [this] {
    drawn_.push_back("n" + std::to_string(drawn_.size()));
    return EntryId{drawn_.back()};
  };
  auto opened = is_shared() ? Store::open(*place_, options) : Store::in_memory(options);
  require_success(opened, "opening the store");
  handle.emplace(*std::move(opened));
}

void TreeRunner::tick() {
  now_ms_ += 7;
  now_text_ = formatted(now_ms_);
}

std::string TreeRunner::last_drawn() const {
  require(!drawn_.empty(), "the store takes its ids from elsewhere");
  return drawn_.back();
}

TreeRunner::Session* TreeRunner::find(const std::string& id) {
  for (Session& session : sessions_) {
    if (session.id == id) return &session;
  }
  return nullptr;
}

void TreeRunner::run(const TreeOperation& operation) {
  using Kind = TreeOperation::Kind;
  tick();
  std::optional<Store>& handle = handles_[operation.handle % handles_.size()];
  Store& store = *handle;
  const std::size_t place = operation.session % sessions_.size();
  Session& session = sessions_[place];
  switch (operation.kind) {
    case Kind::append:
    case Kind::append_under:
    case Kind::append_root:
      append(operation, store, session);
      break;
    case Kind::append_batch:
      append_batch(operation, store, session);
      break;
    case Kind::move_head:
      move_head(operation, store, session);
      break;
    case Kind::set_label:
      set_label(operation, store, session);
      break;
    case Kind::redact:
      redact(operation, store, session);
      break;
    case Kind::erase:
      erase(operation, store, session);
      break;
    case Kind::fork:
      fork(operation, store, session);
      break;
    case Kind::context:
      compare_context(store, session, chosen(operation.entry, session));
      break;
    case Kind::close_session:
      require_success(store.close(SessionId{session.id}), "close");
      break;
    case Kind::reopen_store:
      if (!is_shared()) break;
      require_success(store.close(), "close");
      open(handle);
      break;
  }
  // Forking and erasing reach beyond the session.
  Store& reader = *handles_[operation.other_number % handles_.size()];
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    if (i != place && operation.kind != Kind::fork && operation.kind != Kind::erase) continue;
    compare(reader, sessions_[i], operation.number, operation.other_number);
  }
}

// The id of an entry, or of nothing that is there. A tree entry stands in where there is no mark
// yet, or no other session.
std::string TreeRunner::chosen(const EntryChoice& choice, const Session& session) const {
  const NaiveTree& tree = session.tree;
  std::vector<std::string> from;
  switch (choice.which) {
    case EntryChoice::Which::tree:
    case EntryChoice::Which::none:
      from = tree.tree_entries();
      break;
    case EntryChoice::Which::mark:
      for (const TreeEntry& entry : tree.entries()) {
        if (entry.kind != TreeEntry::Kind::header && entry.kind != TreeEntry::Kind::tree) {
          from.push_back(entry.id);
        }
      }
      break;
    case EntryChoice::Which::elsewhere:
      for (const Session& other : sessions_) {
        for (const std::string& id : other.tree.tree_entries()) {
          if (tree.find(id) == nullptr) from.push_back(id);
        }
      }
      break;
    case EntryChoice::Which::missing:
      break;
    case EntryChoice::Which::header:
      from.push_back(session.id);
      break;
  }
  const bool may_be_another =
      choice.which == EntryChoice::Which::mark || choice.which == EntryChoice::Which::elsewhere;
  if (from.empty() && may_be_another) from = tree.tree_entries();
  if (from.empty()) return missing_id;
  return from[from.size() - 1 - choice.number % from.size()];
}

std::optional<std::string> TreeRunner::chosen_or_none(const EntryChoice& choice,
                                                      const Session& session) const {
  if (choice.which == EntryChoice::Which::none) return std::nullopt;
  return chosen(choice, session);
}

TreeDraft TreeRunner::drafted(const TreeDraftChoice& choice, const Session& session,
                              const std::vector<TreeDraft>& earlier) const {
  std::string named = chosen(choice.entry, session);
  std::optional<std::string> target = chosen_or_none(choice.entry, session);
  if (choice.earlier && !earlier.empty()) {
    named = *earlier[choice.entry.number % earlier.size()].id;
    target = named;
  }
  TreeDraft draft;
  switch (choice.type) {
    case TreeDraftChoice::Type::head:
      return naive::head_draft(target);
    case TreeDraftChoice::Type::label:
      return naive::label_draft(picked(labels, choice.content), target);
    case TreeDraftChoice::Type::redaction:
      return naive::redaction_draft({{{named}, choice.escaped ? pointers[0] : pointers[1], {}}},
                                    "");
    case TreeDraftChoice::Type::message:
    case TreeDraftChoice::Type::custom:
    case TreeDraftChoice::Type::model_change:
      break;
  }
  draft.type = name(type_names, choice.type);
  draft.members = tree_members(choice);
  switch (choice.parent) {
    case TreeDraftChoice::Parent::head:
      break;
    case TreeDraftChoice::Parent::root:
      draft.parent_at = TreeDraft::ParentAt::root;
      draft.members.insert(draft.members.begin(), {R"("parentId":null,)"});
      break;
    case TreeDraftChoice::Parent::entry:
      draft.parent_at = TreeDraft::ParentAt::entry;
      draft.parent = named;
      draft.members.insert(draft.members.begin(), {R"("parentId":")" + named + "\","});
      break;
  }
  return draft;
}

std::vector<RedactionTarget> TreeRunner::targeted(const std::vector<TargetChoice>& choices,
                                                  const Session& session) const {
  std::vector<RedactionTarget> targets;
  for (const TargetChoice& choice : choices) {
    RedactionTarget target;
    target.id = {chosen(choice.entry, session)};
    target.pointer = picked(pointers, choice.pointer);
    for (const RangeChoice& range : choice.ranges) {
      const bool to_the_end = range.length == std::numeric_limits<std::uint8_t>::max();
      target.ranges.emplace_back(range.first, to_the_end
                                                  ? std::numeric_limits<std::uint64_t>::max()
                                                  : std::uint64_t{range.first} + range.length);
    }
    if (choice.pointer == 0) target.ranges.clear();  // all of the entry
    targets.push_back(std::move(target));
  }
  return targets;
}

AppendOptions TreeRunner::expecting(const TreeOperation& operation, const Session& session) const {
  const auto expected = [&](TreeOperation::Expected what,
                            const std::optional<std::string>& actual) -> std::optional<EntryId> {
    if (what == TreeOperation::Expected::actual) return as_id(actual);
    if (what == TreeOperation::Expected::none) return std::nullopt;
    return EntryId{chosen({EntryChoice::Which::tree, operation.number}, session)};
  };
  AppendOptions options;
  if (operation.tail != TreeOperation::Expected::any) {
    options.expected_tail = ExpectedTail{expected(operation.tail, session.tree.tail())};
  }
  if (operation.head != TreeOperation::Expected::any) {
    options.expected_head = ExpectedHead{expected(operation.head, session.tree.head())};
  }
  return options;
}

void TreeRunner::append(const TreeOperation& operation, Store& store, Session& session) {
  TreeDraftChoice choice;
  if (!operation.drafts.empty()) choice = operation.drafts.front();
  if (choice.type >= TreeDraftChoice::Type::head) choice.type = TreeDraftChoice::Type::message;
  choice.entry = operation.entry;
  choice.parent = TreeDraftChoice::Parent::head;
  if (operation.kind == TreeOperation::Kind::append_under) {
    choice.parent = TreeDraftChoice::Parent::entry;
  } else if (operation.kind == TreeOperation::Kind::append_root) {
    choice.parent = TreeDraftChoice::Parent::root;
  }
  const TreeDraft draft = drafted(choice, session, {});
  append_drafts(operation, store, session, {draft},
                [&](Store& on, const SessionId& id, const AppendOptions& options) {
                  return on.append(id, Draft{draft.text()}, options);
                });
}

// Each with an id, so that those behind it can name it.
void TreeRunner::append_batch(const TreeOperation& operation, Store& store, Session& session) {
  std::vector<TreeDraft> drafts;
  std::vector<Draft> given;
  for (const TreeDraftChoice& choice : operation.drafts) {
    TreeDraft draft = drafted(choice, session, drafts);
    draft.id = "b" + std::to_string(batched_++);
    draft.members.insert(draft.members.begin(), {R"("id":")" + *draft.id + "\","});
    given.push_back({draft.text()});
    drafts.push_back(std::move(draft));
  }
  append_drafts(operation, store, session, drafts,
                [&](Store& on, const SessionId& id, const AppendOptions& options) {
                  return on.append(id, given, options);
                });
}

void TreeRunner::move_head(const TreeOperation& operation, Store& store, Session& session) {
  const std::optional<std::string> target = chosen_or_none(operation.entry, session);
  append_drafts(operation, store, session, {naive::head_draft(target)},
                [&](Store& on, const SessionId& id, const AppendOptions& options) {
                  return on.move_head(id, as_id(target), options);
                });
}

void TreeRunner::set_label(const TreeOperation& operation, Store& store, Session& session) {
  std::string label = picked(labels, operation.number);
  if (operation.other_number % 32 == 31) label.clear();
  if (operation.other_number % 32 == 30) label = std::string(naive::label_size_max + 1, 'x');
  const std::optional<std::string> target = chosen_or_none(operation.entry, session);
  append_drafts(operation, store, session, {naive::label_draft(label, target)},
                [&](Store& on, const SessionId& id, const AppendOptions& options) {
                  return on.set_label(id, label, as_id(target), options);
                });
}

void TreeRunner::redact(const TreeOperation& operation, Store& store, Session& session) {
  const std::vector<RedactionTarget> targets = targeted(operation.targets, session);
  const std::string reason = picked(reasons, operation.number);
  append_drafts(operation, store, session, {naive::redaction_draft(targets, reason)},
                [&](Store& on, const SessionId& id, const AppendOptions& options) {
                  return on.redact(id, targets, reason, options);
                });
}

void TreeRunner::append_drafts(const TreeOperation& operation, Store& store, Session& session,
                               const std::vector<TreeDraft>& drafts, const Call& call) {
  const AppendOptions options = expecting(operation, session);
  const std::optional<ErrorCode> refusal = session.tree.refusal(drafts, options);
  const auto result = call(store, {session.id}, options);
  if (refusal) {
    require_error(result, *refusal, "appending");
    if (*refusal == ErrorCode::conflict) {
      const std::string tail = session.tree.tail().value_or("");
      require(result.error().actual_tail == tail, "the conflict names the tail ",
              spelled(result.error().actual_tail), ", it is ", tail);
    }
    return;
  }
  require_success(result, "appending");
  require(result->session_id.text == session.id && !result->replayed &&
              result->appended_count == drafts.size(),
          "the append says that it added ", result->appended_count, " entries");
  std::vector<std::string> ids;
  for (const TreeDraft& draft : drafts) ids.push_back(draft.id ? *draft.id : last_drawn());
  require(result->last_appended_entry_id.text == ids.back(), "last_appended_entry_id is ",
          result->last_appended_entry_id.text, ", should be ", ids.back());
  session.tree.append(drafts, ids, now_text_);
}

void TreeRunner::erase(const TreeOperation& operation, Store& store, Session& session) {
  std::vector<std::string> ids;
  std::vector<EntryId> given;
  for (const TargetChoice& target : operation.targets) {
    ids.push_back(chosen(target.entry, session));
    given.push_back({ids.back()});
  }
  const std::string reason = "gone";
  const auto erased =
      store.erase({session.id}, given, {.reason = reason, .everywhere = operation.everywhere});
  // Refused: nothing is erased, neither here nor elsewhere.
  if (const auto refusal = session.tree.erasure_refusal(ids)) {
    require_error(erased, *refusal, "erase");
    return;
  }
  require_success(erased, "erase");

  std::vector<Session*> copies;
  for (Session& other : sessions_) {
    if (&other != &session && !other.tree.held(ids).empty()) copies.push_back(&other);
  }
  require(erased->copies.size() == copies.size(), erased->copies.size(), " copies, should be ",
          copies.size());
  for (const Session* copy : copies) {
    const Copy expected{CopyKind::session, copy->id, operation.everywhere};
    require(
        std::find(erased->copies.begin(), erased->copies.end(), expected) != erased->copies.end(),
        "the copy in ", copy->id, " is not listed");
  }
  require(erased->elsewhere.size() == (operation.everywhere ? copies.size() : 0),
          erased->elsewhere.size(), " copies were erased");
  for (const Erasure& elsewhere : erased->elsewhere) {
    Session* copy = find(elsewhere.session_id.text);
    require(copy != nullptr, "erased in ", elsewhere.session_id.text);
    take_erasure(elsewhere, *copy, copy->tree.held(ids), reason);
  }
  take_erasure(*erased, session, session.tree.unerased(ids), reason);
  if (!erased->entries.empty()) receipts_.push_back(*erased);
}

void TreeRunner::take_erasure(const Erasure& erasure, Session& session,
                              const std::vector<std::string>& ids, const std::string& reason) {
  require(erasure.session_id.text == session.id, "the erasure names another session");
  std::vector<std::string> erased;
  for (const ErasedEntry& entry : erasure.entries) erased.push_back(entry.id.text);
  require(erased == ids, "erased are ", listed(erased), ", should be ", listed(ids));
  if (ids.empty()) return;
  require(erasure.timestamp == now_text_, "the erasure is of ", erasure.timestamp);
  session.tree.erase(erasure, reason);
  require(erasure.last_seq == session.tree.entries().size(), "last_seq is ", erasure.last_seq);
}

void TreeRunner::fork(const TreeOperation& operation, Store& store, const Session& session) {
  const std::string at = chosen(operation.entry, session);
  const bool is_free = sessions_.size() < sessions_max;
  const std::string id = "s" + std::to_string(is_free ? sessions_.size() : operation.number % 4);
  const auto forked = store.fork({session.id}, {at}, {.id = SessionId{id}});
  const TreeEntry* entry = session.tree.find(at);
  if (entry == nullptr || entry->kind != TreeEntry::Kind::tree) {
    require_error(forked, ErrorCode::not_found, "fork");
    return;
  }
  if (!is_free) {
    require_error(forked, ErrorCode::already_exists, "fork");
    return;
  }
  require_success(forked, "fork");
  require(forked->id.text == id && forked->created == now_text_ &&
              forked->origin == Origin{fork_agent, session.id, "", "", EntryId{at}},
          "the header of the fork differs");

  const auto loaded = store.load({id}, View::stored);
  require_success(loaded, "load of the fork");
  require(!loaded->entries.empty(), "the fork has no header");
  NaiveTree made(id, now_text_, loaded->entries.front().text);
  const std::vector<RedactionTarget> carried = session.tree.fork_into(made, at);
  if (!carried.empty()) {
    made.append({naive::redaction_draft(carried, "")}, {last_drawn()}, now_text_);
  }
  sessions_.push_back({id, std::move(made)});
}

void TreeRunner::compare(Store& store, const Session& session, std::size_t number,
                         std::size_t other_number) {
  compare_status(store, session);
  compare_tree(store, session, number, other_number);
  compare_labels(store, session, number);
  compare_load(store, session, number % 4 == 3 ? View::stored : View::shown);
  compare_last(store, session, number % 8, Along::append_order);
  compare_last(store, session, other_number % 8, Along::path);
  const std::vector<TreeEntry>& entries = session.tree.entries();
  compare_found(store, session, entries[entries.size() - 1 - number % entries.size()].id);
  compare_branches(store, session);
  compare_context(store, session, std::nullopt);
}

void TreeRunner::compare_everything(Store& store, const Session& session) {
  compare(store, session, 2, 7);
  compare_load(store, session, View::stored);
  compare_pages(store, session, 3);
  for (const TreeEntry& entry : session.tree.entries()) compare_found(store, session, entry.id);
  compare_found(store, session, missing_id);
  for (const std::string& id : session.tree.tree_entries()) compare_context(store, session, id);
  const auto report = store.verify({session.id});
  require_success(report, "verify");
  require(report->is_sound() && report->problem_count == 0, "verify finds ", report->problem_count,
          " problems");
  const std::vector<TreeEntry>& all = session.tree.entries();
  require(report->entries == all.size(), "verify counts ", report->entries, " entries");
  const auto erased = std::count_if(
      all.begin(), all.end(), [](const TreeEntry& entry) { return !entry.erased_by.empty(); });
  require(report->tombstones == static_cast<std::uint64_t>(erased), "verify counts ",
          report->tombstones, " tombstones, should be ", erased);
}

void TreeRunner::compare_status(Store& store, const Session& session) {
  const auto status = store.status({session.id});
  require_success(status, "status");
  require(spelled(status->tail) == spelled(session.tree.tail()), "the tail is ",
          spelled(status->tail), ", should be ", spelled(session.tree.tail()));
  require(spelled(status->head) == spelled(session.tree.head()), "the head is ",
          spelled(status->head), ", should be ", spelled(session.tree.head()));
}

void TreeRunner::compare_tree(Store& store, const Session& session, std::size_t number,
                              std::size_t other_number) {
  const NaiveTree& expected = session.tree;
  const auto loaded = store.tree({session.id});
  require_success(loaded, "tree");
  require(loaded->problems.empty() && loaded->tree.problems().empty(), "the tree has problems");
  require(spelled(loaded->head) == spelled(expected.head()), "the head of the tree is ",
          spelled(loaded->head), ", should be ", spelled(expected.head()));
  const Tree& tree = loaded->tree;
  const std::vector<std::string> ids = expected.tree_entries();
  require(tree.size() == ids.size(), "the tree has ", tree.size(), " entries, should have ",
          ids.size());
  for (Tree::Place place = 0; place < ids.size(); ++place) {
    const std::string& id = ids[place];
    const TreeEntry& entry = *expected.find(id);
    require(tree.id(place) == id && tree.find(id) == place, "in place ", place, " stands ",
            tree.id(place), ", not ", id);
    require(tree.type(place) == entry.type, "the type of ", id, " is ", tree.type(place));
    require(tree.seq(place) == expected.seq(id), "the seq of ", id, " is ", tree.seq(place));
    const auto parent = tree.parent(place);
    const std::string parent_id = parent ? std::string(tree.id(*parent)) : "(none)";
    require(parent_id == spelled(entry.parent), "the parent of ", id, " is ", parent_id);
    require_ids(tree, tree.children(place), expected.children(id), "the children of " + id);
    require(tree.child_count(place) == expected.children(id).size(), "child_count of ", id, " is ",
            tree.child_count(place));
    require(tree.depth(place) == expected.depth(id), "the depth of ", id, " is ",
            tree.depth(place));
    require(!tree.is_detached(place), id, " is detached");
  }
  require(!tree.find(missing_id) && !tree.find(session.id), "what is in no tree is found");
  require_ids(tree, tree.roots(), expected.roots(), "the roots");
  require_ids(tree, tree.detached(), {}, "the detached");
  require_ids(tree, tree.tips(), expected.tips(), "the tips");
  require_ids(tree, tree.branch_points(), expected.branch_points(), "the branch points");
  if (ids.empty()) return;

  const auto left = static_cast<Tree::Place>(number % ids.size());
  const auto right = static_cast<Tree::Place>(other_number % ids.size());
  require_ids(tree, tree.path_to(left), expected.path_to(ids[left]), "the path to " + ids[left]);
  require_ids(tree, tree.path_to(right), expected.path_to(ids[right]), "the path to " + ids[right]);
  const BranchDiff found = diff(tree, left, right);
  const naive::NaiveDiff difference = expected.diff(ids[left], ids[right]);
  const std::string of = " of the diff of " + ids[left] + " and " + ids[right];
  const std::string ancestor =
      found.common_ancestor ? std::string(tree.id(*found.common_ancestor)) : "(none)";
  require(ancestor == spelled(difference.common_ancestor), "the common ancestor", of, " is ",
          ancestor, ", should be ", spelled(difference.common_ancestor));
  require_ids(tree, found.only_left, difference.only_left, "those only left" + of);
  require_ids(tree, found.only_right, difference.only_right, "those only right" + of);
}

void TreeRunner::compare_labels(Store& store, const Session& session, std::size_t number) {
  const auto found = store.labels({session.id});
  require_success(found, "labels");
  const auto expected = session.tree.labels();
  require(found->size() == expected.size(), found->size(), " labels, should be ", expected.size());
  auto at = found->begin();
  for (const auto& [label, standing] : expected) {
    require(at->name == label && at->entry_id.text == standing.entry &&
                at->timestamp == standing.timestamp,
            "label \"", at->name, "\" is on ", at->entry_id.text, ", should be \"", label, "\" on ",
            standing.entry);
    ++at;
  }
  const std::string wanted = picked(labels, number);
  const auto one = store.find_label({session.id}, wanted);
  const auto standing = expected.find(wanted);
  if (standing == expected.end()) {
    require_error(one, ErrorCode::not_found, "find_label");
    return;
  }
  require_success(one, "find_label");
  require(one->entry_id.text == standing->second.entry, "find_label finds ", one->entry_id.text);
}

void TreeRunner::compare_load(Store& store, const Session& session, View view) {
  const auto loaded = store.load({session.id}, view);
  require_success(loaded, "load");
  require(loaded->problems.empty() && !loaded->has_more, "load has problems or leaves out");
  require(loaded->entries.size() == session.tree.entries().size(), loaded->entries.size(),
          " entries, should be ", session.tree.entries().size());
  for (std::size_t i = 0; i < loaded->entries.size(); ++i) {
    require_shown(loaded->entries[i], session.tree, session.tree.entries()[i].id, view);
  }
}

void TreeRunner::compare_pages(Store& store, const Session& session, std::size_t page_size) {
  auto reader = store.read({session.id}, page_size);
  require_success(reader, "read");
  std::size_t place = 0;
  while (reader->has_more()) {
    const auto page = reader->next();
    require_success(page, "next page");
    require(!page->entries.empty(), "a page that should have more is empty");
    for (const Entry& entry : page->entries) {
      require(place < session.tree.entries().size(), "pages have too many entries");
      require_shown(entry, session.tree, session.tree.entries()[place++].id, View::shown);
    }
  }
  require(place == session.tree.entries().size(), "pages have ", place, " entries");
}

void TreeRunner::compare_last(Store& store, const Session& session, std::size_t limit,
                              Along along) {
  const auto last = store.load_last({session.id}, limit, along);
  require_success(last, "load_last");
  std::vector<std::string> expected;
  if (along == Along::path) {
    expected = session.tree.path_to(session.tree.head());
  } else {
    for (const TreeEntry& entry : session.tree.entries()) expected.push_back(entry.id);
  }
  require(last->has_more == (expected.size() > limit), "has_more of load_last is ", last->has_more);
  require(last->entries.size() == std::min(limit, expected.size()), "load_last has ",
          last->entries.size(), " entries");
  for (std::size_t i = 0; i < last->entries.size(); ++i) {
    require_shown(last->entries[i], session.tree, expected[expected.size() - 1 - i], View::shown);
  }
}

void TreeRunner::compare_found(Store& store, const Session& session, const std::string& id) {
  for (const View view : {View::shown, View::stored}) {
    const auto found = store.find({session.id}, {id}, view);
    if (session.tree.find(id) == nullptr) {
      require_error(found, ErrorCode::not_found, "find");
    } else {
      require_success(found, "find");
      require_shown(*found, session.tree, id, view);
    }
  }
}

void TreeRunner::compare_branches(Store& store, const Session& session) {
  constexpr std::size_t preview_characters = 50;
  const auto found = store.branches({session.id});
  require_success(found, "branches");
  const auto expected = session.tree.branches();
  require(found->size() == expected.size(), found->size(), " branches, should be ",
          expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Branch& branch = (*found)[i];
    require(branch.tip.text == expected[i].tip && branch.length == expected[i].length &&
                branch.is_head == expected[i].is_head,
            "branch ", i, " is ", branch.tip.text, " of length ", branch.length,
            branch.is_head ? " at" : " not at", " the head, should be ", expected[i].tip,
            " of length ", expected[i].length);
    require(branch.timestamp == expected[i].timestamp, "the timestamp of branch ", branch.tip.text,
            " is ", branch.timestamp, ", should be ", expected[i].timestamp);
    require(branch.role == expected[i].role, "the role of branch ", branch.tip.text, " is ",
            branch.role, ", should be ", expected[i].role);
    bool is_whole = false;
    const std::string line = on_one_line(expected[i].text, preview_characters, is_whole);
    require(is_whole ? branch.preview == line : branch.preview.starts_with(line),
            "the preview of branch ", branch.tip.text, " is ", branch.preview, ", should be ",
            line);
  }
}

void TreeRunner::compare_context(Store& store, const Session& session,
                                 const std::optional<std::string>& tip) {
  const auto found = store.context({session.id}, {.tip = as_id(tip)});
  const TreeEntry* entry = tip ? session.tree.find(*tip) : nullptr;
  if (tip && (entry == nullptr || entry->kind != TreeEntry::Kind::tree)) {
    require_error(found, ErrorCode::not_found, "context");
    return;
  }
  require_success(found, "context");
  const std::optional<std::string> at = tip ? tip : session.tree.head();
  require(spelled(found->tip) == spelled(at), "the context is of ", spelled(found->tip),
          ", should be of ", spelled(at));
  const naive::NaiveContext expected = session.tree.context(at);
  require(found->messages.size() == expected.messages.size(), "the context of ", spelled(at),
          " has ", found->messages.size(), " messages, should have ", expected.messages.size());
  for (std::size_t i = 0; i < expected.messages.size(); ++i) {
    const ContextMessage& message = found->messages[i];
    const naive::NaiveMessage& said = expected.messages[i];
    require(message.entry_id.text == said.id && message.type == "message" &&
                message.role == said.role && message.timestamp == said.timestamp,
            "message ", i, " of the context is ", message.entry_id.text, " by ", message.role,
            ", should be ", said.id, " by ", said.role);
    require(message.payload == said.payload, "message ", said.id, " of the context is\n  ",
            message.payload, "\ninstead of\n  ", said.payload);
  }
  require(found->passed_over == expected.passed_over, "the context passes over ",
          found->passed_over.size(), " entries, should be ", expected.passed_over.size(),
          ", or for other reasons");
  require(found->settings.model == expected.model, "the model in the context of ", spelled(at),
          " is \"", found->settings.model, "\", should be \"", expected.model, '"');
}

void TreeRunner::compare_all() {
  for (auto& handle : handles_) {
    for (const Session& session : sessions_) compare(*handle, session, 1, 2);
  }
  if (is_shared()) open(handles_.front());
  Store& fresh = *handles_.front();
  for (const Session& session : sessions_) compare_everything(fresh, session);
  for (const Erasure& receipt : receipts_) {
    const auto checked = fresh.check_receipt(to_json(receipt));
    require_success(checked, "check_receipt");
    require(*checked == receipt, "the receipt says something else");
  }
}

}  // namespace logwood
