// A small agent on logwood, to be read in an hour: what an agent builder has to do, and what the
// library does. Everything that must survive a crash is in the store before the next thing happens.
//
//   chat [--store FOLDER] [--key KEY] [--model API:MODEL] [--yes]
//
// Without a key for any provider, `--model echo` answers by itself. --yes agrees to every command.
#include <editline/readline.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <logwood/store.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "model.hpp"
#include "tools.hpp"

namespace {

using logwood::EntryId;
using logwood::SessionId;

constexpr const char* system_prompt =
    "You are a careful assistant in a terminal. Use the tools when they help, and answer briefly.";

std::optional<std::string> read_line(const char* prompt) {
  if (::isatty(STDIN_FILENO) == 1) {
    char* const line = ::readline(prompt);
    if (line == nullptr) return std::nullopt;
    std::string text = line;
    if (!text.empty()) ::add_history(line);
    std::free(line);
    return text;
  }
  std::string text;
  if (!std::getline(std::cin, text)) return std::nullopt;
  return text;
}

logwood::Result<logwood::ModelRef> model_named(const std::string& name) {
  if (name == "echo") return logwood::ModelRef{"openai-chat", "echo", "echo"};
  return logwood::parse_model(name);
}

// The beginning of what a message says, wherever its API has the words, on one line.
std::string words_of(std::string_view payload, std::size_t longest) {
  std::string words;
  const auto members = nlohmann::json::parse(payload, nullptr, false).flatten();
  for (const auto& [path, value] : members.items()) {
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool is_said = name == "text" || name == "content" || name == "name" || name == "model";
    if (is_said && value.is_string()) words += value.get<std::string>() + " ";
  }
  for (char& c : words) c = static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
  while (longest < words.size() && (words[longest] & '\xc0') == '\x80') --longest;  // whole ones
  return words.substr(0, longest);
}

bool is_answered(const logwood::Context& context) {
  const std::string role = context.messages.empty() ? "" : context.messages.back().role;
  return role == "assistant" || role == "model";
}

class Chat {
 public:
  Chat(logwood::Store store, std::string key, logwood::ModelRef model, bool agrees)
      : store_(std::move(store)), key_(std::move(key)), model_(std::move(model)), agrees_(agrees) {}

  // The newest session of the key, or a new one.
  logwood::Result<> begin() {
    LOGWOOD_TRY(const auto opened, store_.open_by_key({.key = key_}));
    session_ = opened.header.id;
    if (opened.created) return prepare();
    return resume();
  }

  // False when the user leaves.
  logwood::Result<bool> take(const std::string& line) {
    if (line.empty()) return true;
    if (line == "/quit") return false;
    if (line.starts_with('/')) {
      LOGWOOD_CHECK(command(line));
      return true;
    }
    const nlohmann::json message = {{"role", "user"}, {"content", line}};
    LOGWOOD_CHECK(append("message", message.dump()));
    LOGWOOD_CHECK(answer());
    return true;
  }

  logwood::Result<> close() { return store_.close(); }

 private:
  logwood::Result<> append(const std::string& type, const std::string& payload,
                           const std::string& meta = {}) {
    const auto draft = logwood::Draft::of({.type = type, .payload = payload, .meta = meta});
    LOGWOOD_CHECK(store_.append(session_, draft));
    return {};
  }

  // What a new session begins with.
  logwood::Result<> prepare() {
    const nlohmann::json init = {{"systemPrompt", system_prompt},
                                 {"tools", nlohmann::json::parse(tool_definitions)}};
    LOGWOOD_CHECK(append("runtime_init", init.dump()));
    std::printf("New session %s\n", session_.text.c_str());
    return set_model(model_);
  }

  logwood::Result<> set_model(const logwood::ModelRef& model) {
    model_ = model;
    const nlohmann::json change = {
        {"api", model.api}, {"provider", model.provider}, {"model", model.model}};
    return append("model_change", change.dump());
  }

  // After a crash anywhere: the store says what is there and what is missing.
  logwood::Result<> resume() {
    LOGWOOD_TRY(const logwood::Resumed resumed, store_.resume(session_));
    std::printf("Restored: %zu previous turns\n", resumed.report.turns_restored);
    for (const logwood::Problem& problem : resumed.report.problems) {
      std::printf("(%s)\n", logwood::describe(problem).c_str());
    }
    const logwood::Settings& settings = resumed.context.settings;
    if (settings.model.empty()) LOGWOOD_CHECK(prepare());  // it died before it began
    if (!settings.model.empty()) model_ = {settings.api, settings.provider, settings.model};
    const bool is_waiting = !resumed.context.messages.empty() && !is_answered(resumed.context);
    if (!resumed.report.unfinished.empty() || is_waiting) return answer();
    return {};
  }

  // Until the model has said its last word: run what it calls, tell it, ask again.
  logwood::Result<> answer() {
    while (true) {
      LOGWOOD_TRY(const bool called, run_calls());
      LOGWOOD_TRY(const logwood::Resumed now, store_.resume(session_));
      if (is_answered(now.context) && !called) return {};
      LOGWOOD_TRY(const bool is_going_on, ask_model());
      if (!is_going_on) return {};
    }
  }

