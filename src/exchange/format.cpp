#include "exchange/format.hpp"

#include <algorithm>
#include <array>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "base/sha256.hpp"
#include "logwood/ids.hpp"

namespace logwood::exchange {

std::span<const Format> formats() {
  // The last one takes what is nobody's in particular.
  static const std::array all{openclaw_format, pi_format,       claude_format, codex_format,
                              gemini_format,   opencode_format, chat_format};
  return all;
}

const Format* format_named(std::string_view name) {
  const auto all = formats();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Format& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const Format* format_of(const FileSight& file) {
  const auto all = formats();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Format& one) { return one.detects(file); });
  return found == all.end() ? nullptr : &*found;
}

void for_each_first_line(std::string_view beginning,
                         const std::function<bool(std::string_view line)>& visit) {
  while (!beginning.empty()) {
    const std::size_t end = beginning.find('\n');
    const std::string_view line = beginning.substr(0, end);
    const bool is_object = line.starts_with('{') && static_cast<bool>(check_json(line));
    if (is_object && !visit(line)) return;
    if (end == std::string_view::npos) return;
    beginning.remove_prefix(end + 1);
  }
}

void split_lines(std::string_view bytes, const PieceVisitor& visit) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    std::string_view line = bytes.substr(0, end);
    if (line.ends_with('\n')) line.remove_suffix(1);
    visit({bytes.substr(0, end), line});
    bytes.remove_prefix(end);
  }
}

void split_array(std::string_view bytes, std::string_view array, const PieceVisitor& visit) {
  std::size_t begin = 0;
  for_each_json_element(array, [&](std::string_view element) {
    const auto end = static_cast<std::size_t>(element.data() - bytes.data()) + element.size();
    visit({bytes.substr(begin, end - begin), element});
    begin = end;
  });
  if (begin < bytes.size()) visit({bytes.substr(begin), {}});
}

std::vector<Place> below_home(const Variables& variable, std::string_view name, int depth) {
  const std::string home = variable("HOME");
  if (home.empty()) return {};
  return {{home + std::string(name), depth}};
}

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view without_ending(std::string_view name, std::string_view ending) {
  return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : std::string_view();
}

std::string compaction_payload(std::string_view summary, std::string_view first_kept) {
  JsonWriter json;
  json.begin_object().key("summary").text(summary);
  if (!first_kept.empty()) json.key("firstKeptEntryId").text(first_kept);
  return json.end_object().take();
}

std::string id_of_token(std::string_view token) {
  std::string id = json_text_or_empty(token);
  if (id.empty() || check_id(id)) return id;
  // What cannot be an id here keeps one by which it is recognised.
  constexpr std::size_t hash_size = 24;
  return "x" + to_hex(sha256({id})).substr(0, hash_size);
}

}  // namespace logwood::exchange
