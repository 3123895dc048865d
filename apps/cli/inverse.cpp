// armature inverse FILE: the efforts, currents and voltages of a wanted motion.

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

constexpr const char* inverse_examples =
    "Examples:\n"
    "  armature inverse models/slider_crank.yaml -o torques\n"
    "  armature inverse models/slider_crank.yaml --end 1 --record 0.001\n"
    "  armature inverse models/slider_crank.yaml \\\n"
    "      --result 'peak=max(abs(motor.torque))' \\\n"
    "      --result 'rms=sqrt(mean(motor.current^2))'\n"
    "\nThe model file prescribes the motion: inverse: {motion: {q1: \"quintic(t, 0, 1)\", q2: 0}}.\n"
    "The motors of the file produce it; actuators: [q1] adds ideal torques or forces.";

struct InverseArguments {
  ModelArguments model;
  StartArguments start;
  std::optional<double> end, record;
  std::string output;
  std::vector<std::string> results;  // "name=formula"
  bool no_report = false, no_verify = false;
};

int run_inverse(const InverseArguments& arguments) {
  Model model = arguments.model.read();
  if (arguments.end) model.simulate.end = *arguments.end;
  if (arguments.record) model.simulate.record = arguments.record;
  const auto formulas = split_assignments(arguments.results, "--result");
  const RowResults results(model, formulas);
  const Model observed = results.model();
  const Prepared prepared = prepare_inverse(observed, arguments.start);
  std::optional<RowGatherer> rows;
  const Computation compute = [&](const Prepared& moved, Recorder& recorder, const Progress& progress, const Warn&) {
    rows.emplace(results.gatherer(recorder));
    return inverse(observed, moved, *rows, progress);
  };
  Job job{model,
          arguments.model.settings(),
          prepared,
          result_folder(arguments.output, arguments.model.file, "inverse"),
          arguments.model.json,
          !arguments.no_report};
  if (results.any()) job.results = [&] { return results.numbers(*rows); };
  const Repetition finer = finer_rows(model);
  const Model again = repeated(model, finer);
  std::optional<ErrorBars> errors;
  if (!arguments.no_verify && errors_are_wanted())
    errors.emplace(again, finer.how, [&](const Model& moved, const Progress& progress) {
      return inverse_again(moved, formulas, arguments.start, progress);
    });
  job.errors = errors ? &*errors : nullptr;
  return execute(job, compute);
}

}  // namespace

Verb add_inverse(CLI::App& app) {
  auto arguments = std::make_shared<InverseArguments>();
  CLI::App* verb = app.add_subcommand("inverse", "compute the torques, currents and voltages of a prescribed motion");
  verb->footer(inverse_examples);
  arguments->model.add_to(*verb);
  verb->add_option("--end", arguments->end, "time at which the motion ends")->type_name("SECONDS")->check(positive);
  verb->add_option("--record", arguments->record, "time between recorded rows")->type_name("SECONDS")->check(positive);
  verb->add_option("-o,--output", arguments->output, "results folder (default: results/<file>_inverse)")
      ->type_name("DIR");
  add_results_to(*verb, arguments->results);
  verb->add_flag("--no-report", arguments->no_report, "do not write report.html");
  add_no_verify_to(*verb, arguments->no_verify);
  arguments->start.add_to(*verb, false);
  return [arguments] { return run_inverse(*arguments); };
}

}  // namespace armature::internal::cli
