// armature identify FILE DATA.csv … --fit …: the parameters with which the model moves as was measured.

#include "identify/identification.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "expression/interruption.hpp"
#include "identify/combination_words.hpp"
#include "identify/identification_files.hpp"
#include "interrupt.hpp"
#include "lists.hpp"
#include "model_arguments.hpp"
#include "plan/plan_files.hpp"
#include "progress_bar.hpp"
#include "record/json_text.hpp"
#include "record/results_folder.hpp"
#include "record/write_text.hpp"
#include "report/identification_page.hpp"
#include "simulate_arguments.hpp"
#include "study/dimensions.hpp"
#include "study/variables.hpp"
#include "terminal.hpp"
#include "trust.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* identify_examples =
    "Examples:\n"
    "  armature identify models/measured/crane.yaml models/measured/crane.csv \\\n"
    "      --fit cart_mass,load_mass,friction\n"
    "  armature identify models/measured/crane.yaml models/measured/crane.csv \\\n"
    "      --fit 'rope=0.5 m:1 m' --fit load_mass --offset swing --robust -o crane\n"
    "  armature identify models/measured/crane.yaml models/measured/crane.csv \\\n"
    "      --fit cart_mass,load_mass,friction --excite\n"
    "\nA record is a CSV file with a line of names and units, t [s] among them. A column named as an input of the "
    "model drives it; all "
    "others are signals of the model (theta1, theta1', motor1.current, platform.C.x) that the fit compares. Empty "
    "fields were not measured.\n"
    "The search starts from the model's own values (--set changes them) and uses exact derivatives of the motion. Each "
    "column counts in units "
    "of its noise, which is estimated unless --noise gives it.\n"
    "Intervals have a confidence of 95 % if the model is right and the noise is white; Armature warns if the residuals "
    "are not white.";

struct IdentifyArguments {
  ModelArguments model;
  SimulateArguments simulate;
  std::vector<std::string> data, fit, noise;
  std::string fit_start, offset, use, output;
  bool robust = false, excite = false, no_report = false;
  int evaluations = 100, threads = 0;
};

// "l2=0.5 m:0.7 m", "m2"
IdentifyOptions::Fit fit_of(const std::string& text, const Model& model) {
  const auto equals = text.find('=');
  IdentifyOptions::Fit fit;
  if (equals == std::string::npos) {
    fit.name = text;
    return fit;
  }
  const auto [name, range] = split_assignment(text, "--fit");
  const std::vector<std::string> ends = split_list(range, ':');
  if (ends.size() != 2) throw UsageError(fmt::format("--fit {}: expected NAME or NAME=LOW:HIGH", text));
  fit.name = name;
  in_option("fit " + text, [&, &name = name] {
    const auto dimension = dimension_of_varied(name, model);
    fit.low = constant_in(ends[0], model, dimension), fit.high = constant_in(ends[1], model, dimension);
  });
  if (!(fit.low < fit.high)) throw UsageError(fmt::format("--fit {}: the range is empty", text));
  return fit;
}

IdentifyOptions options_of(const IdentifyArguments& arguments, const Model& model) {
  IdentifyOptions options;
  for (const std::string& list : arguments.fit)
    for (const std::string& text : split_list(list)) options.fit.push_back(fit_of(text, model));
  const auto names = [](const std::string& text) {
    return text.empty() ? std::vector<std::string>() : split_list(text);
  };
  options.fit_start = names(arguments.fit_start);
  options.offsets = names(arguments.offset);
  options.use = names(arguments.use);
  for (const auto& [name, value] : assignments(arguments.noise, "--noise"))
    options.noise.emplace_back(
        name, in_option("noise " + name, [&, &value = value] { return constant_in(value, model, std::nullopt); }));
  options.robust = arguments.robust;
  options.evaluations = arguments.evaluations;
  options.threads = arguments.threads;
  options.settings = arguments.model.settings();
  return options;
}

std::string interval_words(const Estimate& estimate) {
  if (estimate.bound != 0) return estimate.bound < 0 ? "at its lower end" : "at its upper end";
  return std::isfinite(estimate.half_width) ? fmt::format("{:.2g}", estimate.half_width) : "not determined";
}

void print_estimates(const IdentifyResult& result) {
  TextTable table({"unknown", "initial value", "estimate", "± (95 %)", "unit"});
  for (const Estimate& estimate : result.estimates)
    table.add({words_of(estimate), fmt::format("{:.6g}", estimate.first), fmt::format("{:.6g}", estimate.value),
               interval_words(estimate), estimate.unit});
  table.print();
}

void print_residuals(const IdentifyResult& result) {
  TextTable table({"residuals of", "values", "RMS", "neighbors", "peak [Hz]", "unit"});
  for (const IdentifyResult::Column& column : result.columns) {
    const ResidualAnalysis& r = column.residuals;
    table.add({result.experiments.size() > 1 ? fmt::format("{} (record {})", column.name, column.experiment + 1)
                                             : column.name,
               fmt::format("{}", r.count), fmt::format("{:.4g}", r.rms), fmt::format("{:.2f}", r.neighbor_correlation),
               fmt::format("{:.3g}", r.peak_frequency), column.unit});
  }
  table.print();
}

void print_text(const IdentifyResult& result) {
  if (result.status == IdentifyStatus::converged)
    fmt::print("{}\n", fitted(result.sentence));
  else
    fmt::print(stderr, "{}\n", styled(Style::error, fitted(result.sentence, stderr, 2), stderr));
  if (result.estimates.empty()) return;
  print_estimates(result);
  print_residuals(result);
  for (const std::string& warning : result.warnings) print_warning(warning);
  for (const std::string& note : result.notes) print_note(note);
  fmt::print("{} evaluations in {:.3g} s\n", result.evaluations, result.seconds);
}

