#include "sensitivity/start_sensitivity.hpp"

#include <cmath>

#include "dynamics/configuration.hpp"
#include "linear/decompositions.hpp"
#include "system/flow.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using List = std::vector<Expression>;

constexpr double dependent = 1e-9;        // part of the largest pivot: rows that say the same
constexpr double met = 1e-9;              // m, rad: a near value that the start has
constexpr double difference_part = 1e-3;  // of a parameter's scale

List position_rows(const Equations& e) {
  List rows;
  for (const ConstraintRow& row : e.rows) rows.push_back(row.phi);
  for (const auto* conditions : {&e.keep, &e.near})
    for (const StartCondition& condition : *conditions) rows.push_back(condition.residual);
  return rows;
}

List velocity_rows(const Equations& e) {
  List rows;
  Derivative along_flow(flow_of_states(e));
  for (const ConstraintRow& row : e.rows) rows.push_back(along_flow(row.phi));
  for (const auto* conditions : {&e.speed_keep, &e.speed_near})
    for (const StartCondition& condition : *conditions) rows.push_back(condition.residual);
  return rows;
}

List state_starts(const Equations& e) {
  List starts;
  for (const auto& [index, start] : e.z_initial) starts.push_back(start);
  return starts;
}

int touched_columns(const MatrixXd& rows) {
  int count = 0;
  for (Eigen::Index k = 0; k < rows.cols(); ++k) count += rows.col(k).isZero() ? 0 : 1;
  return count;
}

// Rows of length one: meters and radians count alike.
MatrixXd normalized(MatrixXd rows, VectorXd& lengths) {
  lengths = rows.rowwise().norm();
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    if (lengths[i] > 0) rows.row(i) /= lengths[i];
  return rows;
}

Eigen::Index rank_of(const MatrixXd& rows) { return rows.size() == 0 ? 0 : pivoted_qr(rows, dependent).rank; }

// How many of the rows determine the start, the exact ones standing first: these alone, or all of them where the others (near) are met and say
// something new. Nothing: the start is not determined by rows.
std::optional<Eigen::Index> determining_rows(const MatrixXd& rows, Eigen::Index exact, bool near_is_met) {
  const Eigen::Index rank = rank_of(rows.topRows(exact));
  const int touched = touched_columns(rows);
  if (rank == touched) return exact;
  const Eigen::Index near = rows.rows() - exact;
  if (near_is_met && rank_of(rows) == touched && touched == rank + near) return rows.rows();
  return std::nullopt;
}

// X with rows X = -changes, the shortest one: what no row touches does not change.
MatrixXd solved(const MatrixXd& rows, const VectorXd& lengths, const MatrixXd& changes) {
  MatrixXd right = -changes;
  for (Eigen::Index i = 0; i < right.rows(); ++i)
    if (lengths[i] > 0) right.row(i) /= lengths[i];
  LeastNorm factors;
  factors.factor(rows, dependent);
  return factors.solve(right);
}

}  // namespace

StartSensitivity::StartSensitivity(const std::shared_ptr<const System>& system)
    : n_(system->layout()),
      evaluator_(system),
      positions_(*system, position_rows(system->equations())),
      velocities_(*system, velocity_rows(system->equations())),
      states_(*system, state_starts(system->equations())),
      terms_(evaluator_.make_sparse_terms()) {}

std::string StartSensitivity::missing(const Prepared& prepared) {
  return prepared.from_equilibrium ? "starts in an equilibrium, whose derivative is not computed" : "";
}

bool StartSensitivity::operator()(const Prepared& prepared, KnownPositions& known, const VectorXd& scales,
                                  MatrixXd& S) {
  S.topRows(n_.nx() + n_.nd).setZero();
  by_differences_ = !differentiate(prepared, S);
  return !by_differences_ || take_differences(prepared, known, scales, S);
}

