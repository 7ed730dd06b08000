#include "api/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "base/unicode.hpp"
#include "model/carried_entry.hpp"
#include "model/message_parts.hpp"
#include "model/preview.hpp"
#include "model/summary_text.hpp"

namespace logwood::api {
namespace {

constexpr std::size_t name_characters = 80;

// One line in which no character means anything to Markdown.
std::string escaped(std::string_view untrusted) {
  const std::string line = preview(untrusted, name_characters);
  std::string text;
  for (std::string_view rest = line; !rest.empty();) {
    const CodePoint next = first_code_point(rest);
    if (next.value < 0x80 &&
        std::string_view("\\`*_{}[]<>#|~&!$").find(rest.front()) != std::string_view::npos) {
      text += '\\';
    }
    if (!is_control(next.value)) text += rest.substr(0, next.size);
    rest.remove_prefix(next.size);
  }
  return text;
}

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// Every block begins with a blank line.
std::string fenced(std::string_view untrusted, std::string_view language) {
  const std::string text = printable(untrusted, Lines::document);
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(text) + 1), '`');
  return fmt::format("\n{}{}\n{}{}{}\n", fence, language, text, text.ends_with('\n') ? "" : "\n",
                     fence);
}

std::string markdown_of_part(const MessagePart& part) {
  using Kind = MessagePart::Kind;
  const std::string block = fenced(part.text, part.is_json ? "json" : "text");
  const std::string name = part.name.empty() ? "" : ": " + escaped(part.name);
  switch (part.kind) {
    case Kind::text:
      return block;
    case Kind::thinking:
      return "\n### Thinking\n" + block;
    case Kind::call:
      return fmt::format("\n### Tool call{}\n{}", name, block);
    case Kind::result:
      return fmt::format("\n### Tool result{}\n{}", name, block);
    case Kind::image:
      return fmt::format("\n({})\n", escaped(part.text));
    case Kind::other:
      return fmt::format("\n### Other{}\n{}", name, block);
  }
  return block;
}

// Its bytes, in base64, are nothing to read.
std::string markdown_of_attachment(std::string_view payload) {
  const auto [name, mime, size] = json_members(payload, {"name", "mime", "size"});
  return fmt::format("\n({}, {}, {} bytes)\n", escaped(json_text_or_empty(name)),
                     escaped(json_text_or_empty(mime)), json_unsigned(size).value_or(0));
}

std::string who(const Entry& entry) {
  const std::string role = entry.type == "message"
                               ? json_text_or_empty(json_member(entry.payload(), "role"))
                               : std::string();
  return escaped(role.empty() ? entry.type : role);
}

}  // namespace

std::string markdown_begin(const SessionHeader& header, std::string_view title) {
  std::string text = fmt::format("# {}\n\n- session: {}\n- created: {}\n",
                                 escaped(title.empty() ? header.id.text : title),
                                 escaped(header.id.text), escaped(header.created));
  if (!header.key.empty()) text += fmt::format("- key: {}\n", escaped(header.key));
  if (!header.cwd.empty()) text += fmt::format("- folder: {}\n", escaped(header.cwd));
  return text;
}

std::string markdown_of(const Entry& entry) {
  std::string text = fmt::format("\n## {}\n\n{} · {}\n", who(entry), escaped(entry.timestamp),
                                 escaped(entry.id.text));
  const std::string_view payload = entry.payload();
  if (entry.erased) return text + "\n(erased)\n";
  if (is_empty(entry)) return text + "\n(hidden)\n";
  if (entry.incomplete) text += "\n(a long text of it is missing or altered)\n";
  if (entry.type == "attachment") return text + markdown_of_attachment(payload);
  if (const std::string summary = summary_text(entry.type, payload); !summary.empty())
    return text + fenced(summary, "text");
  if (entry.type != "message") return text + fenced(payload, "json");
  for (const MessagePart& part : read_parts(payload)) text += markdown_of_part(part);
  return text;
}

}  // namespace logwood::api
