// armature run FILE: simulates a model.

#include <fmt/format.h>

#include <memory>

#include "couple/coupled_run.hpp"
#include "errors.hpp"
#include "execute.hpp"
#include "identify/driven_model.hpp"
#include "inspect/repeats.hpp"
#include "inspect/verify.hpp"
#include "interrupt.hpp"
#include "model_arguments.hpp"
#include "read/fmu_uses.hpp"
#include "result_arguments.hpp"
#include "run_command.hpp"
#include "simulate_arguments.hpp"
#include "start_arguments.hpp"
#include "study/motion_results.hpp"
#include "trust.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* run_examples =
    "Examples:\n"
    "  armature run models/four_bar.yaml\n"
    "  armature run models/four_bar.yaml --set crank_length='0.25 m' --end 3 -o short\n"
    "  armature run models/four_bar.yaml --integrator rk4 --step 1e-3\n"
    "  armature run models/four_bar.yaml --stabilization baumgarte:20:100\n"
    "  armature run models/four_bar.yaml --set crank_length='0.25 m' \\\n"
    "      --from short --end 20 -o longer\n"
    "  armature run models/crane.yaml --result 'peak=max(motor.current)' \\\n"
    "      --result 'late=at(travel, 8)'\n"
    "  armature run models/four_bar.yaml --verify\n"
    "\nCtrl-C stops the run and keeps what was recorded.";

struct RunArguments {
  ModelArguments model;
  SimulateArguments simulate;
  StartArguments start;
  std::string output, inputs;
  std::vector<std::string> results;  // "name=formula"
  bool no_report = false, verify = false, no_verify = false, trust = false;
};

// The state of the other run is the start.
void refuse_two_starts(const RunArguments& arguments) {
  for (const auto& [name, formula] : arguments.model.settings())
    if (!arguments.start.from.empty() && name.starts_with("start."))
      throw UsageError(fmt::format("--set {}: --from {} already gives the start", name, arguments.start.from));
}

// An FMU cannot be asked to do the same once more, and a run that goes on has lost its state.
void refuse_repeated_runs(const RunArguments& arguments) {
  if (arguments.verify) throw UsageError("--verify: a run with FMUs cannot be repeated by other methods");
  if (!arguments.results.empty())
    throw UsageError("--result: numbers of a run with FMUs are not computed; read them from trajectory.csv");
  if (!arguments.start.from.empty())
    throw UsageError("--from: the state of the FMUs at the end of that run is not known");
}

// For the command that a page shows.
std::string start_options(const StartChoice& start) {
  if (!start.from.empty()) return "--from " + quoted_word(start.from);
  return start.branch > 0 ? fmt::format("--branch {}", start.branch) : "";
}

int run(const RunArguments& arguments) {
  refuse_two_starts(arguments);
  Model model = arguments.model.read();
  arguments.simulate.apply(model.simulate, arguments.model.settings());
  if (!arguments.inputs.empty()) model = driven_by_inputs(model, read_measured(arguments.inputs));
  Prepared prepared = compile(model);
  require_chosen_start(prepared, arguments.start);
  append(held_inputs(model, prepared.start.t, prepared.options.end), prepared.findings);
  if (prepared.start.t >= prepared.options.end)
    throw UsageError(fmt::format("the run starts at t = {:g} s, which is not before its end at {:g} s (see --end)",
                                 prepared.start.t, prepared.options.end));
  const PageRun computed{prepared, !arguments.start.from.empty(), start_options(arguments.start)};
  Job job{model,
          arguments.model.settings(),
          prepared,
          result_folder(arguments.output, arguments.model.file, "run"),
          arguments.model.json,
          !arguments.no_report,
          arguments.inputs.empty() ? &computed : nullptr};
  const auto formulas = split_assignments(arguments.results, "--result");
  const MotionResults results(model, formulas);
  // a run that another method repeats, or that FMUs take part in, is not watched along
  const std::unique_ptr<MotionWatcher> along =
      arguments.verify || !fmu_uses(model).empty() ? nullptr : results.watcher_of(prepared);
  if (!arguments.results.empty())
    job.results = [&] {
      if (along) return results.seen_by(*along);
      const Interrupt interrupt;
      return results.compute(arguments.start, [&](double, long) { return !interrupt.requested(); });
    };
  if (!fmu_uses(model).empty()) {
    refuse_repeated_runs(arguments);
    refuse_exchanges(model, prepared.options.end);
    const std::vector<FmuArchive> fmus = fmu_archives(model);
    require_trust(model, fmus, arguments.trust);
    return execute(job, [&](const Prepared& run, Recorder& recorder, const Progress& progress, const Warn& warn) {
      return simulate_coupled(model, fmus, run, recorder, progress, warn);
    });
  }
  NumbersOfMotion numbers;
  if (!formulas.empty())
    numbers = [&](const Model& moved, const Progress& progress) -> ResultNumbers {
      NamedNumbers found = MotionResults(moved, formulas).compute(arguments.start, progress, repeated_integrals);
      return {std::move(found.numbers), std::move(found.units)};
    };
  std::optional<ErrorBars> errors;
  if (!arguments.verify && !arguments.no_verify && errors_are_wanted()) errors.emplace(model, prepared, numbers);
  job.errors = errors ? &*errors : nullptr;
  const auto alone = [&](const Prepared& run, Recorder& recorder, const Progress& progress, const Warn& warn) {
    return simulate(run, errors ? errors->beside(recorder) : recorder, progress, warn, along.get());
  };
  if (!arguments.verify) return execute(job, alone);
  std::optional<Verification> verification;
  job.verification = &verification;
  return execute(job, [&](const Prepared& run, Recorder& recorder, const Progress& progress, const Warn& warn) {
    auto [outcome, found] = armature::internal::verify(model, run, recorder, progress, warn, numbers);
    verification = std::move(found);
    return outcome;
  });
}

}  // namespace

Verb add_run(CLI::App& app) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* verb = app.add_subcommand("run", "simulate a model");
  verb->footer(run_examples);
  arguments->model.add_to(*verb);
  verb->add_option("-o,--output", arguments->output, "results folder (default: results/<file>)")->type_name("DIR");
  add_results_to(*verb, arguments->results);
  verb->add_option("--inputs", arguments->inputs,
                   "CSV file with columns for t and for inputs of the model, interpolated linearly; before its first "
                   "and after its last time the value is held")
      ->type_name("FILE");
  verb->add_flag("--no-report", arguments->no_report, "do not write report.html");
  verb->add_flag("--verify", arguments->verify,
                 "repeat the run with a tighter tolerance, another formulation and another integrator, and print how "
                 "many digits agree");
  add_no_verify_to(*verb, arguments->no_verify);
  verb->get_option("--no-verify")->excludes("--verify");
  verb->add_flag("--trust", arguments->trust,
                 "allow the model's FMUs, which contain third-party code, to run; needed once per file");
  arguments->start.add_to(*verb, true);
  arguments->simulate.add_to(*verb);
  return [arguments] { return run(*arguments); };
}

}  // namespace armature::internal::cli
