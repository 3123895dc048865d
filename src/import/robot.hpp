// A robot as the formats of robotics describe it: links with frames of their own, joints with a frame on either link, loops,
// actuators. The readers of URDF, SDFormat and MJCF fill it; reduce.hpp simplifies it; write_model.hpp prints it as a model
// file. Export goes the other way.
//
// SI units. A joint's value is zero where its two frames coincide.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "import/frame.hpp"
#include "model/joint_type.hpp"

namespace armature::internal {

constexpr int ground_body = -1;  // in place of the index of a body

constexpr double no_urdf_limit = 1e9;  // URDF asks for limits of every slide: numbers of this size stand for none

// As files list it: six numbers. (Eigen's comma initializer must not be left by an exception halfway.)
inline Eigen::Matrix3d symmetric_matrix(double xx, double xy, double xz, double yy, double yz, double zz) {
  return Eigen::Matrix3d{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
}

struct RobotMass {
  double mass = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the center, in the body's axes

  void add(const RobotMass& other);              // both in the same frame
  RobotMass seen_from(const Frame& body) const;  // body: the frame in which this is given, seen from another one
};

struct RobotShape {
  enum class Kind { box, cylinder, capsule, sphere, ellipsoid, mesh } kind = Kind::box;
  Frame at;                                        // its center; a cylinder's axis is z
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  // sides of a box; radius and length; radius
  std::string file;                                // of a mesh, relative to the folder of the robot's file
  double scale = 1;                                // of a mesh
};

struct RobotPoint {
  std::string name;
  Eigen::Vector3d at;
};

struct RobotBody {
  std::string name;
  RobotMass mass;
  std::vector<RobotShape> shapes;
  std::vector<RobotPoint> points;
};

struct RobotJoint {
  std::string name;
  JointType type = JointType::fixed;
  int a = ground_body, b = ground_body;
  Frame in_a, in_b;                                   // the joint's frame, seen from either body
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();    // in the joint's frame; of a universal joint the first
  Eigen::Vector3d second = Eigen::Vector3d::UnitX();  // of a universal joint
  double pitch = 0;                                   // of a screw, m per turn
  bool closes = false;                                // a loop
  bool declared = false;                              // the file says that it closes a loop
  double inertia = 0, damping = 0, friction = 0, stiffness = 0, rest = 0;
  std::optional<double> lower, upper, stop_stiffness, stop_damping;
  double start = 0;            // value in the pose in which the file shows the robot
  std::vector<double> values;  // the same of a joint with several coordinates, in their order; for export
};

// The sum of factor * value^power, and a constant, is zero.
struct RobotRelation {
  struct Term {
    int joint;
    double factor;
    int power = 1;
  };
  std::string name;
  std::vector<Term> terms;
  double constant = 0;
};

// Its length is a sum of joint values with factors: a spring and damper over several joints, and a transmission.
struct RobotTendon {
  std::string name;
  std::vector<RobotRelation::Term> terms;
  double stiffness = 0, damping = 0, lowest_rest = 0, highest_rest = 0;  // relaxed between these lengths
};

struct ForceRange {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  bool given() const {
    return lower > -std::numeric_limits<double>::infinity() || upper < std::numeric_limits<double>::infinity();
  }
};

// Effort on its joint or tendon: gear * clamp(gain*u + bias[0] + bias[1]*l + bias[2]*l', force), l = gear times value, u its
// input within `control`. Or a DC motor with the input as its voltage.
struct RobotActuator {
  struct Motor {
    double torque_constant = 0, back_emf_constant = 0, resistance = 0, inductance = 0;
  };
  std::string name;
  int joint = -1, tendon = -1;
  double gear = 1, gain = 1;
  std::array<double, 3> bias{};
  ForceRange control, force;
  std::optional<Motor> motor;
};

struct Robot {
  std::string name, format;  // format: "URDF", "SDFormat", "MJCF"
  std::string base;          // the link that is the ground, where one is
  Eigen::Vector3d gravity{0, 0, -9.81};
  std::vector<RobotBody> bodies;
  std::vector<RobotPoint> points;  // on the ground
  std::vector<RobotJoint> joints;
  std::vector<RobotRelation> relations;
  std::vector<RobotTendon> tendons;
  std::vector<RobotActuator> actuators;
  std::vector<std::string> loops;      // what became of each loop: "loop1: two points on one axis are a revolute joint"
  std::vector<std::string> not_taken;  // sentences, most with a line

  int body_named(const std::string& name) const;   // -2: there is none
  int joint_named(const std::string& name) const;  // -1: there is none
  void leave_out(const std::string& what);         // once

 private:
  std::set<std::string> left_out_;
};

// A relation of one or two joints, y = ratio x + offset, where both count from their values at the start.
struct StartRelation {
  double ratio = 0, offset = 0;
};
StartRelation counted_from_start(const Robot& robot, const RobotRelation& relation);

// "world" of SDFormat and MJCF is the ground.
std::string body_name(const Robot& robot, int body);

}  // namespace armature::internal
