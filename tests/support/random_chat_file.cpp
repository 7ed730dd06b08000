// Chats in no agent's format.
#include <utility>

#include "base/json_text.hpp"
#include "support/random_agent_file.hpp"
#include "support/random_turns.hpp"

namespace logwood {
namespace {

class Chat {
 public:
  explicit Chat(std::mt19937_64& random) : maker_(random) {}

  RandomAgentFile tree() {
    file_.path = "/tmp/tree.jsonl";
    WrittenPath path;
    const auto put = [&](std::string_view type, const std::string& mark,
                         const std::string& metadata) {
      const std::string id = maker_.name("");
      put_line(
          fmt::format(R"({{"id":"{}","parentId":{},"timestamp":{},"type":"{}","content":{}{}}})",
                      id, path.empty() ? "null" : json_quoted(path.back().id),
                      maker_.milliseconds(), type, quoted(maker_, mark), metadata));
      path.push_back({id, {mark}});
    };
    for (std::size_t rounds = 1 + maker_.below(3); rounds > 0; --rounds) {
      for (const Turn& turn : maker_.turns()) {
        for (const std::string& text : turn.texts)
          put(turn.is_user ? "user" : "assistant", text, R"(,"metadata":{})");
        for (const Call& call : turn.calls) {
          put("tool_call", call.asked,
              fmt::format(
                  R"(,"metadata":{{"toolCallId":"{}","toolName":"read","input":{{"path":"{}"}}}})",
                  call.id, call.asked));
          if (call.end != Call::End::open)
            put("tool_result", call.answer,
                fmt::format(R"(,"metadata":{{"toolCallId":"{}"}})", call.id));
        }
      }
      if (!maker_.chance(3)) continue;
      take_back(file_, path, 1 + maker_.below(path.size()));
    }
    put("user", maker_.mark(), "");
    say(file_, path);
    return std::move(file_);
  }

  RandomAgentFile flat() {
    file_.path = "/tmp/flat.jsonl";
    put_line(
        R"({"type":"session","id":"abc123","key":"main:cli:user","created":"2026-01-31T08:00:00Z"})");
    for (const Turn& turn : maker_.turns()) {
      for (const std::string& text : turn.texts) {
        put_line(fmt::format(R"({{"type":"{}","content":{},"ts":"{}"}})",
                             turn.is_user ? "user" : "assistant", quoted(maker_, text),
                             maker_.time()));
        file_.said.push_back(text);
      }
      for (const Call& call : turn.calls) {
        put_line(fmt::format(
            R"({{"type":"tool_use","name":"read_file","tool_use_id":"{}","input":{{"path":{}}},"ts":"{}"}})",
            call.id, quoted(maker_, call.asked), maker_.time()));
        file_.said.push_back(call.asked);
        if (call.end == Call::End::open) continue;
        put_line(fmt::format(R"({{"type":"tool_result","tool_use_id":"{}","output":{},"ts":"{}"}})",
                             call.id, quoted(maker_, call.answer), maker_.time()));
        file_.said.push_back(call.answer);
      }
      if (maker_.chance(5)) put_unknown();
    }
    return std::move(file_);
  }

  // Blocks as a text that is JSON.
  RandomAgentFile roles() {
    file_.path = "/tmp/roles.jsonl";
    for (const Turn& turn : maker_.turns()) {
      std::vector<std::string> blocks;
      std::vector<std::string> answers;
      put_blocks(turn, blocks, answers);
      const std::string list = fmt::format("[{}]", joined(blocks, ","));
      put_role(turn.is_user ? "user" : "assistant", maker_.chance(2) ? json_quoted(list) : list);
      if (!answers.empty())
        put_role("user", json_quoted(fmt::format("[{}]", joined(answers, ","))));
      if (maker_.chance(5)) put_unknown();
    }
    return std::move(file_);
  }

