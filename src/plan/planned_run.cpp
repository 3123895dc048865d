#include "plan/planned_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/machine_size.hpp"
#include "run/paused_run.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double run_tolerance = 1e-10;  // of the run that judges a plan

MachineSize size_of(const Prepared& prepared) {
  SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(prepared.parameters);
  evaluator.set(prepared.start);
  SparseTerms terms = evaluator.make_sparse_terms();
  evaluator.position(terms);
  return {prepared.system->equations(), terms, prepared.start.x.data()};
}

class PlanJudge {
 public:
  PlanJudge(const Prepared& prepared, const Collocation& c, const PlannedMotion& motion)
      : prepared_(prepared), c_(c), motion_(motion), size_(size_of(prepared)) {}

  // Positions, and velocities over the duration, by their sizes.
  double error(const VectorXd& x, Index node) const {
    const VectorXd planned = motion_.node(node);
    double worst = 0;
    for (int k = 0; k < c_.nq(); ++k) worst = std::max(worst, std::abs(x[k] - planned[k]) * size_.per_position()[k]);
    for (int k = 0; k < c_.nv(); ++k)
      worst =
          std::max(worst, std::abs(x[c_.nq() + k] - planned[c_.nq() + k]) * size_.per_velocity()[k] * motion_.duration);
    return std::isfinite(worst) ? worst : unbounded;
  }

  // The state of the plan at a node; what the plan leaves out starts as the run does.
  State state_at(Index node) const {
    State state = prepared_.start;
    state.t = motion_.time(node);
    const int mechanical = c_.nq() + c_.nv();
    state.x.head(mechanical) = motion_.node(node).head(mechanical);
    const auto& others = prepared_.system->equations().others;
    const Equations& own = c_.machine().equations();
    for (int k = 0; k < c_.nz(); ++k) {
      const std::string& name =
          own.others[static_cast<std::size_t>(c_.machine().states[static_cast<std::size_t>(k)])].name;
      const auto place = std::ranges::find(others, name, &Coordinate::name);
      if (place != others.end()) state.x[mechanical + (place - others.begin())] = motion_.node(node)[mechanical + k];
    }
    return state;
  }

 private:
  const Prepared& prepared_;
  const Collocation& c_;
  const PlannedMotion& motion_;
  MachineSize size_;
};

class NoRows final : public Recorder {
 public:
  void begin(const std::vector<Channel>&) override {}
  void row(std::span<const double>) override {}
};

}  // namespace

MeasuredRecord input_record(const Collocation& c, const PlannedMotion& motion) {
  MeasuredRecord record;
  for (Index k = 0; k <= motion.intervals(); ++k) record.t.push_back(motion.time(k));
  for (int n = 0; n < c.nu(); ++n) {
    const auto k = static_cast<std::size_t>(n);
    if (!c.machine().path.empty() && c.machine().inputs[k] == path_rate) continue;
    record.columns.push_back({c.machine().inputs[k],
                              c.machine().input_units[k],
                              {},
                              {motion.inputs.row(n).begin(), motion.inputs.row(n).end()}});
  }
  return record;
}

Model driven_model(const Model& model, const Collocation& c, const PlannedMotion& motion) {
  constexpr int rows = 400;
  Model result = driven_by_inputs(model, input_record(c, motion));
  result.simulate.end = motion.duration;
  result.simulate.record = motion.duration / rows;
  return result;
}

SimulatedPlan simulate_plan(const Model& model, const Collocation& c, const PlannedMotion& motion, bool intervals,
                            const Progress& progress) {
  Model driven = driven_model(model, c, motion);
  driven.simulate.rtol = std::min(driven.simulate.rtol.value_or(run_tolerance), run_tolerance);
  driven.simulate.atol = {};
  Prepared prepared = compile(driven);
  SimulatedPlan result;
  result.end_error = unbounded;
  assemble_start(prepared);
  if (!prepared.failure.empty()) {
    result.outcome.status = RunStatus::failed, result.outcome.sentence = prepared.failure;
    return result;
  }
  const PlanJudge judge(prepared, c, motion);
  NoRows nowhere;
  result.outcome = simulate(prepared, nowhere, progress);
  result.end = result.outcome.last.x;
  if (result.outcome.status == RunStatus::finished) {
    result.end_error = judge.error(result.outcome.last.x, motion.intervals());
    VectorXd in(1 + c.nx()), out(c.at_pose().outputs());
    in << motion.duration, motion.node(motion.intervals());
    in.segment(1, c.nq() + c.nv()) = result.outcome.last.x.head(c.nq() + c.nv());
    c.at_pose().values(in.data(), out.data());
    const auto targets = static_cast<Index>(c.machine().targets.size());
    if (targets > 0) result.target_error = out.segment(c.closures(), targets).lpNorm<Eigen::Infinity>();
  }
  if (!intervals || result.outcome.status == RunStatus::stopped) return result;
  // each interval by itself
  Prepared pieces = prepared;
  pieces.options.open_ended = true;
  PausedRun run(pieces, nullptr);
  for (Index k = 0; k < motion.intervals(); ++k) {
    if (progress && !progress(motion.time(k), 0)) break;
    run.set_state(judge.state_at(k));
    const bool arrived = run.advance(motion.time(k + 1));
    result.interval_error.push_back(arrived ? judge.error(run.state().x, k + 1) : unbounded);
    if (!arrived) break;
  }
  result.interval_error.resize(static_cast<std::size_t>(motion.intervals()), unbounded);
  return result;
}

}  // namespace armature::internal
