// Eight runs' right-hand sides at once (step/motion.hpp). Each lane has its own Dynamics, which holds its outcomes, discrete values
// and parameters, and which is the full engine wherever something rare happens in that lane.
#pragma once

#include <array>
#include <memory>

#include "dynamics/dynamics.hpp"
#include "integrate/lane_ode.hpp"
#include "system/kernel_evaluator.hpp"

namespace armature::internal {

class LaneDynamics final : public LaneOde {
 public:
  // Whether lanes can run this system: it has traced programs.
  static bool possible(const System& system) { return system.options().traced_solve; }
  explicit LaneDynamics(std::shared_ptr<const System> system);
  ~LaneDynamics() override;

  // The lanes' own: formulation, stabilization and system are the same for all of them, gains may differ.
  void set_lane(int k, Dynamics& dynamics);
  void hold(int k);  // takes discrete values, outcomes, parameters and gains of the lane's Dynamics as they are now

  int size() const override { return system_.system().layout().nx(); }
  LaneMask derivative(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* xdot) override;
  LaneMask project(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* error) override;
  Finish finish(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* xdot, LaneRow* error,
                const LaneRow& weight) override;
  Ode* alone(int k) override { return &at(k); }

  SystemLanes& system() { return system_; }  // with all that is held
  bool plain(int k) const;                   // nothing slides in the lane
  bool regular(int k) const;                 // its last derivative() was nothing special

  // The engine of each lane.
  bool derivative(int k, double t, const double* x, double* xdot) { return at(k).engine().derivative(t, x, xdot); }
  bool project(int k, double t, double* x, double* error) { return at(k).engine().project(t, x, error); }
  step::MachineSizes sizes(int k, double t, const double* x) { return at(k).engine().sizes(t, x); }
  void take_weight(int k, int comparison, double weight) { at(k).comparisons().set_weight(comparison, weight); }

 private:
  struct Regular;

  void note_contact_forces(LaneMask lanes, const LaneRow& t);
  Dynamics& at(int k) const { return *lanes_[static_cast<std::size_t>(k)]; }

  SystemLanes system_;
  std::unique_ptr<Regular> regular_;  // the step kernel: only lane_dynamics.cpp sees it
  std::array<Dynamics*, lane_count> lanes_{};
};

}  // namespace armature::internal
