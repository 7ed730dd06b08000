#include <algorithm>
#include <numeric>
#include <string>

#include "cli/verb.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

const Operand session_operand{"SESSION", "which one; without it the newest", Count::at_most_one};

// How many characters have to be changed, added or left out to come from one word to the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t before = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = before + (a[i] == b[j] ? 0 : 1);
      before = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

const std::vector<Option>& options_of_every_verb() {
  static const std::vector<Option> options{
      {"--store", "FOLDER", "the store (else LOGWOOD_STORE, else the place for your data)"},
      {"--json", "", "print one JSON object a line"},
  };
  return options;
}

const std::vector<Verb>& all_verbs() {
  static const std::vector<Verb> verbs{
      {"ls",
       "list sessions of this folder, the newest first",
       {},
       {{"-a,--all", "", "of every folder"},
        {"--key", "KEY", "only those of this key"},
        {"-n,--limit", "COUNT", "at most so many (50)"}},
       "",
       run_ls},
      {"show",
       "read a session: the path of its head",
       {session_operand},
       {{"--tip", "ENTRY", "the path of another entry"},
        {"--raw", "", "the entries as they are stored, redacted parts too"},
        {"--path", "", "print only where its file is"}},
       "",
       run_show},
      {"tree",
       "draw the branches of a session",
       {session_operand},
       {{"--tips", "", "only the tips, the newest first"}},
       "",
       run_tree},
      {"status",
       "what a resume would find: turns, unfinished calls, damage",
       {session_operand},
       {},
       "",
       run_status},
      {"diff",
       "what two branches share, and what only each has",
       {{"SESSION", "which one"},
        {"LEFT", "an entry"},
        {"RIGHT", "another; without it the head", Count::at_most_one}},
       {},
       "",
       run_diff},
      {"context",
       "what a model would see",
       {session_operand},
       {{"--max-tokens", "COUNT", "leave out whole turns until it fits"},
        {"--tip", "ENTRY", "at another entry than the head"}},
       "",
       run_context},
      {"head",
       "tell where the head is, or move it",
       {{"SESSION", "which one"}, {"ENTRY", "where to", Count::at_most_one}},
       {{"--before-first", "", "before the first entry"},
        {"--expect", "ENTRY", "only if the head is still there"}},
       "The next entry grows at the head.",
       run_head},
      {"fork",
       "copy the path to an entry into a session of its own",
       {{"SESSION", "which one"},
        {"ENTRY", "up to which entry; without it the head", Count::at_most_one}},
       {{"--id", "ID", "of the new session"}, {"--key", "KEY", "of the new session"}},
       "",
       run_fork},
      {"label",
       "list labels, or put one on an entry",
       {{"SESSION", "which one"},
        {"NAME", "of the label", Count::at_most_one},
        {"ENTRY", "where it goes; without it the head", Count::at_most_one}},
       {{"--delete", "", "take the name away"}},
       "",
       run_label},
      {"redact",
       "hide entries in every view",
       {{"SESSION", "which one"}, {"ENTRY", "which entries", Count::any}},
       {{"--pointer", "POINTER", "only this string of them (/payload/content)"},
        {"--reason", "TEXT", "kept with it"}},
       "The bytes stay in the file; logwood erase removes them.",
       run_redact},
      {"erase",
       "remove the bytes of entries for good",
       {{"SESSION", "which one"}, {"ENTRY", "which entries", Count::any}},
       {{"--yes", "", "do not ask"},
        {"--everywhere", "", "also in forks, in the trash and in quarantine"},
        {"--reason", "TEXT", "kept with it"},
        {"--receipt", "FILE", "where the receipt goes (erasure-….json)"}},
       "The receipt can be held against the session later: logwood verify --receipt FILE.",
       run_erase},
      {"rm",
       "move a session to the trash",
       {{"SESSION", "which one"}},
       {{"--family", "", "with the sessions of its sub-agents"},
        {"--undo", "", "bring back the one of that id that was removed last"}},
       "Nothing is deleted: the session and its long strings lie in the folder trash of the store.",
       run_rm},
      {"archive",
       "keep sessions packed, to be read and not written",
       {{"SESSION", "which ones", Count::any}},
       {{"--undo", "", "bring them back"}},
       "An archived session is listed and read as before. zstd -d unpacks the file as well.",
       run_archive},
      {"verify",
       "walk a session and its chain",
       {session_operand},
       {{"--receipt", "FILE", "hold the receipt of an erasure against its session instead"}},
       "",
       run_verify},
      {"migrate",
       "rewrite a session of an older version",
       {{"SESSION", "which one"}},
       {},
       "",
       run_migrate},
      {"new",
       "make a session",
       {},
       {{"--key", "KEY", "agent:channel:peer"},
        {"--cwd", "FOLDER", "the folder it is about (this one)"},
        {"--id", "ID", "its id (else one is made)"}},
       "",
       run_new},
      {"append",
       "append entries from standard input, one JSON object a line",
       {session_operand},
       {{"--user", "TEXT", "a message of the user instead"},
        {"--assistant", "TEXT", "a message of the assistant, after that"},
        {"--each", "", "every line is a batch of its own"},
        {"--expect-tail", "ENTRY", "only if this is still the tail"},
        {"--buffered", "", "do not wait for the disk"}},
       "All lines are one batch: they are there together or not at all.",
       run_append},
  };
  return verbs;
}

const Verb* find_verb(std::string_view name) {
  const auto found = std::find_if(all_verbs().begin(), all_verbs().end(),
                                  [&](const Verb& verb) { return verb.name == name; });
  return found == all_verbs().end() ? nullptr : &*found;
}

const Verb* nearest_verb(std::string_view name) {
  const Verb* nearest = nullptr;
  std::size_t least = 3;
  for (const Verb& verb : all_verbs()) {
    const std::size_t steps = distance(name, verb.name);
    if (steps < least) {
      least = steps;
      nearest = &verb;
    }
  }
  return nearest;
}

}  // namespace logwood::cli
