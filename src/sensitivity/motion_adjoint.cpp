#include "sensitivity/motion_adjoint.hpp"

#include <algorithm>

#include "system/articulated_solve.hpp"
#include "system/composite_solve.hpp"
#include "system/flow.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using List = std::vector<Expression>;

constexpr double singular_pivot = Regularity::singular * Regularity::singular;  // a pivot is the square of a sine

void append(List& list, const List& more) { list.insert(list.end(), more.begin(), more.end()); }

std::vector<int> all_rows(const Equations& e) {
  std::vector<int> rows;
  for (std::size_t k = 0; k < e.rows.size(); ++k) rows.push_back(static_cast<int>(k));
  return rows;
}

// Some rows of the constraints with their derivatives by time, accelerations being leaves.
struct Rows {
  List phi, phidot, phiddot;
  ExpressionMatrix Phi;

  Rows(const Equations& e, const std::vector<int>& chosen) : Phi(0, static_cast<int>(e.v.size())) {
    // Derivatives along the motion: once gives phi' of phi, twice, with q'' = a, gives phi'' of phi'.
    LeafMap flow = flow_of_states(e);
    Derivative once(flow);
    for (std::size_t i = 0; i < e.v.size(); ++i) flow[e.v[i].id()] = e.a[i];
    Derivative twice(flow);
    for (const int row : chosen) {
      phi.push_back(e.rows[static_cast<std::size_t>(row)].phi);
      phidot.push_back(once(phi.back()));
      phiddot.push_back(twice(phidot.back()));
      // A row of the Jacobian: d phi'/dv, which is d phi/dq along the velocities.
      ExpressionMatrix::Row entries;
      for (int i = 0; i < Phi.columns(); ++i)
        if (const Expression entry = Derivative({{e.v[static_cast<std::size_t>(i)].id(), 1.0}})(phidot.back());
            !entry.is(0))
          entries.push_back({i, entry});
      Phi.add_row(entries);
    }
  }
};

// M a + Phi' lambda - f
List residuals(const Equations& e, const Rows& rows, const std::vector<int>& chosen) {
  List r;
  for (std::size_t i = 0; i < e.v.size(); ++i) {
    Expression sum = -e.f[i];
    for (const auto& [j, entry] : e.M.row(static_cast<int>(i))) sum += entry * e.a[static_cast<std::size_t>(j)];
    r.push_back(sum);
  }
  for (std::size_t k = 0; k < chosen.size(); ++k)
    for (const auto& [i, entry] : rows.Phi.row(static_cast<int>(k)))
      r[static_cast<std::size_t>(i)] += entry * e.lambda[static_cast<std::size_t>(chosen[k])];
  return r;
}

// phi'' + alpha phi' + beta phi
List closing(const Rows& rows, double alpha, double beta) {
  List c;
  for (std::size_t k = 0; k < rows.phi.size(); ++k)
    c.push_back(rows.phiddot[k] + alpha * rows.phidot[k] + beta * rows.phi[k]);
  return c;
}

// r, c, qdot, zdot, y: what H is a weighted sum of.
List parts_of_H(const Equations& e, const Rows& rows, const std::vector<int>& chosen, double alpha, double beta,
                const List& observed) {
  List parts = residuals(e, rows, chosen);
  append(parts, closing(rows, alpha, beta));
  append(parts, e.qdot), append(parts, e.zdot), append(parts, observed);
  return parts;
}

Transposed make_H(const System& system, double alpha, double beta, const List& observed,
                  const std::vector<int>& sliders, const std::vector<int>& tables) {
  const Equations& e = system.equations();
  const std::vector<int> all = all_rows(e);
  List y = parts_of_H(e, Rows(e, all), all, alpha, beta, observed), further = e.a;
  // d(root)/dt of what may slide, and the root
  LeafMap flow = flow_of_states(e);
  for (std::size_t i = 0; i < e.v.size(); ++i) flow[e.v[i].id()] = e.a[i];
  Derivative along(flow);
  List roots;
  for (const int k : sliders) roots.push_back(e.graph->comparisons()[static_cast<std::size_t>(k)].root);
  for (const Expression& root : roots) y.push_back(along(root));
  append(y, roots);
  append(further, e.lambda);
  return Transposed(system, y, further, sliders, tables);
}

