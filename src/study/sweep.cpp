#include "study/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/counted.hpp"
#include "record/table.hpp"
#include "study/failures.hpp"
#include "study/inverse_study_motion.hpp"
#include "study/memory_limit.hpp"
#include "study/motion_warnings.hpp"
#include "study/study_card.hpp"
#include "study/study_cells.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

PointList design_of(const SweepOptions& options) {
  if (options.list) return *options.list;
  const std::vector<Axis>& axes = options.over;
  const int drawn = std::max(options.latin, options.sobol);
  require_memory({drawn}, bytes_of_a_cell(axes.size()), options.latin > 0 ? "latin" : "sobol");
  if (options.latin > 0) return {names_of(axes), latin_points(axes, options.latin, options.seed)};
  if (options.sobol == 0) return {names_of(axes), grid_points(axes)};
  if (axes.size() > sobol_dimensions)
    throw RequestError("sobol", fmt::format("takes at most {} variables", sobol_dimensions));
  return {names_of(axes), sobol_points(axes, options.sobol, options.seed)};
}

// Every column of the table has a name of its own.
void add_results(const SweepOptions& options, const std::vector<std::string>& variables, MotionFormulas& formulas) {
  std::vector<std::string> names;
  for (const auto& [name, formula] : options.results) {
    const std::string option = fmt::format("result {}={}", name, formula);
    const auto refuse = [&](const std::string& why) { throw RequestError(option, why); };
    if (is_formula_of_spreadsheets(name))
      refuse(fmt::format("a result cannot be named '{}': spreadsheets would compute it", name));
    if (name == "status") refuse("the name 'status' is reserved for how a motion ended");
    if (name == "warnings") refuse("the name 'warnings' is reserved for the warnings of a motion");
    if (std::ranges::count(variables, name) > 0) refuse(fmt::format("'{}' is the name of a variable", name));
    if (std::ranges::count(names, name) > 0) refuse(fmt::format("there are two results '{}'", name));
    in_option(option, [&, &formula = formula] { formulas.add_number(formula); });
    names.push_back(name);
  }
}

// Numbers of a cell: the results, then how the motion ended, what is to be warned of, why it failed.
int sweep_width(std::size_t results) { return static_cast<int>(results) + 3; }

MotionNumbers sweep_numbers(std::size_t results) {
  return [results](const StudyRun& run, MotionStatus status, std::span<double> result) {
    const bool finished = status == MotionStatus::finished;
    for (std::size_t k = 0; k < results; ++k)
      result[k] = finished ? run.values()[k] : std::numeric_limits<double>::quiet_NaN();
    result[results] = static_cast<double>(status);
    result[results + 1] = finished ? warning_bits(run.findings()) : 0;
    result[results + 2] = finished ? 0 : reason_number(run.sentence());
  };
}

std::vector<double> sweep_column(const CellTable& table, std::size_t k) {
  std::vector<double> values;
  for (long row = 0; row < table.count(); ++row) values.push_back(table.row(row)[k]);
  return values;
}

nlohmann::ordered_json sweep_job(const SweepOptions& options, const Points& points) {
  const std::uint64_t mark = fingerprint(points.values.data(), points.values.size() * sizeof(double));
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const auto& [name, formula] : options.results) results.push_back(name + "=" + formula);
  nlohmann::ordered_json job = {
      {"over", axes_json(options.over)}, {"result", results},    {"latin", options.latin},
      {"sobol", options.sobol},          {"seed", options.seed}, {"points", fmt::format("{:016x}", mark)}};
  if (options.inverse) job["motion"] = "inverse";
  if (const std::string name = name_of(options.cards.arithmetic); !name.empty()) job["gpu"] = name;
  return job;
}

}  // namespace

SweepResult sweep_motions(const Model& model, const SweepOptions& options, CellSession& session) {
  // the model, compiled once with its variables as inputs
  if (!options.list && options.over.empty())
    throw RequestError("over", "sweep needs at least one variable with its range, or a list of points");
  if (!options.list) require_axes(options.over, options.grid(), "sweep");
  const auto [names, points] = design_of(options);
  const Varied varied = in_option(options.list ? "list" : "over", [&, &names = names] { return vary(model, names); });
  MotionFormulas formulas(varied.model, varied.parameters);
  add_results(options, names, formulas);
  const std::unique_ptr<Study> compiled =
      options.inverse ? inverse_study(model, session.settings(), names, values_in(points), varied, formulas)
                      : std::make_unique<Study>(varied, formulas);
  Study& study = *compiled;
  std::string card_caveat;
  if (!options.cards.empty()) card_caveat = require_card_for(study, options.cards.arithmetic);
  if (!options.inverse) check_variables(study, model, session.settings(), names, values_in(points));

  // the cells
  const std::size_t count = options.results.size();
  session.begin("sweep", model, study.prepared(), sweep_job(options, points), sweep_width(count));
  SweepResult sweep;
  CellJob job = study_cells(study, nullptr, points, sweep_width(count), sweep_numbers(count), options.lanes);
  const auto card = put_on_cards(job, options.cards, study, nullptr, points, sweep_numbers(count));
  const CellTable table = session.run(job, 0, "sweep");
  if (card) sweep.shares = card->shares();
  if (options.grid()) sweep.over = options.over;
  sweep.variables = names;
  sweep.grid = options.grid();
  sweep.complete = table.missing() == 0;
  sweep.points = points;
  for (const auto& [name, formula] : options.results) sweep.results.push_back(name);
  for (std::size_t k = 0; k < count; ++k) sweep.units.push_back(formulas.unit(static_cast<int>(k)));
  if (!sweep.complete) return sweep;

  // what they say
  for (const double number : sweep_column(table, count)) sweep.status.push_back(static_cast<MotionStatus>(number));
  sweep.warning_bits = sweep_column(table, count + 1);
  for (std::size_t k = 0; k < count; ++k) {
    sweep.values.push_back(sweep_column(table, k));
    sweep.statistics.push_back({distribution(sweep.values[k]), main_effects(points, sweep.values[k], options.grid())});
  }
  sweep.failures = failures_of(study, nullptr, points, sweep_column(table, count + 2), names);
  sweep.warnings = warnings_of(study, nullptr, points, sweep.warning_bits, names);
  sweep.sentence = fmt::format("{}{}{}", counted(table.count(), "motion"),
                               sweep.failures.count ? fmt::format(", {} failed", sweep.failures.count) : "",
                               warning_phrase(sweep.warnings)) +
                   preview_phrase(options.cards.arithmetic) + card_caveat;
  return sweep;
}

}  // namespace armature::internal
