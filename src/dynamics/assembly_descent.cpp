// From a pose that closes the loops to the nearest one around it. Minimised is
//
//   F(q) = 1/2 |near(q)|^2 + eps/2 |q - q_said|^2      subject to  phi(q) = 0,  keep(q) = 0,
//
// the second sum over the coordinates that the file does not name, eps small: `near` counts before the motion of the rest. Where
// `near` can be met, it joins the constraints and the second sum stands alone, so that eps has no part in the answer.
//
// The method is Newton's with a trust region on the constraints: with multipliers lambda, L = F - lambda' C,
//
//   p = -W^-1 (F_q - C_q' lambda)    the steepest way down along the constraints,
//
// conjugate gradients in the metric W find the step from p and the second derivative of L, which is taken by differences of
// first derivatives along a direction (Steihaug 1983); and the shortest way leads back onto the constraints. A coordinate of
// no loop and no condition has no part in any of these sums: it stays what it is, to the last bit.
#include <algorithm>
#include <cmath>

#include "dynamics/assembly_descent.hpp"

namespace armature::internal {

using Eigen::VectorXd;

namespace {

constexpr double motion_weight =
    1e-8;  // eps: where `near` cannot be met, a motion of one radian is worth 1e-8 of a miss

}  // namespace

struct AssemblyDescent::Slope {
  VectorXd multipliers;
  VectorXd down;    // p
  double size = 0;  // of p
};

double AssemblyDescent::objective(const State& state, Goal goal) const {
  const double moved = metric_.norm(away(state)), eps = goal == Goal::meet || nears_ == 0 ? 1 : motion_weight;
  return 0.5 * r_.squaredNorm() + 0.5 * eps * moved * moved;
}

VectorXd AssemblyDescent::gradient(const State& state, Goal goal) const {
  const double eps = goal == Goal::meet || nears_ == 0 ? 1 : motion_weight;
  return J_.transpose() * r_ + eps * (metric_.weights() * away(state));
}

// Along the constraints at the last evaluation, which rows_ keeps.
AssemblyDescent::Slope AssemblyDescent::slope(const State& state, Goal goal) {
  const int m = static_cast<int>(c_.size());
  Slope slope;
  slope.multipliers.setZero(m);
  slope.down.setZero(configuration_.nv());
  if (!factor(metric_.weights())) return slope;
  const VectorXd F_q = gradient(state, goal);
  if (m > 0) rows_.multipliers(F_q, slope.multipliers);
  slope.down = -(metric_.weights().diagonal().cwiseInverse().cwiseProduct(F_q));
  if (m > 0) rows_.make_tangent(slope.down);
  slope.size = metric_.norm(slope.down);
  return slope;
}

// W^-1 times the second derivative of L, along v.
VectorXd AssemblyDescent::curvature(const State& state, Goal goal, const VectorXd& multipliers, const VectorXd& v) {
  constexpr double way = 1e-5;  // rad: round-off 1e-11, third derivatives 1e-10
  const double h = way / metric_.norm(v);
  VectorXd change = VectorXd::Zero(v.size());
  for (const double side : {1.0, -1.0}) {
    State beside = state;
    configuration_.advance(beside.x.data(), VectorXd(side * h * v).data());
    evaluate(beside);
    gather(goal);
    change += side * (gradient(beside, goal) - C_.transpose() * multipliers);
  }
  return metric_.weights().diagonal().cwiseInverse().cwiseProduct(change) / (2 * h);
}

VectorXd AssemblyDescent::newton_step(const State& state, Goal goal, const Slope& slope, double radius) {
  const auto product = [&](const VectorXd& a, const VectorXd& b) { return a.dot(metric_.weights() * b); };
  // The way on along p to the edge of the trust region.
  const auto to_edge = [&](const VectorXd& s, const VectorXd& p) {
    const double pp = product(p, p), sp = product(s, p), rest = radius * radius - product(s, s);
    return VectorXd(s + (-sp + std::sqrt(sp * sp + pp * rest)) / pp * p);
  };
  // conjugate gradients, until the residual is small, the region ends, or L bends down
  const int freedoms = configuration_.nv() - rows_.rank();
  VectorXd s = VectorXd::Zero(slope.down.size()), r = slope.down, p = r;
  double rr = product(r, r);
  constexpr double solved = 1e-8;  // of the slope: Newton's equation
  for (int k = 0; k < freedoms + 2; ++k) {
    VectorXd Hp = curvature(state, goal, slope.multipliers, p);
    if (c_.size() > 0) rows_.make_tangent(Hp);
    const double pHp = product(p, Hp);
    if (!(pHp > 0)) return to_edge(s, p);
    const double way = rr / pHp;
    const VectorXd next = s + way * p;
    if (metric_.norm(next) > radius) return to_edge(s, p);
    s = next, r -= way * Hp;
    const double before = rr;
    rr = product(r, r);
    if (!(std::sqrt(rr) > solved * slope.size)) break;
    p = r + rr / before * p;
  }
  return s;
}

void AssemblyDescent::descend(State& state, Goal goal) {
  const double eps = goal == Goal::meet || nears_ == 0 ? 1 : motion_weight;
  // Round-off: of a slope whose parts are of the order of one, of the objective, and of a step (rad).
  constexpr double flat = 1e-13, least_weight = 1e-3, same_objective = 1e-12, no_step = 1e-7;
  constexpr double least_radius = 1e-9;  // rad: of the trust region
  constexpr double at_edge = 0.9;        // of the radius: a good step so long makes the region larger
  const double still = flat * std::max(eps, least_weight);
  double radius = 0.5;  // rad
  evaluate(state);
  gather(goal);
  Slope here = slope(state, goal);
  for (int k = 0; k < 100 && here.size > still && radius > least_radius; ++k) {
    // a step within the trust region, and back onto the constraints
    const double before = objective(state, goal);
    State next = state;
    const VectorXd step = newton_step(state, goal, here, radius);
    const double way = metric_.norm(step);
    configuration_.advance(next.x.data(), step.data());
    const bool back = step.allFinite() && restore(next, goal) && right_way_round();
    const Slope there = back ? slope(next, goal) : Slope{};
    // where F no longer tells two poses apart, its slope does
    const double gain = back ? before - objective(next, goal) : -1;
    const bool better =
        back && (gain > same_objective * before || (gain > -same_objective * before && there.size < 0.5 * here.size));
    if (better) {
      state = next, here = there;
      if (way > at_edge * radius) radius = std::min(2 * radius, 1.0);
      continue;
    }
    // else again from here, within a smaller region
    if (way < no_step) break;
    radius = 0.25 * std::min(way, radius);
    evaluate(state);
    gather(goal);
    here = slope(state, goal);
  }
}

void AssemblyDescent::draw_near(State& state) {
  descend(state, Goal::close);
  if (nears_ == 0) return;
  State met = state;
  if (!restore(met, Goal::meet)) return;
  descend(met, Goal::meet);
  state = met;
}

}  // namespace armature::internal
