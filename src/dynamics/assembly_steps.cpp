#include "dynamics/assembly_steps.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal {

using Eigen::VectorXd;

namespace {

constexpr double tells_branch = 1e-3;  // a step so short does not leave the branch; closing does the rest
// Of moving at all, against missing what is minimized: Gauss-Newton, lightly damped.
constexpr double move_weight = 1e-4;

}  // namespace

// Differences below a millionth are round-off of two ways to the same pose.
bool Miss::clearly_below(const Miss& other) const {
  constexpr double same = 1e-6;
  if (near < other.near - same) return true;
  return near < other.near + same && moved < other.moved - same;
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
  constexpr double arrived = 1e-10;  // rad, or share of the machine's length
  constexpr double first_damping = 1e-3;
  const double still = goal == Goal::reach ? tells_branch : arrived;
  const bool minimizes = goal != Goal::close;
  double damping = 0;
  bool gathered = false;  // at the state
  for (int k = 0; k < most; ++k) {
    // a damped step of Gauss and Newton
    if (!gathered) evaluate(state), gather(goal);
    if (!solve(move_weight + damping) || !dv_.allFinite()) return false;
    const VectorXd old = state.x, dv = dv_;
    const bool better = try_step(state, goal, dv, merit(goal));
    // what is minimized goes back where it did not help, and is damped more
    if (minimizes) damping = better ? damping / 4 : std::max(10 * damping, first_damping);
    gathered = better || !minimizes;
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

void AssemblySteps::least_gap(State& state) {
  iterate(state, Goal::least_gap, 200);
  evaluate(state);
  gather(Goal::close);
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

}  // namespace armature::internal
