#include "model/redaction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "model/entry_fields.hpp"

namespace logwood {
namespace {

// One step of a JSON pointer, ~1 and ~0 resolved.
std::string unescaped(std::string_view step) {
  std::string name;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1')) {
      name += step[++i] == '0' ? '~' : '/';
    } else {
      name += step[i];
    }
  }
  return name;
}

std::string_view element_at(std::string_view array, std::string_view step) {
  const auto wanted = json_unsigned(step);
  if (!wanted) return {};
  std::string_view found;
  std::uint64_t at = 0;
  for_each_json_element(array, [&](std::string_view element) {
    if (at++ == *wanted) found = element;
  });
  return found;
}

// Where code point number `count` begins in valid UTF-8, or the end.
std::size_t offset_of(std::string_view text, std::uint64_t count) {
  std::size_t at = 0;
  while (count > 0 && at < text.size()) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80) ++at;
    --count;
  }
  return at;
}

std::string without_ranges(std::string text,
                           std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::string kept;
  std::uint64_t from = 0;  // code points of `text` that are dealt with
  for (const auto& [first, last] : ranges) {
    if (last <= from || first >= last) continue;
    const std::size_t begin = offset_of(text, std::max(first, from));
    if (begin >= text.size()) break;
    kept.append(text, offset_of(text, from), begin - offset_of(text, from));
    // Ranges that touch are one.
    if (!(kept.ends_with(redacted_text) && first <= from && from > 0)) kept += redacted_text;
    from = last;
  }
  return kept.append(text.substr(offset_of(text, from)));
}

}  // namespace

std::vector<RedactionTarget> read_redaction(std::string_view entry_text) {
  std::vector<RedactionTarget> targets;
  const EntryFields fields = find_fields(entry_text);
  if (!fields.json || json_string_value(fields.type) != "redaction") return targets;
  for_each_json_element(json_member(fields.payload, "targets"), [&](std::string_view token) {
    const auto [id_token, pointer, ranges] = json_members(token, {"id", "pointer", "ranges"});
    const auto id = id_in(id_token);
    if (!id) return;
    RedactionTarget target;
    target.id = EntryId{std::string(*id)};
    target.pointer = json_text_or_empty(pointer);
    for_each_json_element(ranges, [&](std::string_view range) {
      std::vector<std::uint64_t> ends;
      for_each_json_element(
          range, [&](std::string_view end) { ends.push_back(json_unsigned(end).value_or(0)); });
      if (ends.size() == 2) target.ranges.emplace_back(ends[0], ends[1]);
    });
    targets.push_back(std::move(target));
  });
  return targets;
}

Result<std::vector<EntryId>> check_redaction(std::string_view payload) {
  const auto invalid = [](std::string why) {
    return Error{ErrorCode::invalid_argument, "the redaction " + std::move(why)};
  };
  std::vector<EntryId> named;
  std::string wrong;
  for_each_json_element(json_member(payload, "targets"), [&](std::string_view token) {
    const auto [id_token, pointer_token, ranges, digest, line] =
        json_members(token, {"id", "pointer", "ranges", "digest", "line"});
    const auto id = id_in(id_token);
    const auto pointer = json_string_value(pointer_token);
    if (!id) {
      wrong = "has a target without the \"id\" of an entry";
    } else if (!digest.empty() || !line.empty()) {
      wrong = "accounts for something erased; that is written by erasing";
    } else if (!pointer_token.empty() && (!pointer || !pointer->starts_with('/'))) {
      wrong = "has a \"pointer\" that is no JSON pointer, as in /payload/content";
    } else if (!ranges.empty() && pointer_token.empty()) {
      wrong = "has \"ranges\" without the \"pointer\" to a string";
    } else {
      for_each_json_element(ranges, [&](std::string_view range) {
        std::vector<std::optional<std::uint64_t>> ends;
        for_each_json_element(range,
                              [&](std::string_view end) { ends.push_back(json_unsigned(end)); });
        if (ends.size() != 2 || !ends[0] || !ends[1] || *ends[0] >= *ends[1])
          wrong = "has a range that is not [first, last] with first < last";
      });
      named.push_back(EntryId{std::string(*id)});
    }
  });
  if (!wrong.empty()) return invalid(std::move(wrong));
  if (named.empty()) return invalid("has no \"targets\"");
  return named;
}

