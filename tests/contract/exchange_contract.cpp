// Sessions that leave a store and sessions that come: what is exported is imported as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "api/export.hpp"
#include "api/import.hpp"
#include "contract/on_every_backend.hpp"
#include "support/bytes_of.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A secret, put together so that no scanner takes this file for a leak.
const std::string token = "ghp_" + std::string("q7RtZ2mK9xWvB4nLc8YpJ5dHs3GfT6aNoQe1");

class Exchange : public OnEveryBackend {
 protected:
  std::string exported(const SessionId& session, const api::ExportOptions& options = {}) {
    std::string text;
    const auto done =
        api::export_session(*store_, session, options, [&](std::string_view part) -> Result<> {
          text += part;
          return {};
        });
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_FALSE(done && done->refused) << done->secrets.text();
    return text;
  }

  Imported imported(const std::string& file, const ImportOptions& options = {}) {
    const auto done = store_->import_session(bytes_of(file), options);
    EXPECT_TRUE(done) << done.error().message;
    return done ? *done : Imported();
  }

  // Everything that can be in a session.
  SessionId make_rich_session() {
    const SessionId s{"rich"};
    EXPECT_TRUE(store_->create({.id = s, .key = "k:\"x\"", .cwd = "/some/where"}));
    const auto add = [&](const std::string& line) {
      const auto done = store_->append(s, Draft{line});
      EXPECT_TRUE(done) << done.error().message;
    };
    add(R"({"type":"message","id":"a","payload":{"role":"user","content":"one two three"}})");
    add(R"({"type":"message","id":"b","payload":{"role":"assistant","content":"\u0000 -0 1e400"},"meta":{"x":1}})");
    add(R"({"type":"odd","id":"c","runId":"r","payload":{"n":1.0,"n":2},"extra":[1, 2]})");
    add(R"({"type":"message","id":"gone","payload":{"role":"user","content":"erase me"}})");
    add(R"({"type":"message","id":"hidden","payload":{"role":"user","content":"hide me"}})");
    EXPECT_TRUE(store_->set_label(s, "here", EntryId{"b"}));
    EXPECT_TRUE(store_->move_head(s, EntryId{"b"}));
    add(R"({"type":"message","id":"long","payload":{"role":"tool","content":")" +
        std::string(100'000, 'x') + "\"}}");
    add(R"({"type":"session_info","id":"info","payload":{"title":"A title"}})");
    EXPECT_TRUE(store_->redact(s, {{{"hidden"}}}, "why"));
    EXPECT_TRUE(store_->redact(s, {{{"a"}, "/payload/content", {{4, 7}}}}));
    EXPECT_TRUE(store_->erase(s, {{"gone"}}));
    EXPECT_TRUE(store_->mark_tool_run(s, "call", "ls"));
    return s;
  }
};

TEST_P(Exchange, WhatIsExportedIsImportedAsItWasShown) {
  const SessionId rich = make_rich_session();
  const std::string file = exported(rich);
  const auto before = *store_->load(rich);
  const auto labels = *store_->labels(rich);
  const auto head = store_->status(rich)->head;
  EXPECT_THAT(file, Not(HasSubstr("erase me")));
  EXPECT_THAT(file, Not(HasSubstr("hide me")));
  EXPECT_THAT(file, Not(HasSubstr("two")));
  EXPECT_THAT(file, HasSubstr("one [redacted] three"));

  ASSERT_TRUE(store_->remove(rich));
  const Imported done = imported(file);
  EXPECT_FALSE(done.already_there);
  EXPECT_THAT(done.left_out, IsEmpty());
  EXPECT_EQ(done.header.id, rich);
  reopen();

  const auto after = *store_->load(rich);
  ASSERT_EQ(after.entries.size(), before.entries.size());
  EXPECT_THAT(after.problems, IsEmpty());
  for (std::size_t i = 0; i < after.entries.size(); ++i) {
    EXPECT_EQ(after.entries[i].id, before.entries[i].id);
    EXPECT_EQ(after.entries[i].parent_id, before.entries[i].parent_id);
    EXPECT_EQ(after.entries[i].timestamp, before.entries[i].timestamp);
    const std::string& type = after.entries[i].type;
    if (type != "redaction" && after.entries[i].id.text != "gone") {
      EXPECT_EQ(after.entries[i].text, before.entries[i].text);
    }
  }
  EXPECT_EQ(store_->status(rich)->head, head);
  ASSERT_EQ(store_->labels(rich)->size(), labels.size());
  EXPECT_TRUE(store_->verify(rich)->is_sound());
  EXPECT_TRUE(store_->append(rich, message("goes on")));
}

TEST_P(Exchange, ImportingAgainDoesNothing) {
  const SessionId rich = make_rich_session();
  const std::string file = exported(rich);
  EXPECT_TRUE(imported(file).already_there) << "it came from here";
  ASSERT_TRUE(store_->append(rich, message("since then")));
  EXPECT_TRUE(imported(file).already_there) << "it went on here";
  const std::size_t count = store_->load(rich)->entries.size();
  EXPECT_EQ(store_->list()->sessions.size(), 1U);

  const Imported beside = imported(file, {.id = SessionId{"beside"}});
  EXPECT_FALSE(beside.already_there);
  EXPECT_TRUE(imported(file, {.id = SessionId{"beside"}}).already_there);
  const auto header = store_->status({"beside"})->header;
  ASSERT_TRUE(header.origin);
  EXPECT_EQ(header.origin->session_id, "rich");
  EXPECT_EQ(header.key, "k:\"x\"");
  EXPECT_EQ(header.created, store_->status(rich)->header.created);
  EXPECT_EQ(store_->load(rich)->entries.size(), count);
}

TEST_P(Exchange, AnotherSessionWithTheIdIsAConflict) {
  const SessionId rich = make_rich_session();
  std::string file = exported(rich);
  file.replace(file.find("1e400"), 5, "1e401");
  const auto other = store_->import_session(bytes_of(file));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::already_exists);
  EXPECT_THAT(other.error().message, HasSubstr("entry b differs"));
  const auto longer = store_->import_session(bytes_of(
      exported(rich) +
      R"({"id":"new","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":"message","payload":{}})" +
      "\n"));
  ASSERT_FALSE(longer);
  EXPECT_THAT(longer.error().message, HasSubstr("fewer"));
}

