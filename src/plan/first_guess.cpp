#include "plan/first_guess.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "dynamics/machine_size.hpp"
#include "expression/interruption.hpp"
#include "linear/decompositions.hpp"
#include "plan/radau.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rank_threshold = 1e-8;    // of a pivot, over the largest: a pose equation that says nothing new
constexpr double longest_pose_step = 0.5;  // rad: of Newton's method
constexpr double duration_ratio = 1.5;     // of one duration that is tried to the one before
constexpr double limit_reserve = 0.7;      // of the limits, which the first guess may take
constexpr double pose_reached = 1e-12;     // of the residuals of loops and targets
constexpr double least_duration = 1e-3, most_duration = 1e3;  // s: of the first guesses, where time is minimized
constexpr int pose_iterations = 20;
constexpr double stuck_step = 1e-6;  // of its size, by which a coordinate moves although the pose is not reached
constexpr double push_aside = 0.1;   // of the size of a coordinate
constexpr double largest_bend = 1;   // of the size of a coordinate, sideways
constexpr double slowest_pace = 3;   // of a duration, by which other guesses differ

// How far along, from rest to rest: 0 to 1, and its rate.
double along(double x) { return x * x * x * (10 - x * (15 - 6 * x)); }
double along_rate(double x) { return 30 * x * x * (1 - x) * (1 - x); }

// Numbers between -1 and 1, the same on every machine.
class Dice {
 public:
  explicit Dice(unsigned seed) : generator_(seed) {}
  double roll() { return 2.0 * static_cast<double>(generator_()) / static_cast<double>(std::mt19937::max()) - 1; }

 private:
  std::mt19937 generator_;
};

// The size of each position: a radian, or the length of the machine.
VectorXd position_sizes(const PlannedMachine& machine) {
  SystemEvaluator evaluator(machine.prepared.system);
  evaluator.set_parameters(machine.prepared.parameters);
  evaluator.set(machine.prepared.start);
  SparseTerms terms = evaluator.make_sparse_terms();
  evaluator.position(terms);
  return MachineSize(machine.equations(), terms, machine.prepared.start.x.data()).per_position().cwiseInverse();
}

// Rates of positions as velocities.
VectorXd as_velocities(const Collocation& c, const VectorXd& x, const VectorXd& rate) {
  VectorXd in(1 + c.nx());
  in << 0, x;
  LeastNorm by_velocities;
  by_velocities.factor(c.rates().jacobian(in).middleCols(1 + c.nq(), c.nv()));
  return by_velocities.solve(rate);
}

// The pose as a function of how far along it is.
class PoseLine {
 public:
  PoseLine(const Collocation& collocation, const VectorXd& start)
      : c_(collocation), x_(start), sizes_(position_sizes(c_.machine())) {
    const PlannedMachine& machine = c_.machine();
    if (!machine.path.empty()) {
      const auto& states = machine.states;
      for (std::size_t k = 0; k < states.size(); ++k)
        if (machine.equations().others[static_cast<std::size_t>(states[k])].name == path_parameter)
          s_ = c_.nq() + c_.nv() + static_cast<int>(k);
    }
    const VectorXd all = c_.at_pose().values(in());
    for (int k = 0; k < c_.closures(); ++k) used_.push_back(k);
    for (std::size_t k = 0; k < machine.targets.size(); ++k)
      if (c_.target_is_pose()[k]) used_.push_back(c_.closures() + static_cast<int>(k));
    for (std::size_t k = 0; k < machine.path.size(); ++k)
      used_.push_back(c_.closures() + static_cast<int>(machine.targets.size() + k));
    first_ = all(used_);
    for (std::size_t k = 0; k < used_.size(); ++k)
      if (used_[k] < c_.closures() || used_[k] >= c_.closures() + static_cast<int>(machine.targets.size()))
        first_[static_cast<Index>(k)] = 0;
  }

