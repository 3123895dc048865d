#include "usage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "errors.hpp"
#include "model/diagnostics.hpp"

namespace armature::internal::cli {
namespace {

const CLI::App& chosen_verb(const CLI::App& app) {
  const CLI::App* verb = &app;
  while (!verb->get_subcommands().empty()) verb = verb->get_subcommands().front();
  return *verb;
}

// "--end SECONDS", as in the help.
std::string call_of(const CLI::App& verb, const std::string& name) {
  const CLI::Option* option = verb.get_option_no_throw(name);
  const bool named = option && name.starts_with('-') && option->get_type_size() > 0;
  return named ? name + " " + option->get_type_name() : name;
}

std::string unknown_words(const CLI::App& verb) {
  const std::vector<std::string> left = verb.remaining();
  const auto unknown = std::ranges::find_if(left, [](const std::string& word) { return word.starts_with('-'); });
  if (unknown == left.end())
    return fmt::format("{}: unexpected argument '{}'; put quotes around a formula that contains spaces",
                       verb.get_name(), left.empty() ? "" : left.front());
  std::vector<std::string> options;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  const std::string name = unknown->substr(0, unknown->find('='));
  return fmt::format("{}: unknown option '{}'{}; 'armature {} --help' lists all options", verb.get_name(), name,
                     did_you_mean(name, options), verb.get_name());
}

// CLI11 keeps what it knows in its text: the name of the option comes first.
std::string sentence_of(const CLI::App& verb, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string name = text.substr(0, text.find_first_of(": "));
  const std::string see = fmt::format("; see 'armature {} --help'", verb.get_name());
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) return unknown_words(verb);
  if (dynamic_cast<const CLI::RequiredError*>(&error))
    return fmt::format("{}: {} is missing{}", verb.get_name(), call_of(verb, name), see);
  if (dynamic_cast<const CLI::ExcludesError*>(&error))
    return fmt::format("{} and {} exclude each other; give one of them", name, text.substr(text.rfind(' ') + 1));
  if (dynamic_cast<const CLI::ConversionError*>(&error)) {
    const std::size_t equals = text.find(" = "), from = text.rfind(' ', equals - 1) + 1;
    return fmt::format("{}: '{}' is not a number{}", text.substr(from, equals - from), text.substr(equals + 3), see);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    if (text.ends_with(" missing")) return fmt::format("{} needs a value: {}{}", name, call_of(verb, name), see);
    if (text.find("At Most") != std::string::npos) return fmt::format("{} is given more than once; give it once", name);
    if (text.find("flag") != std::string::npos) return fmt::format("{} takes no value", name);
  }
  return text;
}

}  // namespace

void require_verb(const CLI::App& app, const std::vector<std::string>& verbs, const std::string& word) {
  std::vector<std::string> names;
  for (const std::string& name : verbs)
    if (name == word || !app.get_subcommand(name)->get_group().empty()) names.push_back(name);
  require_known(word, names, "verb");
}

void require_verb_first(const std::string& option) {
  if (option == "-h" || option == "--help" || option == "--version") return;
  throw UsageError(fmt::format("'{}' comes before the verb; write options after it, as in 'armature run model.yaml {}'",
                               option, option));
}

void require_known_option(const std::string& option) {
  const std::vector<std::string> known = {"-h", "--help", "--version"};
  if (std::ranges::find(known, option) != known.end()) return;
  throw UsageError(fmt::format("unknown option '{}'{}; 'armature --help' lists the verbs", option,
                               did_you_mean(option, {"--help", "--version"})));
}

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& verb = chosen_verb(app);
  if (&verb == &app)
    return dynamic_cast<const CLI::ExtrasError*>(&error) && !app.remaining().empty()
               ? fmt::format("unknown option '{}'; 'armature --help' lists the verbs", app.remaining().front())
               : "a verb is missing, as in 'armature run model.yaml'; 'armature --help' lists the verbs";
  return sentence_of(verb, error);
}

}  // namespace armature::internal::cli