TEST_P(Exchange, EntriesThatAppendWouldRefuseAreRefused) {
  const std::string begin =
      R"({"id":"h","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":"session_header","payload":{"version":0,"requires":[]}})"
      "\n"
      R"({"id":"a","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":"message","payload":{}})"
      "\n";
  const std::string time = R"("timestamp":"2026-01-31T08:00:00.000Z")";
  const std::string bad[] = {
      R"({"id":"b","parentId":"nobody",)" + time + R"(,"type":"message","payload":{}})",
      R"({"id":"a","parentId":null,)" + time + R"(,"type":"message","payload":{}})",
      R"({"id":"b","parentId":"b",)" + time + R"(,"type":"message","payload":{}})",
      R"({"id":"b","parentId":null,"type":"message","payload":{}})",
      R"({"id":"b","parentId":null,"timestamp":"yesterday","type":"message","payload":{}})",
      R"({"id":"b","parentId":null,)" + time + R"(,"type":"message","payload":[]})",
      R"({"id":"b","parentId":null,)" + time +
          R"(,"type":"session_header","payload":{"version":1}})",
      R"({"id":"b","parentId":null,)" + time + R"(,"type":"head","payload":{"target":"nobody"}})",
      R"({"id":"b","parentId":null,)" + time + R"(,"type":"label","payload":{}})",
      R"({"id":"b","parentId":null,)" + time +
          R"(,"type":"redaction","payload":{"targets":[{"id":"nobody"}]}})",
      R"({"id":"b","parentId":null,)" + time + R"(,"type":"message","payload":{},"seal":"x"})",
      R"({"id":"../b","parentId":null,)" + time + R"(,"type":"message","payload":{}})",
      R"({"id":"b","parentId":null,)" + time + R"(,"type":"message","payload":)" +
          std::string(200, '[') + std::string(200, ']') + "}",
      "{\"id\":\"b\",\"type\":\"\xff\"}",
      "not json at all",
      std::string(100, '\0'),
  };
  for (const std::string& line : bad) {
    const Imported refused = imported(begin + line + "\n");
    EXPECT_TRUE(refused.refused) << line;
    ASSERT_EQ(refused.left_out_count, 1U) << line;
    EXPECT_EQ(refused.left_out[0].line, 3U) << line;
    EXPECT_EQ(store_->list()->sessions.size(), 0U);
  }
  EXPECT_TRUE(imported(begin + R"({"id":"b")").refused) << "a torn end";

  const Imported partial = imported(begin + bad[1] + "\n" + bad[0] + "\n", {.partial = true});
  EXPECT_FALSE(partial.refused);
  EXPECT_EQ(partial.entries, 2U);
  EXPECT_EQ(partial.left_out_count, 1U);
  EXPECT_THAT(loaded({"h"}), ElementsAre("a", "b")) << "one whose parent is missing is kept";
}

