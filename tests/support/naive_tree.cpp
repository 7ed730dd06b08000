#include "support/naive_tree.hpp"

#include <algorithm>
#include <utility>

namespace logwood::naive {
namespace {

using Kind = TreeEntry::Kind;

const CodePoints replacement = code_points("[redacted]");

bool contains(const std::vector<std::string>& list, const std::string& wanted) {
  return std::find(list.begin(), list.end(), wanted) != list.end();
}

std::string token_of(const std::optional<std::string>& id) { return id ? '"' + *id + '"' : "null"; }

std::string joined(const std::vector<TextPart>& parts) {
  std::string text;
  for (const TextPart& part : parts) text += part.stored;
  return text;
}

// Of an entry that has nothing to show: what is left says where it stands.
std::string emptied(const TreeEntry& entry, const std::string& meta) {
  return R"({"id":")" + entry.id + R"(","parentId":)" + token_of(entry.parent) +
         R"(,"timestamp":")" + entry.timestamp + R"(","type":")" + entry.type +
         R"(","payload":{},"meta":{")" + meta + R"(":true}})";
}

// One replacement for each run of hidden code points, however many ranges made it.
CodePoints without(const CodePoints& text, const std::vector<RedactionTarget>& targets) {
  std::vector<bool> hidden(text.size(), false);
  for (const RedactionTarget& target : targets) {
    if (target.ranges.empty()) return replacement;
    for (const auto& [first, last] : target.ranges) {
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (first <= i && i < last) hidden[i] = true;
      }
    }
  }
  CodePoints left;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!hidden[i]) left.push_back(text[i]);
    if (hidden[i] && (i == 0 || !hidden[i - 1])) {
      left.insert(left.end(), replacement.begin(), replacement.end());
    }
  }
  return left;
}

std::vector<RedactionTarget> of_entry(const std::vector<RedactionTarget>& all,
                                      const std::string& id) {
  std::vector<RedactionTarget> found;
  for (const RedactionTarget& target : all) {
    if (target.id.text == id) found.push_back(target);
  }
  return found;
}

std::vector<RedactionTarget> of_pointer(const std::vector<RedactionTarget>& all,
                                        const std::string& pointer) {
  std::vector<RedactionTarget> found;
  for (const RedactionTarget& target : all) {
    if (target.pointer == pointer) found.push_back(target);
  }
  return found;
}

bool leads_somewhere(const RedactionTarget& target, const TreeEntry& entry) {
  if (target.pointer.empty()) return false;
  return std::any_of(entry.parts.begin(), entry.parts.end(),
                     [&](const TextPart& part) { return part.pointer == target.pointer; });
}

bool is_valid(const RedactionTarget& target) {
  if (target.pointer.empty()) return target.ranges.empty();
  return target.pointer.front() == '/' &&
         std::all_of(target.ranges.begin(), target.ranges.end(),
                     [](const auto& range) { return range.first < range.second; });
}

bool is_expected(const std::optional<EntryId>& expected, const std::optional<std::string>& actual) {
  if (!expected || !actual) return !expected && !actual;
  return expected->text == *actual;
}

Kind kind_of_draft(TreeDraft::Kind kind) {
  switch (kind) {
    case TreeDraft::Kind::tree:
      return Kind::tree;
    case TreeDraft::Kind::head_mark:
      return Kind::head_mark;
    case TreeDraft::Kind::label_mark:
      return Kind::label_mark;
    case TreeDraft::Kind::redaction:
      break;
  }
  return Kind::redaction;
}

}  // namespace

CodePoints code_points(const std::string& ascii) {
  CodePoints found;
  for (const char c : ascii) found.emplace_back(1, c);
  return found;
}

std::string joined(const CodePoints& text) {
  std::string all;
  for (const std::string& one : text) all += one;
  return all;
}

std::string quoted(const CodePoints& text) {
  std::string out = "\"";
  for (const std::string& one : text) {
    if (one == "\n") {
      out += "\\n";
    } else {
      if (one == "\"" || one == "\\") out += '\\';
      out += one;
    }
  }
  return out + '"';
}

