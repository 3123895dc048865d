// Positions and orientations as numbers: a frame seen from another one.
#pragma once

#include <Eigen/Geometry>

namespace armature::internal {

struct Frame {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero();

  Frame operator*(const Frame& b) const { return {R * b.R, p + R * b.p}; }
  Eigen::Vector3d operator*(const Eigen::Vector3d& x) const { return p + R * x; }
  Frame inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

inline bool moves(const Frame& frame) {
  return frame.p.norm() > 1e-12 || (frame.R - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() > 1e-12;
}

inline Frame shifted(const Eigen::Vector3d& p) { return {Eigen::Matrix3d::Identity(), p}; }

// A unit vector perpendicular to the unit vector n: the coordinate axis that follows n's own, or one made by a cross product. As the
// mechanics of joints chooses it.
Eigen::Vector3d perpendicular(const Eigen::Vector3d& n);

// The smallest turn that takes the direction `from` to the direction `to`.
Eigen::Matrix3d turn_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

// Roll, pitch and yaw about fixed axes x, y, z: Rz(yaw) Ry(pitch) Rx(roll), as URDF and SDFormat write them.
Eigen::Matrix3d turn_by_rpy(const Eigen::Vector3d& rpy);
Eigen::Vector3d rpy_of(const Eigen::Matrix3d& R);
Eigen::Matrix3d turn_about(const Eigen::Vector3d& axis, double angle);

// The angle of R about the axis, of a turn about it.
double angle_about(const Eigen::Vector3d& axis, const Eigen::Matrix3d& R);

}  // namespace armature::internal
