// A session of another agent, opened to be read in any order. Entries are found by going through
// the file once, which notes where to begin again; memory grows with the number of entries, by a
// few bytes each, and not with what they say.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/siphash.hpp"
#include "logwood/session.hpp"
#include "storage/agents/agent_lines.hpp"
#include "storage/agents/agent_scan.hpp"
#include "storage/backend.hpp"

namespace logwood::storage::agents {

/// The header that a session of another agent has here.
[[nodiscard]] SessionHeader header_of(const SessionId& id, const AgentSource& source,
                                      const Identified& file);

/// For use by one thread at a time.
class AgentSession {
 public:
  static Result<std::unique_ptr<AgentSession>> open(const SessionId& id, const AgentSource& source,
                                                    const AgentLines::FindFile& find_file);

  [[nodiscard]] const SessionHeader& header() const { return header_; }
  [[nodiscard]] const AgentLines& lines() const { return lines_; }

  /// Tells all entries after `from`; `carry` as in Reading. Stops when `visit` returns false.
  Result<WalkedTo> walk(const ReadPosition& from, exchange::Carry carry,
                        const std::function<bool(const ScannedEntry&)>& visit);

  /// Tells them from the last one to the first, until `take` returns false. All begins again, after
  /// `begin`, where the end of a long file turns out to be irregular.
  Result<> walk_back(const std::function<void()>& begin, const std::function<bool(Entry&&)>& take);

  /// Nothing when there is none of that id.
  Result<std::optional<Entry>> find(const EntryId& id);

  /// Where the tree has grown to.
  struct Ends {
    std::optional<EntryId> tail;
    std::optional<EntryId> head;
  };
  Result<Ends> ends();

  Result<VerifyReport> verify();

 private:
  // A place from which entries can be read again.
  struct Checkpoint {
    ReadPosition position;
  };
  struct Place {
    std::uint64_t id_hash;
    std::uint64_t seq;
  };

  AgentSession(SessionHeader header, std::string title, AgentLines lines);
  // It is worth while, and nothing better is known.
  [[nodiscard]] bool may_read_tail() const;
  Result<> go_through();
  Result<> tell_first(const std::function<bool(Entry&&)>& take);
  Result<std::vector<Entry>> entries_after(std::size_t checkpoint);
  [[nodiscard]] std::uint64_t hash_of(std::string_view id) const { return siphash(key_, id); }

  SessionHeader header_;
  std::string title_;  // that is said beside the file; empty: none
  AgentLines lines_;
  SipKey key_;
  bool is_gone_through_ = false;
  std::vector<Checkpoint> checkpoints_;
  std::vector<Place> places_;  // by hash
  exchange::Exceptions exceptions_;
  // What was read last from a checkpoint: who asks for one entry mostly asks for the next one too.
  std::size_t chunk_checkpoint_ = 0;
  std::vector<Entry> chunk_;
  Ends ends_;
  VerifyReport report_;
};

}  // namespace logwood::storage::agents