  // Moves on to `part`; as near as it comes.
  void go_to(double part) {
    if (s_ >= 0) x_[s_] = part;
    for (int iteration = 0; iteration < pose_iterations; ++iteration) {
      // Newton's method on what is left of the way to the target, and on the loops.
      const VectorXd r = VectorXd(c_.at_pose().values(in())(used_)) - (1 - part) * first_;
      if (r.size() == 0 || r.lpNorm<Eigen::Infinity>() < pose_reached) return;
      LeastNorm solve;
      solve.factor(position_jacobian(), rank_threshold);
      VectorXd step = solve.solve(r);
      if (!step.allFinite()) return;
      // Steps have become small but the rest has not: a singular pose, which is left sideways at random.
      if (step.cwiseQuotient(sizes_).lpNorm<Eigen::Infinity>() < stuck_step &&
          r.lpNorm<Eigen::Infinity>() > stuck_step) {
        for (Index k = 0; k < c_.nq(); ++k) x_[k] += push_aside * sizes_[k] * dice_.roll();
        continue;
      }
      // No step turns anything further than a step may.
      x_.head(c_.nq()) -= step * std::min(1.0, longest_pose_step / turned_by(step));
    }
  }
  // The loops alone.
  void close(VectorXd& x) const {
    for (int iteration = 0; iteration < pose_iterations; ++iteration) {
      VectorXd in(1 + c_.nx());
      in << 0, x;
      const VectorXd r = c_.at_pose().values(in).head(c_.closures());
      if (r.size() == 0 || r.lpNorm<Eigen::Infinity>() < pose_reached) return;
      LeastNorm solve;
      solve.factor(c_.at_pose().jacobian(in).topRows(c_.closures()).middleCols(1, c_.nq()), rank_threshold);
      const VectorXd step = solve.solve(r);
      if (!step.allFinite()) return;
      x.head(c_.nq()) -= step * std::min(1.0, longest_pose_step / turned_by(step));
    }
  }
  const VectorXd& sizes() const { return sizes_; }
  // d(q)/d(part), as velocities
  VectorXd direction() const {
    VectorXd r = -first_;
    MatrixXd J = c_.at_pose().jacobian(in());
    if (s_ >= 0) r -= VectorXd(J.col(1 + s_)(used_));
    if (r.size() == 0) return VectorXd::Zero(c_.nv());
    LeastNorm solve;
    solve.factor(position_jacobian(), rank_threshold);
    return as_velocities(c_, x_, solve.solve(r));
  }
  const VectorXd& state() const { return x_; }

 private:
  VectorXd in() const {
    VectorXd in(1 + c_.nx());
    in << 0, x_;
    return in;
  }
  // Slides may go as far as they like.
  double turned_by(const VectorXd& step) const {
    double most = 1e-300;
    for (int k = 0; k < c_.nq(); ++k)
      if (c_.machine().equations().positions[static_cast<std::size_t>(k)].kind != Coordinate::Kind::length)
        most = std::max(most, std::abs(step[k]));
    return most;
  }
  MatrixXd position_jacobian() const { return c_.at_pose().jacobian(in()).middleCols(1, c_.nq())(used_, Eigen::all); }

  const Collocation& c_;
  VectorXd x_, sizes_;
  std::vector<int> used_;
  VectorXd first_;
  int s_ = -1;
  Dice dice_{1};
};

VectorXd point_inputs(const Collocation& c, const PlannedMotion& motion, Index interval, int j, const VectorXd& u) {
  VectorXd in(c.point_inputs());
  const Index column = 3 * interval + j;
  const double part = motion.mesh[static_cast<std::size_t>(interval)] +
                      radau::c[j] * (motion.mesh[static_cast<std::size_t>(interval + 1)] -
                                     motion.mesh[static_cast<std::size_t>(interval)]);
  in << motion.duration, part * motion.duration, motion.states.col(1 + column), motion.accelerations.col(column),
      motion.multipliers.col(column), u, 0;
  return in;
}

