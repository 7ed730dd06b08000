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

class AgentLines {
 public:
  /// The file of the same agent that has this id (HistoryBase); nothing when there is none.
  using FindFile = std::function<std::optional<std::string>(const std::string& file_id)>;

  /// `unsupported` when the file is nobody's we know.
  static Result<AgentLines> open(const AgentSource& source, const FindFile& find_file);

  [[nodiscard]] const exchange::Format& format() const { return *format_; }
  [[nodiscard]] const exchange::FileHead& head() const { return head_; }

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
  [[nodiscard]] bool is_document() const { return format_->split != nullptr; }

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
    const exchange::Format* format;
    exchange::FileHead head;
  };
  static Result<Opened> open_one(const AgentSource& source);

  const exchange::Format* format_ = nullptr;
  exchange::FileHead head_;
  std::vector<Segment> segments_;
  bool misses_beginning_ = false;
};

}  // namespace logwood::storage::agents
