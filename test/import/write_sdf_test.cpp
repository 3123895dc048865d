// What SDFormat says of a robot, and what it cannot say.
#include <gmock/gmock.h>

#include "import/written_robot.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Links are placed in the model, joints in their child.
TEST(WriteSdf, PlacesLinksAndTheirJoints) {
  const WrittenRobot robot = written_as("sdf");
  EXPECT_THAT(robot.text, HasSubstr("<link name=\"lower\">\n        <pose>1 0 1 0 0 0</pose>\n        <inertial>\n     "
                                    "     <pose>0.25 0 0 0 0 0</pose>\n          <mass>1</mass>"));
  EXPECT_THAT(robot.text, HasSubstr("<ixx>0.1</ixx>\n            <ixy>0.01</ixy>\n            <ixz>0</ixz>\n           "
                                    " <iyy>0.2</iyy>\n            <iyz>0</iyz>\n            <izz>0.3</izz>"));
  EXPECT_THAT(robot.text, HasSubstr("<joint name=\"hip\" type=\"revolute\">\n        <pose>0 0 0 0 0 0</pose>\n        "
                                    "<parent>world</parent>\n        <child>upper</child>"));
  EXPECT_THAT(robot.text, HasSubstr("<damping>0.1</damping>\n            <friction>0.2</friction>"));
  EXPECT_THAT(robot.text, HasSubstr("<lower>-1</lower>\n            <upper>2</upper>"));
  EXPECT_THAT(
      robot.text,
      HasSubstr("<spring_stiffness>5</spring_stiffness>\n            <spring_reference>0.3</spring_reference>"));
}

TEST(WriteSdf, ListsWhatItCannotSay) {
  EXPECT_THAT(written_as("sdf").not_said, ElementsAre("joint knee: reflected inertia", "actuator drive"));
}

}  // namespace
}  // namespace armature::internal
