#include "exchange/spilled_file.hpp"

#include <algorithm>

#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "base/utf8.hpp"
#include "model/message.hpp"

namespace logwood::exchange {
namespace {

constexpr std::string_view folder = "tool-results/";
constexpr std::string_view beginning = "<persisted-output>";
constexpr std::size_t name_within = 4096;  // of the text: after that comes what it begins with
constexpr std::size_t name_size_max = 200;
constexpr std::size_t names_max = 8;

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '_' || c == '.';
}

}  // namespace

bool is_spilled_name(std::string_view name) {
  if (!name.starts_with(folder)) return false;
  name.remove_prefix(folder.size());
  return !name.empty() && name.size() <= name_size_max && !name.starts_with('.') &&
         std::all_of(name.begin(), name.end(), is_name_character);
}

std::vector<std::string> spilled_names(std::string_view message) {
  std::vector<std::string> names;
  if (message.find(beginning) == std::string_view::npos) return names;
  for (const ToolResult& result : read_message(message).tool_results) {
    const std::string text = text_of(result);
    std::string_view said = std::string_view(text).substr(0, name_within);
    if (!said.starts_with(beginning)) continue;
    const std::size_t at = said.find(std::string("/").append(folder));
    if (at == std::string_view::npos) continue;
    said.remove_prefix(at + 1);
    std::string name(said.substr(0, said.find('\n')));
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (is_new && is_spilled_name(name) && names.size() < names_max)
      names.push_back(std::move(name));
  }
  return names;
}

std::string files_member(const std::vector<SpilledFile>& files) {
  JsonWriter json;
  json.key("files").begin_array();
  for (const SpilledFile& file : files) {
    json.begin_object().key("name").text(file.name);
    if (is_utf8(file.bytes)) {
      json.key("text").text(file.bytes);
    } else {
      json.key("base64").text(to_base64(file.bytes));
    }
    if (!file.is_whole) json.key("whole").boolean(false);
    json.end_object();
  }
  return json.end_array().take();
}

std::vector<SpilledFile> spilled_files(const Entry& entry) {
  std::vector<SpilledFile> files;
  for_each_json_element(json_member(entry.meta(), "files"), [&](std::string_view one) {
    const auto [name, text, base64, whole] = json_members(one, {"name", "text", "base64", "whole"});
    SpilledFile file{json_text_or_empty(name), json_text_or_empty(text), whole != "false"};
    if (!base64.empty()) {
      const auto bytes = from_base64(json_text_or_empty(base64));
      if (!bytes) return;
      file.bytes = *bytes;
    }
    if (is_spilled_name(file.name)) files.push_back(std::move(file));
  });
  return files;
}

}  // namespace logwood::exchange
