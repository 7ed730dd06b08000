#include "support/random_session.hpp"

#include <fmt/format.h>

#include "providers/models.hpp"

namespace logwood {
namespace {

using canonical::Api;
using providers::Target;

class Generator {
 public:
  explicit Generator(std::mt19937_64& random) : random_(random) {}

  RandomSession make() {
    const std::size_t turns = 1 + below(5);
    who_ = &pick(known_targets());
    if (chance(2)) session_.system_prompt = "You are careful. " + mark();
    session_.tools =
        R"([{"name":"read_file","description":"Reads","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}},{"name":"list.files:all","input_schema":{"type":"object"}}])";
    for (std::size_t turn = 0; turn < turns; ++turn) {
      if (chance(3)) who_ = &pick(known_targets());
      if (!chance(12)) put_user();
      const std::size_t steps = below(4);
      for (std::size_t step = 0; step < steps; ++step) {
        put_assistant();
        if (chance(6)) put_system();
        put_results();
        if (chance(10)) who_ = &pick(known_targets());
      }
      if (chance(8)) put_late_results();
    }
    return std::move(session_);
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  template <typename Items>
  const typename Items::value_type& pick(const Items& items) {
    return items[below(items.size())];
  }

  std::string mark() { return fmt::format("MK{}K", ++marks_); }
  std::string words() {
    static const std::vector<std::string> some = {
        "look at this",      "第二行\\n会话",     "it\\u0027s \\\"quoted\\\"",
        "\\ud83d\\ude00 ok", "half \\ud83d pair", "a\\\\b"};
    return fmt::format("{} {}", mark(), pick(some));
  }

  void put(std::string payload, const Target* from) {
    const std::string_view text = session_.kept.emplace_back(std::move(payload));
    const std::string_view entry =
        session_.kept.emplace_back(fmt::format("e{}", session_.messages.size()));
    providers::StoredMessage message{entry, text};
    if (from != nullptr) {
      message.origin = canonical::Origin{from->api, from->provider, {}, from->model, {}};
    }
    session_.messages.push_back(message);
  }

  std::string base64() { return fmt::format("AAAA{}AAAA", mark()); }

  std::string user_part(Api api) {
    switch (api) {
      case Api::openai_chat:
        switch (below(6)) {
          case 0:
            return fmt::format(
                R"({{"type":"image_url","image_url":{{"url":"data:image/png;base64,{}","detail":"high"}}}})",
                base64());
          case 1:
            return fmt::format(
                R"({{"type":"input_audio","input_audio":{{"data":"{}","format":"wav"}}}})",
                base64());
          case 2:
            return fmt::format(
                R"({{"type":"file","file":{{"filename":"a.pdf","file_data":"data:application/pdf;base64,{}"}}}})",
                base64());
          case 3:
            return fmt::format(
                R"({{"type":"image_url","image_url":{{"url":"https://x.example/{}.png"}}}})",
                mark());
          default:
            return fmt::format(R"({{"type":"text","text":"{}"}})", words());
        }
      case Api::openai_responses:
        switch (below(5)) {
          case 0:
            return fmt::format(
                R"({{"type":"input_image","detail":"low","image_url":"data:image/png;base64,{}"}})",
                base64());
          case 1:
            return fmt::format(R"({{"type":"input_file","file_url":"https://x.example/{}.pdf"}})",
                               mark());
          case 2:
            return fmt::format(R"({{"type":"input_image","file_id":"file-{}"}})", mark());
          default:
            return fmt::format(R"({{"type":"input_text","text":"{}"}})", words());
        }
      case Api::gemini:
        switch (below(6)) {
          case 0:
            return fmt::format(R"({{"inlineData":{{"mimeType":"image/bmp","data":"{}"}}}})",
                               base64());
          case 1:
            return fmt::format(R"({{"inlineData":{{"mimeType":"audio/wav","data":"{}"}}}})",
                               base64());
          case 2:
            return fmt::format(R"({{"inlineData":{{"mimeType":"video/mp4","data":"{}"}}}})",
                               base64());
          case 3:
            return fmt::format(
                R"({{"fileData":{{"mimeType":"application/pdf","fileUri":"gs://b/{}"}}}})", mark());
          default:
            return fmt::format(R"({{"text":"{}"}})", words());
        }
      default:
        switch (below(8)) {
          case 0:
            return fmt::format(
                R"({{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{}"}}}})",
                base64());
          case 1:
            return fmt::format(
                R"({{"type":"document","source":{{"type":"text","media_type":"text/plain","data":"{}"}},"title":"notes","context":"old","citations":{{"enabled":true}}}})",
                words());
          case 2:
            return fmt::format(
                R"({{"type":"document","source":{{"type":"base64","media_type":"application/pdf","data":"{}"}}}})",
                base64());
          case 3:
            return fmt::format(
                R"({{"type":"image","source":{{"type":"file","file_id":"file_{}"}}}})", mark());
          case 4:
            return fmt::format(
                R"({{"type":"text","text":"{}","cache_control":{{"type":"ephemeral"}}}})", words());
          case 5:
            return fmt::format(R"({{"type":"container_upload","file_id":"f{}"}})", mark());
          default:
            return fmt::format(R"({{"type":"text","text":"{}"}})", words());
        }
    }
  }

  std::string list_of(std::size_t count, Api api) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) list += (i == 0 ? "" : ",") + user_part(api);
    return list;
  }

  void put_user() {
    if (chance(2)) return put(fmt::format(R"({{"role":"user","content":"{}"}})", words()), nullptr);
    const std::string parts = list_of(1 + below(3), who_->api);
    if (who_->api == Api::gemini) {
      return put(fmt::format(R"({{"role":"user","parts":[{}]}})", parts), nullptr);
    }
    put(fmt::format(R"({{"role":"user","content":[{}]}})", parts), nullptr);
  }

  void put_system() {
    put(fmt::format(R"({{"role":"{}","content":"{}"}})", chance(2) ? "system" : "developer",
                    words()),
        nullptr);
  }

  struct Call {
    std::string id;
    std::string name;
    Api api;
    bool is_custom = false;
  };

  std::string new_id(Api api) {
    if (api == Api::openai_chat && chance(5)) return "functions.read_file:0";  // again and again
    if (chance(20)) return fmt::format("call|{}|{}", mark(), std::string(60, 'x'));
    ++ids_;
    return api == Api::anthropic_messages ? fmt::format("toolu_{}", ids_)
                                          : fmt::format("call_{}", ids_);
  }

  void put_assistant() {
    calls_.clear();
    switch (who_->api) {
      case Api::openai_chat:
        return put_chat();
      case Api::openai_responses:
        return put_responses();
      case Api::gemini:
        return put_gemini();
      default:
        return put_anthropic();
    }
  }

  Call& add_call() {
    static const std::vector<std::string> names = {"read_file", "list.files:all", "read_file"};
    const std::string name = who_->api == Api::gemini ? pick(names) : std::string("read_file");
    return calls_.emplace_back(Call{new_id(who_->api), name, who_->api});
  }

  void put_anthropic() {
    std::vector<std::string> blocks;
    if (chance(2)) {
      blocks.push_back(
          chance(4) ? fmt::format(R"({{"type":"redacted_thinking","data":"{}"}})", base64())
                    : fmt::format(R"({{"type":"thinking","thinking":"{}","signature":"{}"}})",
                                  words(), base64()));
    }
    if (chance(10)) {
      blocks.push_back(fmt::format(R"({{"type":"compaction","content":"{}"}})", words()));
    }
    if (chance(6)) {
      const std::string id = fmt::format("srv{}", ++ids_);
      blocks.push_back(fmt::format(
          R"({{"type":"server_tool_use","id":"{}","name":"web_search","input":{{"query":"{}"}}}})",
          id, mark()));
      blocks.push_back(fmt::format(
          R"({{"type":"web_search_tool_result","tool_use_id":"{}","content":[{{"type":"web_search_result","title":"{}","url":"https://x.example","encrypted_content":"QQ"}}]}})",
          id, mark()));
    }
    if (chance(12))
      blocks.push_back(fmt::format(R"({{"type":"mcp_tool_listing","note":"{}"}})", mark()));
    if (!chance(4)) {
      blocks.push_back(
          chance(6)
              ? fmt::format(
                    R"({{"type":"text","text":"{}","citations":[{{"type":"char_location","cited_text":"x"}}]}})",
                    words())
              : fmt::format(R"({{"type":"text","text":"{}"}})", words()));
    }
    if (chance(30)) blocks.push_back(R"({"type":"text","text":""})");
    for (std::size_t calls = chance(2) ? 1 + below(3) : 0; calls > 0; --calls) {
      const Call& call = add_call();
      blocks.push_back(
          fmt::format(R"({{"type":"tool_use","id":"{}","name":"{}","input":{{"path":"{}"}}}})",
                      call.id, call.name, mark()));
    }
    put(fmt::format(
            R"({{"type":"message","role":"assistant","model":"{}","content":[{}],"stop_reason":"end_turn"}})",
            who_->model, fmt::join(blocks, ",")),
        who_);
  }

  void put_chat() {
    std::string more;
    const std::size_t calls = chance(2) ? 1 + below(3) : 0;
    if (chance(3)) more += fmt::format(R"(,"reasoning_content":"{}")", words());
    if (chance(8))
      more +=
          fmt::format(R"(,"reasoning_details":[{{"type":"reasoning.text","text":"{}"}}])", words());
    const bool refuses = calls == 0 && chance(8);
    if (refuses) more += fmt::format(R"(,"refusal":"{}")", words());
    std::vector<std::string> list;
    for (std::size_t i = 0; i < calls; ++i) {
      Call& call = add_call();
      call.is_custom = chance(8);
      if (call.is_custom) {
        list.push_back(
            fmt::format(R"({{"id":"{}","type":"custom","custom":{{"name":"{}","input":"{}"}}}})",
                        call.id, call.name, words()));
      } else {
        const std::string arguments = chance(10) ? fmt::format("{{ not json {}", mark())
                                                 : fmt::format(R"({{\"path\": \"{}\"}})", mark());
        list.push_back(fmt::format(
            R"({{"id":"{}","type":"function","function":{{"name":"{}","arguments":"{}"}}}})",
            call.id, call.name, arguments));
      }
    }
    if (!list.empty()) more += fmt::format(R"(,"tool_calls":[{}])", fmt::join(list, ","));
    std::string content = "null";
    if (list.empty() || chance(2)) {
      content = chance(3)
                    ? fmt::format(
                          R"([{{"type":"text","text":"{}"}},{{"type":"refusal","refusal":"{}"}}])",
                          words(), words())
                    : fmt::format(R"("{}")", words());
    }
    put(fmt::format(R"({{"role":"assistant","content":{}{}}})", content, more), who_);
  }

  void put_responses() {
    std::vector<std::string> items;
    if (chance(2)) {
      const std::string encrypted =
          chance(5) ? "" : fmt::format(R"(,"encrypted_content":"{}")", base64());
      items.push_back(fmt::format(
          R"({{"type":"reasoning","id":"rs_{}","summary":[{{"type":"summary_text","text":"{}"}}]{}}})",
          ++ids_, words(), encrypted));
    }
    if (chance(6)) {
      items.push_back(fmt::format(
          R"({{"type":"code_interpreter_call","id":"ci_{}","code":"{}","outputs":[{{"type":"logs","logs":"{}"}}]}})",
          ++ids_, words(), words()));
    }
    if (chance(12)) {
      items.push_back(fmt::format(
          R"({{"type":"compaction","id":"cmp_{}","encrypted_content":"{}"}})", ++ids_, base64()));
    }
    if (chance(12))
      items.push_back(
          fmt::format(R"({{"type":"mcp_list_tools","id":"mcpl_{}","note":"{}"}})", ++ids_, mark()));
    if (!chance(4)) {
      const std::string second =
          chance(4)
              ? fmt::format(R"(,{{"type":"output_text","text":"{}","annotations":[]}})", words())
              : "";
      items.push_back(fmt::format(
          R"({{"type":"message","id":"msg_{}","role":"assistant","status":"completed","phase":"final_answer","content":[{{"type":"output_text","text":"{}","annotations":[{{"type":"url_citation","url":"u"}}]}}{}]}})",
          ++ids_, words(), second));
    }
    for (std::size_t calls = chance(2) ? 1 + below(3) : 0; calls > 0; --calls) {
      Call& call = add_call();
      call.is_custom = chance(8);
      items.push_back(
          call.is_custom
              ? fmt::format(
                    R"({{"type":"custom_tool_call","id":"ctc_{}","call_id":"{}","name":"{}","input":"{}"}})",
                    ++ids_, call.id, call.name, words())
              : fmt::format(
                    R"({{"type":"function_call","id":"fc_{}","call_id":"{}","name":"{}","arguments":"{{\"path\":\"{}\"}}"}})",
                    ++ids_, call.id, call.name, mark()));
    }
    if (chance(2)) {
      for (const std::string& item : items) put(item, who_);
    } else {
      put(fmt::format(R"({{"object":"response","status":"completed","output":[{}]}})",
                      fmt::join(items, ",")),
          who_);
    }
  }

  void put_gemini() {
    std::vector<std::string> parts;
    if (chance(3)) parts.push_back(fmt::format(R"({{"text":"{}","thought":true}})", words()));
    if (chance(6)) {
      parts.push_back(
          fmt::format(R"({{"executableCode":{{"language":"PYTHON","code":"{}"}}}})", words()));
      parts.push_back(fmt::format(
          R"({{"codeExecutionResult":{{"outcome":"OUTCOME_OK","output":"{}"}}}})", words()));
    }
    if (chance(12))
      parts.push_back(
          fmt::format(R"({{"inlineData":{{"mimeType":"image/png","data":"{}"}}}})", base64()));
    if (!chance(4)) parts.push_back(fmt::format(R"({{"text":"{}"}})", words()));
    const bool is_signing = who_->model.starts_with("gemini-3");
    const std::size_t calls = chance(2) ? 1 + below(3) : 0;
    for (std::size_t i = 0; i < calls; ++i) {
      Call& call = add_call();
      const bool has_id = is_signing || chance(2);
      parts.push_back(
          fmt::format(R"({{"functionCall":{{{}"name":"{}","args":{{"path":"{}"}}}}{}}})",
                      has_id ? fmt::format(R"("id":"{}",)", call.id) : "", call.name, mark(),
                      is_signing && i == 0 ? R"(,"thoughtSignature":"QUJDRA==")" : ""));
      if (!has_id) call.id.clear();
    }
    if (parts.empty()) parts.push_back(R"({"text":"","thoughtSignature":"QUJDRA=="})");
    put(fmt::format(R"({{"role":"model","parts":[{}],"finishReason":"STOP"}})",
                    fmt::join(parts, ",")),
        who_);
  }

  void put_result(const Call& call) {
    // An agent that was told to switch may answer in the way of the new provider.
    const Api shape = !call.id.empty() && chance(8) ? pick(known_targets()).api : call.api;
    const bool failed = chance(4);
    const bool shows = chance(4);
    switch (shape) {
      case Api::openai_chat:
        return put(fmt::format(R"({{"role":"tool","tool_call_id":"{}","content":"{}"}})", call.id,
                               chance(10) ? "" : words()),
                   nullptr);
      case Api::openai_responses:
        return put(
            fmt::format(
                R"({{"type":"{}","call_id":"{}","output":{}}})",
                call.is_custom ? "custom_tool_call_output" : "function_call_output", call.id,
                shows
                    ? fmt::format(
                          R"([{{"type":"input_text","text":"{}"}},{{"type":"input_image","image_url":"data:image/png;base64,{}"}}])",
                          words(), base64())
                    : fmt::format(R"("{}")", words())),
            nullptr);
      case Api::gemini:
        return put(
            fmt::format(
                R"({{"role":"user","parts":[{{"functionResponse":{{{}"name":"{}","response":{{"{}":"{}"}}{}}}}}]}})",
                call.id.empty() ? "" : fmt::format(R"("id":"{}",)", call.id), call.name,
                failed ? "error" : "output", words(),
                shows ? fmt::format(
                            R"(,"parts":[{{"inlineData":{{"mimeType":"image/png","data":"{}"}}}}])",
                            base64())
                      : ""),
            nullptr);
      default:
        return put(
            fmt::format(
                R"({{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{}","content":{},"is_error":{}}}{}]}})",
                call.id,
                shows
                    ? fmt::format(
                          R"([{{"type":"text","text":"{}"}},{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{}"}}}}])",
                          words(), base64())
                    : fmt::format(R"("{}")", words()),
                failed, chance(6) ? fmt::format(R"(,{{"type":"text","text":"{}"}})", words()) : ""),
            nullptr);
    }
  }

  void put_results() {
    for (const Call& call : calls_) {
      if (chance(12)) continue;  // it crashed
      if (chance(15)) {
        late_.push_back(call);
        continue;
      }
      put_result(call);
      if (chance(30)) put_result(call);  // and told twice
    }
    if (chance(40)) put_result({"call_of_nobody", "read_file", who_->api});
  }

  void put_late_results() {
    for (const Call& call : late_) put_result(call);
    late_.clear();
  }

  std::mt19937_64& random_;
  RandomSession session_;
  const Target* who_ = nullptr;
  std::vector<Call> calls_;  // of the last message
  std::vector<Call> late_;
  std::size_t marks_ = 0;
  std::size_t ids_ = 0;
};

}  // namespace

