// What somebody does to the trees, heads, labels and redactions of a store: operations, how
// RapidCheck draws and shows them, and the runner that carries them out on a store and on the
// naive model (support/naive_tree.hpp) and compares the two after every step.
//
// Numbers stand for things ("the third entry that is there"), so that every operation means
// something at any moment and a sequence of them can be shortened anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "support/disagreement.hpp"
#include "support/naive_tree.hpp"

// Support is compiled also where RapidCheck is not installed; only the generator needs it.
#if __has_include(<rapidcheck.h>)
#include <rapidcheck.h>
#endif

namespace logwood {

struct EntryChoice {
  enum class Which : std::uint8_t { tree, mark, elsewhere, missing, header, none };
  Which which = Which::tree;
  std::uint8_t number = 0;  ///< from the newest
};

struct TreeDraftChoice {
  enum class Type : std::uint8_t { message, custom, model_change, head, label, redaction };
  enum class Parent : std::uint8_t { head, root, entry };
  Type type = Type::message;
  Parent parent = Parent::head;
  EntryChoice entry;          ///< the parent, or what a mark is about
  bool earlier = false;       ///< that is an earlier entry of the batch, if there is one
  std::uint32_t content = 0;  ///< how many code points, and which
  bool escaped = false;       ///< they are spelled as escapes
};

struct RangeChoice {
  std::uint8_t first = 0;
  std::uint8_t length = 0;  ///< 0 is refused; the greatest means: to the end
};

struct TargetChoice {
  EntryChoice entry;
  std::uint8_t pointer = 0;
  std::vector<RangeChoice> ranges;
};

struct TreeOperation {
  enum class Kind : std::uint8_t {
    append,        ///< at the head
    append_under,  ///< a given parent
    append_root,
    append_batch,
    move_head,
    set_label,
    redact,
    erase,
    fork,
    context,  ///< of any entry; that of the head is compared after every step
    close_session,
    reopen_store,
  };
  enum class Expected : std::uint8_t { any, actual, none, known };

  Kind kind = Kind::append;
  std::uint8_t session = 0;
  std::uint8_t handle = 0;
  std::uint8_t number = 0;
  std::uint8_t other_number = 0;
  EntryChoice entry;
  Expected tail = Expected::any;
  Expected head = Expected::any;
  std::vector<TreeDraftChoice> drafts;  ///< of a batch; else the first says what is appended
  std::vector<TargetChoice> targets;    ///< what is redacted or erased
  bool everywhere = false;              ///< it is erased in forks too
};

std::ostream& operator<<(std::ostream& out, const EntryChoice& entry);
std::ostream& operator<<(std::ostream& out, const TreeDraftChoice& draft);
std::ostream& operator<<(std::ostream& out, const TargetChoice& target);
std::ostream& operator<<(std::ostream& out, const TreeOperation& operation);

/// A difference is thrown as a Disagreement.
class TreeRunner {
 public:
  /// A store with one session in this new place, a folder or a database, used through two handles
  /// as by two processes; or, with no place, one in memory.
  explicit TreeRunner(std::optional<std::string> place);

  void run(const TreeOperation& operation);

  /// Every session, through every handle and through a fresh one.
  void compare_all();

 private:
  struct Session {
    std::string id;
    naive::NaiveTree tree;
  };
  using Call = std::function<Result<AppendResult>(Store&, const SessionId&, const AppendOptions&)>;

  [[nodiscard]] bool is_shared() const { return place_.has_value(); }
  void open(std::optional<Store>& handle);
  void tick();
  [[nodiscard]] std::string last_drawn() const;
  [[nodiscard]] Session* find(const std::string& id);

  [[nodiscard]] std::string chosen(const EntryChoice& choice, const Session& session) const;
  [[nodiscard]] std::optional<std::string> chosen_or_none(const EntryChoice& choice,
                                                          const Session& session) const;
  [[nodiscard]] naive::TreeDraft drafted(const TreeDraftChoice& choice, const Session& session,
                                         const std::vector<naive::TreeDraft>& earlier) const;
  [[nodiscard]] std::vector<RedactionTarget> targeted(const std::vector<TargetChoice>& choices,
                                                      const Session& session) const;
  [[nodiscard]] AppendOptions expecting(const TreeOperation& operation,
                                        const Session& session) const;

