#include "simulate/turn_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "expression/derivative.hpp"

namespace armature {

namespace {

// Against the frame of a beam both of its neighbours turn by slopes; between the places where these are known a slope, a
// parabola, is larger than at all of them by at most a quarter.
constexpr double of_a_slope = 2 * 1.25;

}  // namespace

TurnBounds::TurnBounds(const Prepared& prepared) : turn(Eigen::VectorXd::Ones(prepared.system->layout().nq)) {
  const Equations& equations = prepared.system->equations();
  for (const Prepared::Beam& beam : prepared.beams) {
    known = known && beam.turns_by_slopes;
    for (const Prepared::Beam::Slope& slope : beam.slopes)
      for (const auto& [i, weight] : slope) turn[i] = std::max(turn[i], of_a_slope * std::abs(weight));
  }
  std::unordered_map<std::int32_t, int> position;
  for (std::size_t i = 0; i < equations.q.size(); ++i) position[equations.q[i].id()] = static_cast<int>(i);
  for (const Discrete& value : equations.discrete) {
    if (!value.follows_steps()) continue;
    known = known && value.turns_with_joints;
    std::vector<int>& list = coordinates.emplace_back();
    for (const std::int32_t leaf : leaves_of(value.next)) {
      if (leaf == equations.t.id()) known = false;  // it turns by itself
      if (const auto found = position.find(leaf); found != position.end()) list.push_back(found->second);
    }
    longest = std::max(longest, static_cast<double>(list.size()));
  }
}

}  // namespace armature
