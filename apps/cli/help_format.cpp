#include "help_format.hpp"

#include <sstream>

#include "terminal.hpp"

namespace armature::internal::cli {
namespace {

// Lines that are not indented are sentences: they are joined and broken anew. Indented lines are examples, and stay as they are.
std::string reflowed(const std::string& text) {
  std::string result, sentences;
  const auto end_sentences = [&] {
    if (!sentences.empty()) result += wrapped(sentences, columns()) + "\n";
    sentences.clear();
  };
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const bool heading = line.ends_with(':');
    if (!line.empty() && line.front() != ' ' && !heading) {
      sentences += (sentences.empty() ? "" : " ") + line;
      continue;
    }
    end_sentences();
    result += (heading && line.front() != ' ' ? styled(Style::heading, line) : line) + "\n";
  }
  end_sentences();
  return result;
}

}  // namespace

std::string HelpFormat::make_group(std::string group, bool is_positional,
                                   std::vector<const CLI::Option*> options) const {
  std::string text = "\n" + styled(Style::heading, group + ":") + "\n";
  for (const CLI::Option* option : options) text += make_option(option, is_positional);
  return text;
}

// CLI11 takes the heading from the group of the verbs, which is "Subcommands" where none is given.
std::string HelpFormat::make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_subcommands(app, mode);
  const std::string heading = "Subcommands:";
  if (const std::size_t at = text.find(heading); at != std::string::npos)
    text.replace(at, heading.size(), styled(Style::heading, "Verbs:"));
  return text;
}

std::string HelpFormat::make_subcommand(const CLI::App* verb) const {
  constexpr int column = 18;  // verbs are shorter than options
  std::ostringstream out;     // words only
  CLI::detail::format_help(out, verb->get_display_name(true), wrapped(verb->get_description(), columns() - column),
                           column);
  return out.str();
}

// What it takes; what excludes it is reported where both are given.
std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (option->get_type_size() == 0) return "";
  const std::string type = option->get_positional() ? "" : option->get_type_name();
  const std::string usual = option->get_default_str();
  return (type.empty() ? "" : " " + type) + (usual.empty() ? "" : "=" + usual) +
         (option->get_required() ? " (required)" : "");
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  return wrapped(option->get_description(), columns() - static_cast<int>(get_column_width()));
}

std::string HelpFormat::make_description(const CLI::App* app) const {
  return wrapped(CLI::Formatter::make_description(app), columns());
}

std::string HelpFormat::make_footer(const CLI::App* app) const { return reflowed(app->get_footer()); }

}  // namespace armature::internal::cli
