// armature assemble FILE: closes the loops and shows the start, or all the ways in which they close.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "model_arguments.hpp"
#include "prepare/branches.hpp"
#include "record/json_text.hpp"
#include "record/run_record.hpp"
#include "start_arguments.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* assemble_examples =
    "Examples:\n"
    "  armature assemble models/four_bar.yaml          the start pose, and what moved\n"
    "  armature assemble models/four_bar.yaml --all    branches found, numbered\n"
    "  armature run models/four_bar.yaml --branch 2    a run on the second branch";

struct AssembleArguments {
  ModelArguments model;
  StartArguments start;
  bool all = false;
};

void print_entries(const StoredState::Entries& entries, const std::vector<Coordinate>& coordinates) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    fmt::print("  {:<20} {:>24.17g} {}\n", entries[i].first, entries[i].second, coordinates[i].unit);
}

void print_state(const State& state, const Equations& equations) {
  const StoredState stored = store(state, equations);
  print_entries(stored.q, equations.positions);
  print_entries(stored.v, equations.velocities);
  print_entries(stored.z, equations.others);
}

int print_start(const Prepared& prepared, bool json) {
  const Equations& equations = prepared.system->equations();
  if (json) {
    const Json result = {
        {"status", "finished"}, {"notes", prepared.notes}, {"start", to_json(store(prepared.start, equations))}};
    fmt::print("{}\n", json_text(result));
    return ok;
  }
  for (const std::string& note : prepared.notes) print_note(note);
  print_state(prepared.start, equations);
  return ok;
}

int print_branches(const Prepared& prepared, bool json) {
  const Equations& equations = prepared.system->equations();
  const AssemblyPoses found = find_branches(prepared);
  const std::vector<State>& branches = found.states;
  if (branches.empty())
    throw ComputationError("the loops cannot be closed; 'armature assemble FILE' names the loop that stays open");
  Json list = Json::array();
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (json) {
      list.push_back(to_json(store(branches[i], equations)));
      continue;
    }
    fmt::print("branch {}\n", i + 1);
    print_entries(store(branches[i], equations).q, equations.positions);
  }
  if (json)
    fmt::print("{}\n", json_text({{"status", "finished"},
                                  {"branches", list},
                                  {"free_motions", found.motions},
                                  {"held", found.held},
                                  {"guesses", found.guesses},
                                  {"closed", found.closed},
                                  {"complete", false}}));
  else
    print_note(what_was_searched(found));
  return ok;
}

int assemble(const AssembleArguments& arguments) {
  Prepared prepared = compile(arguments.model.read());
  if (arguments.all) return print_branches(prepared, arguments.model.json);
  require_chosen_start(prepared, arguments.start);
  return print_start(prepared, arguments.model.json);
}

}  // namespace

Verb add_assemble(CLI::App& app) {
  auto arguments = std::make_shared<AssembleArguments>();
  CLI::App* verb = app.add_subcommand("assemble", "close the loops and show the start pose");
  verb->footer(assemble_examples);
  arguments->model.add_to(*verb);
  verb->add_flag("--all", arguments->all,
                 "list the assembly branches found from some 300 guesses, which need not be all");
  arguments->start.add_to(*verb, false);
  return [arguments] { return assemble(*arguments); };
}

}  // namespace armature::internal::cli
