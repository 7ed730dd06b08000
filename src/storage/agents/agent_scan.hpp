// Goes through a session of another agent, from its start or from where an earlier scan ended.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/reading.hpp"
#include "format/line_reader.hpp"
#include "logwood/session.hpp"
#include "model/entry_fields.hpp"
#include "storage/agents/agent_lines.hpp"
#include "storage/backend.hpp"

namespace logwood::storage::agents {

struct ScannedEntry {
  std::string_view text;
  EntryPlace place;
  std::uint64_t seq = 0;
};
using ScanVisitor = std::function<void(const ScannedEntry&)>;

class AgentScan {
 public:
  /// From the start: the header comes first, then the title that is said beside the file, if any.
  /// The lines outlive it.
  AgentScan(const AgentLines& lines, const SessionHeader& header, std::string title,
            exchange::Carry carry);

  /// Goes on from there instead; false when that position says nothing.
  bool go_on_from(const ReadPosition& position);

  void know(const exchange::Exceptions& exceptions) { reading_.know(exceptions); }

  /// Takes one line and tells its entries; false at the end.
  Result<bool> next(const ScanVisitor& visit);

  /// Behind what was told.
  [[nodiscard]] ReadPosition position() const;

  [[nodiscard]] const exchange::Reading& reading() const { return reading_; }

 private:
  Result<bool> next_piece(const ScanVisitor& visit);
  Result<> read_document();
  void tell(std::string_view text, const ScanVisitor& visit);

  const AgentLines& lines_;
  SessionHeader header_;
  std::string title_;
  exchange::Reading reading_;
  std::unique_ptr<format::LineReader> reader_;
  const std::string* file_id_ = nullptr;  // of the line before
  std::uint64_t seq_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t next_line_ = 1;
  std::string document_;  // all of it, where it is read as a whole
  std::vector<exchange::Piece> pieces_;
  std::size_t next_piece_ = 0;
  std::uint64_t told_before_ = 0;  // entries that are not told again
  bool is_unended_ = false;        // the last line was whole but for its line break
};

}  // namespace logwood::storage::agents
