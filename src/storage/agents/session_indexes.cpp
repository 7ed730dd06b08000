#include "storage/agents/session_indexes.hpp"

#include <functional>

#include "io/outside_file.hpp"
#include "storage/agents/agent_files.hpp"

namespace logwood::storage::agents {
namespace {

constexpr std::size_t index_size_max = 64U << 20U;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// Nothing when there is none, or it cannot be read: it only adds to what the sessions say.
std::string bytes_of(const std::string& path) {
  const auto file = io::open_outside(path);
  if (!file) return "";
  const auto status = (*file)->status();
  if (!status || status->size_bytes > index_size_max) return "";
  std::string bytes(status->size_bytes, '\0');
  const auto got = (*file)->read_at(0, bytes);
  bytes.resize(got ? *got : 0);
  return bytes;
}

// Codex keeps one for all sessions; it stands in the folder that `sessions` is in.
std::string index_of_codex(const std::string& path) {
  for (const std::string_view folder : {"/sessions/", "/archived_sessions/"}) {
    const std::size_t at = path.rfind(folder);
    if (at != std::string::npos) return path.substr(0, at) + "/session_index.jsonl";
  }
  return "";
}

}  // namespace

const exchange::SessionIndex& SessionIndexes::index_at(const std::string& path, bool is_lines) {
  const auto [known, is_new] = indexes_.try_emplace(path);
  if (is_new) {
    watched_.push_back({path, stamp_at(path)});
    const std::string bytes = bytes_of(path);
    known->second =
        is_lines ? exchange::read_session_index(bytes) : exchange::read_sessions_json(bytes);
  }
  return known->second;
}

void SessionIndexes::apply(AgentSource& source, const std::string& session_id) {
  const std::string_view agent = source.format->name;
  std::string path;
  if (agent == "codex") path = index_of_codex(source.path);
  if (agent == "openclaw" || agent == "chat") path = folder_of(source.path) + "/sessions.json";
  if (path.empty()) return;
  const exchange::SessionIndex& index = index_at(path, agent == "codex");
  const auto said = index.find(session_id);
  if (said == index.end()) return;
  source.key = said->second.key;
  source.title = said->second.title;
  const std::size_t words = std::hash<std::string>()(source.key + "\n" + source.title);
  source.stamp.device ^= words;  // as if it were another file: it is read from its start then
}

}  // namespace logwood::storage::agents
