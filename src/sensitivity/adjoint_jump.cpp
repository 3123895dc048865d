#include "sensitivity/adjoint_jump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensitivity/jump_equations.hpp"
#include "system/flow.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using List = std::vector<Expression>;

List phi_and_rate(const Equations& e) {
  Derivative along_flow(flow_of_states(e));
  List rows;
  for (const ConstraintRow& row : e.rows) rows.push_back(row.phi);
  for (const ConstraintRow& row : e.rows) rows.push_back(along_flow(row.phi));
  return rows;
}

Transposed make_impulse(const System& system, const std::vector<int>& tables) {
  if (jump_equations::impact_work_state(system.equations()) < 0) return {};
  const jump_equations::ImpulseBalance balance = jump_equations::impulse_balance(system.equations());
  return Transposed(system, balance.zero, balance.given, {}, tables);
}

Transposed make_energy(const System& system, const std::vector<int>& tables) {
  if (jump_equations::impact_work_state(system.equations()) < 0) return {};
  return Transposed(system, {jump_equations::stored_energy(system.equations())}, {}, {}, tables);
}

}  // namespace

AdjointJump::AdjointJump(const std::shared_ptr<const System>& system, const std::vector<int>& sliders,
                         const List& observed, const std::vector<int>& tables)
    : system_(system),
      n_(system->layout()),
      roots_(*system, jump_equations::comparison_roots(system->equations()), {}, sliders, tables),
      next_(*system, jump_equations::next_values(system->equations()), {}, {}, tables),
      energy_(make_energy(*system, tables)),
      impulse_(make_impulse(*system, tables)),
      constraints_(*system, phi_and_rate(system->equations()), {}, {}, {}),
      observed_(*system, observed, {}, sliders, tables),
      work_(jump_equations::impact_work_state(system->equations())) {}

void AdjointJump::set_parameters(const VectorXd& parameters) {
  for (Transposed* program : {&roots_, &next_, &energy_, &impulse_, &constraints_, &observed_})
    program->set_parameters(parameters);
}

std::string AdjointJump::name(int k) const {
  const std::string& label = system_->equations().graph->comparisons()[static_cast<std::size_t>(k)].label;
  return label.empty() ? fmt::format("comparison {}", k + 1) : label;
}

std::string AdjointJump::one_after_the_other(int first, int second) const {
  return fmt::format("{} and {} change at one instant, and nearby one after the other", name(first), name(second));
}

// ---- formulas

// At the state of `adjoint`.
void AdjointJump::observe_here(MotionAdjoint& adjoint, int formula, double weight, Eigen::Ref<VectorXd> lambda,
                               std::vector<TableLookUp>& look_ups) {
  observed_.set(adjoint.motion().state());
  observed_.add_one(formula, weight, lambda);
  look_ups.insert(look_ups.end(), observed_.look_ups().begin(), observed_.look_ups().end());
  if (!adjoint.slides()) return;
  const std::vector<int>& active = adjoint.motion().active();
  VectorXd g(static_cast<Eigen::Index>(active.size()));
  for (std::size_t i = 0; i < active.size(); ++i) g[static_cast<Eigen::Index>(i)] = observed_.by_slider()[active[i]];
  adjoint.add_weights(g, lambda, look_ups);
}

bool AdjointJump::observe(MotionAdjoint& adjoint, const State& state, int formula, const Eigen::RowVectorXd& weights,
                          MatrixXd& lambda, std::vector<TableGradient>& tables) {
  VectorXd gradient = VectorXd::Zero(lambda.rows());
  std::vector<TableLookUp> look_ups;
  if (std::ranges::count(state.comparisons, ComparisonStatus::sliding) > 0) {
    if (!adjoint.set(state)) return false;
    observe_here(adjoint, formula, 1, gradient, look_ups);
  } else {
    observed_.set(state);
    observed_.add_one(formula, 1, gradient);
    look_ups = observed_.look_ups();
  }
  gradient[Directional::time_row(n_)] = 0;
  lambda += gradient * weights;
  for (std::size_t column = 0; column < tables.size(); ++column)
    tables[column].add(look_ups, weights[static_cast<Eigen::Index>(column)]);
  return gradient.allFinite();
}

