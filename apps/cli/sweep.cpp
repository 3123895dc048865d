// armature sweep FILE --over … --result …: numbers of the motion over many parameters and start values.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "cell_session.hpp"
#include "errors.hpp"
#include "lists.hpp"
#include "motion_failures.hpp"
#include "point_list.hpp"
#include "room.hpp"
#include "run_command.hpp"
#include "study/motion_warnings.hpp"
#include "study/statistics.hpp"
#include "study/study_cells.hpp"
#include "study_report.hpp"
#include "study_warnings.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* sweep_examples =
    "Examples:\n"
    "  armature sweep models/crane.yaml --over rope=0.5:1:11 --over volts=5:15:11 --result 'swing=max(abs(swing))'\n"
    "  armature sweep models/crane.yaml --sobol 256 --over rope=0.5:1 --over volts=5:15 --result 'peak=max(motor.current)'\n"
    "  printf 'rope,volts\\n0.6,8\\n0.8,12\\n' > measured.csv\n"
    "  armature sweep models/crane.yaml --list measured.csv --result 'way=final(travel) - initial(travel)'\n"
    "\nResults are formulas over the whole motion: initial(x), final(x), at(x, T), max(x), min(x), mean(x), "
    "integral(x),\n"
    "turns(x), first(condition), last(condition). Ctrl-C keeps what is done for --resume.";

struct SweepArguments {
  StudyArguments study;
  std::vector<std::string> results;  // "name=formula"
  int latin = 0, sobol = 0;
  unsigned seed = 1;
  std::string list;

  bool grid() const { return latin == 0 && sobol == 0 && list.empty(); }
};

Points design(const SweepArguments& arguments, const Model& model, std::vector<std::string>& names) {
  if (!arguments.list.empty()) return read_points(arguments.list, model, names);
  const std::vector<Axis> axes = arguments.study.axes(model, arguments.grid());
  names = names_of(axes);
  if (axes.empty()) throw UsageError("sweep: expected at least one --over NAME=FROM:TO:COUNT, or --list FILE");
  const long drawn = std::max(arguments.latin, arguments.sobol);
  require_room({drawn}, bytes_of_a_cell(axes.size()), arguments.latin > 0 ? "--latin" : "--sobol");
  if (arguments.latin > 0) return latin_points(axes, arguments.latin, arguments.seed);
  if (arguments.sobol == 0) return grid_points(axes);
  if (axes.size() > sobol_dimensions)
    throw UsageError(fmt::format("--sobol takes at most {} variables", sobol_dimensions));
  return sobol_points(axes, arguments.sobol, arguments.seed);
}

// Numbers a cell gives: the results, how the motion ended, what is to be warned of, why it failed.
int width_with(std::size_t results) { return static_cast<int>(results) + 3; }

CellJob cells_at(const Points& points, const Study& study, std::size_t results, int lanes) {
  const MotionNumbers numbers = [results](const StudyRun& run, MotionStatus status, std::span<double> result) {
    for (std::size_t k = 0; k < results; ++k)
      result[k] = status == MotionStatus::finished ? run.values()[k] : std::numeric_limits<double>::quiet_NaN();
    result[results] = static_cast<double>(status);
    result[results + 1] = status == MotionStatus::finished ? warning_bits(run.findings()) : 0;
    result[results + 2] = status == MotionStatus::finished ? 0 : reason_number(run.sentence());
  };
  return study_cells(study, nullptr, points, width_with(results), numbers, lanes);
}

std::vector<double> column(const CellTable& table, std::size_t k) {
  std::vector<double> values;
  for (long row = 0; row < table.count(); ++row) values.push_back(table.row(row)[k]);
  return values;
}

const char* status_word(double status) {
  return status == 0 ? "finished" : status == static_cast<double>(MotionStatus::no_start) ? "no start" : "failed";
}

void write_cells(const Points& points, const CellTable& table, const std::vector<std::string>& names,
                 const std::vector<std::string>& results, const std::filesystem::path& folder) {
  std::vector<std::string> header = names;
  header.insert(header.end(), results.begin(), results.end());
  header.emplace_back("status");
  header.emplace_back("warnings");
  CsvTable csv(header);
  for (long k = 0; k < points.count(); ++k) {
    for (int d = 0; d < points.dimensions; ++d) csv.add(points[k][d]);
    for (std::size_t r = 0; r < results.size(); ++r) csv.add(table.row(k)[r]);
    csv.add(std::string(status_word(table.row(k)[results.size()])));
    csv.add(warning_words(table.row(k)[results.size() + 1])).end_row();
  }
  csv.write(folder / "cells.csv");
}

void write_hdf5(const Points& points, const CellTable& table, const Json& description,
                const std::filesystem::path& folder) {
  Hdf5File file(folder / "results.h5");
  write_description(file, description);
  file.write("points", points.values, points.dimensions);
  std::vector<double> results;  // and the status
  for (long k = 0; k < table.count(); ++k) results.insert(results.end(), table.row(k).begin(), table.row(k).end() - 2);
  file.write("results", results, table.width - 2);
  file.write("warnings", column(table, static_cast<std::size_t>(table.width) - 2));
  file.close();
}

