// The lines of a session of another agent: those of its file, after those it began with in other
// files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "exchange/format.hpp"
#include "exchange/spilled_file.hpp"
#include "format/line_reader.hpp"
#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::agents {

/// Where a session of another agent lies.
struct AgentSource {
  const exchange::Format* format = nullptr;  ///< null: what the file itself looks like
  std::string path;
  catalog::Stamp stamp;
  std::string key = {};       ///< as the agent says beside its sessions
  std::string title = {};     ///< likewise
  std::string inner_id = {};  ///< of a database with several sessions, which one
};

/// When its file was last written to, as a timestamp.
[[nodiscard]] std::string modified_time(const AgentSource& source);

/// Whose file it is, and what it says of itself.
struct Identified {
  const exchange::Format* format = nullptr;
  exchange::FileHead head;
};

/// `unsupported` when the file is nobody's we know.
Result<Identified> identify(const io::File& file, std::uint64_t size_bytes,
                            const AgentSource& source);

class AgentLines {
 public:
  /// The file of the same agent that has this id (HistoryBase); nothing when there is none.
  using FindFile = std::function<std::optional<std::string>(const std::string& file_id)>;

  /// Its bytes are those of a file, and can be read in any part of it.
  [[nodiscard]] static bool is_plain(const AgentSource& source);

  /// As identify, for the file and those that it goes on from.
  static Result<AgentLines> open(const AgentSource& source, const FindFile& find_file);

  [[nodiscard]] const Identified& file() const { return file_; }
  [[nodiscard]] const exchange::Format& format() const { return *file_.format; }
  [[nodiscard]] const exchange::FileHead& head() const { return file_.head; }

  /// All lines as if they were one file. Valid while this is where it is.
  [[nodiscard]] format::ReadAt bytes() const;
  [[nodiscard]] std::uint64_t size_bytes() const;

  /// The file in which a place of `bytes` lies, and where in it.
  struct Spot {
    const std::string* file_id;
    std::uint64_t offset;
  };
  [[nodiscard]] Spot spot(std::uint64_t offset) const;

  /// It is read as a whole, since its lines mean something only together.
  [[nodiscard]] bool is_document() const { return format().split != nullptr; }

  /// A file of the session that a line names.
  [[nodiscard]] exchange::ReadSpilled spilled() const;

  /// A file that the first lines were said to be in is not there.
  [[nodiscard]] bool misses_beginning() const { return misses_beginning_; }

 private:
  struct Segment {
    std::unique_ptr<io::File> file;
    std::string file_id;
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
  };
  struct Opened {
    Segment segment;
    Identified file;
  };
  static Result<Opened> open_one(const AgentSource& source);

  Identified file_;
  std::string path_;
  std::vector<Segment> segments_;
  bool misses_beginning_ = false;
};

}  // namespace logwood::storage::agents
