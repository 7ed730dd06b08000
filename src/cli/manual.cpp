#include "cli/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "base/unicode.hpp"
#include "cli/exit_code.hpp"

namespace logwood::cli {
namespace {

constexpr std::string_view about_sessions =
    "A session is named by its id or either end of it, by its key (the newest session that has "
    "it), by the path of its file, or by @last: the one that was active last.";
constexpr std::string_view about_entries =
    "An entry is named by its id or either end of it, by a label, or by '~n', n steps back from "
    "the head; the quotes are for the shell, which has a use for ~ too.";

struct Variable {
  std::string_view name;
  std::string_view meaning;
};
constexpr std::array variables{
    Variable{"LOGWOOD_STORE", "the folder of the store, unless --store names one"},
    Variable{"XDG_DATA_HOME", "where your data lies: the store is its folder logwood"},
    Variable{"HOME", "without XDG_DATA_HOME the store is .local/share/logwood in it"},
    Variable{"NO_COLOR", "when it is not empty, nothing is printed in colour"},
};

// Text as mdoc wants it: nothing in it is taken for a request, a hyphen stays the character that
// can be copied from the page into a terminal, and options are not broken apart.
std::string escaped(std::string_view text) {
  std::string safe;
  bool begins_line = true;
  bool begins_word = true;
  while (!text.empty()) {
    const CodePoint next = first_code_point(text);
    const char character = text.front();
    text.remove_prefix(next.size);
    if (begins_line && (character == '.' || character == '\'')) safe += "\\&";
    if (begins_word && character == '-') safe += "\\%";
    begins_line = character == '\n';
    begins_word = begins_line || character == ' ';
    if (next.size > 1) {
      safe += fmt::format("\\[u{:04X}]", next.value);
    } else if (character == '\\') {
      safe += "\\e";
    } else if (character == '-') {
      safe += "\\-";
    } else if (character == '~') {
      safe += "\\(ti";
    } else {
      safe += character;
    }
  }
  return safe;
}

// Sentences, each on a line of its own, by which they are set apart in print.
std::string prose(std::string_view text) {
  std::string lines = escaped(text);
  for (std::size_t end = lines.find(". "); end != std::string::npos; end = lines.find(". ", end))
    lines[end + 1] = '\n';
  return lines + "\n";
}

// Words after a macro: those that mdoc would call as macros themselves, or break apart, are quoted.
std::string argument(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : escaped(text)) {
    if (character == '"') quoted += '"';
    quoted += character;
  }
  return quoted + "\"";
}

// A clause of the table as a sentence.
std::string sentence(std::string_view clause) {
  std::string text(clause);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return escaped(text) + ".\n";
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

std::string heading(std::string_view name, std::string_view summary, const Edition& edition) {
  return fmt::format(
      ".\\\" Written by the build from the table of verbs.\n"
      ".Dd {}\n.Dt {} 1\n.Os {}\n.Sh NAME\n.Nm {}\n.Nd {}\n",
      edition.date, upper_case(name), argument("logwood " + edition.version), name,
      escaped(summary));
}

// `Fl a , Fl -all Ar COUNT`, with what stands between the spellings.
std::string flags(const Option& option, std::string_view between) {
  std::string text;
  for (const std::string_view spelling : spellings_of(option)) {
    if (!text.empty()) text += between;
    text += fmt::format("Fl {}", escaped(spelling.substr(1)));
  }
  if (!option.value.empty()) text += fmt::format(" Ar {}", option.value);
  return text;
}

std::string synopsis(const Verb& verb) {
  std::string text = fmt::format(".Sh SYNOPSIS\n.Nm logwood\n.Cm {}\n", verb.name);
  for (const Option& option : verb.options) text += fmt::format(".Op {}\n", flags(option, " | "));
  for (const Option& option : options_of_every_verb())
    text += fmt::format(".Op {}\n", flags(option, " | "));
  for (const Operand& operand : verb.operands) {
    text += operand.count == Count::one ? ".Ar " : ".Op Ar ";
    text += operand.name;
    text += operand.count == Count::any ? " ...\n" : "\n";
  }
  return text;
}

bool takes(const Verb& verb, std::string_view name) {
  return std::any_of(verb.operands.begin(), verb.operands.end(),
                     [&](const Operand& operand) { return operand.name == name; }) ||
         std::any_of(verb.options.begin(), verb.options.end(),
                     [&](const Option& option) { return option.value == name; });
}

std::string description(const Verb& verb) {
  std::string text = ".Sh DESCRIPTION\n" + sentence(verb.summary);
  if (!verb.details.empty()) text += ".Pp\n" + prose(verb.details);
  if (!verb.operands.empty()) {
    text += ".Bl -tag -width Ds\n";
    for (const Operand& operand : verb.operands)
      text += fmt::format(".It Ar {}\n{}\n", operand.name, escaped(operand.help));
    text += ".El\n";
  }
  if (takes(verb, "SESSION")) text += fmt::format(".Pp\n{}\n", escaped(about_sessions));
  if (takes(verb, "ENTRY")) text += fmt::format(".Pp\n{}\n", escaped(about_entries));
  return text;
}

std::string list_of(std::span<const Option> options) {
  std::string text;
  for (const Option& option : options)
    text += fmt::format(".It {}\n{}\n", flags(option, " , "), escaped(option.help));
  return text;
}

std::string options_section(std::span<const Option> options) {
  return ".Sh OPTIONS\n.Bl -tag -width Ds\n" + list_of(options) + list_of(options_of_every_verb()) +
         ".El\n";
}

std::string environment(std::span<const Variable> some) {
  std::string text = ".Sh ENVIRONMENT\n.Bl -tag -width Ds\n";
  for (const Variable& variable : some)
    text += fmt::format(".It Ev {}\n{}\n", variable.name, escaped(variable.meaning));
  return text + ".El\n";
}

std::string exit_status() {
  std::string text = ".Sh EXIT STATUS\n.Bl -tag -width Ds\n";
  for (const ExitMeaning& row : exit_meanings)
    text += fmt::format(".It {}\n{}\n", static_cast<int>(row.code), escaped(row.meaning));
  return text + ".El\n";
}

std::string examples(std::string_view verb) {
  std::string text;
  for (const Example& example : examples_of(verb)) {
    std::string purpose = sentence(example.purpose);
    purpose.replace(purpose.size() - 2, 1, ":");
    text += fmt::format("{}{}.Pp\n.Dl {}\n", text.empty() ? ".Sh EXAMPLES\n" : ".Pp\n", purpose,
                        argument(example.command));
  }
  return text;
}

// Names of pages in the order that manuals list them: by section, then by name.
std::string see_also(std::vector<std::string> pages) {
  std::sort(pages.begin(), pages.end());
  std::string text = ".Sh SEE ALSO\n";
  for (const std::string& page : pages) text += fmt::format(".Xr {} 1 ,\n", page);
  return text + ".Xr logwood-session 5\n";
}

// Verbs that the examples or the details of this one speak of.
std::vector<std::string> related_pages(const Verb& verb) {
  std::vector<std::string> pages{"logwood"};
  for (const Verb& other : all_verbs()) {
    const std::string called = fmt::format("logwood {} ", other.name);
    const bool in_examples = std::any_of(
        examples_of(verb.name).begin(), examples_of(verb.name).end(),
        [&](const Example& example) { return example.command.find(called) != std::string::npos; });
    const bool in_details = verb.details.find(called) != std::string::npos;
    if (&other != &verb && (in_examples || in_details))
      pages.push_back(fmt::format("logwood-{}", other.name));
  }
  return pages;
}

}  // namespace

std::string manual_of_program(const Edition& edition) {
  std::string text = heading("logwood", "keep the history of AI agents", edition);
  text +=
      ".Sh SYNOPSIS\n"
      ".Nm\n.Ar VERB\n.Op Ar options\n.Ar ...\n"
      ".Nm\n.Cm help\n.Op Ar VERB\n"
      ".Nm\n.Fl \\-version\n"
      ".Sh DESCRIPTION\n"
      ".Nm\n"
      "keeps the histories of AI agents in a store: a folder in which every session is a file of\n"
      "JSON lines that only grows.\n"
      "What it has acknowledged stays, whatever happens to processes and power.\n"
      "A session is a tree: its entries grow at the head, which can be moved back to any of them.\n"
      ".Pp\nThese are the verbs; each has a manual page of its own.\n"
      ".Bl -tag -width \"completion\" -compact\n";
  for (const Verb& verb : all_verbs())
    text += fmt::format(".It Cm {}\n{}\n", verb.name, escaped(verb.summary));
  text += ".El\n";
  text += fmt::format(".Ss Names\n{}\n.Pp\n{}\n", escaped(about_sessions), escaped(about_entries));
  text +=
      ".Ss Output\n"
      "What is printed for people may change from version to version.\n"
      "With\n.Fl \\-json\nevery line is one JSON object, for programs: members are added, never "
      "changed.\n"
      "Text of sessions does not reach a terminal as it is: control characters and direction "
      "marks\nare made visible.\n";
  text += options_section({});
  text += environment(variables);
  text +=
      ".Sh FILES\n.Bl -tag -width Ds\n"
      ".It Pa \\(ti/.local/share/logwood\n"
      "the store, unless another one is named;\n.Cm new\nand\n.Cm import\n"
      "make it when it is not there; see\n.Xr logwood-session 5\n"
      ".It Pa \\(ti/.config/logwood/config.json\n"
      "settings: a JSON object with any of\n"
      "store (a folder), pager (a command), color (auto, always or never) and limit (how many\n"
      "sessions\n.Cm ls\nlists)\n.El\n";
  text += exit_status();
  text += examples("");
  std::vector<std::string> pages;
  for (const Verb& verb : all_verbs()) pages.push_back(fmt::format("logwood-{}", verb.name));
  return text + see_also(std::move(pages));
}

std::string manual_of(const Verb& verb, const Edition& edition) {
  return heading(fmt::format("logwood-{}", verb.name), verb.summary, edition) + synopsis(verb) +
         description(verb) + options_section(verb.options) +
         environment(std::span(variables).first(1)) + exit_status() + examples(verb.name) +
         see_also(related_pages(verb));
}

}  // namespace logwood::cli