// States through which inputs act that have no effect on the forces themselves: currents of windings with inductance.
std::vector<int> driven_states(const Collocation& c) {
  const int first = c.nq() + c.nv();
  std::vector<bool> direct(static_cast<std::size_t>(c.nu()), false);
  const auto each_effect = [&](auto act) {  // of inputs: output, input
    for (const auto& [row, column] : c.at_point().jacobian_entries())
      if (column >= c.point_inputs_u() && column < c.point_inputs_u() + c.nu())
        act(row, static_cast<std::size_t>(column - c.point_inputs_u()));
  };
  each_effect([&](int row, std::size_t input) {
    if (row >= c.first_force() && row < c.first_closure()) direct[input] = true;
  });
  std::vector<int> driven;
  each_effect([&](int row, std::size_t input) {
    if (row >= first && row < c.nx() && !direct[input] && std::ranges::count(driven, row - first) == 0)
      driven.push_back(row - first);
  });
  return driven;
}

VectorXd idle_inputs(const Collocation& c) {
  VectorXd u(c.nu());
  for (int n = 0; n < c.nu(); ++n)
    u[n] = std::clamp(0.0, c.machine().input_low[static_cast<std::size_t>(n)],
                      c.machine().input_high[static_cast<std::size_t>(n)]);
  return u;
}

// Multipliers, inputs and driven states with which the machine accelerates so, in least squares.
void balance(const Collocation& c, const std::vector<int>& driven, Index k, int j, PlannedMotion& motion, VectorXd& u) {
  const int first = c.nq() + c.nv(), free = c.rows() + c.nu();
  // What the forces lack at this point, and how multipliers, inputs and driven states change that.
  const VectorXd in = point_inputs(c, motion, k, j, u);
  const VectorXd force = c.at_point().values(in).segment(c.first_force(), c.nv());
  const MatrixXd all = c.at_point().jacobian(in).middleRows(c.first_force(), c.nv());
  MatrixXd J(c.nv(), free + static_cast<Index>(driven.size()));
  J.leftCols(free) = all.middleCols(c.point_inputs_lambda(), free);
  for (std::size_t n = 0; n < driven.size(); ++n) J.col(free + static_cast<Index>(n)) = all.col(2 + first + driven[n]);
  LeastNorm solve;
  solve.factor(J, rank_threshold);
  // The smallest change of all of them that balances the forces.
  const VectorXd step = solve.solve(VectorXd(-force));
  motion.multipliers.col(3 * k + j) += step.head(c.rows());
  u += step.segment(c.rows(), c.nu());
  for (std::size_t n = 0; n < driven.size(); ++n)
    motion.states(first + driven[n], 1 + 3 * k + j) += step[free + static_cast<Index>(n)];
}

