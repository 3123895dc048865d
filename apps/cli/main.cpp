// armature: simulates and analyses mechanisms with closed kinematic loops.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "help_format.hpp"
#include "model/diagnostics.hpp"
#include "model_arguments.hpp"
#include "record/version.hpp"
#include "study/team.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace {

using namespace armature::internal::cli;

constexpr const char* main_examples =
    "Examples:\n"
    "  armature demo delta                              a Delta robot, simulated and explained\n"
    "  armature run models/rrr.yaml                     simulate; results go to results/rrr\n"
    "  armature run models/rrr.yaml --end 2 -o fast     two seconds, into the folder fast\n"
    "  armature check models/rrr.yaml                   what the model is made of, and what is odd about it\n"
    "  armature format joints                           list what a model file may contain\n"
    "  armature run --help                              all options of a verb\n"
    "\nExit codes: 0 done, 1 the computation failed or was stopped, 2 the input or the command line is wrong.";

using Verbs = std::vector<std::pair<std::string, Verb>>;

// CLI11 would only say that a verb is missing. Verbs of no group are for packages: the message does not list them.
void require_verb(const CLI::App& app, const Verbs& verbs, const std::string& word) {
  std::vector<std::string> names;
  for (const auto& [name, verb] : verbs)
    if (name == word || !app.get_subcommand(name)->get_group().empty()) names.push_back(name);
  armature::internal::require_known(word, names, "verb");
}

// CLI11 would take the verb for an argument of the option.
void require_verb_first(const std::string& option) {
  if (option == "-h" || option == "--help" || option == "--version") return;
  throw UsageError(fmt::format("'{}' stands before the verb; options follow it, as in 'armature run model.yaml {}'", option,
                               option));
}

// Whether the processes that mpirun starts divide the work of a verb among them.
bool shares_work(const std::string& verb) {
  const auto verbs = {"map", "sweep", "optimize", "tune", "singularities"};
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

// Also where the command line cannot be read.
bool asks_for_json(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string(word) == "--json"; });
}

// "unknown option '--colour' of run (did you mean …?)", in place of CLI11's list of words in reverse order.
std::string unknown_words(const CLI::App& app) {
  const CLI::App* verb = &app;
  while (!verb->get_subcommands().empty()) verb = verb->get_subcommands().front();
  std::vector<std::string> left = verb->remaining(), options;
  for (const CLI::Option* option : verb->get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  const auto unknown = std::ranges::find_if(left, [](const std::string& word) { return word.starts_with('-'); });
  if (unknown == left.end())
    return fmt::format("{}: '{}' is one word too many", verb->get_name(), left.empty() ? "" : left.front());
  const std::string name = unknown->substr(0, unknown->find('='));
  return fmt::format("{}: unknown option '{}'{}; 'armature {} --help' lists all", verb->get_name(), name,
                     armature::internal::did_you_mean(name, options), verb->get_name());
}

int parse_and_run(CLI::App& app, int argc, char** argv) {
  const Verbs verbs = {{"run", add_run(app)},
                       {"view", add_view(app)},
                       {"check", add_check(app)},
                       {"assemble", add_assemble(app)},
                       {"kinematics", add_kinematics(app)},
                       {"inverse", add_inverse(app)},
                       {"compare", add_compare(app)},
                       {"equations", add_equations(app)},
                       {"plot", add_plot(app)},
                       {"map", add_map(app)},
                       {"sweep", add_sweep(app)},
                       {"optimize", add_optimize(app)},
                       {"modes", add_modes(app)},
                       {"tune", add_tune(app)},
                       {"singularities", add_singularities(app)},
                       {"export", add_export(app)},
                       {"import", add_import(app)},
                       {"format", add_format(app)},
                       {"gallery", add_gallery(app)},
                       {"doctor", add_doctor(app)},
                       {"demo", add_demo(app)},
                       {"completions", add_completions(app)},
                       {"manual", add_manual(app)}};
  try {
    if (argc > 2 && argv[1][0] == '-') require_verb_first(argv[1]);
    if (argc > 1 && argv[1][0] != '-') require_verb(app, verbs, argv[1]);
    app.parse(argc, argv);
  } catch (const UsageError& error) {
    return refuse(error.what(), asks_for_json(argc, argv));
  } catch (const CLI::ExtrasError&) {
    return refuse(unknown_words(app), asks_for_json(argc, argv));
  } catch (const CLI::ParseError& error) {
    const bool help = error.get_exit_code() == 0;
    if (!help && asks_for_json(argc, argv)) return refuse(error.what(), true);
    if (!help && std::strlen(error.what()) > 2000) return refuse(error.what(), false);  // which cuts it
    if (!speaks_for_team()) return ok;
    return app.exit(error) == 0 ? ok : bad_input;
  }
  for (const auto& [name, verb] : verbs) {
    CLI::App* chosen = app.get_subcommand(name);
    if (!chosen->parsed()) continue;
    const CLI::Option* json = chosen->get_option_no_throw("--json");
    if (!shares_work(name) && armature::internal::team_from_environment().rank > 0) return ok;  // the first process does it
    return guarded(verb, json && json->count() > 0);
  }
  return bad_input;
}

// Output that could not be written is a failure, whatever else went well.
int after_output(int code) {
  if (code == failed || (std::fflush(stdout) == 0 && !std::ferror(stdout))) return code;
  fmt::print(stderr, "the output cannot be written: {}\n", std::strerror(errno));
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Simulates and analyses mechanisms with closed kinematic loops.", "armature");
  app.set_version_flag("--version", std::string("armature ") + armature::internal::version());
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormat>());
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
    return styled(Style::error, CLI::FailureMessage::simple(failed, error), stderr);
  });
  app.footer(main_examples);
  return after_output(parse_and_run(app, argc, argv));
}
