// Sessions of OpenClaw.
#include <utility>

#include "base/json_text.hpp"
#include "support/random_agent_file.hpp"
#include "support/random_turns.hpp"

namespace logwood {
namespace {

class Openclaw {
 public:
  explicit Openclaw(std::mt19937_64& random) : maker_(random) {}

  RandomAgentFile lines() {
    file_.path = "/h/.openclaw/agents/main/sessions/0b9d2f10.jsonl";
    file_.bytes =
        R"({"type":"session","version":3,"id":"0b9d2f10","timestamp":"2026-01-31T08:00:00.000Z","cwd":"/p"})"
        "\n";
    put_entry("custom", R"("customType":"model-snapshot","data":{"modelId":"m"})", {});
    for (std::size_t rounds = 1 + maker_.below(3); rounds > 0; --rounds) {
      for (const Turn& turn : maker_.turns()) put(turn);
      if (maker_.chance(4)) put_aside();
      if (maker_.chance(4)) put_compaction();
      if (maker_.chance(3)) put_leaf();
    }
    put(maker_.user());
    say(file_, path_);
    return std::move(file_);
  }

 private:
  std::string line(std::string_view type, const std::string& id, const std::string& members) {
    const std::string parent = path_.empty() ? "null" : json_quoted(path_.back().id);
    return fmt::format(R"({{"type":"{}","id":"{}","parentId":{},"timestamp":"{}",{}}})", type, id,
                       parent, maker_.time(), members) +
           "\n";
  }

  void put_entry(std::string_view type, const std::string& members,
                 std::vector<std::string> marks) {
    const std::string id = maker_.name("e");
    file_.bytes += line(type, id, members);
    path_.push_back({id, std::move(marks)});
  }

  static std::string picture_part(const std::string& picture) {
    return fmt::format(R"({{"type":"image","data":"{}","mimeType":"image/png"}})", base64(picture));
  }

  void put(const Turn& turn) {
    std::vector<std::string> content;
    std::vector<std::string> marks;
    for (const std::string& thought : turn.thoughts)
      content.push_back(
          fmt::format(R"({{"type":"thinking","thinking":{}}})", quoted(maker_, thought)));
    for (const std::string& text : turn.texts)
      content.push_back(fmt::format(R"({{"type":"text","text":{}}})", quoted(maker_, text)));
    for (const std::string& picture : turn.pictures) content.push_back(picture_part(picture));
    for (const Call& call : turn.calls)
      content.push_back(
          fmt::format(R"({{"type":"toolCall","id":"{}","name":"read","arguments":{{"path":{}}}}})",
                      call.id, quoted(maker_, call.asked)));
    add(marks, turn.thoughts, turn.texts, turn.pictures);
    add_calls(marks, turn);
    put_entry(
        "message",
        fmt::format(
            R"("message":{{"role":"{}","content":[{}]{}}})", turn.is_user ? "user" : "assistant",
            joined(content, ","),
            turn.is_user
                ? ""
                : R"(,"api":"anthropic-messages","provider":"anthropic","model":"claude-sonnet-4-5")"),
        std::move(marks));
    for (const Call& call : turn.calls) {
      if (call.end == Call::End::open) continue;
      std::vector<std::string> said = {call.answer};
      std::string answer =
          fmt::format(R"({{"type":"text","text":{}}})", quoted(maker_, call.answer));
      if (!call.picture.empty()) {
        said.push_back(call.picture);
        answer += "," + picture_part(call.picture);
      }
      put_entry(
          "message",
          fmt::format(
              R"("message":{{"role":"toolResult","toolCallId":"{}","toolName":"read","content":[{}],"isError":{}}})",
              call.id, answer, call.end == Call::End::failed),
          std::move(said));
    }
  }

  // The path goes on where it was before.
  void put_aside() {
    const std::string mark = maker_.mark();
    file_.taken_back.push_back(mark);
    file_.bytes +=
        line("message", maker_.name("e"),
             fmt::format(R"("appendMode":"side","message":{{"role":"user","content":{}}})",
                         quoted(maker_, mark)));
  }

  void put_compaction() {
    const std::string& kept = path_[maker_.below(path_.size())].id;
    const std::string mark = maker_.mark();
    const WrittenEntry told{maker_.name("e"), {mark}, "", true, kept};
    file_.bytes += line("compaction", told.id,
                        fmt::format(R"("summary":{},"firstKeptEntryId":"{}","tokensBefore":41000)",
                                    quoted(maker_, mark), kept));
    path_.push_back(told);
  }

  // Somebody went back.
  void put_leaf() {
    const std::size_t target = maker_.below(path_.size());
    file_.bytes +=
        line("leaf", maker_.name("e"), fmt::format(R"("targetId":"{}")", path_[target].id));
    take_back(file_, path_, target + 1);
  }

  Maker maker_;
  RandomAgentFile file_;
  WrittenPath path_;
};

}  // namespace

RandomAgentFile random_openclaw_lines(std::mt19937_64& random) { return Openclaw(random).lines(); }

}  // namespace logwood
