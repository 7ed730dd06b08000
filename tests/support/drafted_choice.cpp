#include "support/drafted_choice.hpp"

#include <algorithm>
#include <optional>

namespace logwood {
namespace {

using naive::NaiveDraft;
using naive::NaiveSession;

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

// Spoils a draft so that it must be refused.
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

NaiveDraft drafted(const DraftChoice& choice, const std::string& session_id,
                   const NaiveSession* session, const std::vector<NaiveDraft>& earlier) {
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
  if (choice.type == DraftChoice::Type::head || choice.type == DraftChoice::Type::label) {
    if (choice.target_number % 4 != 0) {
      draft.target = choice.target_number % 4 == 1 ? picked(pooled_ids, choice.target_number / 4)
                                                   : known(choice.target_number / 4);
    }
    payload = R"({"target":)" + (draft.target ? '"' + *draft.target + '"' : "null") +
              (choice.type == DraftChoice::Type::label ? R"(,"name":"n"})" : "}");
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

}  // namespace logwood
