// armature kinematics FILE --move NAME=FORMULA: positions only.

#include <memory>

#include "execute.hpp"
#include "inspect/repeats.hpp"
#include "inverse/inverse_study.hpp"
#include "model_arguments.hpp"
#include "result_arguments.hpp"
#include "start_arguments.hpp"
#include "study/repeated_inverse.hpp"
#include "study/row_results.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* kinematics_examples =
    "Examples:\n"
    "  armature kinematics models/four_bar.yaml --move crank_angle='pi/2 + 2*pi*t' \\\n"
    "      --end 1 --record 0.01\n"
    "  armature kinematics models/rrr.yaml --move theta1='0.1*sin(t)' \\\n"
    "      --move theta2=1.37\n"
    "\nA coordinate that neither --move nor the loops determine stays as close as possible to its last value.\n"
    "If the mechanism cannot follow any further, the motion ends there and the exit code is 1.";

struct KinematicsArguments {
  ModelArguments model;
  StartArguments start;
  std::vector<std::string> move, results;  // "name=formula"
  std::optional<double> end, record;
  std::string output;
  bool no_report = false, no_verify = false;
};

Model read_driven(const KinematicsArguments& arguments) {
  Model model = arguments.model.read();
  for (const auto& [name, formula] : assignments(arguments.move, "--move"))
    model = driven(std::move(model), name, formula);
  if (arguments.end) model.simulate.end = *arguments.end;
  if (arguments.record) model.simulate.record = arguments.record;
  return model;
}

int kinematics(const KinematicsArguments& arguments) {
  const Model model = read_driven(arguments);
  const auto formulas = split_assignments(arguments.results, "--result");
  const RowResults results(model, formulas);
  const Model observed = results.model();
  const Prepared prepared = prepare_kinematics(observed, arguments.start);
  results.require_columns(quantities_left_out(observed, prepared), no_forces);
  std::optional<RowGatherer> rows;
  const Computation compute = [&](const Prepared& moved, Recorder& recorder, const Progress& progress, const Warn&) {
    rows.emplace(results.gatherer(recorder));
    return record_kinematics(observed, moved, *rows, progress);
  };
  Job job{model,
          arguments.model.settings(),
          prepared,
          result_folder(arguments.output, arguments.model.file, "kinematics"),
          arguments.model.json,
          !arguments.no_report};
  if (results.any()) job.results = [&] { return results.numbers(*rows); };
  const Repetition finer = finer_rows_alone(model);
  const Model again = repeated(model, finer);
  std::optional<ErrorBars> errors;
  if (results.any() && !arguments.no_verify && errors_are_wanted())
    errors.emplace(again, finer.how, [&](const Model& moved, const Progress& progress) {
      return kinematics_again(moved, formulas, arguments.start, progress);
    });
  job.errors = errors ? &*errors : nullptr;
  return execute(job, compute);
}

}  // namespace

Verb add_kinematics(CLI::App& app) {
  auto arguments = std::make_shared<KinematicsArguments>();
  CLI::App* verb =
      app.add_subcommand("kinematics", "prescribe coordinates as formulas in t and solve the loops for the rest");
  verb->footer(kinematics_examples);
  arguments->model.add_to(*verb);
  verb->add_option("--move", arguments->move, "prescribe a coordinate by a formula in t; repeatable")
      ->type_name("NAME=FORMULA")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_option("--end", arguments->end, "time at which the motion ends")->type_name("SECONDS")->check(positive);
  verb->add_option("--record", arguments->record, "time between recorded rows")->type_name("SECONDS")->check(positive);
  verb->add_option("-o,--output", arguments->output, "results folder (default: results/<file>_kinematics)")
      ->type_name("DIR");
  add_results_to(*verb, arguments->results);
  verb->add_flag("--no-report", arguments->no_report, "do not write report.html");
  add_no_verify_to(*verb, arguments->no_verify);
  arguments->start.add_to(*verb, false);
  return [arguments] { return kinematics(*arguments); };
}

}  // namespace armature::internal::cli
