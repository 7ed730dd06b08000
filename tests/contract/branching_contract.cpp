// Trees, heads, labels, forks and families: the same on every backend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "contract/on_every_backend.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Branching : public OnEveryBackend {
 protected:
  // 1 ── 2 ── 3, and the head at 3.
  SessionId make_line() {
    const SessionId session = make_session();
    for (const char* id : {"1", "2", "3"}) {
      EXPECT_TRUE(store_->append(session, message(id, "text of " + std::string(id))));
    }
    return session;
  }

  std::vector<std::string> path(const SessionId& session) {
    auto page = store_->load_last(session, 100, Along::path);
    EXPECT_TRUE(page);
    std::vector<std::string> found = ids(page->entries);
    std::reverse(found.begin(), found.end());
    return found;
  }
};

TEST_P(Branching, ShowsTheTreeAndItsBranches) {
  const SessionId session = make_session();
  const auto say = [&](const std::string& id, const std::string& role, const std::string& text,
                       const Parent& parent = Parent::head()) {
    ASSERT_TRUE(store_->append(
        session, Draft::of({.type = "message",
                            .payload = R"({"role":")" + role + R"(","content":")" + text + "\"}",
                            .id = EntryId{id},
                            .parent = parent})));
  };
  say("1", "user", "Hello, how are you?");
  say("2", "assistant", "I am doing well, thank you!");
  say("3", "user", "Can you help me with a task?");
  say("4", "assistant", "Of course! What do you need?");
  say("5", "user", "Tell me a joke instead", Parent::of({"2"}));
  say("6", "assistant", "Why did the chicken cross the road?");

  const auto tree = store_->tree(session);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->head, EntryId{"6"});
  EXPECT_THAT(tree->problems, IsEmpty());
  TreeDrawing drawing;
  drawing.text_of = [&](Tree::Place place) {
    const auto entry = store_->find(session, {std::string(tree->tree.id(place))});
    const std::string payload(entry->payload());
    const auto between = [&](const std::string& before) {
      const std::size_t from = payload.find(before) + before.size();
      return payload.substr(from, payload.find('"', from) - from);
    };
    return "[" + between(R"("role":")") + "] " + between(R"("content":")");
  };
  EXPECT_EQ(draw(tree->tree, drawing),
            "└── [user] Hello, how are you?\n"
            "    └── [assistant] I am doing well, thank you!\n"
            "        ├── [user] Can you help me with a task?\n"
            "        │   └── [assistant] Of course! What do you need?\n"
            "        └── [user] Tell me a joke instead\n"
            "            └── [assistant] Why did the chicken cross the road?\n");

  const auto branches = store_->branches(session);
  ASSERT_TRUE(branches);
  ASSERT_EQ(branches->size(), 2U);
  EXPECT_EQ((*branches)[0].preview, "Why did the chicken cross the road?");
  EXPECT_EQ((*branches)[0].length, 4U);
  EXPECT_TRUE((*branches)[0].is_head);
  EXPECT_EQ((*branches)[1].tip, EntryId{"4"});
  EXPECT_EQ((*branches)[1].preview, "Of course! What do you need?");
  EXPECT_EQ((*branches)[1].role, "assistant");
  EXPECT_EQ((*branches)[1].length, 4U);
  EXPECT_FALSE((*branches)[1].is_head);
  EXPECT_FALSE((*branches)[1].timestamp.empty());
}

TEST_P(Branching, AHeadThatMovedIsWhereTheNextEntryGrows) {
  const SessionId session = make_line();
  ASSERT_TRUE(store_->move_head(session, EntryId{"1"}));
  reopen();
  EXPECT_EQ(store_->status(session)->head, EntryId{"1"});
  EXPECT_THAT(path(session), ElementsAre("1"));
  ASSERT_TRUE(store_->append(session, message("4", "other")));
  EXPECT_THAT(path(session), ElementsAre("1", "4"));

  ASSERT_TRUE(store_->move_head(session, std::nullopt));
  reopen();
  EXPECT_EQ(store_->status(session)->head, std::nullopt);
  EXPECT_THAT(path(session), IsEmpty());
  ASSERT_TRUE(store_->append(session, message("5", "a new beginning")));
  EXPECT_THAT(path(session), ElementsAre("5"));
  EXPECT_EQ(store_->tree(session)->tree.roots().size(), 2U);
}