std::string redaction_payload(const std::vector<RedactionTarget>& targets,
                              std::string_view reason) {
  std::string list;
  for (const RedactionTarget& target : targets) {
    if (!list.empty()) list += ',';
    list += fmt::format(R"({{"id":{})", json_quoted(target.id.text));
    if (!target.pointer.empty()) list += ",\"pointer\":" + json_quoted(target.pointer);
    if (!target.ranges.empty()) {
      std::string ranges;
      for (const auto& [first, last] : target.ranges) {
        ranges += fmt::format("{}[{},{}]", ranges.empty() ? "" : ",", first, last);
      }
      list += ",\"ranges\":[" + ranges + "]";
    }
    list += '}';
  }
  std::string payload = "{\"targets\":[" + list + "]";
  if (!reason.empty()) payload += ",\"reason\":" + json_quoted(reason);
  return payload + "}";
}

std::optional<std::string_view> string_at(std::string_view text, std::string_view pointer) {
  std::string_view value = text;
  while (!pointer.empty()) {
    if (!pointer.starts_with('/')) return std::nullopt;
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const std::string step = unescaped(pointer.substr(0, end));
    pointer.remove_prefix(end);
    value = value.starts_with('[') ? element_at(value, step) : json_member(value, step);
    if (value.empty()) return std::nullopt;
  }
  if (!value.starts_with('"')) return std::nullopt;
  return value;
}

std::optional<std::string> without_redacted(std::string text,
                                            const std::vector<RedactionTarget>& targets) {
  for (const RedactionTarget& target : targets) {
    if (target.pointer.empty()) return std::nullopt;
    // What holds of one string of several redactions is gathered: after the first
    // replacement its code points would be counted otherwise.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    bool whole = false;
    bool first = true;
    for (const RedactionTarget& other : targets) {
      if (other.pointer != target.pointer) continue;
      if (&other < &target) first = false;
      whole = whole || other.ranges.empty();
      ranges.insert(ranges.end(), other.ranges.begin(), other.ranges.end());
    }
    if (!first) continue;
    const auto token = string_at(text, target.pointer);
    if (!token) return std::nullopt;
    const auto value = json_string_value(*token);
    const std::string replaced =
        whole || !value ? std::string(redacted_text) : without_ranges(*value, std::move(ranges));
    text.replace(static_cast<std::size_t>(token->data() - text.data()), token->size(),
                 json_quoted(replaced));
  }
  // What came along from another agent may say it once more: the line, and files beside it.
  for (const std::string_view pointer :
       {"/meta/source/line", "/meta/source/before", "/meta/source/after"}) {
    if (const auto token = string_at(text, pointer)) {
      text.replace(static_cast<std::size_t>(token->data() - text.data()), token->size(),
                   json_quoted(redacted_text));
    }
  }
  std::vector<std::string_view> files;
  for_each_json_member(text, [&](const JsonMember& member) {
    if (!member.is("meta")) return;
    for_each_json_member(member.value, [&](const JsonMember& inner) {
      if (inner.is("files")) files.push_back(inner.value);
    });
  });
  for (auto one = files.rbegin(); one != files.rend(); ++one)
    text.replace(static_cast<std::size_t>(one->data() - text.data()), one->size(), "[]");
  return text;
}

void Redactions::take(std::string_view entry_text) {
  for (RedactionTarget& target : read_redaction(entry_text)) {
    by_entry_[target.id.text].push_back(std::move(target));
  }
}

const std::vector<RedactionTarget>* Redactions::of(std::string_view id) const {
  if (by_entry_.empty()) return nullptr;
  const auto found = by_entry_.find(std::string(id));
  return found == by_entry_.end() ? nullptr : &found->second;
}

bool Redactions::apply(Entry& entry) const {
  if (entry.erased || of(entry.id.text) == nullptr) return true;
  auto text = shown(entry.id, std::move(entry.text));
  entry.redacted = true;
  const bool shows_something = text.has_value();
  entry.text =
      text ? *std::move(text)
           : Draft::of({.type = entry.type,
                        .payload = "{}",
                        .id = entry.id,
                        .parent = entry.parent_id ? Parent::of(*entry.parent_id) : Parent::root(),
                        .timestamp = entry.timestamp,
                        .meta = std::string(redacted_meta)})
                 .text;
  entry.run_id = json_string_value(find_fields(entry.text).run_id);
  return shows_something;
}

std::optional<std::string> Redactions::shown(const EntryId& id, std::string text) const {
  const std::vector<RedactionTarget>* const targets = of(id.text);
  return targets == nullptr ? std::optional(std::move(text))
                            : without_redacted(std::move(text), *targets);
}

}  // namespace logwood
