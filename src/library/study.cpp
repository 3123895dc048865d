#include "armature/study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>

#include "inverse/inverse_study.hpp"
#include "inverse/kinematics.hpp"
#include "library/recording.hpp"
#include "library/translate.hpp"
#include "modes/modes_study.hpp"
#include "singular/singular_motion.hpp"
#include "study/map.hpp"
#include "study/optimization.hpp"
#include "study/sweep.hpp"
#include "tuning/tuning_study.hpp"

namespace armature {

namespace {

void require_at_least(int least, int value, const char* name) {
  if (value < least)
    throw Error(Error::Kind::input, fmt::format("{} is {}, but must be {} at least", name, value, least));
}

std::vector<internal::Axis> axes_of(const std::vector<Axis>& axes) {
  std::vector<internal::Axis> list;
  for (const Axis& axis : axes) {
    if (!std::isfinite(axis.from) || !std::isfinite(axis.to))
      throw Error(Error::Kind::input, fmt::format("the range of '{}' is not finite", axis.name));
    require_at_least(0, axis.count, "Axis::count");
    list.push_back({axis.name, axis.from, axis.to, axis.count});
  }
  return list;
}

// The cells of one study. An exception of the progress callback stops the study and is thrown again when its threads have ended.
class Session {
 public:
  explicit Session(const StudyOptions& options) : cells_(options_of(options)) {}
  internal::CellSession& cells() { return cells_; }
  void require_complete(bool complete) const {
    if (thrown_) std::rethrow_exception(thrown_);
    if (!complete) throw Error(Error::Kind::stopped, "the study was stopped");
  }

 private:
  internal::SessionOptions options_of(const StudyOptions& options) {
    require_at_least(0, options.threads, "threads");
    internal::SessionOptions session;
    session.threads = options.threads;
    if (options.progress)
      session.progress = [this, progress = options.progress](const std::string&, long done, long count) {
        try {
          return progress(done, count);
        } catch (...) {
          thrown_ = std::current_exception();
          return false;
        }
      };
    return session;
  }

  std::exception_ptr thrown_;
  internal::CellSession cells_;
};

std::vector<std::vector<double>> points_of(const internal::Points& points) {
  std::vector<std::vector<double>> list;
  for (long k = 0; k < points.count(); ++k) list.emplace_back(points[k], points[k] + points.dimensions);
  return list;
}

std::vector<Trouble> troubles_of(const internal::MotionDiagnostics& troubles) {
  std::vector<Trouble> list;
  for (const internal::MotionDiagnostic& trouble : troubles.kinds) list.push_back({trouble.sentence, trouble.count});
  return list;
}

std::vector<std::string> axis_names(const std::vector<internal::Axis>& axes) {
  std::vector<std::string> names;
  for (const internal::Axis& axis : axes) names.push_back(axis.name);
  return names;
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
        model.get(), {axes_of(question.over), question.classify, question.refine}, session.cells());
    session.require_complete(found.complete);
    return Map{found.classes, points_of(found.points), found.motion_class, found.decided, troubles_of(found.failures),
               troubles_of(found.warnings), found.sentence};
  });
}

Sweep sweep(const Model& model, const SweepQuestion& question, const StudyOptions& options) {
  return translated([&] {
    Session session(options);
    require_at_least(0, question.latin, "latin");
    require_at_least(0, question.sobol, "sobol");
    if (question.latin > 0 && question.sobol > 0) throw Error(Error::Kind::input, "give latin or sobol, not both");
    internal::SweepOptions wanted;
    wanted.over = axes_of(question.over);
    wanted.results = question.results;
    wanted.latin = question.latin;
    wanted.sobol = question.sobol;
    wanted.seed = question.seed;
    const internal::SweepResult found = internal::sweep_motions(model.get(), wanted, session.cells());
    session.require_complete(found.complete);
    std::vector<std::vector<double>> effects;
    for (const auto& statistics : found.statistics) effects.push_back(statistics.main_effects);
    return Sweep{found.variables, found.results, points_of(found.points), found.values, std::move(effects),
                 troubles_of(found.failures), troubles_of(found.warnings), found.sentence};
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
    const internal::OptimizationResult found = internal::optimize_motion(model.get(), wanted, session.cells());
    session.require_complete(found.complete);
    Optimum optimum;
    optimum.variables = axis_names(found.over);
    optimum.evaluations = found.evaluations;
    optimum.method = found.method;
    optimum.sentence = found.sentence;
    optimum.doubt = found.doubt;
    if (const internal::Evaluation* best = found.best()) {
      optimum.found = true;
      optimum.point = best->point;
      optimum.objective = found.shown(best->objective);
    }
    return optimum;
  });
}

Tune tune(const Model& model, const TuneQuestion& question, const StudyOptions& options) {
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
    const internal::Tuning found = internal::tune_gains(model.get(), wanted, session.cells()).tuning;
    session.require_complete(found.complete);
    return Tune{found.found, found.best.alpha, found.best.beta, found.best.e, found.none.e, internal::recommendation(found)};
  });
}

Modes modes(const Model& model, const ModesQuestion& question) {
  return translated([&] {
    internal::ModesOptions options;
    options.equilibrium = question.equilibrium;
    const internal::ModesResult found = internal::find_modes(model.get(), options);
    Modes result;
    result.state = to_public(found.state, found.prepared.system->layout());
    for (const internal::Eigenmode& mode : found.modes)
      result.modes.push_back({mode.eigenvalue, mode.frequency(), mode.damping(), {mode.shape.begin(), mode.shape.end()}});
    result.states = found.linear.states;
    result.inputs = found.linear.inputs;
    result.outputs = found.linear.outputs;
    result.A = by_rows(found.linear.A);
    result.B = by_rows(found.linear.B);
    result.C = by_rows(found.linear.C);
    result.D = by_rows(found.linear.D);
    result.warnings = found.warnings;
    return result;
  });
}

Singularities singularities(const Model& model, const Progress& progress) {
  return translated([&] {
    const internal::SingularMotion found = internal::singular_motion(model.get(), {}, {}, progress);
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
  return translated([&] {
    const internal::Prepared prepared = internal::prepare_inverse(model.get());
    Recording rows;
    return recorded(prepared, rows, internal::inverse(model.get(), prepared, rows, progress));
  });
}

Motion kinematics(const Model& model, const Settings& moves, const Progress& progress) {
  return translated([&] {
    internal::Model moved = model.get();
    for (const auto& [name, formula] : moves) moved = internal::driven(std::move(moved), name, formula);
    const internal::Prepared prepared = internal::prepare_kinematics(moved);
    Recording rows;
    return recorded(prepared, rows, internal::record_kinematics(moved, prepared, rows, progress));
  });
}

}  // namespace armature
