#include "report/tuning_picture.hpp"

#include <fmt/format.h>

#include <cmath>

namespace armature::internal {
namespace {

double spacing(const std::vector<double>& values) {
  return values.size() > 1 ? (values.back() - values.front()) / static_cast<double>(values.size() - 1) : 0;
}

void add_grid(const TuningGrid& grid, int level, StudyDocument& document) {
  document.levels.push_back({{grid.alpha.front(), grid.beta.front()}, {spacing(grid.alpha), spacing(grid.beta)}});
  for (const TuningCell& cell : grid.cells) {
    document.level.push_back(level);
    document.variables[0].values.push_back(cell.alpha);
    document.variables[1].values.push_back(cell.beta);
    const double kind = cell.selectable() ? (cell.stable ? 0 : 1) : (cell.stable ? 2 : 3);
    const double numbers[] = {cell.e, cell.E1, cell.E2, kind, cell.lost};
    for (std::size_t k = 0; k < document.results.size(); ++k) document.results[k].values.push_back(numbers[k]);
  }
}

// In gains: alpha = x/h, beta = y/h^2.
StudyCurve boundary(const StabilityRegion& region, double step) {
  StudyCurve curve{"boundary of stability", true, {{}, {}}};
  for (const auto& point : region.boundary) {
    curve.at[0].push_back(point.x() / step);
    curve.at[1].push_back(point.y() / (step * step));
  }
  return curve;
}

// Where it is not the best anyway.
void mark_least(const Tuning& tuning, double TuningCell::*what, const char* name, StudyDocument& document) {
  const TuningCell* cell = tuning.grids.front().least(what);
  if (!cell || (cell->alpha == tuning.best.alpha && cell->beta == tuning.best.beta)) return;
  document.marks.push_back({name, {cell->alpha, cell->beta}});
}

// "2.888e5" in place of "2.888e+05": six columns have to fit a phone.
std::string compact(double x, int digits = 4) {
  const std::string text = fmt::format("{:.{}g}", x, digits);
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  const std::string sign = text[exponent + 1] == '-' ? "-" : "";
  return text.substr(0, exponent + 1) + sign + text.substr(text.find_first_not_of('0', exponent + 2));
}

// A billionth of the best error is round-off, and its digits say nothing.
std::vector<std::string> row(const std::string& name, const TuningCell& cell, const Tuning& tuning) {
  const auto error = [](double x) { return std::isfinite(x) ? compact(x, 3) : std::string("-"); };
  const bool exact = tuning.found && cell.e < 1e-9 * tuning.best.e;
  std::vector<std::string> cells{name, compact(cell.alpha), compact(cell.beta)};
  if (std::isnan(cell.lost))
    for (double x : {cell.E1, cell.E2, cell.e}) cells.push_back(exact ? "round-off" : error(x));
  else
    cells.push_back(fmt::format("diverged at {:.4g} s", cell.lost));
  return cells;
}

StudyCard comparison(const Tuning& tuning) {
  StudyCard card{"Comparison of gains", {"", "alpha [1/s]", "beta [1/s²]", "E1", "E2", "e"}, {}};
  const TuningGrid& grid = tuning.grids.front();
  if (tuning.found) card.rows.push_back(row("best", tuning.best, tuning));
  if (const TuningCell* cell = grid.least(&TuningCell::E1)) card.rows.push_back(row("least E1", *cell, tuning));
  if (const TuningCell* cell = grid.least(&TuningCell::E2)) card.rows.push_back(row("least E2", *cell, tuning));
  card.rows.push_back(row("no stabilization", tuning.none, tuning));
  card.rows.push_back(row("projection", tuning.projection, tuning));
  return card;
}

StudyCard method(const Tuning& tuning) {
  StudyCard card{"Method",
                 {},
                 {{"integrator", tuning.integrator},
                  {"step", fmt::format("{:g} s", tuning.step)},
                  {"end", fmt::format("{:g} s", tuning.end)},
                  {"error measured in", tuning.of.empty() ? "all constraints" : tuning.of}}};
  if (tuning.region) {
    card.rows.push_back({"largest stable alpha · step", fmt::format("{:.6g}", tuning.region->rightmost.x())});
    card.rows.push_back({"largest stable beta · step²", fmt::format("{:.6g}", tuning.region->highest.y())});
  }
  return card;
}

}  // namespace

StudyDocument tuning_picture(const Tuning& tuning) {
  using Scale = StudyResult::Scale;
  StudyDocument document{.verb = "tune",
                         .status = tuning.complete ? "finished" : "stopped",
                         .sentence = recommendation(tuning),
                         .variables = {{"alpha", "1/s"}, {"beta", "1/s²"}}};
  for (const char* name : {"e", "E1", "E2"})
    document.results.push_back({.name = name, .scale = Scale::log, .missing = "diverged"});
  document.results.push_back({.name = "selectable",
                              .scale = Scale::classes,
                              .classes = {"stable and selectable", "selectable, outside the stability region",
                                          "diverged, although stable", "diverged"}});
  document.results.push_back({.name = "diverged at", .unit = "s", .missing = "finished"});
  for (std::size_t g = 0; g < tuning.grids.size(); ++g) add_grid(tuning.grids[g], static_cast<int>(g), document);
  if (tuning.region) document.curves.push_back(boundary(*tuning.region, tuning.step));
  mark_least(tuning, &TuningCell::E1, "least E1", document);
  mark_least(tuning, &TuningCell::E2, "least E2", document);
  if (tuning.found)
    document.marks.push_back(
        {fmt::format("best: alpha {}, beta {}", compact(tuning.best.alpha), compact(tuning.best.beta)),
         {tuning.best.alpha, tuning.best.beta},
         true});
  document.cards = {comparison(tuning), method(tuning)};
  return document;
}

}  // namespace armature::internal