std::string payload_of(const std::string& entry_text) {
  const std::string name = "\"payload\":";
  const std::size_t begin = entry_text.find(name) + name.size();
  const std::size_t end = std::min(entry_text.find(",\"meta\":"), entry_text.size() - 1);
  return entry_text.substr(begin, end - begin);
}

TextPart string_part(const std::string& pointer, const std::string& ascii) {
  const CodePoints value = code_points(ascii);
  return {quoted(value), pointer, value};
}

TreeDraft head_draft(const std::optional<std::string>& target) {
  TreeDraft draft;
  draft.kind = TreeDraft::Kind::head_mark;
  draft.type = "head";
  draft.target = target;
  draft.members = {{R"("type":"head","payload":{"target":)" + token_of(target) + "}"}};
  return draft;
}

TreeDraft label_draft(const std::string& name, const std::optional<std::string>& target) {
  TreeDraft draft;
  draft.valid = !name.empty() && name.size() <= label_size_max;
  draft.kind = TreeDraft::Kind::label_mark;
  draft.type = "label";
  draft.target = target;
  draft.name = name;
  draft.members = {{R"("type":"label","payload":{"name":)"},
                   string_part("/payload/name", name),
                   {R"(,"target":)" + token_of(target) + "}"}};
  return draft;
}

TreeDraft redaction_draft(const std::vector<RedactionTarget>& targets, const std::string& reason) {
  TreeDraft draft;
  draft.valid = !targets.empty() && std::all_of(targets.begin(), targets.end(), is_valid);
  draft.kind = TreeDraft::Kind::redaction;
  draft.type = "redaction";
  draft.hides = targets;
  std::string text = R"("type":"redaction","payload":{"targets":[)";
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const RedactionTarget& target = targets[i];
    text += (i == 0 ? R"({"id":")" : R"(,{"id":")") + target.id.text + '"';
    if (!target.pointer.empty()) text += R"(,"pointer":")" + target.pointer + '"';
    for (std::size_t j = 0; j < target.ranges.size(); ++j) {
      text += j == 0 ? R"(,"ranges":[[)" : ",[";
      text += std::to_string(target.ranges[j].first) + ',';
      text += std::to_string(target.ranges[j].second) + ']';
    }
    text += target.ranges.empty() ? "}" : "]}";
  }
  draft.members = {{text + "]}"}};
  if (!reason.empty()) {
    draft.members = {{text + R"(],"reason":)"}, string_part("/payload/reason", reason), {"}"}};
  }
  return draft;
}

std::string TreeDraft::text() const { return '{' + joined(members) + '}'; }

std::string TreeEntry::stored() const {
  if (erased_by.empty()) return joined(parts);
  return R"({"id":")" + id + R"(","parentId":)" + token_of(parent) + R"(,"type":")" + type +
         R"(","timestamp":")" + timestamp + R"(","erased":")" + erased_by + R"(","digest":")" +
         digest + "\"}";
}

NaiveTree::NaiveTree(const std::string& session_id, const std::string& created,
                     const std::string& header_text) {
  TreeEntry header;
  header.kind = Kind::header;
  header.id = session_id;
  header.type = "session_header";
  header.timestamp = created;
  header.parts = {{header_text}};
  entries_.push_back(std::move(header));
}

