#include "dynamics/assembly_steps.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "dynamics/mode_signs.hpp"
#include "linear/gram_matrix.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double tells_branch = 1e-3;  // a step so short does not leave the branch; closing does the rest
constexpr double move_weight =
    1e-4;                         // of moving at all, against missing what is minimised: Gauss-Newton, lightly damped
constexpr double closed = 1e-11;  // of phi and keep over their size: round-off of a few thousand operations
constexpr double closed_speed =
    1e-9;  // of phidot over the largest speed: rows up to Regularity::dependent count as dependent
using std::numbers::pi;
const StartConditions no_conditions;

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

// Differences below a millionth are round-off of two ways to the same pose.
bool Miss::clearly_below(const Miss& other) const {
  constexpr double same = 1e-6;
  if (near < other.near - same) return true;
  return near < other.near + same && moved < other.moved - same;
}

AssemblySteps::AssemblySteps(SystemEvaluator& evaluator, bool conditions)
    : evaluator_(evaluator),
      configuration_(evaluator.system().equations()),
      metric_(evaluator.system().equations()),
      terms_(evaluator.make_sparse_terms()),
      conditions_(conditions),
      row_groups_(row_groups(evaluator.system().equations())) {
  if (!equations().senses.empty()) senses_.emplace(evaluator.system().make_program(equations().senses));
  std::vector<Expression> angles;
  for (std::size_t i = 0; i < equations().discrete.size(); ++i)
    if (const auto& angle = equations().discrete[i].turns_of)
      angles.push_back(*angle), turns_.push_back(static_cast<int>(i));
  if (!angles.empty()) angles_.emplace(evaluator.system().make_program(angles));
  wanted_.assign(angles.size(), 0), angle_.resize(angles.size());
  if (!conditions) return;
  keeps_ = static_cast<int>(equations().keep.size());
  nears_ = static_cast<int>(equations().near.size());
  condition_groups_ = start_groups(keep(), near());
}

const StartConditions& AssemblySteps::keep() const { return conditions_ ? equations().keep : no_conditions; }
const StartConditions& AssemblySteps::near() const { return conditions_ ? equations().near : no_conditions; }
const StartConditions& AssemblySteps::speed_keep() const {
  return conditions_ ? equations().speed_keep : no_conditions;
}

void AssemblySteps::evaluate(const State& state) {
  evaluator_.set(state.t, state.x.data());
  count_turns(state);
  evaluator_.position(terms_);
  if (conditions_) {
    evaluator_.start_position(start_, start_J_);
  } else {
    start_.resize(0), start_J_.resize(0, terms_.M.cols());
  }
  q_ = state.x.head(configuration_.nq());
}

// Half a turn, and what is beside it by round-off, is a positive one.
void AssemblySteps::count_turns(const State& state) {
  constexpr double beside = 1e-9;  // of a turn
  d_ = state.d;
  if (!angles_ || !counts_turns_) return;
  evaluator_.set_discrete(d_);
  (*angles_)(evaluator_.inputs(), angle_.data());
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const double turns = 2 * pi * std::ceil((angle_[k] - wanted_[k]) / (2 * pi) - 0.5 - beside);
    if (std::isfinite(turns)) d_[turns_[k]] -= turns, angle_[k] -= turns;
  }
  evaluator_.set_discrete(d_);
}

// All rows are made pure numbers, so that they can be compared. Components of one vector make a group: one of them that vanishes
// is small against the others.
void AssemblySteps::gather(Goal goal) {
  const int nv = configuration_.nv(), loops = static_cast<int>(terms_.phi.size());
  const int rows = closes(goal) ? loops : 0, held = static_cast<int>(held_.size());
  const int met = keeps_ + (goal == Goal::reach || goal == Goal::meet ? nears_ : 0);
  const VectorXd& row_scale = metric_.row_scale();
  stacked_.clear(nv);
  for (int i = 0; i < rows; ++i) stacked_.add(terms_.Phi, i, row_scale[i]);
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
  stacked_.clear(nv);
  if (minimises_gap(goal)) {
    for (int i = 0; i < loops; ++i) stacked_.add(terms_.Phi, i, row_scale[i]);
    r_ = row_scale.cwiseProduct(terms_.phi);
  } else if (goal == Goal::meet) {
    r_.resize(0);
  } else {
    for (int i = keeps_; i < keeps_ + nears_; ++i) stacked_.add(start_J_, i, start_scale_[i]);
    r_ = start_scale_.tail(nears_).cwiseProduct(start_.tail(nears_));
  }
  stacked_.copy_to(J_);
}

