// A session in a few words and numbers, built from its entries and continued when more come.
//
// Going on costs what was added, as long as the session only grows at its head. Where it does not
// (a branch, a moved head, a redaction of something earlier) the builder says so, and the session
// is gone through once more from the start: rare, and simpler than keeping its tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "logwood/catalog.hpp"
#include "model/entry_fields.hpp"
#include "model/message.hpp"

namespace logwood::catalog {

/// A tool call on the path of the head that has no result yet.
struct PendingCall {
  std::string id;
  std::string name;
};

/// What was used on one day with one model, or by one tool.
struct Activity {
  std::string entry;  ///< the one entry that this is, of a message that a fork copied; else empty
  std::string day;
  std::string model;
  std::string tool;  ///< then `messages` are its calls
  std::uint64_t user_messages = 0;
  std::uint64_t messages = 0;  ///< of the assistant
  Usage tokens;
};

/// What is known of a session up to some place in it, and what is needed to go on from there.
struct SoFar {
  SessionSummary summary;
  std::string header_text;
  std::string set_title;      ///< by a mark; empty: none
  std::string first_message;  ///< its beginning, which is the title then
  bool is_damaged = false;
  bool has_redactions = false;

  std::string last_entry;  ///< the head, if nothing follows it; the next entry must grow there
  bool awaits_answer = false;
  bool is_copying = false;   ///< within what a fork took over from its source
  std::string model;         ///< in force
  std::string last_message;  ///< id of the assistant's last, by its provider
  std::string run_id;        ///< of the newest entry that has one
  std::string run_first;
  std::string run_last;
  std::uint64_t run_duration_ms = 0;  ///< of the runs before it
  std::vector<PendingCall> pending;
};

class SummaryBuilder {
 public:
  SummaryBuilder() = default;            ///< from the start
  explicit SummaryBuilder(SoFar known);  ///< from where that ended

  /// The text of a committed entry, as it may be shown.
  void take(std::string_view text, const EntryPlace& place);
  /// An entry of which nothing may be shown: it stands in the tree and says nothing.
  void take_hidden(const EntryPlace& place);

  [[nodiscard]] bool has_redactions() const { return so_far_.has_redactions; }

  /// The session did not just grow: begin again from its start.
  [[nodiscard]] bool must_begin_again() const { return must_begin_again_; }

  /// The message whose text would be the title, if that lies beside the session.
  [[nodiscard]] const std::optional<EntryId>& entry_of_title() const { return entry_of_title_; }
  void set_text_of_title(std::string_view text);

  void set_damaged() { so_far_.is_damaged = true; }

  /// Ends the work.
  SoFar finish();

  /// What the entries that were taken used.
  [[nodiscard]] const std::vector<Activity>& activity() const { return activity_; }

 private:
  struct Node {
    std::uint32_t parent = 0;  // its place + 1; 0: none
    bool has_child = false;
    bool begins_turn = false;
    bool is_message = false;
    bool awaits_answer = false;
  };
  struct CallEvent {
    std::uint32_t node = 0;  // its place + 1
    bool is_result = false;
    PendingCall call;
  };

  void take_header(std::string_view text);
  void take_mark(const EntryPlace& place, const EntryFields& fields);
  void take_tree_entry(std::string_view text, const EntryPlace& place, const EntryFields& fields);
  void take_message(std::string_view text, const EntryPlace& place, const EntryFields& fields,
                    Node& node);
  void place_in_tree(const EntryPlace& place, Node& node);
  void count(const EntryPlace& place, const EntryFields& fields, const Message& message);
  Activity& activity_of(std::string_view entry, std::string_view day, std::string_view model,
                        std::string_view tool);
  void look_at_path_of_head();
  void apply(const CallEvent& event);

  SoFar so_far_;
  bool from_start_ = true;
  bool must_begin_again_ = false;
  bool is_branched_ = false;
  std::optional<EntryId> entry_of_title_;
  std::vector<Activity> activity_;

  // Only when it begins at the start.
  std::vector<Node> nodes_;
  std::unordered_map<std::string, std::uint32_t> places_;
  std::vector<CallEvent> events_;
  std::optional<std::string> head_;  // nothing: before the first entry
};

}  // namespace logwood::catalog
