#include "armature/study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <limits>

#include "gpu/card.hpp"
#include "library/access.hpp"
#include "library/chosen_start.hpp"
#include "library/study_session.hpp"
#include "library/translate.hpp"
#include "modes/modes_study.hpp"
#include "study/dimensions.hpp"
#include "study/law_text.hpp"
#include "study/map.hpp"
#include "study/optimization.hpp"
#include "study/sweep.hpp"
#include "tuning/tuning_study.hpp"

namespace armature {

namespace {

std::vector<internal::Axis> axes_of(const Model& model, const std::vector<Axis>& axes) {
  const internal::Model& known = internal::Access::of(model);
  std::vector<internal::Axis> list;
  for (const Axis& axis : axes) {
    if (!axis.law.empty()) {
      const std::string option = fmt::format("over {}={}", axis.name, axis.law);
      if (!internal::is_law(axis.law))
        throw Error(Error::Kind::input, option + ": expected a distribution: uniform, normal, lognormal or triangular");
      list.push_back(
          internal::read_law(option, axis.name, axis.law, known, internal::dimension_of_varied(axis.name, known)));
      continue;
    }
    if (!std::isfinite(axis.from) || !std::isfinite(axis.to))
      throw Error(Error::Kind::input, fmt::format("the range of '{}' is not finite", axis.name));
    require_at_least(0, axis.count, fmt::format("the count of '{}'", axis.name));
    list.push_back({axis.name, axis.from, axis.to, axis.count});
  }
  return list;
}

std::vector<std::vector<double>> points_of(const internal::Points& points) {
  std::vector<std::vector<double>> list;
  for (long k = 0; k < points.count(); ++k) list.emplace_back(points[k], points[k] + points.dimensions);
  return list;
}

std::vector<Diagnostic> diagnostics_of(const internal::MotionDiagnostics& diagnostics) {
  std::vector<Diagnostic> list;
  for (const internal::MotionDiagnostic& diagnostic : diagnostics.kinds)
    list.push_back({without_options(diagnostic.sentence), diagnostic.count, diagnostic.code});
  return list;
}

std::vector<std::string> axis_names(const std::vector<internal::Axis>& axes) {
  std::vector<std::string> names;
  for (const internal::Axis& axis : axes) names.push_back(axis.name);
  return names;
}

internal::PointList list_of(const SweepQuestion& question) {
  if (question.latin > 0 || question.sobol > 0)
    throw Error(Error::Kind::input, "give points, latin or sobol, not two of them");
  internal::PointList list;
  for (const Axis& axis : question.over) list.names.push_back(axis.name);
  list.points.dimensions = static_cast<int>(list.names.size());
  for (const std::vector<double>& point : question.points) {
    if (point.size() != list.names.size())
      throw Error(Error::Kind::input,
                  fmt::format("a point has {} numbers, but {} are varied", point.size(), list.names.size()));
    list.points.values.insert(list.points.values.end(), point.begin(), point.end());
  }
  return list;
}

internal::Cards cards_for(Gpu gpu) {
  if (gpu == Gpu::no) return {};
  return {internal::open_cards(), arithmetic_of(gpu)};
}

StudyErrors errors_of(const internal::StudyErrors& found, const std::vector<std::string>& results) {
  StudyErrors errors;
  errors.repetition = found.how, errors.missing = without_options(found.missing), errors.motions = found.motions;
  for (std::size_t k = 0; k < found.worst.size(); ++k) errors.worst.emplace_back(results[k], found.worst[k]);
  errors.of_other_class = static_cast<long>(found.of_other_class.size());
  return errors;
}

GainPair pair_of(const internal::TuningCell& cell) {
  return {cell.alpha, cell.beta, cell.stable, cell.lost, cell.E1, cell.E2, cell.e};
}

}  // namespace

Map map(const Model& model, const MapQuestion& question, const StudyOptions& options) {
  return translated([&] {
    Session session(options, internal::Access::settings(model));
    require_at_least(0, question.refine, "refine");
    internal::MapOptions wanted{axes_of(model, question.over), question.classify, question.refine};
    wanted.cards = cards_for(question.gpu);
    const internal::Model& known = without_fmus(model);
    const internal::MapResult found = internal::map_motions(known, wanted, session.cells());
    StudyErrors errors;
    if (options.errors && found.complete)
      errors = errors_of(internal::errors_of(known, wanted, found, session.time_for_errors(found.points.count())), {});
    session.require_complete(found.complete);
    return Map{found.classes,
               points_of(found.points),
               found.motion_class,
               found.decided,
               diagnostics_of(found.failures),
               diagnostics_of(found.warnings),
               without_options(found.sentence),
               std::move(errors)};
  });
}

Sweep sweep(const Model& model, const SweepQuestion& question, const StudyOptions& options) {
  return translated([&] {
    Session session(options, internal::Access::settings(model));
    require_at_least(0, question.latin, "latin");
    require_at_least(0, question.sobol, "sobol");
    if (question.latin > 0 && question.sobol > 0) throw Error(Error::Kind::input, "give latin or sobol, not both");
    internal::SweepOptions wanted;
    if (question.points.empty()) wanted.over = axes_of(model, question.over);
    wanted.results = question.results;
    wanted.latin = question.latin;
    wanted.sobol = question.sobol;
    wanted.seed = question.seed;
    wanted.inverse = question.inverse;
    wanted.cards = cards_for(question.gpu);
    if (!question.points.empty()) wanted.list = list_of(question);
    const internal::Model& known = without_fmus(model);
    const internal::SweepResult found = internal::sweep_motions(known, wanted, session.cells());
    StudyErrors errors;
    if (options.errors && found.complete)
      errors = errors_of(internal::errors_of(known, internal::Access::settings(model), wanted, found,
                                             session.time_for_errors(found.points.count())),
                         found.results);
    session.require_complete(found.complete);
    std::vector<std::vector<double>> effects;
    for (const auto& statistics : found.statistics) effects.push_back(statistics.main_effects);
    return Sweep{found.variables,
                 found.results,
                 points_of(found.points),
                 found.values,
                 std::move(effects),
                 diagnostics_of(found.failures),
                 diagnostics_of(found.warnings),
                 without_options(found.sentence),
                 std::move(errors)};
  });
}

Optimum optimize(const Model& model, const OptimizeQuestion& question, const StudyOptions& options) {
  return translated([&] {
    Session session(options, internal::Access::settings(model));
    require_at_least(1, question.starts, "starts");
    require_at_least(1, question.evaluations, "evaluations");
    internal::OptimizationOptions wanted;
    wanted.over = axes_of(model, question.over);
    wanted.objective = question.objective;
    wanted.maximize = question.maximize;
    wanted.subject = question.subject;
    wanted.method = question.method;
    wanted.evaluations = question.evaluations;
    wanted.tolerance = question.tolerance;
    wanted.starts = question.starts;
    wanted.inverse = question.inverse;
    wanted.choose = question.choose;
    wanted.scenarios = question.scenarios;
    wanted.deviations = question.deviations;
    wanted.against = question.against;
    require_at_least(2, question.front, "front");
    wanted.front = question.front;
    wanted.derivatives = question.derivatives;
    const internal::Model& known = without_fmus(model);
    const internal::OptimizationResult found = internal::optimize_motion(known, wanted, session.cells());
    session.require_complete(found.complete);
    Optimum optimum;
    optimum.variables = axis_names(found.over);
    optimum.evaluations = found.evaluations;
    optimum.method = found.method;
    optimum.sentence = without_options(found.sentence);
    optimum.caveat = without_options(found.caveat);
    optimum.chosen = found.chosen;
    optimum.failures = diagnostics_of(found.failures);
    optimum.warnings = diagnostics_of(found.warnings);
    for (const auto& place : found.front) {
      const internal::Evaluation& e = found.at(place);
      optimum.front.push_back({found.shown(e.objective), e.other});
      optimum.front.back().insert(optimum.front.back().end(), e.point.begin(), e.point.end());
    }
    optimum.objective = std::numeric_limits<double>::quiet_NaN();
    if (const internal::Evaluation* best = found.best()) {
      optimum.found = true;
      optimum.point = best->point;
      optimum.objective = found.shown(best->objective);
    }
    if (options.errors && optimum.found)
      optimum.errors = errors_of(internal::errors_of(known, internal::Access::settings(model), wanted, found,
                                                     session.time_for_errors(found.evaluations)),
                                 {"objective"});
    session.require_complete(true);
    return optimum;
  });
}

TunedGains tune(const Model& model, const TuneQuestion& question, const StudyOptions& options) {
  return translated([&] {
    Session session(options, internal::Access::settings(model));
    require_at_least(0, question.refine, "refine");
    for (const auto* gains : {&question.alpha, &question.beta})
      for (const double gain : *gains)
        if (!(std::isfinite(gain) && gain >= 0)) throw Error(Error::Kind::input, fmt::format("{} is not a gain", gain));
    internal::TuningOptions wanted;
    wanted.alpha = question.alpha;
    wanted.beta = question.beta;
    wanted.of = question.of;
    wanted.refine = question.refine;
    wanted.c = question.position_weight, wanted.d = question.velocity_weight;
    if (!(wanted.c >= 0 && wanted.d >= 0 && wanted.c + wanted.d > 0 && std::isfinite(wanted.c + wanted.d)))
      throw Error(Error::Kind::input, "the weights must not be negative, and not both zero");
    if (!(question.speed_limit > 0)) throw Error(Error::Kind::input, "the speed limit must be positive");
    wanted.speed_limit = question.speed_limit;
    wanted.cards = cards_for(question.gpu);
    const internal::TuningResult result = internal::tune_gains(without_fmus(model), wanted, session.cells());
    const internal::Tuning& found = result.tuning;
    session.require_complete(found.complete);
    TunedGains tuned{found.found,  found.best.alpha, found.best.beta,
                     found.best.e, found.none.e,     without_options(internal::recommendation(found))};
    for (const internal::TuningGrid& grid : found.grids)
      for (const internal::TuningCell& cell : grid.cells) tuned.pairs.push_back(pair_of(cell));
    tuned.without = pair_of(found.none), tuned.projection = pair_of(found.projection);
    if (found.region) {
      tuned.area = found.region->area;
      for (const auto& point : found.region->boundary)
        tuned.boundary.insert(tuned.boundary.end(), {point.x(), point.y()});
    }
    for (const internal::Finding& finding : result.findings)
      tuned.warnings.push_back(without_options(finding.sentence));
    return tuned;
  });
}

Modes modes(const Model& model, const ModesQuestion& question) {
  return translated([&] {
    internal::ModesOptions options;
    options.equilibrium = question.equilibrium;
    options.sensitivity = question.sensitivity;
    options.start = start_choice(model, question.branch, question.from);
    const internal::ModesResult found = internal::find_modes(internal::Access::of(model), options);
    Modes result;
    result.state = to_public(found.state, found.prepared.system->layout());
    for (const internal::Eigenmode& mode : found.modes)
      result.modes.push_back(
          {mode.eigenvalue, mode.frequency(), mode.damping(), {mode.shape.begin(), mode.shape.end()}});
    result.states = found.linear.states;
    result.inputs = found.linear.inputs;
    result.outputs = found.linear.outputs;
    result.A = by_rows(found.linear.A);
    result.B = by_rows(found.linear.B);
    result.C = by_rows(found.linear.C);
    result.D = by_rows(found.linear.D);
    for (const std::string& warning : found.warnings) result.warnings.push_back(without_options(warning));
    result.parameters = found.parameters;
    for (Eigen::Index k = 0; k < found.sensitivity.rows(); ++k)
      for (Eigen::Index i = 0; i < found.sensitivity.cols(); ++i) result.sensitivity.push_back(found.sensitivity(k, i));
    for (const std::string& note : found.notes) result.notes.push_back(without_options(note));
    return result;
  });
}

}  // namespace armature
