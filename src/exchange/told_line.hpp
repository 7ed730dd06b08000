// What a line of another agent's file says, in our words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace logwood::exchange {

/// A line of a file as it lies there.
struct Line {
  std::string_view text;             ///< without its line break
  std::uint64_t offset = 0;          ///< in the file
  std::uint64_t number = 0;          ///< from 1
  bool has_end = true;               ///< there is a line break
  bool is_oversize = false;          ///< longer than we hold: `text` is how it begins
  std::string_view json = {};        ///< the object in it, of a piece of a document; empty: `text`
  std::string_view other_file = {};  ///< of the same agent, that it comes from; empty: its own
};

/// What a line says is JSON that is known to be valid.
[[nodiscard]] inline std::string_view object_of(const Line& line) {
  return line.json.empty() ? line.text : line.json;
}

/// One line becomes at most one entry of the tree, and marks that follow it.
struct ToldLine {
  enum class Parent : std::uint8_t {
    previous,  ///< what the tree grew by last
    none,      ///< a root
    named,     ///< `parent_id`
  };
  struct Mark {
    std::string type;
    std::string payload;
  };

  std::string type;  ///< of the entry; empty: the line is outside the tree
  std::string id;    ///< as the agent calls it; empty: it has no name
  Parent parent = Parent::previous;
  std::string parent_id;
  std::string timestamp;     ///< in whatever form; empty: it has none
  std::string_view payload;  ///< a piece of the line; empty: `made_payload`
  std::string made_payload;
  std::string origin;   ///< JSON: who said it (MessageOrigin), where the message does not say
  std::string usage;    ///< JSON: what a message used, where it does not say so itself
  std::string results;  ///< payload of an entry that follows: what the tools of this one answered
  std::vector<Mark> marks;
  std::vector<std::string> files;  ///< that hold what was too long for it (SpilledFile)

  bool is_aside = false;     ///< the tree goes on where it was before
  bool begins_turn = false;  ///< a person said something
  bool begins_anew = false;  ///< from here on lines mean the same without those before
  bool is_result = false;    ///< of a tool call of the group
  std::string group;         ///< lines that are one message of a model name it alike
  std::size_t turns_undone = 0;
  bool needs_earlier = false;  ///< what it means depends on lines long before it
  bool is_rewound = false;     ///< the tree goes on before the entry `rewound_to`
  std::string rewound_to;
};

}  // namespace logwood::exchange
