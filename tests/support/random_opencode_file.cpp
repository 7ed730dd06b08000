// Sessions of opencode, as it exports them.
#include <utility>

#include "support/random_agent_file.hpp"
#include "support/random_turns.hpp"

namespace logwood {
namespace {

class Opencode {
 public:
  explicit Opencode(std::mt19937_64& random) : maker_(random) {}

  RandomAgentFile exported() {
    file_.path = "/tmp/export.json";
    maker_.choose_layout();
    for (std::size_t rounds = 1 + maker_.below(3); rounds > 0; --rounds) {
      for (const Turn& turn : maker_.turns()) put(turn);
      if (maker_.chance(3)) put_compaction();
    }
    file_.bytes = fmt::format(
        R"({{{0}"info": {{"id": "ses_e23b","directory": "/p","title": "apples","version": "1.18.33","time": {{"created": 1769846400000}}}},{0}"messages": [{0}{1}]{0}}})",
        maker_.gap(), joined(messages_, fmt::format(",{}", maker_.gap())));
    if (maker_.chance(2)) file_.bytes += "\n";
    return std::move(file_);
  }

 private:
  std::string text_part(const std::string& mark, std::string_view more = "") {
    return fmt::format(R"({{"id":"{}","type":"text","text":{}{}}})", maker_.name("prt_"),
                       quoted(maker_, mark), more);
  }

  static std::string file_part(std::string_view mime, const std::string& data) {
    return fmt::format(
        R"({{"type":"file","mime":"{0}","filename":"a","url":"data:{0};base64,{1}"}})", mime,
        base64(data));
  }

  // What nobody said, or its model never sees.
  std::string unsaid_part() {
    const std::string mark = file_.unsaid.emplace_back(maker_.mark());
    switch (maker_.below(4)) {
      case 0:
        return text_part(mark, R"(,"synthetic":true)");
      case 1:
        return text_part(mark, R"(,"ignored":true)");
      case 2:
        return file_part("text/plain", mark);
      default:
        return fmt::format(R"({{"type":"patch","hash":"{}","files":[]}})", mark);
    }
  }

  std::string tool_part(const Call& call) {
    std::string end = maker_.chance(2) ? R"("status":"running")" : R"("status":"pending","raw":"")";
    if (call.end == Call::End::answered) {
      end = fmt::format(R"("status":"completed","output":{},"title":"t")",
                        quoted(maker_, call.answer));
      if (!call.picture.empty())
        end += fmt::format(R"(,"attachments":[{}])", file_part("image/png", call.picture));
    } else if (call.end == Call::End::failed) {
      end = fmt::format(R"("status":"error","error":{})", quoted(maker_, call.answer));
    }
    return fmt::format(
        R"({{"type":"tool","tool":"read","callID":"{}","state":{{"input":{{"path":{}}},{}}}}})",
        call.id, quoted(maker_, call.asked), end);
  }

  void put_message(const std::string& id, std::string_view role, std::string_view more,
                   const std::vector<std::string>& parts) {
    messages_.push_back(fmt::format(
        R"({{{0}"info": {{"id":"{1}","role":"{2}","time":{{"created":{3}}}{4}}},{0}"parts": [{5}]}})",
        maker_.gap(), id, role, maker_.milliseconds(), more, joined(parts, ",")));
  }

  static constexpr std::string_view by_model =
      R"(,"modelID":"mock-1","providerID":"mock","tokens":{"input":40,"output":4,"reasoning":1,"cache":{"read":8,"write":0}})";

  void put(const Turn& turn) {
    std::vector<std::string> parts;
    if (!turn.is_user) parts.push_back(R"({"type":"step-start","snapshot":"49ed"})");
    for (const std::string& thought : turn.thoughts)
      parts.push_back(fmt::format(R"({{"type":"reasoning","text":{}}})", quoted(maker_, thought)));
    for (const std::string& text : turn.texts) parts.push_back(text_part(text));
    for (const std::string& picture : turn.pictures) {
      parts.push_back(file_part(maker_.chance(3) ? "application/pdf" : "image/png", picture));
    }
    for (const Call& call : turn.calls) parts.push_back(tool_part(call));
    if (maker_.chance(3))
      parts.insert(parts.begin() + static_cast<long>(maker_.below(parts.size())), unsaid_part());
    add(file_.said, turn.thoughts, turn.texts, turn.pictures);
    add_calls(file_.said, turn);
    add_whole_answers(file_.said, turn);
    put_message(turn.id, turn.is_user ? "user" : "assistant", turn.is_user ? "" : by_model, parts);
    said_ids_.push_back(turn.id);
  }

  // Asked for in a message of its own; until it is finished it is a message like any other.
  void put_compaction() {
    const bool keeps = maker_.chance(2);
    const std::string& kept = said_ids_[maker_.below(said_ids_.size())];
    put_message(maker_.name("m"), "user", "",
                {fmt::format(R"({{"type":"compaction","auto":true{}}})",
                             keeps ? fmt::format(R"(,"tail_start_id":"{}")", kept) : "")});
    const bool is_finished = !maker_.chance(4);
    const std::string mark = file_.said.emplace_back(maker_.mark());
    put_message(
        maker_.name("m"), "assistant",
        fmt::format(R"({},"summary":true{})", by_model, is_finished ? R"(,"finish":"stop")" : ""),
        {text_part(mark)});
    if (is_finished) file_.first_kept.push_back(keeps ? kept : "");
  }

  Maker maker_;
  RandomAgentFile file_;
  std::vector<std::string> messages_;
  std::vector<std::string> said_ids_;
};

}  // namespace

RandomAgentFile random_opencode_export(std::mt19937_64& random) {
  return Opencode(random).exported();
}

}  // namespace logwood
