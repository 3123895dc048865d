#include "import/write_model.hpp"

#include <gmock/gmock.h>

#include "import/reduce.hpp"
#include "import/written_robot.hpp"
#include "read/reader.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

std::string written_model(Robot robot) {
  const std::vector<Frame> poses = reduce(robot);
  return write_model(robot, poses, "arms.xml", "parts/");
}

TEST(WriteModel, SaysWhatTheRobotHas) {
  const std::string text = written_model(written_arms());
  EXPECT_THAT(text,
              HasSubstr("upper: {mass: 2 kg, center: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.3, xy: 0.01}}"));
  EXPECT_THAT(text, HasSubstr("between: [\"ground [0, 0, 1]\", upper]\n    damping: 0.1\n    friction: 0.2\n    "
                              "limits: {lower: -1, upper: 2,"));
  EXPECT_THAT(text, HasSubstr("knee: {type: revolute, axis: y, between: [\"upper [1, 0, 0]\", lower], inertia: 0.04, "
                              "spring: {stiffness: 5, rest: 0.3}}"));
  EXPECT_THAT(text, HasSubstr("drive: {type: effort, on: hip, is: 20*drive_input}"));
  EXPECT_NO_THROW(read_model_text(text));
}

// The knee is turned by 90 degrees about z: in the model the bodies have the axes of the ground, so its axis y becomes -x.
TEST(WriteModel, GivesBodiesTheAxesOfTheGround) {
  Robot robot = written_arms();
  robot.joints[1].in_a.R = turn_about(Eigen::Vector3d::UnitZ(), M_PI / 2);
  const std::string text = written_model(robot);
  EXPECT_THAT(text, HasSubstr("axis: -x\n    between: [\"upper [1, 0, 0]\", lower]"));
  EXPECT_THAT(text, HasSubstr("lower: {mass: 1 kg, center: [0, 0.25, 0]"));
}

// gear clamp(gain u + b0 + b1 l + b2 l', force), u within its control, l = gear times the angle.
TEST(WriteModel, WritesTheLawOfAnActuator) {
  Robot robot = written_arms();
  RobotActuator& servo = robot.actuators[0];
  servo.gear = 2, servo.gain = 3, servo.bias = {0.5, -3, -0.25};
  servo.control.lower = -1, servo.control.upper = 1.5;
  servo.force.lower = -7, servo.force.upper = 8;
  EXPECT_THAT(written_model(robot),
              HasSubstr("is: \"2*clamp(3*clamp(drive_input, -1, 1.5) + 0.5 - 6*hip - 0.5*hip', -7, 8)\""));
}

}  // namespace
}  // namespace armature::internal
