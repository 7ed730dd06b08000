// Sessions of Gemini CLI.
#include <utility>

#include "support/random_agent_file.hpp"
#include "support/random_turns.hpp"

namespace logwood {
namespace {

class Gemini {
 public:
  explicit Gemini(std::mt19937_64& random) : maker_(random) {}

  RandomAgentFile lines() {
    file_.path = "/h/.gemini/tmp/p/chats/session-2026-01-31T08-00-0198c3a1.jsonl";
    put(R"({"sessionId":"0198c3a1","projectHash":"00ff","startTime":"2026-01-31T08:00:00.000Z","lastUpdated":"2026-01-31T08:00:00.000Z","kind":"main"})");
    for (std::size_t rounds = 1 + maker_.below(3); rounds > 0; --rounds) {
      for (const Turn& turn : maker_.turns()) put_versions(turn);
      if (maker_.chance(3)) put_notice();
      if (maker_.chance(3)) put_rewind();
      if (maker_.chance(4)) put_compression();
      if (maker_.chance(6)) put_same_again();
    }
    put_versions(maker_.user());
    say(file_, path_);
    return std::move(file_);
  }

  RandomAgentFile document() {
    file_.path = "/h/.gemini/tmp/p/chats/session-2026-01-31T08-00-0198c3a1.json";
    maker_.choose_layout();
    std::vector<std::string> messages;
    for (const Turn& turn : maker_.turns()) {
      messages.push_back(message(turn, Version::last));
      add(file_.said, marks_of(turn));
    }
    file_.bytes = fmt::format(
        R"({{{0}"sessionId": "0198c3a1",{0}"projectHash": "00ff",{0}"startTime": "2026-01-31T08:00:00.000Z",{0}"messages": [{1}]{0}}})",
        maker_.gap(), joined(messages, fmt::format(",{}", maker_.gap())));
    return std::move(file_);
  }

  RandomAgentFile checkpoint() {
    file_.path = "/h/.gemini/tmp/p/checkpoint-before.json";
    maker_.choose_layout();
    std::vector<std::string> contents;
    for (const Turn& turn : maker_.turns()) put_content(turn, contents);
    const std::string list =
        fmt::format("[{}]", joined(contents, fmt::format(",{}", maker_.gap())));
    file_.bytes =
        maker_.chance(3)
            ? list
            : fmt::format(R"({{{0}"history": {1},{0}"authType": "oauth"{0}}})", maker_.gap(), list);
    return std::move(file_);
  }

 private:
  enum class Version { early, last };

  void put(const std::string& line) { file_.bytes += line + "\n"; }
  void put_touch() { put(fmt::format(R"({{"$set":{{"lastUpdated":"{}"}}}})", maker_.time())); }

  static std::vector<std::string> marks_of(const Turn& turn) {
    std::vector<std::string> marks;
    add(marks, turn.thoughts, turn.texts, turn.pictures);
    add_calls(marks, turn);
    add_whole_answers(marks, turn);
    return marks;
  }

  std::string parts(const Turn& turn) {
    std::vector<std::string> list;
    for (const std::string& text : turn.texts) {
      const std::string words = quoted(maker_, text);
      list.push_back(maker_.chance(5) ? words : fmt::format(R"({{"text":{}}})", words));
    }
    for (const std::string& picture : turn.pictures)
      list.push_back(fmt::format(R"({{"inlineData":{{"mimeType":"image/png","data":"{}"}}}})",
                                 base64(picture)));
    return list.size() == 1 && maker_.chance(3) ? list.front()
                                                : fmt::format("[{}]", joined(list, ","));
  }

  // Parts, one part, or a text.
  std::string answer(const Call& call) {
    const std::string words = quoted(maker_, call.answer);
    if (call.picture.empty() && maker_.chance(4)) return words;
    const std::string response = fmt::format(
        R"({{"functionResponse":{{"id":"{}","name":"read_file","response":{{"{}":{}}}}}}})",
        call.id, call.end == Call::End::failed ? "error" : "output", words);
    if (call.picture.empty()) return maker_.chance(4) ? response : fmt::format("[{}]", response);
    return fmt::format(R"([{},{{"inlineData":{{"mimeType":"image/png","data":"{}"}}}}])", response,
                       base64(call.picture));
  }

  std::string tool_call(const Call& call, Version version) {
    const bool has_ended = version == Version::last && call.end != Call::End::open;
    const std::string result = has_ended ? R"(,"result":)" + answer(call) : "";
    return fmt::format(
        R"({{"id":"{}","name":"read_file","args":{{"path":{}}}{},"status":"{}","timestamp":"{}"}})",
        call.id, quoted(maker_, call.asked), result,
        !has_ended ? "executing" : (call.end == Call::End::failed ? "error" : "success"),
        maker_.time());
  }

