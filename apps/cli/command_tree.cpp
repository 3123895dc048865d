#include "command_tree.hpp"

namespace armature::internal::cli {
namespace {

CommandOption described(const CLI::Option& option) {
  CommandOption result;
  if (!option.get_snames().empty()) result.shortest = "-" + option.get_snames().front();
  result.positional = option.get_positional();
  if (result.positional)
    result.name = option.get_name(true);
  else
    result.name = option.get_lnames().empty() ? result.shortest : "--" + option.get_lnames().front();
  if (option.get_items_expected_max() > 0) result.value = option.get_type_name();
  result.is = option.get_description();
  return result;
}

}  // namespace

std::vector<Command> commands_of(const CLI::App& app) {
  std::vector<Command> commands;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); })) {
    Command& command = commands.emplace_back();
    command.name = verb->get_name();
    command.is = verb->get_description();
    command.footer = verb->get_footer();
    for (const CLI::Option* option : verb->get_options())
      if (!option->get_group().empty()) command.options.push_back(described(*option));
  }
  return commands;
}

}  // namespace armature::internal::cli