const TreeEntry* NaiveTree::find(const std::string& id) const {
  for (const TreeEntry& entry : entries_) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

std::uint64_t NaiveTree::seq(const std::string& id) const {
  std::uint64_t seq = 1;
  while (entries_[seq - 1].id != id) ++seq;
  return seq;
}

std::optional<std::string> NaiveTree::head() const {
  std::optional<std::string> at;
  for (const TreeEntry& entry : entries_) {
    if (entry.kind == Kind::tree) at = entry.id;
    // An erased one does not say where to.
    if (entry.kind == Kind::head_mark && entry.erased_by.empty()) at = entry.target;
  }
  return at;
}

std::optional<std::string> NaiveTree::tail() const {
  std::optional<std::string> last;
  for (const TreeEntry& entry : entries_) {
    if (entry.kind == Kind::tree || entry.kind == Kind::head_mark) last = entry.id;
  }
  return last;
}

std::vector<std::string> NaiveTree::tree_entries() const {
  std::vector<std::string> found;
  for (const TreeEntry& entry : entries_) {
    if (entry.kind == Kind::tree) found.push_back(entry.id);
  }
  return found;
}

std::vector<std::string> NaiveTree::children(const std::string& id) const {
  std::vector<std::string> found;
  for (const TreeEntry& entry : entries_) {
    if (entry.kind == Kind::tree && entry.parent == id) found.push_back(entry.id);
  }
  return found;
}

std::vector<std::string> NaiveTree::roots() const {
  std::vector<std::string> found;
  for (const TreeEntry& entry : entries_) {
    if (entry.kind == Kind::tree && !entry.parent) found.push_back(entry.id);
  }
  return found;
}

std::vector<std::string> NaiveTree::tips() const {
  std::vector<std::string> found;
  for (const std::string& id : tree_entries()) {
    if (children(id).empty()) found.push_back(id);
  }
  return found;
}

std::vector<std::string> NaiveTree::branch_points() const {
  std::vector<std::string> found;
  for (const std::string& id : tree_entries()) {
    if (children(id).size() > 1) found.push_back(id);
  }
  return found;
}

std::vector<std::string> NaiveTree::path_to(const std::optional<std::string>& id) const {
  std::vector<std::string> path;
  std::optional<std::string> at = id;
  while (at) {
    path.insert(path.begin(), *at);
    at = find(*at)->parent;
  }
  return path;
}

std::size_t NaiveTree::depth(const std::string& id) const { return path_to(id).size(); }

NaiveDiff NaiveTree::diff(const std::string& left, const std::string& right) const {
  const std::vector<std::string> left_path = path_to(left);
  const std::vector<std::string> right_path = path_to(right);
  NaiveDiff found;
  for (const std::string& id : left_path) {
    if (contains(right_path, id)) {
      found.common_ancestor = id;
    } else {
      found.only_left.push_back(id);
    }
  }
  for (const std::string& id : right_path) {
    if (!contains(left_path, id)) found.only_right.push_back(id);
  }
  return found;
}

std::map<std::string, NaiveLabel> NaiveTree::labels() const {
  std::map<std::string, NaiveLabel> standing;
  std::map<std::string, std::string> put_by;  // the mark that put a name where it stands
  for (const TreeEntry& entry : entries_) {
    // An erased one does not say which name.
    if (entry.kind != Kind::label_mark || !entry.erased_by.empty()) continue;
    standing.erase(entry.name);
    if (!entry.target) continue;
    standing[entry.name] = {*entry.target, entry.timestamp};
    put_by[entry.name] = entry.id;
  }
  for (const auto& [name, mark] : put_by) {
    if (!of_entry(hidden_, mark).empty()) standing.erase(name);
  }
  return standing;
}

Shown NaiveTree::shown(const TreeEntry& entry) const {
  const std::vector<RedactionTarget> targets = of_entry(hidden_, entry.id);
  if (!entry.erased_by.empty() || targets.empty()) return {entry.stored(), false, false};
  for (const RedactionTarget& target : targets) {
    if (!leads_somewhere(target, entry)) return {emptied(entry, "redacted"), true, true};
  }
  std::string text;
  for (const TextPart& part : entry.parts) {
    const std::vector<RedactionTarget> here = of_pointer(targets, part.pointer);
    text += here.empty() ? part.stored : quoted(without(part.value, here));
  }
  return {text, true, false};
}

// Nothing where the entry is hidden or erased, or has no such string.
std::optional<CodePoints> NaiveTree::shown_string(const TreeEntry& entry,
                                                  const std::string& pointer) const {
  if (!entry.erased_by.empty() || shown(entry).hidden) return std::nullopt;
  const std::vector<RedactionTarget> here = of_pointer(of_entry(hidden_, entry.id), pointer);
  for (const TextPart& part : entry.parts) {
    if (part.pointer == pointer) return here.empty() ? part.value : without(part.value, here);
  }
  return std::nullopt;
}

std::vector<NaiveBranch> NaiveTree::branches() const {
  std::vector<NaiveBranch> found;
  for (const std::string& tip : tips()) {
    NaiveBranch branch;
    branch.tip = tip;
    branch.length = depth(tip);
    branch.timestamp = find(tip)->timestamp;
    branch.is_head = head() == tip;
    for (const std::string& id : path_to(tip)) {
      const TreeEntry& entry = *find(id);
      const CodePoints text = shown_string(entry, "/payload/content").value_or(CodePoints());
      if (entry.type != "message" || text.empty()) continue;
      branch.text = text;
      branch.role = joined(shown_string(entry, "/payload/role").value_or(CodePoints()));
    }
    found.insert(found.begin(), branch);
  }
  return found;
}

NaiveContext NaiveTree::context(const std::optional<std::string>& tip) const {
  NaiveContext context;
  for (const std::string& id : path_to(tip)) {
    const TreeEntry& entry = *find(id);
    const Shown what = shown(entry);
    if (!entry.erased_by.empty() || entry.is_empty_copy) {
      context.passed_over.push_back({{id}, PassedOverReason::erased});
    } else if (entry.type == "model_change") {
      const auto model = shown_string(entry, "/payload/model");
      if (!what.hidden) context.model = joined(model.value_or(CodePoints()));
    } else if (entry.type != "message") {
      context.passed_over.push_back({{id}, PassedOverReason::not_for_models});
    } else if (what.hidden) {
      context.passed_over.push_back({{id}, PassedOverReason::redacted});
    } else {
      context.messages.push_back(
          {id, joined(shown_string(entry, "/payload/role").value_or(CodePoints())),
           payload_of(what.text), entry.timestamp});
    }
  }
  return context;
}

std::optional<ErrorCode> NaiveTree::refusal(const std::vector<TreeDraft>& drafts,
                                            const AppendOptions& options) const {
  if (drafts.empty()) return ErrorCode::invalid_argument;
  for (const TreeDraft& draft : drafts) {
    if (!draft.valid) return ErrorCode::invalid_argument;
  }
  if (options.expected_tail && !is_expected(options.expected_tail->id, tail())) {
    return ErrorCode::conflict;
  }
  if (options.expected_head && !is_expected(options.expected_head->id, head())) {
    return ErrorCode::conflict;
  }
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const TreeDraft& draft = drafts[i];
    std::optional<ErrorCode> code;
    if (draft.kind == TreeDraft::Kind::tree && draft.parent_at == TreeDraft::ParentAt::entry) {
      code = reference_refusal(drafts, i, draft.parent, true);
    }
    if (!code && draft.target) code = reference_refusal(drafts, i, *draft.target, true);
    for (const RedactionTarget& target : draft.hides) {
      if (!code) code = reference_refusal(drafts, i, target.id.text, false);
    }
    if (code) return code;
  }
  return std::nullopt;
}