TEST_P(Exchange, WhatIsNoSessionFileIsRefused) {
  const std::string files[] = {
      "",
      "\n",
      "hello\n",
      R"({"id":"a","type":"message","payload":{}})"
      "\n",
      R"({"id":"../x","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":"session_header","payload":{"version":0}})"
      "\n",
      R"({"id":"x","parentId":null,"timestamp":"never","type":"session_header","payload":{"version":0}})"
      "\n",
      R"({"id":"x","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":"session_header","payload":{"version":2}})"
      "\n",
      "\x1f\x8bnot gzip at all",
      std::string(20 << 20, 'x'),
  };
  for (const std::string& file : files) {
    EXPECT_EQ(code_of(store_->import_session(bytes_of(file, 1 << 20))), ErrorCode::invalid_argument)
        << file.substr(0, 100);
  }
  EXPECT_EQ(store_->list()->sessions.size(), 0U);
  EXPECT_EQ(code_of(store_->import_session(bytes_of(files[0]), {.id = SessionId{"../x"}})),
            ErrorCode::invalid_argument);
}

TEST_P(Exchange, SealedFilesAreImportedAndWhatDoesNotHoldIsNamed) {
  if (!has_files()) GTEST_SKIP() << "there are no files";
  const SessionId s = make_session();
  ASSERT_TRUE(store_->append(s, message("a", "one")));
  ASSERT_TRUE(store_->append(s, message("b", "two")));
  ASSERT_TRUE(store_->append(s, message("c", "three")));
  ASSERT_TRUE(store_->erase(s, {{"b"}}));
  std::ifstream stream(folder_.path() + "/store/sessions/" + s.text + ".jsonl", std::ios::binary);
  std::string file{std::istreambuf_iterator<char>(stream), {}};
  ASSERT_TRUE(store_->remove(s));

  const Imported whole = imported(file);
  EXPECT_THAT(whole.left_out, IsEmpty());
  EXPECT_EQ(ids(store_->load(s)->entries).size(), 4U);
  EXPECT_TRUE(store_->verify(s)->is_sound());
  EXPECT_TRUE(imported(file).already_there);

  file.replace(file.find("three"), 5, "THREE");
  const Imported refused = imported(file, {.id = SessionId{"other"}});
  EXPECT_TRUE(refused.refused);
  EXPECT_EQ(refused.left_out[0].line, 4U);
  const Imported partial = imported(file, {.id = SessionId{"other"}, .partial = true});
  EXPECT_EQ(partial.entries, 3U);
  EXPECT_THAT(ids(store_->load({"other"})->entries).size(), 3U);
  EXPECT_TRUE(store_->verify({"other"})->is_sound());
}

