// armature completions SHELL (hidden): the script that completes verbs, options and files in bash, zsh or fish.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "command_tree.hpp"
#include "errors.hpp"
#include "model_arguments.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

std::vector<std::string> words_of(const Command& command) {
  std::vector<std::string> words;
  for (const CommandOption& option : command.options) {
    if (option.positional) continue;
    words.push_back(option.name);
    if (!option.shortest.empty() && option.shortest != option.name) words.push_back(option.shortest);
  }
  return words;
}

// Inside '…' of a shell: without the quote itself.
std::string quotable(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (c == '\'')
      result += "'\\''";
    else if (c != '\n')
      result += c;
  return result;
}

void print_bash(const std::vector<Command>& commands) {
  std::vector<std::string> verbs;
  for (const Command& command : commands) verbs.push_back(command.name);
  fmt::print(
      "# bash completion of armature\n"
      "_armature() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} verb=${{COMP_WORDS[1]}} options=\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $verb in\n",
      fmt::join(verbs, " "));
  for (const Command& command : commands)
    fmt::print("    {}) options='{}' ;;\n", command.name, fmt::join(words_of(command), " "));
  fmt::print(
      "  esac\n"
      "  case $word in\n"
      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _armature armature\n");
}

// In '…' of _arguments, brackets and colons have a meaning.
std::string in_zsh(const std::string& text) {
  std::string result;
  for (const char c : quotable(text)) {
    if (c == '[' || c == ']' || c == ':') result += '\\';
    result += c;
  }
  return result;
}

void print_zsh(const std::vector<Command>& commands) {
  fmt::print(
      "#compdef armature\n"
      "local -a verbs=(\n");
  for (const Command& command : commands) fmt::print("  '{}:{}'\n", command.name, in_zsh(command.is));
  fmt::print(
      ")\n"
      "if (( CURRENT == 2 )); then\n"
      "  _describe verb verbs\n"
      "  return\n"
      "fi\n"
      "local verb=$words[2]\n"
      "shift words\n"
      "(( CURRENT-- ))\n"
      "case $verb in\n");
  for (const Command& command : commands) {
    fmt::print("  {}) _arguments", command.name);
    for (const CommandOption& option : command.options) {
      if (option.positional) continue;
      const char* action = option.value == "DIR" ? ":folder:_files -/" : option.value.empty() ? "" : ":value:_files";
      fmt::print(" \\\n    '*{}[{}]{}'", option.name, in_zsh(option.is), action);
    }
    fmt::print(" \\\n    '*:file:_files' ;;\n");
  }
  fmt::print("esac\n");
}

void print_fish(const std::vector<Command>& commands) {
  fmt::print("# fish completion of armature\n");
  for (const Command& command : commands)
    fmt::print("complete -c armature -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name, quotable(command.is));
  for (const Command& command : commands)
    for (const CommandOption& option : command.options) {
      if (option.positional) continue;
      fmt::print("complete -c armature -n '__fish_seen_subcommand_from {}'", command.name);
      if (option.name.starts_with("--")) fmt::print(" -l {}", option.name.substr(2));
      if (!option.shortest.empty()) fmt::print(" -s {}", option.shortest.substr(1));
      fmt::print("{} -d '{}'\n", option.value.empty() ? "" : " -r", quotable(option.is));
    }
}

int print_completions(const CLI::App& app, const std::string& shell) {
  require_known(shell, {"bash", "zsh", "fish"}, "shell");
  const std::vector<Command> commands = commands_of(app);
  if (shell == "bash") print_bash(commands);
  if (shell == "zsh") print_zsh(commands);
  if (shell == "fish") print_fish(commands);
  return ok;
}

}  // namespace

Verb add_completions(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("completions", "print the script that completes command lines in a shell");
  verb->group("");
  verb->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  return [&app, shell] { return print_completions(app, *shell); };
}

}  // namespace armature::internal::cli
