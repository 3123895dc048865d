// armature kinematics FILE --move NAME=FORMULA: positions only.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "errors.hpp"
#include "execute.hpp"
#include "expression/derivative.hpp"
#include "inverse/kinematic_record.hpp"
#include "model_arguments.hpp"
#include "start_arguments.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* kinematics_examples =
    "Examples:\n"
    "  armature kinematics models/four_bar.yaml --move crank_angle='pi/2 + 2*pi*t' --end 1 --record 0.01\n"
    "  armature kinematics models/rrr.yaml --move theta1='0.1*sin(t)' --move theta2=1.37\n"
    "\nA coordinate that is neither moved nor held by the loops stays as near as it can to where it was.\n"
    "Where the machine cannot reach any further the motion ends, at the limit, and the exit code is 1.";

struct KinematicsArguments {
  ModelArguments model;
  StartArguments start;
  std::vector<std::string> move;  // "name=formula"
  std::optional<double> end, record;
  std::string output;
  bool no_report = false;
};

Model read_driven(const KinematicsArguments& arguments) {
  Model model = arguments.model.read();
  for (const auto& [name, formula] : assignments(arguments.move, "--move"))
    model = driven(std::move(model), name, formula);
  if (arguments.end) model.simulate.end = *arguments.end;
  if (arguments.record) model.simulate.record = arguments.record;
  return model;
}

// Also through a comparison: if(t > 1, …).
bool moves_with_time(Expression x, const Equations& equations) {
  if (depends_on(x, equations.t)) return true;
  const auto& modes = equations.graph->modes();
  for (std::size_t k = 0; k < modes.size(); ++k)
    if (depends_on(modes[k].root, equations.t) && depends_on(x, equations.graph->mode(static_cast<int>(k))))
      return true;
  return false;
}

// All rows would be the same.
void refuse_standstill(const Equations& equations) {
  for (const ConstraintRow& row : equations.rows)
    if (moves_with_time(row.phi, equations)) return;
  std::vector<std::string> names;
  for (const Coordinate& coordinate : equations.positions) names.push_back(coordinate.name);
  throw UsageError(
      fmt::format("nothing moves: give --move NAME=FORMULA, a formula of t, for one of {}", fmt::join(names, ", ")));
}

int kinematics(const KinematicsArguments& arguments) {
  const Model model = read_driven(arguments);
  Prepared prepared = compile(model);
  refuse_standstill(prepared.system->equations());
  if (!arguments.start.assemble(prepared)) throw ComputationError(prepared.failure);
  const Computation compute = [&](const Prepared& moved, Recorder& recorder, const Progress& progress, const Warn&) {
    return record_kinematics(model, moved, recorder, progress);
  };
  return execute(
      {model, arguments.model.settings(), prepared, arguments.output, arguments.model.json, !arguments.no_report},
      compute);
}

}  // namespace

Verb add_kinematics(CLI::App& app) {
  auto arguments = std::make_shared<KinematicsArguments>();
  CLI::App* verb =
      app.add_subcommand("kinematics", "move coordinates by formulas of t and solve the loops for the rest");
  verb->footer(kinematics_examples);
  arguments->model.add_to(*verb);
  verb->add_option("--move", arguments->move, "drive a coordinate: NAME=FORMULA of t; may be repeated")
      ->type_name("NAME=FORMULA")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_option("--end", arguments->end, "time at which the motion ends")->type_name("S")->check(positive);
  verb->add_option("--record", arguments->record, "time between positions")->type_name("S")->check(positive);
  verb->add_option("-o,--output", arguments->output, "folder of the results; results/<model name> if not given")
      ->type_name("DIR");
  verb->add_flag("--no-report", arguments->no_report, "write no report.html");
  arguments->start.add_to(*verb, false);
  return [arguments] { return kinematics(*arguments); };
}

}  // namespace armature::internal::cli
