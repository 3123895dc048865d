#include "dynamics/assembly_rows.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "linear/gram_matrix.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double closed = 1e-11;  // of phi and keep over their size: round-off of a few thousand operations
constexpr double closed_speed =
    1e-9;  // of phidot over the largest speed: rows up to Regularity::dependent count as dependent

// One number a condition, equal for the components of one vector.
std::vector<int> start_groups(const std::vector<StartCondition>& keep, const std::vector<StartCondition>& near) {
  std::map<std::string, int> known;
  std::vector<int> groups;
  for (const auto& [kind, list] : {std::pair{"keep ", &keep}, std::pair{"near ", &near}})
    for (const StartCondition& condition : *list) {
      const std::string owner = condition.name.substr(0, condition.name.rfind('.'));
      groups.push_back(
          known.try_emplace(kind + owner + " " + condition.unit, static_cast<int>(known.size())).first->second);
    }
  return groups;
}

}  // namespace

AssemblyRows::AssemblyRows(SystemEvaluator& evaluator, bool conditions)
    : AssemblyPose(evaluator, conditions), row_groups_(row_groups(evaluator.system().equations())) {
  if (conditions) condition_groups_ = start_groups(keep(), near());
}

// All rows are made pure numbers, so that they can be compared. Components of one vector make a group: one of them that vanishes
// is small against the others.
void AssemblyRows::gather(Goal goal) {
  const int nv = configuration_.nv(), loops = static_cast<int>(terms_.phi.size());
  const int rows = closes(goal) ? loops : 0, held = static_cast<int>(held_.size());
  const int met = keeps_ + (goal == Goal::reach || goal == Goal::meet ? nears_ : 0);
  const VectorXd& row_scale = metric_.row_scale();
  // C and c: loops, conditions that are met, coordinates that are held
  stacked_.clear(nv);
  for (int i = 0; i < rows; ++i) stacked_.add(terms_.Phi, i, holds_position(i) ? row_scale[i] : 0.0);
  for (int i = 0; i < met; ++i) stacked_.add(start_J_, i, start_scale_[i]);
  c_.resize(rows + met + held);
  c_.head(rows) = row_scale.head(rows).cwiseProduct(terms_.phi.head(rows));
  c_.segment(rows, met) = start_scale_.head(met).cwiseProduct(start_.head(met));
  for (int k = 0; k < held; ++k) {
    const int velocity = held_[k].first;
    stacked_.add_unit(velocity);
    c_[rows + met + k] = (q_[configuration_.position_of(velocity)] - held_[k].second) / metric_.typical(velocity);
  }
  stacked_.copy_to(C_);
  group_rows(rows);
  measure_rows();
  // J and r: the loops' gap, or what near misses
  stacked_.clear(nv);
  if (minimizes_gap(goal)) {
    for (int i = 0; i < loops; ++i) stacked_.add(terms_.Phi, i, holds_position(i) ? row_scale[i] : 0.0);
    r_ = row_scale.cwiseProduct(terms_.phi);
  } else if (goal == Goal::meet) {
    r_.resize(0);
  } else {
    for (int i = keeps_; i < keeps_ + nears_; ++i) stacked_.add(start_J_, i, start_scale_[i]);
    r_ = start_scale_.tail(nears_).cwiseProduct(start_.tail(nears_));
  }
  stacked_.copy_to(J_);
}

void AssemblyRows::group_rows(int loops) {
  const int conditions = static_cast<int>(condition_groups_.size()), m = static_cast<int>(c_.size());
  groups_.resize(m);
  for (int i = 0; i < m; ++i) {
    const int condition = i - loops;
    groups_[i] =
        i < loops ? row_groups_[i] : loops + (condition < conditions ? condition_groups_[condition] : condition);
  }
}

// Against which round-off counts: one, or the terms of a row where its coordinates are far from zero.
void AssemblyRows::measure_rows() {
  c_size_.setOnes(c_.size());
  for (int i = 0; i < C_.rows(); ++i) {
    double size = 0;
    for (SparseMatrix::InnerIterator entry(C_, i); entry; ++entry)
      if (const int position = configuration_.position_of(static_cast<int>(entry.col())); position >= 0)
        size += std::abs(entry.value() * q_[position]);
    c_size_[i] = std::max(1.0, size);
  }
}

void AssemblyRows::prepare_rows() {
  rows_.resize(configuration_.nv(), static_cast<int>(c_.size()));
  rows_.set_groups(groups_);
}

bool AssemblyRows::factor(const SparseMatrix& metric) {
  prepare_rows();
  return rows_.factor(metric, C_);
}

double AssemblyRows::violation() const { return c_.norm(); }

// What a step has to reduce. Closing the loops may move away from `near`.
double AssemblyRows::merit(Goal goal) const {
  return goal == Goal::close ? violation() : std::hypot(r_.norm(), violation());
}

bool AssemblyRows::is_met(int row) const {
  return std::abs(c_[row]) <= (speeds_ ? closed_speed : closed) * c_size_[row];
}

bool AssemblyRows::all_met() const {
  for (int i = 0; i < c_.size(); ++i)
    if (!is_met(i)) return false;
  return true;
}

