#include "import/frame.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace armature::internal {

namespace {

// cos and sin that are exact at quarter turns, also where the file gives pi/2 in all its digits: 6e-17 in place of 0 would
// spoil every number behind it.
struct CosSin {
  double c, s;
};

CosSin cos_sin(double angle) {
  const double quarters = angle / (std::numbers::pi / 2), whole = std::round(quarters);
  if (std::abs(quarters - whole) > 1e-15 * std::max(1.0, std::abs(quarters))) return {std::cos(angle), std::sin(angle)};
  static constexpr double cosines[] = {1, 0, -1, 0};
  const int k = static_cast<int>(std::fmod(std::fmod(whole, 4) + 4, 4));
  return {cosines[k], cosines[(k + 3) % 4]};
}

}  // namespace

Eigen::Vector3d perpendicular(const Eigen::Vector3d& n) {
  for (int i = 0; i < 3; ++i)
    if (std::abs(n[i]) == 1) return Eigen::Vector3d::Unit((i + 1) % 3);
  int smallest = 0;
  n.cwiseAbs().minCoeff(&smallest);
  return n.cross(Eigen::Vector3d::Unit(smallest)).normalized();
}

// Eigen's way takes a singular value decomposition where the directions are opposite: long to compile, so it is here alone.
Eigen::Matrix3d turn_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const Eigen::Vector3d n = to.normalized();
  if (from.normalized().dot(n) < -1 + 1e-12) return turn_about(perpendicular(n), std::numbers::pi);
  return Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix();
}

Eigen::Matrix3d turn_about(const Eigen::Vector3d& axis, double angle) {
  const auto [c, s] = cos_sin(angle);
  const Eigen::Vector3d n = axis.normalized();
  Eigen::Matrix3d cross;
  cross << 0, -n.z(), n.y(), n.z(), 0, -n.x(), -n.y(), n.x(), 0;
  return c * Eigen::Matrix3d::Identity() + s * cross + (1 - c) * n * n.transpose();
}

Eigen::Matrix3d turn_by_rpy(const Eigen::Vector3d& rpy) {
  return turn_about(Eigen::Vector3d::UnitZ(), rpy.z()) * turn_about(Eigen::Vector3d::UnitY(), rpy.y()) *
         turn_about(Eigen::Vector3d::UnitX(), rpy.x());
}

Eigen::Vector3d rpy_of(const Eigen::Matrix3d& R) {
  const double sine = std::clamp(-R(2, 0), -1.0, 1.0);
  if (std::abs(sine) > 1 - 1e-14)  // roll and yaw turn about one axis
    return {0, std::asin(sine), std::atan2(-R(0, 1), R(1, 1))};
  return {std::atan2(R(2, 1), R(2, 2)), std::asin(sine), std::atan2(R(1, 0), R(0, 0))};
}

double angle_about(const Eigen::Vector3d& axis, const Eigen::Matrix3d& R) {
  const Eigen::Vector3d n = axis.normalized(), skew(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  return std::atan2(0.5 * n.dot(skew), 0.5 * (R.trace() - n.dot(R * n)));
}

}  // namespace armature::internal
