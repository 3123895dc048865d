#include "dynamics/assembly_steps.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <set>

#include "linear/gram_matrix.hpp"

namespace armature {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double tells_branch = 1e-3;    // rad, m: a step so short does not leave the branch; closing does the rest
constexpr double inertia_weight = 1e-4;  // of moving at all, against missing `near`
const double pi = std::acos(-1.0);

}  // namespace

AssemblySteps::AssemblySteps(SystemEvaluator& evaluator, bool conditions)
    : evaluator_(evaluator),
      configuration_(evaluator.system().equations()),
      terms_(evaluator.make_sparse_terms()),
      conditions_(conditions) {
  if (!conditions) return;
  keeps_ = static_cast<int>(equations().keep.size());
  nears_ = static_cast<int>(equations().near.size());
}

std::vector<StartCondition> AssemblySteps::keep() const {
  return conditions_ ? equations().keep : std::vector<StartCondition>{};
}

std::vector<StartCondition> AssemblySteps::speed_keep() const {
  return conditions_ ? equations().speed_keep : std::vector<StartCondition>{};
}

void AssemblySteps::evaluate(const State& state) {
  evaluator_.set(state.t, state.x.data());
  evaluator_.position(terms_);
  if (conditions_) {
    evaluator_.start_position(start_, start_J_);
  } else {
    start_.resize(0), start_J_.resize(0, terms_.M.cols());
  }
  q_ = state.x.head(configuration_.nq());
  if (terms_.Phi.nonZeros() > 0 && all_finite(terms_.Phi)) size_ = std::max(largest_entry(terms_.Phi), 1e-9);
}

void AssemblySteps::gather(Goal goal) {
  const int nv = configuration_.nv(), loops = static_cast<int>(terms_.phi.size());
  const int closed = goal == Goal::close ? loops : 0, held = static_cast<int>(held_.size());
  const int met = keeps_ + (goal == Goal::reach ? nears_ : 0);
  StackedRows C(nv);
  c_.resize(closed + met + held);
  C.add(terms_.Phi, 0, closed), c_.head(closed) = terms_.phi.head(closed);
  C.add(start_J_, 0, met), c_.segment(closed, met) = start_.head(met);
  for (int k = 0; k < held; ++k) {
    C.add_unit(held_[k].first);
    c_[closed + met + k] = q_[configuration_.position_of(held_[k].first)] - held_[k].second;
  }
  C_ = C.matrix();
  if (gap_counts(goal)) {
    J_ = terms_.Phi, r_ = terms_.phi;
  } else {
    J_ = start_J_.middleRows(start_J_.rows() - nears_, nears_), r_ = start_.tail(nears_);
  }
}

bool AssemblySteps::step(double damping) {
  const double inertia = terms_.M.diagonal().sum() / static_cast<double>(terms_.M.rows());
  return solve((inertia_weight + damping) / inertia) && dv_.allFinite();
}

bool AssemblySteps::solve(double weight) {
  const int nv = configuration_.nv(), m = static_cast<int>(c_.size());
  dv_.setZero(nv);
  if (nv + m >= KineticRows::large) return solve_with_slacks(weight);
  metric_ = SparseMatrix(weight * terms_.M) + gram_matrix(J_);
  force_ = -(J_.transpose() * r_);
  rows_.resize(nv, m);
  lambda_.setZero(m);
  if (!rows_.factor(metric_, C_)) return false;
  rows_.solve(force_, -c_, dv_, lambda_);
  return true;
}

