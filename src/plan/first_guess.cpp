#include "plan/first_guess.hpp"

#include <algorithm>
#include <cmath>

#include "expression/interruption.hpp"
#include "linear/decompositions.hpp"
#include "plan/radau.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rank_threshold = 1e-8;  // of a pivot, over the largest: a pose equation that says nothing new
constexpr double longest_pose_step = 0.5;  // rad, m: of Newton's method
constexpr double duration_ratio = 1.5;     // of one duration that is tried to the one before
constexpr double limit_reserve = 0.7;      // of the limits, which the first guess may take
constexpr int pose_iterations = 20;

// How far along, from rest to rest: 0 to 1, and its rate.
double along(double x) { return x * x * x * (10 - x * (15 - 6 * x)); }
double along_rate(double x) { return 30 * x * x * (1 - x) * (1 - x); }

// The pose as a function of how far along it is.
class PoseLine {
 public:
  PoseLine(const Collocation& collocation, const VectorXd& start) : c_(collocation), x_(start) {
    const PlannedMachine& machine = c_.machine();
    if (!machine.path.empty()) {
      const auto& states = machine.states;
      for (std::size_t k = 0; k < states.size(); ++k)
        if (machine.equations().others[static_cast<std::size_t>(states[k])].name == path_parameter) s_ = c_.nq() + c_.nv() + static_cast<int>(k);
    }
    const VectorXd all = c_.at_pose().values(in());
    for (int k = 0; k < c_.closures(); ++k) used_.push_back(k);
    for (std::size_t k = 0; k < machine.targets.size(); ++k)
      if (c_.target_is_pose()[k]) used_.push_back(c_.closures() + static_cast<int>(k));
    for (std::size_t k = 0; k < machine.path.size(); ++k)
      used_.push_back(c_.closures() + static_cast<int>(machine.targets.size() + k));
    first_ = all(used_);
    for (std::size_t k = 0; k < used_.size(); ++k)
      if (used_[k] < c_.closures() || used_[k] >= c_.closures() + static_cast<int>(machine.targets.size())) first_[static_cast<Index>(k)] = 0;
  }

  // Moves on to `part`; as near as it comes.
  void go_to(double part) {
    if (s_ >= 0) x_[s_] = part;
    for (int iteration = 0; iteration < pose_iterations; ++iteration) {
      const VectorXd r = VectorXd(c_.at_pose().values(in())(used_)) - (1 - part) * first_;
      if (r.size() == 0 || r.lpNorm<Eigen::Infinity>() < 1e-12) return;
      LeastNorm solve;
      solve.factor(position_jacobian(), rank_threshold);
      VectorXd step = solve.solve(r);
      if (!step.allFinite()) return;
      const double size = step.lpNorm<Eigen::Infinity>();
      x_.head(c_.nq()) -= step * std::min(1.0, longest_pose_step / size);
    }
  }
  // d(q)/d(part), as velocities
  VectorXd direction() const {
    VectorXd r = -first_;
    MatrixXd J = c_.at_pose().jacobian(in());
    if (s_ >= 0) r -= VectorXd(J.col(1 + s_)(used_));
    if (r.size() == 0) return VectorXd::Zero(c_.nv());
    LeastNorm solve;
    solve.factor(position_jacobian(), rank_threshold);
    const VectorXd dq = solve.solve(r);
    const MatrixXd N = c_.rates().jacobian(in()).middleCols(1 + c_.nq(), c_.nv());
    LeastNorm by_velocities;
    by_velocities.factor(N);
    return by_velocities.solve(dq);
  }
  const VectorXd& state() const { return x_; }

 private:
  VectorXd in() const {
    VectorXd in(1 + c_.nx());
    in << 0, x_;
    return in;
  }
  MatrixXd position_jacobian() const { return c_.at_pose().jacobian(in()).middleCols(1, c_.nq())(used_, Eigen::all); }

  const Collocation& c_;
  VectorXd x_;
  std::vector<int> used_;
  VectorXd first_;
  int s_ = -1;
};

VectorXd point_inputs(const Collocation& c, const PlannedMotion& motion, Index interval, int j, const VectorXd& u) {
  VectorXd in(c.point_inputs());
  const Index column = 3 * interval + j;
  const double part = motion.mesh[static_cast<std::size_t>(interval)] +
                      radau::c[j] * (motion.mesh[static_cast<std::size_t>(interval + 1)] - motion.mesh[static_cast<std::size_t>(interval)]);
  in << motion.duration, part * motion.duration, motion.states.col(1 + column), motion.accelerations.col(column), motion.multipliers.col(column), u, 0;
  return in;
}

