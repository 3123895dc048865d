// Equalities and tendons of MJCF.
#include <gmock/gmock.h>

#include "import/robot_texts.hpp"

namespace armature::internal::imports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(MjcfLoops, JointsAreRelatedByPolynomialsAndTendons) {
  const std::string bodies = R"(
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 1, center: [1, 0, 0], inertia: {yy: 0.1}}
  b: {mass: 1, center: [cos(0.2), 0, sin(0.2)], inertia: {yy: 0.1}}       # shown at 0.2
)";
  expect_same(R"(<mujoco><compiler angle="radian"/><worldbody>
      <body name="a"><joint name="x" axis="0 1 0"/><inertial pos="1 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>
      <body name="b"><joint name="y" axis="0 1 0" ref="0.2"/><inertial pos="1 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody>
      <tendon><fixed name="rope" stiffness="4" damping="0.5" springlength="0.3"><joint joint="x" coef="2"/><joint joint="y" coef="-1"/></fixed></tendon>
      <equality><joint joint1="y" joint2="x" polycoef="0.1 0.5 0.25"/></equality></mujoco>)",
              bodies + R"Y(
joints:
  x: {type: revolute, axis: y, between: [ground, a]}
  y: {type: revolute, axis: y, between: [ground, b]}
constraints: {p: {type: prescribed, zero: y - 0.2 - 0.1 - 0.5*x - 0.25*x^2}}
forces:
  fx: {type: effort, on: x, is: "-2*(4*(2*x - y - 0.3) + 0.5*(2*x' - y'))"}
  fy: {type: effort, on: y, is: "4*(2*x - y - 0.3) + 0.5*(2*x' - y')"}
start: {near: {y: 0.2}}
)Y");
}

// A weld that holds no angle connects points.
TEST(MjcfLoops, AWeldWithoutTorqueIsABall) {
  const auto model = [](const std::string& weld) {
    return text(R"(<mujoco><worldbody>
      <body name="a" pos="0 0 1"><joint name="j" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 1 0 0"/></body>
      <body name="b" pos="2 0 1"><joint name="k" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 -1 0 0"/></body>
      </worldbody><equality>)" +
                weld + "</equality></mujoco>");
  };
  const ImportedModel ball = model(R"(<weld name="w" body1="a" body2="b" anchor="-1 0 0" torquescale="0"/>)");
  EXPECT_THAT(ball.text, HasSubstr("w: {type: spherical"));
  EXPECT_THAT(ball.text, HasSubstr("\"a [1, 0, 0]\", \"b [-1, 0, 0]\""));
  EXPECT_THAT(model(R"(<weld name="w" body1="a" body2="b"/>)").text, testing::Not(HasSubstr("spherical")));
}

TEST(MjcfLoops, EqualitiesHaveDefaults) {
  EXPECT_THAT(
      lost("<mujoco><default><equality active=\"false\"/></default><worldbody><body name=\"a\"><joint name=\"x\"/>"
           "<geom size=\"0.1\"/></body></worldbody><equality><connect name=\"c\" body1=\"a\" anchor=\"0 0 "
           "1\"/></equality></mujoco>"),
      ElementsAre("LOOP NOT KEPT: line 1: connect c: is not active"));
}

}  // namespace
}  // namespace armature::internal::imports
