// Sessions that go to another store as they are, and sessions that go for good.
#include <filesystem>
#include <fstream>
#include <thread>

#include "contract/on_every_backend.hpp"
#include "support/sealed_lines.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

std::string all_bytes_below(const std::string& folder) {
  std::string all;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (!file.is_regular_file()) continue;
    std::ifstream stream(file.path(), std::ios::binary);
    all.append(std::istreambuf_iterator<char>(stream), {});
  }
  return all;
}

class Moving : public OnEveryBackend {
 protected:
  // A store in a folder, whatever the other one is.
  Store local(const std::string& name) {
    auto store =
        Store::open(folder_.path() + "/" + name, {.create = StoreOptions::Create::if_missing});
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }

  std::string file_of(const std::string& store, const SessionId& session) {
    std::ifstream stream(folder_.path() + "/" + store + "/sessions/" + session.text + ".jsonl",
                         std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  // With a branch, a long string, an erased entry, and text that few keep as it is.
  SessionId rich_session(Store& store) {
    const SessionId s = store.create({.key = "main:cli:me"})->id;
    EXPECT_TRUE(store.append(s, message("a", "one \\u0000 \\ud800 1e400")));
    EXPECT_TRUE(store.append(s, message("b", "a secret")));
    EXPECT_TRUE(store.append(s, message("c", std::string(100'000, 'x'))));
    EXPECT_TRUE(store.move_head(s, EntryId{"a"}));
    EXPECT_TRUE(store.append(s, std::vector{message("d", "other way"), message("e", "further")}));
    EXPECT_TRUE(store.erase(s, {{"b"}}));
    return s;
  }
};

TEST_P(Moving, ACopyHasTheSameBytes) {
  if (GetParam() == BackendKind::memory) GTEST_SKIP() << "memory has no lines";
  Store source = local("source");
  const SessionId s = rich_session(source);
  ASSERT_TRUE(source.flush(s));

  const auto there = source.copy_to(*store_, s);
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_EQ(there->what, CopiedSession::What::copied);
  EXPECT_EQ(there->link, source.verify(s)->link);
  EXPECT_EQ(store_->status(s)->head, EntryId{"e"});
  EXPECT_EQ(store_->load(s)->entries.size(), source.load(s)->entries.size());
  EXPECT_EQ(store_->find(s, {"c"})->text, source.find(s, {"c"})->text);
  ASSERT_TRUE(store_->append(s, message("f", "goes on there")));

  Store back = local("back");
  const auto here = store_->copy_to(back, s);
  ASSERT_TRUE(here) << here.error().message;
  EXPECT_EQ(file_of("back", s).substr(0, file_of("source", s).size()), file_of("source", s));
  EXPECT_TRUE(back.verify(s)->is_sound());
  EXPECT_EQ(back.verify(s)->link, store_->verify(s)->link);
}

TEST_P(Moving, ACopyGoesOnWhereItWas) {
  if (GetParam() == BackendKind::memory) GTEST_SKIP() << "memory has no lines";
  Store source = local("source");
  const SessionId s = rich_session(source);
  ASSERT_TRUE(source.copy_to(*store_, s));
  EXPECT_EQ(source.copy_to(*store_, s)->what, CopiedSession::What::already_there);

  ASSERT_TRUE(source.append(s, message("f", "one more")));
  ASSERT_TRUE(source.erase(s, {{"d"}}));
  const auto extended = source.copy_to(*store_, s);
  ASSERT_TRUE(extended) << extended.error().message;
  EXPECT_EQ(extended->what, CopiedSession::What::extended);
  EXPECT_TRUE(store_->find(s, {"d"})->erased);
  EXPECT_EQ(store_->status(s)->tail, EntryId{"f"});
  ASSERT_TRUE(store_->append(s, message("g", "and another")));
}

TEST_P(Moving, WhatWentAnotherWayIsLeftAlone) {
  if (GetParam() == BackendKind::memory) GTEST_SKIP() << "memory has no lines";
  Store source = local("source");
  const SessionId s = rich_session(source);
  ASSERT_TRUE(source.copy_to(*store_, s));
  ASSERT_TRUE(source.append(s, message("f", "here")));
  ASSERT_TRUE(source.append(s, message("h", "and on")));
  ASSERT_TRUE(store_->append(s, message("g", "there")));
  EXPECT_EQ(code_of(source.copy_to(*store_, s)), ErrorCode::conflict);
  EXPECT_EQ(code_of(store_->copy_to(source, s)), ErrorCode::conflict);
  EXPECT_EQ(store_->status(s)->tail, EntryId{"g"});
  EXPECT_EQ(source.status(s)->tail, EntryId{"h"});
  EXPECT_EQ(code_of(source.copy_to(*store_, {"nobody"})), ErrorCode::not_found);
}

TEST_P(Moving, EverySessionOfAPersonGoes) {
  const SessionId first = make_session("app:web:alice:1");
  const SessionId second = make_session("app:web:alice:2");
  const SessionId other = make_session("app:web:alina");
  ASSERT_TRUE(
      store_->append(first, message("a", "the secret of alice " + std::string(70'000, 'z'))));
  ASSERT_TRUE(store_->append(second, message("a", "the other secret of alice")));
  ASSERT_TRUE(store_->append(other, message("a", "of alina")));
  ASSERT_TRUE(store_->search({.query = "secret"}));
  const auto fork = store_->fork(second, {"a"}, {.key = "app:support:case"});
  ASSERT_TRUE(store_->remove(second));

  const auto erased = store_->erase_subject("app:web:alice:");
  ASSERT_TRUE(erased) << erased.error().message;
  std::vector<std::string> gone;
  for (const auto& session : erased->sessions) gone.push_back(session.id.text);
  EXPECT_THAT(gone, UnorderedElementsAre(first.text, second.text));
  EXPECT_EQ(code_of(store_->status(first)), ErrorCode::not_found);
  EXPECT_EQ(code_of(store_->restore(second)), ErrorCode::not_found);
  EXPECT_THAT(*store_->removed(), IsEmpty());
  EXPECT_EQ(store_->load(other)->entries.size(), 2U);
  EXPECT_EQ(store_->load(fork->id)->entries.size(), 2U);
  EXPECT_EQ(store_->search({.query = "secret"})->count, 1U);  // in the fork
  EXPECT_THAT(all_bytes_below(folder_.path()), Not(HasSubstr("zzzz")));

  EXPECT_THAT(store_->erase_subject("app:web:alice:")->sessions, IsEmpty());
  EXPECT_EQ(code_of(store_->erase_subject("")), ErrorCode::invalid_argument);
}

TEST_P(Moving, ForksWithOtherKeysAreTold) {
  const SessionId session = make_session("app:web:alice");
  ASSERT_TRUE(store_->append(session, message("a", "one")));
  const auto fork = store_->fork(session, {"a"}, {.key = "app:support:case"});
  EXPECT_THAT(store_->erase_subject("app:web:alice")->copies,
              ElementsAre(Copy{CopyKind::session, fork->id.text, false}));
}

TEST_P(Moving, WhatCameLaterStays) {
  const SessionId before = make_session("app:web:alice");
  const std::string then = store_->status(before)->header.created;
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  const SessionId after = make_session("app:web:alice");
  const auto erased = store_->erase_subject("app:web:alice", {.until = then});
  ASSERT_EQ(erased->sessions.size(), 1U);
  EXPECT_EQ(erased->sessions[0].id, before);
  EXPECT_TRUE(store_->status(after));
}

TEST_P(Moving, SessionsAreListedByHowTheirKeysBegin) {
  const std::string long_key = "k:" + std::string(300, 'a');
  const SessionId one = make_session(long_key + "1");
  const SessionId two = make_session(long_key + "2");
  make_session("k;");
  const auto listed = [&](const std::string& prefix) {
    const auto page = store_->list({.key_prefix = prefix});
    std::vector<std::string> found;
    for (const SessionHeader& header : page->sessions) found.push_back(header.id.text);
    return found;
  };
  EXPECT_THAT(listed(long_key), UnorderedElementsAre(one.text, two.text));
  EXPECT_THAT(listed(long_key + "2"), ElementsAre(two.text));
  EXPECT_EQ(listed("k").size(), 3U);
  EXPECT_EQ(listed("k:").size(), 2U);
  EXPECT_THAT(listed("l"), IsEmpty());
}

TEST_P(Moving, WhatAsksForMoreThanWeKnowIsReadAndNotWritten) {
  if (GetParam() == BackendKind::memory) GTEST_SKIP() << "memory has no lines";
  const SessionId s{"later"};
  {
    Store source = local("source");
    SealedLines lines(s.text);
    lines.batch({R"({"id":"later","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z",)"
                 R"("type":"session_header","payload":{"version":1,"requires":["telepathy"]})"});
    lines.batch({message_body("a", "one")});
    std::ofstream(folder_.path() + "/source/sessions/later.jsonl", std::ios::binary)
        << lines.bytes();
    const auto copied = source.copy_to(*store_, s);
    ASSERT_TRUE(copied) << copied.error().message;
  }
  reopen();
  EXPECT_THAT(loaded(s), ElementsAre("a"));
  const auto appended = store_->append(s, message("b", "two"));
  EXPECT_EQ(code_of(appended), ErrorCode::unsupported);
  EXPECT_THAT(appended.error().message, HasSubstr("telepathy"));
  EXPECT_EQ(code_of(store_->erase(s, {{"a"}})), ErrorCode::unsupported);
  EXPECT_THAT(store_->status(s)->read_only, HasSubstr("telepathy"));
  EXPECT_THAT(loaded(s), ElementsAre("a"));
}

LOGWOOD_ON_EVERY_BACKEND(Moving);

}  // namespace
}  // namespace logwood
