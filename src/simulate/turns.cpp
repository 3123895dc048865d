#include "simulate/turns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "expression/derivative.hpp"
#include "linear/largest.hpp"

namespace armature {

namespace {

// Against the frame of a beam both of its neighbours turn by slopes; between the places where these are known a slope, a
// parabola, is larger than at all of them by at most a quarter.
constexpr double of_a_slope = 2 * 1.25;
constexpr double of_a_quaternion = 1.5;  // its rates are at most half the sum of three angular velocities

}  // namespace

Turns::Turns(const Prepared& prepared)
    : from_(prepared.start.x.head(prepared.system->layout().nq)),
      turn_(Eigen::VectorXd::Ones(from_.size())),
      configuration_(prepared.system->equations()),
      qdot_(Eigen::VectorXd::Zero(from_.size())),
      beside_(prepared.start.x),
      reference_(prepared.start.d),
      reference_beside_(prepared.start.d),
      most_(prepared.system->equations().quaternions.empty() ? 2.5 : 1.0) {
  const Equations& equations = prepared.system->equations();
  for (const Prepared::Beam& beam : prepared.beams) {
    bounded_ = bounded_ && beam.turns_by_slopes;
    for (const Prepared::Beam::Slope& slope : beam.slopes)
      for (const auto& [i, weight] : slope) turn_[i] = std::max(turn_[i], of_a_slope * std::abs(weight));
  }
  std::unordered_map<std::int32_t, int> position;
  for (std::size_t i = 0; i < equations.q.size(); ++i) position[equations.q[i].id()] = static_cast<int>(i);
  for (const Discrete& value : equations.discrete) {
    if (value.period != 0 || value.offset != 0) continue;
    bounded_ = bounded_ && value.turns_with_joints;
    std::vector<int>& list = coordinates_.emplace_back();
    for (const std::int32_t leaf : leaves_of(value.next)) {
      if (leaf == equations.t.id()) bounded_ = false;  // it turns by itself
      if (const auto found = position.find(leaf); found != position.end()) list.push_back(found->second);
    }
    longest_ = std::max(longest_, static_cast<double>(list.size()));
  }
  if (coordinates_.empty()) return;
  turn_of_speed_ = (equations.quaternions.empty() ? 1 : of_a_quaternion) * turn_.maxCoeff();
}

template <class Change>
double Turns::longest_way(const Change& change) const {
  double longest = 0;
  for (const std::vector<int>& list : coordinates_) {
    double way = 0;
    for (const int i : list) way += turn_[i] * std::abs(change(i));
    longest = std::max(longest, way);
  }
  return longest;
}

// No list has moved by `share` where the coordinate that turned most has moved by less than its part of the longest one.
bool Turns::moved(const Eigen::VectorXd& x) const {
  const auto most = [&] { return ((x.head(from_.size()) - from_).array().abs() * turn_.array()).maxCoeff(); };
  if (longest_ == 0 || longest_ * most() <= share) return false;
  return longest_way([&](int i) { return x[i] - from_[i]; }) > share;
}

// The bound by all coordinates together is exceeded seldom, and then most often not by the angles.
double Turns::longest_step(const State& state, double h, SystemEvaluator& evaluator) {
  constexpr double any = std::numeric_limits<double>::infinity();
  if (coordinates_.empty() || !bounded_ || h == 0) return any;
  if (longest_ * turn_of_speed_ * largest(state.x.data() + from_.size(), configuration_.nv()) * h <= most_) return any;
  configuration_.rate(state.x.data(), state.x.data() + from_.size(), qdot_.data());
  const double longest_rate = longest_way([&](int i) { return qdot_[i]; });
  if (longest_rate * h <= most_) return any;
  const double rate = fastest(state, longest_rate, evaluator);
  return rate * h <= most_ ? any : most_ / rate;
}

double Turns::fastest(const State& state, double longest_rate, SystemEvaluator& evaluator) {
  const double dt = 1e-3 / longest_rate;  // turns by a thousandth of a rad at most
  beside_ = state.x;
  beside_.head(from_.size()) += dt * qdot_;
  reference_ = reference_beside_ = state.d;
  evaluator.set(state.t, state.x.data());
  evaluator.next_discrete(reference_);
  evaluator.set(state.t + dt, beside_.data());
  evaluator.next_discrete(reference_beside_);
  return (reference_beside_ - reference_).cwiseAbs().maxCoeff() / dt;
}

bool Turns::due(const Eigen::VectorXd& x) {
  if (coordinates_.empty() || (bounded_ && !moved(x))) return false;
  from_ = x.head(from_.size());
  return true;
}

}  // namespace armature