std::unique_ptr<const TracedSolve> make_solve(const System& system, const Rows& rows, const std::vector<int>& chosen) {
  const Equations& e = system.equations();
  const std::vector<int> of_all = row_groups(e);
  std::vector<int> groups;
  for (const int row : chosen) groups.push_back(of_all[static_cast<std::size_t>(row)]);
  if (system.articulated()) return std::make_unique<ArticulatedSolve>(*e.tree, rows.Phi, groups);
  return std::make_unique<CompositeSolve>(e.M, e.elimination_order, rows.Phi, groups);
}

// The accelerations: Phi a = gamma - alpha phi' - beta phi.
TracedSolve::RightSide forces(const System& system, const Rows& rows, double alpha, double beta) {
  const Equations& e = system.equations();
  LeafMap at_rest;
  for (const Expression& a : e.a) at_rest[a.id()] = 0.0;
  Substitution without(at_rest);
  List b;
  for (const Expression& c : closing(rows, alpha, beta)) b.push_back(-without(c));
  if (system.articulated()) return {e.tree->applied, b, e.tree->wrenches};
  return {e.f, b};
}

}  // namespace

MotionAdjoint::MotionAdjoint(const std::shared_ptr<const System>& system, const MotionSensitivity& motion, double alpha,
                             double beta, const List& observed, const std::vector<int>& tables)
    : n_(system->layout()),
      alpha_(alpha),
      beta_(beta),
      observed_(static_cast<Eigen::Index>(observed.size())),
      motion_(motion),
      H_(make_H(*system, alpha, beta, observed, motion.sliders(), tables)) {
  if (system->options().traced_solve) make_traced(*system, observed, tables);
  weights_.setZero(H_.size());
  further_.setZero(n_.nv + n_.m);
  scratch_.setZero(rows());
  dv_.setZero(n_.nv), mu_.setZero(n_.m), no_residual_.setZero(n_.m);
}

// The sweep over H with a, lambda, alpha and mu as leaves; then both solutions take their place.
void MotionAdjoint::make_traced(const System& system, const List& observed, const std::vector<int>& tables) {
  const Equations& e = system.equations();
  const std::vector<int>& chosen = system.options().independent_rows;
  const Rows rows(e, chosen);
  const std::unique_ptr<const TracedSolve> solve = make_solve(system, rows, chosen);
  TransposedExpressions sweep(system, parts_of_H(e, rows, chosen, alpha_, beta_, observed), {}, {}, tables);
  // Two solutions of one traced factorization: a and lambda for the forces; alpha and mu for the adjoint of the
  // velocities.
  List lambda_v;
  for (int i = 0; i < n_.nv; ++i) lambda_v.push_back(e.graph->input("lambda"));
  const TracedSolve::Solution motion = solve->solve(forces(system, rows, alpha_, beta_));
  const TracedSolve::Solution adjoint = solve->solve({lambda_v, List(chosen.size(), 0.0)});
  // Both take the place of the leaves in the sweep, the adjoint one with its sign changed.
  LeafMap known;
  const std::size_t nv = e.v.size();
  for (std::size_t i = 0; i < nv; ++i)
    known[e.a[i].id()] = motion.vdot[i], known[sweep.weights[i].id()] = -adjoint.vdot[i];
  for (std::size_t k = 0; k < chosen.size(); ++k)
    known[e.lambda[static_cast<std::size_t>(chosen[k])].id()] = motion.lambda[k],
    known[sweep.weights[nv + k].id()] = -adjoint.lambda[k];
  Substitution with(known);
  List outputs, inputs = lambda_v;
  for (const Expression& x : sweep.outputs) outputs.push_back(with(x));
  // Pivots and scales come last, so that a singular solve is seen.
  pivots_ = static_cast<Eigen::Index>(solve->pivots().size());
  append(outputs, solve->pivots()), append(outputs, solve->scales());
  // The inputs: adjoint velocities, then the weights that are not solved for.
  inputs.insert(inputs.end(), sweep.weights.begin() + static_cast<std::ptrdiff_t>(nv + chosen.size()),
                sweep.weights.end());
  traced_.emplace(system.make_program(outputs, inputs));
  traced_rows_ = sweep.rows;
  for (const TableUse& use : sweep.tables) traced_look_ups_.push_back({use.table, use.derivative});
  in_.setZero(traced_->program().input_count());
  out_.setZero(traced_->program().output_count());
}

