// What can move at a singular pose, for arrows in a picture: a row of the motion, a little further along the velocity that is free.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "prepare/prepare.hpp"
#include "record/recorder.hpp"
#include "report/motion_rows.hpp"
#include "singular/singular_pose.hpp"

namespace armature::internal {

class FreeMotion {
 public:
  // channels: of the rows. Throws RequestError.
  FreeMotion(const Model& model, const Prepared& prepared, const std::vector<Channel>& channels);

  // The pose of a row, moved along its free velocity. Of a pose that is singular in several ways, along the one whose measure is least.
  // Empty where the pose is not near a singular one.
  std::vector<double> moved(std::span<const double> row);
  // How far a row is from a singular pose: the smallest singular value of all ways in which the machine can be singular, from 0 to 1. Ways that
  // depend on coordinates which the program has chosen are left out.
  double distance(std::span<const double> row);
  SingularityKind kind() const { return kind_; }  // of the last pose
  double measure() const { return measure_; }     // of the last pose: its smallest singular value, from 0 to 1

 private:
  State state_of(std::span<const double> row) const;

  const Prepared& prepared_;
  SingularityFrame frame_;
  SingularPose pose_;
  std::vector<int> columns_;            // of the positions in a row; -1: not recorded
  std::vector<SingularityKind> kinds_;  // ways in which a pose of this machine can be singular
  SingularityKind kind_ = SingularityKind::rank_drop;
  double measure_ = 1;
};

namespace plot {

// The row at a time, freely moved. Throws ComputationError where the pose is not near a singular one.
std::vector<double> freely_moved(const Model& model, const MotionRows& rows, double t);

}  // namespace plot
}  // namespace armature::internal