// States through which inputs act that have no effect on the forces themselves: currents of windings with inductance.
std::vector<int> driven_states(const Collocation& c) {
  const int first = c.nq() + c.nv();
  std::vector<bool> direct(static_cast<std::size_t>(c.nu()), false);
  const auto each_effect = [&](auto act) {  // of inputs: output, input
    for (const auto& [row, column] : c.at_point().jacobian_entries())
      if (column >= c.point_inputs_u() && column < c.point_inputs_u() + c.nu()) act(row, static_cast<std::size_t>(column - c.point_inputs_u()));
  };
  each_effect([&](int row, std::size_t input) {
    if (row >= c.first_force() && row < c.first_closure()) direct[input] = true;
  });
  std::vector<int> driven;
  each_effect([&](int row, std::size_t input) {
    if (row >= first && row < c.nx() && !direct[input] && std::ranges::count(driven, row - first) == 0) driven.push_back(row - first);
  });
  return driven;
}

VectorXd idle_inputs(const Collocation& c) {
  VectorXd u(c.nu());
  for (int n = 0; n < c.nu(); ++n)
    u[n] = std::clamp(0.0, c.machine().input_low[static_cast<std::size_t>(n)], c.machine().input_high[static_cast<std::size_t>(n)]);
  return u;
}

// Multipliers, inputs and driven states with which the machine accelerates so, in least squares.
void balance(const Collocation& c, const std::vector<int>& driven, Index k, int j, PlannedMotion& motion, VectorXd& u) {
  const int first = c.nq() + c.nv(), free = c.rows() + c.nu();
  const VectorXd in = point_inputs(c, motion, k, j, u);
  const VectorXd force = c.at_point().values(in).segment(c.first_force(), c.nv());
  const MatrixXd all = c.at_point().jacobian(in).middleRows(c.first_force(), c.nv());
  MatrixXd J(c.nv(), free + static_cast<Index>(driven.size()));
  J.leftCols(free) = all.middleCols(c.point_inputs_lambda(), free);
  for (std::size_t n = 0; n < driven.size(); ++n) J.col(free + static_cast<Index>(n)) = all.col(2 + first + driven[n]);
  LeastNorm solve;
  solve.factor(J, rank_threshold);
  const VectorXd step = solve.solve(VectorXd(-force));
  motion.multipliers.col(3 * k + j) += step.head(c.rows());
  u += step.segment(c.rows(), c.nu());
  for (std::size_t n = 0; n < driven.size(); ++n) motion.states(first + driven[n], 1 + 3 * k + j) += step[free + static_cast<Index>(n)];
}

// Inputs with which the driven states change so.
void drive(const Collocation& c, const std::vector<int>& driven, Index k, int j, PlannedMotion& motion, VectorXd& u) {
  const int first = c.nq() + c.nv();
  const double h = motion.duration * (motion.mesh[static_cast<std::size_t>(k + 1)] - motion.mesh[static_cast<std::size_t>(k)]);
  MatrixXd change(3, static_cast<Index>(driven.size()));
  for (int i = 0; i < 3; ++i)
    for (std::size_t n = 0; n < driven.size(); ++n)
      change(i, static_cast<Index>(n)) = (motion.states(first + driven[n], 1 + 3 * k + i) - motion.states(first + driven[n], 3 * k)) / h;
  const VectorXd rates = solve_square(radau::A, change).row(j).transpose();
  const VectorXd in = point_inputs(c, motion, k, j, u);
  const VectorXd values = c.at_point().values(in) / motion.duration;
  const MatrixXd all = c.at_point().jacobian(in) / motion.duration;
  MatrixXd J(rates.size(), c.nu());
  VectorXd missing(rates.size());
  for (std::size_t n = 0; n < driven.size(); ++n) {
    J.row(static_cast<Index>(n)) = all.row(first + driven[n]).segment(c.point_inputs_u(), c.nu());
    missing[static_cast<Index>(n)] = rates[static_cast<Index>(n)] - values[first + driven[n]];
  }
  LeastNorm solve;
  solve.factor(J, rank_threshold);
  u += solve.solve(missing);
}