double AdjointJump::rate_of(MotionAdjoint& adjoint, int formula, const VectorXd& flow) {
  VectorXd gradient = VectorXd::Zero(flow.size());
  std::vector<TableLookUp> not_needed;
  observe_here(adjoint, formula, 1, gradient, not_needed);
  return gradient.dot(flow);
}

// ---- samples

void AdjointJump::sample(const RecordedSample& sample, MatrixXd& lambda, std::vector<TableGradient>& tables) {
  owed_to_jump_.setZero();
  if (std::ranges::count(sample.due, true) == 0) return;
  next_.set(sample.seen);
  VectorXd weights = VectorXd::Zero(n_.nd);
  for (Eigen::Index column = 0; column < lambda.cols(); ++column) {
    weights.setZero();
    for (Eigen::Index i = 0; i < n_.nd; ++i)
      if (sample.due[static_cast<std::size_t>(i)]) std::swap(weights[i], lambda(n_.nx() + i, column));
    next_.add(weights, lambda.col(column));
    tables[static_cast<std::size_t>(column)].add(next_.look_ups());
  }
  lambda.row(Directional::time_row(n_)).setZero();
}

void AdjointJump::root_gradient(const State& state, int comparison, VectorXd& gradient) {
  roots_.set(state);
  roots_.add_one(comparison, 1, gradient);
}

// ---- events

AdjointJump::Time AdjointJump::time_of_root(MotionAdjoint& adjoint, int comparison) {
  Time time{VectorXd::Zero(Directional::rows(n_)), {}, {}};
  roots_.set(adjoint.motion().state());
  roots_.add_one(comparison, 1, time.gradient);
  time.look_ups = roots_.look_ups();
  if (!adjoint.slides()) return time;
  const std::vector<int>& active = adjoint.motion().active();
  VectorXd g(static_cast<Eigen::Index>(active.size()));
  for (std::size_t i = 0; i < active.size(); ++i) g[static_cast<Eigen::Index>(i)] = roots_.by_slider()[active[i]];
  adjoint.add_weights(g, time.gradient, time.look_ups);
  return time;
}

// Where a weight leaves its range it takes the place of the root.
AdjointJump::Time AdjointJump::time_of_weight(MotionAdjoint& adjoint, Eigen::Index active) {
  Time time{VectorXd::Zero(Directional::rows(n_)), {}, {}};
  adjoint.add_weights(VectorXd::Unit(static_cast<Eigen::Index>(adjoint.motion().active().size()), active),
                      time.gradient, time.look_ups);
  return time;
}

AdjointJump::Time AdjointJump::time_of_jump() const { return {VectorXd::Zero(Directional::rows(n_)), {}, {}, true}; }

// The gradient as directions see it that are tangent to the constraints: dq and dv without their normal parts.
VectorXd AdjointJump::tangent_part(MotionAdjoint& adjoint, const VectorXd& gradient) {
  if (n_.m == 0) return gradient;
  const MatrixXd& Phi = adjoint.motion().terms().Phi;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> normal(Phi.transpose());
  VectorXd result = gradient, weights = VectorXd::Zero(2 * n_.m);
  constraints_.set(adjoint.motion().state());
  weights.tail(n_.m) = -normal.solve(result.segment(n_.nq, n_.nv));
  constraints_.add(weights, result);
  // along velocities: q moves by N dv
  MatrixXd N(n_.nq, n_.nv);
  const Configuration configuration(system_->equations());
  for (Eigen::Index i = 0; i < n_.nv; ++i) {
    const VectorXd unit = VectorXd::Unit(n_.nv, i);
    configuration.rate(adjoint.motion().state().x.data(), unit.data(), N.col(i).data());
  }
  weights.setZero();
  weights.head(n_.m) = -normal.solve(N.transpose() * result.head(n_.nq));
  constraints_.add(weights, result);
  result[Directional::time_row(n_)] = 0;
  return result;
}

