#include "observe/negative_friction.hpp"

#include <algorithm>
#include <cmath>

#include "model/findings.hpp"

namespace armature::internal {

NegativeFriction::NegativeFriction(const System& system) {
  const Layout& n = system.layout();
  const std::vector<Coordinate>& others = system.equations().others;
  for (std::size_t i = 0; i < others.size(); ++i)
    if (others[i].name == "heat.friction") heat_ = n.nq + n.nv + static_cast<int>(i);
}

void NegativeFriction::begin(const Eigen::VectorXd& x, const Eigen::VectorXd& atol) {
  since_.reset(), sticks_ = false;
  if (heat_ >= 0) most_ = x[heat_], heat_error_ = atol[heat_];
}

void NegativeFriction::look(double t, const Eigen::VectorXd& x, double kinetic, const Eigen::VectorXd& weights) {
  if (heat_ < 0 || since_) return;
  const bool stuck = sticks_;
  sticks_ = std::any_of(weights.begin(), weights.end(), [](double w) { return w != std::floor(w); });
  // what was lost while it stuck is no loss of the sliding that begins
  if (stuck && !sticks_ && lost(x) <= often * heat_error_) most_ = x[heat_];
  most_ = std::max(most_, x[heat_]);
  constexpr double noticeable = 1e-3;  // of the energy
  if (lost(x) > std::max(allowed(), noticeable * (kinetic + std::abs(most_)))) since_ = t;
}

Findings NegativeFriction::findings() const {
  if (!since_) return {};
  return {finding<FindingCode::negative_friction>("t"_a = *since_)};
}

}  // namespace armature::internal