void MotionAdjoint::set_parameters(const VectorXd& parameters) {
  motion_.set_parameters(parameters);
  H_.set_parameters(parameters);
  if (traced_) in_.segment(n_.p(), n_.np) = parameters;
}

void MotionAdjoint::set_sliding_rate(double rate) {
  sliding_rate_ = rate;
  motion_.set_sliding_rate(rate);
}

void MotionAdjoint::hold(const State& state) {
  state_.d = state.d, state_.w = state.w, state_.comparisons = state.comparisons;
  slides_ = std::ranges::count(state.comparisons, ComparisonStatus::sliding) > 0;
  if (!traced_) return;
  in_.segment(n_.d(), n_.nd) = state.d;
  in_.segment(n_.w(), n_.nw) = state.w;
}

bool MotionAdjoint::rate(double t, const VectorXd& x, const MatrixXd& lambda, const MatrixXd& psi, MatrixXd& gain) {
  gain.setZero(rows(), lambda.cols());
  look_ups_.resize(static_cast<std::size_t>(lambda.cols()));
  if (traced_ && !slides_) {
    in_[0] = t;
    in_.segment(n_.q(), n_.nx()) = x;
    for (Eigen::Index column = 0; column < lambda.cols(); ++column) evaluate_traced(lambda, psi, column, gain);
    if (regular()) {
      why_ = "the derivatives of the motion have no value";
      return gain.allFinite();
    }
    gain.setZero();
  }
  state_.t = t, state_.x = x;
  return evaluate_at_state(lambda, psi, gain);
}

// ---- the traced program

void MotionAdjoint::evaluate_traced(const MatrixXd& lambda, const MatrixXd& psi, Eigen::Index column, MatrixXd& gain) {
  const auto of = lambda.col(column);
  auto further = in_.tail(in_.size() - n_.size());
  further.head(n_.nv) = of.segment(n_.nq, n_.nv);
  further.segment(n_.nv, n_.nq) = of.head(n_.nq);
  further.segment(n_.nv + n_.nq, n_.nz) = of.segment(n_.nq + n_.nv, n_.nz);
  further.tail(observed_) = psi.col(column);
  (*traced_)(in_.data(), out_.data());
  const double* next = out_.data();
  for (const int row : traced_rows_) gain(row, column) = *next++;
  std::vector<TableLookUp>& look_ups = look_ups_[static_cast<std::size_t>(column)];
  look_ups = traced_look_ups_;
  for (TableLookUp& use : look_ups) use.argument = next[0], use.adjoint = next[1], next += 2;
}

bool MotionAdjoint::regular() const {
  const auto pivots = out_.segment(out_.size() - 2 * pivots_, pivots_), scales = out_.tail(pivots_);
  for (Eigen::Index k = 0; k < pivots_; ++k)
    if (!(pivots[k] > singular_pivot * scales[k])) return false;
  return true;
}

// ---- any state

bool MotionAdjoint::set(const State& state) {
  hold(state);
  if (!motion_.set(state)) {
    why_ = motion_.why();
    return false;
  }
  const Terms& terms = motion_.terms();
  const VectorXd b = terms.gamma - alpha_ * terms.phidot - beta_ * terms.phi;
  motion_.solve(terms.f, b, dv_, mu_);
  further_ << dv_, mu_;
  H_.set(motion_.state());
  H_.set_further(further_);
  why_ = "what sticks is not held";
  return !slides_ || factor_weights();
}

void MotionAdjoint::solve(const VectorXd& force) {
  motion_.solve(force, no_residual_, dv_, mu_);
  weights_.head(n_.nv) = -dv_;
  weights_.segment(n_.nv, n_.m) = -mu_;
}