TEST_P(Branching, AHeadMovesOnlyFromWhereItIsExpected) {
  const SessionId session = make_line();
  const auto from = [](const char* id) {
    AppendOptions options;
    options.expected_head = ExpectedHead{EntryId{id}};
    return options;
  };
  auto refused = store_->move_head(session, EntryId{"1"}, from("2"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("the head is entry 3, you expected entry 2"));
  EXPECT_EQ(refused.error().actual_tail, "3");
  EXPECT_TRUE(store_->move_head(session, EntryId{"1"}, from("3")));
  EXPECT_EQ(code_of(store_->append(session, message("x", "y"), from("3"))), ErrorCode::conflict);
  EXPECT_TRUE(store_->append(session, message("x", "y"), from("1")));

  AppendOptions nowhere;
  nowhere.expected_head = ExpectedHead{};
  EXPECT_EQ(code_of(store_->move_head(session, EntryId{"1"}, nowhere)), ErrorCode::conflict);
  ASSERT_TRUE(store_->move_head(session, std::nullopt));
  EXPECT_TRUE(store_->move_head(session, EntryId{"1"}, nowhere));
}

TEST_P(Branching, AHeadMovesOnlyToWhatIsInTheTree) {
  const SessionId session = make_line();
  EXPECT_EQ(code_of(store_->move_head(session, EntryId{"9"})), ErrorCode::not_found);
  auto mark = store_->set_label(session, "here", EntryId{"2"});
  ASSERT_TRUE(mark);
  EXPECT_EQ(code_of(store_->move_head(session, mark->last_appended_entry_id)),
            ErrorCode::invalid_argument);
}

TEST_P(Branching, AnOlderParentTakesAnEntryWhileTheTailIsExpected) {
  const SessionId session = make_line();
  const Draft under_one =
      Draft::of({.type = "message", .id = EntryId{"4"}, .parent = Parent::of({"1"})});
  AppendOptions options;
  options.expected_tail = ExpectedTail{EntryId{"2"}};
  EXPECT_EQ(code_of(store_->append(session, under_one, options)), ErrorCode::conflict);
  options.expected_tail = ExpectedTail{EntryId{"3"}};
  EXPECT_TRUE(store_->append(session, under_one, options));
  EXPECT_THAT(path(session), ElementsAre("1", "4"));
}

TEST_P(Branching, ALabelStandsOnOneEntryUntilItIsMovedOrTakenAway) {
  const SessionId session = make_line();
  ASSERT_TRUE(store_->set_label(session, "good", EntryId{"1"}));
  ASSERT_TRUE(store_->set_label(session, "before the \"change\"", EntryId{"2"}));
  ASSERT_TRUE(store_->set_label(session, "good", EntryId{"3"}));
  reopen();
  auto labels = store_->labels(session);
  ASSERT_TRUE(labels);
  ASSERT_EQ(labels->size(), 2U);
  EXPECT_EQ((*labels)[0].name, "before the \"change\"");
  EXPECT_EQ((*labels)[1].entry_id, EntryId{"3"});
  EXPECT_EQ((*labels)[1].timestamp.size(), 24U);

  ASSERT_TRUE(store_->set_label(session, "good", std::nullopt));
  EXPECT_EQ(code_of(store_->find_label(session, "good")), ErrorCode::not_found);
  EXPECT_EQ(store_->find_label(session, "before the \"change\"")->entry_id, EntryId{"2"});
  EXPECT_EQ(store_->status(session)->tail, EntryId{"3"}) << "a label is no tail";
}

TEST_P(Branching, ASnapshotIsALabelAndRestoringItMovesTheHead) {
  const SessionId session = make_line();
  ASSERT_TRUE(store_->set_label(session, "snapshot", EntryId{"2"}));
  ASSERT_TRUE(store_->append(session, message("4", "later")));
  const auto snapshot = store_->find_label(session, "snapshot");
  ASSERT_TRUE(snapshot);
  ASSERT_TRUE(store_->move_head(session, snapshot->entry_id));
  EXPECT_THAT(path(session), ElementsAre("1", "2"));
}

TEST_P(Branching, ALabelNeedsANameAndAnEntry) {
  const SessionId session = make_line();
  EXPECT_EQ(code_of(store_->set_label(session, "", EntryId{"1"})), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->set_label(session, std::string(201, 'x'), EntryId{"1"})),
            ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->set_label(session, "\xff", EntryId{"1"})), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(store_->set_label(session, "x", EntryId{"9"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->append(session, Draft{R"({"type":"label","payload":{"name":7}})"})),
            ErrorCode::invalid_argument);
}

TEST_P(Branching, AForkHasThePathAndNamesWhereItComesFrom) {
  const SessionId session = make_line();
  ASSERT_TRUE(store_->append(
      session, Draft::of({.type = "message", .id = EntryId{"4"}, .parent = Parent::of({"2"})})));
  const auto fork = store_->fork(session, {"3"}, {.id = SessionId{"forked"}, .key = "main"});
  ASSERT_TRUE(fork) << fork.error().message;
  reopen();
  EXPECT_EQ(fork->id, SessionId{"forked"});
  EXPECT_EQ(fork->key, "main");
  EXPECT_EQ(fork->origin, (Origin{"logwood", session.text, "", "", EntryId{"3"}}));
  EXPECT_EQ(store_->status({"forked"})->header, *fork);
  EXPECT_THAT(loaded({"forked"}), ElementsAre("1", "2", "3"));
  EXPECT_EQ(store_->status({"forked"})->head, EntryId{"3"});
  EXPECT_EQ(store_->find({"forked"}, {"2"})->text, store_->find(session, {"2"})->text);
  EXPECT_TRUE(store_->verify({"forked"})->is_sound());

  // Each goes its own way.
  ASSERT_TRUE(store_->append({"forked"}, message("5", "here")));
  EXPECT_THAT(loaded(session), ElementsAre("1", "2", "3", "4"));
  ASSERT_TRUE(store_->remove(session));
  EXPECT_THAT(loaded({"forked"}), ElementsAre("1", "2", "3", "5"));

  ListOptions forks;
  forks.forked_from = session;
  EXPECT_EQ(store_->list(forks)->sessions.size(), 1U);
}

TEST_P(Branching, AForkNeedsAnEntryOfTheTreeAndAFreeId) {
  const SessionId session = make_line();
  EXPECT_EQ(code_of(store_->fork(session, {"9"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->fork({"nothing"}, {"1"})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->fork(session, {session.text})), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->fork(session, {"1"}, {.id = session})), ErrorCode::already_exists);
  EXPECT_EQ(store_->list()->sessions.size(), 1U);
}

TEST_P(Branching, AFamilyIsListedAndRemovedTogether) {
  const SessionId session = make_line();
  const auto child_of = [&](const SessionId& parent, const char* id) {
    return store_->create({.id = SessionId{id}, .parent = ParentSession{parent, EntryId{"1"}}})->id;
  };
  const SessionId child = child_of(session, "child");
  const SessionId other = child_of(session, "other");
  const SessionId grandchild = child_of(child, "grandchild");
  const SessionId stranger = make_session();
  ASSERT_TRUE(store_->fork(session, {"3"}, {.id = SessionId{"fork"}}));

  ListOptions children;
  children.parent = session;
  const auto listed = store_->list(children);
  ASSERT_TRUE(listed);
  ASSERT_EQ(listed->sessions.size(), 2U);
  EXPECT_EQ(listed->sessions[0].parent->entry_id, EntryId{"1"});

  const auto removed = store_->remove_family(session);
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->size(), 4U);
  EXPECT_EQ(removed->back(), session);
  std::vector<std::string> left;
  const auto rest = store_->list();
  for (const SessionHeader& header : rest->sessions) left.push_back(header.id.text);
  EXPECT_THAT(left, ::testing::UnorderedElementsAre(stranger.text, "fork"));
  EXPECT_EQ(code_of(store_->remove_family(session)), ErrorCode::not_found);
}

TEST_P(Branching, AReplayStepsBothWaysAndStopsWhereItIsTold) {
  const SessionId session = make_line();
  ASSERT_TRUE(store_->append(
      session,
      Draft::of({.type = "message",
                 .payload = R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t",)"
                            R"("content":"no","is_error":true}]})",
                 .id = EntryId{"failed"}})));
  ASSERT_TRUE(store_->append(session, Draft::of({.type = "custom", .id = EntryId{"last"}})));
  auto replay = store_->replay(session);
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->length(), 5U);
  EXPECT_EQ(replay->current(), std::nullopt);
  EXPECT_FALSE(*replay->back());
  EXPECT_TRUE(*replay->forward());
  EXPECT_EQ(replay->current()->id, EntryId{"1"});
  EXPECT_TRUE(*replay->forward_to(failed_tool_result()));
  EXPECT_EQ(replay->current()->id, EntryId{"failed"});
  EXPECT_EQ(replay->position(), 4U);
  EXPECT_TRUE(*replay->back());
  EXPECT_EQ(replay->current()->id, EntryId{"3"});
  EXPECT_TRUE(*replay->forward_to(of_type("custom")));
  EXPECT_FALSE(*replay->forward());
  EXPECT_EQ(replay->current()->id, EntryId{"last"});
  EXPECT_TRUE(*replay->back_to(of_type("message")));
  EXPECT_EQ(replay->current()->id, EntryId{"failed"});
  EXPECT_FALSE(*replay->back_to(of_type("custom")));
  EXPECT_EQ(replay->position(), 0U);
  EXPECT_TRUE(*replay->forward_to(not_before("2026-01-01T00:00:00.000Z")));
  EXPECT_FALSE(*replay->forward_to(not_before("9999-01-01T00:00:00.000Z")));

  // From before the failure another way is taken.
  ASSERT_TRUE(*replay->back_to([](const Entry& entry) { return entry.id.text == "3"; }));
  ASSERT_TRUE(store_->move_head(session, replay->current()->id));
  ASSERT_TRUE(store_->append(session, message("better", "text")));
  EXPECT_THAT(path(session), ElementsAre("1", "2", "3", "better"));
  EXPECT_EQ(store_->replay(session, EntryId{"2"})->length(), 2U);
  EXPECT_EQ(code_of(store_->replay(session, EntryId{"9"})), ErrorCode::not_found);
  ASSERT_TRUE(store_->move_head(session, std::nullopt));
  EXPECT_EQ(store_->replay(session)->length(), 0U);
}

LOGWOOD_ON_EVERY_BACKEND(Branching);

}  // namespace
}  // namespace logwood