// Efforts with which the machine moves so; how much of what is allowed this takes.
double take_efforts(const Collocation& c, PlannedMotion& motion) {
  const PlannedMachine& machine = c.machine();
  const std::vector<int> driven = driven_states(c);
  std::vector<VectorXd> inputs(static_cast<std::size_t>(3 * motion.intervals()), idle_inputs(c));
  const auto each_point = [&](auto act) {
    for (Index k = 0; k < motion.intervals(); ++k)
      for (int j = 0; j < 3; ++j) act(k, j, inputs[static_cast<std::size_t>(3 * k + j)]);
  };
  each_point([&](Index k, int j, VectorXd& u) { balance(c, driven, k, j, motion, u); });
  if (!driven.empty()) each_point([&](Index k, int j, VectorXd& u) { drive(c, driven, k, j, motion, u); });
  double worst = 0;
  const auto use = [&](double value, double low, double high) {
    if (std::isfinite(high) && high > 0) worst = std::max(worst, value / high);
    if (std::isfinite(low) && low < 0) worst = std::max(worst, value / low);
  };
  each_point([&](Index k, int j, VectorXd& u) {
    const VectorXd out = c.at_point().values(point_inputs(c, motion, k, j, u));
    for (int n = 0; n < c.limits(); ++n)
      use(out[c.first_limit() + n], machine.limits[static_cast<std::size_t>(n)].low, machine.limits[static_cast<std::size_t>(n)].high);
    for (std::size_t n = 0; n < machine.largest.size(); ++n)
      motion.largest = std::max(motion.largest, std::abs(out[c.first_limit() + c.limits() + 2 * static_cast<int>(n)]));
    for (int n = 0; n < c.nu(); ++n) {
      const double low = machine.input_low[static_cast<std::size_t>(n)], high = machine.input_high[static_cast<std::size_t>(n)];
      use(u[n], low, high);
      u[n] = std::clamp(u[n], low, high);
    }
    if (j == 2) motion.inputs.col(k + 1) = u;
    if (k == 0 && j == 0) motion.inputs.col(0) = u;
  });
  return worst;
}

// The motion along the line that takes so long.
PlannedMotion timed(const Collocation& c, const PlannedMotion& line, const MatrixXd& directions, double duration) {
  PlannedMotion motion = line;
  motion.duration = duration;
  motion.largest = 0;
  for (Index n = 0; n < motion.states.cols(); ++n) motion.states.col(n).segment(c.nq(), c.nv()) = directions.col(n) / duration;
  motion.states.col(0) = line.states.col(0);
  for (Index k = 0; k < motion.intervals(); ++k) {
    const double h = duration * (motion.mesh[static_cast<std::size_t>(k + 1)] - motion.mesh[static_cast<std::size_t>(k)]);
    MatrixXd change(c.nv(), 3);
    for (int j = 0; j < 3; ++j)
      change.col(j) = (motion.states.col(1 + 3 * k + j) - motion.states.col(3 * k)).segment(c.nq(), c.nv()) / h;
    motion.accelerations.middleCols(3 * k, 3) = solve_square(radau::A, MatrixXd(change.transpose())).transpose();
  }
  return motion;
}

}  // namespace

PlannedMotion first_guess(const Collocation& c, int intervals) {
  const PlannedMachine& machine = c.machine();
  const State& start = machine.prepared.start;
  VectorXd x(c.nx());
  x.head(c.nq() + c.nv()) = start.x.head(c.nq() + c.nv());
  for (int k = 0; k < c.nz(); ++k) x[c.nq() + c.nv() + k] = start.x[c.nq() + c.nv() + machine.states[static_cast<std::size_t>(k)]];
  // poses
  PlannedMotion line;
  for (int k = 0; k <= intervals; ++k) line.mesh.push_back(static_cast<double>(k) / intervals);
  line.states.resize(c.nx(), 1 + 3 * intervals);
  line.accelerations.setZero(c.nv(), 3 * intervals), line.multipliers.setZero(c.rows(), 3 * intervals);
  line.inputs.setZero(c.nu(), intervals + 1);
  line.states.col(0) = x;
  MatrixXd directions = MatrixXd::Zero(c.nv(), 1 + 3 * intervals);
  PoseLine pose(c, x);
  for (int k = 0; k < intervals; ++k)
    for (int j = 0; j < 3; ++j) {
      stop_if_interrupted();
      const double part = (k + radau::c[j]) / intervals;
      pose.go_to(along(part));
      line.states.col(1 + 3 * k + j) = pose.state();
      directions.col(1 + 3 * k + j) = pose.direction() * along_rate(part);
    }
  // duration
  if (machine.shortest == machine.longest) {
    PlannedMotion motion = timed(c, line, directions, machine.shortest);
    take_efforts(c, motion);
    return motion;
  }
  const double low = std::max(machine.shortest, 1e-3), high = std::min(machine.longest, 1e3);
  for (double duration = low; duration < high; duration *= duration_ratio) {
    PlannedMotion motion = timed(c, line, directions, duration);
    if (take_efforts(c, motion) < limit_reserve) return motion;
  }
  PlannedMotion motion = timed(c, line, directions, std::clamp(machine.model.simulate.end, low, high));
  take_efforts(c, motion);
  return motion;
}

}  // namespace armature::internal
