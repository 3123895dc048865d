#include "simulate/turns.hpp"

#include <algorithm>
#include <unordered_map>

#include "expression/derivative.hpp"

namespace armature {

// Coordinates of beams turn what sits on them by slopes, which may be of any size.
Turns::Turns(const Prepared& prepared)
    : bounded_(prepared.beams.empty()), from_(prepared.start.x.head(prepared.system->layout().nq)) {
  const Equations& equations = prepared.system->equations();
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
  }
}

bool Turns::moved(const Eigen::VectorXd& x) const {
  return std::any_of(coordinates_.begin(), coordinates_.end(), [&](const std::vector<int>& list) {
    double way = 0;
    for (const int i : list) way += std::abs(x[i] - from_[i]);
    return way > share;
  });
}

bool Turns::due(const Eigen::VectorXd& x) {
  if (coordinates_.empty() || (bounded_ && !moved(x))) return false;
  from_ = x.head(from_.size());
  return true;
}

}  // namespace armature
