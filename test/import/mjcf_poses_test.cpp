// Orientations of MJCF, in each of its five forms.
#include <gmock/gmock.h>

#include "import/robot_texts.hpp"

namespace armature::internal::imports {
namespace {

using testing::HasSubstr;

// Intrinsic x, y, z by default; capital letters turn about fixed axes.
TEST(MjcfPoses, EulerAnglesFollowTheirOrder) {
  const auto axis = [](const std::string& compiler) {
    const std::string xml =
        "<mujoco><compiler " + compiler + R"(/><worldbody><body name="b" euler="90 0 90"><joint name="j" axis="1 0 0"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>)";
    const std::string model = text(xml).text;
    const std::size_t at = model.find("axis: ");
    return model.substr(at + 6, model.find(',', at) - at - 6);
  };
  EXPECT_EQ(axis("angle=\"degree\""), "z");                   // Rx(90) Rz(90) x = Rx(90) y = z
  EXPECT_EQ(axis("angle=\"degree\" eulerseq=\"XYZ\""), "y");  // Rz(90) Rx(90) x = y
  EXPECT_EQ(axis("angle=\"degree\" eulerseq=\"zyx\""), "y");  // Rz(90) Rx(90) x
}

// The axis of a joint along the body's x, in the ground, by each way of saying that z is turned to x.
TEST(MjcfPoses, MayBeGivenInFiveForms) {
  const auto axis = [](const std::string& turn) {
    const std::string model =
        text("<mujoco><worldbody><body name=\"b\" " + turn +
             "><joint name=\"j\" axis=\"0 0 1\"/>"
             "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body></worldbody></mujoco>")
            .text;
    const std::size_t at = model.find("axis: ");
    return model.substr(at + 6, model.find(',', at) - at - 6);
  };
  EXPECT_EQ(axis("quat=\"1 0 1 0\""), "x");
  EXPECT_EQ(axis("axisangle=\"0 2 0 90\""), "x");
  EXPECT_EQ(axis("axisangle=\"0 2 0 -90\""), "-x");
  EXPECT_EQ(axis("euler=\"0 90 0\""), "x");
  EXPECT_EQ(axis("xyaxes=\"0 0 -1 0 1 0\""), "x");
  EXPECT_EQ(axis("xyaxes=\"0 0 -1 0 1 -3\""), "x");  // the second is made perpendicular
  EXPECT_EQ(axis("zaxis=\"5 0 0\""), "x");
  EXPECT_EQ(axis(""), "z");
}

TEST(MjcfPoses, HaveDirections) {
  const auto refused = [](const std::string& turn) { return problem(mjcf("", "", turn)); };
  EXPECT_THAT(refused("axisangle=\"0 0 0 1\""), HasSubstr("'axisangle' has no axis"));
  EXPECT_THAT(refused("zaxis=\"0 0 0\""), HasSubstr("'zaxis' has no direction"));
  EXPECT_THAT(refused("xyaxes=\"1 0 0 2 0 0\""), HasSubstr("two directions that are not parallel"));
  EXPECT_THAT(problem(mjcf("", "<compiler angle=\"turns\"/>")), HasSubstr("'angle' is degree or radian, not 'turns'"));
  EXPECT_THAT(problem(mjcf("", "<compiler eulerseq=\"xy\"/>")), HasSubstr("'eulerseq' is three of"));
}

}  // namespace
}  // namespace armature::internal::imports