void AssemblySteps::group_rows(int loops) {
  const int conditions = static_cast<int>(condition_groups_.size()), m = static_cast<int>(c_.size());
  groups_.resize(m);
  for (int i = 0; i < m; ++i) {
    const int condition = i - loops;
    groups_[i] =
        i < loops ? row_groups_[i] : loops + (condition < conditions ? condition_groups_[condition] : condition);
  }
}

// Against which round-off counts: one, or the terms of a row where its coordinates are far from zero.
void AssemblySteps::measure_rows() {
  c_size_.setOnes(c_.size());
  for (int i = 0; i < C_.rows(); ++i) {
    double size = 0;
    for (SparseMatrix::InnerIterator entry(C_, i); entry; ++entry)
      if (const int position = configuration_.position_of(static_cast<int>(entry.col())); position >= 0)
        size += std::abs(entry.value() * q_[position]);
    c_size_[i] = std::max(1.0, size);
  }
}

void AssemblySteps::prepare_rows() {
  rows_.resize(configuration_.nv(), static_cast<int>(c_.size()));
  rows_.set_groups(groups_);
}

bool AssemblySteps::factor(const SparseMatrix& metric) {
  prepare_rows();
  return rows_.factor(metric, C_);
}

double AssemblySteps::violation() const { return c_.norm(); }

// What a step has to reduce. Closing the loops may move away from `near`.
double AssemblySteps::merit(Goal goal) const {
  return goal == Goal::close ? violation() : std::hypot(r_.norm(), violation());
}

bool AssemblySteps::is_met(int row) const {
  return std::abs(c_[row]) <= (speeds_ ? closed_speed : closed) * c_size_[row];
}

bool AssemblySteps::all_met() const {
  for (int i = 0; i < c_.size(); ++i)
    if (!is_met(i)) return false;
  return true;
}

bool AssemblySteps::step(double damping) { return solve(move_weight + damping) && dv_.allFinite(); }

