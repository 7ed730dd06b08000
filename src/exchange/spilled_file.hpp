// What an agent wrote into a file of its own because it was too long for a line, and only named in
// it: carried along with the entry, so that it is found, shown and put back with the session.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/entry.hpp"

namespace logwood::exchange {

struct SpilledFile {
  std::string name;  ///< `tool-results/<file>`, below the folder of the session
  std::string bytes;
  bool is_whole = true;  ///< false: it is gone, or longer than is carried
};

/// Whether it may be opened or made below a folder: it comes out of somebody else's file.
[[nodiscard]] bool is_spilled_name(std::string_view name);

/// Names of the files in which the text of a tool result says it is; text as Claude Code writes it.
[[nodiscard]] std::vector<std::string> spilled_names(std::string_view message);

/// The file of that name, beside the session; nothing when there is none.
using ReadSpilled = std::function<std::optional<SpilledFile>(const std::string& name)>;

/// `"files":[…]`, a member of the meta of a tree entry.
[[nodiscard]] std::string files_member(const std::vector<SpilledFile>& files);

[[nodiscard]] std::vector<SpilledFile> spilled_files(const Entry& entry);

}  // namespace logwood::exchange