// The same with s = J dv + r as further unknowns: the inverse of M + J'J would be full, but
//   min 1/2 s's + weight/2 dv' M dv  with  J dv - s = -r,  C dv = -c
// has the zeros of M, J and C.
bool AssemblySteps::solve_with_slacks(double weight) {
  const int nv = configuration_.nv(), slacks = static_cast<int>(r_.size()), m = static_cast<int>(c_.size());
  std::vector<Eigen::Triplet<double>> metric, rows;
  const auto add = [](const SparseMatrix& A, int first, double factor, std::vector<Eigen::Triplet<double>>& list) {
    for (int i = 0; i < A.rows(); ++i)
      for (SparseMatrix::InnerIterator entry(A, i); entry; ++entry)
        list.emplace_back(first + i, static_cast<int>(entry.col()), factor * entry.value());
  };
  add(terms_.M, 0, weight, metric), add(J_, 0, 1, rows), add(C_, slacks, 1, rows);
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

double AssemblySteps::violation() const { return c_.norm(); }

double AssemblySteps::limited(double damping) const {
  double factor = damping;
  for (int j = 0; j < configuration_.nv(); ++j) {
    const bool length = equations().velocities[j].kind == Coordinate::Kind::length;
    const double most = length ? std::max(size_, 1e-6) : 0.5;
    if (std::abs(dv_[j]) > most) factor = std::min(factor, most / std::abs(dv_[j]));
  }
  return factor;
}

// Newton steps, halved while they do not reduce what must become zero. True: nothing moves any more.
bool AssemblySteps::iterate(State& state, Goal goal, int most) {
  const double still = goal == Goal::reach ? tells_branch : 1e-10;
  double damping = 0;
  bool gathered = false;  // at the state
  for (int k = 0; k < most; ++k) {
    if (!gathered) evaluate(state), gather(goal);
    if (!step(damping)) return false;
    const double before = gap_counts(goal) ? std::hypot(r_.norm(), violation()) : violation();
    const State old = state;
    const VectorXd dv = dv_;
    double factor = limited(1);
    bool better = false;
    for (int half = 0; half < 8 && !better; ++half, factor /= 2) {
      state = old;
      configuration_.advance(state.x.data(), VectorXd(factor * dv).data());
      evaluate(state);
      gather(goal);
      const double now = gap_counts(goal) ? std::hypot(r_.norm(), violation()) : violation();
      better = now < before || now < 1e-6 * size_;
    }
    if (gap_counts(goal)) damping = better ? damping / 4 : std::max(10 * damping, 1e-3);
    gathered = better || !gap_counts(goal);
    if (!gathered) state = old;
    if (dv.cwiseAbs().maxCoeff() < still) return true;
  }
  return false;
}

void AssemblySteps::approach(State& state) {
  if (keeps_ + nears_ > 0) iterate(state, Goal::approach, 50);
}

void AssemblySteps::reach(State& state) {
  if (nears_ > 0 && terms_.phi.size() > 0) iterate(state, Goal::reach, 50);
}

bool AssemblySteps::close(State& state) {
  iterate(state, Goal::close, 100);
  polish(state);
  evaluate(state);
  gather(Goal::close);
  if (c_.size() > 0 && !(c_.cwiseAbs().maxCoeff() <= tolerance())) return false;
  return right_way_round();
}

bool AssemblySteps::right_way_round() const {
  const std::vector<Expression>& senses = equations().senses;
  if (senses.empty()) return true;
  std::vector<double> values;
  evaluator_.evaluate(senses, values);
  return std::all_of(values.begin(), values.end(), [](double x) { return x > 0; });
}

// Down to round-off, by the shortest way.
void AssemblySteps::polish(State& state) {
  double best = INFINITY;
  for (int k = 0; k < 6; ++k) {
    evaluate(state);
    gather(Goal::close);
    if (c_.size() == 0 || !(violation() < 0.5 * best)) return;
    best = violation();
    rows_.resize(configuration_.nv(), static_cast<int>(c_.size()));
    if (!rows_.factor(terms_.M, C_)) return;
    rows_.least_norm(-c_, dv_);
    if (!dv_.allFinite() || dv_.cwiseAbs().maxCoeff() > 1e-3) return;
    configuration_.advance(state.x.data(), dv_.data());
  }
}

void AssemblySteps::least_gap(State& state) {
  iterate(state, Goal::least_gap, 200);
  evaluate(state);
  gather(Goal::close);
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
  const double most = speeds_ ? speed_tolerance() : tolerance();
  for (int i = 0; i < c_.size(); ++i)
    if (std::abs(c_[i]) > most) violated.insert(name_of(i));
  rows_.resize(configuration_.nv(), static_cast<int>(c_.size()));
  if (!rows_.factor(terms_.M, C_)) return {};
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

// The conditions are affine in v:  residual(v) = residual(0) + J v.
bool AssemblySteps::velocities(State& state) {
  const int nq = configuration_.nq(), nv = configuration_.nv();
  const int keeps = static_cast<int>(speed_keep().size());
  state.x.segment(nq, nv).setZero();
  evaluator_.set(state.t, state.x.data());
  evaluator_.motion(terms_);
  VectorXd residual;
  SparseMatrix J(0, nv);
  if (conditions_) evaluator_.start_velocity(residual, J);
  const int nears = static_cast<int>(J.rows()) - keeps, loops = static_cast<int>(terms_.phidot.size());

  StackedRows C(nv);
  C.add(terms_.Phi, 0, loops), C.add(J, 0, keeps);
  C_ = C.matrix();
  c_.resize(loops + keeps);
  c_ << terms_.phidot, residual.head(keeps);
  const double inertia = terms_.M.diagonal().sum() / nv;
  J_ = J.middleRows(keeps, nears), r_ = residual.tail(nears);
  speed_ = residual.head(keeps);
  speeds_ = true;
  if (!solve(inertia_weight / inertia) || !dv_.allFinite()) return false;

  state.x.segment(nq, nv) = dv_;
  speed_size_ = nv > 0 ? dv_.cwiseAbs().maxCoeff() : 0;
  evaluator_.set(state.t, state.x.data());
  evaluator_.motion(terms_);
  if (conditions_) evaluator_.start_velocity(residual, J), speed_ = residual.head(keeps);
  c_ << terms_.phidot, speed_;
  return true;
}

void AssemblySteps::shake(State& state, double size, std::mt19937& generator) const {
  std::uniform_real_distribution<double> uniform(-1, 1);
  VectorXd dv(configuration_.nv());
  for (int j = 0; j < dv.size(); ++j) {
    const bool length = equations().velocities[j].kind == Coordinate::Kind::length;
    dv[j] = uniform(generator) * size * (length ? 2 * size_ : pi);
  }
  configuration_.advance(state.x.data(), dv.data());
}

// Pivoting takes light and well-coupled velocities first as those that depend on the others; the rest is free.
void AssemblySteps::hold_free_coordinates(const State& state) {
  evaluate(state);
  gather(Goal::close);
  MatrixXd scaled = C_;
  for (int j = 0; j < scaled.cols(); ++j) scaled.col(j) /= std::sqrt(terms_.M.coeff(j, j));
  if (scaled.rows() == 0) scaled = MatrixXd::Zero(1, scaled.cols());
  Eigen::ColPivHouseholderQR<MatrixXd> qr(scaled);
  qr.setThreshold(rank_tolerance);
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
    if (configuration_.is_quaternion(i))
      difference = std::abs(std::abs(a.x[i]) - std::abs(b.x[i]));  // q and -q are one
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace armature
