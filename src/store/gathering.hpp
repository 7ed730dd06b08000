// Entries from elsewhere on their way into a new session. Each is validated as append validates it,
// and all of them wait in a scratch file until it is known whether the session can be made.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/siphash.hpp"
#include "io/file_system.hpp"
#include "logwood/entry.hpp"
#include "logwood/import.hpp"
#include "logwood/result.hpp"
#include "model/draft.hpp"
#include "storage/backend.hpp"

namespace logwood {

class Gathering {
 public:
  /// What may be missing that an entry refers to.
  enum class References : std::uint8_t {
    checked,  ///< nothing
    free,     ///< anything: the rest of a damaged session is still worth having
  };
  static Result<Gathering> begin(References references);

  /// An entry that the session has already, and others may refer to.
  void know(std::string_view id, EntryKind kind) { kinds_.emplace(id, kind); }
  [[nodiscard]] bool knows(const EntryId& id) const { return kinds_.contains(id.text); }

  /// Takes an entry, or notes why not. `line` is where it comes from.
  Result<> take(const Entry& entry, std::uint64_t line);
  void leave_out(std::uint64_t line, std::string why);

  /// Everything taken, from the first on. Lent: this outlives it.
  Result<storage::EntrySource> source();

  [[nodiscard]] std::uint64_t entries() const { return entries_; }
  /// The tree entry taken last.
  [[nodiscard]] const std::optional<EntryId>& last() const { return last_; }
  [[nodiscard]] const std::vector<LeftOut>& left_out() const { return left_out_; }
  [[nodiscard]] std::uint64_t left_out_count() const { return left_out_count_; }

 private:
  struct Hash {
    SipKey key;
    std::size_t operator()(const std::string& id) const { return siphash(key, id); }
  };
  Gathering(References references, std::unique_ptr<io::File> file);

  Result<std::string> checked(const Entry& entry);
  Result<> check_references(const CheckedDraft& draft) const;
  Result<> check_known(const EntryId& id, std::string_view role, bool in_tree) const;
  Result<> write_out();

  References references_;
  std::unique_ptr<io::File> file_;
  std::string pending_;                                     // to be written
  std::unordered_map<std::string, EntryKind, Hash> kinds_;  // ids are chosen by others
  std::uint64_t entries_ = 0;
  std::optional<EntryId> last_;
  std::vector<LeftOut> left_out_;
  std::uint64_t left_out_count_ = 0;
};

}  // namespace logwood
