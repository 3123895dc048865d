// The energy ledger: auxiliary states that hold the energy that came in and was lost since the start, so that a run can check
//   kinetic + potential + magnetic = at the start + work - heat.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "mechanics/equations.hpp"

namespace armature::internal {

inline constexpr const char* impact_work =
    "work.impact";  // the state that holds the work of impulses, where there are any

// That state. Equations whose ledger was dropped have none, and nothing is counted then.
class ImpactWork {
 public:
  explicit ImpactWork(const Equations& equations);
  std::optional<int> state() const { return state_; }  // in x
  void add(double work, Eigen::VectorXd& x) const {
    if (state_) x[*state_] += work;
  }

 private:
  std::optional<int> state_;
};

void add_energy_ledger(Equations& equations);  // once all powers and rows are known

}  // namespace armature::internal
