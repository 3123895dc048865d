#include "dynamics/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/acceleration_jacobian.hpp"
#include "dynamics/acceleration_solver.hpp"
#include "dynamics/configuration.hpp"
#include "dynamics/formulation.hpp"
#include "dynamics/post_adjust.hpp"
#include "dynamics/projection.hpp"
#include "dynamics/singular_passage.hpp"
#include "dynamics/sliding.hpp"
#include "expression/interruption.hpp"
#include "linear/all_finite.hpp"
#include "linear/kinetic_rows.hpp"

namespace armature::internal {
namespace {

using Numbers = Eigen::Map<const Eigen::VectorXd>;

// Where an evaluation takes long, a step of many of them is not finished for somebody who stops the run.
bool is_given_up(const System& system, bool dense) {
  constexpr long short_enough = 200'000;  // operations: thousands of evaluations take no longer than a blink
  const long nv = system.layout().nv, n = nv + system.layout().m;
  const long operations = system.operation_count() + (dense ? n * n * n : 4 * nv * nv);
  return operations > short_enough && interrupted_after(operations);
}

}  // namespace

Dynamics::Dynamics(std::shared_ptr<const System> system, const FormulationOptions& formulation,
                   const Stabilization& stabilization)
    : evaluator_(std::move(system)),
      parts_(evaluator_.system()),
      memory_(static_cast<std::size_t>(decltype(motion_)::memory(parts_.sizes<1, KernelEvaluator<1>>()))),
      motion_(evaluator_.kernels(), parts_.sizes<1, KernelEvaluator<1>>(), memory_.data()),
      stabilization_(stabilization) {
  const Layout& layout = evaluator_.system().layout();
  solver_ = std::make_unique<AccelerationSolver>(evaluator_, formulation, stabilization_);
  configuration_ = std::make_unique<Configuration>(evaluator_.system().equations());
  projection_ = std::make_unique<Projection>(evaluator_);
  passage_ = std::make_unique<SingularPassage>(evaluator_, solver_->formulation(), *projection_, *configuration_,
                                               stabilization_);
  if (stabilization.post_adjust) post_adjust_ = std::make_unique<PostAdjust>(evaluator_, *stabilization.post_adjust);
  sliding_ = std::make_unique<Sliding>(evaluator_.system());
  rows_ = std::make_unique<KineticRows>();
  rows_->resize(layout.nv, layout.m);
  rows_->set_groups(row_groups(evaluator_.system().equations()));
  jacobian_ = std::make_unique<AccelerationJacobian>(evaluator_, stabilization_, *rows_);
  w_ = Eigen::VectorXd::Zero(layout.nw);
  normalized_ = solved_x_ = unprojected_ = Eigen::VectorXd::Zero(layout.nx());
  interpolated_ = Acceleration(layout.nv, layout.m);
  evaluator_.translate(solver_->traced(), stabilization.alpha != 0 || stabilization.beta != 0);
  set_baumgarte(stabilization.alpha, stabilization.beta);
}

Dynamics::~Dynamics() = default;

int Dynamics::size() const { return system().layout().nx(); }
int Dynamics::position_size() const { return system().layout().nq; }

bool Dynamics::plain() const { return solver_->traced() && !sliding_->any() && !(follow_roots_ && w_.size() > 0); }

step::LaneTraits Dynamics::traits() const {
  const Stabilization& s = stabilization_;
  const bool kernels = system().options().traced_solve;
  step::LaneTraits traits;
  traits.plain = plain();
  traits.sliding = solver_->traced() && !follow_roots_ ? sliding_->single() : -1;
  traits.rate = sliding_->rate();
  traits.pulled = s.alpha != 0 || s.beta != 0;
  traits.projects = s.projection;
  traits.post_adjusts = s.post_adjust || !kernels;
  traits.finishes = traits.plain && s.projection && !traits.post_adjusts && !traits.pulled;
  return traits;
}

void Dynamics::follow_roots(bool follow) {
  follow_roots_ = follow;
  motion_.set(0, traits());
}

void Dynamics::set_typical_rate(double rate) {
  sliding_->set_rate(rate);
  motion_.set(0, traits());
}

double Dynamics::typical_rate() const { return sliding_->rate(); }

void Dynamics::set_baumgarte(double alpha, double beta) {
  stabilization_.alpha = alpha, stabilization_.beta = beta;
  evaluator_.kernels().set_gains(0, alpha, beta);
  motion_.set(0, traits());
}

struct Dynamics::Engine {
  Dynamics& all;
  bool derivative(int, double t, const double* x, double* xdot) { return all.derivative_in_full(t, x, xdot); }
  bool project(int, double t, double* x, double* error) { return all.project_in_full(t, x, error); }
  step::MachineSizes sizes(int, double t, const double* x) { return all.sizes(t, x); }
  void take_weight(int, int mode, double weight) { all.set_weight(mode, weight); }
  void hold(int) {}
};

void Dynamics::set_weight(int mode, double weight) {
  w_[mode] = weight;
  evaluator_.set_modes(w_);
  solved_t_ = std::numeric_limits<double>::quiet_NaN();
}

step::MachineSizes Dynamics::sizes(double t, const double* x) {
  begin_projection(t, x);
  return projection_->sizes();
}

MachineSize Dynamics::machine_size(double t, const double* x) {
  const Equations& equations = system().equations();
  if (system().layout().m == 0) return MachineSize(equations, {}, x, SparseMatrix(0, system().layout().nv));
  return begin_projection(t, x).size;
}

void Dynamics::set_state(const State& state) {
  w_ = state.w;
  evaluator_.hold(state);
  sliding_->set(state.mode);
  solved_t_ = std::numeric_limits<double>::quiet_NaN();
  motion_.set(0, traits());
}

bool Dynamics::derivative(double t, const double* x, double* xdot) {
  Engine engine{*this};
  const auto row = [](auto* numbers) { return reinterpret_cast<step::Row<1>*>(const_cast<double*>(numbers)); };
  if (!motion_.derivative(engine, true, {{t}}, row(x), row(xdot))) return false;
  if (!motion_.was_regular(0)) return true;
  take_step_rates();
  if (sliding_->any()) solved_t_ = t, solved_x_ = Numbers(x, size());
  return true;
}

void Dynamics::take_step_rates() {
  solver_->take_traced(motion_.rates().vdot->lane, motion_.rates().lambda->lane, motion_.ratio()[0]);
  count();
}

bool Dynamics::derivative_in_full(double t, const double* x, double* xdot) {
  evaluator_.set(t, x);
  if (is_given_up(system(), !solver_->formulation().is_auto())) return false;
  if (follow_roots_) evaluator_.take_modes(w_);
  bool ok = solve_acceleration(t, x);
  const bool interpolated = ok && accelerate_from_both_sides(t, x);
  if (ok && !interpolated && project_stages_ && acceleration().smallest < Regularity::near)
    ok = accelerate_on_constraints(t, x);
  count();
  solver_->write_rates(xdot);
  if (ok && solver_->rates_are_finite()) return true;
  last_failure_ = {t, Eigen::Map<const Eigen::VectorXd>(x, size())};
  return false;
}

bool Dynamics::solve_acceleration(double t, const double* x) {
  if (!sliding_->any()) return solver_->solve();
  solved_t_ = t, solved_x_ = Numbers(x, size());
  return sliding_->solve(evaluator_, acceleration().vdot, w_, [this] { return solver_->solve(); });
}

const Eigen::VectorXd& Dynamics::weights_at(double t, const double* x) {
  if (sliding_->any() && !solved_weights_at(t, x)) {
    evaluator_.set(t, x);
    solve_acceleration(t, x);
  }
  return w_;
}

bool Dynamics::solved_weights_at(double t, const double* x) const {
  return t == solved_t_ && std::equal(x, x + size(), solved_x_.data());
}

// Weights of sliding modes are found at x itself.
bool Dynamics::may_leave_state() const { return stabilization_.projection && !sliding_->any(); }

bool Dynamics::accelerate_from_both_sides(double t, const double* x) {
  if (!passage_->is_singular(acceleration()) || !may_leave_state()) return false;
  if (!passage_->accelerate(t, x, interpolated_)) return false;
  solver_->take(interpolated_);
  return true;
}

// Not for implicit integrators, whose Jacobian is that of x itself.
bool Dynamics::accelerate_on_constraints(double t, const double* x) {
  if (!may_leave_state() || system().options().jacobian) return true;
  const double* nearest = projection_->nearest(t, x);
  evaluator_.set(t, nearest ? nearest : x);
  return solver_->solve();
}

void Dynamics::take_modes(double t, const double* x) {
  evaluator_.set(t, x);
  evaluator_.take_modes(w_);
}

// What project() moves changes the energy; the ledger counts it.
void Dynamics::count_projection_work(double t, double* x, double before) {
  evaluator_.set(t, x);
  const Layout& n = system().layout();
  x[n.nq + n.nv + system().equations().stabilization_work] += evaluator_.energy() - before;
}

void Dynamics::count() {
  ++statistics_.evaluations;
  statistics_.dense = solver_->dense_solves();
  if (acceleration().smallest < Regularity::singular) ++statistics_.near_singular;
  const int rank = acceleration().rank;
  statistics_.smallest_rank = statistics_.smallest_rank < 0 ? rank : std::min(statistics_.smallest_rank, rank);
}

bool Dynamics::project(double t, double* x, double* error) {
  ++statistics_.projections;
  Engine engine{*this};
  const auto row = [](double* numbers) { return reinterpret_cast<step::Row<1>*>(numbers); };
  const bool ok = motion_.project(engine, true, {{t}}, row(x), error ? row(error) : nullptr);
  statistics_.projection_steps = projection_->statistics().steps + motion_.projection().steps(0);
  statistics_.dense_projections = projection_->statistics().dense;
  return ok;
}

bool Dynamics::project_in_full(double t, double* x, double* error) {
  if (system().equations().stabilization_work < 0) return return_to_manifold(t, x, error);
  evaluator_.set(t, x);
  const double before = evaluator_.energy();
  const bool ok = return_to_manifold(t, x, error);
  if (ok) count_projection_work(t, x, before);
  return ok;
}

void Dynamics::project_if_possible(double t, double* x) {
  unprojected_ = Numbers(x, size());
  if (!project(t, x, nullptr)) Eigen::Map<Eigen::VectorXd>(x, size()) = unprojected_;
}

Ode::Finish Dynamics::finish(double t, double* x, double* xdot, double* error, double weight) {
  Engine engine{*this};
  const auto row = [](double* numbers) { return reinterpret_cast<step::Row<1>*>(numbers); };
  const step::Finish<1> done = motion_.finish(engine, true, {{t}}, row(x), row(xdot), row(error), {{weight}});
  if (!done.any()) return Finish::nothing;
  ++statistics_.projections;
  statistics_.projection_steps = projection_->statistics().steps + motion_.projection().steps(0);
  take_step_rates();
  return done.all ? Finish::all : done.all_before ? Finish::all_before : Finish::all_but_derivative;
}

bool Dynamics::return_to_manifold(double t, double* x, double* error) {
  configuration_->normalize(x);
  if (post_adjust_ && !post_adjust_->adjust(t, x)) return false;
  if (!stabilization_.projection) return true;
  bool ok = projection_->position(t, x) && projection_->velocity(t, x, error);
  if (project_stages_ && projection_->changed_branch()) ok = false;  // a shorter step can tell the branches apart
  return ok;
}

const ProjectionBeginning& Dynamics::begin_projection(double t, const double* x) {
  if (system().layout().m > 0 && !projection_->size().known()) {
    normalized_ = Numbers(x, size());
    configuration_->normalize(normalized_.data());
    projection_->begin(t, normalized_.data());
  }
  return projection_->beginning();
}

void Dynamics::begin_projection_as(const ProjectionBeginning& beginning) {
  projection_->begin_as(beginning);
  motion_.begin(0);
}

bool Dynamics::solve_multipliers(double t, const double* x) {
  const bool all_rows = static_cast<int>(system().options().independent_rows.size()) == system().layout().m;
  evaluator_.set(t, x);
  evaluator_.set_modes(w_);
  if (follow_roots_) evaluator_.take_modes(w_);
  if (!solve_acceleration(t, x)) return false;
  if (all_rows || !solver_->formulation().is_auto()) return true;
  return solver_->take_least_multipliers(*rows_);
}

const Acceleration& Dynamics::acceleration() const { return solver_->acceleration(); }

std::string Dynamics::refusal() const { return solver_->formulation().refusal(acceleration()); }

bool Dynamics::jacobian(double t, const double* x, Eigen::MatrixXd& J) {
  return !sliding_->any() && !is_given_up(system(), false) && (*jacobian_)(t, x, J);
}

}  // namespace armature::internal
