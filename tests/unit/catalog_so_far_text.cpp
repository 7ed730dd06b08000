#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalog/so_far_text.hpp"
#include "model/header.hpp"

namespace logwood::catalog {
namespace {

using ::testing::ElementsAre;

TEST(SoFarText, WhatIsWrittenIsReadAgain) {
  SoFar so_far;
  NewSession session{.key = "main:cli:me", .cwd = "/w"};
  const SessionHeader header = header_for(session, {"s"}, "2026-01-01T00:00:00.000Z");
  so_far.header_text = header_body(header) + '}';
  SessionSummary& summary = so_far.summary;
  summary.title = "a \"title\"\n";
  summary.title += '\0';
  summary.cwd = "/elsewhere";
  summary.tags = {"a", "b"};
  summary.expires_at = "2030-01-01T00:00:00.000Z";
  summary.last_active = "2026-01-02T00:00:00.000Z";
  summary.entries = 9;
  summary.user_messages = 2;
  summary.turns = 3;
  summary.branches = 4;
  summary.usage.messages = 5;
  summary.usage.messages_uncounted = 1;
  summary.usage.tokens.input = 0;
  summary.usage.tokens.cache_read = 7;
  summary.usage.tool_calls = 8;
  summary.usage.runs = 2;
  summary.usage.duration = std::chrono::milliseconds(12);
  summary.tools = {{"Bash", 3}, {"读", 1}};
  summary.state = SessionState::unfinished;
  so_far.set_title = "set";
  so_far.first_message = "first";
  so_far.is_damaged = true;
  so_far.has_redactions = true;
  so_far.last_entry = "e";
  so_far.awaits_answer = true;
  so_far.is_copying = true;
  so_far.model = "m";
  so_far.run_id = "r";
  so_far.run_first = "2026-01-01T00:00:00.000Z";
  so_far.run_last = "2026-01-01T00:00:01.000Z";
  so_far.run_duration_ms = 1000;
  so_far.pending = {{"c1", "Bash"}, {"c2", "Read"}};

  const std::string text = so_far_text(so_far);
  const auto read = parse_so_far(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(so_far_text(*read), text);
  EXPECT_EQ(read->summary.header.key, "main:cli:me");
  EXPECT_EQ(read->summary.title, summary.title);
  EXPECT_EQ(read->summary.usage.tokens, summary.usage.tokens);
  EXPECT_EQ(read->summary.usage.duration, summary.usage.duration);
  EXPECT_THAT(read->summary.tools, ElementsAre(ToolUse{"Bash", 3}, ToolUse{"读", 1}));
  EXPECT_EQ(read->pending.at(1).name, "Read");
  EXPECT_EQ(read->summary.state, SessionState::unfinished);
}

TEST(SoFarText, NothingKnownIsReadAgainToo) {
  const std::string text = so_far_text({});
  const auto read = parse_so_far(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(so_far_text(*read), text);
  EXPECT_EQ(read->summary.usage.duration, std::nullopt);
}

TEST(SoFarText, OtherTextIsDamaged) {
  for (const char* text : {"", "{", "[]", "7", "{\"title\":}"}) {
    const auto read = parse_so_far(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::damaged);
  }
}

}  // namespace
}  // namespace logwood::catalog
