// Error-controlled steps of an embedded pair in eight lanes: embedded.hpp. A lane whose step is rejected tries again, with
// its own smaller step, while the others go on.
#pragma once

#include <array>

#include "integrate/lane_integrator.hpp"
#include "integrate/step_control.hpp"
#include "integrate/stiffness.hpp"

namespace armature {

class EmbeddedLanes final : public LaneIntegrator {
 public:
  EmbeddedLanes(const Tableau& tableau, LaneOde& ode, const IntegratorOptions& options, bool dense);
  Tried attempt(LaneMask lanes, const LaneRow& t_stop) override;

 private:
  const Tolerance* tolerance() const override { return &tolerance_; }
  const IntegratorOptions* error_control() const override { return &options_; }
  void begun(int k) override;
  void restarted(int k) override;
  double next_length(int k) const override { return controls_[static_cast<std::size_t>(k)].length(); }
  const StiffnessTest* stiffness(int k) const override { return &stiffness_[static_cast<std::size_t>(k)]; }
  LaneMask begin_steps(LaneMask lanes, const LaneRow& t_stop);
  bool choose_length(int k, double t_stop);
  // What became of the steps to t1: ok, or why they need to be smaller.
  void take_stages(LaneMask lanes);
  LaneOde::Finish finish_and_return(LaneMask lanes);  // all after the stages at once
  void judge(const LaneOde::Finish& finished);
  void end_steps(LaneMask lanes);
  LaneMask estimate_errors(LaneMask lanes);
  void weigh_estimates();
  void norm(const std::vector<LaneRow>& error, LaneRow& result) const;
  LaneMask return_to_manifold(LaneMask lanes);
  void look_for_stiffness(int k);
  void reject(int k);
  double starting_length(int k, double t_stop);
  void refuse(LaneMask lanes, StepStatus reason);
  StepControl& control(int k) { return controls_[static_cast<std::size_t>(k)]; }

  Tolerance tolerance_;
  IntegratorOptions options_;
  bool dense_;
  std::vector<StepControl> controls_;
  std::vector<StiffnessTest> stiffness_;
  LaneMask stepping_ = 0;  // k_1 is set; a rejected step is tried again
  LaneRow h_{}, t1_{}, error_norm_{};
  std::array<StepStatus, lane_count> status_{};
  std::vector<LaneRow> error_, work_;
  Eigen::VectorXd slope_;
  std::array<Eigen::VectorXd, 3> alone_;  // of one lane
};

}  // namespace armature