bool AssemblyRows::solve(double weight) {
  const int nv = configuration_.nv(), m = static_cast<int>(c_.size());
  dv_.setZero(nv);
  if (nv + m >= KineticRows::large) return solve_with_slacks(weight);
  force_.noalias() = -(J_.transpose() * r_);
  lambda_.setZero(m);
  gram_.setZero(nv, nv);
  add_gram_matrix(J_, gram_);
  gram_ += weight * metric_.weights();
  C_dense_ = C_;
  prepare_rows();
  if (!rows_.factor(gram_, C_dense_)) return false;
  rows_.solve(force_, -c_, dv_, lambda_);
  return true;
}

// The same with s = J dv + r as further unknowns: the inverse of W + J'J would be full, but
//   min 1/2 s's + weight/2 dv' W dv  with  J dv - s = -r,  C dv = -c
// has the zeros of J and C.
bool AssemblyRows::solve_with_slacks(double weight) {
  const int nv = configuration_.nv(), slacks = static_cast<int>(r_.size()), m = static_cast<int>(c_.size());
  std::vector<Eigen::Triplet<double>> metric, rows;
  const auto add = [](const SparseMatrix& A, int first, double factor, std::vector<Eigen::Triplet<double>>& list) {
    for (int i = 0; i < A.rows(); ++i)
      for (SparseMatrix::InnerIterator entry(A, i); entry; ++entry)
        list.emplace_back(first + i, static_cast<int>(entry.col()), factor * entry.value());
  };
  add(metric_.weights(), 0, weight, metric), add(J_, 0, 1, rows), add(C_, slacks, 1, rows);
  for (int k = 0; k < slacks; ++k) metric.emplace_back(nv + k, nv + k, 1.0), rows.emplace_back(k, nv + k, -1.0);
  SparseMatrix M(nv + slacks, nv + slacks), A(slacks + m, nv + slacks);
  M.setFromTriplets(metric.begin(), metric.end());
  A.setFromTriplets(rows.begin(), rows.end());
  VectorXd right(slacks + m), x(nv + slacks);
  right << -r_, -c_;
  slack_rows_.resize(nv + slacks, slacks + m);
  if (!slack_rows_.factor(M, A)) return false;
  slack_rows_.least_norm(right, x);
  dv_ = x.head(nv);
  return true;
}

bool AssemblyRows::restore(State& state, Goal goal) {
  constexpr double too_long = 0.5;  // rad: no longer the way back to where it was
  double best = INFINITY;
  for (int k = 0;; ++k) {
    evaluate(state);
    gather(goal);
    if (c_.size() == 0 || k == 8 || !(violation() < 0.5 * best)) break;
    // as long as the violation halves: the shortest way to where the rows vanish
    best = violation();
    if (!factor(metric_.weights())) break;
    rows_.least_norm(-c_, dv_);
    if (!dv_.allFinite() || metric_.norm(dv_) > too_long) break;
    configuration_.advance(state.x.data(), dv_.data());
  }
  return all_met();
}

std::string AssemblyRows::name_of(int row) const {
  const int loops = static_cast<int>(equations().rows.size());
  if (row < loops) return equations().rows[row].owner;
  const auto& kept = speeds_ ? equations().speed_keep : equations().keep;
  return kept[row - loops].name;
}

// Rows that depend on one another contradict each other where one of them is violated.
std::vector<std::string> AssemblyRows::contradicted() {
  std::set<std::string> violated, bound;
  for (int i = 0; i < c_.size(); ++i)
    if (!is_met(i)) violated.insert(name_of(i));
  if (!factor(metric_.weights())) return {};
  constexpr double takes_part = 1e-6;  // in the combination of rows that gives another one
  VectorXd share;
  for (int k = rows_.rank(); k < rows_.rows(); ++k) {
    std::set<std::string> group{name_of(rows_.row(k))};
    rows_.dependence(k, share);
    for (int i = 0; i < rows_.rank(); ++i)
      if (std::abs(share[i]) > takes_part) group.insert(name_of(rows_.row(i)));
    const auto open = [&](const std::string& name) { return violated.contains(name); };
    if (std::any_of(group.begin(), group.end(), open)) bound.insert(group.begin(), group.end());
  }
  std::erase_if(bound, [&](const std::string& name) { return violated.contains(name); });
  return {bound.begin(), bound.end()};
}

// Pivoting takes well-coupled velocities first as those that depend on the others; the rest is free.
void AssemblyRows::hold_free_coordinates(const State& state) {
  evaluate(state);
  gather(Goal::close);
  MatrixXd scaled = C_;
  for (int j = 0; j < scaled.cols(); ++j) scaled.col(j) *= metric_.typical(j);
  if (scaled.rows() == 0) scaled = MatrixXd::Zero(1, scaled.cols());
  Eigen::ColPivHouseholderQR<MatrixXd> qr(scaled);
  qr.setThreshold(Regularity::dependent);
  for (int k = static_cast<int>(qr.rank()); k < scaled.cols(); ++k) {
    const int velocity = qr.colsPermutation().indices()[k], position = configuration_.position_of(velocity);
    if (position >= 0) held_.push_back({velocity, state.x[position]});
  }
}

std::vector<std::string> AssemblyRows::held() const {
  std::vector<std::string> names;
  for (const auto& [velocity, value] : held_)
    names.push_back(equations().positions[static_cast<std::size_t>(configuration_.position_of(velocity))].name);
  std::ranges::sort(names);
  return names;
}

}  // namespace armature::internal
