// The projection of eight states at once: projection.hpp, as long as the constraints are regular there.
#pragma once

#include <vector>

#include "dynamics/configuration.hpp"
#include "system/system_lanes.hpp"

namespace armature {

class ProjectionLanes {
 public:
  explicit ProjectionLanes(SystemLanes& system);

  // Positions and velocities of x, then the error estimate (null: there is none), in some lanes; row_size: what
  // Projection::row_size() says of each. Returns the lanes in which that is done. In the others, which need the
  // rank-revealing way or do not converge, x and error are not to be used.
  LaneMask project(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x, LaneRow* error);

 private:
  LaneMask position(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x);
  LaneMask velocity(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x, LaneRow* error);
  // error_ and ratio_ of steps that stand before residuals; lanes with pivots that can be used and finite steps
  LaneMask read(const LaneRow* steps, const LaneRow* residuals);
  void errors_to_velocities(LaneMask lanes, const LaneRow* x, const LaneRow* error);  // position_error_
  void velocities_to_errors(LaneMask lanes, const LaneRow* x, LaneRow* error);
  void add(LaneMask lanes, const LaneRow* dv, LaneRow* x);  // nv entries
  void advance(LaneMask lanes, const LaneRow* dv, LaneRow* x);

  SystemLanes& system_;
  Configuration configuration_;
  int nq_, nv_, m_;
  bool quaternions_;
  LaneRow error_{}, ratio_{};
  std::vector<LaneRow> moved_, position_error_;
  std::vector<double> one_x_, one_dv_, one_rate_;  // of one lane
};

}  // namespace armature
