// What it costs to convert a request of 10,000 messages, against parsing it with simdjson (DOM) and
// writing its bytes again.
#include <fmt/format.h>
#include <simdjson.h>

#include <string>

#include "measure.hpp"
#include "providers/conversion.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

using canonical::Api;

constexpr std::size_t messages = 10'000;

// Work as agents do it: a question, a call, its result, an answer.
std::string work() {
  std::string body =
      R"({"model":"claude-opus-5-5","max_tokens":4096,"system":"You work on code.","messages":[)";
  const std::string lines(1500, 'x');
  for (std::size_t i = 0; i < messages / 4; ++i) {
    if (i > 0) body += ',';
    body += fmt::format(
        R"({{"role":"user","content":"Look at file {0}, please, and tell me what the function in line {0} does."}},)"
        R"({{"role":"assistant","content":[{{"type":"thinking","thinking":"I should read the file first.","signature":"QUJD{0}"}},)"
        R"({{"type":"text","text":"I will read it."}},{{"type":"tool_use","id":"toolu_{0}","name":"read_file","input":{{"path":"src/file{0}.cpp","lines":[1,{0}]}}}}]}},)"
        R"({{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_{0}","content":"int f() {{\n  return \"{1}\";\n}}\n"}}]}},)"
        R"({{"role":"assistant","content":[{{"type":"text","text":"It returns a string of many characters. \u00fc \n Anything else?"}}]}})",
        i, lines);
  }
  return body + "]}";
}

std::string converted(const std::string& body, const canonical::Origin& from,
                      const providers::Target& to) {
  return providers::write_request(must(providers::read_request(body, from)), to).body;
}

}  // namespace

int main() {
  const canonical::Origin anthropic{
      Api::anthropic_messages, "anthropic", {}, "claude-opus-5-5", {}};
  providers::Target self{Api::anthropic_messages, "anthropic", "", "claude-opus-5-5"};
  const std::string body = work();
  std::printf("%zu messages, %zu bytes\n", messages, body.size());
  Contest contest;
  simdjson::dom::parser parser;
  contest.add("simdjson DOM, and its bytes again", [&] {
    return cpu_seconds_of([&] {
      const std::string written = simdjson::minify(parser.parse(body).value());
      if (written.size() < body.size() / 2) give_up("too short");
    });
  });
  Verdict verdict("requests");
  const providers::Target targets[] = {
      self,
      {Api::openai_chat, "openai", "", "gpt-4.1"},
      {Api::openai_responses, "openai", "", "gpt-5.6-sol"},
      {Api::gemini, "google", "", "gemini-3.1-pro-preview"},
  };
  for (const providers::Target& target : targets) {
    contest.add("for " + target.model, [&] {
      return cpu_seconds_of([&] {
        if (converted(body, anthropic, target).size() < body.size() / 2) give_up("too short");
      });
    });
  }
  for (Rounds rounds(40, 5, 1.0); rounds.next();) contest.run_round();
  contest.print("ms", 1e3);
  for (std::size_t i = 0; i < std::size(targets); ++i) {
    verdict.at_most("a request for " + targets[i].model + " against parsing and writing",
                    contest.ratio(i + 1), 2.0);
  }
  return verdict.finish();
}
