#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "format/seal.hpp"
#include "io/file_system.hpp"
#include "logwood/ids.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"
#include "storage/jsonl/layout.hpp"

namespace logwood::storage::jsonl {

/// Writes the lines of a session file that does not have its name yet: each entry a
/// batch of its own, as the whole file appears at once. Creating, forking and
/// migrating do this. Nothing is synced here.
class NewSessionFile {
 public:
  /// Both are borrowed and outlive it.
  NewSessionFile(const SessionId& session, io::File& target) : session_(session), target_(target) {}

  /// `body` is an entry's text without its closing brace.
  Result<> seal(std::string_view body);

  /// Takes over a line that is not part of the session.
  Result<> copy(std::string_view line);

  Result<> write_out();

  [[nodiscard]] std::uint64_t entries() const { return seq_; }

 private:
  Result<> write_out_if_full();

  const SessionId& session_;
  io::File& target_;
  std::string pending_;
  std::uint64_t seq_ = 0;
  format::Link link_ = format::first_link();
};

/// Makes the file of a new session, of a header and entries whose text the caller has checked. It
/// gets its name when it is whole and synced, so a session that exists has a header.
Result<> create_session_file(io::FileSystem& files, const SessionId& id, const SessionNames& names,
                             std::string_view header, const EntrySource& entries);

}  // namespace logwood::storage::jsonl