TEST_P(Exchange, SuspectedSecretsStopAnExportOrAreReplaced) {
  const SessionId s = make_session();
  ASSERT_TRUE(store_->append(s, message("a", "use " + token)));
  ASSERT_TRUE(store_->append(s, message("b", "nothing")));
  for (const api::ExportFormat format : {api::ExportFormat::jsonl, api::ExportFormat::markdown}) {
    std::string text;
    const auto refused =
        api::export_session(*store_, s, {.format = format}, [&](std::string_view part) -> Result<> {
          text += part;
          return {};
        });
    ASSERT_TRUE(refused);
    EXPECT_TRUE(refused->refused);
    EXPECT_EQ(refused->secrets.text(), "1 possible secret (entry a: github token)");
    EXPECT_EQ(text, "");
    const std::string redacted = exported(s, {.format = format, .secrets = api::Secrets::redact});
    EXPECT_THAT(redacted, HasSubstr("use [redacted]"));
    EXPECT_THAT(redacted, Not(HasSubstr(token)));
    EXPECT_THAT(exported(s, {.format = format, .secrets = api::Secrets::keep}), HasSubstr(token));
  }
  EXPECT_TRUE(imported(exported(s, {.secrets = api::Secrets::redact})).already_there);
}

TEST_P(Exchange, WhatIsRedactedIsNoSecretAnyMore) {
  const SessionId s = make_session();
  ASSERT_TRUE(store_->append(s, message("a", "use " + token)));
  ASSERT_TRUE(store_->redact(s, {{{"a"}, "/payload/content", {{4, 44}}}}));
  EXPECT_THAT(exported(s), HasSubstr("use [redacted]"));
}

TEST_P(Exchange, ADocumentHasThePathOfTheHeadAndATitle) {
  const SessionId rich = make_rich_session();
  const std::string text = exported(rich, {.format = api::ExportFormat::markdown});
  EXPECT_THAT(text, HasSubstr("# A title\n"));
  EXPECT_THAT(text, HasSubstr("one [redacted] three"));
  EXPECT_THAT(text, HasSubstr(std::string(100'000, 'x')));
  EXPECT_THAT(text, Not(HasSubstr("hide me")));
  EXPECT_THAT(text, Not(HasSubstr("· c\n"))) << "it lies on another branch";
}

TEST_P(Exchange, ASessionIsRepairedBesideItself) {
  const SessionId rich = make_rich_session();
  const auto repaired = store_->repair(rich);
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_EQ(repaired->header.id.text, "rich-repaired");
  EXPECT_EQ(repaired->left_out_count, 0U);
  EXPECT_EQ(loaded({"rich-repaired"}), loaded(rich));
  EXPECT_TRUE(store_->repair(rich)->already_there);
  EXPECT_EQ(code_of(store_->repair({"nobody"})), ErrorCode::not_found);
}

TEST_P(Exchange, ASessionWithALongIdIsRepairedOnceToo) {
  const SessionId session{std::string(99, 'a')};
  const SessionId similar{std::string(98, 'a') + 'b'};
  for (const SessionId& id : {session, similar}) {
    ASSERT_TRUE(store_->create({.id = id}));
    ASSERT_TRUE(store_->append(id, message("m", "hello")));
  }
  const auto first = store_->repair(session);
  ASSERT_TRUE(first) << first.error().message;
  const auto second = store_->repair(session);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->header.id, first->header.id);
  EXPECT_TRUE(second->already_there);
  EXPECT_NE(store_->repair(similar)->header.id, first->header.id);
}

TEST_P(Exchange, AnExaminationTellsOfSessionsAndSecrets) {
  const SessionId s = make_session();
  ASSERT_TRUE(store_->append(s, message("a", "use " + token)));
  std::vector<Finding> found;
  ASSERT_TRUE(store_->examine([&](const Finding& finding) { found.push_back(finding); }));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().kind, Finding::Kind::store);
  EXPECT_EQ(found.front().count, 1U);
  EXPECT_EQ(found.back().kind, Finding::Kind::secrets);
  EXPECT_EQ(found.back().name, s.text);
  EXPECT_THAT(found.back().what, Not(HasSubstr(token)));
  EXPECT_TRUE(store_->append(s, message("b", "goes on")));
}

LOGWOOD_ON_EVERY_BACKEND(Exchange);

}  // namespace
}  // namespace logwood
