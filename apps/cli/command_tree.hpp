// The command line as data: verbs with their options, for manual pages and shell completions, so that these agree with --help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace armature::internal::cli {

struct CommandOption {
  std::string shortest, name;  // "-o", "--output"; of a positional only a name, "FILE"
  std::string value;           // what follows it: "DIR", "NAME=FORMULA"; empty: nothing
  std::string is;              // description
  bool positional = false;
};

struct Command {
  std::string name, is, footer;
  std::vector<CommandOption> options;
};

std::vector<Command> commands_of(const CLI::App& app);  // verbs that --help lists, in its order

}  // namespace armature::internal::cli