  // As OpenAI has it.
  RandomAgentFile messages() {
    file_.path = "/tmp/messages.json";
    maker_.choose_layout();
    std::vector<std::string> list;
    if (maker_.chance(2)) {
      const std::string prompt = file_.unsaid.emplace_back(maker_.mark());
      list.push_back(fmt::format(R"({{"role": "{}", "content": {}}})",
                                 maker_.chance(2) ? "system" : "developer",
                                 quoted(maker_, prompt)));
    }
    for (const Turn& turn : maker_.turns()) put_openai(turn, list);
    const std::string all = fmt::format("[{}]", joined(list, fmt::format(",{}", maker_.gap())));
    file_.bytes =
        maker_.chance(3)
            ? all
            : fmt::format(R"({{{0}"model": "gpt-5.1",{0}"messages": {1}{0}}})", maker_.gap(), all);
    return std::move(file_);
  }

 private:
  void put_line(const std::string& line) { file_.bytes += line + "\n"; }

  void put_unknown() {
    const std::string mark = file_.unsaid.emplace_back(maker_.mark());
    put_line(fmt::format(R"({{"type":"note","text":{}}})", quoted(maker_, mark)));
  }

  void put_role(std::string_view role, const std::string& content) {
    put_line(fmt::format(
        R"({{"id":"{}","role":"{}","content":{},"timestamp":"{}","usage":{{"inputTokens":12,"outputTokens":8}}}})",
        maker_.name("r"), role, content, maker_.time()));
  }

  void put_blocks(const Turn& turn, std::vector<std::string>& blocks,
                  std::vector<std::string>& answers) {
    for (const std::string& text : turn.texts)
      blocks.push_back(fmt::format(R"({{"type":"text","text":{}}})", quoted(maker_, text)));
    for (const std::string& picture : turn.pictures)
      blocks.push_back(fmt::format(
          R"({{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{}"}}}})",
          base64(picture)));
    for (const Call& call : turn.calls) {
      blocks.push_back(
          fmt::format(R"({{"type":"tool_use","id":"{}","name":"Bash","input":{{"command":{}}}}})",
                      call.id, quoted(maker_, call.asked)));
      if (call.end == Call::End::open) continue;
      answers.push_back(fmt::format(R"({{"type":"tool_result","tool_use_id":"{}","content":{}}})",
                                    call.id, quoted(maker_, call.answer)));
    }
    add(file_.said, turn.texts, turn.pictures);
    add_calls(file_.said, turn);
    add_answers(file_.said, turn);
  }

  void put_openai(const Turn& turn, std::vector<std::string>& list) {
    if (turn.is_user) {
      std::vector<std::string> parts;
      for (const std::string& text : turn.texts)
        parts.push_back(fmt::format(R"({{"type":"text","text":{}}})", quoted(maker_, text)));
      for (const std::string& picture : turn.pictures)
        parts.push_back(fmt::format(
            R"({{"type":"image_url","image_url":{{"url":"data:image/png;base64,{}"}}}})",
            base64(picture)));
      add(file_.said, turn.texts, turn.pictures);
      list.push_back(fmt::format(R"({{"role": "user", "content": [{}]}})", joined(parts, ",")));
      return;
    }
    std::vector<std::string> calls;
    for (const Call& call : turn.calls)
      calls.push_back(fmt::format(
          R"({{"id":"{}","type":"function","function":{{"name":"lookup","arguments":{}}}}})",
          call.id, json_quoted(fmt::format(R"({{"what":"{}"}})", call.asked))));
    add(file_.said, turn.texts);
    add_calls(file_.said, turn);
    list.push_back(fmt::format(
        R"({{"role": "assistant", "content": {}{}}})",
        turn.texts.empty() ? "null" : quoted(maker_, turn.texts.front()),
        calls.empty() ? "" : fmt::format(R"(, "tool_calls": [{}])", joined(calls, ","))));
    for (const Call& call : turn.calls) {
      if (call.end == Call::End::open) continue;
      file_.said.push_back(call.answer);
      list.push_back(fmt::format(R"({{"role": "tool", "tool_call_id": "{}", "content": {}}})",
                                 call.id, quoted(maker_, call.answer)));
    }
  }

  Maker maker_;
  RandomAgentFile file_;
};

}  // namespace

RandomAgentFile random_chat_tree(std::mt19937_64& random) { return Chat(random).tree(); }

RandomAgentFile random_chat_flat(std::mt19937_64& random) { return Chat(random).flat(); }

RandomAgentFile random_chat_roles(std::mt19937_64& random) { return Chat(random).roles(); }

RandomAgentFile random_chat_messages(std::mt19937_64& random) { return Chat(random).messages(); }

}  // namespace logwood
