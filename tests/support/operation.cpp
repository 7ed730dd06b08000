#include "support/operation.hpp"

#include <ostream>
#include <string_view>

namespace logwood {
namespace {

constexpr std::string_view id_names[] = {"none", "pooled", "known", "session"};
constexpr std::string_view parent_names[] = {"absent", "null", "known", "pooled",
                                             "earlier_in_batch"};
constexpr std::string_view type_names[] = {"message", "custom",   "unknown", "label",
                                           "info",    "tool_run", "head"};
constexpr std::string_view fault_names[] = {
    "none",      "not_json",   "no_payload",    "reserved_name", "header",
    "redaction", "line_break", "repeated_name", "bad_time",      "mark_with_parent"};
constexpr std::string_view kind_names[] = {
    "create",        "open_by_key",   "append",         "append_again",   "flush",
    "close_session", "reopen_store",  "load",           "read_page",      "load_last",
    "find",          "status",        "list",           "remove",         "verify",
    "migrate",       "put_unsealed",  "delete_index",   "truncate_index", "scribble_index",
    "foreign_line",  "blank_line",    "damaged_line",   "nul_line",       "replayed_line",
    "unended_bytes", "lost_line_end", "cut_last_batch", "replaced_file"};
constexpr std::string_view tail_names[] = {"any", "actual", "none", "known"};

template <class Enum, std::size_t size>
std::string_view name(const std::string_view (&names)[size], Enum value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const DraftChoice& draft) {
  out << '{' << name(type_names, draft.type) << " id=" << name(id_names, draft.id) << ':'
      << +draft.id_number << " parent=" << name(parent_names, draft.parent) << ':'
      << +draft.parent_number;
  if (draft.type == DraftChoice::Type::head) out << " target=" << +draft.target_number;
  if (draft.fault != DraftChoice::Fault::none) out << " fault=" << name(fault_names, draft.fault);
  return out << " content=" << +draft.content << " spelling=" << +draft.spelling << '}';
}

std::ostream& operator<<(std::ostream& out, const Operation& operation) {
  out << name(kind_names, operation.kind) << " session=" << +operation.session
      << " handle=" << +operation.handle << " number=" << +operation.number << ','
      << +operation.other_number;
  if (operation.kind == Operation::Kind::append) {
    out << " tail=" << name(tail_names, operation.tail)
        << " operation_id=" << +operation.operation_id
        << (operation.buffered ? " buffered" : " synced");
    for (const DraftChoice& draft : operation.drafts) out << "\n      " << draft;
  }
  if (operation.along_path) out << " along_path";
  return out;
}

}  // namespace logwood