  void append(const TreeOperation& operation, Store& store, Session& session);
  void append_batch(const TreeOperation& operation, Store& store, Session& session);
  void move_head(const TreeOperation& operation, Store& store, Session& session);
  void set_label(const TreeOperation& operation, Store& store, Session& session);
  void redact(const TreeOperation& operation, Store& store, Session& session);
  void append_drafts(const TreeOperation& operation, Store& store, Session& session,
                     const std::vector<naive::TreeDraft>& drafts, const Call& call);
  void erase(const TreeOperation& operation, Store& store, Session& session);
  void take_erasure(const Erasure& erasure, Session& session, const std::vector<std::string>& ids,
                    const std::string& reason);
  void fork(const TreeOperation& operation, Store& store, const Session& session);

  void compare(Store& store, const Session& session, std::size_t number, std::size_t other_number);
  void compare_everything(Store& store, const Session& session);
  void compare_status(Store& store, const Session& session);
  void compare_tree(Store& store, const Session& session, std::size_t number,
                    std::size_t other_number);
  void compare_labels(Store& store, const Session& session, std::size_t number);
  void compare_load(Store& store, const Session& session, View view);
  void compare_pages(Store& store, const Session& session, std::size_t page_size);
  void compare_last(Store& store, const Session& session, std::size_t limit, Along along);
  void compare_found(Store& store, const Session& session, const std::string& id);
  void compare_branches(Store& store, const Session& session);
  void compare_context(Store& store, const Session& session, const std::optional<std::string>& tip);

  std::optional<std::string> place_;
  std::vector<std::optional<Store>> handles_;
  std::vector<Session> sessions_;
  std::vector<Erasure> receipts_;
  std::vector<std::string> drawn_;  // ids that the stores asked for
  std::size_t batched_ = 0;         // drafts with an id so far
  std::int64_t now_ms_ = 1'794'648'600'000;
  std::string now_text_;
};

}  // namespace logwood

#if __has_include(<rapidcheck.h>)

