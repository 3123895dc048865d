#include "import/joint_chain.hpp"

#include <cmath>
#include <numbers>

#include "model/joint_kinds.hpp"

namespace armature::internal {

namespace {

Eigen::Vector3d direction_of(JointWords::Along along, const RobotJoint& joint) {
  const Eigen::Vector3d across = perpendicular(joint.axis);
  switch (along) {
    case JointWords::own_axis: return joint.axis;
    case JointWords::second_axis: return joint.second;
    case JointWords::across: return across;
    case JointWords::third: return joint.axis.cross(across);
    case JointWords::x: return Eigen::Vector3d::UnitX();
    case JointWords::y: return Eigen::Vector3d::UnitY();
    case JointWords::z: return Eigen::Vector3d::UnitZ();
  }
  return joint.axis;
}

Eigen::Matrix3d turn_of_quaternion(const std::vector<double>& values, std::size_t first) {
  if (values.size() < first + 4) return Eigen::Matrix3d::Identity();
  const Eigen::Quaterniond q(values[first], values[first + 1], values[first + 2], values[first + 3]);
  return q.norm() > 0 ? q.normalized().toRotationMatrix() : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
}

}  // namespace

Frame ChainPart::motion() const {
  if (type == JointType::spherical) return {turned, Eigen::Vector3d::Zero()};
  if (type == JointType::prismatic) return shifted(start * axis);
  return {turn_about(axis, start), Eigen::Vector3d::Zero()};
}

std::vector<ChainPart> chain_of(const RobotJoint& joint) {
  const JointWords& words = words_of(joint.type);
  const bool single = words.freedoms() == 1;
  const auto value = [&](std::size_t k) { return k < joint.values.size() ? joint.values[k] : 0.0; };
  std::vector<ChainPart> parts;
  if (words.advances)
    parts.push_back({JointType::prismatic, "_slide", joint.axis, joint.pitch * joint.start / (2 * std::numbers::pi)});
  for (std::size_t k = 0; k < std::size(words.coordinates) && words.coordinates[k].name; ++k) {
    const JointWords::Coordinate& coordinate = words.coordinates[k];
    if (coordinate.measure == JointWords::quaternion) {  // four coordinates, always the last
      parts.push_back(
          {JointType::spherical, parts.empty() ? "" : "_turn", joint.axis, 0, turn_of_quaternion(joint.values, k)});
      break;
    }
    const JointType type = coordinate.measure == JointWords::length ? JointType::prismatic : JointType::revolute;
    parts.push_back({type, single ? "" : "_" + std::string(coordinate.name), direction_of(coordinate.along, joint),
                     single ? joint.start : value(k)});
  }
  return parts;
}

std::string type_text(std::string_view name, const RobotJoint& joint) {
  const bool limited = joint.lower || joint.upper;
  return std::string(name == "continuous" && limited ? "revolute" : name);
}

Frame motion_at_start(const RobotJoint& joint) {
  Frame frame;
  for (const ChainPart& part : chain_of(joint)) frame = frame * part.motion();
  return frame;
}

void start_with(RobotJoint& joint, const Frame& motion) {
  const JointWords& words = words_of(joint.type);
  const Eigen::Quaterniond q(motion.R);
  joint.values.clear();
  for (const ChainPart& part : chain_of(joint)) {
    if (part.type == JointType::prismatic) joint.values.push_back(motion.p.dot(part.axis));
    if (part.type == JointType::revolute) joint.values.push_back(angle_about(part.axis, motion.R));
    if (part.type == JointType::spherical) joint.values.insert(joint.values.end(), {q.w(), q.x(), q.y(), q.z()});
  }
  if (words.axes == 2) {  // R = R(n, first) R(m, second) turns m as the first does, and n back as the second
    const Eigen::Vector3d &n = joint.axis, &m = joint.second;
    const Eigen::Vector3d turned = motion.R * m, back = motion.R.transpose() * n;
    joint.values = {std::atan2(n.dot(m.cross(turned)), m.dot(turned)), std::atan2(m.dot(back.cross(n)), n.dot(back))};
  }
  if (words.advances) joint.values = {2 * std::numbers::pi * motion.p.dot(joint.axis) / joint.pitch};
  joint.start = joint.values.size() == 1 ? joint.values[0] : 0;
}

}  // namespace armature::internal
