#include "storage/agents/agent_files.hpp"

#include "base/sha256.hpp"
#include "io/outside_folder.hpp"
#include "storage/agents/opencode_store.hpp"
#include "storage/agents/session_indexes.hpp"

namespace logwood::storage::agents {
namespace {

catalog::Stamp stamp_of(const io::FileStamp& stamp) {
  return {stamp.identity.device, stamp.identity.inode, stamp.size_bytes, stamp.modified_ns,
          stamp.changed_ns};
}

}  // namespace

SessionId id_of(const exchange::Format& format, const std::string& name) {
  std::string id = std::string(format.name) + "-" + name;
  if (!name.empty() && check_id(id)) return {std::move(id)};
  return {std::string(format.name) + "-" + to_hex(sha256({name}))};
}

Result<AgentFiles> find_files(const std::vector<AgentPlace>& places) {
  AgentFiles files;
  SessionIndexes indexes;
  for (const AgentPlace& one : places) {
    LOGWOOD_CHECK(io::for_each_file_outside(
        one.place.folder, one.place.depth,
        [&](std::string_view path) { return !one.format->name_in_path(path).empty(); },
        [&](io::FileStamp&& stamp) {
          const std::string name = one.format->name_in_path(stamp.name);
          AgentSource source{one.format, one.place.folder + "/" + stamp.name, stamp_of(stamp)};
          indexes.apply(source, name);
          const auto [known, is_new] = files.try_emplace(id_of(*one.format, name), source);
          if (!is_new && known->second.stamp.modified_ns < source.stamp.modified_ns)
            known->second = std::move(source);
        }));
    if (one.format->name == "opencode") {
      constexpr std::string_view below = "/storage/session";
      const std::string data = one.place.folder.substr(0, one.place.folder.size() - below.size());
      for_each_in_databases(data, [&](AgentSource&& source) {
        files.insert_or_assign(id_of(*one.format, source.inner_id), std::move(source));
      });
    }
  }
  return files;
}

Result<AgentFiles> only_file(const std::string& path) {
  LOGWOOD_TRY(const io::FileStamp stamp, io::stamp_outside(path));
  const AgentSource source{nullptr, path, stamp_of(stamp)};
  LOGWOOD_TRY(const AgentLines lines,
              AgentLines::open(source, [](const std::string&) { return std::nullopt; }));
  const std::string& name =
      lines.head().file_id.empty() ? lines.head().session_id : lines.head().file_id;
  AgentSource known{&lines.format(), path, source.stamp};
  SessionIndexes().apply(known, lines.head().session_id);
  return AgentFiles{{id_of(lines.format(), name), std::move(known)}};
}

}  // namespace logwood::storage::agents
