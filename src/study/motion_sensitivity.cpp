#include "study/motion_sensitivity.hpp"

#include <algorithm>
#include <set>

#include "dynamics/configuration.hpp"
#include "system/flow.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using List = std::vector<Expression>;

List residuals(const Equations& e) {
  const std::size_t nv = e.v.size();
  List r;
  for (std::size_t i = 0; i < nv; ++i) {
    Expression sum = -e.f[i];
    for (const auto& [j, entry] : e.M.row(static_cast<int>(i))) sum += entry * e.a[j];
    r.push_back(sum);
  }
  Derivative along_flow(flow_of_positions(e));
  for (std::size_t row = 0; row < e.rows.size(); ++row) {
    const Expression phidot = along_flow(e.rows[row].phi);
    for (std::size_t i = 0; i < nv; ++i) r[i] += Derivative({{e.v[i].id(), 1.0}})(phidot) * e.lambda[row];
  }
  return r;
}

struct VariedRows {
  List phi, phidot, phiddot;
};
VariedRows constraint_rows(const Equations& e) {
  LeafMap flow = flow_of_positions(e);
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

// Leaves for a direction: one each of q, v, z and p.
List direction_leaves(const Equations& e, LeafMap& direction) {
  List leaves;
  for (const List* list : {&e.q, &e.v, &e.z, &e.p})
    for (const Expression& leaf : *list) {
      leaves.push_back(e.graph->input("d"));
      direction[leaf.id()] = leaves.back();
    }
  return leaves;
}

StateProgram make_derivatives(const Equations& e, double alpha, double beta) {
  LeafMap direction;
  List further = e.a;
  further.insert(further.end(), e.lambda.begin(), e.lambda.end());
  const List leaves = direction_leaves(e, direction);
  further.insert(further.end(), leaves.begin(), leaves.end());
  Derivative along(direction);
  const VariedRows rows = constraint_rows(e);
  List outputs;
  for (const Expression& r : residuals(e)) outputs.push_back(along(r));
  for (std::size_t k = 0; k < rows.phi.size(); ++k)
    outputs.push_back(along(rows.phiddot[k] + alpha * rows.phidot[k] + beta * rows.phi[k]));
  for (const List& list : {e.qdot, e.zdot, rows.phi, rows.phidot})
    for (const Expression& x : list) outputs.push_back(along(x));
  return StateProgram(e, outputs, further);
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
      derivatives_(make_derivatives(system->equations(), alpha, beta)),
      terms_(evaluator_.make_terms()) {
  rows_.resize(n_.nv, n_.m);
  rows_.set_groups(row_groups(system->equations()));
  further_ = VectorXd::Zero(n_.nv + n_.m + n_.nx() + n_.np);
  lambda_ = dlambda_ = VectorXd::Zero(n_.m);
}

void MotionSensitivity::set_parameters(const VectorXd& parameters) {
  evaluator_.set_parameters(parameters);
  derivatives_.set_parameters(parameters);
}

bool MotionSensitivity::factor(const State& state) {
  evaluator_.set(state);
  evaluator_.all(terms_);
  b_ = terms_.gamma - alpha_ * terms_.phidot - beta_ * terms_.phi;
  if (!rows_.factor(terms_)) return false;
  rows_.solve(terms_.f, b_, vdot_, lambda_);
  derivatives_.set(state);
  further_.head(n_.nv) = vdot_;
  further_.segment(n_.nv, n_.m) = lambda_;
  return true;
}

const VectorXd& MotionSensitivity::along(const MatrixXd& S, Eigen::Index column) {
  further_.segment(n_.nv + n_.m, n_.nx()) = S.col(column);
  further_.tail(n_.np).setZero();
  further_[further_.size() - n_.np + column] = 1;
  derivatives_.set_further(further_);
  return derivatives_.evaluate();
}

bool MotionSensitivity::rate(const State& state, const MatrixXd& S, MatrixXd& rate) {
  if (!factor(state)) return false;
  rate.resize(S.rows(), S.cols());
  for (Eigen::Index k = 0; k < S.cols(); ++k) {
    const VectorXd& change = along(S, k);
    force_ = -change.head(n_.nv);
    residual_ = -change.segment(n_.nv, n_.m);
    rows_.solve(force_, residual_, dvdot_, dlambda_);
    rate.col(k).head(n_.nq) = change.segment(n_.nv + n_.m, n_.nq);
    rate.col(k).segment(n_.nq, n_.nv) = dvdot_;
    rate.col(k).tail(n_.nz) = change.segment(n_.nv + n_.m + n_.nq, n_.nz);
  }
  return rate.allFinite();
}

// d(phi) = 0 by the shortest way, then d(phidot) = 0, which depends on it.
void MotionSensitivity::make_tangent(const State& state, MatrixXd& S) {
  if (n_.m == 0 || !factor(state)) return;
  const Configuration configuration(evaluator_.system().equations());
  VectorXd dq(n_.nq);
  for (Eigen::Index k = 0; k < S.cols(); ++k) {
    residual_ = -along(S, k).segment(n_.nv + n_.m + n_.nq + n_.nz, n_.m);
    rows_.least_norm(residual_, correction_);
    configuration.rate(state.x.data(), correction_.data(), dq.data());
    S.col(k).head(n_.nq) += dq;
    residual_ = -along(S, k).tail(n_.m);
    rows_.least_norm(residual_, correction_);
    S.col(k).segment(n_.nq, n_.nv) += correction_;
  }
}

}  // namespace armature::internal
