// The projection of eight states at once: projection.hpp, as long as the constraints are regular there.
#pragma once

#include <vector>

#include "dynamics/configuration.hpp"
#include "system/kernel_evaluator.hpp"

namespace armature {

class ProjectionLanes {
 public:
  explicit ProjectionLanes(SystemLanes& system);

  // Positions and velocities of x, then the error estimate (null: there is none), in some lanes; row_size: what
  // Projection::row_size() says of each. Returns the lanes in which that is done. In the others, which need the
  // rank-revealing way or do not converge, x and error are not to be used.
  LaneMask project(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x, LaneRow* error);
  // Projection::straight and Projection::finish; in lanes in which that is not done, x is not to be used.
  LaneMask straight(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x);
  LaneMask finish(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x, LaneRow* xdot, LaneRow* error,
                  const LaneRow& weight);
  // Of the lanes that the last of these two has done.
  const LaneRow& work() const { return work_; }
  LaneMask ends_where_evaluated() const { return ends_where_evaluated_; }
  LaneMask well_regular() const { return well_regular_; }

 private:
  // Of a kernel for the straight way.
  struct Straight : WayBackView<lane_count>, PivotsView<lane_count> {
    LaneMask usable;
  };
  // Correct: runs the kernel at the inputs that are set; take: its other outputs, in lanes that have come to the end.
  template <class Correct, class Take>
  LaneMask go_straight(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x, const Correct& correct,
                       const Take& take);
  void typical_size(const LaneRow& row_size, const LaneRow* x, LaneRow& size) const;
  void take_step_end(LaneMask lanes, const StepEndView<lane_count>& end, const LaneRow& weight, const LaneRow* x,
                     LaneRow* xdot, LaneRow* error);
  LaneMask position(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x);
  LaneMask velocity(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x, LaneRow* error);
  // error_ and ratio_ of a correction; lanes with pivots that can be used and finite steps
  LaneMask read(const LaneRow* step, const LaneRow* residual, const PivotsView<lane_count>& pivots);
  void errors_to_velocities(LaneMask lanes, const LaneRow* x, const LaneRow* error);  // position_error_
  void velocities_to_errors(LaneMask lanes, const LaneRow* x, LaneRow* error);
  void add(LaneMask lanes, const LaneRow* dv, LaneRow* x);  // nv entries
  void advance(LaneMask lanes, const LaneRow* dv, LaneRow* x);

  SystemLanes& system_;
  Configuration configuration_;
  int nq_, nv_, nz_, m_;
  bool quaternions_, counts_work_;
  LaneRow error_{}, ratio_{}, work_{};
  LaneMask well_regular_ = 0, ends_where_evaluated_ = 0;
  std::vector<LaneRow> moved_, position_error_;
  std::vector<double> one_x_, one_dv_, one_rate_;  // of one lane
};

}  // namespace armature
