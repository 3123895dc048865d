// What URDF says of a robot, and what it cannot say.
#include <gmock/gmock.h>

#include "import/written_robot.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(WriteUrdf, HoldsEveryLinkByAJoint) {
  const WrittenRobot robot = written_as("urdf");
  EXPECT_THAT(robot.text, HasSubstr("<inertia ixx=\"0.1\" ixy=\"0.01\" ixz=\"0\" iyy=\"0.2\" iyz=\"0\" izz=\"0.3\"/>"));
  EXPECT_THAT(robot.text,
              HasSubstr("<joint name=\"hip\" type=\"revolute\">\n    <parent link=\"world\"/>\n    <child "
                        "link=\"upper\"/>\n    <origin xyz=\"0 0 1\"/>\n    <axis xyz=\"0 1 0\"/>\n"
                        "    <dynamics damping=\"0.1\" friction=\"0.2\"/>\n    <limit lower=\"-1\" upper=\"2\""));
  EXPECT_THAT(robot.text, HasSubstr("<joint name=\"knee\" type=\"continuous\">\n    <parent link=\"upper\"/>\n    "
                                    "<child link=\"lower\"/>\n    <origin xyz=\"1 0 0\"/>"));
  EXPECT_THAT(
      robot.text,
      HasSubstr(
          "<joint name=\"hip\"/>\n    <actuator name=\"drive\">\n      <mechanicalReduction>20</mechanicalReduction>"));
}

TEST(WriteUrdf, ListsWhatItCannotSay) {
  EXPECT_THAT(written_as("urdf").not_said, ElementsAre("joint knee: reflected inertia", "joint knee: its spring"));
  Robot robot = written_arms();
  robot.gravity = {0, -9.81, 0};
  std::vector<std::string> not_said;
  robot_format("urdf").write(robot, not_said);
  EXPECT_THAT(not_said, testing::Contains("gravity: programs that read URDF take [0, 0, -9.81]"));
}

}  // namespace
}  // namespace armature::internal
