#include <algorithm>

#include "cli/spelling.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/verbs.hpp"

namespace logwood::cli {
namespace {

const Operand session_operand{"SESSION", "which one; without it the newest", Count::at_most_one};

}  // namespace

const std::vector<Option>& options_of_every_verb() {
  static const std::vector<Option> options{
      {"--store", "FOLDER", "the store (else LOGWOOD_STORE, else your own)"},
      {"--json", "", "print one JSON object a line"},
      {"--color", "WHEN", "auto (on a terminal), always or never"},
      {"-h,--help", "", "print this"},
  };
  return options;
}

const std::vector<Verb>& all_verbs() {
  static const std::vector<Verb> verbs{
      {"ls",
       "list sessions of this folder, those active last first",
       {},
       {{"-a,--all", "", "of every folder"},
        {"--key", "KEY", "only those of this key, of every folder"},
        {"--agent", "NAME", "only those whose key names this agent"},
        {"--channel", "NAME", "only those whose key names this channel"},
        {"--peer-kind", "NAME", "only those whose key names this kind of peer"},
        {"--tag", "TAG", "only those with this tag"},
        {"--since", "TIME", "only those active since (2026-11-14, yesterday, 7d)"},
        {"--moved", "", "only those whose folder is not there any more"},
        {"-n,--limit", "COUNT", "at most so many (50, or \"limit\" of config.json)"},
        {"--skip", "COUNT", "not the first so many"},
        {"--after", "TIME/ID",
         "only those behind this one: lastActive and id of the last one seen"}},
       "A session is shown with the end of its id, which is enough to name it; those of other "
       "agents "
       "on this machine as claude:7f3a9c01. With --store only that store counts.",
       run_ls},
      {"search",
       "find words in what was said, called and answered",
       {{"WORDS", "what to find", Count::any}},
       {{"--here", "", "only in sessions of this folder"},
        {"-n,--limit", "COUNT", "at most so many hits (20)"},
        {"--skip", "COUNT", "not the first so many"}},
       "All words must stand in one entry; \"several words\" together; -word must not be there; "
       "word* is a beginning. role:user, type:message, tool:bash, key:main:cli:me and since:7d say "
       "what the entry is. Parts of identifiers are words too: server finds HTTPServer. The shell "
       "takes quotes for itself, so write '\"several words\"'; and -word goes after --, or inside "
       "of quotes after another word: 'word -other'.",
       run_search},
      {"stats",
       "what was used: by day, model and tool",
       {},
       {},
       "A message that a fork has copied counts once.",
       run_stats},
      {"set",
       "set title, tags, folder or expiry of a session",
       {{"SESSION", "which one"}},
       {{"--title", "TEXT", "what lists show; empty: the first message again"},
        {"--tags", "TAGS", "separated by commas; empty: none"},
        {"--cwd", "FOLDER", "the folder it is about"},
        {"--expires", "TIME", "when clean --expired may take it (30d, never)"}},
       "",
       run_set},
      {"show",
       "read a session: the path of its head",
       {session_operand},
       {{"--tip", "ENTRY", "the path of another entry"},
        {"--full", "", "all that tools were given and answered"},
        {"--raw", "", "the entries as they are stored, redacted parts too"},
        {"--step", "", "one entry at a time, forwards and back"},
        {"--path", "", "print only where its file is"}},
       "",
       run_show},
      {"tree",
       "draw the branches of a session",
       {session_operand},
       {{"--tips", "", "only the tips, the newest first"}},
       "",
       run_tree},
      {"follow",
       "print the end of a session, and what is added to it",
       {session_operand},
       {{"--from-start", "", "print all of it first"}},
       "Ctrl-C ends it. It goes on when entries are erased, and ends when the session goes.",
       run_follow},
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
        {"--tip", "ENTRY", "at another entry than the head"},
        {"--for", "MODEL", "as a request for this model, ready to be sent"},
        {"--from", "MODEL", "who made the messages that do not say"}},
       "MODEL is API:MODEL, as anthropic:claude-opus-5-5, openai-responses:gpt-5.6 or gemini:NAME, "
       "or "
       "API@PROVIDER:MODEL for another endpoint. A request holds what fits the window of its "
       "model; "
       "what is added to it or lost is said on standard error.",
       run_context},
      {"convert",
       "make a request for one model a request for another",
       {{"FILE", "the body of a request; without it standard input", Count::at_most_one}},
       {{"--from", "MODEL", "whose request it is"},
        {"--to", "MODEL", "whose it becomes"},
        {"--check", "", "only say what its API would refuse"}},
       "Needs no store. MODEL is API:MODEL as for logwood context; with --check the API alone will "
       "do, "
       "and may be bedrock-converse or mistral-chat too.",
       run_convert},
      {"compat",
       "what any session would lose from one model to another",
       {{"FROM", "API:MODEL"}, {"TO", "API:MODEL"}},
       {},
       "Needs no store. What one session would lose, logwood context --for says.",
       run_compat},
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
       {{"--id", "ID", "of the new session"},
        {"--key", "KEY", "of the new session"},
        {"--for", "MODEL", "in the shape of this model, and as its own"},
        {"--from", "MODEL", "who made the messages that do not say"}},
       "With --for the messages of the new session are what the model would be sent; each says in "
       "its "
       "meta where it came from. The session itself stays as it is.",
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
       {{"SESSION", "which one", Count::at_most_one}, {"ENTRY", "which entries", Count::any}},
       {{"--yes", "", "do not ask"},
        {"--everywhere", "", "also in forks, in the trash and in quarantine"},
        {"--reason", "TEXT", "kept with it"},
        {"--receipt", "FILE", "a new file for the receipt (erasure-….json)"},
        {"--subject", "PREFIX", "every session whose key begins so, as a whole"},
        {"--ledger", "FILE", "where --subject is written down (erasures.jsonl)"},
        {"--again", "", "erase what the ledger tells of, after a backup was restored"}},
       "The receipt can be held against the session later: logwood verify --receipt FILE. The "
       "ledger "
       "belongs where no backup of the store is; --again leaves sessions that were made after a "
       "line "
       "was written.",
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
      {"clean",
       "find sessions that are old, expired or too many, and put them away",
       {},
       {{"--older-than", "TIME", "not active since (90d, 2026-01-01)"},
        {"--expired", "", "whose expiry has passed"},
        {"--max-size", "SIZE", "those inactive longest, until the rest is smaller (2GB)"},
        {"--yes", "", "do it; without this it only says what it would do"}},
       "Sessions go to the trash, where logwood rm --undo finds them. Nothing is ever cleaned by "
       "itself.",
       run_clean},
      {"verify",
       "walk a session and its chain",
       {session_operand},
       {{"--receipt", "FILE", "hold the receipt of an erasure against its session"}},
       "",
       run_verify},
      {"doctor",
       "examine the whole store: damage, permissions, disk use, secrets",
       {},
       {{"--repair", "", "copy what is sound, narrow permissions"}},
       "Repairing writes new sessions, never over the old ones, and deletes nothing. Exit status 5 "
       "says that damage was found.",
       run_doctor},
      {"migrate",
       "rewrite a session of an older version",
       {{"SESSION", "which one"}},
       {},
       "",
       run_migrate},
      {"export",
       "write a session for somebody else: JSONL or Markdown",
       {session_operand},
       {{"--format", "FORMAT", "jsonl, which import reads, or markdown, to read (jsonl)"},
        {"-o,--output", "FILE", "into a new file, mode 0600"},
        {"--redact", "", "replace suspected secrets by [redacted]"},
        {"--with-secrets", "", "export them as they are"}},
       "Redactions are applied. JSONL has all branches and marks, Markdown the path of the head. "
       "What looks like a key, a token or a password stops the export unless one of the options "
       "says what to do with it; not everything secret looks like one.",
       run_export},
      {"import",
       "make sessions of session files: .jsonl, .jsonl.gz, .jsonl.zst",
       {{"FILE", "which files; - is standard input", Count::any}},
       {{"--id", "ID", "of the new session; new makes one (that of the file)"},
        {"--key", "KEY", "of the new session (that of the file)"},
        {"--partial", "", "take what is sound of a damaged file"}},
       "Entries keep their ids, parents and times. A file that was imported before is recognised. "
       "A session that gets another id names the one of the file as its origin. Makes the store "
       "too, when there is none.",
       run_import},
      {"continue",
       "go on with a session in another agent: pi, claude or codex",
       {session_operand},
       {{"--in", "AGENT", "pi, claude or codex"},
        {"--tip", "ENTRY", "the path of another entry than the head"},
        {"--cwd", "FOLDER", "where the agent will be started (that of the session)"}},
       "Writes a file where the agent looks for its sessions, never over another one, says what is "
       "kept, changed and lost, and prints the command to type. A session that came from this "
       "agent "
       "and was not touched is written byte for byte as it was.",
       run_continue},
      {"watch",
       "mirror the sessions of other agents into the store as they grow",
       {},
       {{"--once", "", "one look, then end"}, {"--every", "SECONDS", "how often to look (2)"}},
       "What an agent deletes is still there then. Repeating it takes only what is new; Ctrl-C "
       "ends it, "
       "and nothing is lost that was told.",
       run_watch},
      {"copy",
       "copy sessions to another store as they are, and verify them there",
       {{"FROM", "a store: a folder, or postgres://…"},
        {"TO", "another one, which is made where there is none"},
        {"SESSION", "which ones; without it all", Count::any}},
       {},
       "Seals, times and long strings come along, so the chain is the same in both. What is there "
       "is "
       "left alone or brought up to date, and a session that has gone on differently in both is "
       "told and left: so the same command goes on after an interruption, and takes along what was "
       "added meanwhile. The trash is not copied.",
       run_copy},
      {"tenant",
       "make, list or remove the tenants of a store in PostgreSQL",
       {{"WHAT", "add, ls or rm", Count::one, "add|ls|rm"},
        {"NAME", "of the tenant", Count::at_most_one}},
       {{"--role", "ROLE", "a role of the database that is to work for it"},
        {"--yes", "", "remove every session of it"}},
       "The store is named by the URL of the role that owns its tables; add makes them too. A role "
       "sees the tenants it works for and nothing else, and names one in the URL of the store: "
       "postgres://ROLE@HOST/DATABASE?tenant=NAME.",
       run_tenant},
      {"new",
       "make a session",
       {},
       {{"--key", "KEY", "agent:channel:peer"},
        {"--cwd", "FOLDER", "the folder it is about (this one)"},
        {"--id", "ID", "its id (else one is made)"}},
       "Makes the store too, when there is none.",
       run_new},
      {"append",
       "append entries from standard input, one JSON object a line",
       {session_operand},
       {{"--user", "TEXT", "a message of the user instead"},
        {"--assistant", "TEXT", "a message of the assistant, after that"},
        {"--each", "", "every line is a batch of its own"},
        {"--expect-tail", "ENTRY", "only if this is still the tail; empty: none yet"},
        {"--buffered", "", "do not wait for the disk"}},
       "All lines are one batch: they are there together or not at all.",
       run_append},
      {"completion",
       "print what a shell needs to complete commands of logwood",
       {{"SHELL", "bash, zsh or fish", Count::one, "bash|zsh|fish"}},
       {},
       "Packages install it. By hand, for bash: logwood completion bash\n"
       ">~/.local/share/bash-completion/completions/logwood",
       run_completion},
      {"help",
       "explain a verb",
       {{"VERB", "which one; without it the program", Count::at_most_one}},
       {{"-a,--all", "", "list all verbs, and where the program looks for what"}},
       "",
       run_help},
  };
  return verbs;
}

const Verb& overview() {
  static const Verb verb{"", "show the sessions of this folder", {}, {}, "", run_overview};
  return verb;
}

std::vector<std::string_view> spellings_of(const Option& option) {
  std::vector<std::string_view> spellings;
  std::string_view rest = option.names;
  for (std::size_t comma = rest.find(','); comma != std::string_view::npos;
       comma = rest.find(',')) {
    spellings.push_back(rest.substr(0, comma));
    rest.remove_prefix(comma + 1);
  }
  spellings.push_back(rest);
  return spellings;
}

const Verb* find_verb(std::string_view name) {
  const auto found = std::find_if(all_verbs().begin(), all_verbs().end(),
                                  [&](const Verb& verb) { return verb.name == name; });
  return found == all_verbs().end() ? nullptr : &*found;
}

const Verb* nearest_verb(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Verb& verb : all_verbs()) names.push_back(verb.name);
  return find_verb(nearest_word(name, names));
}

}  // namespace logwood::cli
