#include "mechanics/generalized_forces.hpp"

#include <vector>

namespace armature::internal {

void GeneralizedForces::apply(Expression effort, Expression rate) {
  if (effort.is(0) || rate.is_constant()) return;
  for (std::int32_t leaf : leaves_of(rate))
    if (const int k = velocities_.number_of(leaf); k >= 0) applied_[k] += Derivative({{leaf, 1.0}})(rate) * effort;
}

// T = 1/2 I rate^2 with rate = J v:  M += I J'J,  f -= I J' (dJ/dt v).
void GeneralizedForces::add_inertia(Expression inertia, Expression rate) {
  std::vector<std::pair<int, Expression>> J;
  for (std::int32_t leaf : leaves_of(rate))
    if (const int k = velocities_.number_of(leaf); k >= 0) J.emplace_back(k, Derivative({{leaf, 1.0}})(rate));
  for (const auto& [i, Ji] : J)
    for (const auto& [k, Jk] : J) inertia_[{i, k}] += inertia * Ji * Jk;
  apply(-(inertia * time_derivative_(rate)), rate);
}

}  // namespace armature::internal
