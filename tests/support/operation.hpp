// One thing that somebody does to a store: through its interface, or to its files
// behind its back. Numbers stand for things ("the third entry that is there"), so
// that every operation means something at any moment and a sequence of them can
// be shortened anywhere.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

namespace logwood {

struct DraftChoice {
  enum class Id : std::uint8_t { none, pooled, known, session };
  enum class Parent : std::uint8_t { absent, null, known, pooled, earlier_in_batch };
  enum class Type : std::uint8_t { message, custom, unknown, label, info, tool_run, head };
  enum class Fault : std::uint8_t {
    none,
    not_json,
    no_payload,
    reserved_name,
    header,
    redaction,
    line_break,
    repeated_name,
    bad_time,
    mark_with_parent,
  };

  Id id = Id::none;
  Parent parent = Parent::absent;
  Type type = Type::message;
  Fault fault = Fault::none;
  std::uint8_t id_number = 0;
  std::uint8_t parent_number = 0;
  std::uint8_t target_number = 0;
  std::uint8_t content = 0;   ///< what the payload says
  std::uint8_t spelling = 0;  ///< order and spaces of the members; whether there is a timestamp
};

struct Operation {
  enum class Kind : std::uint8_t {
    create,
    open_by_key,
    append,
    append_again,  ///< an append that succeeded before, word for word
    flush,
    close_session,
    reopen_store,
    load,
    read_page,  ///< goes on where the last page of this session ended
    load_last,
    find,
    status,
    list,
    remove,
    verify,
    migrate,
    put_unsealed,  ///< a session of version 0 appears
    // What others do to the files.
    delete_index,
    truncate_index,
    scribble_index,
    foreign_line,
    blank_line,
    damaged_line,
    nul_line,
    replayed_line,
    unended_bytes,
    lost_line_end,  ///< the LF of the last line is gone
    cut_last_batch,
    replaced_file,  ///< the same bytes as another file
  };
  enum class Tail : std::uint8_t { any, actual, none, known };

  Kind kind = Kind::load;
  std::uint8_t session = 0;
  std::uint8_t handle = 0;
  std::uint8_t number = 0;
  std::uint8_t other_number = 0;
  std::vector<DraftChoice> drafts;
  Tail tail = Tail::any;
  std::uint8_t operation_id = 0;  ///< 0: none
  bool buffered = false;
  bool along_path = false;
};

std::ostream& operator<<(std::ostream& out, const DraftChoice& draft);
std::ostream& operator<<(std::ostream& out, const Operation& operation);

}  // namespace logwood