// Inputs with which the driven states change so.
void drive(const Collocation& c, const std::vector<int>& driven, Index k, int j, PlannedMotion& motion, VectorXd& u) {
  const int first = c.nq() + c.nv();
  const double h =
      motion.duration * (motion.mesh[static_cast<std::size_t>(k + 1)] - motion.mesh[static_cast<std::size_t>(k)]);
  // The rates of the driven states at the three points, by the collocation's own matrix.
  MatrixXd change(3, static_cast<Index>(driven.size()));
  for (int i = 0; i < 3; ++i)
    for (std::size_t n = 0; n < driven.size(); ++n)
      change(i, static_cast<Index>(n)) =
          (motion.states(first + driven[n], 1 + 3 * k + i) - motion.states(first + driven[n], 3 * k)) / h;
  const VectorXd rates = solve_square(radau::A, change).row(j).transpose();
  const VectorXd in = point_inputs(c, motion, k, j, u);
  const VectorXd values = c.at_point().values(in) / motion.duration;
  const MatrixXd all = c.at_point().jacobian(in) / motion.duration;
  // What the model gives at the inputs so far, and the smallest change of the inputs that makes up for the rest.
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
      use(out[c.first_limit() + n], machine.limits[static_cast<std::size_t>(n)].low,
          machine.limits[static_cast<std::size_t>(n)].high);
    for (std::size_t n = 0; n < machine.largest.size(); ++n)
      motion.largest = std::max(motion.largest, std::abs(out[c.first_limit() + c.limits() + 2 * static_cast<int>(n)]));
    for (int n = 0; n < c.nu(); ++n) {
      const double low = machine.input_low[static_cast<std::size_t>(n)],
                   high = machine.input_high[static_cast<std::size_t>(n)];
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
  for (Index n = 0; n < motion.states.cols(); ++n)
    motion.states.col(n).segment(c.nq(), c.nv()) = directions.col(n) / duration;
  motion.states.col(0) = line.states.col(0);
  for (Index k = 0; k < motion.intervals(); ++k) {
    const double h =
        duration * (motion.mesh[static_cast<std::size_t>(k + 1)] - motion.mesh[static_cast<std::size_t>(k)]);
    MatrixXd change(c.nv(), 3);
    for (int j = 0; j < 3; ++j)
      change.col(j) = (motion.states.col(1 + 3 * k + j) - motion.states.col(3 * k)).segment(c.nq(), c.nv()) / h;
    motion.accelerations.middleCols(3 * k, 3) = solve_square(radau::A, MatrixXd(change.transpose())).transpose();
  }
  return motion;
}

// Sideways by a hump of half the way, then onto the loops again; velocities follow from the poses.
void bend(const Collocation& c, const PoseLine& pose, Dice& dice, PlannedMotion& line, MatrixXd& directions) {
  VectorXd side(c.nq());
  for (Index k = 0; k < c.nq(); ++k) side[k] = largest_bend * pose.sizes()[k] * dice.roll();
  for (Index k = 0; k < line.intervals(); ++k) {
    const double start = line.mesh[static_cast<std::size_t>(k)],
                 length = line.mesh[static_cast<std::size_t>(k + 1)] - start;
    MatrixXd change(3, c.nq());
    for (int j = 0; j < 3; ++j) {
      // The hump is one in the middle, and flat at both ends.
      const double s = along(start + radau::c[j] * length), hump = 16 * s * s * (1 - s) * (1 - s);
      VectorXd x = line.states.col(1 + 3 * k + j);
      x.head(c.nq()) += hump * side;
      pose.close(x);
      line.states.col(1 + 3 * k + j) = x;
      change.row(j) = (x - line.states.col(3 * k)).head(c.nq()) / length;
    }
    // Rates of positions at the points by the collocation's matrix; then the velocities that make them.
    const MatrixXd rates = solve_square(radau::A, change);
    for (int j = 0; j < 3; ++j)
      directions.col(1 + 3 * k + j) = as_velocities(c, line.states.col(1 + 3 * k + j), rates.row(j).transpose());
  }
}

// The shortest of a series at which the motion keeps all limits, or as near to it as the question allows.
PlannedMotion paced(const Collocation& c, const PlannedMotion& line, const MatrixXd& directions, double pace) {
  const PlannedMachine& machine = c.machine();
  const auto lasting = [&](double duration) {
    PlannedMotion motion = timed(c, line, directions, std::clamp(duration, machine.shortest, machine.longest));
    take_efforts(c, motion);
    return motion;
  };
  if (machine.shortest == machine.longest) return lasting(machine.shortest);
  for (double duration = least_duration; duration < most_duration; duration *= duration_ratio) {
    PlannedMotion motion = timed(c, line, directions, duration);
    if (take_efforts(c, motion) < limit_reserve) return lasting(pace * duration);
  }
  return lasting(pace * machine.model.simulate.end);
}

}  // namespace

PlannedMotion first_guess(const Collocation& c, int intervals, unsigned seed) {
  const PlannedMachine& machine = c.machine();
  const State& start = machine.prepared.start;
  VectorXd x(c.nx());
  x.head(c.nq() + c.nv()) = start.x.head(c.nq() + c.nv());
  for (int k = 0; k < c.nz(); ++k)
    x[c.nq() + c.nv() + k] = start.x[c.nq() + c.nv() + machine.states[static_cast<std::size_t>(k)]];
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
  Dice dice(seed);
  if (seed > 0) bend(c, pose, dice, line, directions);
  return paced(c, line, directions, seed > 0 ? std::pow(slowest_pace, dice.roll()) : 1);
}

}  // namespace armature::internal
