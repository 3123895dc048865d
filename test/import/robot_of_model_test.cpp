#include "import/robot_of_model.hpp"

#include <gmock/gmock.h>

#include "model/request_error.hpp"
#include "read/reader.hpp"

namespace armature::internal {
namespace {

using testing::Contains;
using testing::HasSubstr;

Robot robot_of(const std::string& more) {
  return robot_of_model(read_model_text(R"(armature: 1
gravity: [0, 0, -9.81]
parameters: {l: 0.5}
bodies:
  a: {mass: 2, center: [l, 0, 0], inertia: {xx: 1, yy: 2, zz: 2.5}}
  b: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  q: {type: revolute, axis: y, between: ["ground [0, 0, 1]", a], damping: 0.1}
  p: {type: revolute, axis: y, between: ["a [2*l, 0, 0]", b]}
)" + more),
                        {});
}

TEST(RobotOfModel, TakesNumbersAsTheyAre) {
  const Robot robot = robot_of("");
  ASSERT_EQ(robot.bodies.size(), 2u);
  EXPECT_EQ(robot.bodies[0].mass.mass, 2);
  EXPECT_EQ(robot.bodies[0].mass.center, Eigen::Vector3d(0.5, 0, 0));
  EXPECT_EQ(robot.bodies[0].mass.inertia(1, 1), 2);
  EXPECT_EQ(robot.joints[0].in_a.p, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(robot.joints[0].axis, Eigen::Vector3d::UnitY());
  EXPECT_EQ(robot.joints[0].damping, 0.1);
  EXPECT_EQ(robot.joints[1].in_a.p, Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(robot.joints[1].a, 0);
  EXPECT_EQ(robot.gravity, Eigen::Vector3d(0, 0, -9.81));
}

// Behind a ratio of -4 the rotor counts 16 times, dry friction 4 times.
TEST(RobotOfModel, ADriveIsAnActuatorAndItsRotorIsOnTheJoint) {
  const Robot robot = robot_of(
      "drives: {m: {type: dc_motor, on: q, torque_constant: 1, resistance: 1, current: 2, gear_ratio: -4, "
      "rotor_inertia: 0.01, "
      "viscous_friction: 0.02, coulomb_friction: 0.3}}\n");
  ASSERT_EQ(robot.actuators.size(), 1u);
  EXPECT_EQ(robot.actuators[0].joint, 0);
  EXPECT_EQ(robot.actuators[0].gear, -4);
  EXPECT_NEAR(robot.joints[0].inertia, 0.16, 1e-15);
  EXPECT_NEAR(robot.joints[0].damping, 0.1 + 0.32, 1e-15);
  EXPECT_NEAR(robot.joints[0].friction, 1.2, 1e-15);
  EXPECT_THAT(robot.not_taken, Contains(HasSubstr("drives.m: its winding and its command")));
}

// 2 (q - p)/4 - 3 l + 1 = 0.
TEST(RobotOfModel, LinearConstraintsAreRelations) {
  const Robot robot =
      robot_of("constraints: {r: {type: prescribed, zero: 2*(q - p)/4 - 3*l + 1}, s: {type: prescribed, zero: q*p}}\n");
  ASSERT_EQ(robot.relations.size(), 1u);
  double q = 0, p = 0;
  for (const RobotRelation::Term& term : robot.relations[0].terms) (term.joint == 0 ? q : p) += term.factor;
  EXPECT_NEAR(robot.relations[0].constant / q, -1, 1e-15);
  EXPECT_NEAR(p / q, -1, 1e-15);
  EXPECT_THAT(robot.not_taken, Contains(HasSubstr("constraints.s")));
}

TEST(RobotOfModel, SpringsBelongToTheirJoint) {
  const Robot robot = robot_of(
      "forces: {f: {type: torsion_spring, on: p, stiffness: 7, rest: 0.3, damping: 0.2}, g: {type: force, on: b, is: "
      "[1, 0, 0]}}\n");
  EXPECT_EQ(robot.joints[1].stiffness, 7);
  EXPECT_EQ(robot.joints[1].rest, 0.3);
  EXPECT_EQ(robot.joints[1].damping, 0.2);
  EXPECT_THAT(robot.not_taken, Contains("forces.g: a force"));
}

TEST(RobotOfModel, IsMadeOfBodies) {
  EXPECT_THROW(
      robot_of_model(
          read_model_text("armature: 1\nlagrangian: {coordinates: {q: rad}, kinetic: q'^2, potential: q^2}\n"), {}),
      RequestError);
}

}  // namespace
}  // namespace armature::internal
