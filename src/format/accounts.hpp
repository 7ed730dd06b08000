// An erased line leaves a tombstone, and a redaction mark accounts for it. Both
// sides must agree: a tombstone that nobody names is tampering, and a line that
// was named and is still there was never erased.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "format/fold.hpp"
#include "logwood/report.hpp"
#include "model/entry_fields.hpp"

namespace logwood::format {

class ErasureAccounts {
 public:
  /// Takes each line of the session: `text` is the line without its LF, `fields`
  /// are the members of the entry in it.
  void take(const PlacedLine& line, std::string_view text, const EntryFields& fields);

  /// The line does not count after all: a later one stands in its place.
  void forget(const PlacedLine& line);

  [[nodiscard]] std::vector<Problem> problems() const;

 private:
  // What binds a tombstone: the digest of what it stands for, and a hash of itself.
  struct Binding {
    std::string digest;
    std::string line;
    bool operator==(const Binding&) const = default;
  };
  struct Tombstone {
    Binding binding;
    PlacedLine place;
  };

  [[nodiscard]] bool has_content(std::uint64_t seq) const;

  std::map<std::uint64_t, std::vector<Binding>> named_;  // what redactions say of a seq
  std::map<std::uint64_t, Tombstone> tombstones_;
  std::map<std::uint64_t, std::uint64_t>
      content_;  // runs of seqs that are not erased: first to last
};

}  // namespace logwood::format
