// Reads the lines of another agent's file, one after the other, into entries of ours: the tree they
// make, and what is wrong with it.
//
//   - A line that is no JSON object is carried as bytes, and told as a problem.
//   - A parent that is nowhere before it would hide all that came earlier, which is what agents do
//     with such a file. Here the entry joins the one before it, as do others that name the same
//     parent, and that is told.
//   - A line whose id is taken already is carried outside the tree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/siphash.hpp"
#include "exchange/format.hpp"
#include "exchange/spilled_file.hpp"
#include "exchange/told_line.hpp"
#include "logwood/report.hpp"

namespace logwood::exchange {

/// Whether entries take the bytes of their line along.
enum class Carry : std::uint8_t { nothing, lines };

/// An entry that was read: the text of its object.
using EntryVisitor = std::function<void(std::string_view text)>;

/// Lines, by their offset, that a reading of the whole file found to be out of order.
struct Exceptions {
  std::unordered_set<std::uint64_t> repeated;
  std::unordered_map<std::uint64_t, std::string> joined;  ///< and what they grow from instead
};

class Reading {
 public:
  /// From the first line on. The head names what the lines do not.
  Reading(const Format& format, const FileHead& head, Carry carry);

  /// Where it takes what lines say is in files of their own; without, only their names are told.
  void read_spilled_with(ReadSpilled read) { read_spilled_ = std::move(read); }

  void take(const Line& line, const EntryVisitor& visit);
  /// One that says nothing, or what a later line says again: it is carried, and no part of the
  /// tree.
  void take_aside(const Line& line, const EntryVisitor& visit);

  /// Lines of another file follow, as those of a fork follow the ones it begins with.
  void begin_file(const std::string& file_id);

  /// What has to be known to go on behind the last line, as text without line breaks.
  [[nodiscard]] std::string state() const;
  /// Goes on from there. Which ids there were is not known then, so none is missed or repeated.
  bool go_on_from(std::string_view state);

  /// Goes on after an entry, of which and of all before nothing else is known; what lines beside
  /// messages say was used is not told then, as it may have been told before.
  void begin_after(std::string last);
  /// The entry of the tree that came last.
  [[nodiscard]] const std::string& last() const { return memory_.last; }
  /// An entry was met that says itself what it grows from.
  [[nodiscard]] bool names_parents() const { return names_parents_; }
  /// Something was met that depends on lines which it may not have read.
  [[nodiscard]] bool needs_earlier() const { return needs_earlier_; }

  /// Goes by what an earlier reading found, which outlives this one.
  void know(const Exceptions& exceptions) { exceptions_ = &exceptions; }
  [[nodiscard]] const Exceptions& found() const { return found_; }

  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }
  [[nodiscard]] std::uint64_t problem_count() const { return problem_count_; }

 private:
  void tell_problem(ProblemKind kind, const Line& line);
  void take_unreadable(const Line& line, const EntryVisitor& visit);
  void take_outside(const Line& line, const ToldLine& told, bool is_json,
                    const EntryVisitor& visit);
  void take_in_tree(const Line& line, ToldLine& told, const EntryVisitor& visit);
  void put_marks(const ToldLine& told, const std::string& after, const EntryVisitor& visit);
  void put_mark(std::string_view type, const std::string& id, std::string_view payload,
                const EntryVisitor& visit);
  void put_head(const std::string& id, const EntryVisitor& visit);
  std::string parent_of(const Line& line, const ToldLine& told);
  void note_group(const ToldLine& told, const std::string& id, const std::string& parent);
  [[nodiscard]] bool is_new(const std::string& id, const Line& line) const;
  [[nodiscard]] bool is_known(const std::string& id, const Line& line) const;
  void note_line(const std::string& id);
  [[nodiscard]] std::string id_by_place(const Line& line) const;
  [[nodiscard]] std::string files_of(const Line& line, const ToldLine& told);

  const Format& format_;
  Carry carry_;
  ReadSpilled read_spilled_;
  std::uint64_t spilled_bytes_ = 0;
  std::string file_tag_;
  Memory memory_;
  bool notes_lines_;
  bool needs_earlier_ = false;
  bool names_parents_ = false;
  bool tells_usage_ = true;
  bool knows_ids_ = true;
  const Exceptions* exceptions_ = nullptr;
  Exceptions found_;
  std::unordered_map<std::string, std::string> missing_;  // parents, and what stands for them
  SipKey key_;
  std::unordered_set<std::uint64_t> ids_;
  std::vector<Problem> problems_;
  std::uint64_t problem_count_ = 0;
};

}  // namespace logwood::exchange
