#include "dynamics/full_engine.hpp"

#include <algorithm>

#include "expression/interruption.hpp"

namespace armature::internal {

FullEngine::FullEngine(SystemEvaluator& evaluator, const FormulationOptions& formulation,
                       const Stabilization& stabilization)
    : evaluator_(evaluator),
      stabilization_(stabilization),
      comparisons_(evaluator),
      solver_(evaluator, formulation, stabilization),
      configuration_(evaluator.system().equations()),
      projection_(evaluator),
      passage_(evaluator, solver_.formulation(), projection_, configuration_, stabilization) {
  const Layout& layout = evaluator.system().layout();
  if (stabilization.post_adjust) post_adjust_.emplace(evaluator, *stabilization.post_adjust);
  normalized_ = Eigen::VectorXd::Zero(layout.nx());
  interpolated_ = Acceleration(layout.nv, layout.m);
}

// Where an evaluation takes long, a step of many of them is not finished for somebody who stops the run.
bool FullEngine::is_given_up(const System& system, bool dense) {
  constexpr long short_enough = 200'000;  // operations: thousands of evaluations take no longer than a blink
  const long nv = system.layout().nv, n = nv + system.layout().m;
  const long operations = system.operation_count() + (dense ? n * n * n : 4 * nv * nv);
  return operations > short_enough && interrupted_after(operations);
}

bool FullEngine::derivative(double t, const double* x, double* xdot) {
  return derivative(t, x, SingularPassage::reach, xdot);
}

bool FullEngine::derivative_on_manifold(double t, const double* x, double* xdot) {
  const double* nearest = may_leave_state() ? projection_.nearest(t, x) : nullptr;
  normalized_ = Eigen::Map<const Eigen::VectorXd>(nearest ? nearest : x, normalized_.size());
  return derivative(t, normalized_.data(), SingularPassage::far_reach, xdot);
}

bool FullEngine::derivative(double t, const double* x, double farthest, double* xdot) {
  // the acceleration at x itself, with the outcomes of comparisons there
  evaluator_.set(t, x);
  if (is_given_up(evaluator_.system(), !solver_.formulation().is_auto())) return false;
  if (comparisons_.follows_roots()) comparisons_.take_signs();
  bool ok = solve_acceleration(t, x);
  // next to a singular pose: between those of both sides, or that of the nearest state on the constraints
  const bool interpolated = ok && accelerate_from_both_sides(t, x, farthest);
  if (ok && !interpolated && project_stages_ && solver_.acceleration().smallest < Regularity::near)
    ok = accelerate_on_constraints(t, x);
  count_evaluation();
  // the rates, or where there are none
  solver_.write_rates(xdot);
  if (ok && solver_.rates_are_finite()) return true;
  last_failure_ = {t, Eigen::Map<const Eigen::VectorXd>(x, normalized_.size())};
  return false;
}

// Where something slides, f is that of x itself, whatever the pose.
double FullEngine::regularity() const {
  const Acceleration& found = solver_.acceleration();
  if (!may_leave_state()) return 1;
  return found.rank < static_cast<int>(evaluator_.system().options().independent_rows.size()) ? 0 : found.smallest;
}

void FullEngine::count_evaluation() {
  const Acceleration& found = solver_.acceleration();
  ++statistics_.evaluations;
  statistics_.dense = solver_.dense_solves();
  if (found.smallest < Regularity::singular) ++statistics_.near_singular;
  statistics_.smallest_rank =
      statistics_.smallest_rank < 0 ? found.rank : std::min(statistics_.smallest_rank, found.rank);
}

bool FullEngine::solve_acceleration(double t, const double* x) {
  return comparisons_.solve(t, x, solver_.acceleration().vdot, [this] { return solver_.solve(); });
}

const Eigen::VectorXd& FullEngine::weights_at(double t, const double* x) {
  if (comparisons_.slide() && !comparisons_.are_solved_at(t, x)) {
    evaluator_.set(t, x);
    solve_acceleration(t, x);
  }
  return comparisons_.weights();
}

// Weights of sliding modes are found at x itself.
bool FullEngine::may_leave_state() const { return stabilization_.projection && !comparisons_.slide(); }

bool FullEngine::accelerate_from_both_sides(double t, const double* x, double farthest) {
  if (!passage_.is_singular(solver_.acceleration()) || !may_leave_state()) return false;
  if (!passage_.accelerate(t, x, farthest, interpolated_)) return false;
  solver_.take(interpolated_);
  return true;
}

// Not for implicit integrators, whose Jacobian is that of x itself.
bool FullEngine::accelerate_on_constraints(double t, const double* x) {
  if (!may_leave_state() || evaluator_.system().options().jacobian) return true;
  const double* nearest = projection_.nearest(t, x);
  evaluator_.set(t, nearest ? nearest : x);
  return solver_.solve();
}

// What the return moves changes the energy; the ledger counts it.
bool FullEngine::project(double t, double* x, double* error) {
  const int work = evaluator_.system().equations().stabilization_work;
  if (work < 0) return return_to_manifold(t, x, error);
  evaluator_.set(t, x);
  const double before = evaluator_.energy();
  if (!return_to_manifold(t, x, error)) return false;
  evaluator_.set(t, x);
  const Layout& n = evaluator_.system().layout();
  x[n.nq + n.nv + work] += evaluator_.energy() - before;
  return true;
}

bool FullEngine::return_to_manifold(double t, double* x, double* error) {
  configuration_.normalize(x);
  if (post_adjust_ && !post_adjust_->adjust(t, x)) return false;
  if (!stabilization_.projection) return true;
  if (!projection_.position(t, x) || !projection_.velocity(t, x, error)) return false;
  return !(project_stages_ && projection_.changed_branch());  // a shorter step can tell the branches apart
}

const ProjectionBeginning& FullEngine::begin_projection(double t, const double* x) {
  if (evaluator_.system().layout().m > 0 && !projection_.size().known()) {
    normalized_ = Eigen::Map<const Eigen::VectorXd>(x, normalized_.size());
    configuration_.normalize(normalized_.data());
    projection_.begin(t, normalized_.data());
  }
  return projection_.beginning();
}

step::MachineSizes FullEngine::sizes(double t, const double* x) {
  begin_projection(t, x);
  return projection_.sizes();
}

MachineSize FullEngine::machine_size(double t, const double* x) {
  const System& system = evaluator_.system();
  if (system.layout().m > 0) return begin_projection(t, x).size;
  SparseTerms terms = evaluator_.make_sparse_terms();
  evaluator_.set(t, x);
  evaluator_.position(terms);
  return MachineSize(system.equations(), terms, x);
}

}  // namespace armature::internal
