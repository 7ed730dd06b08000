// The long strings of one session, each a file that has its hash for a name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "io/file_system.hpp"
#include "logwood/result.hpp"
#include "model/long_strings.hpp"
#include "storage/line_entry.hpp"

namespace logwood::storage::jsonl {

/// Whatever the bytes of a session file may name, its lines be sound or not: a blob too many is
/// taken for named, none too few.
Result<std::unordered_set<std::string>> blobs_named_in(const io::File& file);

class Blobs {
 public:
  /// `files` outlives it. `folder` may not exist yet.
  Blobs(io::FileSystem& files, std::string folder) : files_(&files), folder_(std::move(folder)) {}

  /// Makes them durable, before anything names them. Under the lock of the session.
  Result<> keep(const SpilledText& text);

  /// The bytes of one; nothing when it is not there, or not what it was.
  Result<std::optional<std::string>> read(const BlobRef& ref) const;

  /// `body` is the body of a line.
  Result<RestoredText> restore(std::string_view body) const;

  /// Removes every blob but these, and what unfinished attempts left. Under the lock.
  Result<> remove_all_but(const std::unordered_set<std::string>& kept);

  /// The blobs, and what unfinished attempts left.
  Result<std::vector<std::string>> names() const;

  /// Whether there is anything to remove.
  Result<bool> is_empty() const;

 private:
  Result<> write(const std::string& name, std::string_view bytes);
  [[nodiscard]] std::string path_of(std::string_view name) const;

  io::FileSystem* files_;
  std::string folder_;
  bool folder_synced_ = false;  // its own name, and that of the folder it lies in
};

}  // namespace logwood::storage::jsonl
