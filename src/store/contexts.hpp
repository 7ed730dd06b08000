// Contexts of sessions, and those of them that are kept.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "logwood/context.hpp"
#include "logwood/result.hpp"
#include "logwood/resume.hpp"
#include "model/context_builder.hpp"
#include "storage/backend.hpp"

namespace logwood {

/// A context of full length, and how it was read.
struct LoadedContext {
  std::shared_ptr<const ContextBuilder::Built> built;  // owners: the cache and who asked
  std::vector<Problem> problems;
  bool anchored = false;
};

/// Reads contexts and keeps the last few, by session and tip. One that is kept is used
/// only after a look at the end of the session has shown no newer redaction or tool_run
/// mark, whoever appended it. Safe for use by several threads.
class Contexts {
 public:
  Result<LoadedContext> load(storage::StorageBackend& backend, const SessionId& session,
                             const std::optional<EntryId>& tip);

  void drop(const SessionId& session);
  void clear();

 private:
  struct Kept {
    SessionId session;
    EntryId tip;
    LoadedContext context;
    std::uint64_t marks_until = 0;  // seq of the newest mark that it knows, or of its tip
  };
  static constexpr std::size_t kept_max = 16;

  std::optional<Kept> find(const SessionId& session, const EntryId& tip);
  void keep(Kept kept);

  std::mutex mutex_;
  std::list<Kept> kept_;  // the one used last first
};

/// The context in the length that was asked for.
[[nodiscard]] Context fitted(const LoadedContext& loaded, const ContextOptions& options);

/// Whether the entry is a message of this context and nothing but results of tools comes
/// after it.
[[nodiscard]] bool only_results_follow(const ContextBuilder::Built& built, const EntryId& entry);

/// The calls of these messages that have no result among them.
[[nodiscard]] std::vector<UnfinishedCall> unfinished_calls(const ContextBuilder::Built& built);

}  // namespace logwood
