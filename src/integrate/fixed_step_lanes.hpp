// Steps of one length in eight lanes: fixed_step.hpp.
#pragma once

#include <array>

#include "integrate/fixed_step.hpp"
#include "integrate/lane_integrator.hpp"

namespace armature {

class FixedStepLanes final : public LaneIntegrator {
 public:
  FixedStepLanes(const Tableau& tableau, LaneOde& ode, const IntegratorOptions& options, bool dense);
  Tried attempt(LaneMask lanes, const LaneRow& t_stop) override;

 private:
  void begun(int) override {}
  void restarted(int k) override;
  LaneMask begin_steps(LaneMask lanes);
  LaneMask fail(LaneMask lanes, StepStatus reason, const LaneRow& t);

  double step_;
  bool dense_;
  std::array<StepGrid, lane_count> grids_;
  LaneRow h_{}, t1_{};
};

}  // namespace armature
