// What agents write about their sessions beside them: keys and titles.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace logwood::exchange {

struct SaidBeside {
  std::string key;
  std::string title;
};
using SessionIndex = std::unordered_map<std::string, SaidBeside>;  ///< by session id

/// `sessions.json`: of OpenClaw an object of entries by key, of others a list of entries with `id`.
[[nodiscard]] SessionIndex read_sessions_json(std::string_view bytes);

/// `session_index.jsonl` of Codex: the last line about a session counts.
[[nodiscard]] SessionIndex read_session_index(std::string_view bytes);

}  // namespace logwood::exchange
