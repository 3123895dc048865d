#include "mechanics/time_derivative.hpp"

namespace armature::internal {

void TimeDerivative::update() {
  if (derivative_ && known_ == equations_.q.size()) return;
  known_ = equations_.q.size();
  rates_[equations_.t.id()] = 1.0;
  for (std::size_t i = 0; i < known_; ++i) rates_[equations_.q[i].id()] = equations_.qdot[i];
  const std::vector<Expression>& displacements = velocities_.displacements();
  for (std::size_t i = 0; i < displacements.size(); ++i) rates_[displacements[i].id()] = velocities_.virtual_rates()[i];
  derivative_.emplace(rates_);
}

Expression TimeDerivative::operator()(Expression x) {
  update();
  return (*derivative_)(x);
}

Expression TimeDerivative::operator()(Expression x, LeafMap further_rates) {
  update();
  further_rates.insert(rates_.begin(), rates_.end());
  return Derivative(std::move(further_rates))(x);
}

}  // namespace armature::internal
