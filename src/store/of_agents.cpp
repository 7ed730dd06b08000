// Stores that are made of the files of other agents.
#include <utility>
#include <vector>

#include "exchange/format.hpp"
#include "io/real_files.hpp"
#include "logwood/store.hpp"
#include "storage/agents/backend.hpp"
#include "store/inside.hpp"

namespace logwood {
namespace {

// Nothing is made in such a store.
IdsAndTime no_stamps() {
  return {[] { return new_entry_id(); }, [] { return std::chrono::system_clock::now(); }};
}

}  // namespace

Result<Store> Store::of_agents(const AgentsOptions& options) {
  std::vector<storage::agents::AgentPlace> places;
  for (const exchange::Format& format : exchange::formats()) {
    if (format.places == nullptr) continue;
    for (exchange::Place& place : format.places(options.variable)) {
      if (place.folder.starts_with('/')) places.push_back({&format, std::move(place)});
    }
  }
  std::unique_ptr<io::FileSystem> cache;
  if (!options.cache.empty()) {
    auto folder = io::open_folder(options.cache, {.create = true, .allow_remote = true});
    if (folder) cache = *std::move(folder);
  }
  return Store(std::make_shared<Inside>(storage::agents::open(std::move(places), std::move(cache)),
                                        no_stamps()));
}

Result<Store> Store::of_agent_file(const std::string& path) {
  LOGWOOD_TRY(auto backend, storage::agents::open_file(path));
  return Store(std::make_shared<Inside>(std::move(backend), no_stamps()));
}

}  // namespace logwood