// What is named must be in the session or earlier in the batch: in the tree, or at least not the
// header.
std::optional<ErrorCode> NaiveTree::reference_refusal(const std::vector<TreeDraft>& drafts,
                                                      std::size_t place, const std::string& named,
                                                      bool must_be_in_tree) const {
  std::optional<Kind> kind;
  for (const TreeEntry& entry : entries_) {
    if (entry.id == named) kind = entry.kind;
  }
  for (std::size_t i = 0; i < place; ++i) {
    if (drafts[i].id == named) kind = kind_of_draft(drafts[i].kind);
  }
  if (!kind) return ErrorCode::not_found;
  const bool fits = must_be_in_tree ? *kind == Kind::tree : *kind != Kind::header;
  return fits ? std::nullopt : std::optional(ErrorCode::invalid_argument);
}

void NaiveTree::append(const std::vector<TreeDraft>& drafts, const std::vector<std::string>& ids,
                       const std::string& timestamp) {
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const TreeDraft& draft = drafts[i];
    TreeEntry entry;
    entry.kind = kind_of_draft(draft.kind);
    entry.id = ids[i];
    entry.type = draft.type;
    entry.timestamp = timestamp;
    entry.target = draft.target;
    entry.name = draft.name;
    if (entry.kind == Kind::tree) {
      if (draft.parent_at == TreeDraft::ParentAt::head) entry.parent = head();
      if (draft.parent_at == TreeDraft::ParentAt::entry) entry.parent = draft.parent;
    }
    // What the draft does not say is stamped in front of what it says.
    std::string stamps = "{";
    if (!draft.id) stamps += R"("id":")" + entry.id + "\",";
    if (draft.parent_at == TreeDraft::ParentAt::head) {
      stamps += R"("parentId":)" + token_of(entry.parent) + ',';
    }
    stamps += R"("timestamp":")" + timestamp + "\",";
    entry.parts.push_back({stamps});
    entry.parts.insert(entry.parts.end(), draft.members.begin(), draft.members.end());
    entry.parts.push_back({"}"});
    entries_.push_back(std::move(entry));
    hidden_.insert(hidden_.end(), draft.hides.begin(), draft.hides.end());
  }
}

