#include "storage/agents/opencode_store.hpp"

#include <algorithm>
#include <vector>

#include "base/json_text.hpp"
#include "base/sqlite.hpp"
#include "io/outside_file.hpp"
#include "io/outside_folder.hpp"

namespace logwood::storage::agents {
namespace {

constexpr std::size_t file_size_max = 64U << 20U;  // of a message or a part
constexpr std::size_t document_size_max = 512U << 20U;
constexpr std::string_view session_folder = "/storage/session/";

Error too_long(const std::string& path) {
  return {ErrorCode::unsupported, path + " is longer than can be read at once"};
}

// One JSON object, on one line; `{}` when the file holds anything else.
Result<std::string> object_in(const std::string& path) {
  LOGWOOD_TRY(const auto file, io::open_outside(path));
  LOGWOOD_TRY(const io::FileStatus status, file->status());
  if (status.size_bytes > file_size_max) return too_long(path);
  std::string text(status.size_bytes, '\0');
  LOGWOOD_TRY(const std::size_t got, file->read_at(0, text));
  text.resize(got);
  if (!text.starts_with('{') || !check_json(text)) return std::string("{}");
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

// Names sort by time.
std::vector<std::string> sorted_files(const std::string& folder) {
  std::vector<std::string> names;
  const auto found =
      io::files_outside(folder, 0, [](std::string_view name) { return name.ends_with(".json"); });
  if (!found) return names;
  for (const io::FileStamp& stamp : found->files) names.push_back(stamp.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string stem_of(const std::string& name) { return name.substr(0, name.rfind('.')); }

Result<std::string> document_of_files(const std::string& path) {
  const std::size_t at = path.find(session_folder);
  const std::string storage = path.substr(0, at) + "/storage/";
  const std::string session = stem_of(path.substr(path.rfind('/') + 1));
  LOGWOOD_TRY(std::string document, object_in(path));
  document = "{\"info\":" + document + ",\"messages\":[";
  bool is_first = true;
  const std::string messages = storage + "message/" + session;
  for (const std::string& name : sorted_files(messages)) {
    LOGWOOD_TRY(const std::string info, object_in(messages + "/" + name));
    document += (is_first ? "\n{\"info\":" : ",\n{\"info\":") + info + ",\"parts\":[";
    is_first = false;
    const std::string parts = storage + "part/" + stem_of(name);
    bool is_first_part = true;
    for (const std::string& part_name : sorted_files(parts)) {
      LOGWOOD_TRY(const std::string part, object_in(parts + "/" + part_name));
      document += (is_first_part ? "" : ",") + part;
      is_first_part = false;
      if (document.size() > document_size_max) return too_long(path);
    }
    document += "]}";
  }
  return document + "]}";
}

// An object with members of its own in front.
std::string with_members(const std::string& members, std::string_view object) {
  if (!object.starts_with('{') || !check_json(object)) return "{" + members + "}";
  const std::string_view inside = object.substr(1);
  const bool is_empty = inside.find_first_not_of(" \t") == inside.find('}');
  return "{" + members + (is_empty ? "" : ",") + std::string(inside);
}

Result<SqlDatabase> open_database(const std::string& path) {
  return SqlDatabase::open_to_read(path, std::chrono::seconds(5));
}

Result<std::string> document_of_database(const AgentSource& source) {
  LOGWOOD_TRY(SqlDatabase database, open_database(source.path));
  LOGWOOD_TRY(SqlStatement session,
              database.prepare("SELECT coalesce(directory, ''), coalesce(title, ''), "
                               "coalesce(version, ''), coalesce(parent_id, ''), time_created "
                               "FROM session WHERE id = ?"));
  LOGWOOD_TRY(const bool is_there, session.bind(source.inner_id).step());
  if (!is_there) {
    return Error{ErrorCode::not_found,
                 "there is no session " + source.inner_id + " in " + source.path};
  }
  std::string document = "{\"info\":{\"id\":" + json_quoted(source.inner_id) +
                         ",\"directory\":" + json_quoted(session.string(0)) +
                         ",\"title\":" + json_quoted(session.string(1)) +
                         ",\"version\":" + json_quoted(session.string(2));
  if (!session.string(3).empty()) document += ",\"parentID\":" + json_quoted(session.string(3));
  document += ",\"time\":{\"created\":" + std::to_string(session.integer(4)) + "}},\"messages\":[";
  LOGWOOD_TRY(SqlStatement parts,
              database.prepare("SELECT id, data FROM part WHERE message_id = ? ORDER BY id"));
  LOGWOOD_TRY(SqlStatement messages,
              database.prepare("SELECT id, data FROM message WHERE session_id = ? "
                               "ORDER BY time_created, id"));
  messages.bind(source.inner_id);
  bool is_first = true;
  while (true) {
    LOGWOOD_TRY(const bool has_message, messages.step());
    if (!has_message) break;
    const std::string id = messages.string(0);
    document += (is_first ? "\n{\"info\":" : ",\n{\"info\":") +
                with_members("\"id\":" + json_quoted(id), messages.string(1)) + ",\"parts\":[";
    is_first = false;
    parts.bind(id);
    for (bool is_first_part = true;; is_first_part = false) {
      LOGWOOD_TRY(const bool has_part, parts.step());
      if (!has_part) break;
      document += (is_first_part ? "" : ",") +
                  with_members("\"id\":" + json_quoted(parts.string(0)), parts.string(1));
      if (document.size() > document_size_max) return too_long(source.path);
    }
    parts.reset();
    document += "]}";
  }
  return document + "]}";
}

}  // namespace

bool is_of_opencode(const AgentSource& source) {
  return !source.inner_id.empty() ||
         (source.path.find(session_folder) != std::string::npos && source.path.ends_with(".json"));
}

Result<std::string> opencode_document(const AgentSource& source) {
  return source.inner_id.empty() ? document_of_files(source.path) : document_of_database(source);
}

std::vector<std::string> for_each_in_databases(const std::string& folder,
                                               const std::function<void(AgentSource&&)>& visit) {
  const auto is_database = [](std::string_view name) {
    return name.starts_with("opencode") && name.ends_with(".db");
  };
  std::vector<std::string> paths;
  const auto found = io::files_outside(folder, 0, is_database);
  if (!found) return paths;
  for (const io::FileStamp& stamp : found->files) {
    const std::string path = folder + "/" + stamp.name;
    paths.push_back(path);
    auto database = open_database(path);
    if (!database) continue;
    auto sessions = database->prepare("SELECT id, time_updated FROM session");
    if (!sessions) continue;
    while (true) {
      const auto has_row = sessions->step();
      if (!has_row || !*has_row) break;
      AgentSource source;
      source.format = exchange::format_named("opencode");
      source.path = path;
      source.inner_id = sessions->string(0);
      // The file changes with every session in it; this one when it says so.
      source.stamp.inode = stamp.identity.inode;
      source.stamp.device = stamp.identity.device;
      source.stamp.modified_ns = sessions->integer(1) * 1'000'000;
      visit(std::move(source));
    }
  }
  return paths;
}

}  // namespace logwood::storage::agents
