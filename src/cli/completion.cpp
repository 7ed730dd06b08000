#include "cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/verb.hpp"

namespace logwood::cli {
namespace {

// What may stand for an operand or a value, in one word for the shells: its choices, or else its
// name, of which they know SESSION, VERB, FOLDER and FILE.
std::string_view kind_of(std::string_view name, std::string_view choices) {
  return choices.empty() ? name : choices;
}

// Choices with a space between.
std::string spaced(std::string_view choices) {
  std::string words(choices);
  std::replace(words.begin(), words.end(), '|', ' ');
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<Option> all_options_of(const Verb& verb) {
  std::vector<Option> options = verb.options;
  options.insert(options.end(), options_of_every_verb().begin(), options_of_every_verb().end());
  return options;
}

std::string names_of_verbs() {
  std::vector<std::string> names;
  for (const Verb& verb : all_verbs()) names.emplace_back(verb.name);
  return joined(names);
}

// In single quotes, for any of the three shells; the texts are ours and have no backslash.
std::string quoted(std::string_view text) {
  std::string safe = "'";
  for (const char character : text) {
    if (character == '\'') {
      safe += "'\\''";
    } else {
      safe += character;
    }
  }
  return safe + "'";
}

// --- bash -------------------------------------------------------------------------------------

// compgen -W expands what it is given: only characters of ids may come from a store.
constexpr std::string_view bash_functions = R"bash(
# The newest sessions of the store that the command line names.
_logwood_sessions() {
  command logwood ls -a --json -n 100 "${store[@]}" 2>/dev/null </dev/null |
    sed -n 's/^{"id":"\([A-Za-z0-9_-]*\)".*/\1/p'
}

# What begins with $2 and may stand for $1.
_logwood_words() {
  case $1 in
    SESSION) compgen -W "@last $(_logwood_sessions)" -- "$2" ;;
    VERB) compgen -W "$_logwood_verbs" -- "$2" ;;
    FOLDER) compgen -d -- "$2" ;;
    FILE) compgen -f -- "$2" ;;
    *'|'*) compgen -W "${1//|/ }" -- "$2" ;;
  esac
}

