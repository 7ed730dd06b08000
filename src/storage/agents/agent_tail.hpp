// The end of a session of another agent, read without having gone through its file: turn after turn
// backwards, each turn forwards; a line that begins anew counts as one. It costs what is read,
// however long the file is.
//
// This holds as long as everything that is read is in order. At an id that comes twice, turns that
// were undone or a parent that is nowhere it gives up, and the file has to be gone through. So it
// does at a line that cannot be read, or is too long to be held, unless all entries grow from the
// one before them: then nobody can have meant what was in it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "logwood/entry.hpp"
#include "logwood/result.hpp"
#include "storage/agents/agent_lines.hpp"

namespace logwood::storage::agents {

class AgentTail {
 public:
  /// The lines outlive it.
  explicit AgentTail(const AgentLines& lines) : lines_(lines) {}

  enum class End : std::uint8_t {
    enough,     ///< `take` returned false
    start,      ///< all entries were told, but for the header
    irregular,  ///< what was told so far is not to be relied on
  };

  /// Tells the entries from the last one backwards, until `take` returns false. They have no seq.
  Result<End> read(const std::function<bool(Entry&&)>& take);

 private:
  struct HeldLine {
    std::string text;
    std::uint64_t offset = 0;
    bool has_end = true;
    bool is_oversize = false;
  };

  // The lines of a turn, the last one first, become entries; false: something is not in order.
  bool read_turn(const std::vector<HeldLine>& lines);
  // Where the line begins that ends here, however long it is.
  Result<std::uint64_t> begin_of_line(std::uint64_t end) const;
  // Whether it fits what was told before.
  bool note(const Entry& entry);

  const AgentLines& lines_;
  std::vector<Entry> turn_;                  // in the order of the file
  bool names_parents_ = false;               // some entry that was read does
  std::string last_;                         // of the tree, in the turn read last
  std::vector<Entry> waiting_;               // for an earlier turn; the last one first
  std::unordered_set<std::string> told_;     // ids
  std::unordered_set<std::string> missing_;  // parents that were named and have not come yet
};

}  // namespace logwood::storage::agents
