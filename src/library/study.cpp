#include "armature/study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>

#include "inverse/inverse_study.hpp"
#include "inverse/kinematics.hpp"
#include "library/recording.hpp"
#include "library/study_session.hpp"
#include "library/translate.hpp"
#include "modes/modes_study.hpp"
#include "singular/singular_motion.hpp"
#include "study/map.hpp"
#include "study/optimization.hpp"
#include "study/sweep.hpp"
#include "tuning/tuning_study.hpp"

namespace armature {

namespace {

std::vector<internal::Axis> axes_of(const std::vector<Axis>& axes) {
  std::vector<internal::Axis> list;
  for (const Axis& axis : axes) {
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
    list.push_back({without_options(diagnostic.sentence), diagnostic.count});
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
      throw Error(Error::Kind::input, fmt::format("a point has {} numbers, but {} are varied", point.size(), list.names.size()));
    list.points.values.insert(list.points.values.end(), point.begin(), point.end());
  }
  return list;
}

Motion recorded(const internal::Prepared& prepared, const Recording& rows, const internal::Outcome& outcome) {
  return {rows.trajectory(), to_public(outcome), to_public(outcome.last, prepared.system->layout())};
}

}  // namespace

Map map(const Model& model, const MapQuestion& question, const StudyOptions& options) {
  return translated([&] {
    Session session(options);
    require_at_least(0, question.refine, "refine");
    const internal::MapResult found = internal::map_motions(
        internal::Access::of(model), {axes_of(question.over), question.classify, question.refine}, session.cells());
    session.require_complete(found.complete);
    return Map{found.classes,
               points_of(found.points),
               found.motion_class,
               found.decided,
               diagnostics_of(found.failures),
               diagnostics_of(found.warnings),
               without_options(found.sentence)};
  });
}

Sweep sweep(const Model& model, const SweepQuestion& question, const StudyOptions& options) {
  return translated([&] {
    Session session(options);
    require_at_least(0, question.latin, "latin");
    require_at_least(0, question.sobol, "sobol");
    if (question.latin > 0 && question.sobol > 0) throw Error(Error::Kind::input, "give latin or sobol, not both");
    internal::SweepOptions wanted;
    if (question.points.empty()) wanted.over = axes_of(question.over);
    wanted.results = question.results;
    wanted.latin = question.latin;
    wanted.sobol = question.sobol;
    wanted.seed = question.seed;
    if (!question.points.empty()) wanted.list = list_of(question);
    const internal::SweepResult found = internal::sweep_motions(internal::Access::of(model), wanted, session.cells());
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
                 without_options(found.sentence)};
  });
}

Optimum optimize(const Model& model, const OptimizeQuestion& question, const StudyOptions& options) {
  return translated([&] {
    Session session(options);
    require_at_least(1, question.starts, "starts");
    require_at_least(1, question.evaluations, "evaluations");
    internal::OptimizationOptions wanted;
    wanted.over = axes_of(question.over);
    wanted.objective = question.objective;
    wanted.maximize = question.maximize;
    wanted.subject = question.subject;
    wanted.method = question.method;
    wanted.evaluations = question.evaluations;
    wanted.tolerance = question.tolerance;
    wanted.starts = question.starts;
    const internal::OptimizationResult found =
        internal::optimize_motion(internal::Access::of(model), wanted, session.cells());
    session.require_complete(found.complete);
    Optimum optimum;
    optimum.variables = axis_names(found.over);
    optimum.evaluations = found.evaluations;
    optimum.method = found.method;
    optimum.sentence = without_options(found.sentence);
    optimum.caveat = without_options(found.caveat);
    if (const internal::Evaluation* best = found.best()) {
      optimum.found = true;
      optimum.point = best->point;
      optimum.objective = found.shown(best->objective);
    }
    return optimum;
  });
}

TunedGains tune(const Model& model, const TuneQuestion& question, const StudyOptions& options) {
  return translated([&] {
    Session session(options);
    require_at_least(0, question.refine, "refine");
    for (const auto* gains : {&question.alpha, &question.beta})
      for (const double gain : *gains)
        if (!(std::isfinite(gain) && gain >= 0)) throw Error(Error::Kind::input, fmt::format("{} is not a gain", gain));
    internal::TuningOptions wanted;
    wanted.alpha = question.alpha;
    wanted.beta = question.beta;
    wanted.of = question.of;
    wanted.refine = question.refine;
    const internal::Tuning found = internal::tune_gains(internal::Access::of(model), wanted, session.cells()).tuning;
    session.require_complete(found.complete);
    return TunedGains{found.found,  found.best.alpha, found.best.beta,
                      found.best.e, found.none.e,     without_options(internal::recommendation(found))};
  });
}

Modes modes(const Model& model, const ModesQuestion& question) {
  return translated([&] {
    internal::ModesOptions options;
    options.equilibrium = question.equilibrium;
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
    return result;
  });
}

Singularities singularities(const Model& model, const Progress& progress) {
  return translated(progress, [&](const Progress& guarded) {
    const internal::SingularMotion found = internal::singular_motion(internal::Access::of(model), {}, {}, guarded);
    Singularities result;
    for (const internal::SingularEvent& event : found.events)
      result.poses.push_back({event.t, event.until, internal::to_string(event.kind), event.words});
    result.smallest_singular_value = found.smallest.sigma;
    result.t_smallest = found.t_sigma;
    result.outcome = to_public(found.outcome);
    return result;
  });
}

Motion inverse(const Model& model, const Progress& progress) {
  return translated(progress, [&](const Progress& guarded) {
    const internal::Prepared prepared = internal::prepare_inverse(internal::Access::of(model));
    Recording rows;
    return recorded(prepared, rows, internal::inverse(internal::Access::of(model), prepared, rows, guarded));
  });
}

Motion kinematics(const Model& model, const Settings& moves, const Progress& progress) {
  return translated(progress, [&](const Progress& guarded) {
    internal::Model moved = internal::Access::of(model);
    for (const auto& [name, formula] : moves) moved = internal::driven(std::move(moved), name, formula);
    const internal::Prepared prepared = internal::prepare_kinematics(moved);
    Recording rows;
    return recorded(prepared, rows, internal::record_kinematics(moved, prepared, rows, guarded));
  });
}

}  // namespace armature
