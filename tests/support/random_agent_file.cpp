#include "support/random_agent_file.hpp"

#include <array>

namespace logwood {

void take_back(RandomAgentFile& file, WrittenPath& path, std::size_t from) {
  for (std::size_t at = from; at < path.size(); ++at) {
    file.taken_back.insert(file.taken_back.end(), path[at].marks.begin(), path[at].marks.end());
  }
  path.resize(from);
}

void say(RandomAgentFile& file, const WrittenPath& path) {
  for (const WrittenEntry& one : path) {
    file.said.insert(file.said.end(), one.marks.begin(), one.marks.end());
    if (one.is_compaction) file.first_kept.push_back(one.first_kept);
  }
}

std::span<const RandomAgentShape> random_agent_shapes() {
  static constexpr std::array shapes = {
      RandomAgentShape{"openclaw", "lines", random_openclaw_lines},
      RandomAgentShape{"gemini", "lines", random_gemini_lines},
      RandomAgentShape{"gemini", "document", random_gemini_document},
      RandomAgentShape{"gemini", "checkpoint", random_gemini_checkpoint},
      RandomAgentShape{"opencode", "export", random_opencode_export},
      RandomAgentShape{"chat", "tree", random_chat_tree},
      RandomAgentShape{"chat", "flat", random_chat_flat},
      RandomAgentShape{"chat", "roles", random_chat_roles},
      RandomAgentShape{"chat", "messages", random_chat_messages},
  };
  return shapes;
}

}  // namespace logwood