bool AssemblySteps::solve(double weight) {
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
bool AssemblySteps::solve_with_slacks(double weight) {
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

double AssemblySteps::limited() const {
  double factor = 1;
  for (int j = 0; j < configuration_.nv(); ++j) {
    const double most = equations().velocities[j].kind == Coordinate::Kind::length ? metric_.length() : 0.5;
    if (std::abs(dv_[j]) > most) factor = std::min(factor, most / std::abs(dv_[j]));
  }
  return factor;
}

// A step as long as it likes where it meets everything at once, as on lines it does, however far they lead; else no
// longer than limited(), and halved while it does not help.
bool AssemblySteps::try_step(State& state, Goal goal, const VectorXd& dv, double before) {
  constexpr double as_on_a_line = 1e-3, nothing_left = 1e-6;
  const VectorXd old = state.x;
  const auto after = [&](double factor) {
    state.x = old, way_ = factor * dv;
    configuration_.advance(state.x.data(), way_.data());
    evaluate(state);
    gather(goal);
    return merit(goal);
  };
  double factor = limited();
  if (factor < 1 && after(1) < as_on_a_line * before) return true;
  for (int half = 0; half < 8; ++half, factor /= 2)
    if (const double now = after(factor); now < before || now < nothing_left) return true;
  return false;
}

// Newton steps, halved while they do not reduce what must become zero. True: nothing moves any more.
bool AssemblySteps::iterate(State& state, Goal goal, int most) {
  const double still = goal == Goal::reach ? tells_branch : 1e-10;
  const bool minimises = goal != Goal::close;
  double damping = 0;
  bool gathered = false;  // at the state
  for (int k = 0; k < most; ++k) {
    if (!gathered) evaluate(state), gather(goal);
    if (!step(damping)) return false;
    const VectorXd old = state.x, dv = dv_;
    const bool better = try_step(state, goal, dv, merit(goal));
    if (minimises) damping = better ? damping / 4 : std::max(10 * damping, 1e-3);
    gathered = better || !minimises;
    if (!gathered) state.x = old;
    if (metric_.norm(dv) < still) return true;
  }
  return false;
}

void AssemblySteps::approach(State& state) {
  if (keeps_ + nears_ > 0) iterate(state, Goal::approach, 50);
}

void AssemblySteps::reach(State& state) {
  if (nears_ > 0 && terms_.phi.size() > 0) iterate(state, Goal::reach, 50);
}

bool AssemblySteps::close(State& state, int most_steps) {
  iterate(state, Goal::close, most_steps);
  return restore(state, Goal::close) && right_way_round();
}

bool AssemblySteps::right_way_round() {
  if (!senses_) return true;
  std::vector<double> values(equations().senses.size());
  (*senses_)(evaluator_.inputs(), values.data());
  return std::all_of(values.begin(), values.end(), [](double x) { return x > 0; });
}

bool AssemblySteps::restore(State& state, Goal goal) {
  constexpr double too_long = 0.5;  // rad: no longer the way back to where it was
  double best = INFINITY;
  for (int k = 0;; ++k) {
    evaluate(state);
    gather(goal);
    if (c_.size() == 0 || k == 8 || !(violation() < 0.5 * best)) break;
    best = violation();
    if (!factor(metric_.weights())) break;
    rows_.least_norm(-c_, dv_);
    if (!dv_.allFinite() || metric_.norm(dv_) > too_long) break;
    configuration_.advance(state.x.data(), dv_.data());
  }
  return all_met();
}

std::vector<int> AssemblySteps::settle_modes(State& state) {
  evaluator_.set(state.t, state.x.data());
  count_turns(state);
  return set_modes_by_roots(evaluator_, state);
}

void AssemblySteps::least_gap(State& state) {
  iterate(state, Goal::least_gap, 200);
  evaluate(state);
  gather(Goal::close);
}

VectorXd AssemblySteps::away(const State& state) const {
  const int nq = configuration_.nq();
  VectorXd dv = metric_.difference(said_.x.head(nq), state.x.head(nq));
  for (int j = 0; j < dv.size(); ++j)
    if (const int position = configuration_.position_of(j); position >= 0 && named_[position]) dv[j] = 0;
  return dv;
}

Miss AssemblySteps::miss(const State& state, int component) {
  evaluate(state);
  gather(Goal::close);
  VectorXd dv = away(state), near = r_;
  const auto belongs = [&](int velocity) { return component == everything || component_[velocity] == component; };
  for (int j = 0; j < dv.size(); ++j)
    if (!belongs(j)) dv[j] = 0;
  for (int i = 0; i < near.size(); ++i)
    if (const SparseMatrix::InnerIterator entry(J_, i); entry && !belongs(static_cast<int>(entry.col()))) near[i] = 0;
  return {near.norm(), metric_.norm(dv)};
}

std::string AssemblySteps::name_of(int row) const {
  const int loops = static_cast<int>(equations().rows.size());
  if (row < loops) return equations().rows[row].owner;
  const auto& kept = speeds_ ? equations().speed_keep : equations().keep;
  return kept[row - loops].name;
}

// Rows that depend on one another contradict each other where one of them is violated.
std::vector<std::string> AssemblySteps::contradicted() {
  std::set<std::string> violated, bound;
  for (int i = 0; i < c_.size(); ++i)
    if (!is_met(i)) violated.insert(name_of(i));
  if (!factor(metric_.weights())) return {};
  VectorXd share;
  for (int k = rows_.rank(); k < rows_.rows(); ++k) {
    std::set<std::string> group{name_of(rows_.row(k))};
    rows_.dependence(k, share);
    for (int i = 0; i < rows_.rank(); ++i)
      if (std::abs(share[i]) > 1e-6) group.insert(name_of(rows_.row(i)));
    const auto open = [&](const std::string& name) { return violated.contains(name); };
    if (std::any_of(group.begin(), group.end(), open)) bound.insert(group.begin(), group.end());
  }
  std::erase_if(bound, [&](const std::string& name) { return violated.contains(name); });
  return {bound.begin(), bound.end()};
}

// Pivoting takes well-coupled velocities first as those that depend on the others; the rest is free.
void AssemblySteps::hold_free_coordinates(const State& state) {
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

double AssemblySteps::distance(const State& a, const State& b) const {
  double largest = 0;
  for (int i = 0; i < configuration_.nq(); ++i) {
    double difference = std::abs(a.x[i] - b.x[i]);
    if (equations().positions[i].kind == Coordinate::Kind::angle)
      difference = std::abs(std::remainder(difference, 2 * pi));
    if (equations().positions[i].kind == Coordinate::Kind::length) difference /= metric_.length();
    if (configuration_.is_quaternion(i))
      difference = std::abs(std::abs(a.x[i]) - std::abs(b.x[i]));  // q and -q are one
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace armature::internal