Ending identify_ending(IdentifyStatus status) {
  return status == IdentifyStatus::converged ? Ending::finished
         : status == IdentifyStatus::stopped ? Ending::stopped
                                             : Ending::failed;
}

struct IdentifiedAndNext {
  IdentifyResult fit;
  std::optional<Excitation> next;
};

IdentifiedAndNext identify_watched(const Model& model, const std::vector<MeasuredRecord>& records,
                                   IdentifyOptions& options, bool excite_next, bool json) {
  Interrupt interrupt;
  ProgressBar bar(0, 1);
  std::string line = "compiling";
  options.progress = [&](const std::string& what) {
    if (!what.empty()) line = what;
    if (!json) bar.show([&](double) { return line; });
    return !interrupt.requested();
  };
  IdentifiedAndNext result{identify(model, records, options), {}};
  if (excite_next && result.fit.status == IdentifyStatus::converged)
    result.next = excite(model, records, options, result.fit);
  return result;
}

std::string deviation_words(double deviation) {
  return std::isfinite(deviation) ? fmt::format("{:.2g}", deviation) : "not determined";
}

void print_excitation(const Excitation& excitation) {
  if (excitation.stopped)
    return fmt::print("the search for the next experiment was stopped; excitation.csv is the best so far\n");
  fmt::print("the next experiment: excitation.csv, found in {} motions\n", excitation.evaluations);
  TextTable table({"parameter", "standard deviation now", "with that record too"});
  for (std::size_t k = 0; k < excitation.then.size(); ++k)
    table.add({excitation.parameters[k], deviation_words(excitation.now[k]), deviation_words(excitation.then[k])});
  table.print();
  for (const std::string& note : excitation.notes) print_note(note);
}

int identify_model(const IdentifyArguments& arguments) {
  Model model = arguments.model.read();
  arguments.simulate.apply(model.simulate, arguments.model.settings());
  refuse_fmus(model);
  std::vector<MeasuredRecord> records;
  for (const std::string& file : arguments.data) records.push_back(read_measured(file));
  IdentifyOptions options = options_of(arguments, model);
  ResultsFolder folder(result_folder(arguments.output, arguments.model.file, "identify"), ResultKind::identification);
  const auto [result, next] = identify_watched(model, records, options, arguments.excite, arguments.model.json);
  std::vector<std::string> files = write_files(result, model, options, folder.partial());
  if (next) {
    write_excitation(*next, folder.partial() / "excitation.csv");
    files.push_back("excitation.csv");
  }
  if (!arguments.no_report) {
    write_text(folder.partial() / "report.html", identification_page(result, model));
    files.push_back("report.html");
  }
  folder.publish(identify_ending(result.status));
  if (arguments.model.json) {
    nlohmann::ordered_json json = to_json(result, model, options);
    if (next) json["excitation"] = to_json(*next);
    json["results"] = folder.path().string();
    fmt::print("{}\n", json_text(json));
  } else {
    print_text(result);
    if (next) print_excitation(*next);
    print_results(folder.path().string(), files);
  }
  return result.status == IdentifyStatus::converged ? ok : failed;
}

}  // namespace

Verb add_identify(CLI::App& app) {
  auto arguments = std::make_shared<IdentifyArguments>();
  CLI::App* verb = app.add_subcommand("identify", "fit parameters to measured records");
  verb->footer(identify_examples);
  arguments->model.add_to(*verb);
  verb->add_option("DATA", arguments->data, "measured records (CSV)")->required()->type_name("FILE …");
  const auto repeatable = [](CLI::Option* option, const char* type) {
    option->type_name(type)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  repeatable(
      verb->add_option("--fit", arguments->fit, "parameters to fit, each with a range if it has one; repeatable"),
      "NAME[=LOW:HIGH],…");
  verb->add_option("--fit-start", arguments->fit_start,
                   "initial values (NAME of a coordinate) and rates (NAME.v) to fit, for each record")
      ->type_name("NAME,…");
  verb->add_option("--offset", arguments->offset, "columns whose sensor has an unknown constant offset")
      ->type_name("NAME,…");
  verb->add_option("--use", arguments->use, "compare only these columns (default: all)")->type_name("NAME,…");
  repeatable(
      verb->add_option("--noise", arguments->noise, "standard deviation of a column (default: estimated); repeatable"),
      "NAME=VALUE");
  verb->add_flag("--robust", arguments->robust, "reduce the weight of outliers (Huber's loss)");
  verb->add_flag("--excite", arguments->excite,
                 "also compute the inputs whose record would be most informative about the parameters: excitation.csv");
  verb->add_option("--evaluations", arguments->evaluations, "largest number of evaluations per search (default: 100)")
      ->type_name("N")
      ->check(whole_between(1, 1000000));
  verb->add_option("--threads", arguments->threads, "threads of this process (default: one per core)")
      ->type_name("N")
      ->check(whole);
  verb->add_option("-o,--output", arguments->output, "results folder (default: results/<file>_identify)")
      ->type_name("DIR");
  verb->add_flag("--no-report", arguments->no_report, "do not write report.html");
  arguments->simulate.add_to(*verb);
  return [arguments] { return identify_model(*arguments); };
}

}  // namespace armature::internal::cli
