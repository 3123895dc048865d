// armature inverse FILE: the efforts, currents and voltages of a wanted motion.

#include <memory>

#include "execute.hpp"
#include "inverse/inverse_study.hpp"
#include "model_arguments.hpp"
#include "start_arguments.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* inverse_examples =
    "Examples:\n"
    "  armature inverse models/slider_crank.yaml -o torques\n"
    "  armature inverse models/slider_crank.yaml --end 1 --record 0.001\n"
    "\nThe file says what is wanted: inverse: {motion: {q1: \"quintic(t, 0, 1)\", q2: 0}}. Motors of the file act; "
    "actuators: [q1]\n"
    "adds ideal torques or forces.";

struct InverseArguments {
  ModelArguments model;
  StartArguments start;
  std::optional<double> end, record;
  std::string output;
  bool no_report = false;
};

int run_inverse(const InverseArguments& arguments) {
  Model model = arguments.model.read();
  if (arguments.end) model.simulate.end = *arguments.end;
  if (arguments.record) model.simulate.record = arguments.record;
  const Prepared prepared = prepare_inverse(model, arguments.start);
  const Computation compute = [&](const Prepared& moved, Recorder& recorder, const Progress& progress, const Warn&) {
    return inverse(model, moved, recorder, progress);
  };
  return execute(
      {model, arguments.model.settings(), prepared, result_folder(arguments.output, arguments.model.file, "inverse"),
       arguments.model.json, !arguments.no_report},
      compute);
}

}  // namespace

Verb add_inverse(CLI::App& app) {
  auto arguments = std::make_shared<InverseArguments>();
  CLI::App* verb = app.add_subcommand("inverse", "efforts, currents and voltages that produce a wanted motion");
  verb->footer(inverse_examples);
  arguments->model.add_to(*verb);
  verb->add_option("--end", arguments->end, "time at which the motion ends")->type_name("S")->check(positive);
  verb->add_option("--record", arguments->record, "time between rows")->type_name("S")->check(positive);
  verb->add_option("-o,--output", arguments->output, "folder of the results; results/<file>_inverse if not given")
      ->type_name("DIR");
  verb->add_flag("--no-report", arguments->no_report, "write no report.html");
  arguments->start.add_to(*verb, false);
  return [arguments] { return run_inverse(*arguments); };
}

}  // namespace armature::internal::cli
