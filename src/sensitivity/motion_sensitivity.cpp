#include "sensitivity/motion_sensitivity.hpp"

#include <algorithm>
#include <set>

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

Directional make_rates(const System& system, double alpha, double beta) {
  const Equations& e = system.equations();
  const VariedRows rows = constraint_rows(e);
  List y = residuals(e), further = e.a;
  for (std::size_t k = 0; k < rows.phi.size(); ++k)
    y.push_back(rows.phiddot[k] + alpha * rows.phidot[k] + beta * rows.phi[k]);
  y.insert(y.end(), e.qdot.begin(), e.qdot.end());
  y.insert(y.end(), e.zdot.begin(), e.zdot.end());
  further.insert(further.end(), e.lambda.begin(), e.lambda.end());
  return Directional(system, y, further);
}

Directional make_constraints(const System& system) {
  VariedRows rows = constraint_rows(system.equations());
  rows.phi.insert(rows.phi.end(), rows.phidot.begin(), rows.phidot.end());
  return Directional(system, rows.phi);
}

bool depends_on_any(Expression x, const std::set<std::int32_t>& leaves) {
  return std::ranges::any_of(leaves_of(x), [&](std::int32_t leaf) { return leaves.contains(leaf); });
}

// Outcomes that do not follow from time alone.
std::set<std::int32_t> moving_outcomes(const Equations& e) {
  std::set<std::int32_t> outcomes;
  for (std::size_t k = 0; k < e.graph->comparisons().size(); ++k) {
    const std::vector<std::int32_t> leaves = leaves_of(e.graph->comparisons()[k].root);
    if (std::ranges::any_of(leaves, [&](std::int32_t leaf) { return leaf != e.t.id(); }))
      outcomes.insert(e.graph->outcome(static_cast<int>(k)).id());
  }
  return outcomes;
}

}  // namespace

std::string why_no_sensitivity(const Equations& e) {
  if (!e.contacts.empty()) return "has rigid contacts, whose impacts make velocities jump";
  for (const Discrete& value : e.discrete)
    if (value.period > 0) return "has sampled controllers";
  const std::set<std::int32_t> outcomes = moving_outcomes(e);
  const auto changes = [&](const List& list) {
    return std::ranges::any_of(list, [&](const Expression& x) { return depends_on_any(x, outcomes); });
  };
  const auto moves = [&](const ConstraintRow& row) { return depends_on_any(row.phi, outcomes); };
  List masses;
  for (std::size_t i = 0; i < e.v.size(); ++i)
    for (const auto& [j, entry] : e.M.row(static_cast<int>(i))) masses.push_back(entry);
  if (changes(e.f) || changes(e.zdot) || changes(masses) || std::ranges::any_of(e.rows, moves))
    return "has equations that change at events (friction, contact, a limit or another comparison)";
  return {};
}

MotionSensitivity::MotionSensitivity(const std::shared_ptr<const System>& system, double alpha, double beta)
    : n_(system->layout()),
      alpha_(alpha),
      beta_(beta),
      evaluator_(system),
      configuration_(system->equations()),
      rates_(make_rates(*system, alpha, beta)),
      constraints_(make_constraints(*system)),
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
  rates_.set_parameters(parameters);
  constraints_.set_parameters(parameters);
}

bool MotionSensitivity::set(const State& state) {
  evaluator_.set(state);
  evaluator_.all(terms_);
  b_ = terms_.gamma - alpha_ * terms_.phidot - beta_ * terms_.phi;
  if (!rows_.factor(terms_)) return false;
  rows_.solve(terms_.f, b_, vdot_, lambda_);
  xdot_ << terms_.qdot, vdot_, terms_.zdot;
  solution_ << vdot_, lambda_;
  rates_.set(state);
  rates_.set_further(solution_);
  constraints_.set(state);
  state_.x = state.x;
  return true;
}

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