// By every comparison that changes because its root is zero, or because its weight leaves its range; they must agree.
AdjointJump::Time AdjointJump::find_time(MotionAdjoint& adjoint, const RecordedEvent& event, const VectorXd& flow) {
  const State& before = event.before;
  const std::vector<Graph::Comparison>& comparisons = system_->equations().graph->comparisons();
  MotionSensitivity& motion = adjoint.motion();
  VectorXd root, first_part;
  motion.roots(root);
  Time found;
  int first = -1, follower = -1;
  for (std::size_t k = 0; k < comparisons.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const bool slid = before.comparisons[k] == ComparisonStatus::sliding;
    if (event.after.comparisons[k] == before.comparisons[k] && (slid || event.after.w[row] == before.w[row])) continue;
    Time time;
    double rate = 0;
    if (slid) {
      const auto active = std::ranges::find_if(
          motion.active(), [&](int i) { return motion.sliders()[static_cast<std::size_t>(i)] == static_cast<int>(k); });
      if (active == motion.active().end()) continue;
      const double range = 0.5 * comparisons[k].breakaway, beyond = std::abs(motion.state().w[row] - 0.5) - range;
      if (beyond > jump_equations::at_zero * range && event.roots.follows_jump(before.t)) {
        follower = static_cast<int>(k);
        continue;
      }
      if (std::abs(beyond) > jump_equations::at_zero * range) continue;
      time = time_of_weight(adjoint, active - motion.active().begin());
      rate = time.gradient.dot(flow);
    } else {
      if (std::abs(root[row] - jump_equations::edge_of(comparisons[k], root[row])) >
          jump_equations::at_zero * event.roots.scale[row])
        continue;
      time = time_of_root(adjoint, static_cast<int>(k));
      rate = time.gradient.dot(flow);
      // how far beyond its zero it would go, by the parabola through the piece
      const double piece = event.roots.piece;
      const double curvature = 2 * (event.roots.piece_start[row] - root[row] + rate * piece) / (piece * piece);
      if (rate * rate <= 2 * std::abs(curvature) * event.roots.rtol * event.roots.scale[row]) {
        found.missing = fmt::format("{} only grazes its zero", name(static_cast<int>(k)));
        return found;
      }
    }
    time.gradient /= -rate;
    for (TableLookUp& use : time.look_ups) use.adjoint /= -rate;
    const VectorXd part = tangent_part(adjoint, time.gradient);
    if (first >= 0 && !jump_equations::same(part, first_part)) {
      found.missing = one_after_the_other(first, static_cast<int>(k));
      return found;
    }
    if (first < 0) found = time, first_part = part, first = static_cast<int>(k);
  }
  if (follower < 0) return found;
  if (first < 0) return time_of_jump();
  found.missing = one_after_the_other(first, follower);
  return found;
}

