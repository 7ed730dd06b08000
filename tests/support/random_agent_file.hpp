// Session files of the agents whose files we read and do not write, as those agents leave them.
#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logwood {

/// Every part of it carries a mark of its own, MK1K, MK2K …, by which it is found again.
struct RandomAgentFile {
  std::string path;
  std::string bytes;
  std::vector<std::string> said;        ///< on the path that the agent goes on with, in order
  std::vector<std::string> taken_back;  ///< on other branches
  /// What no model and no person said, or what the agent keeps from its model.
  std::vector<std::string> unsaid;
  std::vector<std::string> first_kept;  ///< by each compaction on the path; empty: nothing is
};

/// What was written of the path so far, for whoever writes such a file.
struct WrittenEntry {
  std::string id;
  std::vector<std::string> marks;
  std::string text = {};  ///< where it is written more than once
  bool is_compaction = false;
  std::string first_kept = {};
};
using WrittenPath = std::vector<WrittenEntry>;

/// From an entry on all of it is on another branch.
void take_back(RandomAgentFile& file, WrittenPath& path, std::size_t from);

/// It is the path that the agent goes on with.
void say(RandomAgentFile& file, const WrittenPath& path);

struct RandomAgentShape {
  std::string_view agent;  ///< name of its format
  std::string_view name;
  RandomAgentFile (*make)(std::mt19937_64& random);
};

[[nodiscard]] std::span<const RandomAgentShape> random_agent_shapes();

// Its rows.
RandomAgentFile random_openclaw_lines(std::mt19937_64& random);
RandomAgentFile random_gemini_lines(std::mt19937_64& random);
RandomAgentFile random_gemini_document(std::mt19937_64& random);
RandomAgentFile random_gemini_checkpoint(std::mt19937_64& random);
RandomAgentFile random_opencode_export(std::mt19937_64& random);
RandomAgentFile random_chat_tree(std::mt19937_64& random);
RandomAgentFile random_chat_flat(std::mt19937_64& random);
RandomAgentFile random_chat_roles(std::mt19937_64& random);
RandomAgentFile random_chat_messages(std::mt19937_64& random);

}  // namespace logwood