canonical::Request RandomSession::read() const {
  providers::StoredSession session;
  session.system_prompt = system_prompt;
  session.tools = tools;
  session.messages = messages;
  return providers::read_session(session);
}

const std::vector<Target>& known_targets() {
  static const std::vector<Target> targets = [] {
    std::vector<Target> all = {
        {Api::anthropic_messages, "anthropic", "", "claude-opus-5-5"},
        {Api::anthropic_messages, "anthropic", "", "claude-sonnet-4-5"},
        {Api::anthropic_messages, "anthropic", "", "claude-2.1"},  // uses no tools
        {Api::openai_chat, "openai", "", "gpt-4.1"},
        {Api::openai_chat, "deepseek", "", "deepseek-v4-pro", providers::Dialect::deepseek},
        {Api::openai_responses, "openai", "", "gpt-5.6-sol"},
        {Api::openai_responses, "openai", "", "gpt-6-luna"},
        {Api::openai_responses, "openai", "", "gpt-4o"},  // does not reason
        {Api::gemini, "google", "", "gemini-3.1-pro-preview"},
        {Api::gemini, "google", "", "gemini-2.5-pro"},
    };
    for (Target& target : all) target.can = providers::Models().of(target.api, target.model);
    return all;
  }();
  return targets;
}

RandomSession random_session(std::mt19937_64& random) { return Generator(random).make(); }

