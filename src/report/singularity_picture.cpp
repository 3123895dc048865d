#include "report/singularity_picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "model/formula_units.hpp"

namespace armature::internal {
namespace {

std::vector<StudyResult> measures(const std::string& missing) {
  using Scale = StudyResult::Scale;
  std::vector<StudyResult> results;
  for (const char* name : {"sigma_II", "sigma_I", "sigma"})
    results.push_back({.name = name, .scale = Scale::log, .missing = missing});
  for (const char* name : {"det_II", "det_I"})
    results.push_back({.name = name, .scale = Scale::centered, .missing = missing});
  results.push_back({.name = "rank", .missing = missing});
  return results;
}

void add(const PoseMeasures& m, bool reached, std::vector<StudyResult>& results) {
  const double numbers[] = {m.sigma_II, m.sigma_I, m.sigma, m.det_II, m.det_I, static_cast<double>(m.rank)};
  for (std::size_t k = 0; k < results.size(); ++k) results[k].values.push_back(reached ? numbers[k] : std::nan(""));
}

// Measures that are known nowhere, as det_I where outputs are not as many as freedoms, are left out.
void drop_unknown(std::vector<StudyResult>& results) {
  std::erase_if(results, [](const StudyResult& result) {
    return std::ranges::none_of(result.values, [](double x) { return std::isfinite(x); });
  });
}

StudyCard frame_card(const SingularityFrame& frame) {
  StudyCard card{"Coordinates", {}, {{"active", fmt::format("{}", fmt::join(frame.active, ", "))}}};
  if (!frame.output.empty()) card.rows.push_back({"output", fmt::format("{}", fmt::join(frame.output, ", "))});
  for (const std::string& note : frame.notes) card.rows.push_back({note});
  return card;
}

StudyLevel grid(const std::vector<PoseAxis>& axes) {
  StudyLevel level;
  for (const PoseAxis& axis : axes) {
    const auto count = static_cast<double>(axis.values.size());
    level.origin.push_back(axis.values.front());
    level.spacing.push_back(count > 1 ? (axis.values.back() - axis.values.front()) / (count - 1) : 0);
  }
  return level;
}

// "at (0.9, -0.19): the platform can …".
std::string first_point(const WorkspaceMap& map, const CurvePoint& point) {
  std::vector<std::string> at;
  for (std::size_t d = 0; d < point.at.size(); ++d)
    at.push_back(fmt::format("{} = {:.4g}", map.over[d].name, point.at[d]));
  return fmt::format("at {}: {}", fmt::join(at, ", "), point.words);
}

void add_curves(const WorkspaceMap& map, StudyDocument& document) {
  using Kind = CurvePoint::Kind;
  StudyCard words{"What can move", {}, {}};
  for (const Kind kind : {Kind::type_I, Kind::type_II, Kind::rank_drop, Kind::reach}) {
    StudyCurve curve{to_string(kind), false, std::vector<std::vector<double>>(map.over.size())};
    for (const CurvePoint& point : map.curve) {
      if (point.kind != kind) continue;
      if (curve.at[0].empty() && !point.words.empty()) words.rows.push_back({curve.name, first_point(map, point)});
      for (std::size_t d = 0; d < point.at.size(); ++d) curve.at[d].push_back(point.at[d]);
    }
    if (!curve.at[0].empty()) document.curves.push_back(curve);
  }
  if (!words.rows.empty()) document.cards.push_back(words);
}

}  // namespace

StudyDocument workspace_picture(const WorkspaceMap& map, const Model& model) {
  StudyDocument document{.verb = "singularities",
                         .sentence = fmt::format("{} of {} poses are reachable", map.reached, map.cells.size()),
                         .results = measures("out of reach"),
                         .levels = {grid(map.over)}};
  const std::size_t n = map.over[0].values.size();
  const FormulaUnits units(model);
  for (const PoseAxis& axis : map.over)
    document.variables.push_back({axis.name, units.unit_of(parse_formula(axis.name, {}))});
  for (std::size_t k = 0; k < map.cells.size(); ++k) {
    document.variables[0].values.push_back(map.over[0].values[k % n]);
    if (map.over.size() > 1) document.variables[1].values.push_back(map.over[1].values[k / n]);
    add(map.cells[k].measures, map.cells[k].reached, document.results);
  }
  drop_unknown(document.results);
  document.cards.push_back(frame_card(map.frame));
  add_curves(map, document);
  return document;
}

StudyDocument motion_picture(const SingularMotion& motion) {
  const bool finished = motion.outcome.status == RunStatus::finished;
  StudyDocument document{.verb = "singularities",
                         .status = finished ? "finished" : "failed",
                         .sentence = motion.outcome.sentence,
                         .variables = {{"t", "s", "", motion.t}},
                         .results = measures("not known"),
                         .levels = {{{0}, {0}}}};
  for (const PoseMeasures& m : motion.measures) add(m, true, document.results);
  drop_unknown(document.results);
  StudyCard events{"Events", {"t [s]", "", "what can move"}, {}};
  for (const SingularityKind kind : {SingularityKind::type_I, SingularityKind::type_II, SingularityKind::rank_drop}) {
    StudyCurve curve{to_string(kind), false, {{}}};
    for (const SingularEvent& event : motion.events)
      if (event.kind == kind) curve.at[0].push_back(event.t);
    if (!curve.at[0].empty()) document.curves.push_back(curve);
  }
  for (const SingularEvent& event : motion.events)
    events.rows.push_back({fmt::format("{:.9g}", event.t), to_string(event.kind), event.words});
  document.cards.push_back(frame_card(motion.frame));
  if (!events.rows.empty()) document.cards.push_back(events);
  return document;
}

}  // namespace armature::internal
