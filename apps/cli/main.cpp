// armature: simulates and analyses mechanisms with closed kinematic loops.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "help_format.hpp"
#include "record/version.hpp"
#include "study/team.hpp"
#include "usage.hpp"
#include "verbs.hpp"

namespace {

using namespace armature::internal::cli;

constexpr const char* main_examples =
    "Examples:\n"
    "  armature demo delta                         simulate a Delta robot, explained\n"
    "  armature run models/rrr.yaml                simulate; results in results/rrr\n"
    "  armature run models/rrr.yaml --end 2 -o r   two seconds, into the folder r\n"
    "  armature check models/rrr.yaml              summary and suspicious input\n"
    "  armature format joints                      reference of the model file\n"
    "  armature run --help                         all options of a verb\n"
    "\nExit codes: 0 success; 1 the computation failed or was stopped; 2 the input or the command line is wrong.";

using Verbs = std::vector<std::pair<std::string, Verb>>;

// Whether the processes that mpirun starts divide the work of a verb among them.
bool shares_work(const std::string& verb) {
  static const std::map<std::string, bool> shared = {
#define VERB(name, shares_work) {#name, shares_work},
#include "verbs.def"
#undef VERB
  };
  return shared.at(verb);
}

// Also where the command line cannot be read.
bool asks_for_json(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string(word) == "--json"; });
}

// Only the one that the first word names: all of them take longer than a short run. --help, manual and completions tell of all, and so
// does the answer to a word that is no verb.
Verbs add_verbs(CLI::App& app, const std::string& word) {
  const std::pair<std::string, Verb (*)(CLI::App&)> all[] = {
#define VERB(name, ...) {#name, add_##name},
#include "verbs.def"
#undef VERB
  };
  const bool is_one = std::ranges::any_of(all, [&](const auto& verb) { return verb.first == word; });
  const bool alone = (is_one && word != "manual" && word != "completions") || word == "--version";
  Verbs verbs;
  for (const auto& [name, add] : all)
    if (!alone || name == word) verbs.emplace_back(name, add(app));
  return verbs;
}

std::vector<std::string> names_of(const Verbs& verbs) {
  std::vector<std::string> names;
  for (const auto& [name, verb] : verbs) names.push_back(name);
  return names;
}

// A file or folder that is given without a name, as by a variable of the shell that is empty; or nothing.
std::string empty_name(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    const std::string type = option->get_type_name(), name = option->get_name();
    const bool is_place = type == "FILE" || type == "DIR" || type == "RUN" || name == "FILE" || name == "RUN";
    if (!is_place || std::ranges::count(option->results(), "") == 0) continue;
    if (name != "--output") return name + " needs a name";
    return option->get_required() ? "-o needs a name" : "-o needs a name; without -o the default is taken";
  }
  return "";
}

int parse_and_run(CLI::App& app, int argc, char** argv) {
  const Verbs verbs = add_verbs(app, argc > 1 ? argv[1] : "");
  try {
    if (argc == 2 && argv[1][0] == '-') require_known_option(argv[1]);
    if (argc > 2 && argv[1][0] == '-') require_verb_first(argv[1]);
    if (argc > 1 && argv[1][0] != '-') require_verb(app, names_of(verbs), argv[1]);
    app.parse(argc, argv);
  } catch (const UsageError& error) {
    return refuse(error.what(), asks_for_json(argc, argv));
  } catch (const CLI::Success& help) {
    if (speaks_for_team()) app.exit(help);
    return ok;
  } catch (const CLI::ParseError& error) {
    return refuse(usage_sentence(app, error), asks_for_json(argc, argv));
  }
  for (const auto& [name, verb] : verbs) {
    CLI::App* chosen = app.get_subcommand(name);
    if (!chosen->parsed()) continue;
    const CLI::Option* json = chosen->get_option_no_throw("--json");
    if (const std::string sentence = empty_name(*chosen); !sentence.empty())
      return refuse(sentence, asks_for_json(argc, argv));
    if (!shares_work(name) && armature::internal::team_from_environment().rank > 0)
      return ok;  // the first process does it
    return guarded(verb, json && json->count() > 0);
  }
  return bad_input;
}

// Output that could not be written is a failure, whatever else went well.
int after_output(int code) {
  if (code == failed || (std::fflush(stdout) == 0 && !std::ferror(stdout))) return code;
  fmt::print(stderr, "cannot write the output: {}\n", std::strerror(errno));
  return failed;
}

}  // namespace

int main(int argc, char** argv) try {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows past the limit of its size is a write error like any other
  CLI::App app("Simulates and analyzes mechanisms with closed kinematic loops.", "armature");
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", std::string("armature ") + armature::internal::version(), "print the version");
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormat>());
  app.footer(main_examples);
  return after_output(parse_and_run(app, argc, argv));
} catch (const std::exception& error) {
  std::fprintf(stderr, "internal error: %s\n", error.what());
  return failed;
}
