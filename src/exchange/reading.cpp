#include "exchange/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "exchange/carried_line.hpp"
#include "exchange/times.hpp"
#include "model/draft.hpp"

namespace logwood::exchange {
namespace {

constexpr std::size_t problems_max = 10'000;
constexpr std::size_t turns_max = 256;  // that can be undone
// Of all lines together: a short line can name a long file, and the next one the same.
constexpr std::uint64_t spilled_bytes_max = 512U << 20U;
constexpr std::size_t entry_rest = 64U << 10U;  // of an entry, beside what comes from a line
constexpr std::size_t group_max = 256;          // lines of one message

// Enough of an id to tell files apart: of a UUID, the end is what differs.
std::string tag_of(const std::string& file_id) {
  constexpr std::size_t tag_size = 8;
  std::string tag;
  for (const char c : file_id) {
    const bool fits = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (fits) tag += c;
  }
  return tag.size() > tag_size ? tag.substr(tag.size() - tag_size) : tag;
}

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

bool is_nul(std::string_view text) {
  return !text.empty() && text.find_first_not_of('\0') == std::string_view::npos;
}

// What an entry is made of, as the text of its object.
struct Made {
  std::string_view id;
  std::string_view parent;  // empty: none
  std::string_view timestamp;
  std::string_view type;
  std::string_view payload;
  std::string_view meta;  // members; empty: none
};

std::string text_of(const Made& made) {
  JsonWriter json;
  json.reserve(made.payload.size() + made.meta.size() + 200);
  json.begin_object().key("id").text(made.id).key("parentId");
  if (made.parent.empty()) {
    json.json("null");
  } else {
    json.text(made.parent);
  }
  json.key("timestamp").text(made.timestamp).key("type").text(made.type);
  json.key("payload").json(made.payload);
  if (!made.meta.empty()) json.key("meta").begin_object().members(made.meta).end_object();
  return json.end_object().take();
}

// Its own payload is `{}` where a line says nothing to us: what it says is in the line.
std::string_view payload_of(const ToldLine& told) {
  if (!told.payload.empty()) return told.payload;
  return told.made_payload.empty() ? std::string_view("{}") : std::string_view(told.made_payload);
}

}  // namespace

Reading::Reading(const Format& format, const FileHead& head, Carry carry)
    : format_(format), carry_(carry), notes_lines_(head.refers_to_lines), key_(new_sip_key()) {
  memory_.timestamp = head.created;
  begin_file(head.file_id);
}

void Reading::begin_file(const std::string& file_id) {
  file_tag_ = tag_of(file_id);
  if (file_tag_.empty()) file_tag_ = "at";
}

void Reading::note_line(const std::string& id) {
  if (notes_lines_) memory_.ids.push_back(id);
}

void Reading::begin_after(std::string last) {
  memory_.last = std::move(last);
  knows_ids_ = false;
  tells_usage_ = false;
}

std::string Reading::id_by_place(const Line& line) const {
  return fmt::format("{}-{:x}", file_tag_, line.offset);
}

bool Reading::is_new(const std::string& id, const Line& line) const {
  if (exceptions_ != nullptr) return !exceptions_->repeated.contains(line.offset);
  return !knows_ids_ || !ids_.contains(siphash(key_, id));
}

bool Reading::is_known(const std::string& id, const Line& line) const {
  if (exceptions_ != nullptr) return !exceptions_->joined.contains(line.offset);
  return !knows_ids_ || ids_.contains(siphash(key_, id));
}

void Reading::tell_problem(ProblemKind kind, const Line& line) {
  ++problem_count_;
  if (kind == ProblemKind::same_id) found_.repeated.insert(line.offset);
  if (problems_.size() == problems_max) return;
  Problem problem;
  problem.kind = kind;
  problem.offset = line.offset;
  problem.line = line.number;
  problems_.push_back(problem);
}

void Reading::take(const Line& line, const EntryVisitor& visit) {
  const std::string_view object = object_of(line);
  if (line.is_oversize || !object.starts_with('{') || !check_json(object))
    return take_unreadable(line, visit);
  ToldLine told = format_.tell(line, memory_);
  if (const auto time = timestamp_of_token(told.timestamp)) memory_.timestamp = *time;
  needs_earlier_ = needs_earlier_ || told.needs_earlier || told.turns_undone > 0;
  if (told.type.empty()) return take_outside(line, told, true, visit);
  take_in_tree(line, told, visit);
}

void Reading::take_aside(const Line& line, const EntryVisitor& visit) {
  take_outside(line, {}, !line.json.empty() && check_json(line.json), visit);
}

void Reading::take_unreadable(const Line& line, const EntryVisitor& visit) {
  if (is_blank(line.text)) {
    tell_problem(ProblemKind::blank, line);
  } else if (is_nul(line.text)) {
    tell_problem(ProblemKind::nul, line);
  } else {
    const ProblemKind kind = line.is_oversize ? ProblemKind::too_long : ProblemKind::damaged;
    const bool has_end = line.has_end || line.text.ends_with('\n');
    tell_problem(has_end ? kind : ProblemKind::cut_off, line);
  }
  note_line("");
  if (!line.is_oversize) take_outside(line, {}, false, visit);
}

void Reading::take_outside(const Line& line, const ToldLine& told, bool is_json,
                           const EntryVisitor& visit) {
  const std::string id = "line-" + id_by_place(line);
  const bool is_all_json = is_json && object_of(line).size() == line.text.size();
  const std::string payload =
      carry_ == Carry::lines ? agent_line_payload(format_.name, line, is_all_json) : "{}";
  const bool has_usage = tells_usage_ && !told.usage.empty();
  const std::string usage = has_usage ? "\"usage\":" + told.usage : "";
  visit(text_of({id, "", memory_.timestamp, "agent_line", payload, usage}));
  if (is_json) note_line("");
  put_marks(told, id, visit);
}

std::string Reading::parent_of(const Line& line, const ToldLine& told) {
  if (told.parent == ToldLine::Parent::none) return "";
  if (told.parent == ToldLine::Parent::previous) return memory_.last;
  names_parents_ = true;
  if (!is_known(told.parent_id, line)) {
    tell_problem(ProblemKind::joined, line);
    if (exceptions_ != nullptr) return exceptions_->joined.at(line.offset);
    const std::string& instead = missing_.try_emplace(told.parent_id, memory_.last).first->second;
    found_.joined.emplace(line.offset, instead);
    return instead;
  }
  // The blocks of one message, and what tools answered to them, came one after the other; named
  // parents would put some of them on branches of their own.
  const bool is_of_group = (!told.group.empty() && told.group == memory_.group) || told.is_result;
  const bool goes_on = is_of_group && contains(memory_.group_ids, told.parent_id) &&
                       contains(memory_.group_ids, memory_.last);
  return goes_on ? memory_.last : told.parent_id;
}

void Reading::note_group(const ToldLine& told, const std::string& id, const std::string& parent) {
  const bool goes_on = (!told.group.empty() && told.group == memory_.group) ||
                       (told.is_result && contains(memory_.group_ids, parent));
  if (!goes_on) {
    memory_.group = told.group;
    memory_.group_ids.clear();
  }
  if (!memory_.group.empty() && memory_.group_ids.size() < group_max)
    memory_.group_ids.push_back(id);
}

std::string Reading::files_of(const Line& line, const ToldLine& told) {
  std::vector<SpilledFile> files;
  std::size_t bytes = line.text.size();
  for (const std::string& name : told.files) {
    const bool has_room = bytes < entry_size_max && spilled_bytes_ < spilled_bytes_max;
    auto file = read_spilled_ && has_room ? read_spilled_(name) : std::nullopt;
    files.push_back(file ? *std::move(file) : SpilledFile{name, "", false});
    bytes += files.back().bytes.size();
    spilled_bytes_ += files.back().bytes.size();
  }
  std::string member = files_member(files);
  // The line, its payload and this have to fit into an entry.
  if (member.size() <= entry_size_max - std::min(entry_size_max, 2 * line.text.size() + entry_rest))
    return member;
  for (SpilledFile& file : files) file = {file.name, "", false};
  return files_member(files);
}

void Reading::take_in_tree(const Line& line, ToldLine& told, const EntryVisitor& visit) {
  std::string id = told.id.empty() ? id_by_place(line) : told.id;
  if (!is_new(id, line)) {
    tell_problem(ProblemKind::same_id, line);
    return take_outside(line, {}, true, visit);
  }
  const std::string parent = parent_of(line, told);
  if (knows_ids_) ids_.insert(siphash(key_, id));  // after its parent: it may name itself
  // Our lines have no line breaks in them, and a document may, between two tokens.
  if (told.payload.find_first_of("\r\n") != std::string_view::npos)
    told.made_payload = std::exchange(told.payload, {});
  for (std::string* const made : {&told.made_payload, &told.results}) {
    std::replace_if(made->begin(), made->end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
  }
  std::string meta;
  if (!told.origin.empty()) meta = "\"origin\":" + told.origin;
  if (!told.usage.empty()) meta += (meta.empty() ? "\"usage\":" : ",\"usage\":") + told.usage;
  if (!told.files.empty()) meta += (meta.empty() ? "" : ",") + files_of(line, told);
  if (carry_ == Carry::lines)
    meta += (meta.empty() ? "" : ",") + source_member(format_.name, line, told.payload);
  visit(text_of({id, parent, memory_.timestamp, told.type, payload_of(told), meta}));
  note_line(id);
  if (told.is_aside) {
    const std::string target = memory_.last.empty() ? "null" : json_quoted(memory_.last);
    told.marks.push_back({"head", fmt::format(R"({{"target":{}}})", target)});
  } else {
    note_group(told, id, parent);
    if (told.begins_turn) {
      if (memory_.turns.size() == turns_max) memory_.turns.erase(memory_.turns.begin());
      memory_.turns.push_back(parent);
    }
    memory_.last = id;
    if (format_.split != nullptr) memory_.parents.emplace(id, parent);
    if (!told.results.empty()) {
      const std::string results_id = id + "-results";
      visit(text_of({results_id, id, memory_.timestamp, "message", told.results, ""}));
      memory_.last = results_id;
    }
  }
  put_marks(told, id, visit);
}

void Reading::put_marks(const ToldLine& told, const std::string& after, const EntryVisitor& visit) {
  for (std::size_t i = 0; i < told.marks.size(); ++i) {
    put_mark(told.marks[i].type, fmt::format("{}-m{}", after, i), told.marks[i].payload, visit);
  }
  if (told.is_rewound) {
    const auto known = memory_.parents.find(told.rewound_to);
    memory_.last = known == memory_.parents.end() ? "" : known->second;
    return put_head(after + "-undo", visit);
  }
  if (told.turns_undone == 0) return;
  const std::size_t kept = memory_.turns.size() - std::min(memory_.turns.size(), told.turns_undone);
  memory_.last = kept < memory_.turns.size() ? memory_.turns[kept] : "";
  memory_.turns.resize(kept);
  put_head(after + "-undo", visit);
}

// Where the tree goes on.
void Reading::put_head(const std::string& id, const EntryVisitor& visit) {
  const std::string target = memory_.last.empty() ? "null" : json_quoted(memory_.last);
  put_mark("head", id, fmt::format(R"({{"target":{}}})", target), visit);
}

void Reading::put_mark(std::string_view type, const std::string& id, std::string_view payload,
                       const EntryVisitor& visit) {
  visit(text_of({id, "", memory_.timestamp, type, payload, ""}));
}

// --- to go on later

std::string Reading::state() const {
  const auto list = [](const std::vector<std::string>& words) {
    JsonWriter json;
    json.begin_array();
    for (const std::string& word : words) json.text(word);
    return json.end_array().take();
  };
  JsonWriter json;
  json.begin_object().key("last").text(memory_.last).key("time").text(memory_.timestamp);
  json.key("group").text(memory_.group).key("groupIds").json(list(memory_.group_ids));
  json.key("turns").json(list(memory_.turns)).key("hasTitle").boolean(memory_.has_title);
  json.key("kept").text(memory_.first_kept).key("counted").text(memory_.counted);
  json.key("file").text(file_tag_).key("labels").begin_array();
  for (const auto& [entry, label] : memory_.labels) json.text(entry).text(label);
  json.end_array();
  return json.end_object().take();
}

bool Reading::go_on_from(std::string_view state) {
  if (!check_json(state)) return false;
  const auto [last, time, group, group_ids, turns, has_title, kept, counted, file, labels] =
      json_members(state, {"last", "time", "group", "groupIds", "turns", "hasTitle", "kept",
                           "counted", "file", "labels"});
  if (file.empty()) return false;
  const auto list = [](std::string_view array) {
    std::vector<std::string> words;
    for_each_json_element(
        array, [&](std::string_view word) { words.push_back(json_text_or_empty(word)); });
    return words;
  };
  memory_ = {};
  memory_.last = json_text_or_empty(last);
  memory_.timestamp = json_text_or_empty(time);
  memory_.group = json_text_or_empty(group);
  memory_.group_ids = list(group_ids);
  memory_.turns = list(turns);
  memory_.has_title = has_title == "true";
  memory_.first_kept = json_text_or_empty(kept);
  memory_.counted = json_text_or_empty(counted);
  file_tag_ = json_text_or_empty(file);
  const std::vector<std::string> pairs = list(labels);
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) memory_.labels[pairs[i]] = pairs[i + 1];
  knows_ids_ = false;
  return true;
}

}  // namespace logwood::exchange
