// What can move at a singular pose, for arrows in a picture: a row of the motion, a little further along the velocity that is free.
#pragma once

#include "report/motion_rows.hpp"
#include "report/pose_drawing.hpp"

namespace armature::internal::plot {

// The pose at a time, moved along its free velocity: a row of `rows`. Of a pose that is singular in several ways, along the one whose
// measure is least. Throws ComputationError where the pose is not near a singular one.
std::vector<double> freely_moved(const Model& model, const MotionRows& rows, double t);

}  // namespace armature::internal::plot
