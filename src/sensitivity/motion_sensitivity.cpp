#include "sensitivity/motion_sensitivity.hpp"

#include <algorithm>

#include "integrate/integrator.hpp"
#include "system/flow.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using List = std::vector<Expression>;

struct VariedRows {
  List phi, phidot, phiddot;
};

VariedRows constraint_rows(const Equations& e) {
  LeafMap flow = flow_of_states(e);
  Derivative once(flow);
  for (std::size_t i = 0; i < e.v.size(); ++i) flow[e.v[i].id()] = e.a[i];
  Derivative twice(flow);
  VariedRows rows;
  for (const ConstraintRow& row : e.rows) {
    rows.phi.push_back(row.phi);
    rows.phidot.push_back(once(row.phi));
    rows.phiddot.push_back(twice(rows.phidot.back()));
  }
  return rows;
}

// M a + Phi' lambda - f
List residuals(const Equations& e) {
  const std::size_t nv = e.v.size();
  List r;
  for (std::size_t i = 0; i < nv; ++i) {
    Expression sum = -e.f[i];
    for (const auto& [j, entry] : e.M.row(static_cast<int>(i))) sum += entry * e.a[j];
    r.push_back(sum);
  }
  Derivative along_flow(flow_of_states(e));
  for (std::size_t row = 0; row < e.rows.size(); ++row) {
    const Expression phidot = along_flow(e.rows[row].phi);
    for (std::size_t i = 0; i < nv; ++i) r[i] += Derivative({{e.v[i].id(), 1.0}})(phidot) * e.lambda[row];
  }
  return r;
}

Directional make_rates(const System& system, double alpha, double beta, const std::vector<int>& sliders) {
  const Equations& e = system.equations();
  const VariedRows rows = constraint_rows(e);
  List y = residuals(e), further = e.a;
  for (std::size_t k = 0; k < rows.phi.size(); ++k)
    y.push_back(rows.phiddot[k] + alpha * rows.phidot[k] + beta * rows.phi[k]);
  y.insert(y.end(), e.qdot.begin(), e.qdot.end());
  y.insert(y.end(), e.zdot.begin(), e.zdot.end());
  further.insert(further.end(), e.lambda.begin(), e.lambda.end());
  return Directional(system, y, further, sliders);
}

List roots_of(const Equations& e, const std::vector<int>& comparisons) {
  List roots;
  for (const int k : comparisons) roots.push_back(e.graph->comparisons()[static_cast<std::size_t>(k)].root);
  return roots;
}

// d(root)/dt with the accelerations as leaves.
Directional make_held(const System& system, const std::vector<int>& sliders) {
  const Equations& e = system.equations();
  LeafMap flow = flow_of_states(e);
  for (std::size_t i = 0; i < e.v.size(); ++i) flow[e.v[i].id()] = e.a[i];
  Derivative along(flow);
  List y;
  for (const Expression& root : roots_of(e, sliders)) y.push_back(along(root));
  return Directional(system, y, e.a, sliders);
}

Evaluator make_root_by_v(const System& system, const std::vector<int>& sliders) {
  const Equations& e = system.equations();
  List y;
  for (const Expression& root : roots_of(e, sliders))
    for (const Expression& slope : gradient(root, e.v)) y.push_back(slope);
  return Evaluator(system.make_program(y));
}

Directional make_constraints(const System& system) {
  VariedRows rows = constraint_rows(system.equations());
  rows.phi.insert(rows.phi.end(), rows.phidot.begin(), rows.phidot.end());
  return Directional(system, rows.phi);
}

bool depends_on_any(Expression x, const List& leaves) {
  if (x.is_constant()) return false;
  const std::vector<std::int32_t> of_x = leaves_of(x);
  return std::ranges::any_of(leaves,
                             [&](const Expression& leaf) { return std::ranges::binary_search(of_x, leaf.id()); });
}

bool any_depends_on(const List& list, const Expression& leaf) {
  return std::ranges::any_of(list, [&](const Expression& x) { return !x.is_constant() && depends_on(x, leaf); });
}

}  // namespace

std::string why_no_sensitivity(const Prepared& prepared) {
  const Equations& e = prepared.system->equations();
  if (e.has_velocity_rows()) return "has constraints on velocities alone (rolling, knife_edge)";
  for (const RigidContact& contact : e.contacts)
    if (contact.has_two_tangents()) return "has a rigid contact with friction in space: " + contact.label;
  if (takes_fixed_steps(prepared.options.integrator) && !e.graph->comparisons().empty())
    return "has comparisons, whose changes " + prepared.options.integrator + " does not locate";
  return {};
}