// The impulse of rows whose law changes: M (v+ - v-) + Phi' mu = 0, phidot+ = 0, and the work that it takes. `adjoint` is at the state
// after it; lambda: after it, then before it.
void AdjointJump::hit_back(MotionAdjoint& adjoint, const RecordedEvent& event, MatrixXd& lambda,
                           std::vector<TableGradient>& tables) {
  MotionSensitivity& motion = adjoint.motion();
  const VectorXd before = event.before.x.segment(n_.nq, n_.nv), after = event.after.x.segment(n_.nq, n_.nv);
  const MatrixXd& M = motion.terms().M;
  VectorXd alpha = VectorXd::Zero(n_.nv), mu = VectorXd::Zero(n_.m), further(n_.nv + n_.m), weights(n_.nv + n_.m),
           of_impulse(lambda.rows());
  motion.solve(M * before, motion.terms().Phi * after, alpha, mu);
  further << before, mu;
  impulse_.set(event.after);
  impulse_.set_further(further);
  for (Eigen::Index column = 0; column < lambda.cols(); ++column) {
    TableGradient& of_tables = tables[static_cast<std::size_t>(column)];
    const double work = lambda(work_, column);
    energy_.set(event.after);
    energy_.add_one(0, work, lambda.col(column));
    of_tables.add(energy_.look_ups());
    motion.solve(lambda.col(column).segment(n_.nq, n_.nv), VectorXd::Zero(n_.m), alpha, mu);
    weights << -alpha, -mu;
    of_impulse.setZero();
    impulse_.add(weights, of_impulse);
    of_tables.add(impulse_.look_ups());
    of_impulse.segment(n_.nq, n_.nv) = M * alpha - lambda.col(column).segment(n_.nq, n_.nv);
    lambda.col(column) += of_impulse;
    energy_.set(event.before);
    energy_.add_one(0, -work, lambda.col(column));
    of_tables.add(energy_.look_ups());
  }
}

std::string AdjointJump::cross(MotionAdjoint& adjoint, const RecordedEvent& event, const std::vector<Shift>& shifts,
                               MatrixXd& lambda, std::vector<TableGradient>& tables) {
  const auto fails = [&](const std::string& why) { return fmt::format("at t = {:.10g} s {}", event.before.t, why); };
  const auto time_row = Directional::time_row(n_);
  Eigen::RowVectorXd owed = Eigen::RowVectorXd::Zero(lambda.cols());  // to the time of the event
  // the motion before the event, and the gradient of its time
  if (!adjoint.set(event.before)) return fails(adjoint.why());
  const VectorXd flow_before = adjoint.motion().flow();
  const Time time = find_time(adjoint, event, flow_before);
  for (const Shift& shift : shifts)
    if (shift.kind == Shift::Kind::time)
      owed += shift.weights;
    else if (shift.kind == Shift::Kind::rate_before)
      owed += rate_of(adjoint, shift.formula, flow_before) * shift.weights;
  // the motion after it
  if (!adjoint.set(event.after)) return fails(adjoint.why());
  const VectorXd flow_after = adjoint.motion().flow();
  for (const Shift& shift : shifts)
    if (shift.kind == Shift::Kind::rate_after) owed += rate_of(adjoint, shift.formula, flow_after) * shift.weights;
  const bool jumps = work_ >= 0 && event.after.x != event.before.x;
  const double size = std::max(flow_before.head(n_.nx()).norm(), flow_after.head(n_.nx()).norm());
  if (!time.missing.empty()) {
    if (!shifts.empty() || !owed_to_jump_.isZero(0))
      return fmt::format("the time t = {:.10g} s of an event has no derivative: {}", event.before.t, time.missing);
    return jumps || (flow_after - flow_before).norm() > jump_equations::smooth * size
               ? fails("the motion has no derivative: " + time.missing)
               : "";
  }
  // back to the time of the event with the new laws, from there with the old ones
  lambda.row(time_row).setZero();
  owed -= flow_after.transpose() * lambda;
  if (jumps) hit_back(adjoint, event, lambda, tables);
  owed += flow_before.transpose() * lambda + owed_to_jump_;
  if (time.follows_jump) {
    owed_to_jump_ = owed;
    return lambda.allFinite() ? "" : fails("the motion has no derivative");
  }
  owed_to_jump_.setZero();
  lambda += time.gradient * owed;
  lambda.row(time_row).setZero();
  for (std::size_t column = 0; column < tables.size(); ++column)
    tables[column].add(time.look_ups, owed[static_cast<Eigen::Index>(column)]);
  return lambda.allFinite() ? "" : fails("the motion has no derivative");
}

}  // namespace armature::internal