bool StartSensitivity::differentiate(const Prepared& prepared, MatrixXd& S) {
  evaluator_.set_parameters(prepared.parameters);
  for (Directional* program : {&positions_, &velocities_, &states_}) {
    program->set_parameters(prepared.parameters);
    program->set(prepared.start);
  }
  evaluator_.set(prepared.start);
  evaluator_.motion(terms_);
  // states first: constraints may depend on them
  states_(S, changes_);
  const auto& starts = evaluator_.system().equations().z_initial;
  for (std::size_t k = 0; k < starts.size(); ++k)
    S.row(n_.nq + n_.nv + starts[k].first) = changes_.row(static_cast<Eigen::Index>(k));
  return differentiate_positions(prepared.start, S) && differentiate_velocities(prepared.start, S);
}

bool StartSensitivity::differentiate_positions(const State& start, MatrixXd& S) {
  // The rows that fix the positions: constraints and what is kept, which hold exactly, then what is only near.
  const auto exact = static_cast<Eigen::Index>(n_.m + evaluator_.system().equations().keep.size());
  evaluator_.start_position(residual_, J_);
  MatrixXd rows(n_.m + J_.rows(), n_.nv);
  rows << MatrixXd(terms_.Phi), MatrixXd(J_);
  if (rows.rows() == 0) return true;
  const VectorXd near = residual_.tail(rows.rows() - exact);
  VectorXd lengths;
  rows = normalized(rows, lengths);
  // Only as many rows as determine the positions count; those that are near count where assembly has met them.
  const auto count = determining_rows(rows, exact, near.size() == 0 || near.cwiseAbs().maxCoeff() < met);
  if (!count) return false;
  // J dq = -d residual for all columns at once, and dq as rates of the coordinates, which differ from it for
  // quaternions.
  positions_(S, changes_);
  const MatrixXd dq = solved(rows.topRows(*count), lengths, changes_.topRows(*count));
  const Configuration configuration(evaluator_.system().equations());
  VectorXd rate(n_.nq);
  for (Eigen::Index k = 0; k < S.cols(); ++k) {
    configuration.rate(start.x.data(), dq.col(k).data(), rate.data());
    S.col(k).head(n_.nq) = rate;
  }
  return true;
}

// The start at rest, whose rows ask for no velocity nearby either, stays at rest whatever the rows leave open.
bool StartSensitivity::differentiate_velocities(const State& start, MatrixXd& S) {
  const auto exact = static_cast<Eigen::Index>(n_.m + evaluator_.system().equations().speed_keep.size());
  evaluator_.start_velocity(residual_, J_);
  MatrixXd rows(n_.m + J_.rows(), n_.nv);
  rows << MatrixXd(terms_.Phi), MatrixXd(J_);
  if (rows.rows() == 0) return true;
  velocities_(S, changes_);
  const bool rests = start.x.segment(n_.nq, n_.nv).isZero() && changes_.isZero();
  const VectorXd near = residual_.tail(rows.rows() - exact);
  VectorXd lengths;
  rows = normalized(rows, lengths);
  const auto count = determining_rows(rows, exact, near.size() == 0 || near.cwiseAbs().maxCoeff() < met);
  if (!count) return rests;
  S.middleRows(n_.nq, n_.nv) = solved(rows.topRows(*count), lengths, changes_.topRows(*count));
  return true;
}

//   (8 (x(+h) - x(-h)) - (x(+2h) - x(-2h))) / 12 h
bool StartSensitivity::take_differences(const Prepared& prepared, KnownPositions& known, const VectorXd& scales,
                                        MatrixXd& S) {
  constexpr std::pair<double, double> stencil[] = {{1, 8}, {-1, -8}, {2, -1}, {-2, 1}};
  S.topRows(n_.nx() + n_.nd).setZero();
  MatrixXd by_parameter = MatrixXd::Zero(n_.nx(), n_.np);
  Prepared beside = prepared;
  for (Eigen::Index k = 0; k < n_.np; ++k) {
    const double h = difference_part * scales[k];
    for (const auto& [place, weight] : stencil) {
      beside.parameters = prepared.parameters;
      beside.parameters[k] += place * h;
      beside.failure.clear(), beside.notes.clear(), beside.remarks.clear();
      assemble_start(beside, evaluator_, known);
      if (!beside.failure.empty()) return false;
      by_parameter.col(k) += weight / (12 * h) * beside.start.x;
    }
  }
  S.topRows(n_.nx()) = by_parameter * S.bottomRows(n_.np);
  return true;
}

}  // namespace armature::internal
