#include "dynamics/dynamics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/configuration.hpp"
#include "dynamics/formulation.hpp"
#include "dynamics/post_adjust.hpp"
#include "dynamics/projection.hpp"
#include "dynamics/sliding.hpp"
#include "expression/interruption.hpp"
#include "linear/all_finite.hpp"
#include "linear/kinetic_rows.hpp"

namespace armature {
namespace {

using Numbers = Eigen::Map<const Eigen::VectorXd>;

// On the constraints, round-off of phi leaves accelerations uncertain by eps/s^2. Below the sine `unreadable` they are
// interpolated from those at three points on each side of the pose, `reach` apart (rad, or lengths of the machine): these are
// uncertain by eps/reach^2, and what interpolation adds, 36/720 reach^6 of the sixth derivative, is round-off.
constexpr double reach = 4e-3;
constexpr double unreadable = reach / 8;
constexpr std::array interpolation = {0.75, -0.3, 0.05};  // at 0, from the values at +-1, +-2, +-3
constexpr double on_branch =
    1e-12;  // phi of its size, that of the interpolated positions: round-off and what interpolation adds

// A pose upon which the motion hardly moves may be left to any side: there nothing is known of what lies beyond it.
constexpr double least_motion = 1.2e-4;  // rad, or lengths, within which the velocity must stay what it is to a tenth

// Where an evaluation takes long, a step of many of them is not finished for somebody who stops the run.
bool is_given_up(const System& system) {
  constexpr long short_enough = 200'000;  // operations: thousands of evaluations take no longer than a blink
  const long nv = system.layout().nv, operations = system.operation_count() + 4 * nv * nv;
  return operations > short_enough && interrupted_after(operations);
}

}  // namespace

Dynamics::Dynamics(std::shared_ptr<const System> system, const FormulationOptions& formulation,
                   const Stabilization& stabilization)
    : evaluator_(std::move(system)),
      parts_(evaluator_.system()),
      memory_(static_cast<std::size_t>(decltype(motion_)::memory(parts_.sizes<1, KernelEvaluator<1>>()))),
      motion_(evaluator_.kernels(), parts_.sizes<1, KernelEvaluator<1>>(), memory_.data()),
      stabilization_(stabilization),
      terms_(evaluator_.make_sparse_terms()) {
  const Layout& layout = evaluator_.system().layout();
  formulation_ = std::make_unique<Formulation>(formulation, layout.nv, layout.m);
  formulation_->set_groups(row_groups(evaluator_.system().equations()));
  if (!formulation_->is_auto()) dense_ = evaluator_.make_terms();
  configuration_ = std::make_unique<Configuration>(evaluator_.system().equations());
  projection_ = std::make_unique<Projection>(evaluator_);
  if (stabilization.post_adjust) post_adjust_ = std::make_unique<PostAdjust>(evaluator_, *stabilization.post_adjust);
  sliding_ = std::make_unique<Sliding>(evaluator_.system());
  rows_ = std::make_unique<KineticRows>();
  rows_->resize(layout.nv, layout.m);
  rows_->set_groups(row_groups(evaluator_.system().equations()));

  b_ = Eigen::VectorXd::Zero(layout.m);
  w_ = Eigen::VectorXd::Zero(layout.nw);
  qdot_ = Eigen::VectorXd::Zero(layout.nq);
  zdot_ = Eigen::VectorXd::Zero(layout.nz);
  force_ = Eigen::VectorXd::Zero(layout.nv);
  traced_ = formulation_->is_auto() && evaluator_.system().options().traced_solve;
  acceleration_ = column_ = here_ = interpolated_ = Acceleration(layout.nv, layout.m);
  branch_ = Eigen::VectorXd::Zero(layout.nq);
  qdot_here_ = qdot_, zdot_here_ = zdot_;
  beside_ = solved_x_ = unprojected_ = Eigen::VectorXd::Zero(layout.nx()), step_ = Eigen::VectorXd::Zero(layout.nv);
  evaluator_.assemble(traced_, stabilization.alpha != 0 || stabilization.beta != 0);
  set_baumgarte(stabilization.alpha, stabilization.beta);
}

Dynamics::~Dynamics() = default;

int Dynamics::size() const { return system().layout().nx(); }
int Dynamics::position_size() const { return system().layout().nq; }

bool Dynamics::plain() const { return traced_ && !sliding_->any() && !(follow_roots_ && w_.size() > 0); }

step::LaneTraits Dynamics::traits() const {
  const Stabilization& s = stabilization_;
  const bool kernels = system().options().traced_solve;
  step::LaneTraits traits;
  traits.plain = plain();
  traits.sliding = traced_ && !follow_roots_ ? sliding_->single() : -1;
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

void Dynamics::set_state(const State& state) {
  w_ = state.w;
  evaluator_.set_discrete(state.d);
  evaluator_.set_modes(w_);
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
  take_traced(motion_.rates().vdot->lane, motion_.rates().lambda->lane, motion_.ratio()[0]);
  count();
}

bool Dynamics::derivative_in_full(double t, const double* x, double* xdot) {
  evaluator_.set(t, x);
  if (is_given_up(system())) return false;
  if (follow_roots_) evaluator_.take_modes(w_);
  bool ok = solve_acceleration(t, x);
  const bool interpolated = ok && at_singular_pose() && accelerate_from_both_sides(t, x);
  if (ok && !interpolated && project_stages_ && acceleration_.smallest < Regularity::near)
    ok = accelerate_on_constraints(t, x);
  count();
  write_rates(xdot);
  if (ok && qdot_.allFinite() && zdot_.allFinite()) return true;
  last_failure_ = {t, Eigen::Map<const Eigen::VectorXd>(x, size())};
  return false;
}

bool Dynamics::solve_acceleration(double t, const double* x) {
  if (!sliding_->any()) return accelerate();
  solved_t_ = t, solved_x_ = Numbers(x, size());
  return sliding_->solve(evaluator_, acceleration_.vdot, w_, [this] { return accelerate(); });
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

void Dynamics::write_rates(double* xdot) const {
  Eigen::Map<Eigen::VectorXd> result(xdot, size());
  result.head(qdot_.size()) = qdot_;
  result.segment(qdot_.size(), acceleration_.vdot.size()) = acceleration_.vdot;
  result.tail(zdot_.size()) = zdot_;
}

// Weights of sliding modes are found at x itself.
bool Dynamics::may_leave_state() const { return stabilization_.projection && !sliding_->any(); }

bool Dynamics::at_singular_pose() const {
  const auto rows = static_cast<int>(system().options().independent_rows.size());
  return formulation_->is_auto() && (acceleration_.rank < rows || acceleration_.smallest < unreadable);
}

// The motion goes through the pose on its branch, along which everything is smooth. False: it hardly moves, or is not regular
// on both sides, or passes by a pose in which branches nearly meet; acceleration_ stays as it is.
bool Dynamics::accelerate_from_both_sides(double t, const double* x) {
  if (!may_leave_state()) return false;
  projection_->begin(t, x);
  const MachineSize& size = projection_->size();
  const double speed = size.of_velocities(x + position_size());
  if (speed == 0) return false;
  here_ = acceleration_, qdot_here_ = qdot_, zdot_here_ = zdot_;
  const bool found = interpolate_from_sides(t, x, reach / speed) && branch_leads_through(t, x);
  const double change = size.of_velocities(interpolated_.vdot.data()) / speed;  // of the speed, 1/s
  evaluator_.set(t, x);
  acceleration_ = here_, qdot_ = qdot_here_, zdot_ = zdot_here_;
  if (!found || !(change * least_motion / speed < 0.1)) return false;
  acceleration_.vdot = interpolated_.vdot, acceleration_.lambda = interpolated_.lambda;
  evaluator_.all(terms_);
  zdot_ = terms_.zdot;
  add_constraint_work(terms_);
  return true;
}

// With the forces of x on all sides: what drives the motion may change faster than the branch. Time stands still, but where
// constraints move with it: then it goes on with the positions.
bool Dynamics::interpolate_from_sides(double t, const double* x, double dt) {
  const bool moving = constraints_move(t, x, dt);
  evaluator_.set(t, x);
  evaluator_.all(terms_);
  force_ = terms_.f;
  interpolated_.vdot.setZero(), interpolated_.lambda.setZero(), branch_.setZero();
  for (std::size_t k = 0; k < interpolation.size(); ++k) {
    const double away = dt * static_cast<double>(k + 1);
    for (const double side : {-away, away}) {
      if (!accelerate_beside(moving ? t + side : t, x, side)) return false;
      interpolated_.vdot += interpolation[k] * acceleration_.vdot;
      interpolated_.lambda += interpolation[k] * acceleration_.lambda;
      branch_ += interpolation[k] * beside_.head(position_size());
    }
  }
  return true;
}

bool Dynamics::constraints_move(double t, const double* x, double dt) {
  evaluator_.set(t, x);
  evaluator_.position(terms_);
  b_ = terms_.phi;
  evaluator_.set(t + dt, x);
  evaluator_.position(terms_);
  return b_ != terms_.phi;
}

bool Dynamics::accelerate_beside(double t, const double* x, double dt) {
  beside_ = Eigen::Map<const Eigen::VectorXd>(x, size());
  step_ = dt * beside_.segment(position_size(), system().layout().nv);
  configuration_->advance(beside_.data(), step_.data());
  const double* nearest = projection_->nearest(t, beside_.data());
  if (!nearest) return false;
  beside_ = Eigen::Map<const Eigen::VectorXd>(nearest, size());
  evaluator_.set(t, nearest);
  evaluator_.all(terms_);
  b_ = terms_.gamma - stabilization_.alpha * terms_.phidot - stabilization_.beta * terms_.phi;
  terms_.f = force_;
  formulation_->solve(terms_, b_, acceleration_);
  return acceleration_.ok && !at_singular_pose();
}

// Where branches only come near each other, the points on both sides lie on two of them, and the curve through them leaves
// the constraints in between.
bool Dynamics::branch_leads_through(double t, const double* x) {
  beside_ = Eigen::Map<const Eigen::VectorXd>(x, size());
  beside_.head(position_size()) = branch_;
  configuration_->normalize(beside_.data());
  evaluator_.set(t, beside_.data());
  evaluator_.position(terms_);
  const MachineSize& size = projection_->size();
  return size.of_rows(terms_.phi) <= on_branch * std::max(1.0, size.of_positions(branch_.data()));
}

// Not for implicit integrators, whose Jacobian is that of x itself.
bool Dynamics::accelerate_on_constraints(double t, const double* x) {
  if (!may_leave_state() || system().options().jacobian) return true;
  const double* nearest = projection_->nearest(t, x);
  evaluator_.set(t, nearest ? nearest : x);
  return accelerate();
}

void Dynamics::take_modes(double t, const double* x) {
  evaluator_.set(t, x);
  evaluator_.take_modes(w_);
}

bool Dynamics::accelerate() {
  if (traced_ && accelerate_traced()) return true;
  if (traced_) ++statistics_.dense;
  return accelerate_by_terms();
}

bool Dynamics::accelerate_traced() {
  const Layout& n = system().layout();
  const SystemEvaluator::Traced traced = evaluator_.acceleration(stabilization_.alpha, stabilization_.beta);
  if (!(traced.ratio >= Regularity::squared(Regularity::singular)) || !Numbers(traced.vdot, n.nv).allFinite())
    return false;
  take_traced(traced.vdot, traced.lambda, traced.ratio);
  qdot_ = Numbers(traced.qdot, n.nq);
  zdot_ = Numbers(traced.zdot, n.nz);
  return true;
}

void Dynamics::take_traced(const double* vdot, const double* lambda, double ratio) {
  const std::vector<int>& rows = system().options().independent_rows;
  acceleration_.vdot = Numbers(vdot, acceleration_.vdot.size());
  if (static_cast<Eigen::Index>(rows.size()) < acceleration_.lambda.size()) acceleration_.lambda.setZero();
  for (std::size_t k = 0; k < rows.size(); ++k) acceleration_.lambda[rows[k]] = lambda[k];
  acceleration_.rank = static_cast<int>(rows.size());
  acceleration_.smallest = std::sqrt(ratio);
  acceleration_.ok = true;
}

bool Dynamics::accelerate_by_terms() {
  return formulation_->is_auto() ? accelerate_with(terms_) : accelerate_with(dense_);
}

template <class Matrix>
bool Dynamics::accelerate_with(TermsOf<Matrix>& terms) {
  evaluator_.all(terms);
  b_ = terms.gamma - stabilization_.alpha * terms.phidot - stabilization_.beta * terms.phi;
  formulation_->solve(terms, b_, acceleration_);
  qdot_ = terms.qdot;
  zdot_ = terms.zdot;
  add_constraint_work(terms);
  return acceleration_.ok;
}

// Power of constraints: -lambda' Phi v = lambda' phi_t - lambda' phidot; the second is the work of Baumgarte's method.
template <class Matrix>
void Dynamics::add_constraint_work(const TermsOf<Matrix>& terms) {
  const Equations& e = system().equations();
  const bool pulled = stabilization_.alpha != 0 || stabilization_.beta != 0;
  const double off = pulled ? acceleration_.lambda.dot(terms.phidot) : 0;
  if (e.stabilization_work >= 0) zdot_[e.stabilization_work] -= off;
  if (e.constraint_work < 0) return;
  zdot_[e.constraint_work] += off;
  const Layout& n = system().layout();
  b_.noalias() = terms.Phi * Eigen::Map<const Eigen::VectorXd>(evaluator_.inputs() + n.v(), n.nv);
  zdot_[e.constraint_work] -= acceleration_.lambda.dot(b_);
}

// What project() moves changes the energy; the ledger counts it.
void Dynamics::count_projection_work(double t, double* x, double before) {
  evaluator_.set(t, x);
  const Layout& n = system().layout();
  x[n.nq + n.nv + system().equations().stabilization_work] += evaluator_.energy() - before;
}

void Dynamics::count() {
  ++statistics_.evaluations;
  if (acceleration_.smallest < Regularity::singular) ++statistics_.near_singular;
  const int rank = acceleration_.rank;
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
    beside_ = Eigen::Map<const Eigen::VectorXd>(x, size());
    configuration_->normalize(beside_.data());
    projection_->begin(t, beside_.data());
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
  if (all_rows || !formulation_->is_auto()) return true;
  evaluator_.all(terms_);
  if (!rows_->factor(terms_)) return false;
  force_ = terms_.f;
  force_.noalias() -= terms_.M * acceleration_.vdot;
  rows_->multipliers(force_, acceleration_.lambda);
  return true;
}

std::string Dynamics::refusal() const { return formulation_->refusal(acceleration_); }

// d/dx of  M a + Phi' lambda = f,  Phi a = b  with a and lambda held: each column is one more right-hand side of the
// same system,  M a_x + Phi' lambda_x = -r_x,  Phi a_x = (gamma - Phi a)_x - alpha phidot_x - beta phi_x.
bool Dynamics::jacobian(double t, const double* x, Eigen::MatrixXd& J) {
  if (!system().options().jacobian || sliding_->any() || is_given_up(system())) return false;
  const Layout& n = system().layout();
  const double alpha = stabilization_.alpha, beta = stabilization_.beta;
  // made when first asked for: of a large machine it takes hundreds of megabytes, and only implicit steps need it
  if (jacobian_.r_v.size() == 0) jacobian_ = evaluator_.make_jacobian();
  evaluator_.set(t, x);
  evaluator_.all(terms_);
  b_ = terms_.gamma - alpha * terms_.phidot - beta * terms_.phi;
  if (!rows_->factor(terms_)) return false;
  rows_->solve(terms_.f, b_, column_.vdot, column_.lambda);
  evaluator_.jacobian(column_.vdot, column_.lambda, jacobian_);
  const auto& j = jacobian_;

  J.setZero(n.nx(), n.nx());
  J.topLeftCorner(n.nq, n.nq) = j.qdot_q;
  J.block(0, n.nq, n.nq, n.nv) = j.qdot_v;
  J.bottomLeftCorner(n.nz, n.nq) = j.zdot_q;
  J.block(n.nq + n.nv, n.nq, n.nz, n.nv) = j.zdot_v;
  J.bottomRightCorner(n.nz, n.nz) = j.zdot_z;
  constexpr long solve_operations = 200;  // of a sparse solve, for each velocity and row
  for (int k = 0; k < n.nx(); ++k) {
    if (interrupted_after(solve_operations * (n.nv + n.m))) return false;
    b_.setZero();
    if (k < n.nq) {
      force_ = -j.r_q.col(k);
      b_ = j.gamma_q.col(k) - alpha * j.phidot_q.col(k) - beta * j.phi_q.col(k);
    } else if (k < n.nq + n.nv) {
      force_ = -j.r_v.col(k - n.nq);
      b_ = j.gamma_v.col(k - n.nq) - alpha * j.phidot_v.col(k - n.nq);
    } else {
      force_ = -j.r_z.col(k - n.nq - n.nv);
    }
    rows_->solve(force_, b_, column_.vdot, column_.lambda);
    J.col(k).segment(n.nq, n.nv) = column_.vdot;
  }
  return J.allFinite();
}

}  // namespace armature