StudyDocument picture(const SweepArguments& arguments, const Model& model, const Points& points, const CellTable& table,
                      const std::vector<std::string>& names, const std::vector<std::string>& results) {
  StudyDocument document{.verb = "sweep"};
  const std::vector<std::vector<double>> values = values_in(points);
  for (std::size_t d = 0; d < names.size(); ++d)
    document.variables.push_back(study_variable(model, names[d], values[d]));
  for (std::size_t k = 0; k < results.size(); ++k)
    document.results.push_back({.name = results[k], .values = column(table, k)});
  if (arguments.grid()) document.levels = grid_levels(arguments.study.axes(model, true), 0);
  return document;
}

Json statistics_json(const Points& points, const std::vector<double>& values, const std::vector<std::string>& names,
                     bool grid) {
  const Distribution d = distribution(values);
  Json effects = Json::object();
  const std::vector<double> shares = main_effects(points, values, grid);
  for (std::size_t k = 0; k < names.size(); ++k) effects[names[k]] = shares[k];
  return {{"count", d.count}, {"left_out", points.count() - d.count},
          {"mean", d.mean},   {"deviation", d.deviation},
          {"least", d.least}, {"q05", d.q05},
          {"q25", d.q25},     {"median", d.median},
          {"q75", d.q75},     {"q95", d.q95},
          {"most", d.most},   {"main_effects", effects}};
}

void print_statistics(const Json& statistics, bool grid) {
  fmt::print("{:<16}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "", "mean", "deviation", "least", "5 %", "median",
             "95 %", "most");
  const auto number = [](const Json& value) { return value.is_null() ? std::nan("") : value.get<double>(); };
  for (const auto& [name, s] : statistics.items()) {
    fmt::print("{:<16}", name);
    if (s["count"] == 0) {
      fmt::print("  is finite in no motion\n");
      continue;
    }
    for (const char* key : {"mean", "deviation", "least", "q05", "median", "q95", "most"})
      fmt::print("{:>12.5g}", number(s[key]));
    fmt::print("\n");
  }
  for (const auto& [name, s] : statistics.items())
    if (s["count"] > 0 && s["left_out"] > 0)
      fmt::print("{}: {} without a finite value left out\n", name, counted(s["left_out"].get<long>(), "motion"));
  fmt::print("share of the variance that a variable explains by itself ({})\n",
             grid ? "means over the grid" : "means of bins, less what noise would explain");
  for (const auto& [name, s] : statistics.items()) {
    if (s["count"] == 0) continue;
    fmt::print("{:<16}", name);
    for (const auto& [variable, share] : s["main_effects"].items())
      fmt::print("  {} {:.1f} %", variable, 100 * share.get<double>());
    fmt::print("\n");
  }
}

std::string shortly(const Json& number) { return number.is_null() ? "-" : fmt::format("{:.5g}", number.get<double>()); }

std::vector<StudyCard> cards(const Json& statistics) {
  StudyCard numbers{"Distribution", {""}, {}}, effects{"Share of the variance explained by one variable", {""}, {}};
  for (const char* name : {"mean", "deviation", "least", "q05", "median", "q95", "most"})
    numbers.rows.push_back({name});
  for (const auto& [name, s] : statistics.items()) {
    numbers.header.push_back(name), effects.header.push_back(name);
    for (auto& row : numbers.rows) row.push_back(shortly(s[row.front()]));
    std::size_t k = 0;
    for (const auto& [variable, share] : s["main_effects"].items()) {
      if (effects.rows.size() == k) effects.rows.push_back({variable});
      effects.rows[k++].push_back(share.is_null() ? "-" : fmt::format("{:.1f} %", 100 * share.get<double>()));
    }
  }
  return {numbers, effects};
}

