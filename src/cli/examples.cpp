// Examples of the manual pages. A test holds every command against the table of verbs, so that no
// page shows what the program refuses.
#include <map>

#include "cli/verb.hpp"

namespace logwood::cli {

const std::vector<Example>& examples_of(std::string_view verb) {
  static const std::map<std::string_view, std::vector<Example>> examples{
      {"",
       {{"make a session for this folder", "logwood new --id demo"},
        {"append two messages, which appear together",
         "logwood append demo --user 'fix the flaky test' --assistant 'which one?'"},
        {"see where they stand in its tree", "logwood tree demo"}}},
      {"ls",
       {{"list the five newest sessions of all folders", "logwood ls -a -n 5"},
        {"print the ids of all sessions of a key",
         "logwood ls -a --key main:cli:demo --json | jq -r .id"}}},
      {"search",
       {{"find a header in what was said or printed, however it is written",
         "logwood search retry-after"},
        {"find what a tool printed this week, but not in drafts",
         "logwood search 'tool:bash since:7d \"permission denied\" -draft'"}}},
      {"stats",
       {{"print the tokens of each day", "logwood stats --json | jq 'select(.by==\"day\")'"}}},
      {"set",
       {{"give a session a name and tags", "logwood set demo --title 'flaky test' --tags ci,auth"},
        {"let it be cleaned after a month", "logwood set demo --expires 30d"}}},
      {"clean",
       {{"see which sessions nobody used for three months", "logwood clean --older-than 90d"},
        {"move what has expired to the trash", "logwood clean --expired --yes"}}},
      {"archive", {{"keep an old session in a fraction of the room", "logwood archive demo"}}},
      {"follow", {{"watch a session while an agent works", "logwood follow demo"}}},
      {"export",
       {{"write a session as a document",
         "logwood export demo --format markdown --output demo.md"}}},
      {"import", {{"take a session from another machine", "logwood import demo.jsonl.zst"}}},
      {"doctor", {{"look at the whole store", "logwood doctor"}}},
      {"show",
       {{"read the newest session", "logwood show"},
        {"read the branch that ends at a labelled entry",
         "logwood show demo --tip before-refactoring"},
        {"watch the file itself", "tail -f \"$(logwood show demo --path)\""}}},
      {"tree", {{"draw the newest session", "logwood tree"}}},
      {"status", {{"see whether a tool call never got its result", "logwood status demo"}}},
      {"diff",
       {{"compare the head with the place three steps before it", "logwood diff demo '~3'"}}},
      {"context",
       {{"print the messages that fit into 8,000 tokens as JSON",
         "logwood context demo --max-tokens 8000 --json"}}},
      {"head",
       {{"go back two entries and grow another branch from there", "logwood head demo '~2'"},
        {"restore a labelled state", "logwood head demo before-refactoring"}}},
      {"fork",
       {{"try something in a session of its own", "logwood fork demo '~2' --id experiment"}}},
      {"label",
       {{"name the place where the head is", "logwood label demo before-refactoring"},
        {"take the name away", "logwood label demo before-refactoring --delete"}}},
      {"redact",
       {{"hide the text of the last entry",
         "logwood redact demo '~0' --pointer /payload/content --reason 'personal'"}}},
      {"erase",
       {{"remove the last entry here and in every copy that the store knows",
         "logwood erase demo '~0' --everywhere --receipt erasure.json"},
        {"hold the receipt against the session later", "logwood verify --receipt erasure.json"}}},
      {"rm", {{"move a session to the trash", "logwood rm demo"}}},
      {"verify", {{"check every line and the chain", "logwood verify demo"}}},
      {"migrate", {{"seal a session of version 0", "logwood migrate old"}}},
      {"new",
       {{"make a session with a key; its id is printed", "logwood new --key main:cli:demo"}}},
      {"append",
       {{"append one message", "logwood append demo --user 'fix the flaky test'"},
        {"append the turn of an agent, unless somebody was quicker",
         "agent-turn | logwood append demo --expect-tail 018f"}}},
      {"completion", {{"try it in a running bash", "eval \"$(logwood completion bash)\""}}},
      {"help", {{"explain append", "logwood help append"}}},
  };
  static const std::vector<Example> none;
  const auto found = examples.find(verb);
  return found == examples.end() ? none : found->second;
}

}  // namespace logwood::cli
