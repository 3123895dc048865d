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
      x_.head(c_.nq()) -= step * std::min(1.0, 0.5 / size);
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

// Multipliers and inputs with which the machine accelerates so, in least squares; how much more than allowed this takes.
double take_efforts(const Collocation& c, PlannedMotion& motion) {
  const PlannedMachine& machine = c.machine();
  double worst = 0;
  const auto use = [&](double value, double low, double high) {
    if (std::isfinite(high) && high > 0) worst = std::max(worst, value / high);
    if (std::isfinite(low) && low < 0) worst = std::max(worst, value / low);
  };
  for (Index k = 0; k < motion.intervals(); ++k)
    for (int j = 0; j < 3; ++j) {
      VectorXd u = VectorXd::Zero(c.nu());
      for (int n = 0; n < c.nu(); ++n) u[n] = std::clamp(0.0, machine.input_low[static_cast<std::size_t>(n)], machine.input_high[static_cast<std::size_t>(n)]);
      VectorXd in = point_inputs(c, motion, k, j, u);
      const VectorXd force = c.at_point().values(in).segment(c.first_force(), c.nv());
      const MatrixXd J = c.at_point().jacobian(in).block(c.first_force(), c.point_inputs_lambda(), c.nv(), c.rows() + c.nu());
      LeastNorm solve;
      solve.factor(J, rank_threshold);
      const VectorXd step = solve.solve(VectorXd(-force));
      motion.multipliers.col(3 * k + j) += step.head(c.rows());
      u += step.tail(c.nu());
      for (int n = 0; n < c.nu(); ++n)
        use(u[n], machine.input_low[static_cast<std::size_t>(n)], machine.input_high[static_cast<std::size_t>(n)]);
      in = point_inputs(c, motion, k, j, u);
      const VectorXd out = c.at_point().values(in);
      for (int n = 0; n < c.limits(); ++n)
        use(out[c.first_limit() + n], machine.limits[static_cast<std::size_t>(n)].low, machine.limits[static_cast<std::size_t>(n)].high);
      for (int n = 0; n < c.nu(); ++n)
        u[n] = std::clamp(u[n], machine.input_low[static_cast<std::size_t>(n)], machine.input_high[static_cast<std::size_t>(n)]);
      if (j == 2) motion.inputs.col(k + 1) = u;
      if (k == 0 && j == 0) motion.inputs.col(0) = u;
      for (std::size_t n = 0; n < machine.largest.size(); ++n)
        motion.largest = std::max(motion.largest, std::abs(out[c.first_limit() + c.limits() + 2 * static_cast<int>(n)]));
    }
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
  constexpr double factor = 1.5, reserve = 0.7;
  const double low = std::max(machine.shortest, 1e-3), high = std::min(machine.longest, 1e3);
  for (double duration = low; duration < high; duration *= factor) {
    PlannedMotion motion = timed(c, line, directions, duration);
    if (take_efforts(c, motion) < reserve) return motion;
  }
  PlannedMotion motion = timed(c, line, directions, std::clamp(machine.model.simulate.end, low, high));
  take_efforts(c, motion);
  return motion;
}

}  // namespace armature::internal