_logwood() {
  local current=${COMP_WORDS[COMP_CWORD]} verb='' waiting='' kind='' store=() given=0
  local options='' takes='' operands='' word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then
      continue  # bash takes --store=FOLDER apart
    elif [[ -n $waiting ]]; then
      if [[ $waiting == --store ]]; then store=(--store "${word/#\~\//$HOME/}"); fi
      waiting=''
    elif [[ -z $verb ]]; then
      verb=$word
      _logwood_verb "$verb" || return
    elif [[ " $takes " == *" $word="* ]]; then
      waiting=$word
    elif [[ $word != -* ]]; then
      given=$((given + 1))
    fi
  done
  [[ $current != '=' ]] || current=''
  if [[ -z $verb ]]; then
    kind="${_logwood_verbs// /|}|--help|--version"
  elif [[ -n $waiting ]]; then
    kind=" $takes "
    kind=${kind#* "$waiting"=}
    kind=${kind%% *}
  elif [[ $current == -* ]]; then
    kind=${options// /|}
  else
    local -a places
    read -ra places <<<"$operands"
    kind=${places[given]:-${places[-1]:-}}
    # Only the last may be given more than once.
    if ((given >= ${#places[@]})) && [[ $kind != *... ]]; then kind=''; fi
    kind=${kind%...}
  fi
  if [[ $kind == FOLDER || $kind == FILE ]]; then compopt -o filenames 2>/dev/null; fi
  mapfile -t COMPREPLY < <(_logwood_words "$kind" "$current")
}

complete -F _logwood logwood
)bash";

std::string bash_verb(const Verb& verb) {
  std::vector<std::string> options;
  std::vector<std::string> takes;
  for (const Option& option : all_options_of(verb)) {
    for (const std::string_view spelling : spellings_of(option)) {
      options.emplace_back(spelling);
      if (!option.value.empty())
        takes.push_back(fmt::format("{}={}", spelling, kind_of(option.value, option.choices)));
    }
  }
  options.emplace_back("--help");
  std::vector<std::string> operands;
  for (const Operand& operand : verb.operands) {
    operands.emplace_back(kind_of(operand.name, operand.choices));
    if (operand.count == Count::any) operands.back() += "...";
  }
  return fmt::format("    {})\n      options={}\n      takes={}\n      operands={}\n      ;;\n",
                     verb.name, quoted(joined(options)), quoted(joined(takes)),
                     quoted(joined(operands)));
}

std::string bash_script() {
  std::string text =
      "# Completion of logwood in bash; written by: logwood completion bash\n\n"
      "_logwood_verbs=" +
      quoted(names_of_verbs()) +
      "\n\n# Tells what a verb takes, in the variables of its caller.\n"
      "_logwood_verb() {\n  case $1 in\n";
  for (const Verb& verb : all_verbs()) text += bash_verb(verb);
  text += "    *) return 1 ;;\n  esac\n}\n";
  return text + std::string(bash_functions);
}

// --- zsh --------------------------------------------------------------------------------------

constexpr std::string_view zsh_functions = R"zsh(#compdef logwood
# Completion of logwood in zsh; written by: logwood completion zsh

# The newest sessions of the store that the command line names.
_logwood_sessions() {
  local -a store sessions
  (( $+opt_args[--store] )) && store=(--store ${(Q)~opt_args[--store]})
  sessions=(@last ${(f)"$(_call_program sessions command logwood ls -a --json -n 100 ${(q)store} 2>/dev/null |
    sed -n 's/^{"id":"\([A-Za-z0-9_-]*\)".*/\1/p')"})
  compadd -a sessions
}

)zsh";

// Text inside [] or after : of a specification of _arguments.
std::string zsh_text(std::string_view text) {
  std::string safe;
  for (const char character : text) {
    if (character == '[' || character == ']' || character == ':' || character == '\\') safe += '\\';
    safe += character;
  }
  return safe;
}

// How zsh completes a value or an operand.
std::string zsh_action(std::string_view name, std::string_view choices) {
  if (!choices.empty()) return fmt::format("({})", spaced(choices));
  if (name == "SESSION") return "_logwood_sessions";
  if (name == "VERB") return fmt::format("({})", names_of_verbs());
  if (name == "FOLDER") return "_files -/";
  if (name == "FILE") return "_files";
  return " ";
}

std::string zsh_verb(const Verb& verb) {
  std::string text = fmt::format("    {})\n      _arguments -S \\\n", verb.name);
  for (const Option& option : all_options_of(verb)) {
    const auto spellings = spellings_of(option);
    for (const std::string_view spelling : spellings) {
      std::string one = spellings.size() == 1 ? "" : fmt::format("({})", fmt::join(spellings, " "));
      one += fmt::format("{}[{}]", spelling, zsh_text(option.help));
      if (!option.value.empty())
        one += fmt::format(":{}:{}", option.value, zsh_action(option.value, option.choices));
      text += fmt::format("        {} \\\n", quoted(one));
    }
  }
  for (const Operand& operand : verb.operands) {
    const std::string_view place = operand.count == Count::one   ? ":"
                                   : operand.count == Count::any ? "*:"
                                                                 : "::";
    text += fmt::format("        {} \\\n",
                        quoted(fmt::format("{}{}:{}", place, operand.name,
                                           zsh_action(operand.name, operand.choices))));
  }
  return text + "        '--help[explain it]'\n      ;;\n";
}

std::string zsh_script() {
  std::string text = std::string(zsh_functions) + "_logwood() {\n  local -a verbs=(\n";
  for (const Verb& verb : all_verbs())
    text += fmt::format("    {}\n", quoted(fmt::format("{}:{}", verb.name, verb.summary)));
  text +=
      "  )\n"
      "  local -A opt_args\n"
      "  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
      "  case $verb in\n";
  for (const Verb& verb : all_verbs()) text += zsh_verb(verb);
  return text +
         "  esac\n}\n\nif [[ $funcstack[1] == _logwood ]]; then\n  _logwood \"$@\"\nelse\n"
         "  compdef _logwood logwood\nfi\n";
}

// --- fish -------------------------------------------------------------------------------------

constexpr std::string_view fish_functions =
    R"fish(# Completion of logwood in fish; written by: logwood completion fish

# Whether the verb is $argv[1].
function __logwood_verb_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = "$argv[1]"
end

# Whether there is no verb yet.
function __logwood_no_verb
    test (count (commandline -opc)) -eq 1
end

# The newest sessions of the store that the command line names.
function __logwood_sessions
    set -l words (commandline -opc)
    set -l store
    for i in (seq (count $words))
        switch $words[$i]
            case --store
                set store --store $words[(math $i + 1)]
            case '--store=*'
                set store $words[$i]
        end
    end
    echo @last
    command logwood ls -a --json -n 100 $store 2>/dev/null </dev/null |
        sed -n 's/^{"id":"\([A-Za-z0-9_-]*\)".*/\1/p'
end

complete -c logwood -f
complete -c logwood -n __logwood_no_verb -l help -d 'list the verbs'
complete -c logwood -n __logwood_no_verb -l version -d 'tell the version'
)fish";

// How fish completes a value or an operand: words to choose from, files, or not at all.
std::string fish_action(std::string_view name, std::string_view choices) {
  if (!choices.empty()) return " -a " + quoted(spaced(choices));
  if (name == "SESSION") return " -a '(__logwood_sessions)'";
  if (name == "VERB") return " -a " + quoted(names_of_verbs());
  if (name == "FOLDER") return " -a '(__fish_complete_directories)'";
  if (name == "FILE") return " -F";
  return " -f";
}

std::string fish_verb(const Verb& verb) {
  std::string text = fmt::format("\ncomplete -c logwood -n __logwood_no_verb -a {} -d {}\n",
                                 verb.name, quoted(verb.summary));
  const std::string begin = fmt::format("complete -c logwood -n '__logwood_verb_is {}'", verb.name);
  for (const Option& option : all_options_of(verb)) {
    text += begin;
    for (const std::string_view spelling : spellings_of(option)) {
      const bool is_long = spelling.starts_with("--");
      text += fmt::format(" -{} {}", is_long ? 'l' : 's', spelling.substr(is_long ? 2 : 1));
    }
    if (!option.value.empty()) text += " -r" + fish_action(option.value, option.choices);
    text += fmt::format(" -d {}\n", quoted(option.help));
  }
  for (const Operand& operand : verb.operands) {
    text += begin + fish_action(operand.name, operand.choices) + "\n";
  }
  return text;
}

std::string fish_script() {
  std::string text(fish_functions);
  for (const Verb& verb : all_verbs()) text += fish_verb(verb);
  return text;
}

}  // namespace

Result<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  return Error{
      ErrorCode::invalid_argument,
      fmt::format("there is no completion for {}; there is one for bash, zsh and fish", shell)};
}

}  // namespace logwood::cli
