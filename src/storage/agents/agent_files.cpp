#include "storage/agents/agent_files.hpp"

#include <algorithm>
#include <tuple>

#include "base/sha256.hpp"
#include "io/outside_folder.hpp"
#include "storage/agents/opencode_store.hpp"
#include "storage/agents/session_indexes.hpp"
#include "storage/file_stamp.hpp"

namespace logwood::storage::agents {

SessionId id_of(const exchange::Format& format, const std::string& name) {
  std::string id = std::string(format.name) + "-" + name;
  if (!name.empty() && check_id(id)) return {std::move(id)};
  return {std::string(format.name) + "-" + to_hex(sha256({name}))};
}

AgentFiles::AgentFiles(std::vector<One> files) : files_(std::move(files)) {
  const auto rank = [](const One& one) {
    return std::tuple(one.source.inner_id.empty(), -one.source.stamp.modified_ns);
  };
  std::sort(files_.begin(), files_.end(), [&](const One& a, const One& b) {
    return a.id == b.id ? rank(a) < rank(b) : a.id < b.id;
  });
  const auto is_same = [](const One& a, const One& b) { return a.id == b.id; };
  files_.erase(std::unique(files_.begin(), files_.end(), is_same), files_.end());
}

const AgentSource* AgentFiles::find(const SessionId& id) const {
  const auto found =
      std::lower_bound(files_.begin(), files_.end(), id,
                       [](const One& one, const SessionId& wanted) { return one.id < wanted; });
  return found != files_.end() && found->id == id ? &found->source : nullptr;
}

catalog::Stamp stamp_at(const std::string& path) {
  const auto found = io::stamp_outside(path);
  return found ? stamp_of(*found) : catalog::Stamp();
}

Result<FoundFiles> find_files(const std::vector<AgentPlace>& places) {
  std::vector<AgentFiles::One> files;
  std::vector<catalog::Watched> watched;
  SessionIndexes indexes;
  for (const AgentPlace& one : places) {
    LOGWOOD_TRY(const io::OutsideFiles found,
                io::files_outside(one.place.folder, one.place.depth, [&](std::string_view path) {
                  return !one.format->name_in_path(path).empty();
                }));
    for (const io::FileStamp& folder : found.folders)
      watched.push_back({one.place.folder + "/" + folder.name, stamp_of(folder)});
    for (const io::FileStamp& file : found.files) {
      const std::string name = one.format->name_in_path(file.name);
      AgentSource source{one.format, one.place.folder + "/" + file.name, stamp_of(file)};
      indexes.apply(source, name);
      files.push_back({id_of(*one.format, name), std::move(source)});
    }
    if (one.format->name == "opencode") {
      constexpr std::string_view below = "/storage/session";
      const std::string data = one.place.folder.substr(0, one.place.folder.size() - below.size());
      watched.push_back({data, stamp_at(data)});
      const auto databases = for_each_in_databases(data, [&](AgentSource&& source) {
        SessionId id = id_of(*one.format, source.inner_id);
        files.push_back({std::move(id), std::move(source)});
      });
      for (const std::string& path : databases) {
        for (const std::string& part : {path, path + "-wal"})
          watched.push_back({part, stamp_at(part)});
      }
    }
  }
  for (const auto& index : indexes.watched()) watched.push_back(index);
  return FoundFiles{AgentFiles(std::move(files)), std::move(watched)};
}

Result<FoundFiles> only_file(const std::string& path) {
  LOGWOOD_TRY(const io::FileStamp stamp, io::stamp_outside(path));
  const AgentSource source{nullptr, path, stamp_of(stamp)};
  LOGWOOD_TRY(const AgentLines lines,
              AgentLines::open(source, [](const std::string&) { return std::nullopt; }));
  const std::string& name =
      lines.head().file_id.empty() ? lines.head().session_id : lines.head().file_id;
  AgentSource known{&lines.format(), path, source.stamp};
  SessionIndexes().apply(known, lines.head().session_id);
  return FoundFiles{AgentFiles({{id_of(lines.format(), name), std::move(known)}}), {}};
}

}  // namespace logwood::storage::agents
