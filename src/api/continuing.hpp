// A session written as a file that another agent can go on with.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/format.hpp"
#include "exchange/spilled_file.hpp"
#include "logwood/store.hpp"

namespace logwood::api {

struct ContinueOptions {
  const exchange::Format* agent = nullptr;  ///< one that we write files of
  std::string cwd;                          ///< the folder it will be started in
  std::optional<EntryId> tip = std::nullopt;
  exchange::Variables variable;  ///< says where the agent looks for its files
  std::string now;               ///< timestamp
};

struct Continued {
  std::string file;
  std::string session_id;            ///< of the agent
  std::vector<std::string> command;  ///< that goes on with it, by words
  std::string cwd;
  exchange::KeptCounts kept;
  Compatibility report;
  std::uint64_t branches_left = 0;  ///< that stay behind: the file has one path
  bool is_same = false;             ///< byte for byte the file that it once was
  bool already_there = false;       ///< the agent has that file, and it stays as it is
};

/// Writes the file where the agent looks for it, never over another one. The session stays as it
/// is.
Result<Continued> continue_in(Store& store, const SessionId& session,
                              const ContinueOptions& options);

/// What a session was made of.
struct OriginalFile {
  std::string bytes;
  std::vector<exchange::SpilledFile> spilled;  ///< all of them that are known as a whole
};

/// Nothing when it was made of no file of this agent, or has changed since.
Result<std::optional<OriginalFile>> original_file(Store& store, const SessionId& session,
                                                  std::string_view agent);

}  // namespace logwood::api