// What one process of the team does at the end.
int finish(const SweepArguments& arguments, const Model& model, const Study& study, const Points& points,
           const CellTable& table, const std::vector<std::string>& names, const std::vector<std::string>& results,
           CellSession& session) {
  const MotionFailures failures(study, nullptr, points, column(table, results.size() + 2), names);
  const StudyWarnings warnings(study, nullptr, points, column(table, results.size() + 1), names);
  Json statistics = Json::object();
  for (std::size_t k = 0; k < results.size(); ++k)
    statistics[results[k]] = statistics_json(points, column(table, k), names, arguments.grid());
  const std::string sentence =
      fmt::format("{}{}{}", counted(table.count(), "motion"),
                  failures.count() ? fmt::format(", {} failed", failures.count()) : "", warnings.phrase());
  const Json result{{"status", failures.all() ? "failed" : "finished"},
                    {"sentence", sentence},
                    {"failed", failures.count()},
                    {"failures", failures.to_json()},
                    {"command", command_pattern(arguments.study, model, names)},
                    {"warned", warnings.count()},
                    {"warnings", warnings.to_json()},
                    {"main_effects_by", arguments.grid() ? "grid" : "bins"},
                    {"statistics", statistics}};
  bool report = false;
  const bool said = session.publish(result, [&](const std::filesystem::path& folder, const Json& description) {
    write_cells(points, table, names, results, folder);
    write_hdf5(points, table, description, folder);
    report = write_study_report(folder, arguments.study, model, result, [&] {
      StudyDocument document = picture(arguments, model, points, table, names, results);
      warnings.add_to(document);
      document.cards = cards(statistics);
      StudyCard formulas{"Results", {}, {}};
      for (const std::string& text : arguments.results) formulas.rows.push_back({text});
      document.cards.push_back(formulas);
      return document;
    });
  });
  const int code = failures.all() ? failed : ok;
  if (said) return code;
  fmt::print("{}; {}\n", sentence, session.how());
  fmt::print(stderr, "{}{}", failures.text(), warnings.text());
  fmt::print("\n");
  if (!failures.all()) print_statistics(statistics, arguments.grid());
  fmt::print("\nresults: {}/cells.csv, results.h5 and {}\n", session.path(),
             report ? "result.json; report.html shows them" : "result.json");
  return code;
}

// Every column of the table has a name of its own.
std::vector<std::string> add_results(const SweepArguments& arguments, const std::vector<std::string>& variables,
                                     MotionFormulas& formulas) {
  std::vector<std::string> names;
  const auto refuse = [](const std::string& text, const std::string& why) {
    throw UsageError(fmt::format("--result {}: {}", text, why));
  };
  for (const std::string& text : arguments.results) {
    const auto [name, formula] = split_assignment(text, "--result");
    if (name == "status") refuse(text, "the name 'status' is reserved for how a motion ended");
    if (name == "warnings") refuse(text, "the name 'warnings' is reserved for what a motion is warned of");
    if (std::ranges::count(variables, name) > 0) refuse(text, fmt::format("'{}' is the name of a variable", name));
    if (std::ranges::count(names, name) > 0) refuse(text, fmt::format("there are two results '{}'", name));
    in_option("--result " + text, [&, &formula = formula] { formulas.add_number(formula); });
    names.push_back(name);
  }
  return names;
}

int sweep(const SweepArguments& arguments) {
  const Model model = arguments.study.read();
  std::vector<std::string> names;
  const Points points = design(arguments, model, names);
  const Varied varied = in_option(arguments.list.empty() ? "--over" : "--list", [&] { return vary(model, names); });
  MotionFormulas formulas(varied.model, varied.parameters);
  const std::vector<std::string> results = add_results(arguments, names, formulas);
  const Study study(varied, formulas);
  check_variables(arguments.study, study, names, values_in(points));

  const std::uint64_t mark = fingerprint(points.values.data(), points.values.size() * sizeof(double));
  const Json job{{"over", arguments.study.over}, {"result", arguments.results},
                 {"latin", arguments.latin},     {"sobol", arguments.sobol},
                 {"seed", arguments.seed},       {"points", fmt::format("{:016x}", mark)}};
  CellSession session(arguments.study, "sweep", model, study.prepared(), job, width_with(results.size()));
  const CellTable table = session.run(cells_at(points, study, results.size(), arguments.study.lanes), 0, "sweep");
  if (table.missing() > 0) return session.stopped(table.count());
  return session.writes() ? finish(arguments, model, study, points, table, names, results, session) : ok;
}

}  // namespace

Verb add_sweep(CLI::App& app) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* verb = app.add_subcommand("sweep", "compute numbers of the motion over many parameters and start values");
  verb->footer(sweep_examples);
  arguments->study.add_to(*verb,
                          "vary a parameter, a start value (NAME of a coordinate) or a start speed (NAME.v): "
                          "FROM:TO:COUNT, or FROM:TO with --latin or --sobol; may be repeated");
  arguments->study.add_lanes_to(*verb);
  verb->add_option("--result", arguments->results, "a number of the motion: NAME=FORMULA; may be repeated")
      ->type_name("NAME=FORMULA")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->required();
  auto* latin = verb->add_option("--latin", arguments->latin, "so many points of a Latin hypercube")
                    ->type_name("N")
                    ->check(whole);
  auto* sobol = verb->add_option("--sobol", arguments->sobol, "so many points of a Sobol sequence, shifted at random")
                    ->type_name("N")
                    ->check(whole)
                    ->excludes(latin);
  verb->add_option("--list", arguments->list, "points from a CSV file: names in its first line")
      ->type_name("FILE")
      ->excludes(latin)
      ->excludes(sobol)
      ->excludes(verb->get_option("--over"));
  verb->add_option("--seed", arguments->seed, "of the random points; 1 if not given")->type_name("N");
  return [arguments] { return sweep(*arguments); };
}

}  // namespace armature::internal::cli
