#include <gtest/gtest.h>

#include "model/message.hpp"
#include "model/preview.hpp"
#include "model/usage.hpp"

namespace logwood {
namespace {

TEST(Message, OfAnthropic) {
  const Message asked =
      read_message(R"({"role":"assistant","content":[{"type":"text","text":"I look."},)"
                   R"({"type":"tool_use","id":"tu_1","name":"read","input":{"path":"a"}}],)"
                   R"("usage":{"input_tokens":10,"output_tokens":3,"cache_read_input_tokens":7}})");
  EXPECT_EQ(asked.role, "assistant");
  EXPECT_EQ(asked.text, "I look.");
  ASSERT_EQ(asked.tool_calls.size(), 1U);
  EXPECT_EQ(asked.tool_calls[0].id, "tu_1");
  EXPECT_EQ(asked.tool_calls[0].name, "read");
  EXPECT_EQ(asked.usage, (Usage{10, 3, 7, std::nullopt}));

  const Message answered =
      read_message(R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"tu_1",)"
                   R"("content":"no such file","is_error":true}]})");
  ASSERT_EQ(answered.tool_results.size(), 1U);
  EXPECT_EQ(answered.tool_results[0].call_id, "tu_1");
  EXPECT_TRUE(answered.tool_results[0].failed);
  EXPECT_EQ(answered.usage, Usage{});
}

TEST(Message, OfOpenAiChat) {
  const Message asked = read_message(
      R"({"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",)"
      R"("function":{"name":"ls","arguments":"{}"}}],"usage":{"prompt_tokens":100,)"
      R"("completion_tokens":5,"prompt_tokens_details":{"cached_tokens":80}}})");
  ASSERT_EQ(asked.tool_calls.size(), 1U);
  EXPECT_EQ(asked.tool_calls[0].name, "ls");
  EXPECT_EQ(asked.usage, (Usage{20, 5, 80, std::nullopt}));
  const Message answered = read_message(R"({"role":"tool","tool_call_id":"c1","content":"x"})");
  ASSERT_EQ(answered.tool_results.size(), 1U);
  EXPECT_EQ(answered.tool_results[0].call_id, "c1");
  EXPECT_EQ(answered.text, "x");
}

TEST(Message, OfOpenAiResponses) {
  const Message asked = read_message(R"({"type":"function_call","call_id":"c1","name":"ls"})");
  ASSERT_EQ(asked.tool_calls.size(), 1U);
  EXPECT_EQ(asked.tool_calls[0].id, "c1");
  const Message answered =
      read_message(R"({"type":"function_call_output","call_id":"c1","output":"x"})");
  ASSERT_EQ(answered.tool_results.size(), 1U);
  const Message said = read_message(
      R"({"role":"assistant","content":[{"type":"output_text","text":"done"}],)"
      R"("usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":2}})");
  EXPECT_EQ(said.text, "done");
  EXPECT_EQ(said.usage, (Usage{5, 2, 4, std::nullopt}));
}

TEST(Message, OfGemini) {
  const Message asked = read_message(
      R"({"role":"model","parts":[{"text":"hm","thought":true},{"text":"I look"},{"functionCall":{"name":"ls","args":{}}}],)"
      R"("usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":2,"thoughtsTokenCount":1}})");
  ASSERT_EQ(asked.tool_calls.size(), 1U);
  EXPECT_EQ(asked.tool_calls[0].id, "ls") << "without an id, the name is one";
  EXPECT_EQ(asked.text, "I look") << "a thought is not said";
  EXPECT_EQ(asked.usage, (Usage{8, 3, std::nullopt, std::nullopt}));
  const Message answered = read_message(
      R"({"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"error":"no"}}}]})");
  ASSERT_EQ(answered.tool_results.size(), 1U);
  EXPECT_TRUE(answered.tool_results[0].failed);
}

TEST(Message, OfPi) {
  const Message asked =
      read_message(R"({"role":"assistant","content":[{"type":"toolCall","id":"t","name":"bash"}],)"
                   R"("usage":{"input":1,"output":2,"cacheRead":3,"cacheWrite":4}})");
  ASSERT_EQ(asked.tool_calls.size(), 1U);
  EXPECT_EQ(asked.usage, (Usage{1, 2, 3, 4}));
  const Message answered = read_message(
      R"({"role":"toolResult","toolCallId":"t","isError":true,"content":[{"type":"text","text":"no"}]})");
  ASSERT_EQ(answered.tool_results.size(), 1U);
  EXPECT_TRUE(answered.tool_results[0].failed);
}

TEST(Message, OfAnUnknownShapeIsEmpty) {
  const Message message = read_message(R"({"content":7,"tool_calls":{},"parts":"x","usage":[]})");
  EXPECT_EQ(message.role, "");
  EXPECT_EQ(message.text, "");
  EXPECT_TRUE(message.tool_calls.empty());
  EXPECT_EQ(message.usage, Usage{});
}

TEST(Usage, LeavesUnknownWhatIsNoCount) {
  EXPECT_EQ(read_usage(R"({"input_tokens":-1,"output_tokens":1.5})"), Usage{});
  EXPECT_EQ(read_usage(""), Usage{});
}

TEST(Preview, IsOneLine) {
  EXPECT_EQ(preview("  two\n\n\tlines\x1b[31m ", 50), "two lines [31m");
  EXPECT_EQ(preview("größer als das", 6), "größer…");
  EXPECT_EQ(preview("a b", 2), "a…");
  EXPECT_EQ(preview("a\u2028b\u0085c", 9), "a b c");
  EXPECT_EQ(preview("", 9), "");
}

}  // namespace
}  // namespace logwood