  // True when there were any. What had begun before a crash may have done its work.
  logwood::Result<bool> run_calls() {
    LOGWOOD_TRY(const logwood::Resumed now, store_.resume(session_));
    for (const logwood::UnfinishedCall& call : now.report.unfinished) {
      const bool had_begun = call.state == logwood::CallState::started;
      std::printf("[%s %s]%s\n", call.name.c_str(), call.arguments.c_str(),
                  had_begun ? " had begun when we stopped" : "");
      ToolResult result{"It was interrupted and not run again; it may have done its work.", true};
      if (!had_begun || agrees("run it again?")) {
        LOGWOOD_CHECK(store_.mark_tool_run(session_, call.call_id, call.name));
        result = run_tool(call.name, call.arguments,
                          [&](const std::string& question) { return agrees(question); });
      }
      LOGWOOD_CHECK(store_.answer(session_, call, {result.text, result.failed}));
    }
    return !now.report.unfinished.empty();
  }

  // False when nobody answered: the question is stored, and asked again with the next line.
  logwood::Result<bool> ask_model() {
    LOGWOOD_TRY(const logwood::Request request, store_.request(session_, {.to = model_}));
    for (const logwood::RequestWarning& warning : request.report.warnings) {
      if (warning.severity == "blocking") std::printf("(%s)\n", warning.text.c_str());
    }
    const Answer answer = ask(model_, request.body, [](std::string_view text) {
      std::fwrite(text.data(), 1, text.size(), stdout);
      std::fflush(stdout);
    });
    std::printf("\n");
    if (!answer.error.empty()) {
      std::printf("(no answer: %s)\n", answer.error.c_str());
      return false;
    }
    const logwood::MessageOrigin origin{model_, request.prefix_hash};
    LOGWOOD_CHECK(append("message", answer.message, origin.to_meta()));
    return true;
  }

  bool agrees(const std::string& question) {
    if (agrees_) return true;
    const auto reply = read_line((question + " [y/N] ").c_str());
    return reply && (*reply == "y" || *reply == "yes");
  }

  logwood::Result<> command(const std::string& line) {
    const std::size_t space = line.find(' ');
    const std::string name = line.substr(0, space);
    const std::string argument = space == std::string::npos ? "" : line.substr(space + 1);
    if (name == "/new") {
      LOGWOOD_TRY(const auto header, store_.create({.key = key_}));
      session_ = header.id;
      return prepare();
    }
    if (name == "/sessions") return print_sessions();
    if (name == "/switch") {
      LOGWOOD_TRY(const auto resumed, store_.switch_session(session_, SessionId{argument}));
      session_ = resumed.header.id;
      return resume();
    }
    if (name == "/history") return print_history();
    if (name == "/branch") {  // what is said next grows there; what was said stays where it is
      LOGWOOD_CHECK(store_.move_head(session_, EntryId{argument}));
      std::printf("Going on from %s\n", argument.c_str());
      return {};
    }
    if (name == "/tree") {
      LOGWOOD_TRY(const auto tree, store_.tree(session_));
      const auto text_of = [&](logwood::Tree::Place place) {
        const EntryId id{std::string(tree.tree.id(place))};
        const auto entry = store_.find(session_, id);
        return id.text + (entry ? " " + words_of(entry->payload(), 60) : "");
      };
      std::printf("%s", logwood::draw(tree.tree, {.text_of = text_of}).c_str());
      return {};
    }
    if (name == "/model" && argument.empty()) {
      std::printf("%s answers; another one: /model anthropic:claude-opus-5-5, or echo\n",
                  logwood::to_text(model_).c_str());
      return {};
    }
    if (name == "/model") {
      LOGWOOD_TRY(const auto model, model_named(argument));
      return set_model(model);
    }
    if (name == "/delete") {
      LOGWOOD_CHECK(store_.remove(session_));
      std::printf("Moved to the trash: logwood rm --undo %s brings it back\n",
                  session_.text.c_str());
      return begin();
    }
    std::printf(
        "/new /sessions /switch ID /history /branch ENTRY /tree /model API:MODEL /delete /quit\n");
    return {};
  }

  logwood::Result<> print_sessions() {
    LOGWOOD_TRY(const auto page, store_.list({.key = key_}));
    for (const logwood::SessionHeader& header : page.sessions) {
      std::printf("%s %s%s\n", header.id.text.c_str(), header.created.c_str(),
                  header.id == session_ ? "  (this one)" : "");
    }
    return {};
  }

  logwood::Result<> print_history() {
    LOGWOOD_TRY(const auto context, store_.context(session_));
    for (const logwood::ContextMessage& message : context.messages) {
      std::printf("%s %s: %s\n", message.entry_id.text.c_str(), message.role.c_str(),
                  words_of(message.payload, 200).c_str());
    }
    return {};
  }

  logwood::Store store_;
  std::string key_;
  logwood::ModelRef model_;
  bool agrees_;
  SessionId session_;
};

int fail(const logwood::Error& error) {
  std::fprintf(stderr, "chat: %s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder = "chat-store";
  std::string key = "chat:terminal:me";
  std::string model = "echo";
  bool agrees = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--yes") agrees = true;
    if (i + 1 == argc) break;
    if (word == "--store") folder = argv[++i];
    if (word == "--key") key = argv[++i];
    if (word == "--model") model = argv[++i];
  }
  auto named = model_named(model);
  if (!named) return fail(named.error());
  auto store = logwood::Store::open(folder, {.create = logwood::StoreOptions::Create::if_missing});
  if (!store) return fail(store.error());
  Chat chat(*std::move(store), key, *named, agrees);
  if (auto begun = chat.begin(); !begun) return fail(begun.error());
  while (const auto line = read_line("> ")) {
    const auto goes_on = chat.take(*line);
    if (!goes_on) {
      std::printf("(%s)\n", goes_on.error().message.c_str());
      continue;
    }
    if (!*goes_on) break;
  }
  if (auto closed = chat.close(); !closed) return fail(closed.error());
  return 0;
}
