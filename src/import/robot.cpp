#include "import/robot.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal {

namespace {

// Moments of a point mass at r.
Eigen::Matrix3d moved_inertia(double mass, const Eigen::Vector3d& r) {
  return mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
}

}  // namespace

void RobotMass::add(const RobotMass& other) {
  const double sum = mass + other.mass;
  if (!(sum > 0)) return;
  const Eigen::Vector3d middle = (mass * center + other.mass * other.center) / sum;
  inertia += moved_inertia(mass, center - middle) + other.inertia + moved_inertia(other.mass, other.center - middle);
  mass = sum;
  center = middle;
}

RobotMass RobotMass::seen_from(const Frame& body) const {
  return {mass, body * center, body.R * inertia * body.R.transpose()};
}

int Robot::body_named(const std::string& name) const {
  const auto found = std::ranges::find(bodies, name, &RobotBody::name);
  return found == bodies.end() ? -2 : static_cast<int>(found - bodies.begin());
}

int Robot::joint_named(const std::string& name) const {
  const auto found = std::ranges::find(joints, name, &RobotJoint::name);
  return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
}

void Robot::leave_out(const std::string& what) {
  if (left_out_.insert(what).second) not_taken.push_back(what);
}

StartRelation counted_from_start(const Robot& robot, const RobotRelation& relation) {
  constexpr double rounding = 1e-14;
  const RobotRelation::Term& y = relation.terms[0];
  StartRelation seen{0, -relation.constant / y.factor - robot.joints[y.joint].start};
  if (relation.terms.size() == 2) {
    const RobotRelation::Term& x = relation.terms[1];
    seen.ratio = -x.factor / y.factor;
    seen.offset += seen.ratio * robot.joints[x.joint].start;
  }
  if (std::abs(seen.offset) < rounding) seen.offset = 0;
  return seen;
}

std::string body_name(const Robot& robot, int body) { return body == ground_body ? "ground" : robot.bodies[body].name; }

}  // namespace armature::internal
