// armature manual [VERB] (hidden): a manual page in the language of man, from the same words as --help.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "command_tree.hpp"
#include "errors.hpp"
#include "model_arguments.hpp"
#include "record/version.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

// A line that man shows as it is: \ and - have a meaning, and so do . and ' where a line begins.
std::string in_roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

void print_title(const std::string& page, const std::string& is) {
  std::string title = page;
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
  fmt::print(".TH \"{}\" 1 \"\" \"armature {}\" \"Armature\"\n.SH NAME\n{} \\- {}\n", title, version(), in_roff(page),
             in_roff(is));
}

// Examples keep their columns.
void print_footer(const std::string& footer) {
  if (footer.empty()) return;
  fmt::print(".SH EXAMPLES\n.nf\n");
  std::istringstream in(footer);
  for (std::string line; std::getline(in, line);)
    if (line != "Examples:") fmt::print("{}\n", in_roff(line));
  fmt::print(".fi\n");
}

void print_verb(const Command& command) {
  print_title("armature-" + command.name, command.is);
  fmt::print(".SH SYNOPSIS\n.B armature {}\n", in_roff(command.name));
  for (const CommandOption& option : command.options)
    if (option.positional) fmt::print(".I {}\n", in_roff(option.name));
  fmt::print("[options]\n.SH OPTIONS\n");
  for (const CommandOption& option : command.options) {
    const bool both = !option.shortest.empty() && option.shortest != option.name;
    fmt::print(".TP\n\\fB{}{}{}\\fR {}\n{}\n", in_roff(both ? option.shortest : ""), both ? ", " : "",
               in_roff(option.name), in_roff(option.positional ? "" : option.value), in_roff(option.is));
  }
  print_footer(command.footer);
  fmt::print(".SH SEE ALSO\narmature(1)\n");
}

void print_program(const CLI::App& app, const std::vector<Command>& commands) {
  print_title("armature", "simulate and analyze mechanisms with closed kinematic loops");
  fmt::print(".SH SYNOPSIS\n.B armature\n.I verb\n[options]\n.SH DESCRIPTION\n{}\n.SH VERBS\n",
             in_roff(app.get_description()));
  for (const Command& command : commands)
    fmt::print(".TP\n\\fB{}\\fR\n{}; see armature\\-{}(1)\n", in_roff(command.name), in_roff(command.is),
               in_roff(command.name));
  print_footer(app.get_footer());
}

int print_manual(const CLI::App& app, const std::string& verb) {
  const std::vector<Command> commands = commands_of(app);
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (command.name == verb) return print_verb(command), ok;
    names.push_back(command.name);
  }
  if (!verb.empty()) require_known(verb, names, "verb");
  print_program(app, commands);
  return ok;
}

}  // namespace

Verb add_manual(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("manual", "print a manual page");
  verb->group("");
  verb->add_option("VERB", *name, "of a verb; without it, of the program");
  return [&app, name] { return print_manual(app, *name); };
}

}  // namespace armature::internal::cli
