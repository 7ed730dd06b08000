// Any text as an entry and as a draft. The JSON check is compared with a second one, written here
// as the grammar reads; what is accepted survives stamping and sealing byte for byte.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "expect.hpp"
#include "format/pieces.hpp"
#include "format/seal.hpp"
#include "model/draft.hpp"
#include "model/entry_fields.hpp"
#include "model/head_mark.hpp"
#include "model/header.hpp"

namespace {

using namespace logwood;
using fuzz::expect;

bool is_plain_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) {
      return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    const unsigned first = byte(i);
    const std::size_t size = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
    if (size == 0) return false;
    for (std::size_t k = 1; k < size; ++k) {
      if (byte(i + k) < 0x80 || byte(i + k) > 0xbf) return false;
    }
    if (first == 0xe0 && byte(i + 1) < 0xa0) return false;  // overlong
    if (first == 0xed && byte(i + 1) > 0x9f) return false;  // surrogates
    if (first == 0xf0 && byte(i + 1) < 0x90) return false;  // overlong
    if (first == 0xf4 && byte(i + 1) > 0x8f) return false;  // above U+10FFFF
    i += size;
  }
  return true;
}

// The grammar of RFC 8259, one function a rule.
class Grammar {
 public:
  explicit Grammar(std::string_view text) : text_(text) {}

  bool document() {
    space();
    if (!value(0)) return false;
    space();
    return at_ == text_.size();
  }

  [[nodiscard]] bool too_deep() const { return too_deep_; }
  [[nodiscard]] bool has_newline() const { return has_newline_; }
  [[nodiscard]] const auto& members() const { return members_; }
  [[nodiscard]] const auto& elements() const { return elements_; }

