#include "dynamics/assembly_steps.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <set>

namespace armature {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double inertia_weight = 1e-4;  // of moving at all, against missing `near`
const double pi = std::acos(-1.0);

}  // namespace

AssemblySteps::AssemblySteps(SystemEvaluator& evaluator, bool conditions)
    : evaluator_(evaluator),
      configuration_(evaluator.system().equations()),
      terms_(evaluator.make_terms()),
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
  if (terms_.Phi.size() > 0 && terms_.Phi.allFinite()) size_ = std::max(terms_.Phi.cwiseAbs().maxCoeff(), 1e-9);
}

void AssemblySteps::gather(Goal goal) {
  const int nv = configuration_.nv(), loops = static_cast<int>(terms_.phi.size());
  const int closed = goal == Goal::close ? loops : 0, held = static_cast<int>(held_.size());
  const int met = keeps_ + (goal == Goal::reach ? nears_ : 0);
  C_.resize(closed + met + held, nv), c_.resize(closed + met + held);
  C_.topRows(closed) = terms_.Phi.topRows(closed), c_.head(closed) = terms_.phi.head(closed);
  C_.middleRows(closed, met) = start_J_.topRows(met), c_.segment(closed, met) = start_.head(met);
  C_.bottomRows(held).setZero();
  for (int k = 0; k < held; ++k) {
    C_(closed + met + k, held_[k].first) = 1;
    c_[closed + met + k] = q_[configuration_.position_of(held_[k].first)] - held_[k].second;
  }
  if (gap_counts(goal)) {
    J_ = terms_.Phi, r_ = terms_.phi;
  } else {
    J_ = start_J_.bottomRows(nears_), r_ = start_.tail(nears_);
  }
}

bool AssemblySteps::step(Goal goal, double damping) {
  const double inertia = terms_.M.trace() / static_cast<double>(terms_.M.rows());
  gather(goal);
  metric_ = (inertia_weight + damping) / inertia * terms_.M;
  metric_.noalias() += J_.transpose() * J_;
  force_.noalias() = -J_.transpose() * r_;
  rows_.resize(configuration_.nv(), static_cast<int>(c_.size()));
  dv_.setZero(configuration_.nv()), lambda_.setZero(c_.size());
  if (!rows_.factor(metric_, C_)) return false;
  rows_.solve(force_, -c_, dv_, lambda_);
  return dv_.allFinite();
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
  double damping = 0;
  for (int k = 0; k < most; ++k) {
    evaluate(state);
    if (!step(goal, damping)) return false;
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
    if (!better && gap_counts(goal)) state = old;
    if (dv.cwiseAbs().maxCoeff() < 1e-10) return true;
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
void AssemblySteps::velocities(State& state) {
  const int nq = configuration_.nq(), nv = configuration_.nv();
  const int keeps = static_cast<int>(speed_keep().size());
  state.x.segment(nq, nv).setZero();
  evaluator_.set(state.t, state.x.data());
  evaluator_.motion(terms_);
  VectorXd residual;
  MatrixXd J(0, nv);
  if (conditions_) evaluator_.start_velocity(residual, J);
  const int nears = static_cast<int>(J.rows()) - keeps, loops = static_cast<int>(terms_.phidot.size());

  C_.resize(loops + keeps, nv), c_.resize(loops + keeps);
  C_ << terms_.Phi, J.topRows(keeps);
  c_ << terms_.phidot, residual.head(keeps);
  const double inertia = terms_.M.trace() / nv;
  metric_ = inertia_weight / inertia * terms_.M + J.bottomRows(nears).transpose() * J.bottomRows(nears);
  force_ = -J.bottomRows(nears).transpose() * residual.tail(nears);
  rows_.resize(nv, loops + keeps);
  dv_.setZero(nv), lambda_.setZero(loops + keeps);
  speed_ = VectorXd::Zero(keeps);
  if (!rows_.factor(metric_, C_)) return;
  rows_.solve(force_, -c_, dv_, lambda_);

  state.x.segment(nq, nv) = dv_;
  speed_size_ = nv > 0 ? dv_.cwiseAbs().maxCoeff() : 0;
  evaluator_.set(state.t, state.x.data());
  evaluator_.motion(terms_);
  if (conditions_) evaluator_.start_velocity(residual, J), speed_ = residual.head(keeps);
  c_ << terms_.phidot, speed_;
  speeds_ = true;
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
  for (int j = 0; j < scaled.cols(); ++j) scaled.col(j) /= std::sqrt(terms_.M(j, j));
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