std::vector<int> sliders_of(const Equations& e) {
  List accelerated = e.f;
  for (std::size_t i = 0; i < e.v.size(); ++i)
    for (const auto& [j, entry] : e.M.row(static_cast<int>(i))) accelerated.push_back(entry);
  for (const ConstraintRow& row : e.rows) accelerated.push_back(row.phi);
  std::vector<int> sliders;
  for (std::size_t k = 0; k < e.graph->comparisons().size(); ++k) {
    const Graph::Comparison comparison = e.graph->comparisons()[k];
    if (comparison.kind == Graph::ComparisonKind::floor) continue;
    const Expression outcome = e.graph->outcome(static_cast<int>(k));
    if ((depends_on_any(comparison.root, e.v) && any_depends_on(accelerated, outcome)) ||
        (depends_on_any(comparison.root, e.z) && any_depends_on(e.zdot, outcome)))
      sliders.push_back(static_cast<int>(k));
  }
  return sliders;
}

MotionSensitivity::MotionSensitivity(const std::shared_ptr<const System>& system, double alpha, double beta)
    : n_(system->layout()),
      alpha_(alpha),
      beta_(beta),
      sliders_(sliders_of(system->equations())),
      evaluator_(system),
      configuration_(system->equations()),
      sliding_(*system),
      rates_(make_rates(*system, alpha, beta, sliders_)),
      held_(make_held(*system, sliders_)),
      roots_(*system, roots_of(system->equations(), sliders_), {}, sliders_),
      root_by_v_(make_root_by_v(*system, sliders_)),
      constraints_(make_constraints(*system)),
      tangents_(TangentPrograms::of(*system, alpha, beta)),
      terms_(evaluator_.make_terms()) {
  rows_.resize(n_.nv, n_.m);
  rows_.set_groups(row_groups(system->equations()));
  solution_ = VectorXd::Zero(n_.nv + n_.m);
  lambda_ = dlambda_ = VectorXd::Zero(n_.m);
  xdot_ = VectorXd::Zero(n_.nx());
  dq_ = VectorXd::Zero(n_.nq);
}

MatrixXd MotionSensitivity::unit_directions() const {
  MatrixXd S = MatrixXd::Zero(rows(), n_.np);
  S.bottomRows(n_.np).setIdentity();
  return S;
}

void MotionSensitivity::set_parameters(const VectorXd& parameters) {
  evaluator_.set_parameters(parameters);
  for (Directional* program : {&rates_, &held_, &roots_, &constraints_}) program->set_parameters(parameters);
}

bool MotionSensitivity::accelerate() {
  evaluator_.all(terms_);
  b_ = terms_.gamma - alpha_ * terms_.phidot - beta_ * terms_.phi;
  if (!rows_.factor(terms_)) return false;
  rows_.solve(terms_.f, b_, vdot_, lambda_);
  return vdot_.allFinite();
}

bool MotionSensitivity::set(const State& state) {
  state_ = state;
  evaluator_.set(state);
  sliding_.set(state.comparisons);
  why_ = "the accelerations have no value";
  // Accelerations first; where something sticks, together with the weights that hold it.
  if (sliding_.any() ? !find_weights() : !accelerate()) return false;
  why_ = "the pose is singular, and the motion has no derivative that is known to any digit";
  if (rows_.nearly_singular()) return false;
  // The programs of derivatives take the solution as an input.
  xdot_ << terms_.qdot, vdot_, terms_.zdot;
  solution_ << vdot_, lambda_;
  for (Directional* program : {&rates_, &constraints_}) program->set(state_);
  rates_.set_further(solution_);
  why_ = "what sticks is not held";
  if (sliding_.any() && !factor_weights()) return false;
  why_ = "the derivatives of the motion have no value";
  return true;
}

VectorXd MotionSensitivity::flow() const {
  VectorXd direction = VectorXd::Zero(rows());
  direction.head(n_.nx()) = xdot_;
  direction[Directional::time_row(n_)] = 1;
  return direction;
}

// ---- comparisons that slide

bool MotionSensitivity::find_weights() {
  if (!sliding_.solve(evaluator_, vdot_, state_.w, [this] { return accelerate(); })) return false;
  active_.clear();
  for (std::size_t k = 0; k < sliders_.size(); ++k)
    if (state_.comparisons[static_cast<std::size_t>(sliders_[k])] == ComparisonStatus::sliding)
      active_.push_back(static_cast<int>(k));
  return true;
}

