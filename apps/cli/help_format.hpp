// --help as the program prints it: texts wrapped to the width of the terminal, headings bold.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace armature::internal::cli {

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() {
    label("SUBCOMMAND", "VERB");
    label("Positionals", "Arguments");
  }

  std::string make_group(std::string group, bool is_positional, std::vector<const CLI::Option*> options) const override;
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override;
  std::string make_subcommand(const CLI::App* verb) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace armature::internal::cli
