// Eight runs' right-hand sides at once. Each lane has its own Dynamics, which holds its modes, discrete values and
// parameters, and which is asked wherever something special happens in that lane: several modes slide, a pivot is small, the
// constraints are nearly singular, the projection does not go straight. Everything else is done for all lanes together.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "dynamics/projection_lanes.hpp"
#include "dynamics/sliding_lanes.hpp"
#include "integrate/lane_ode.hpp"
#include "system/kernel_evaluator.hpp"

namespace armature {

class LaneDynamics final : public LaneOde {
 public:
  // Whether lanes can run this system: it has traced programs.
  static bool possible(const System& system) { return system.options().traced_solve; }
  explicit LaneDynamics(std::shared_ptr<const System> system);

  // The lanes' own: formulation, stabilization and system are the same for all of them, gains may differ.
  void set_lane(int k, Dynamics& dynamics);
  void hold(int k);  // takes discrete values, modes, parameters and gains of the lane's Dynamics as they are now

  int size() const override { return system_.system().layout().nx(); }
  LaneMask derivative(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* xdot) override;
  LaneMask project(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* error) override;
  Finish finish(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* xdot, LaneRow* error,
                const LaneRow& weight) override;
  Ode* alone(int k) override { return &at(k); }

  SystemLanes& system() { return system_; }               // with all that is held
  bool plain(int k) const { return has(plain_, k); }      // nothing slides in the lane
  bool regular(int k) const { return has(regular_, k); }  // the last derivative() of the lane was nothing special

 private:
  void derivative_alone(int k, double t, const LaneRow* x, LaneRow* xdot, LaneMask& done);
  LaneMask finish_sliding(LaneMask lanes, const AccelerationView<lane_count>& view, LaneRow* xdot);
  void project_alone(int k, double t, LaneRow* x, LaneRow* error, LaneMask& done);
  LaneMask go_straight(LaneMask lanes, const LaneRow& t, LaneRow* x);
  LaneMask with_scale(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow& scale);  // of the projection there
  void add_straight_work(LaneMask lanes, LaneRow* x) const;
  LaneMask project_together(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* error);
  void normalize(LaneMask lanes, LaneRow* x);
  Dynamics& at(int k) const { return *lanes_[static_cast<std::size_t>(k)]; }

  SystemLanes system_;
  ProjectionLanes projection_;
  SlidingLanes sliding_;
  Configuration configuration_;
  int rows_;
  std::array<Dynamics*, lane_count> lanes_{};
  LaneMask plain_ = 0, pulled_ = 0, finishing_ = 0, straight_ = 0, regular_ = 0;
  std::vector<LaneRow> saved_x_, saved_error_;
  std::vector<double> one_x_, one_xdot_;
};

}  // namespace armature
