#include "observe/energy_balance.hpp"

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

// Also through a comparison: if(t > 1, …), floor(t).
bool changes_with_time(Expression x, const Equations& e) {
  if (depends_on(x, e.t)) return true;
  const auto& comparisons = e.graph->comparisons();
  for (std::size_t k = 0; k < comparisons.size(); ++k)
    if (depends_on(x, e.graph->outcome(static_cast<int>(k))) && changes_with_time(comparisons[k].root, e)) return true;
  return false;
}

// Gravity or springs that change with time do work that no channel counts.
bool depends_on_time(const Equations& e) {
  return changes_with_time(e.kinetic, e) || changes_with_time(e.potential, e) || changes_with_time(e.magnetic, e);
}

}  // namespace

EnergyBalance::EnergyBalance(const System& system, bool knows_constraint_work) {
  const Equations& e = system.equations();
  const Layout& n = system.layout();
  possible_ = !depends_on_time(e) && (knows_constraint_work || e.constraint_work < 0);
  if (e.stabilization_work >= 0) stabilization_ = n.nq + n.nv + e.stabilization_work;
  for (int i = 0; i < n.nz; ++i) {
    if (e.others[i].kind == Coordinate::Kind::work) received_.push_back(n.nq + n.nv + i);
    if (e.others[i].kind == Coordinate::Kind::heat) lost_.push_back(n.nq + n.nv + i);
  }
}

double EnergyBalance::sum(const Observables& stored, const Eigen::VectorXd& x) const {
  double sum = stored.kinetic + stored.potential + stored.magnetic;
  for (int i : received_) sum -= x[i];
  for (int i : lost_) sum += x[i];
  return sum;
}

double EnergyBalance::in_motion(const Observables& stored, const Eigen::VectorXd& x) const {
  double sum = stored.kinetic + std::abs(stored.potential - potential_at_start_) + stored.magnetic;
  for (int i : received_) sum += std::abs(x[i]);
  return sum;
}

void EnergyBalance::begin(const Observables& stored, const Eigen::VectorXd& x) {
  at_start_ = sum(stored, x);
  potential_at_start_ = stored.potential;
  largest_error_ = largest_stabilization_ = size_ = 0;
}

double EnergyBalance::look(const Observables& stored, const Eigen::VectorXd& x) {
  const double error = sum(stored, x) - at_start_;
  largest_error_ = std::max(largest_error_, std::abs(error));
  if (stabilization_ >= 0) largest_stabilization_ = std::max(largest_stabilization_, std::abs(x[stabilization_]));
  size_ = std::max(size_, in_motion(stored, x));
  return error;
}

}  // namespace armature::internal