// What the weights do to accelerations and to zdot; and K, how they hold their roots.
bool MotionSensitivity::factor_weights() {
  held_.set(state_), held_.set_further(vdot_), roots_.set(state_);
  const auto count = static_cast<Eigen::Index>(active_.size());
  // transposed: a program writes row after row
  MatrixXd slopes(n_.nv, static_cast<Eigen::Index>(sliders_.size()));
  if (slopes.size() > 0) root_by_v_(evaluator_.inputs(), slopes.data());
  root_v_.resize(count, n_.nv), a_w_.resize(n_.nv, count), z_w_.resize(n_.nz, count);
  MatrixXd K(count, count);
  for (Eigen::Index k = 0; k < count; ++k)
    root_v_.row(k) = slopes.col(active_[static_cast<std::size_t>(k)]).transpose();
  for (Eigen::Index k = 0; k < count; ++k) {
    rates_.by_weight(active_[static_cast<std::size_t>(k)], effect_);
    force_ = -effect_.head(n_.nv);
    residual_ = -effect_.segment(n_.nv, n_.m);
    rows_.solve(force_, residual_, dvdot_, dlambda_);
    a_w_.col(k) = dvdot_;
    z_w_.col(k) = effect_.tail(n_.nz);
    held_.by_weight(active_[static_cast<std::size_t>(k)], effect_);
    for (Eigen::Index i = 0; i < count; ++i) K(i, k) = effect_[active_[static_cast<std::size_t>(i)]];
  }
  K += root_v_ * a_w_;
  if (!K.allFinite()) return false;
  K_.setThreshold(Regularity::dependent);
  if (count > 0) K_.compute(K);
  return true;
}

// dw from d(d(root)/dt + rate root) = 0; of several solutions the shortest, as the weights themselves are chosen.
void MotionSensitivity::add_sliding(MatrixXd& rate, const MatrixXd& S) {
  if (active_.empty()) return;  // what slides belongs to formulas alone
  held_(S, held_changes_);
  roots_(S, root_changes_);
  MatrixXd open(static_cast<Eigen::Index>(active_.size()), S.cols());
  for (Eigen::Index i = 0; i < open.rows(); ++i) {
    const int slider = active_[static_cast<std::size_t>(i)];
    open.row(i) = held_changes_.row(slider) + sliding_.rate() * root_changes_.row(slider);
  }
  open += root_v_ * rate.middleRows(n_.nq, n_.nv);
  dw_ = -K_.solve(open);
  rate.middleRows(n_.nq, n_.nv) += a_w_ * dw_;
  rate.bottomRows(n_.nz) += z_w_ * dw_;
}

void MotionSensitivity::add_weight_changes(Directional& y, MatrixXd& derivatives) {
  if (!sliding_.any()) return;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (!y.depends_on_weight(active_[k])) continue;
    y.by_weight(active_[k], effect_);
    derivatives += effect_ * dw_.row(static_cast<Eigen::Index>(k));
  }
}

// ---- S

bool MotionSensitivity::rate(const MatrixXd& S, MatrixXd& rate) {
  rates_(S, changes_);
  rate.resize(n_.nx(), S.cols());
  for (Eigen::Index k = 0; k < S.cols(); ++k) {
    force_ = -changes_.col(k).head(n_.nv);
    residual_ = -changes_.col(k).segment(n_.nv, n_.m);
    rows_.solve(force_, residual_, dvdot_, dlambda_);
    rate.col(k).segment(n_.nq, n_.nv) = dvdot_;
  }
  rate.topRows(n_.nq) = changes_.middleRows(n_.nv + n_.m, n_.nq);
  rate.bottomRows(n_.nz) = changes_.bottomRows(n_.nz);
  if (sliding_.any()) add_sliding(rate, S);
  return rate.allFinite();
}

// d(phi) = 0 by the shortest way, then d(phidot) = 0, which depends on it.
void MotionSensitivity::make_tangent(MatrixXd& S) {
  if (n_.m == 0) return;
  constraints_(S, open_);
  for (Eigen::Index k = 0; k < S.cols(); ++k) {
    residual_ = -open_.col(k).head(n_.m);
    rows_.least_norm(residual_, correction_);
    configuration_.rate(state_.x.data(), correction_.data(), dq_.data());
    S.col(k).head(n_.nq) += dq_;
  }
  constraints_(S, open_);
  for (Eigen::Index k = 0; k < S.cols(); ++k) {
    residual_ = -open_.col(k).tail(n_.m);
    rows_.least_norm(residual_, correction_);
    S.col(k).segment(n_.nq, n_.nv) += correction_;
  }
}

}  // namespace armature::internal