std::optional<ErrorCode> NaiveTree::erasure_refusal(const std::vector<std::string>& ids) const {
  if (ids.empty()) return ErrorCode::invalid_argument;
  for (const std::string& id : ids) {
    const TreeEntry* entry = find(id);
    if (entry == nullptr) return ErrorCode::not_found;
    if (entry->kind == Kind::header || entry->kind == Kind::redaction) {
      return ErrorCode::invalid_argument;
    }
  }
  return std::nullopt;
}

std::vector<std::string> NaiveTree::unerased(const std::vector<std::string>& ids) const {
  std::vector<std::string> found;
  for (const TreeEntry& entry : entries_) {
    if (contains(ids, entry.id) && entry.erased_by.empty()) found.push_back(entry.id);
  }
  return found;
}

std::vector<std::string> NaiveTree::held(const std::vector<std::string>& ids) const {
  std::vector<std::string> found;
  for (const std::string& id : unerased(ids)) {
    if (!find(id)->is_empty_copy) found.push_back(id);
  }
  return found;
}

void NaiveTree::erase(const Erasure& erasure, const std::string& reason) {
  std::string text = R"({"id":")" + erasure.redaction_id.text +
                     R"(","parentId":null,"timestamp":")" + erasure.timestamp +
                     R"(","type":"redaction","payload":{"targets":[)";
  for (std::size_t i = 0; i < erasure.entries.size(); ++i) {
    const ErasedEntry& erased = erasure.entries[i];
    text += (i == 0 ? R"({"id":")" : R"(,{"id":")") + erased.id.text + R"(","seq":)" +
            std::to_string(erased.seq) + R"(,"digest":")" + erased.digest + R"(","line":")" +
            erased.line + "\"}";
    for (TreeEntry& entry : entries_) {
      if (entry.id != erased.id.text) continue;
      entry.erased_by = erasure.redaction_id.text;
      entry.digest = erased.digest;
    }
  }
  TreeEntry redaction;
  redaction.kind = Kind::redaction;
  redaction.id = erasure.redaction_id.text;
  redaction.type = "redaction";
  redaction.timestamp = erasure.timestamp;
  redaction.parts = {{text + R"(],"reason":)"}, string_part("/payload/reason", reason), {"}}"}};
  entries_.push_back(std::move(redaction));
}

std::vector<RedactionTarget> NaiveTree::fork_into(NaiveTree& fork, const std::string& id) const {
  std::vector<RedactionTarget> carried;
  for (const std::string& on_path : path_to(id)) {
    TreeEntry copy = *find(on_path);
    if (!copy.erased_by.empty()) {
      copy.erased_by.clear();
      copy.is_empty_copy = true;
      copy.parts = {{emptied(copy, "erased")}};
    } else {
      const std::vector<RedactionTarget> here = of_entry(hidden_, on_path);
      carried.insert(carried.end(), here.begin(), here.end());
    }
    fork.entries_.push_back(std::move(copy));
  }
  return carried;
}

}  // namespace logwood::naive
