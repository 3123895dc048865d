// What MJCF says of a robot: elements and the order of their numbers are those of MuJoCo's XML reference.
#include <gmock/gmock.h>

#include "import/written_robot.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(WriteMjcf, NestsBodiesWithTheirJointsAndMasses) {
  const WrittenRobot robot = written_as("mjcf");
  EXPECT_THAT(robot.not_said, IsEmpty());
  EXPECT_THAT(robot.text, HasSubstr("<body name=\"upper\" pos=\"0 0 1\">\n      <joint name=\"hip\" type=\"hinge\" "
                                    "axis=\"0 1 0\" damping=\"0.1\" frictionloss=\"0.2\" range=\"-1 2\"/>\n"
                                    "      <inertial pos=\"0.5 0 0\" mass=\"2\" fullinertia=\"0.1 0.2 0.3 0.01 0 "
                                    "0\"/>\n      <body name=\"lower\" pos=\"1 0 0\">"));
  EXPECT_THAT(
      robot.text,
      HasSubstr(
          "<joint name=\"knee\" type=\"hinge\" axis=\"0 1 0\" armature=\"0.04\" stiffness=\"5\" springref=\"0.3\"/>"));
  EXPECT_THAT(robot.text, HasSubstr("<motor name=\"drive\" joint=\"hip\" gear=\"20\"/>"));
}

// Half sides, radius and half length; the shape's own place.
TEST(WriteMjcf, GivesHalvesOfSizes) {
  Robot robot = written_arms();
  robot.bodies[0].shapes.resize(2);
  robot.bodies[0].shapes[0].size = {1, 2, 3}, robot.bodies[0].shapes[0].at.p = {0.1, 0, 0};
  robot.bodies[0].shapes[1].kind = RobotShape::Kind::cylinder, robot.bodies[0].shapes[1].size = {0.2, 3, 0};
  std::vector<std::string> not_said;
  const std::string text = robot_format("mjcf").write(robot, not_said);
  EXPECT_THAT(text, HasSubstr("type=\"box\" size=\"0.5 1 1.5\" pos=\"0.1 0 0\""));
  EXPECT_THAT(text, HasSubstr("type=\"cylinder\" size=\"0.2 1.5\""));
}

}  // namespace
}  // namespace armature::internal