void break_some(canonical::Request& request, std::mt19937_64& random) {
  for (canonical::Message& message : request.messages) {
    if (message.role != canonical::Role::assistant) continue;
    if (random() % 20 == 0) message.has_new_prefix = true;
    if (random() % 8 != 0) continue;
    message.status = canonical::Status::aborted;
    for (canonical::Part& part : message.parts) {
      if (random() % 3 == 0 && !part.native.in_previous) part.is_incomplete = true;
    }
  }
}

namespace {}  // namespace

std::string_view mark_in(std::string_view text) {
  for (std::size_t at = text.find("MK"); at != std::string_view::npos;
       at = text.find("MK", at + 1)) {
    std::size_t end = at + 2;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end > at + 2 && end < text.size() && text[end] == 'K') return text.substr(at, end + 1 - at);
  }
  return {};
}

std::string_view needle_of(const canonical::Part& part) {
  for (const std::string_view text :
       {part.text.inside, part.arguments, part.arguments_text.inside, part.source.data.inside}) {
    if (const auto found = mark_in(text); !found.empty()) return found;
  }
  return part.kind == canonical::PartKind::tool_result ? std::string_view()
                                                       : mark_in(part.native.json);
}

bool says_lost(const providers::Warning& warning) {
  using providers::Code;
  return providers::row_of(warning.code).severity >= providers::Severity::lossy ||
         warning.code == Code::tool_result_duplicate_dropped ||
         warning.code == Code::duplicate_item_dropped;
}

}  // namespace logwood
