// What the tree, the head, the labels and the redactions of one session are, said as plainly as
// possible: a vector of entries and a list of what is hidden. Every question is answered by going
// through all of it. It shares no code with the library (the text of an entry is built from its
// parts, never read), so that the two can be compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "logwood/append.hpp"
#include "logwood/context.hpp"
#include "logwood/erasure.hpp"
#include "logwood/error.hpp"
#include "logwood/redaction.hpp"

namespace logwood::naive {

/// Text as its code points, each in UTF-8: what the ranges of a redaction count.
using CodePoints = std::vector<std::string>;

[[nodiscard]] CodePoints code_points(const std::string& ascii);
[[nodiscard]] std::string joined(const CodePoints& text);
[[nodiscard]] std::string quoted(const CodePoints& text);  ///< as a JSON string

/// A part of an entry's text: a string that a JSON pointer leads to, or what stands between two.
struct TextPart {
  std::string stored;        ///< a string is here with its quotes
  std::string pointer = {};  ///< empty: no string
  CodePoints value = {};     ///< of the string
};

/// A draft by its parts.
struct TreeDraft {
  enum class Kind : std::uint8_t { tree, head_mark, label_mark, redaction };
  enum class ParentAt : std::uint8_t { head, root, entry };

  bool valid = true;  ///< else the store must refuse it, whatever the session is
  Kind kind = Kind::tree;
  std::string type;
  std::optional<std::string> id;
  ParentAt parent_at = ParentAt::head;
  std::string parent;                  ///< with ParentAt::entry
  std::optional<std::string> target;   ///< of a head or label mark
  std::string name;                    ///< of a label
  std::vector<RedactionTarget> hides;  ///< of a redaction
  std::vector<TextPart> members;       ///< what stands between the braces

  [[nodiscard]] std::string text() const;
};

struct TreeEntry {
  enum class Kind : std::uint8_t { header, tree, head_mark, label_mark, redaction };

  Kind kind = Kind::tree;
  std::string id;
  std::optional<std::string> parent;
  std::string type;
  std::string timestamp;
  std::optional<std::string> target;
  std::string name;
  std::vector<TextPart> parts;
  std::string erased_by;       ///< the redaction that accounts for it; empty: it is not erased
  std::string digest;          ///< of the line that was erased; learnt from the store
  bool is_empty_copy = false;  ///< stands in a fork for an entry that was erased before

  [[nodiscard]] std::string stored() const;
};

/// What may be shown of an entry.
struct Shown {
  std::string text;
  bool redacted = false;  ///< all of it, or parts
  bool hidden = false;    ///< all of it
};

struct NaiveLabel {
  std::string entry;
  std::string timestamp;
};

/// What two entries share, and what only the path to each has, root first.
struct NaiveDiff {
  std::optional<std::string> common_ancestor;
  std::vector<std::string> only_left;
  std::vector<std::string> only_right;
};

struct NaiveBranch {
  std::string tip;
  std::size_t length = 0;
  std::string timestamp;
  std::string role;
  CodePoints text;  ///< of the last message on it that shows any
  bool is_head = false;
};

struct NaiveMessage {
  std::string id;
  std::string role;
  std::string payload;
  std::string timestamp;
};

struct NaiveContext {
  std::vector<NaiveMessage> messages;
  std::vector<PassedOver> passed_over;
  std::string model;
};

class NaiveTree {
 public:
  /// A session with nothing but its header, whose text the store has told.
  NaiveTree(const std::string& session_id, const std::string& created,
            const std::string& header_text);

  /// The header, the tree entries and the marks, as appended.
  [[nodiscard]] const std::vector<TreeEntry>& entries() const { return entries_; }
  [[nodiscard]] const TreeEntry* find(const std::string& id) const;
  [[nodiscard]] std::uint64_t seq(const std::string& id) const;  ///< of an entry that is there

  [[nodiscard]] std::optional<std::string> head() const;
  [[nodiscard]] std::optional<std::string> tail() const;

  // The tree, by the ids of tree entries in append order.
  [[nodiscard]] std::vector<std::string> tree_entries() const;
  [[nodiscard]] std::vector<std::string> children(const std::string& id) const;
  [[nodiscard]] std::vector<std::string> roots() const;
  [[nodiscard]] std::vector<std::string> tips() const;
  [[nodiscard]] std::vector<std::string> branch_points() const;
  [[nodiscard]] std::size_t depth(const std::string& id) const;
  [[nodiscard]] std::vector<std::string> path_to(const std::optional<std::string>& id) const;
  [[nodiscard]] NaiveDiff diff(const std::string& left, const std::string& right) const;

  [[nodiscard]] std::map<std::string, NaiveLabel> labels() const;
  [[nodiscard]] Shown shown(const TreeEntry& entry) const;
  [[nodiscard]] std::vector<NaiveBranch> branches() const;  ///< the one appended to last first
  [[nodiscard]] NaiveContext context(const std::optional<std::string>& tip) const;

  /// Why an append of these must be refused; nothing when it must succeed.
  [[nodiscard]] std::optional<ErrorCode> refusal(const std::vector<TreeDraft>& drafts,
                                                 const AppendOptions& options) const;
  /// Carries out an append that is not refused; `ids` names each entry.
  void append(const std::vector<TreeDraft>& drafts, const std::vector<std::string>& ids,
              const std::string& timestamp);

  /// Why erasing these must be refused.
  [[nodiscard]] std::optional<ErrorCode> erasure_refusal(const std::vector<std::string>& ids) const;
  /// Those of them that are here and not erased, in append order.
  [[nodiscard]] std::vector<std::string> unerased(const std::vector<std::string>& ids) const;
  /// Those of them whose content is here: what stands for an erased one has none.
  [[nodiscard]] std::vector<std::string> held(const std::vector<std::string>& ids) const;
  /// Carries out an erasure that the store has told about.
  void erase(const Erasure& erasure, const std::string& reason);

  /// Copies the path to a tree entry into `fork`, which has only its header, and returns what a
  /// redaction at the end of that must hide.
  std::vector<RedactionTarget> fork_into(NaiveTree& fork, const std::string& id) const;

 private:
  [[nodiscard]] std::optional<CodePoints> shown_string(const TreeEntry& entry,
                                                       const std::string& pointer) const;
  [[nodiscard]] std::optional<ErrorCode> reference_refusal(const std::vector<TreeDraft>& drafts,
                                                           std::size_t place,
                                                           const std::string& named,
                                                           bool must_be_in_tree) const;

  std::vector<TreeEntry> entries_;
  std::vector<RedactionTarget> hidden_;
};

/// The JSON of the payload, or of a hidden or erased entry what is left of it.
[[nodiscard]] std::string payload_of(const std::string& entry_text);

/// A string that `pointer` leads to.
[[nodiscard]] TextPart string_part(const std::string& pointer, const std::string& ascii);

inline constexpr std::size_t label_size_max = 200;

[[nodiscard]] TreeDraft head_draft(const std::optional<std::string>& target);
[[nodiscard]] TreeDraft label_draft(const std::string& name,
                                    const std::optional<std::string>& target);
[[nodiscard]] TreeDraft redaction_draft(const std::vector<RedactionTarget>& targets,
                                        const std::string& reason);

}  // namespace logwood::naive