  std::string message(const Turn& turn, Version version) {
    std::string line = fmt::format(R"({{"id":"{}","timestamp":"{}","type":"{}","content":{})",
                                   turn.id, maker_.time(), turn.is_user ? "user" : "gemini",
                                   turn.texts.empty() ? "\"\"" : parts(turn));
    if (turn.is_user) return line + "}";
    std::vector<std::string> thoughts;
    for (const std::string& thought : turn.thoughts)
      thoughts.push_back(
          fmt::format(R"({{"subject":"Thinking","description":{}}})", quoted(maker_, thought)));
    std::vector<std::string> calls;
    for (const Call& call : turn.calls) calls.push_back(tool_call(call, version));
    line +=
        fmt::format(R"(,"thoughts":[{}],"tokens":{},"model":"gemini-3-pro")", joined(thoughts, ","),
                    version == Version::early ? "null" : R"({"input":15,"output":8,"cached":9})");
    if (!calls.empty()) line += fmt::format(R"(,"toolCalls":[{}])", joined(calls, ","));
    return line + "}";
  }

  // A line for each version of the message.
  void put_versions(const Turn& turn) {
    if (!turn.is_user) {
      for (std::size_t count = maker_.below(3); count > 0; --count) {
        put(message(turn, Version::early));
        if (maker_.chance(2)) put_touch();
      }
    }
    const std::string last = message(turn, Version::last);
    put(last);
    path_.push_back({turn.id, marks_of(turn), last});
  }

  void put_notice() {
    const std::string mark = maker_.mark();
    file_.unsaid.push_back(mark);
    put(fmt::format(R"({{"id":"{}","timestamp":"{}","type":"info","content":{}}})",
                    maker_.name("n"), maker_.time(), quoted(maker_, mark)));
  }

  // One that it does not know takes back everything.
  void put_rewind() {
    const std::size_t kept = maker_.chance(6) ? 0 : maker_.below(path_.size());
    const bool is_known = !path_[kept].is_compaction && kept > 0;
    put(fmt::format(R"({{"$rewindTo":"{}"}})", is_known ? path_[kept].id : "nobody"));
    take_back(file_, path_, is_known ? kept : 0);
  }

  void put_compression() {
    if (path_.empty()) return;
    const Turn summary = maker_.user();
    std::vector<std::string> messages = {message(summary, Version::last)};
    WrittenEntry told{summary.id, summary.texts, "", true};
    add(file_.unsaid, summary.pictures);  // nothing but text is told of it
    const std::size_t kept = maker_.chance(2) ? path_.size() : maker_.below(path_.size());
    for (std::size_t at = kept; at < path_.size(); ++at) {
      if (path_[at].is_compaction) continue;
      if (told.first_kept.empty()) told.first_kept = path_[at].id;
      messages.push_back(path_[at].text);
    }
    put(fmt::format(R"({{"$set":{{"messages":[{}],"lastUpdated":"{}"}}}})", joined(messages, ","),
                    maker_.time()));
    path_.push_back(told);
  }

  // A session that is resumed may be written down once more as it is.
  void put_same_again() {
    std::vector<std::string> messages;
    for (const WrittenEntry& one : path_) {
      if (one.is_compaction) return;
      messages.push_back(one.text);
    }
    if (!messages.empty())
      put(fmt::format(R"({{"$set":{{"messages":[{}]}}}})", joined(messages, ",")));
  }

  void put_content(const Turn& turn, std::vector<std::string>& contents) {
    std::vector<std::string> list;
    for (const std::string& text : turn.texts)
      list.push_back(fmt::format(R"({{"text":{}}})", quoted(maker_, text)));
    for (const std::string& picture : turn.pictures)
      list.push_back(fmt::format(R"({{"inlineData":{{"mimeType":"image/png","data":"{}"}}}})",
                                 base64(picture)));
    std::vector<std::string> answers;
    for (const Call& call : turn.calls) {
      list.push_back(
          fmt::format(R"({{"functionCall":{{"id":"{}","name":"read_file","args":{{"path":{}}}}}}})",
                      call.id, quoted(maker_, call.asked)));
      if (call.end == Call::End::open) continue;
      answers.push_back(fmt::format(
          R"({{"functionResponse":{{"id":"{}","name":"read_file","response":{{"output":{}}}}}}})",
          call.id, quoted(maker_, call.answer)));
    }
    add(file_.said, turn.texts, turn.pictures);
    add_calls(file_.said, turn);
    add_answers(file_.said, turn);
    contents.push_back(fmt::format(R"({{"role":"{}","parts":[{}]}})",
                                   turn.is_user ? "user" : "model", joined(list, ",")));
    if (!answers.empty())
      contents.push_back(fmt::format(R"({{"role":"user","parts":[{}]}})", joined(answers, ",")));
  }

  Maker maker_;
  RandomAgentFile file_;
  WrittenPath path_;
};

}  // namespace

RandomAgentFile random_gemini_lines(std::mt19937_64& random) { return Gemini(random).lines(); }

RandomAgentFile random_gemini_document(std::mt19937_64& random) {
  return Gemini(random).document();
}

RandomAgentFile random_gemini_checkpoint(std::mt19937_64& random) {
  return Gemini(random).checkpoint();
}

}  // namespace logwood