 private:
  [[nodiscard]] char look() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void space() {
    while (at_ < text_.size() &&
           std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) {
      has_newline_ = has_newline_ || text_[at_] == '\n' || text_[at_] == '\r';
      ++at_;
    }
  }
  bool word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool digits() {
    const std::size_t from = at_;
    while (look() >= '0' && look() <= '9') ++at_;
    return at_ > from;
  }
  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      return digits();
    }
    return true;
  }
  bool string() {
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') continue;
      if (at_ == text_.size()) return false;
      const char escape = text_[at_++];
      if (escape == 'u') {
        for (int i = 0; i < 4; ++i, ++at_) {
          if (at_ == text_.size() || std::string_view("0123456789abcdefABCDEF").find(text_[at_]) ==
                                         std::string_view::npos) {
            return false;
          }
        }
      } else if (std::string_view("\"\\/bfnrt").find(escape) == std::string_view::npos) {
        return false;
      }
    }
    return false;
  }
  bool value(std::size_t depth) {
    if (look() == '{' || look() == '[') {
      if (depth == json_depth_max) {
        too_deep_ = true;
        return false;
      }
      return look() == '{' ? object(depth + 1) : array(depth + 1);
    }
    if (look() == '"') return string();
    return word("true") || word("false") || word("null") || number();
  }
  bool object(std::size_t depth) {
    take('{');
    space();
    if (take('}')) return true;
    while (true) {
      const std::size_t key = at_;
      if (!string()) return false;
      const std::size_t key_end = at_;
      space();
      if (!take(':')) return false;
      space();
      const std::size_t from = at_;
      if (!value(depth)) return false;
      if (depth == 1) {
        members_.emplace_back(text_.substr(key + 1, key_end - key - 2),
                              text_.substr(from, at_ - from));
      }
      space();
      if (take('}')) return true;
      if (!take(',')) return false;
      space();
    }
  }
  bool array(std::size_t depth) {
    take('[');
    space();
    if (take(']')) return true;
    while (true) {
      const std::size_t from = at_;
      if (!value(depth)) return false;
      if (depth == 1) elements_.push_back(text_.substr(from, at_ - from));
      space();
      if (take(']')) return true;
      if (!take(',')) return false;
      space();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool too_deep_ = false;
  bool has_newline_ = false;
  std::vector<std::pair<std::string_view, std::string_view>> members_;
  std::vector<std::string_view> elements_;
};

void check_json_agrees(std::string_view text) {
  std::vector<std::pair<std::string_view, std::string_view>> members;
  const JsonCheck check = check_json(
      text, [&](const JsonMember& member) { members.emplace_back(member.key, member.value); });
  expect(check.offset <= text.size(), "a fault lies in the text");
  (void)describe(check);
  const bool utf8 = is_plain_utf8(text);
  expect(is_utf8(text) == utf8, "UTF-8 is judged alike");
  if (!utf8) {
    expect(check.fault == JsonFault::not_utf8, "what is not UTF-8 is not JSON");
    return;
  }
  Grammar grammar(text);
  const bool valid = grammar.document();
  expect(static_cast<bool>(check) == valid, "the grammar says the same");
  if (!valid) {
    expect((check.fault == JsonFault::too_deep) == grammar.too_deep(), "depth is judged alike");
    return;
  }
  expect(check.has_newline == grammar.has_newline(), "line breaks are found alike");
  expect(members == grammar.members(), "the members are the same");
  for (const auto& [key, value] : members) {
    // json_member finds the last member that means the same name.
    const auto name = json_string_value('"' + std::string(key) + '"');
    if (name) expect(!json_member(text, *name).empty(), "a member is found by its name");
    const auto plain = json_string_value(value);
    if (!plain) continue;
    const std::string quoted = json_quoted(*plain);
    expect(static_cast<bool>(check_json(quoted)), "what is quoted is JSON");
    expect(json_string_value(quoted) == plain, "what is quoted reads back");
  }
  if (text.starts_with('[')) {
    std::vector<std::string_view> elements;
    for_each_json_element(text, [&](std::string_view element) { elements.push_back(element); });
    expect(elements == grammar.elements(), "the elements are the same");
  }
}

void check_as_entry(std::string_view text) {
  const auto entry = parse_entry(std::string(text));
  const EntryPlace place = find_place(text);
  if (entry) {
    expect(place.id == entry->id.text, "the place has the entry's id");
    expect(place.parent_id == (entry->parent_id ? entry->parent_id->text : ""), "and its parent");
    expect(place.kind == kind_of(entry->type) && place.moves_head == (entry->type == "head"),
           "and its kind");
    (void)entry->payload();
    (void)entry->meta();
  }
  (void)head_target(text);
  if (const auto header = parse_header(text)) {
    (void)check_new_session({.id = header->id, .key = header->key, .cwd = header->cwd});
    const auto upgraded = upgraded_header(text);
    expect(upgraded.has_value() == (header->version == 0), "version 0 can be upgraded");
    if (upgraded) {
      const auto again = parse_header(*upgraded);
      expect(again && again->version == 1 && upgraded->size() == text.size(),
             "an upgraded header says version 1");
    }
    SessionHeader ours = *header;
    ours.created = "2026-01-31T08:00:01.000Z";
    const auto written = parse_header(header_body(ours) + '}');
    expect(written && *written == ours, "a header reads back as it was written");
  }
}

void check_stored(const CheckedDraft& draft, const std::optional<EntryId>& parent) {
  const EntryId id = draft.id.value_or(EntryId{"stamped"});
  const std::string body = stamped_body(draft, id, parent, "2026-01-31T08:00:01.000Z");
  const std::string stored = body + '}';
  const auto entry = parse_entry(stored);
  expect(entry.has_value(), "what was accepted can be read back");
  expect(entry->id == id, "with the same id");
  expect(entry->type == json_string_value(find_fields(draft.text).type), "and the same type");
  if (draft.parent.at == Parent::At::entry)
    expect(entry->parent_id == draft.parent.id, "and parent");
  if (!draft.has_parent) expect(entry->parent_id == parent, "or the stamped one");
  expect(stored.ends_with(draft.text.substr(1)), "the caller's text is kept");
  expect(is_same(draft, stored), "a draft is the same as what it became");
  std::string other = stored;
  other[other.size() - 2] = other[other.size() - 2] == '}' ? ' ' : '}';
  expect(!is_same(draft, other), "and not the same as something else");

  std::string line;
  format::Link link = format::first_link();
  format::seal_line(line, {.session_id = "s", .first_seq = 7, .count = 3}, 2, body, {}, link);
  expect(line.find('\n') == line.size() - 1 && line.find('\r') == line.npos &&
             line.find('\0') == line.npos,
         "a line has one end");
  const auto sealed = format::parse_sealed("s", std::string_view(line).substr(0, line.size() - 1));
  expect(sealed && sealed->body == body && sealed->seq == 8 && sealed->place == 2,
         "a sealed line is sound");
  expect(!format::parse_sealed("t", std::string_view(line).substr(0, line.size() - 1)),
         "but not in another session");
  int pieces = 0;
  format::PhysicalLine physical{
      0, line.size(), 1, std::string_view(line).substr(0, line.size() - 1), true, false};
  format::cut_line("s", physical, [&](const format::Piece& piece) {
    ++pieces;
    expect(piece.kind == format::PieceKind::sound, "a sealed line is one sound piece");
  });
  expect(pieces == 1, "and no more");
}

void check_as_draft(std::string_view text) {
  const auto strict = check_draft(text, Newlines::refuse);
  const auto lenient = check_draft(text, Newlines::to_spaces);
  if (strict) {
    expect(lenient.has_value() && lenient->text == strict->text, "leniency changes nothing here");
  }
  if (!lenient) return;
  check_stored(*lenient, std::nullopt);
  check_stored(*lenient, EntryId{"parent"});
}

// The walk that does not check finds the same members of what is valid, and nothing outside the
// rest.
void check_members_agree(std::string_view text) {
  std::vector<std::pair<std::string_view, std::string_view>> checked, found;
  const bool is_valid = static_cast<bool>(check_json(
      text, [&](const JsonMember& member) { checked.emplace_back(member.key, member.value); }));
  for_each_json_member(text, [&](const JsonMember& member) {
    found.emplace_back(member.key, member.value);
    (void)json_string_value(member.value);
    for_each_json_element(member.value, [](std::string_view element) {
      expect(!element.empty(), "an element is something");
    });
  });
  if (is_valid) expect(checked == found, "both walks tell the same members");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_json_agrees(text);
  check_members_agree(text);
  check_as_entry(text);
  check_as_draft(text);
  return 0;
}