// K: how the weights of what slides hold their roots.
bool MotionAdjoint::factor_weights() {
  const std::vector<int>& active = motion_.active();
  const auto count = static_cast<Eigen::Index>(active.size()),
             sliders = static_cast<Eigen::Index>(motion_.sliders().size());
  MatrixXd K(count, count);
  root_v_.resize(count, n_.nv);
  // Row i: how the root of the i-th comparison that sticks responds to the weights of all that stick, through the
  // accelerations.
  for (Eigen::Index i = 0; i < count; ++i) {
    const int slider = active[static_cast<std::size_t>(i)];
    weights_.setZero();
    weights_[weights_.size() - 2 * sliders + slider] = 1;
    H_.add(weights_, scratch_);
    root_v_.row(i) = H_.by_further().head(n_.nv).transpose();
    solve(root_v_.row(i).transpose());
    H_.add(weights_, scratch_);
    for (Eigen::Index k = 0; k < count; ++k) K(i, k) = H_.by_slider()[active[static_cast<std::size_t>(k)]];
  }
  weights_.setZero();
  if (!K.allFinite()) return false;
  K_.setThreshold(Regularity::dependent);
  // Transposed, since the adjoint asks for the weights that cancel a response.
  if (count > 0) K_.compute(K.transpose());
  return true;
}

// The weights of H for g' dw; returns s_a' omega.
VectorXd MotionAdjoint::held_by(const VectorXd& g) {
  const std::vector<int>& active = motion_.active();
  const auto sliders = static_cast<Eigen::Index>(motion_.sliders().size());
  const VectorXd omega = -K_.solve(g);
  weights_.tail(2 * sliders).setZero();
  for (std::size_t i = 0; i < active.size(); ++i) {
    weights_[weights_.size() - 2 * sliders + active[i]] = omega[static_cast<Eigen::Index>(i)];
    weights_[weights_.size() - sliders + active[i]] = sliding_rate_ * omega[static_cast<Eigen::Index>(i)];
  }
  return root_v_.transpose() * omega;
}

void MotionAdjoint::add_weights(const VectorXd& g, Eigen::Ref<VectorXd> lambda, std::vector<TableLookUp>& look_ups) {
  if (!slides_ || g.size() == 0 || g.isZero()) return;
  weights_.setZero();
  const VectorXd force = held_by(g);
  solve(force);
  H_.add(weights_, lambda);
  look_ups.insert(look_ups.end(), H_.look_ups().begin(), H_.look_ups().end());
}

bool MotionAdjoint::evaluate_at_state(const MatrixXd& lambda, const MatrixXd& psi, MatrixXd& gain) {
  if (!set(state_)) return false;
  why_ = "the derivatives of the motion have no value";
  const bool holds = slides_ && !motion_.active().empty();
  VectorXd g(static_cast<Eigen::Index>(holds ? motion_.active().size() : 0));
  for (Eigen::Index column = 0; column < lambda.cols(); ++column) {
    const auto of = lambda.col(column);
    // The weights of all outputs of H: of the rates of q and z, and of what is observed. Those of v are solved for.
    weights_.setZero();
    weights_.segment(n_.nv + n_.m, n_.nq) = of.head(n_.nq);
    weights_.segment(n_.nv + n_.m + n_.nq, n_.nz) = of.segment(n_.nq + n_.nv, n_.nz);
    weights_.segment(n_.nv + n_.m + n_.nq + n_.nz, observed_) = psi.col(column);
    VectorXd force = of.segment(n_.nq, n_.nv);
    solve(force);
    // What sticks adds a force that cancels the response of its roots; the solution is found again with it.
    if (holds) {
      H_.add(weights_, scratch_);
      for (std::size_t i = 0; i < motion_.active().size(); ++i)
        g[static_cast<Eigen::Index>(i)] = H_.by_slider()[motion_.active()[i]];
      force += held_by(g);
      solve(force);
    }
    H_.add(weights_, gain.col(column));
    look_ups_[static_cast<std::size_t>(column)] = H_.look_ups();
  }
  return gain.allFinite();
}

}  // namespace armature::internal