namespace rc {

template <>
struct Arbitrary<logwood::EntryChoice> {
  static Gen<logwood::EntryChoice> arbitrary() {
    using Choice = logwood::EntryChoice;
    const auto which = gen::weightedElement<Choice::Which>({{40, Choice::Which::tree},
                                                            {5, Choice::Which::mark},
                                                            {1, Choice::Which::elsewhere},
                                                            {1, Choice::Which::missing},
                                                            {1, Choice::Which::header},
                                                            {4, Choice::Which::none}});
    return gen::build<Choice>(
        gen::set(&Choice::which, which),
        gen::set(&Choice::number, gen::resize(100, gen::arbitrary<std::uint8_t>())));
  }
};

template <>
struct Arbitrary<logwood::TreeDraftChoice> {
  static Gen<logwood::TreeDraftChoice> arbitrary() {
    using Choice = logwood::TreeDraftChoice;
    const auto type = gen::weightedElement<Choice::Type>({{12, Choice::Type::message},
                                                          {2, Choice::Type::custom},
                                                          {2, Choice::Type::model_change},
                                                          {2, Choice::Type::head},
                                                          {1, Choice::Type::label},
                                                          {2, Choice::Type::redaction}});
    const auto parent = gen::weightedElement<Choice::Parent>(
        {{6, Choice::Parent::head}, {1, Choice::Parent::root}, {3, Choice::Parent::entry}});
    return gen::build<Choice>(
        gen::set(&Choice::type, type), gen::set(&Choice::parent, parent), gen::set(&Choice::entry),
        gen::set(&Choice::earlier),
        gen::set(&Choice::content, gen::resize(100, gen::arbitrary<std::uint32_t>())),
        gen::set(&Choice::escaped));
  }
};

template <>
struct Arbitrary<logwood::RangeChoice> {
  static Gen<logwood::RangeChoice> arbitrary() {
    using Choice = logwood::RangeChoice;
    const auto length =
        gen::weightedElement<std::uint8_t>({{8, 1}, {6, 2}, {4, 3}, {2, 5}, {1, 255}});
    const auto any_length =
        gen::weightedOneOf<std::uint8_t>({{40, length}, {1, gen::just<std::uint8_t>(0)}});
    return gen::build<Choice>(gen::set(&Choice::first, gen::inRange<std::uint8_t>(0, 12)),
                              gen::set(&Choice::length, any_length));
  }
};

template <>
struct Arbitrary<logwood::TargetChoice> {
  static Gen<logwood::TargetChoice> arbitrary() {
    using Choice = logwood::TargetChoice;
    const auto pointer = gen::weightedElement<std::uint8_t>(
        {{6, 0}, {24, 1}, {3, 2}, {3, 3}, {3, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}, {1, 9}, {1, 10}});
    return gen::build<Choice>(
        gen::set(&Choice::entry), gen::set(&Choice::pointer, pointer),
        gen::set(&Choice::ranges,
                 gen::resize(4, gen::arbitrary<std::vector<logwood::RangeChoice>>())));
  }
};

template <>
struct Arbitrary<logwood::TreeOperation> {
  static Gen<logwood::TreeOperation> arbitrary() {
    using logwood::TargetChoice;
    using logwood::TreeDraftChoice;
    using logwood::TreeOperation;
    using Kind = TreeOperation::Kind;
    using Expected = TreeOperation::Expected;
    const auto kind = gen::weightedElement<Kind>({{16, Kind::append},
                                                  {8, Kind::append_under},
                                                  {2, Kind::append_root},
                                                  {6, Kind::append_batch},
                                                  {8, Kind::move_head},
                                                  {6, Kind::set_label},
                                                  {10, Kind::redact},
                                                  {5, Kind::erase},
                                                  {4, Kind::fork},
                                                  {3, Kind::context},
                                                  {2, Kind::close_session},
                                                  {3, Kind::reopen_store}});
    const auto expected = gen::weightedElement<Expected>(
        {{12, Expected::any}, {6, Expected::actual}, {1, Expected::none}, {1, Expected::known}});
    // The first session gets most of what happens, so that it becomes interesting.
    const auto session = gen::weightedElement<std::uint8_t>({{8, 0}, {2, 1}, {1, 2}, {1, 3}});
    const auto number = gen::resize(100, gen::arbitrary<std::uint8_t>());
    const auto drafts = gen::weightedOneOf<std::vector<TreeDraftChoice>>(
        {{20, gen::nonEmpty(gen::resize(4, gen::arbitrary<std::vector<TreeDraftChoice>>()))},
         {1, gen::just(std::vector<TreeDraftChoice>())}});
    const auto targets = gen::weightedOneOf<std::vector<TargetChoice>>(
        {{20, gen::nonEmpty(gen::resize(3, gen::arbitrary<std::vector<TargetChoice>>()))},
         {1, gen::just(std::vector<TargetChoice>())}});
    return gen::build<TreeOperation>(
        gen::set(&TreeOperation::kind, kind), gen::set(&TreeOperation::session, session),
        gen::set(&TreeOperation::handle, gen::inRange<std::uint8_t>(0, 2)),
        gen::set(&TreeOperation::number, number), gen::set(&TreeOperation::other_number, number),
        gen::set(&TreeOperation::entry), gen::set(&TreeOperation::tail, expected),
        gen::set(&TreeOperation::head, expected), gen::set(&TreeOperation::drafts, drafts),
        gen::set(&TreeOperation::targets, targets), gen::set(&TreeOperation::everywhere));
  }
};

}  // namespace rc

namespace logwood {

inline constexpr int tree_operations_max = 25;

/// A sequence of up to tree_operations_max operations.
inline rc::Gen<std::vector<TreeOperation>> tree_operation_sequence() {
  return rc::gen::resize(tree_operations_max, rc::gen::arbitrary<std::vector<TreeOperation>>());
}

inline void showValue(const std::vector<TreeOperation>& operations, std::ostream& out) {
  for (const TreeOperation& operation : operations) out << "\n    " << operation;
}

/// Carries out the operations and compares everything at the end.
inline void run_tree_operations(TreeRunner& runner, const std::vector<TreeOperation>& operations) {
  std::size_t step = 0;
  try {
    for (; step < operations.size(); ++step) runner.run(operations[step]);
    runner.compare_all();
  } catch (const Disagreement& difference) {
    RC_FAIL("after " + std::to_string(step) + " of " + std::to_string(operations.size()) +
            " operations: " + difference.what());
  }
}

}  // namespace logwood

#endif
