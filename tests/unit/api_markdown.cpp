#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "api/markdown.hpp"

namespace logwood::api {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Entry message(const std::string& payload) {
  return *parse_entry(
      R"({"id":"e1","parentId":null,"timestamp":"2026-01-31T08:00:00.000Z","type":"message","payload":)" +
      payload + "}");
}

TEST(Markdown, SaysWhoSaidWhat) {
  EXPECT_EQ(markdown_of(message(R"({"role":"user","content":"fix *it*\n# please"})")),
            "\n## user\n\n2026-01-31T08:00:00.000Z · e1\n\n```text\nfix *it*\n# please\n```\n");
}

TEST(Markdown, FencesTextLongerThanAnyFenceInIt) {
  const std::string text =
      markdown_of(message(R"({"role":"assistant","content":"```sh\nls\n```\n`````\n# Forged"})"));
  EXPECT_THAT(text, HasSubstr("``````text\n```sh\nls\n```\n`````\n# Forged\n``````\n"));
}

TEST(Markdown, HeadingsAreOneLineInWhichNothingMeansAnything) {
  const std::string text =
      markdown_of(message("{\"role\":\"user\\n# Forged\\r<b>`x`\xe2\x80\xae\",\"content\":\"a\"}"));
  EXPECT_THAT(text, HasSubstr("## user \\# Forged \\<b\\>\\`x\\`\n"));
  SessionHeader header;
  header.id = {"s"};
  header.cwd = "/a\n# b";
  EXPECT_THAT(markdown_begin(header, "[x](http://y)"), HasSubstr("# \\[x\\](http://y)\n"));
  EXPECT_THAT(markdown_begin(header, ""), HasSubstr("# s\n"));
  EXPECT_THAT(markdown_begin(header, ""), HasSubstr("- folder: /a \\# b\n"));
}

TEST(Markdown, HasToolCallsAndResultsOfEveryProvider) {
  const std::string anthropic = markdown_of(message(
      R"({"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I look."},{"type":"tool_use","id":"t","name":"read","input":{"path":"a"}}]})"));
  EXPECT_THAT(anthropic, HasSubstr("### Thinking\n\n```text\nhm\n```\n"));
  EXPECT_THAT(anthropic, HasSubstr("### Tool call: read\n\n```json\n{\"path\":\"a\"}\n```\n"));
  const std::string result = markdown_of(message(
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"x\ny"}]}]})"));
  EXPECT_THAT(result, HasSubstr("### Tool result\n\n```text\nx\ny\n```\n"));

  const std::string chat = markdown_of(message(
      R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"ls","arguments":"{\"a\":1}"}}]})"));
  EXPECT_THAT(chat, HasSubstr("### Tool call: ls\n\n```json\n{\"a\":1}\n```\n"));
  EXPECT_THAT(markdown_of(message(R"({"role":"tool","tool_call_id":"c","content":"out"})")),
              HasSubstr("### Tool result\n\n```text\nout\n```\n"));

  EXPECT_THAT(markdown_of(message(
                  R"({"type":"function_call","call_id":"c","name":"ls","arguments":"not json"})")),
              HasSubstr("### Tool call: ls\n\n```text\nnot json\n```\n"));
  EXPECT_THAT(markdown_of(message(R"({"type":"function_call_output","call_id":"c","output":"o"})")),
              HasSubstr("### Tool result\n\n```text\no\n```\n"));

  const std::string gemini = markdown_of(message(
      R"({"role":"model","parts":[{"text":"ok"},{"functionCall":{"name":"ls","args":{"a":1}}},{"functionResponse":{"name":"ls","response":{"output":"x"}}},{"odd":1}]})"));
  EXPECT_THAT(gemini, HasSubstr("### Tool call: ls\n\n```json\n{\"a\":1}\n```\n"));
  EXPECT_THAT(gemini, HasSubstr("### Tool result: ls\n\n```json\n{\"output\":\"x\"}\n```\n"));
  EXPECT_THAT(gemini, HasSubstr("### Other\n\n```json\n{\"odd\":1}\n```\n"));

  EXPECT_THAT(
      markdown_of(message(
          R"({"role":"toolResult","toolCallId":"t","toolName":"read","content":[{"type":"text","text":"x"}]})")),
      HasSubstr("### Tool result: read\n\n```text\nx\n```\n"));
}

TEST(Markdown, TellsOfBytesAndDoesNotHaveThem) {
  const std::string image = markdown_of(message(
      R"({"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJDREVG"}}]})"));
  EXPECT_THAT(image, HasSubstr("(image/png, 6 bytes)\n"));
  EXPECT_THAT(image, Not(HasSubstr("QUJD")));
  const Entry attachment = *parse_entry(
      R"({"id":"a","timestamp":"2026-01-31T08:00:00.000Z","type":"attachment","payload":{"name":"x.png","mime":"image/png","size":3,"data":"QUJD"}})");
  EXPECT_THAT(markdown_of(attachment), HasSubstr("(x.png, image/png, 3 bytes)\n"));
}

TEST(Markdown, OfWhatIsHiddenSaysThat) {
  Entry erased = message("{}");
  erased.erased = true;
  EXPECT_THAT(markdown_of(erased), HasSubstr("(erased)\n"));
  const Entry hidden = *parse_entry(
      R"({"id":"e","timestamp":"2026-01-31T08:00:00.000Z","type":"message","payload":{},"meta":{"redacted":true}})");
  EXPECT_THAT(markdown_of(hidden), HasSubstr("(hidden)\n"));
  const Entry other = *parse_entry(
      R"({"id":"e","timestamp":"2026-01-31T08:00:00.000Z","type":"model_change","payload":{"model":"m"}})");
  EXPECT_THAT(markdown_of(other), HasSubstr("## model\\_change\n"));
  EXPECT_THAT(markdown_of(other), HasSubstr("```json\n{\"model\":\"m\"}\n```\n"));
}

}  // namespace
}  // namespace logwood::api
